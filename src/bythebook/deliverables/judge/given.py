"""A verdict as a judge gives it: read strictly, refused with the reason where it is none.

    {"because": "... Therefore: satisfied.", "evidence": [{"at": "a.docx#para=4", "reads": "..."}],
     "searched": [], "verdict": "pass"}

`because` comes first on purpose: a judge that commits itself before it reasons contradicts its own
text now and then, and always silently. The last sentence of `because` must say what the verdict
says.
"""

import json
import re
from typing import Any, Literal

import msgspec

from bythebook.deliverables.judge.judgement import Cited

Cause = Literal[
    "malformed", "empty", "length", "refusal", "contradiction", "places", "steps", "timeout",
    "provider", "context", "harness", "budget",
]  # fmt: skip
"""Why a session gave no verdict."""

VERDICT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "because": {
            "type": "string",
            "description": "Your reasons. Ends with `Therefore: satisfied.` or"
            " `Therefore: not satisfied.`",
        },
        "evidence": {
            "type": "array",
            "description": "The places that decide.",
            "items": {
                "type": "object",
                "properties": {
                    "at": {"type": "string", "description": "FILE or FILE#PLACE"},
                    "reads": {"type": "string", "description": "What stands there, copied."},
                },
                "required": ["at"],
            },
        },
        "searched": {
            "type": "array",
            "description": "Where something absent was looked for.",
            "items": {"type": "string"},
        },
        "verdict": {"type": "string", "enum": ["pass", "fail"]},
    },
    "required": ["because", "evidence", "verdict"],
}
"""JSON schema; the order of the properties is the order in which a model writes them."""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict of the right shape; its places are not looked up yet."""

    because: str
    evidence: tuple[Cited, ...]
    searched: tuple[str, ...] = ()
    verdict: Literal["pass", "fail"]


class Breach(Exception):
    """Why an answer is no verdict: told to the judge, and recorded when it stays so."""

    def __init__(self, cause: Cause, says: str) -> None:
        super().__init__(says)
        self.cause = cause
        self.says = says


_LAST = re.compile(r"therefore\W{1,4}(?P<no>not\s+)?satisfied\W*\Z", re.I)
MOST_CITED = 40
"""Places of one verdict; more is a flood, not evidence."""


def take(sent: object) -> Given:
    """The verdict in a decoded JSON value. Raises `Breach`."""
    try:
        given = msgspec.convert(sent, Given, strict=True)
    except msgspec.ValidationError as error:
        raise Breach("malformed", f"The verdict does not read: {error}.") from None
    if len(given.evidence) > MOST_CITED:
        says = f"{len(given.evidence)} places are too many: give those that decide."
        raise Breach("malformed", says)
    last = _LAST.search(given.because.strip())
    if last is None:
        says = (
            "`because` must end with the sentence `Therefore: satisfied.` or"
            " `Therefore: not satisfied.`"
        )
        raise Breach("malformed", says)
    said = "fail" if last["no"] else "pass"
    if said != given.verdict:
        says = f"The reasons end with {last[0].strip()!r}, but the verdict is {given.verdict!r}."
        raise Breach("contradiction", says)
    return given


def in_text(text: str, field: str = "verdict") -> Any:
    """The one JSON object in a text that has this field. Raises `Breach` for none or several."""
    found = [value for value in _objects(text) if field in value]
    if len(found) == 1:
        return found[0]
    if found:
        raise Breach("malformed", f"There are {len(found)} answers in one reply; give one.")
    raise Breach("malformed", "There is no verdict in that reply, and no tool was used.")


def _objects(text: str) -> list[dict[str, Any]]:
    """The outermost JSON objects in a text, in order."""
    decoder, found, place = json.JSONDecoder(), [], text.find("{")
    tries = 0
    while place >= 0 and tries < MOST_BRACES:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            found.append(value)
        place = text.find("{", end)
    return found


MOST_BRACES = 200
"""Opening braces of a text that are tried as the start of an object."""
