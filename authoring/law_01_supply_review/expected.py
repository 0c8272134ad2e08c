"""Expected tables: what whole columns must hold."""

from decimal import Decimal
from pathlib import Path

from authoring.law_01_supply_review.law import AUTHORITIES, REFERENCES
from authoring.law_01_supply_review.rules import Advice
from authoring.parts.expected import Value, write_expected


def write_tables(told: Advice, folder: Path) -> None:
    clauses: list[dict[str, Value]] = [
        {
            "position": one.position.code,
            "clause": one.position.clause,
            "change": one.change,
            "term": "" if one.term is None else bare(one.term),
            "class": one.found,
            "grade": one.grade,
            "approver": one.approver,
            "agreed": one.agreed,
            "redline": "none" if one.accepted else "",
        }
        for one in told.entries
    ]
    write_expected(folder / "clauses.csv", clauses, ("position",))
    references: list[dict[str, Value]] = [
        {"in_clause": one.clause, "printed": one.printed, "should_be": one.right}
        for one in REFERENCES
    ]
    write_expected(folder / "references.csv", references, ("in_clause", "printed", "should_be"))
    charges: list[dict[str, Value]] = [
        {"line": one.row.line, "kind": str(one.row.kind), "amount": one.amount}
        for one in told.lines
    ]
    write_expected(folder / "charges.csv", charges, ("line", "kind"))
    dates: list[dict[str, Value]] = [
        {"code": code, "date": day} for code, day in told.dates.items()
    ]
    write_expected(folder / "dates.csv", dates, ("code",))
    authorities: list[dict[str, Value]] = [
        {
            "short": one.short,
            "status": one.status,
            "applies": one.applies,
            "mandatory": one.mandatory,
        }
        for one in AUTHORITIES
    ]
    write_expected(folder / "authorities.csv", authorities, ("short",))


def bare(value: Decimal) -> Decimal:
    """Without zeros at the end, never as a power of ten."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()
