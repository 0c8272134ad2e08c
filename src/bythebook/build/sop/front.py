"""What a text file says about itself at its head: YAML, TOML or JSON, and flags such as `draft`."""

import codecs
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import yaml

from bythebook import yamlfile
from bythebook.errors import ContentError

HEAD = re.compile(
    r"\A\s*(?P<mark>---|\+\+\+)(?P<kind>\w*)[ \t]*\n(?P<head>.*?)"
    r"^(?:(?P=mark)|\.\.\.)[ \t]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
BRACE = re.compile(r"\A\s*\{\s*[\"}]")
FLAGS = ("archived", "deprecated", "draft", "obsolete", "outdated", "withdrawn")
"""Keys that are true where a document stands so."""
BOMS = {
    codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip

About = dict[str, object]


def text_of(path: Path) -> str:
    """A text file: UTF-8, or what its byte order mark says. Raises `ContentError`."""
    data = path.read_bytes()
    coding = next((name for mark, name in BOMS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(coding).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise ContentError(
            "is no UTF-8", where=path, hint="save it as UTF-8, or leave it out with --without"
        ) from None
    if "\0" in text:
        hint = "save it as text in UTF-8, or leave it out with --without"
        raise ContentError("is no text: it holds NUL characters", where=path, hint=hint)
    return text


def parted(text: str) -> tuple[About, str]:
    """Front matter and body. A head that does not read is left out and noted; what is no list of
    keys is no head, but text between two lines."""
    found = HEAD.match(text)
    try:
        return _told(text, found)
    except RecursionError:
        says = "front matter does not read: it is nested too deeply"
        return {"notes": says}, text[found.end() :] if found else text


def _told(text: str, found: re.Match[str] | None) -> tuple[About, str]:
    if found is None:
        return _braced(text) if BRACE.match(text) else ({}, text)
    kind = found["kind"].lower() or ("toml" if found["mark"] == "+++" else "yaml")
    try:
        told = HEADS.get(kind, _unknown)(found["head"])
    except yaml.YAMLError as error:
        says = yamlfile.refused(error, found["head"])
        line = text.count("\n", 0, found.start("head")) + says.line
        told_of = f"front matter does not read: line {line}: {says.what}; {says.hint}".rstrip("; ")
        return {"notes": told_of}, text[found.end() :]
    except ValueError as error:
        return {"notes": f"front matter does not read: {error}"}, text[found.end() :]
    if isinstance(told, Mapping):
        return _standing(told), text[found.end() :]
    return {}, text[found.end() :] if told in (None, "") else text


class _Head(yaml.BaseLoader):
    """All values as words, and no few lines that unfold to more than any machine holds."""

    def get_single_node(self) -> yaml.Node | None:
        node = super().get_single_node()
        if node is not None:
            yamlfile.demand_bounded(node)
        return node


def _yaml(head: str) -> object:
    return yaml.load(head, Loader=_Head)


def _unknown(head: str) -> object:
    raise ValueError("it is a program, or of a kind that is not known")


HEADS: dict[str, Callable[[str], object]] = {
    "yaml": _yaml,
    "toml": tomllib.loads,
    "json": json.loads,
}
"""`---` is YAML, `+++` is TOML, `---json` and the like say it."""


def _braced(text: str) -> tuple[About, str]:
    """A JSON object before anything else."""
    bare = text.lstrip()
    try:
        told, end = json.JSONDecoder().raw_decode(bare)
    except ValueError:
        return {}, text
    return _standing(told), bare[end:]


def _standing(told: Mapping[object, object]) -> About:
    """Values as YAML would have them in words; a flag that is set is a status."""
    about = {str(key): _worded(value) for key, value in told.items()}
    flags = [name for name in FLAGS if str(about.get(name, "")).lower() in ("true", "yes")]
    if str(about.get("published", "")).lower() == "false":
        flags.append("draft")
    if flags and not about.get("status"):
        about["status"] = flags[0]
    return about


def _worded(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _worded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_worded(one) for one in value]
    return value.isoformat() if isinstance(value, date) else str(value)
