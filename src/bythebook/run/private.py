"""What should not leave a house: keys, e-mail addresses, home folders, this machine's name, and
names from a list. Found in texts, and covered so that one thing always gets the same cover.

Patterns find what has a known shape. What has none (a name that is on no list, a secret that looks
like a word) is not found; whoever shares looks once more.
"""

import json
import os
import re
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

BEGINS = r"(?:(?<!\w)|(?<=\\[nrt]))"
"""A word begins; texts may hold JSON, in which a line's end is written `\\n`."""
LINE_END = re.compile(r"\\[nrt]")
KEY_BEGINS = r"(?:(?<![\w-])|(?<=\\[nrt]))"
MAIL_BEGINS = r"(?:(?<![\w.%+-])(?!(?<=\\)[nrt])|(?<=\\[nrt]))"
KEYS = (
    r"sk-(?=[\w-]{0,100}\d)[\w-]{20,}",
    r"gh[opsur]_[A-Za-z0-9]{36,}",
    r"github_pat_\w{40,}",
    r"glpat-[\w-]{20,}",
    r"xox[abeprs]-[A-Za-z0-9-]{10,}",
    r"A[KS]IA[A-Z0-9]{16}(?!\w)",
    r"AIza[\w-]{35}",
    r"hf_[A-Za-z0-9]{30,}",
    r"gsk_[A-Za-z0-9]{40,}",
    r"npm_[A-Za-z0-9]{36}",
    r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",
)
"""Forms of keys that their makers tell of: OpenAI, Anthropic, GitHub, GitLab, Slack, AWS, Google,
Hugging Face, Groq, npm, and JSON web tokens (RFC 7519)."""
LABELLED = (
    r"(?i:api[_-]?key|secret[_-]?key|password|passwd|(?:access|auth)[_-]?token)"
    r"\\?[\"']?\s{0,3}[=:]\s{0,3}\\?[\"']?(?P<secret>[^\s\"'\\,;<>(){}\[\]]{8,})"
)
BEARER = r"(?i:bearer)\s{1,3}(?P<bearer>[\w.~+/-]{16,}=*)"
PEM = r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.{0,20000}?-----END [A-Z ]{0,30}PRIVATE KEY-----"
IN_URL = r"\w{2,10}://[^\s/:@]{1,100}:(?P<inurl>[^\s/:@]{1,200})@"
MAIL = (
    MAIL_BEGINS + r"(?P<mail>[A-Za-z0-9._%+-]{1,64}"
    r"@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})(?![\w-])"
)
HOME = r"(?:/home/|/Users/|[A-Za-z]:\\{1,4}Users\\{1,4})(?P<home>[^/\\\s\"'<>:|,;)\]}]{1,64})"
TRACES = (
    "sk-", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "xox", "akia", "asia",
    "aiza", "hf_", "gsk_", "npm_", "eyj", "apikey", "api_key", "api-key", "secretkey", "secret_key",
    "secret-key", "passw", "token", "bearer", "private key", "://", "@", "/home/", "/users/",
    "users\\",
)  # fmt: skip
"""A text without any of these, in small letters, holds none of the above. Looking for them first
takes a tenth of the time."""
MADE_UP = re.compile(r"(?i)@(?:.*\.)?(?:example|test|invalid|localhost|example\.(?:com|org|net))$")
"""Addresses that cannot be anybody's: RFC 2606 and RFC 6761."""
SANDBOX = ("agent", "sandbox")
COVERED = re.compile(r"user-\d+")
KEPT = ("localhost", "sandbox")
"""Names of machines that tell nothing."""
NAMED = re.compile(r"(?i)(?:key|token|secret|password)$")
"""Variables of this process whose values are secrets."""

WORD = re.compile(r"[a-z][a-z0-9_]{0,40}")
"""Names of fields that are a format's own, or a table's columns: covered, nothing would read."""
FORMS = {
    "key": "KEY-{}",
    "mail": "person-{}@redacted.example",
    "home": "user-{}",
    "host": "host-{}",
    "place": "/evaluation-{}",
    "name": "NAME-{}",
}
"""Kind of what is covered to what stands there instead."""


class Hit(NamedTuple):
    """Something that was found in a text."""

    kind: str
    start: int
    end: int


class Cover:
    """Finds, and covers consistently."""

    def __init__(self, names: Iterable[str] = (), *, places: Iterable[Path] = ()) -> None:
        """`names`: people, firms, anything; `places`: folders whose paths are covered whole."""
        words = sorted({" ".join(name.split()) for name in names} - {""}, key=len, reverse=True)
        folders = {str(path.absolute()) for path in places} | {str(p.resolve()) for p in places}
        self._known: dict[tuple[str, str], str] = {}
        parts = [
            f"(?P<key>{_any(_secrets())}|{KEY_BEGINS}(?:{'|'.join(KEYS)})|{PEM})",
            *(LABELLED, BEARER, IN_URL, MAIL),
            f"(?P<place>{_any(sorted(folders - {'/'}, key=len, reverse=True))})(?![\\w-])",
            HOME,
            f"{BEGINS}(?P<host>{_any(_host())})(?!\\w)",
            f"{BEGINS}(?P<name>{_any_name(words)})(?!\\w)",
        ]
        fixed = [*_secrets(), *folders, *_host(), *(form.split()[0] for form in _forms(words))]
        self._traces = (*TRACES, *(one.lower() for one in fixed))
        self._pattern = re.compile("|".join(f"(?:{part})" for part in parts), re.DOTALL)

    @property
    def counts(self) -> dict[str, int]:
        """How many different things of each kind were covered."""
        kinds = [kind for kind, _ in self._known]
        return {kind: kinds.count(kind) for kind in FORMS if kind in kinds}

    def hits(self, text: str) -> Iterator[Hit]:
        """What should not be there, from the left."""
        low = text.lower()
        if not any(trace in low for trace in self._traces):
            return
        for match in self._pattern.finditer(text):
            group = match.lastgroup or ""
            kind = group if group in FORMS else "key"
            if not _harmless(kind, match[group]):
                yield Hit(kind, *match.span(group))

    def text(self, text: str) -> str:
        """The text, covered."""
        parts, end = [], 0
        for hit in self.hits(text):
            parts += [text[end : hit.start], self._cover(hit.kind, text[hit.start : hit.end])]
            end = hit.end
        return "".join([*parts, text[end:]])

    def value(self, value: Any) -> Any:
        """JSON with every text in it covered; names of fields too, but for words of a format."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(one) for one in value]
            case dict():
                return {
                    name if WORD.fullmatch(name) else self.text(name): self.value(one)
                    for name, one in value.items()
                }
        return value

    def _cover(self, kind: str, text: str) -> str:
        same = (
            " ".join(LINE_END.sub(" ", text).split()).casefold()
            if kind in ("name", "mail", "host")
            else text
        )
        if (kind, same) not in self._known:
            number = 1 + sum(known == kind for known, _ in self._known)
            self._known[kind, same] = FORMS[kind].format(number)
        return self._known[kind, same]


def texts(value: Any) -> Iterator[str]:
    """Every text in some JSON."""
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from texts(one)
        case dict():
            for name, one in value.items():
                if WORD.fullmatch(name) is None:
                    yield name
                yield from texts(one)


def _harmless(kind: str, text: str) -> bool:
    if kind == "home":
        return text in SANDBOX or COVERED.fullmatch(text) is not None
    if kind == "mail":
        return MADE_UP.search(text) is not None
    return kind == "key" and re.fullmatch(r"KEY-\d+", text) is not None


def _any(words: Iterable[str]) -> str:
    """A pattern of whole words; of none, one that never matches."""
    return "|".join(map(re.escape, words)) or r"(?!)"


def _any_name(names: Iterable[str]) -> str:
    """As written by a person or inside JSON, in any case, with any space between its parts."""
    spaced = (r"(?:\s|\\[nrt])+".join(map(re.escape, form.split())) for form in _forms(names))
    found = "|".join(spaced)
    return f"(?i:{found})" if found else r"(?!)"


def _forms(names: Iterable[str]) -> list[str]:
    """Each name as it is, and as JSON may spell it."""
    return list(dict.fromkeys(form for name in names for form in (name, json.dumps(name)[1:-1])))


def _secrets() -> list[str]:
    """Values that this process was given as secrets."""
    found = {value for name, value in os.environ.items() if NAMED.search(name)}
    return sorted((value for value in found if len(value) >= 12), key=len, reverse=True)


def _host() -> list[str]:
    name = socket.gethostname()
    short = name.partition(".")[0]
    return [one for one in dict.fromkeys((name, short)) if len(one) > 3 and one not in KEPT]
