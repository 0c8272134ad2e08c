"""faults.yaml: its text, with what varies from seed to seed filled in."""

from pathlib import Path

from authoring.law_01_supply_review.calendar import add_months
from authoring.law_01_supply_review.rules import Advice
from authoring.law_01_supply_review.sheet import serial
from authoring.law_01_supply_review.words import fill
from authoring.law_01_supply_review.world import Row
from authoring.parts.numbers import cents


def write_faults(told: Advice, path: Path) -> None:
    drawn = told.world
    end = add_months(drawn.days.effective, 12)
    more = {"next": str(len(told.lines) + 2), "old_delivery": str(serial(drawn.days.delivery_old))}
    more |= _line("again", next(row for row in drawn.rows if row.again))
    more |= _line("gone", next(row for row in drawn.rows if row.status == "withdrawn"))
    more |= _line("late", next(row for row in drawn.rows if row.month >= end))
    path.write_text(fill("faults.yaml", told, **more), "utf-8", newline="\n")


def _line(name: str, row: Row) -> dict[str, str]:
    """A line that does not count, as if it did."""
    amount = cents(row.quantity * row.price / row.per)
    values = {"line": row.line, "kind": row.kind, "amount": amount}
    return {f"{name}_{key}": str(value) for key, value in values.items()}
