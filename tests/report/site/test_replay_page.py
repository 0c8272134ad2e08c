"""The replay as people use it: keys, links, light and dark, paper, and words that mean harm."""

import pypdfium2
import pytest

from tests.report.site.browser import Page
from tests.report.site.conftest import (
    BROKEN_Q03,
    BROKEN_Q11,
    HANDED,
    HOSTILE,
    JUDGED,
    Q03,
    SIDES,
    WICKED,
    Open,
)


def event(page: Page) -> int:
    """The event that the replay stands at."""
    return int(page.text(".replay .where").split()[1])


# --- the replay ---------------------------------------------------------------------------------


def test_a_deep_link_opens_its_event_and_stepping_moves_the_address(opened: Open) -> None:
    page = opened(BROKEN_Q03)
    assert event(page) == 97
    page.key("ArrowRight")
    assert event(page) == 98
    assert page.run("location.hash") == BROKEN_Q03.replace("/97", "/98")
    page.send("Page.reload")
    page.until("document.documentElement.dataset.shown")
    assert event(page) == 98


def test_keys_step_jump_and_go_to_where_rules_broke(opened: Open) -> None:
    page = opened(f"#/run/{Q03}/1?of=shortcut-q03")
    assert event(page) == 0
    page.key("End")
    assert event(page) == 102
    page.key("Home")
    page.key("n")
    assert event(page) == 97
    page.key("ArrowLeft")
    assert event(page) == 96
    page.key("Home")
    page.key("w")
    first_change = event(page)
    assert first_change > 0
    page.key("w")
    assert event(page) > first_change
    page.key("b")
    assert event(page) == first_change


def test_a_minute_is_skipped_with_shift(opened: Open) -> None:
    page = opened(f"#/run/{Q03}/1?of=shortcut-q03")
    page.key("ArrowRight", shift=True)
    clock = page.text(".where").split()[-1]

    assert clock == "15:42"
    page.key("ArrowLeft", shift=True)
    assert page.text(".where").split()[-1] == "15:41"


def test_space_plays_and_stops(opened: Open) -> None:
    page = opened(f"#/run/{Q03}/1?of=golden-q03")
    page.key(" ")
    assert page.run("document.querySelector('.play').getAttribute('aria-label')") == "Stop"
    page.until("document.querySelector('.where').textContent.startsWith('event 1 ')")
    page.key(" ")
    assert page.run("document.querySelector('.play').getAttribute('aria-label')") == "Play"


def test_keys_can_be_switched_off(opened: Open) -> None:
    page = opened(BROKEN_Q03)
    page.run("document.querySelector('.keys').open = true")
    page.click(".keys input")
    page.key("End")

    assert event(page) == 97


def test_leaving_a_replay_takes_its_keys_along(opened: Open) -> None:
    page = opened(BROKEN_Q03)
    page.go("#/tasks")
    page.key("End")

    assert page.run("location.hash") == "#/tasks"


def test_the_slider_and_a_voice_tell_where_the_replay_is(opened: Open) -> None:
    page = opened(BROKEN_Q03)
    said = page.run("document.querySelector('.player [aria-live=polite]').textContent")

    assert said.startswith("Event 97, 15:57, company: review_started")
    assert "Broken: P3, The proof of address" in said
    assert (
        page.run("document.querySelector('.player [type=range]').getAttribute('aria-valuetext')")
        == said
    )


def test_a_state_line_tells_its_value_at_the_event_and_marks_where_it_fell_short(
    opened: Open,
) -> None:
    page = opened(BROKEN_Q11)
    (line,) = [text for text in page.texts(".lane.state") if text.startswith("F1")]
    assert line.endswith("0 ≥ 2,000")
    assert page.run("document.querySelectorAll('.time .dot.broken').length") == 1
    page.key("ArrowLeft")
    (line,) = [text for text in page.texts(".lane.state") if text.startswith("F1")]
    assert line.endswith("2,000 ≥ 2,000")


def test_beside_the_story_stand_approvals_the_procedure_and_dated_documents(opened: Open) -> None:
    page = opened(f"#/run/{Q03}/1/event/102?of=golden-q03")
    aside = page.text(".aside")

    assert "relied on" in aside
    assert "beneficiary" in aside
    assert "Which buyer instruction governs a receipt" in aside
    assert "from 2025-09-15" in aside
    assert "Bring an institution's account application to a decision" in aside


def test_a_place_in_the_timeline_can_be_clicked(opened: Open) -> None:
    page = opened(f"#/run/{Q03}/1?of=shortcut-q03")
    x, y = page.run(
        "(() => { const b = document.querySelector('.time .break').getBoundingClientRect();"
        " return [b.left + 1, b.top + 30]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        told = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        page.send("Input.dispatchMouseEvent", told)

    assert event(page) == 97


# --- light, dark, paper -------------------------------------------------------------------------

GROUND = "getComputedStyle(document.body).backgroundColor"


def brightness(page: Page) -> int:
    numbers: str = page.run(GROUND)
    return sum(int(part) for part in numbers.strip("rgb()").split(",")) // 3


def test_it_is_dark_where_the_system_is_and_light_where_somebody_says_so(opened: Open) -> None:
    page = opened()
    page.seen_as(scheme="light")
    assert brightness(page) > 200
    page.seen_as(scheme="dark")
    assert brightness(page) < 60
    page.click("#theme")
    assert page.text("#theme") == "Theme: light"
    assert brightness(page) > 200
    page.click("#theme")
    page.seen_as(scheme="light")
    assert (page.text("#theme"), brightness(page) < 60) == ("Theme: dark", True)
    page.click("#theme")
    assert brightness(page) > 200


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(opened: Open, scheme: str) -> None:
    """Contrast of at least 4.5 to 1 [WCAG 2.2, 1.4.3]."""
    page = opened(BROKEN_Q03)
    page.seen_as(scheme=scheme)
    for hash_ in ("#/", BROKEN_Q03, HANDED):
        page.go(hash_)
        assert (hash_, page.run(FAINT)) == (hash_, [])


FAINT = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const part = (v) => (v <= 10 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour[3] > 230) return colour;
    }
    return rgb('white');
  };
  const found = new Set();
  for (const e of document.querySelectorAll('main *, header *, footer *')) {
    const says = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!says || e.closest('svg, .hidden, .row.later, option') || !e.checkVisibility()) continue;
    const two = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    if ((two[0] + 0.05) / (two[1] + 0.05) < 4.5) found.add(e.className + ' ' + e.textContent);
  }
  return [...found];
})()"""


def test_on_paper_the_whole_story_stands_and_no_control(opened: Open) -> None:
    page = opened(BROKEN_Q03)
    page.seen_as(scheme="dark")
    paper = pypdfium2.PdfDocument(page.pdf())
    pages = [one.get_textpage() for one in paper]
    text = " ".join(" ".join(one.get_text_bounded().split()) for one in pages)
    for one in pages:
        one.close()
    paper.close()

    assert "The proof of address relied on still counted" in text
    assert "review_decided" in text, "the last event of the story"
    assert "F2 RSV-201 balance" in text, "the timeline has its labels"
    for control in ("Theme:", "Keys", "1\u00d7"):
        assert control not in text


# --- hostile words ------------------------------------------------------------------------------


def test_what_an_agent_wrote_is_shown_and_does_nothing(opened: Open) -> None:
    page = opened(WICKED)
    for hash_ in (
        WICKED,
        WICKED.replace("event/1", "event/4"),
        JUDGED,
        f"#/task/conduct/{Q03}",
        SIDES,
    ):
        page.go(hash_)
        assert "taken" not in page.run("document.title")
        assert page.run("({}).polluted === undefined")
        assert page.run("document.querySelectorAll('main script, main img').length") == 0
    page.go(WICKED)
    shown = page.run("document.querySelector('.moment-panel blockquote').textContent")
    assert shown == HOSTILE


def test_a_key_called_proto_is_shown_like_any_other(opened: Open) -> None:
    page = opened(WICKED)
    for _ in range(8):
        page.key("ArrowRight")
        if "__proto__" in page.text(".moment-panel"):
            break
    assert "__proto__" in page.text(".moment-panel")


def test_even_a_script_that_got_in_would_not_run(opened: Open) -> None:
    page = opened()
    page.run(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.taken = 1';"
        " document.head.append(s); })()"
    )

    assert page.run("window.taken === undefined")
    assert any("Content Security Policy" in one for one in page.complaints())
    page.faults.clear()
