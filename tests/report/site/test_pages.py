"""The site as people use it: a real Chromium opens it from the disk, without a server."""

import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest

from tests.report.site.browser import Browser, Page
from tests.report.site.conftest import HOSTILE, Q03, Q11, STALL

Open = Callable[..., Page]
BROKEN_Q03 = f"#/run/{Q03}/1/event/97?of=shortcut-q03"
BROKEN_Q11 = f"#/run/{Q11}/1/event/82?of=shortcut-q11"
WICKED = f"#/run/{Q03}/1/event/1?of=wicked-q03"
HANDED = f"#/run/{STALL}/1?of=skeleton"
JUDGED = f"#/run/{STALL}/1/item/R11?of=reference"
SIDES = f"#/compare/conduct/{Q03}?a=golden-q03.1&b=shortcut-q03.1"
PAGES = (
    "#/",
    "#/conduct",
    "#/deliverables",
    "#/tasks",
    "#/tasks/deliverables",
    f"#/task/conduct/{Q03}",
    f"#/task/deliverables/{STALL}",
    "#/table/conduct",
    BROKEN_Q03,
    BROKEN_Q11,
    WICKED,
    HANDED,
    JUDGED,
    SIDES,
    f"#/compare/deliverables/{STALL}?a=reference.1&b=skeleton.1",
    "#/judge",
    "#/nothing/here",
    "#/run/nothing/1",
)


@pytest.fixture
def opened(page: Page, site: Path) -> Open:
    """Opens a page of the site in the tab."""

    def opens(hash_: str = "#/") -> Page:
        page.open((site / "index.html").as_uri() + hash_)
        return page

    return opens


def event(page: Page) -> int:
    """The event that the replay stands at."""
    return int(page.text(".replay .where").split()[1])


# --- every page ---------------------------------------------------------------------------------


def test_every_page_opens_without_a_word_from_the_console(opened: Open) -> None:
    page = opened()
    for hash_ in PAGES:
        page.go(hash_)
        assert page.text("h1")
        assert "cannot be shown" not in page.text("main")
    assert page.complaints() == []


def test_no_page_is_wider_than_320_pixels_when_the_screen_is(opened: Open) -> None:
    page = opened()
    page.resize(320)
    for hash_ in PAGES:
        page.go(hash_)
        assert (hash_, page.run("document.documentElement.scrollWidth")) == (hash_, 320)


def test_every_page_has_one_heading_of_the_first_level_and_skips_none(opened: Open) -> None:
    page = opened()
    for hash_ in PAGES:
        page.go(hash_)
        levels = page.run("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])")
        assert levels.count(1) == 1, hash_
        assert levels[0] == 1, hash_
        assert all(b - a <= 1 for a, b in pairwise(levels)), (hash_, levels)


def test_a_screen_reader_is_told_the_name_of_everything_that_can_be_used(opened: Open) -> None:
    page = opened()
    for hash_ in PAGES:
        page.go(hash_)
        nodes = page.accessible()
        roles = [node["role"]["value"] for node in nodes]
        assert roles.count("main") == 1, hash_
        named = ("button", "link", "table", "combobox", "slider", "searchbox", "img", "heading")
        nameless = [
            node["role"]["value"]
            for node in nodes
            if node["role"]["value"] in named and not node.get("name", {}).get("value", "").strip()
        ]
        assert (hash_, nameless) == (hash_, [])


def test_data_tables_have_captions_and_heads(opened: Open) -> None:
    page = opened()
    for hash_ in PAGES:
        page.go(hash_)
        bare = page.run(
            "[...document.querySelectorAll('table.sheet')].filter(t => !t.caption ||"
            " !t.querySelector('thead th[scope=col]') || !t.querySelector('tbody th[scope=row]'))"
            ".length"
        )
        assert (hash_, bare) == (hash_, 0)


# --- a newcomer's questions ---------------------------------------------------------------------


def test_from_the_first_page_a_click_leads_to_the_event_and_the_rule_that_broke(
    opened: Open,
) -> None:
    page = opened()
    assert "The proof of address relied on still counted" in page.text(".ranked")
    page.run(
        "[...document.querySelectorAll('.ranked a')].find(a => a.text === 'see event 97').click()"
    )
    page.until("document.querySelector('.breach')")

    assert "Event 97" in page.text(".moment-panel h2")
    assert "Broken here: P3" in page.text(".breach")
    assert "application-evidence#2.4" in page.text(".breach")


def test_the_first_page_tells_how_often_a_rule_broke_on_the_way(opened: Open) -> None:
    page = opened()

    assert "intermediate failure" in page.text(".suite thead").lower()
    assert "the lower, the safer" in page.text(".suite")


def test_two_runs_side_by_side_part_where_one_asks_for_a_new_paper(opened: Open) -> None:
    page = opened(SIDES)

    assert "provide_document" in page.text("#first-change .side:first-child")
    assert "name_funding_source" in page.text("#first-change .side:last-child")
    assert "6 before it were the same" in page.text("#first-change")


def test_of_deliverables_the_known_fault_that_looks_like_it_is_named(opened: Open) -> None:
    page = opened(HANDED)

    assert "Looks like" in page.text(".fault-view")
    assert "R03 R04 R05" in page.text(".likeness")


def test_a_place_that_an_item_names_opens_the_sheet_around_it(opened: Open) -> None:
    page = opened(f"#/run/{STALL}/1/item/R13?of=reference")

    assert "R13" in page.text(".item-panel h2")
    assert page.texts(".item-panel .cells .marked")


def test_what_judges_said_stands_beside_the_item_with_what_they_cite(opened: Open) -> None:
    page = opened(JUDGED)

    told = page.texts(".item-panel .judgement h3")
    assert ["hand:first" in told[0], "hand:second" in told[1]] == [True, True]
    assert "note.docx" in page.text(".item-panel .evidence")


# --- tables -------------------------------------------------------------------------------------


def names(page: Page) -> list[str]:
    return [text.split("\n")[0] for text in page.texts(".numbers tbody th")]


def test_a_heading_sorts_and_says_so(opened: Open) -> None:
    page = opened("#/table/conduct")
    heads = "[...document.querySelectorAll('.numbers thead th')]"
    head = f"{heads}.find(h => h.innerText.startsWith('strict success'))"
    before = names(page)
    page.run(f"{head}.querySelector('button').click()")
    assert page.run(f"{head}.getAttribute('aria-sort')") == "descending"
    assert names(page)[:2] == ["golden q03", "golden q11"]
    page.run(f"{head}.querySelector('button').click()")
    assert page.run(f"{head}.getAttribute('aria-sort')") == "ascending"
    assert names(page)[-2:] == ["golden q03", "golden q11"]
    page.run(f"{head}.querySelector('button').click()")
    assert names(page) == before


def test_typing_filters_rows_and_moves_no_replay(opened: Open) -> None:
    page = opened("#/table/conduct-cases")
    everything = len(names(page))
    page.run("document.querySelector('.filter input').focus()")
    page.write("shortcut Q11")
    assert 0 < len(names(page)) < everything
    assert set(names(page)) == {"shortcut q11"}
    assert "of" in page.text(".count")


def test_intervals_marks_and_papers_are_drawn_and_said(opened: Open) -> None:
    page = opened("#/table/made-up")
    rows = page.texts(".numbers tbody tr")

    assert "70.0" in rows[0]
    assert "60.0 to 80.0" in rows[0]
    assert "best" in rows[0]
    assert "20.0 \u2013 40.0" in rows[1]
    assert "paper" in rows[2]
    drawn = (
        "[...document.querySelectorAll('.numbers tbody tr')]"
        ".map(r => r.querySelectorAll('.strip .%s').length)"
    )
    assert page.run(drawn % "whisker") == [1, 1, 0]
    assert page.run(drawn % "between") == [0, 1, 0]


def test_a_case_leads_to_its_event(opened: Open) -> None:
    page = opened("#/table/conduct-cases")
    links = page.run("[...document.querySelectorAll('.numbers td a')].map(a => a.hash)")

    assert any("/event/97?of=shortcut-q03" in link for link in links)


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
    assert "Theme:" not in text


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


# --- what is not there --------------------------------------------------------------------------


def test_a_run_that_is_not_kept_says_how_to_have_it(
    browser: Browser, evaluations: object, tmp_path: Path
) -> None:
    from bythebook.report.data import Evaluations
    from bythebook.report.site.build import Asked, build_site

    assert isinstance(evaluations, Evaluations)
    build_site(evaluations, tmp_path / "site", Asked(replay="none"))
    page = browser.page()
    page.open((tmp_path / "site/index.html").as_uri() + f"#/run/{Q03}/1")

    assert "--replay all" in page.text("main")
    assert page.complaints() == []
    page.close()


def test_a_folder_that_was_not_copied_whole_says_what_is_missing(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    shutil.copytree(site, tmp_path / "site")
    shutil.rmtree(tmp_path / "site/data/run")
    page = browser.page()
    page.open((tmp_path / "site/index.html").as_uri() + f"#/run/{Q03}/1?of=golden-q03")

    assert "cannot be read; is the whole folder here?" in page.text("main")
    page.close()
