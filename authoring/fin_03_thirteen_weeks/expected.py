"""expected/*.csv, and which items each point of the rubric asks about."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path

from authoring.fin_03_thirteen_weeks.rules import Line
from authoring.fin_03_thirteen_weeks.story import CONTRACT, Told
from authoring.parts.expected import Value, write_expected

D = Decimal
GROUPS = ("promise", "no_promise", "objection", "booked", "terms", "contract", "others")
BOOKED = ("m01", "m02", "m03", "k01", "m04", "m06", "m08", "q04", "n15")


def group(line: Line) -> str:
    """Which point of the rubric asks about it."""
    key = line.item.key
    if key in CONTRACT:
        return "contract"
    if key in BOOKED:
        return "booked"
    if line.code == "R8":
        return "promise"
    if line.code in ("R2", "R3", "R4"):
        return "others"
    if key[0] in "pi":
        return "no_promise"
    return "objection" if key[0] in "ds" else "terms"


def lines(told: Told, name: str) -> tuple[Line, ...]:
    return tuple(one for one in told.lines if group(one) == name)


def _write(folder: Path, name: str, rows: Iterable[Mapping[str, Value]], *keys: str) -> None:
    write_expected(folder / f"{name}.csv", list(rows), keys)


def write_tables(told: Told, folder: Path) -> None:
    flows: list[Mapping[str, Value]] = [
        {"flow_no": one.flow, "due": one.due, "made_on": one.day, "amount": one.amount}
        for one in told.flows
    ]
    _write(folder, "flows", flows, "flow_no", "due")
