"""Sensitivity, specificity and flips of a judge, counted by hand."""

from bythebook.deliverables.judge.audit import Rates, Ruling, Share, audit
from bythebook.deliverables.judge.labels import Mark

MARKS: dict[str, Mark | None] = {"p": "pass", "f": "fail", "v": None}


def ruling(truth: Mark, verdicts: str, source: str = "reference", level: str = "core") -> Ruling:
    return Ruling(
        task="t",
        source=source,
        item="R1",
        level=level,
        dimension="domain",
        truth=truth,
        verdicts=tuple(MARKS[one] for one in verdicts),
    )


def test_each_share_has_its_number() -> None:
    rulings = [
        ruling("pass", "ppp"),
        ruling("pass", "pfv"),
        ruling("fail", "fff", "fault:no-note"),
        ruling("fail", "fpp", "fault:no-note", level="auxiliary"),
    ]
    found = audit("model:m", 3, rulings)
    assert found.overall == Rates(
        items=4,
        sensitivity=Share(of=6, hit=4),
        specificity=Share(of=5, hit=4),
        # Of the pairs 3 + 1 + 3 + 3, one of the second and two of the fourth disagree.
        flips=Share(of=10, hit=3),
        void=Share(of=12, hit=1),
    )
    assert found.by_level["auxiliary"].sensitivity == Share(of=3, hit=1)
    assert found.by_source["reference"].specificity == found.overall.specificity
    assert [one.verdicts for one in found.wrong] == [rulings[1].verdicts, rulings[3].verdicts]


def test_nothing_known_wrong_leaves_the_sensitivity_undefined() -> None:
    found = audit("model:m", 1, [ruling("pass", "p")])
    assert found.overall.sensitivity.value is None
    assert found.overall.specificity.value == 1.0
