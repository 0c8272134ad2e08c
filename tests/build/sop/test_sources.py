"""Documents as text: every format, spans that keep their names, and how each document stands."""

from pathlib import Path

import pytest

from bythebook.build.sop.blocks import markdown
from bythebook.build.sop.forms import Link, Source, Span
from bythebook.build.sop.handed_over import library_of
from bythebook.build.sop.out import reference_of
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.sources import Reader, files_of, spans
from bythebook.cli import answer
from bythebook.errors import UsageError
from tests.build.sop.firm import Desk

TEXT = """# Taking a return

1.1 Open a case.
1.2 Count the days,
all of them.

## What to look at

- the cover
- the back

| what | how |
|---|---|
| cover | by eye |

Last words.
"""


def named(text: str) -> dict[str, str]:
    return {span.text: span.id for span in spans(markdown(text))}


def test_paragraphs_items_rows_and_clauses_are_spans() -> None:
    assert list(named(TEXT)) == [
        "1.1 Open a case.", "1.2 Count the days, all of them.", "the cover", "the back",
        "what | how", "cover | by eye", "Last words.",
    ]  # fmt: skip


def test_a_span_keeps_its_name_when_other_parts_of_the_file_change() -> None:
    before = named(TEXT)

    after = named(TEXT.replace("Open a case.", "Open a file.").replace("- the back\n", ""))

    for words in ("1.2 Count the days, all of them.", "the cover", "cover | by eye"):
        assert after[words] == before[words]


def test_a_span_whose_own_words_change_gets_another_name() -> None:
    assert (
        named(TEXT)["1.1 Open a case."]
        != named(TEXT.replace("a case", "a file"))["1.1 Open a file."]
    )


def test_the_same_words_twice_are_two_spans() -> None:
    found = list(spans(markdown("# A\n\nYes.\n\nYes.\n")))

    assert [span.id for span in found] == [found[0].id, f"{found[0].id}.2"]


def test_every_format_is_read(built: Desk) -> None:
    texts = {
        source.id: [span.text for span in source.spans] for source in built.shelf.sources.values()
    }

    assert "over 5 kg | van" in texts["couriers"]
    assert texts["parcels"][1] == "A damaged book goes to Harbour Freight Ltd as a claim."
    assert texts["desk-claims"] == [
        "A claim is sent within seven days with the photographs, and the carrier answers it.",
        "No claim is sent without the number of the case.",
    ]
    assert built.shelf.sources["parcels"].title == "Looking at parcels"
    assert built.shelf.sources["returns-v2"].supersedes == ("returns-v1",)


def source(ident: str, **about: object) -> Source:
    return Source(ident, f"{ident}.md", "", ident, (Span("a-1", "Some words here."),), **about)  # type: ignore[arg-type]  # fields by name


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ({}, ""),
        ({"status": "in force"}, ""),
        ({"status": "draft"}, "is a draft"),
        ({"status": "archived"}, "is archived"),
        ({"effective": ("2024-01-01", "2025-01-01")}, "ended on 2025-01-01"),
        ({"effective": ("2025-01-01", "2025-09-26")}, ""),
        ({"effective": ("2026-01-01", None)}, "begins on 2026-01-01, after 2025-09-25"),
    ],
)
def test_how_a_document_stands_on_a_day(about: dict[str, object], says: str) -> None:
    shelf = Shelf([source("a", **about)], "2025-09-25")

    assert shelf.not_in_force(shelf.sources["a"]) == says


def test_a_document_is_superseded_by_one_in_force_and_by_no_draft() -> None:
    old = source("old")
    new = source("new", supersedes=("old",))
    draft = source("draft", supersedes=("old",), status="draft")

    assert Shelf([old, new], "2025-09-25").not_in_force(old) == "is superseded by new"
    marked = source("old", status="superseded")
    assert Shelf([marked, new], "2025-09-25").not_in_force(marked) == "is superseded by new"
    assert Shelf([old, draft], "2025-09-25").not_in_force(old) == ""


def test_a_quote_may_differ_in_blanks_and_quotation_marks_only() -> None:
    shelf = Shelf(
        [Source("a", "a.md", "", "a", (Span("b-1", "It\u2019s  the bank\u2019s money."),))]
    )

    assert shelf.broken(Link("a#b-1", "it's the bank's money")) == ""
    assert "does not stand in this span" in shelf.broken(Link("a#b-1", "it is the bank's money"))


def test_a_quote_in_the_wrong_span_is_first_sought_in_what_is_in_force() -> None:
    words = (Span("b-1", "Open a case before anything else."),)
    old = Source("a", "a.md", "", "a", words, status="superseded")
    now = Source("b", "b.md", "", "b", (*words, Span("b-2", "Refund the price.")))

    said = Shelf([old, now]).broken(Link("b#b-2", "Open a case before"))

    assert "it stands in b#b-1 and a#b-1: link there" in said


def test_files_are_picked_by_name_path_or_folder(desk: Desk) -> None:
    def names(*only: str, without: tuple[str, ...] = ()) -> list[str]:
        return [path.name for path in files_of(desk.sources, only, without)]

    assert names("returns-*") == ["returns-v1.md", "returns-v2.md", "returns-v3.md"]
    assert names("desk") == ["claims.pdf"]
    assert names("desk/*.pdf", "couriers") == ["couriers.docx", "claims.pdf"]
    assert names("returns-*", without=("returns-v3",)) == ["returns-v1.md", "returns-v2.md"]
    with pytest.raises(UsageError, match="none of 6 documents fits --only"):
        names("nothing")


def test_two_files_of_one_name_are_two_documents(tmp_path: Path) -> None:
    for name in ("a/notes.md", "a/notes.txt", "Übersicht.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Words stand here.\n", "utf-8")

    jobs = Reader(tmp_path, files_of(tmp_path)).jobs()

    assert {"a-notes", "a-notes-txt"} < set(jobs)
    assert len(jobs) == 3


def test_a_file_that_does_not_read_is_named_and_may_be_left_out(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk.sources / "broken.docx").write_bytes(b"no zip")

    assert desk.build() == 1
    assert "broken.docx" in capsys.readouterr().err
    assert desk.build("--without", "broken.docx") == 1
    assert (desk.hand / "candidates/b01/prompt.md").exists()


def test_front_matter_that_does_not_read_is_noted_and_the_text_is_kept(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk.sources / "odd.md").write_text("---\ntitle: [\n---\nThe words are kept.\n")
    (desk.sources / "tab.md").write_text("---\ntitle: x\n\tstatus: draft\n---\nHere too.\n")

    desk.build()

    said = " ".join(capsys.readouterr().err.split())
    assert "odd.md: front matter does not read: line 3: " in said
    assert "tab.md: front matter does not read: line 3: a tab stands here; indent with" in said
    assert desk.link("The words are kept")


def test_documents_of_a_company_have_their_numbers_and_can_be_cited() -> None:
    documents = Path(__file__).parents[3] / "company/documents"
    reader = Reader(documents, files_of(documents, ("delivery-fees-2025-1*",)))
    (found,) = reader.read(reader.jobs())
    shelf = Shelf([found])
    link = next(f"{found.id}#{span.id}" for span in found.spans if span.number == "2.2")

    assert found.company
    assert "{{" not in shelf.span(link).text
    assert "$" in shelf.span(link).text
    assert reference_of(shelf, link) == "delivery-fees#2.2"
    library_of(shelf).cites("delivery-fees#2.2", where="a step")


def test_a_place_and_its_questions_may_lie_among_the_documents(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("Words stand here.\n", "utf-8")
    command = ["build", "sop", str(tmp_path), "--to", str(tmp_path / "place")]
    command += ["--model", f"hand:{tmp_path / 'answers'}"]

    assert answer(command) == answer(command) == 1

    assert (tmp_path / "answers/candidates/b01/prompt.md").exists()
    assert [path.name for path in files_of(tmp_path)] == ["notes.md"]


def test_a_folder_that_is_not_there_is_answered_with_the_nearest(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    near = desk.sources.with_name(f"{desk.sources.name}s")

    assert answer(["build", "sop", str(near), "--to", str(desk.place)]) == 2
    assert f"did you mean {desk.sources.name!r}?" in capsys.readouterr().err


def test_a_file_in_the_place_of_a_folder_is_told_how_to_be_picked(tmp_path: Path) -> None:
    (tmp_path / "returns.md").write_text(TEXT)
    with pytest.raises(UsageError, match="is a file") as refused:
        files_of(tmp_path / "returns.md")
    assert "--only returns.md" in refused.value.hint
