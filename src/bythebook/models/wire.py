"""What the dialects have in common: JSON as models write it, and providers' refusals."""

import json
import re
from base64 import b64decode
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec

MALFORMED = "_malformed"
"""The one argument of a call whose arguments were no JSON object: the text as sent."""

DEEPEST = 64
"""Arguments nested deeper than this are malformed: nothing that stores them may break on them."""

UNREADABLE = (ValueError, RecursionError, msgspec.MsgspecError)


class Refusal(Exception):
    """A provider's answer that was no success, as it came."""

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        super().__init__(status)
        self.status, self.headers, self.content = status, headers, content


class Absent(Exception):
    """Nobody took the request: a wrong address, or a server that is not running."""


class Fault(Exception):
    """A provider did not give a reply."""

    def __init__(
        self,
        says: str,
        *,
        again: bool,
        after: float | None = None,
        hint: str = "",
        status: int | None = None,
    ):
        super().__init__(says)
        self.says, self.hint = says, hint
        self.status = status
        """What the provider answered with; None: it did not answer, or with a success that was
        none."""
        self.again = again
        """Whether asking again may help."""
        self.after = after
        """Seconds the provider wants us to wait."""


def read_json(data: bytes | str) -> Any:
    """The value in `data`; raises one of UNREADABLE.

    Half a surrogate pair, which models do write and UTF-8 cannot hold, becomes a question mark:
    everything read here can be written again.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError):
        text = json.dumps(json.loads(data), ensure_ascii=False)
        return msgspec.json.decode(text.encode("utf-8", "replace"))


def as_json(value: object) -> str:
    """Compact JSON text, as a dialect carries arguments."""
    return msgspec.json.encode(value).decode()


def as_written(args: dict[str, Any]) -> str:
    """A call's arguments as the model wrote them, for somebody who reads them after us."""
    text = args.get(MALFORMED)
    return text if len(args) == 1 and isinstance(text, str) else as_json(args)


def arguments(sent: object) -> dict[str, Any]:
    """A call's arguments from what a model wrote; nothing at all means no arguments."""
    text = sent if isinstance(sent, str) else json.dumps(sent)
    if not text.strip():
        return {}
    try:
        value = read_json(text) if isinstance(sent, str) else sent
    except UNREADABLE:
        value = None
    return value if isinstance(value, dict) and _shallow(value) else {MALFORMED: text}


def whole(sent: object) -> bool:
    """Do the arguments end where a JSON object ends? False for a call the length limit cut."""
    if isinstance(sent, str):
        return bool(sent.strip()) and MALFORMED not in arguments(sent)
    return isinstance(sent, dict)


def plain(sent: object) -> bool:
    """May the arguments go back as the very text that came? Any JSON reader must take it."""
    try:
        msgspec.json.decode(sent if isinstance(sent, str) else "")
    except UNREADABLE:
        return False
    return whole(sent)


def _shallow(value: Any, left: int = DEEPEST) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return True
    return left > 0 and all(_shallow(inner, left - 1) for inner in value)


def pictured(text: str) -> bytes:
    """A picture's bytes from base64 as clients write it, signs that are none left out."""
    return b64decode(text + "==")


def sound_name(name: str, longest: int) -> str:
    """A tool name that a provider takes back in a conversation, whatever the model wrote."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:longest] or "_"


def sound_id(sent: object, place: int, taken: set[str]) -> str:
    """The provider's id for a call, or one made from its place where that is none or not alone."""
    name = sent if isinstance(sent, str) and sent and sent not in taken else f"call_{place}"
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def error_in(body: object) -> dict[str, Any]:
    """What a provider says is wrong, whatever shape it says it in; `message` is always there."""
    while isinstance(body, dict) and isinstance(body.get("error"), dict | str):
        body = body["error"]
    if not isinstance(body, dict):
        return {"message": str(body)}
    return body | {"message": str(body.get("message") or body.get("detail") or body)}


def error_of(refusal: Refusal) -> dict[str, Any]:
    """As `error_in`, of a refusal whose body may be no JSON."""
    try:
        return error_in(read_json(refusal.content))
    except UNREADABLE:
        return error_in(refusal.content.decode("utf-8", "replace")[:400])


def no_answer(error: Exception) -> Absent | Fault:
    """What an SDK's error of connection means."""
    cause = error.__cause__ or error
    says = f"no answer: {cause}"
    # By its name: the SDKs do not agree on whose HTTP library they stand.
    absent = type(cause).__name__ == "ConnectError"
    return Absent(says) if absent else Fault(says, again=True)


def fault_of(refusal: Refusal, said: Mapping[str, Any]) -> Fault:
    """What a status that was no success means for asking again."""
    status, headers = refusal.status, refusal.headers
    again = status in (408, 409, 429) or status >= 500
    if headers.get("x-should-retry") in ("true", "false"):
        again = headers["x-should-retry"] == "true"
    if "insufficient_quota" in (said.get("code"), said.get("type")):
        again = False
    says = f"the provider answered {status}: {said['message']}"
    hint = _HINTS.get(status, "")
    return Fault(says, again=again, after=_after(headers), hint=hint, status=status)


_HINTS = {
    401: "the key is missing, wrong or no longer valid",
    403: "the key may not use this model",
    404: "the model or the base URL does not exist there",
}


def _after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait; a date is measured against the provider's own clock."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            return max(0.0, float(headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    try:
        until, now = (parsedate_to_datetime(headers[name]) for name in ("retry-after", "date"))
        return max(0.0, (until - now).total_seconds())
    except (KeyError, ValueError, TypeError):
        return None
