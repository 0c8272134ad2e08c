"""`rows`, `range`, `order` and `format`: what holds for the rows of a table as a whole."""

import re
from collections import Counter
from collections.abc import Collection
from decimal import Decimal

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.amounts import plain_number
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.dates import date_of, month_of
from bythebook.deliverables.checks.deciding import Decided, fail, unsure
from bythebook.deliverables.checks.places import shortened
from bythebook.deliverables.checks.reading import Value, text_of, written_value
from bythebook.deliverables.checks.table import Key, Table, find_table, is_total, matching
from bythebook.deliverables.checks.want import Want, check_cell
from bythebook.deliverables.checks.wording import fold

ENDLESS = Decimal("Infinity")


def open_table(
    spec: s.TableSpec, case: Case, *more: str, wanted: Collection[Key] = ()
) -> tuple[Table, dict[int, Key]]:
    """The table of a check, and its rows that count: keys read, more than a note, no totals unless
    they are `wanted`."""
    grid = case.grid(spec.file, spec.sheet)
    table = find_table(case, grid, (*spec.key, *spec.where, *more))
    table.check_readable(spec.key)
    allowed = matching(table, spec.where) if spec.where else None
    kept: dict[int, Key] = {}
    for key, rows in table.keys(spec.key).items():
        for row in rows:
            counts = key in wanted or (not is_total(key) and _is_data(table, row))
            if counts and (allowed is None or row in allowed):
                kept[row] = key
    return table, dict(sorted(kept.items()))


def _is_data(table: Table, row: int) -> bool:
    """A row with nothing but one text in it is a note."""
    first, last = table.block
    filled = sum(first <= column <= last for column in table.grid.rows[row])
    return filled > 1 or first == last


# --- rows ---------------------------------------------------------------------------------------


def check_rows(spec: s.Rows, case: Case) -> Answer:
    """Exactly the expected keys, each once."""
    wanted = _wanted(spec, case)
    table, rows = open_table(spec, case, wanted=wanted)
    have = Counter(rows.values())
    column = table.columns[spec.key[0]]
    for row in rows:
        for name in spec.key:
            case.look(table.grid, row, table.columns[name])
    missing = [told for key, told in wanted.items() if key not in have]
    more = [row for row, key in rows.items() if key not in wanted]
    twice = [row for row, key in rows.items() if have[key] > 1 and key in wanted]
    count = (len(missing) + len(more) + len(twice), len(wanted))
    if missing:
        why = _number(len(missing), "is missing", "are missing")
        raise fail(why, table.grid.place, wanted="; ".join(missing[:3]), count=count)
    many, again = ("is too many", "are too many"), ("stands there twice", "stand there twice")
    for wrong, words in ((more, many), (twice, again)):
        if wrong:
            seen = _said(table, wrong[0], spec.key)
            place = table.grid.place_of(wrong[-1] if wrong is twice else wrong[0], column)
            raise fail(_number(len(wrong), *words), place, seen=seen, count=count)
    place = table.grid.place_of(min(rows, default=table.header), column)
    return Answer(mark="pass", place=place, count=count)


def _number(rows: int, one: str, more: str) -> str:
    return f"1 row {one}" if rows == 1 else f"{rows} rows {more}"


def _wanted(spec: s.Rows, case: Case) -> dict[Key, str]:
    """The expected keys, and each as written."""
    kept = ("rows", id(spec))
    if kept not in case.lasting:
        # With the spec, so that no other can take its place in memory.
        case.lasting[kept] = spec, _keys(spec, case)
    found: dict[Key, str] = case.lasting[kept][1]
    return found


def _keys(spec: s.Rows, case: Case) -> dict[Key, str]:
    table = case.expected.table(spec.are)
    kinds = {name: case.fields[name].read_as for name in (*spec.key, *spec.where)}
    where = {name: written_value(v, kinds[name])[0] for name, v in spec.where.items()}
    asked = tuple(name for name in where if name in table.columns)
    found: dict[Key, str] = {}
    for line in table.picked((*spec.key, *asked)):
        parts, rest = line[: len(spec.key)], line[len(spec.key) :]
        named = zip(asked, rest, strict=True)
        if all(written_value(value, kinds[name])[0] == where[name] for name, value in named):
            pairs = zip(parts, spec.key, strict=True)
            key = tuple(written_value(part, kinds[name])[0] for part, name in pairs)
            found[key] = ", ".join(parts)
    return found


def _said(table: Table, row: int, fields: tuple[str, ...]) -> str:
    cells = (table.cell(row, name) for name in fields)
    return ", ".join(text_of(cell) for cell in cells if cell is not None)


# --- range --------------------------------------------------------------------------------------


def check_range(spec: s.Range, case: Case) -> Answer:
    """Every row that counts lies inside; there is at least one."""
    table, rows = open_table(spec, case, spec.column)
    if not rows:
        raise fail("the table has no rows", table.grid.place)
    want = _inside(spec, case)
    answers = [_answer(case, table, row, spec.column, want) for row in rows]
    return summed_up(answers)


def _inside(spec: s.Range, case: Case) -> Want:
    read_as = case.fields[spec.column].read_as
    if spec.kinds:
        values = tuple(fold(kind) for kind in spec.kinds)
        return Want(read_as="text", values=values, written=" or ".join(spec.kinds))
    low = -ENDLESS if spec.min is None else spec.min
    high = ENDLESS if spec.max is None else spec.max
    told = " and ".join(
        f"{word} {bound}"
        for word, bound in (("at least", spec.min), ("at most", spec.max))
        if bound is not None
    )
    return Want(read_as=read_as, between=(low, high), written=told, any_unit=False)


def _answer(case: Case, table: Table, row: int, column: str, want: Want) -> Answer:
    try:
        return check_cell(case, table.grid, row, table.columns[column], want)
    except Decided as decided:
        return decided.answer


def summed_up(answers: list[Answer]) -> Answer:
    """The first failure, else the first doubt, else the first; and how many are not right."""
    wrong = [answer for answer in answers if answer.mark != "pass"]
    ranked = [answer for answer in wrong if answer.mark == "fail"] or wrong or answers
    return msgspec.structs.replace(ranked[0], count=(len(wrong), len(answers)))


# --- order --------------------------------------------------------------------------------------


def check_order(spec: s.Order, case: Case) -> Answer:
    """Rows sorted by these fields; `-F` descends."""
    names = tuple(field.removeprefix("-") for field in spec.by)
    table, rows = open_table(spec, case, *names)
    table.check_readable(names)
    read = {row: values for row, values in table.read(names) if row in rows}
    down = [field.startswith("-") for field in spec.by]
    last: tuple[Value, ...] | None = None
    for row, values in read.items():
        place = table.grid.place_of(row, table.columns[names[0]])
        for name in names:
            case.look(table.grid, row, table.columns[name])
        known = tuple(value for value in values if value is not None)
        if len(known) < len(values):
            raise fail("a value to sort by does not read", place, seen=_said(table, row, names))
        if last is not None and not _sorted(last, known, down):
            told = ", ".join(spec.by)
            raise fail("out of order", place, seen=_said(table, row, names), wanted=f"by {told}")
        last = known
    return Answer(mark="pass", place=table.grid.place, count=(0, len(read)))


def _sorted(last: tuple[Value, ...], here: tuple[Value, ...], down: list[bool]) -> bool:
    for one, other, descends in zip(last, here, down, strict=True):
        if one != other:
            first, second = (other, one) if descends else (one, other)
            return bool(first < second)  # type: ignore[operator] # both were read as one field's type
    return True


# --- format -------------------------------------------------------------------------------------

_DECIMALS = re.compile(r"[.,](\d+)\D*$")
_GROUPED = re.compile(r"\d[,.'\u2019\u00a0\u202f ]\d{3}")
_NOTHING = re.compile(r"[-\u2013\u2014\s]*")


def check_format(spec: s.Format, case: Case) -> Answer:
    """Every filled row shows its value so."""
    table, rows = open_table(spec, case, spec.column)
    column = table.columns[spec.column]
    answers = []
    for row in rows:
        cell = table.grid.at(row, column)
        if cell is None:
            continue
        case.look(table.grid, row, column)
        shown, place = text_of(cell).strip(), table.grid.place_of(row, column)
        right = looks(shown, spec.like, case)
        why = "" if right else f"does not look like {spec.like}"
        mark = Answer(mark="pass" if right else "fail", place=place, seen=shortened(shown), why=why)
        answers.append(msgspec.structs.replace(mark, wanted=spec.like))
    if not answers:
        raise unsure("nothing stands in the column", table.grid.place_of(table.header, column))
    return summed_up(answers)


def looks(shown: str, like: s.Look, case: Case) -> bool:
    """Is this how such a value is shown?"""
    if like == "date":
        return date_of(shown, "de") is not None or _us_date(shown) or month_of(shown) is not None
    if _NOTHING.fullmatch(shown):
        return True
    number = plain_number(shown, case.locale)
    if number is None:
        return False
    if like == "percent":
        return "%" in shown
    decimals = _decimals(shown, case)
    if like == "integer":
        return not decimals and "%" not in shown
    grouped = abs(number) < 1000 or _GROUPED.search(shown) is not None
    return decimals in (0, 2) and grouped and "%" not in shown


def _decimals(shown: str, case: Case) -> int:
    point = "." if case.locale == "en" else ","
    found = _DECIMALS.search(shown)
    return len(found[1]) if found and found.group()[0] == point else 0


def _us_date(shown: str) -> bool:
    return date_of(shown, "en") is not None
