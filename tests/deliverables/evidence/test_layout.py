"""How long a document is: counted by a real engine, told with how near that is."""

from pathlib import Path

import docx
import pytest
from docx.shared import Pt

from bythebook.deliverables.evidence.layout import _covered, _family, laid_out
from bythebook.deliverables.evidence.model import Layout
from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.evidence.view import View
from tests.deliverables.evidence.books import needs_engine

HERE = "Liberation Sans"
"""A font that is there where the tests run."""


def letter(path: Path, lines: int, *, font: str = HERE, **more: str) -> Path:
    """A document of short lines, with a heading of a section before and a footer below."""
    made = docx.Document()
    for style in made.styles:
        if getattr(style, "font", None) is not None:
            style.font.name = font
    normal = made.styles["Normal"].font
    normal.size = Pt(11)
    for number in range(lines):
        paragraph = made.add_paragraph(f"Line {number}.")
        paragraph.paragraph_format.space_after = Pt(2)
    for _ in range(int(more.get("breaks", "0"))):
        made.add_page_break()  # type: ignore[no-untyped-call]  # python-docx ships it without types
    made.sections[0].footer.paragraphs[0].text = more.get("footer", "")
    made.save(str(path))
    return path


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Layout]:
    """Several letters, laid out in one call."""
    engine = find_engine()
    assert engine
    folder = tmp_path_factory.mktemp("letters")
    letters = {
        "short": letter(folder / "short.docx", 10),
        "footed": letter(folder / "footed.docx", 10, footer="page 1"),
        "two": letter(folder / "two.docx", 60),
        "three": letter(folder / "three.docx", 110),
        "blank end": letter(folder / "blank.docx", 10, breaks="2"),
        "other font": letter(folder / "font.docx", 10, font="Nobody Grotesk"),
    }
    return dict(zip(letters, laid_out([*letters.values()], engine), strict=True))


pytestmark = needs_engine


def test_pages_are_counted_and_the_last_is_measured(told: dict[str, Layout]) -> None:
    assert {one.status for one in told.values()} == {"ok"}
    counts = [len(told[name].sizes) for name in ("short", "two", "three")]
    assert counts == [1, 2, 3]
    short, two, three = (told[name].length for name in ("short", "two", "three"))
    assert 0.1 < short < 0.4
    # Fifty lines more are as long wherever they stand.
    assert three - two == pytest.approx(two - short, abs=0.05)


def test_a_footer_fills_no_page(told: dict[str, Layout]) -> None:
    assert told["footed"].length == pytest.approx(told["short"].length, abs=0.01)


def test_empty_pages_at_the_end_do_not_count(told: dict[str, Layout]) -> None:
    assert len(told["blank end"].sizes) == 1


def test_a_font_that_is_not_here_is_told(told: dict[str, Layout]) -> None:
    assert told["short"].stand_ins == ()
    assert told["other font"].stand_ins


def test_a_layout_is_kept_and_read_back_where_no_engine_is(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    letter(tmp_path / "results" / "letter.docx", 10)
    (tmp_path / "results" / "note.md").write_text("so")
    view = View.of_folder(tmp_path / "results", keep=tmp_path / "kept", engine=find_engine())
    found = view.laid_out("letter.docx")
    assert (found.status, len(found.sizes)) == ("ok", 1)
    assert View.kept(tmp_path / "kept").laid_out("letter.docx") == found
    assert view.laid_out("note.md").status == "unavailable"


def test_without_an_engine_it_is_said_and_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    letter(tmp_path / "results" / "letter.docx", 10)
    view = View.of_folder(tmp_path / "results", keep=tmp_path / "kept")
    found = view.laid_out("letter.docx")
    assert (found.status, found.says) == ("unavailable", "There is no LibreOffice here.")
    assert not (tmp_path / "kept" / "layout").exists()


@pytest.mark.parametrize(
    ("font", "family"),
    [
        ("BAAAAA+LiberationSans-Bold", "liberationsans"),
        ("Times New Roman", "timesnewroman"),
        ("TimesNewRomanPSMT", "timesnewroman"),
        ("ArialMT", "arial"),
        ("Carlito", "carlito"),
    ],
)
def test_a_font_is_known_by_its_family(font: str, family: str) -> None:
    assert _family(font) == family


def test_what_is_covered_bridges_lines_but_not_the_space_above_a_footnote() -> None:
    lines = [(686.0, 700.0), (660.0, 674.0)]
    assert _covered(lines, 700.0) == pytest.approx(40.0)
    assert _covered([*lines, (72.0, 84.0)], 700.0) == pytest.approx(52.0)
    # What overlaps is covered once: the rules of a table, and the words in it.
    assert _covered([*lines, (660.0, 700.0)], 700.0) == pytest.approx(40.0)
