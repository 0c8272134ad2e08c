"""What lost a conflict is no source of anything any more."""

import msgspec

from bythebook.build.sop.exclude import clear
from bythebook.build.sop.forms import Candidate, Claim, Conflict, Holds, Link, Plan, Review, Verdict
from bythebook.conduct.documents import ANYWHERE
from bythebook.conduct.sops import Sop, Step

ONE, OTHER = Link("a#1-1", "one thing"), Link("b#1-1", "another thing")
SOP = Sop(
    "x", "X", ANYWHERE, ("2025-01-01", None),
    (
        Step("both", "Do it.", "alone", source=(ONE.source, OTHER.source)),
        Step("alone", "Do the other.", "last", source=(OTHER.source,)),
        Step("last", "Stop.", "end", source=(ONE.source,)),
    ),
)  # fmt: skip
RULE = Claim("Know it.", "rule", OTHER.source, OTHER.quote)
PLAN = Plan("x", "X", "X is done.", None, (Candidate("b01.x", "X", "X is done.", (RULE,)),))
FINE = Review(
    tuple(
        Verdict(name, "supported", (ONE,)) for name in ("both.do", "alone.do", "last.do", "rule-1")
    )
)


def conflict(holds: Holds) -> Conflict:
    return Conflict("c-1", ONE, OTHER, "review", holds, "It is so.")


def test_a_step_keeps_the_sources_that_are_followed_and_one_without_any_goes() -> None:
    found = clear(SOP, PLAN, FINE, [conflict("one")])

    assert [(step.id, step.source) for step in found.sop.steps] == [
        ("both", (ONE.source,)),
        ("last", (ONE.source,)),
    ]
    assert found.sop.steps[0].next == "last"
    assert found.rules == {}
    assert [out.claim for out in found.taken_out] == ["alone.do", "rule-1"]
    assert found.taken_out[0].why == "conflict c-1: It is so."


def test_what_is_no_conflict_after_all_takes_nothing_out() -> None:
    found = clear(SOP, PLAN, FINE, [conflict("both")])

    assert found.sop == SOP
    assert found.taken_out == ()


def test_where_neither_is_followed_nothing_is_left() -> None:
    assert clear(SOP, PLAN, FINE, [conflict("neither")]).sop.steps == ()


def test_words_put_in_by_a_review_bring_their_source_along() -> None:
    mended = Verdict("last.do", "unsupported", (OTHER,), "Not so.", "Go on.")
    review = Review((*FINE.verdicts[:2], mended, FINE.verdicts[3]))

    step = clear(SOP, PLAN, review, []).sop.steps[2]

    assert (step.do, step.source) == ("Go on.", (ONE.source, OTHER.source))


def test_a_span_that_is_named_twice_carries_a_step_once() -> None:
    last = msgspec.structs.replace(SOP.steps[2], source=(ONE.source, ONE.source))
    sop = msgspec.structs.replace(SOP, steps=(*SOP.steps[:2], last))

    assert clear(sop, PLAN, FINE, []).sop.steps[2].source == (ONE.source,)
