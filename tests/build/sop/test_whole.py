"""From papers to procedures by hand, end to end."""

from bythebook.build.sop.handed_over import library_of
from bythebook.conduct.sops import load_sops
from tests.build.sop.firm import Desk


def test_papers_become_a_procedure_that_a_company_can_load(built: Desk) -> None:
    sops = load_sops([built.place / "11-out/sops"], library_of(built.shelf))

    sop = sops["take-a-return"]
    assert [step.id for step in sop.steps] == ["open", "days", "look", "missing", "refund"]
    assert sop.steps[3].back == ("look",)
    assert all(step.source for step in sop.steps)
