"""expected/*.csv: what whole columns must hold, for checks to compare with."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

Value = str | int | Decimal | date | bool


def write_expected(path: Path, rows: Iterable[Mapping[str, Value]], keys: Sequence[str]) -> None:
    """One line per row. The key columns come first; the others stand as in the first row.

    Decimals keep the places they are written with (round before), dates are ISO, months
    'YYYY-MM'. Order of rows is kept: give them in an order that means something.
    """
    table = [dict(row) for row in rows]
    header = [*keys, *(name for name in table[0] if name not in keys)]
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(header)
    for row in table:
        lines.writerow([written(row[name]) for name in header])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.getvalue(), "utf-8", newline="\n")


def written(value: Value) -> str:
    """A value as it stands in a csv: `1234.50`, `2024-07-01`, `yes`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return f"{value:f}"
    return value.isoformat() if isinstance(value, date) else str(value)
