"""biz-01-payroll-talent: its story holds on other seeds, and its workbook counts as it says."""

from decimal import Decimal
from pathlib import Path

import pytest

from authoring.biz_01_payroll_talent.book import NAME
from authoring.biz_01_payroll_talent.rules import Rules
from authoring.biz_01_payroll_talent.story import Story, promised, story, tell
from authoring.build import TASKS
from authoring.parts.caches import computed, office, values
from authoring.parts.invariants import Broken

FOLDER = TASKS / "biz-01-payroll-talent"


@pytest.fixture(scope="module")
def told() -> Story:
    return story(0)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_story_holds_on_another_seed(seed: int, told: Story) -> None:
    other = story(seed)
    assert other.world.company != told.world.company or other.gross != told.gross
    assert len(other.pay) == 465


def test_a_seed_that_tells_another_story_is_refused() -> None:
    with pytest.raises(Broken, match="broken: somebody in the best box"):
        story(5)


def test_the_july_rate_changes_employer_contributions_from_july_and_no_pay(told: Story) -> None:
    right, slip = promised(told), promised(tell(told.world, Rules(july=False)))
    changed = [key for key in right if right[key] != slip[key] and isinstance(key, tuple)]
    assert {key[1] for key in changed} == set(range(7, 13))
    assert {key[2] for key in changed} == {"employer"}


def test_tax_withheld_over_the_year_is_the_highest_tax_due_so_far(told: Story) -> None:
    """The second reference reckons so; the rules say it month by month."""
    for one in told.world.employees:
        rows = [row for row in told.pay if row.employee == one.id]
        withheld = sum((row.tax for row in rows), Decimal(0))
        assert withheld == max(row.due for row in rows), one.id


def test_costs_are_what_people_got_and_what_was_paid_for_them(told: Story) -> None:
    assert told.cost == sum((cost.cost for cost in told.costs), Decimal(0))
    paid = sum((row.net + row.tax + row.own + row.employer for row in told.pay), Decimal(0))
    assert told.cost == paid


@pytest.mark.skipif(office() is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("folder", ["reference", "reference-2"])
def test_the_values_in_a_reference_are_what_its_formulas_compute_to(folder: str) -> None:
    path: Path = FOLDER / folder / NAME
    cached, anew = values(path), computed(path)
    assert list(cached) == list(anew)
    odd = [
        f"{sheet}!{at}: {cached[sheet][at]} is {anew[sheet].get(at)}"
        for sheet in cached
        for at in cached[sheet]
        if not _same(cached[sheet][at], anew[sheet].get(at, ("n", "")))
    ]
    assert odd == []


def _same(a: tuple[str, str], b: tuple[str, str]) -> bool:
    if a[0] == b[0] == "n" and a[1] and b[1]:
        return abs(float(a[1]) - float(b[1])) < 1e-6
    return a[1] == b[1]
