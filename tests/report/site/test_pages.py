"""The site as people use it: a real Chromium opens it from the disk, without a server."""

import shutil
from itertools import pairwise
from pathlib import Path

from bythebook.report.data import Evaluations
from bythebook.report.site.build import Asked, build_site
from tests.report.site.browser import Browser, Page
from tests.report.site.conftest import HANDED, JUDGED, PAGES, Q03, SIDES, STALL, Open

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


def test_the_first_page_keeps_missed_goals_apart_from_broken_rules(opened: Open) -> None:
    page = opened()
    boards = "[...document.querySelectorAll('.suite .board')]"
    titles = page.run(f"{boards}.map(board => board.querySelector('h3').innerText)")
    ids = page.run(
        f"{boards}.map(board => [...board.querySelectorAll('.id')].map(id => id.innerText))"
    )
    rules = dict(zip(titles, ids, strict=True))

    assert {name[0] for name in rules["Where rules broke"]} <= {"P", "F"}
    assert {name[0] for name in rules["Goals not reached"]} == {"G"}


def test_lines_of_lists_and_tables_stay_lines_and_others_run_on(opened: Open) -> None:
    page = opened()
    text = r"Pay him\ntoday:\n- the rent\n- the\n  lamp\n\n| a |\n|---|\n1. first"

    found = page.run(f"bythebook.paragraphs('{text}')")
    assert [" ".join(part.split()) for part in found] == [
        "Pay him today:", "- the rent", "- the lamp", "| a |", "|---|", "1. first",
    ]  # fmt: skip


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


# --- what is not there --------------------------------------------------------------------------


def test_a_run_that_is_not_kept_says_how_to_have_it(
    browser: Browser, evaluations: Evaluations, tmp_path: Path
) -> None:
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
