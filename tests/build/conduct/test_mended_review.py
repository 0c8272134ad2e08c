"""A review that its reader mends after the gates have passed."""

from bythebook.build.ledger import Ledger
from tests.build.conduct.site import Site, told


def test_a_review_that_was_mended_reaches_the_draft_and_is_decided_anew(site: Site) -> None:
    earlier = len(Ledger(site.place).lines())
    text = told("11-review", ("one_reading: {holds: true", "one_reading: {holds: false"))
    site.answer("11-review", text)
    built = site.go()
    assert "holds: false" in (site.draft / "review.yaml").read_text()
    assert [line.decided for line in Ledger(site.place).lines()[earlier:]] == ["return"]
    assert built.gates["review"].state == "returned"
    assert not built.done
