"""The policy's numbers are what their unit says, in force on one day at a time."""

from pathlib import Path

import pytest

from bythebook.conduct.parameters import Parameter, Parameters, Period, load_parameters
from bythebook.errors import ContentError
from bythebook.tool import Refused


def refusal(folder: Path, text: str) -> str:
    (folder / "fees.yaml").write_text(text)
    with pytest.raises(ContentError) as caught:
        load_parameters([folder])
    return str(caught.value)


@pytest.mark.parametrize(
    ("unit", "value", "says"),
    [
        ("clock", "16:00x", "'16:00x' is no time such as"),
        ("clock", "24:00", "'24:00' is no time such as"),
        ("clock", "1600", "1600 is no time such as"),
        ("USD", "ten", "'ten' is no integer of unit USD"),
        ("minutes", "16:00", "'16:00' is no integer of unit minutes"),
        ("dollars", "10", "no unit 'dollars'"),
    ],
)
def test_a_value_that_is_not_of_its_unit_is_refused(
    tmp_path: Path, unit: str, value: str, says: str
) -> None:
    said = refusal(
        tmp_path, f"fee.x: {{unit: {unit}, values: [{{from: 2025-01-01, value: {value}}}]}}"
    )

    assert f"{tmp_path}/fees.yaml" in said
    assert "parameter 'fee.x'" in said
    assert says in said


def test_a_policy_that_has_run_out_refuses_and_does_not_break() -> None:
    """An agent can wait for months."""
    fee = Parameter("USD", (Period(500, since="2025-01-01", to="2025-11-01"),))
    policy = Parameters({"fee": fee})

    assert policy.number("fee", "2025-10-31") == 500
    with pytest.raises(Refused, match="nothing is laid down for fee on 2025-11-01"):
        policy.number("fee", "2025-11-01")
