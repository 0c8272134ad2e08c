"""What becomes of gates that have passed: a review is mended, a proof holds no longer."""

import msgspec

from bythebook import yamlfile
from bythebook.build.conduct.forms import dumped
from bythebook.build.conduct.gates import Proven
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


def test_a_proof_that_holds_no_longer_opens_no_gate_though_no_file_has_changed(site: Site) -> None:
    """As where the company, or the code that proves, is another than on the day."""
    path = site.place / "proof.yaml"
    found = yamlfile.load(path, Proven)
    assert "code" in found.of
    says = "golden: a rule does not hold"
    told = msgspec.structs.replace(found, proved=False, problems=(says,))
    path.write_text(dumped(told))

    built = site.go()

    assert built.gates["prove"].state == "lapsed"
    assert says in built.gates["prove"].says
    assert not built.done
    path.unlink()
    assert site.go().done
