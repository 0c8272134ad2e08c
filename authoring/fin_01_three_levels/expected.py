"""expected/*.csv: the columns that the rubric compares with, named by its fields."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from authoring.fin_01_three_levels.story import Story
from authoring.fin_01_three_levels.world import LTM
from authoring.parts.expected import Value, write_expected
from authoring.parts.numbers import rounded


def write_tables(told: Story, folder: Path) -> None:
    tables: dict[str, tuple[Iterable[Mapping[str, Value]], tuple[str, ...]]] = {
        "ltm": (_ltm(told), ("month",)),
        "adjustments": (
            (
                {"adjustment": one.no, "decision": one.decision, "amount": rounded(one.amount, 2)}
                for one in told.adjustments
            ),
            ("adjustment",),
        ),
        "working-capital": (
            ({"month": month, "working_capital": rounded(told.working[month], 2)} for month in LTM),
            ("month",),
        ),
        "net-debt": (
            (
                {"debt_item": o.item, "treatment": o.treatment, "in_net_debt": rounded(o.amount, 2)}
                for o in told.owed
            ),
            ("debt_item",),
        ),
        "covenant": (_covenant(told), ("case", "tested")),
        "base": (
            ({"tested": y.tested, "headroom": rounded(y.headroom, 6)} for y in told.years["Base"]),
            ("tested",),
        ),
    }
    for name, (rows, keys) in tables.items():
        write_expected(folder / f"{name}.csv", rows, keys)


def _ltm(told: Story) -> Iterable[Mapping[str, Value]]:
    for row in told.months:
        revenue, ebitda, leases = (rounded(value, 2) for value in row.group)
        yield {
            "month": row.month,
            "revenue": revenue,
            "reported_ebitda": ebitda,
            "lease_payments": leases,
        }


def _covenant(told: Story) -> Iterable[Mapping[str, Value]]:
    for rows in told.years.values():
        for row in rows:
            yield {
                "case": row.case,
                "tested": row.tested,
                "covenant_ebitda": rounded(row.ebitda, 2),
                "net_senior_debt": rounded(row.senior, 2),
                "headroom": rounded(row.headroom, 6),
            }
