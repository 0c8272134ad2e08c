"""Rows of a task: each of its table's type, with a fresh id, and leading to rows that are there."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bythebook.build.conduct.align import shape_told
from bythebook.build.conduct.forms import Overlay, tried
from bythebook.conduct import consent
from bythebook.conduct.company import Company, rows_of
from bythebook.conduct.prove.values import texts_in
from bythebook.conduct.schema import fields_of
from bythebook.errors import unknown

ID = re.compile(r"(?P<prefix>[A-Z]{1,6})-\w+")
WRITTEN = tuple(kind.table for kind in consent.ROWS)
"""Tables that only a run writes."""


def overlay_problems(company: Company, answer: Overlay) -> Iterator[str]:
    """What is wrong with proposed rows: every wrong row with its table, number and id."""
    seen: dict[str, str] = {}
    keys = {key for rows in company.base.values() for key in rows}
    keys |= {str(row.get("id")) for rows in answer.overlay.values() for row in rows}
    for table, rows in answer.overlay.items():
        if table in WRITTEN:
            yield f"overlay {table}: a run writes this table\n  leave it out"
            continue
        if table not in company.kinds:
            yield str(unknown("table", table, company.kinds, where="overlay"))
            continue
        for number, row in enumerate(rows, start=1):
            where = f"overlay {table}, row {number} ({row.get('id', 'without id')})"
            yield from tried(rows_of, table, [row], company.kinds, where=where)
            yield from _id_problems(company, answer, table, row, where, seen)
            yield from _dangling(company, row, where, keys)
    for event in answer.events:
        if event.event not in company.events:
            yield str(unknown("scheduled event", event.event, company.events, where="events"))


def _id_problems(
    company: Company,
    answer: Overlay,
    table: str,
    row: Mapping[str, Any],
    where: str,
    seen: dict[str, str],
) -> Iterator[str]:
    key, prefix = str(row.get("id", "")), company.kinds[table].prefix
    taken = next((name for name, rows in company.base.items() if key in rows), "")
    if taken and not (taken == table and key in answer.replaces):
        yield (
            f"{where}: the id is not fresh: the company's {taken} have it\n"
            f"  take another number; or, if that row is to be replaced, write replaces: [{key}]"
        )
    if key in seen:
        yield f"{where}: {seen[key]} has the same id\n  an id stands for one row of all tables"
    seen.setdefault(key, where)
    if not key.startswith(f"{prefix}-"):
        yield f"{where}: ids of {table} begin with {prefix}-"


def _dangling(
    company: Company, row: Mapping[str, Any], where: str, keys: set[str]
) -> Iterator[str]:
    """Columns that hold what looks like an id of a table, and is nobody's."""
    prefixes = {kind.prefix for kind in company.kinds.values() if kind.prefix}
    for column, value in row.items():
        for text in texts_in(value) if column != "id" else ():
            found = ID.fullmatch(text)
            if found and found["prefix"] in prefixes and text not in keys:
                yield f"{where}, {column}: no row has the id {text}\n  add the row, or mend the id"


def table_told(company: Company, table: str) -> str:
    """Columns of a table, and the ids that the company's own rows have."""
    kind = company.kinds[table]
    columns = ", ".join(f"{n}: {shape_told(s)}" for n, s in fields_of(kind).items())
    lines = [f"- `{table}` (ids {kind.prefix}-...): {columns}"]
    if kind.terms:
        lines.append(f"  an approval binds: {', '.join(kind.terms)}")
    if kind.amendable:
        lines.append(f"  a customer may amend: {', '.join(kind.amendable)}")
    base = company.base.get(table, {})
    if base:
        shown = ", ".join(list(base)[:8])
        lines.append(f"  {len(base)} rows of the company: {shown}{' ...' if len(base) > 8 else ''}")
    return "\n".join(lines)


def event_told(company: Company, name: str) -> str:
    """A scheduled event: what it takes and what happens."""
    args = company.schema.events[name].args
    given = ", ".join(f"{arg}: {shape_told(spec)}" for arg, spec in args.items())
    doc = " ".join((company.events[name].__doc__ or "").split())
    return f"- `{name}({given})`: {doc}"
