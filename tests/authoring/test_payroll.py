"""biz-01-payroll-talent: its story holds on other seeds, and its workbook counts as it says."""

from decimal import Decimal

import pytest

from authoring.biz_01_payroll_talent.book import NAME
from authoring.biz_01_payroll_talent.rules import Rules
from authoring.biz_01_payroll_talent.story import Story, promised, story, tell
from authoring.build import TASKS
from authoring.parts.caches import office, stale
from authoring.parts.invariants import Broken


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
    assert stale(TASKS / "biz-01-payroll-talent" / folder / NAME) == []
