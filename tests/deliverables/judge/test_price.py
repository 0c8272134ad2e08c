"""What judging costs."""

from decimal import Decimal

import pytest

from bythebook.deliverables.judge.price import price
from bythebook.errors import UsageError
from bythebook.models.types import Usage


def test_cached_input_has_its_own_price() -> None:
    spent = Usage(input=1_000_000, cached=800_000, output=50_000)
    assert price("2.50,10,0.25").of(spent) == Decimal("0.5") + Decimal("0.2") + Decimal("0.5")


def test_without_one_it_costs_as_much_as_other_input() -> None:
    assert price("2,10").of(Usage(input=1_000_000, cached=800_000)) == 2


@pytest.mark.parametrize("text", ["", "2", "2,3,4,5", "a,b", "2,-1", "nan,1", "inf,1"])
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no price"):
        price(text)
