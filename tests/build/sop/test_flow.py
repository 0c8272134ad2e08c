"""The graph of a procedure and its drawing."""

import xml.etree.ElementTree as ET
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook import yamlfile
from bythebook.build.sop.flow import END, flow_problems, without_step
from bythebook.build.sop.graph import ADVANCE, LETTER, PAD, Box, Drawing, columns, draw, wrapped
from bythebook.build.sop.svg import svg
from bythebook.conduct.documents import ANYWHERE
from bythebook.conduct.sops import Sop, Step
from tests.build.sop.firm import Desk


@st.composite
def sops(draw_: st.DrawFn) -> Sop:
    """Sound procedures: each step leads on to the one after it, and perhaps further or back."""
    size = draw_(st.integers(1, 9))
    words = st.text(st.characters(min_codepoint=32, max_codepoint=0x9FFF), max_size=90)
    steps = []
    for n in range(size):
        further = draw_(st.lists(st.integers(n + 2, size), max_size=2)) if n + 2 <= size else []
        onward = [n + 1, *further]
        names = tuple(dict.fromkeys(f"s{m}" if m < size else END for m in onward))
        back = tuple(f"s{m}" for m in sorted(set(draw_(st.lists(st.integers(0, n), max_size=2)))))
        steps.append(Step(f"s{n}", draw_(words), names, draw_(words), back))
    return Sop("x", "X", ANYWHERE, ("2025-01-01", None), tuple(steps))


def overlap(one: Box, other: Box) -> bool:
    apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
    return not (apart_x or one.bottom <= other.y or other.bottom <= one.y)


def inside(box: Box, one: tuple[float, float], other: tuple[float, float]) -> bool:
    """A straight piece, level or upright, runs through a box, not along its rim."""
    (left, right), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    across = left < box.x + box.width - 0.1 and right > box.x + 0.1
    return across and top < box.bottom - 0.1 and bottom > box.y + 0.1


@settings(max_examples=60, deadline=None)
@given(sops())
def test_words_fit_their_boxes_and_no_arrow_runs_through_one(sop: Sop) -> None:
    assert list(flow_problems(sop)) == []
    drawing: Drawing = draw(sop)

    for box in drawing.boxes:
        assert box.x >= 0
        assert box.x + box.width <= drawing.width
        for words, _ in box.lines:
            assert columns(words) * LETTER * ADVANCE <= box.width - 2 * PAD + 0.01
    assert not any(
        overlap(one, other) for n, one in enumerate(drawing.boxes) for other in drawing.boxes[:n]
    )
    for arrow in drawing.arrows:
        for one, other in pairwise(arrow.points):
            assert not any(inside(box, one, other) for box in drawing.boxes), arrow
            assert all(
                0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in (one, other)
            )


def test_every_way_is_drawn_and_returns_as_returns(built: Desk) -> None:
    sop = yamlfile.load(built.place / "11-out/sops/take-a-return.yaml", Sop)
    root = ET.fromstring((built.place / "11-out/graphs/take-a-return.svg").read_text("utf-8"))
    ways = {
        (path.get("data-way"), path.get("class")) for path in root.iter() if path.get("data-way")
    }

    expected = {(f"{s.id} to {to}", "on") for s in sop.steps for to in s.onward}
    expected |= {(f"{s.id} returns to {to}", "back") for s in sop.steps for to in s.back}

    assert ways == expected
    drawn = " ".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))
    assert all(step.do in drawn for step in sop.steps)


def test_markup_in_a_step_is_words_in_the_drawing() -> None:
    step = Step("a", 'Compare <b> & "c"', END)
    told = svg(Sop("x", "<X>", ANYWHERE, ("2025-01-01", None), (step,)))

    assert "&lt;b&gt; &amp;" in told
    ET.fromstring(told)


def test_lines_are_never_wider_than_asked_and_lose_no_word() -> None:
    words = "one " + "long" * 20 + " 漢字漢字 end"
    lines = list(wrapped(words, 10))

    assert all(columns(line) <= 10 for line in lines)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")


@settings(max_examples=60, deadline=None)
@given(sops(), st.integers(0, 8))
def test_a_sound_procedure_stays_sound_when_a_step_goes(sop: Sop, place: int) -> None:
    if len(sop.steps) < 2:
        return
    gone = sop.steps[place % len(sop.steps)].id
    left = Sop("x", "X", ANYWHERE, sop.effective, without_step(sop, gone))

    assert list(flow_problems(left)) == []
    assert gone not in {step.id for step in left.steps}
