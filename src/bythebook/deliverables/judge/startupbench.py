"""StartupBench's own forms of a rubric and of what its judge says of an item.

    eval/rubric.json                    [{"index", "description", "weight_score"}]
    eval/rubric_items/item_0001.json    {"index", "weight", "point", "pass", "judge_response",
                                         "multimodal"}
    rubric_judges.json                  all of those in one list

A verdict in this form names no places, so nothing in it can be verified.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from bythebook.deliverables.judge.given import Breach
from bythebook.deliverables.rubric import Item
from bythebook.verdict import Finding, Mark, Verdict

UNVERIFIED = "in StartupBench's form, which names no places"


class RubricEntry(msgspec.Struct, frozen=True):
    """One item as its judge is given it."""

    index: int
    description: str
    weight_score: int


class ItemVerdict(msgspec.Struct, frozen=True, rename={"passed": "pass"}):
    """What its judge writes. The reasons stand before the verdict here; any order is read."""

    index: int
    weight: int
    point: str
    """The item's text, word for word."""
    judge_response: str
    passed: bool | None
    """None, which StartupBench does not know: void."""
    multimodal: bool = False


def entry(item: Item, number: int) -> RubricEntry:
    return RubricEntry(number, item.says, item.weight)


def item_file(number: int) -> str:
    return f"item_{number:04}.json"


def read_item(path: Path, item: Item, number: int) -> ItemVerdict:
    """Raises `Breach` when it does not read, or speaks of another item."""
    return fitting(decode(path), item, number)


def fitting(sent: Any, item: Item, number: int) -> ItemVerdict:
    """The verdict in a JSON value. Raises `Breach`."""
    try:
        found = msgspec.convert(sent, ItemVerdict, strict=True)
    except msgspec.ValidationError as error:
        raise Breach("malformed", f"The verdict does not read: {error}.") from None
    if found.index != number or " ".join(found.point.split()) != " ".join(item.says.split()):
        raise Breach("malformed", f"It speaks of item {found.index}, {found.point[:60]!r}.")
    if not found.judge_response.strip():
        raise Breach("malformed", "`judge_response` is empty.")
    if found.passed is None:
        raise Breach("empty", "`pass` is null: no verdict.")
    return found


def read_all(path: Path, items: Sequence[Item]) -> dict[str, ItemVerdict]:
    """`rubric_judges.json`: item to verdict, of the items it decides. Raises `Breach`."""
    sent = decode(path)
    if not isinstance(sent, list):
        raise Breach("malformed", "The file holds no list.")
    found: dict[str, ItemVerdict] = {}
    for one in sent:
        number = one.get("index") if isinstance(one, dict) else None
        if not isinstance(number, int) or not 1 <= number <= len(items):
            raise Breach("malformed", f"There is no item {number!r}.")
        item = items[number - 1]
        if one.get("pass") is not None:
            found[item.id] = fitting(one, item, number)
    return found


def decode(path: Path) -> Any:
    """The JSON value in a file. Raises `Breach`."""
    try:
        if not path.is_file():
            raise Breach("malformed", "It is no file.")
        if path.stat().st_size > MOST_BYTES:
            raise Breach("malformed", "The file is too big for a verdict.")
        return msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise Breach("malformed", f"The file cannot be read: {error.strerror}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Breach("malformed", f"The file is no JSON: {error}.") from None


MOST_BYTES = 4_000_000


def written(items: Sequence[Item], verdict: Verdict) -> list[ItemVerdict]:
    """`rubric_judges.json` of one run: every item as it was decided, void ones with `pass` null."""
    findings = {finding.id: finding for finding in verdict.findings}
    return [
        ItemVerdict(number, item.weight, item.says, _reasons(found), _PASSED[found.verdict])
        for number, item in enumerate(items, start=1)
        if (found := findings.get(item.id)) is not None
    ]


_PASSED: dict[Mark, bool | None] = {"pass": True, "fail": False, "void": None}


def _reasons(finding: Finding) -> str:
    place = f"{finding.place}: {finding.seen}" if finding.seen else finding.place
    by = f"Decided by {finding.by}." if finding.by else ""
    return "\n".join(filter(None, (finding.why, place, by)))
