"""A folder's evidence: built, kept, read back, and the same bytes every time."""

import shutil
from pathlib import Path

import pytest

from bythebook.deliverables.checks.answer import Evidence
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.model import Document, Text, Workbook
from bythebook.deliverables.evidence.office import Engine, find_engine
from bythebook.deliverables.evidence.view import View, recalculate_together
from bythebook.errors import ContentError, TraceError
from tests.deliverables.evidence.books import cached, needs_engine
from tests.deliverables.evidence.documents import memo, report


def results(folder: Path) -> Path:
    (folder / "sub").mkdir(parents=True)
    cached(folder / "book.xlsx", wrong=True)
    memo(folder / "memo.docx")
    report(folder / "sub" / "report.pdf")
    (folder / "notes.md").write_text("# Notes\n", "utf-8")
    (folder / "broken.xlsx").write_bytes((folder / "book.xlsx").read_bytes()[:3000])
    (folder / "empty.docx").write_bytes(b"")
    (folder / "link.md").symlink_to(folder / "notes.md")
    return folder


def kept_bytes(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def engine() -> Engine:
    found = find_engine()
    assert found
    return found


def test_every_file_has_its_status_and_good_ones_their_content(tmp_path: Path) -> None:
    view = View.of_folder(results(tmp_path / "results"), keep=tmp_path / "evidence")
    assert {name: file.status for name, file in view.files.items()} == {
        "book.xlsx": "ok",
        "broken.xlsx": "corrupt",
        "empty.docx": "empty",
        "memo.docx": "ok",
        "notes.md": "ok",
        "sub/report.pdf": "ok",
    }
    assert [one.name for one in view.index.refused] == ["link.md"]
    assert isinstance(view.content("book.xlsx"), Workbook)
    assert isinstance(view.content("memo.docx"), Document)
    assert view.content("broken.xlsx") is None
    assert view.content("nowhere.xlsx") is None


def test_a_view_is_what_checks_ask_for(tmp_path: Path) -> None:
    view: Evidence = View.of_folder(results(tmp_path / "results"), keep=tmp_path / "evidence")
    assert view.recalculated("book.xlsx").status == "unavailable"


def test_what_was_kept_needs_no_files(tmp_path: Path) -> None:
    folder = results(tmp_path / "results")
    built = View.of_folder(folder, keep=tmp_path / "evidence")
    shutil.rmtree(folder)
    kept = View.kept(tmp_path / "evidence")
    assert kept.sha == built.sha
    for name in built.files:
        assert kept.content(name) == built.content(name)
    assert kept.recalculated("book.xlsx").status == "unavailable"
    assert kept.pages("book.xlsx").status == "unavailable"


def test_the_same_files_give_the_same_bytes_with_and_without_a_cache(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    first = results(tmp_path / "one" / "results")
    shutil.copytree(first, tmp_path / "two" / "elsewhere", symlinks=True)
    folders = (first, first, tmp_path / "two" / "elsewhere")
    seen = []
    for number, (folder, kept_in) in enumerate(zip(folders, (cache, cache, None), strict=True)):
        root = tmp_path / f"evidence-{number}"
        View.of_folder(folder, keep=root, cache=kept_in)
        seen.append(kept_bytes(root))
    assert seen[0] == seen[1] == seen[2]
    assert str(tmp_path).encode() not in b"".join(seen[0].values())


def test_the_sha_is_of_names_and_bytes(tmp_path: Path) -> None:
    def sha(**files: str) -> str:
        folder = tmp_path / "results"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.md").write_text(text, "utf-8")
        return View.of_folder(folder, keep=tmp_path / "evidence").sha

    first = sha(a="x", b="y")
    assert sha(b="y", a="x") == first
    assert len({first, sha(a="x"), sha(a="x", c="y"), sha(a="x", b="z"), sha(a="y", b="x")}) == 5


def test_a_view_is_made_anew_and_nothing_old_stays(tmp_path: Path) -> None:
    folder, root = results(tmp_path / "results"), tmp_path / "evidence"
    View.of_folder(folder, keep=root)
    (root / "recalc").mkdir()
    (root / "recalc" / "0001.json").write_text('{"status": "ok"}', "utf-8")
    (root / "notes-of-somebody.txt").write_text("stays", "utf-8")
    shutil.rmtree(folder)
    folder.mkdir()
    assert View.of_folder(folder, keep=root).index.files == ()
    assert sorted(kept_bytes(root)) == ["evidence.json", "notes-of-somebody.txt"]


@pytest.mark.parametrize("harm", ["evidence.json", "files/0001.json"])
def test_evidence_that_does_not_read_is_named(harm: str, tmp_path: Path) -> None:
    root = tmp_path / "evidence"
    View.of_folder(results(tmp_path / "results"), keep=root)
    (root / harm).write_text("{", "utf-8")
    with pytest.raises(TraceError, match="does not read"):
        View.kept(root).content("book.xlsx")
    (root / harm).unlink()
    with pytest.raises(TraceError, match="missing"):
        View.kept(root).content("book.xlsx")


def test_a_name_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    view = View.of_folder(results(tmp_path / "results"), keep=tmp_path / "evidence")
    with pytest.raises(ContentError, match=r"book\.xlsx"):
        view.recalculated("bok.xlsx")


@needs_engine
def test_a_recalculation_is_kept_and_needs_neither_file_nor_engine_again(tmp_path: Path) -> None:
    folder, root = results(tmp_path / "results"), tmp_path / "evidence"
    view = View.of_folder(folder, keep=root, engine=engine())
    asked = view.recalculated("book.xlsx")
    assert asked.values["Data"]["E1"] == 606
    changed = view.what_if("book.xlsx", {"Data!A2": 1000})
    assert changed.values["Data"]["E1"] == 1506
    assert view.recalculated("memo.docx").status == "unavailable"
    shutil.rmtree(folder)
    kept = View.kept(root)
    assert kept.recalculated("book.xlsx") == asked
    assert kept.what_if("book.xlsx", {"Data!A2": 1000}) == changed
    assert kept.what_if("book.xlsx", {"Data!A2": 1001}).status == "unavailable"


@needs_engine
def test_a_file_that_changed_since_is_not_asked(tmp_path: Path) -> None:
    folder, root = results(tmp_path / "results"), tmp_path / "evidence"
    View.of_folder(folder, keep=root, engine=engine())
    cached(folder / "book.xlsx", 9)
    again = View.kept(root, folder=folder, engine=engine())
    told = again.recalculated("book.xlsx")
    assert (told.status, "not at hand" in told.says) == ("unavailable", True)


@needs_engine
def test_pages_are_kept_with_their_images(tmp_path: Path) -> None:
    folder, root = results(tmp_path / "results"), tmp_path / "evidence"
    cache = Cache(tmp_path / "cache")
    view = View.of_folder(folder, keep=root, engine=engine(), cache=cache)
    drawn = view.pages("book.xlsx")
    assert (drawn.status, drawn.paths) == ("ok", ("pages/0001/page_0001.png",))
    image = (root / drawn.paths[0]).read_bytes()
    other = View.of_folder(folder, keep=tmp_path / "other", engine=engine(), cache=cache)
    assert other.pages("book.xlsx") == drawn
    assert (tmp_path / "other" / drawn.paths[0]).read_bytes() == image
    assert View.kept(root).pages("book.xlsx") == drawn
    assert view.pages("notes.md").status == "unavailable"


@needs_engine
def test_many_views_are_recalculated_together(tmp_path: Path) -> None:
    views = []
    for n in (1, 2, 3):
        folder = tmp_path / str(n)
        folder.mkdir()
        cached(folder / "book.xlsx", n)
        views.append(View.of_folder(folder, keep=tmp_path / f"evidence-{n}", engine=engine()))
    recalculate_together(views, engine())
    assert all(view.not_recalculated() == [] for view in views)
    totals = [View.kept(view.root).recalculated("book.xlsx").values["Data"]["E1"] for view in views]
    assert totals == [101, 303, 606]


def test_a_text_is_read_with_its_lines(tmp_path: Path) -> None:
    view = View.of_folder(results(tmp_path / "results"), keep=tmp_path / "evidence")
    content = view.content("notes.md")
    assert isinstance(content, Text)
    assert content.lines[0] == "# Notes"
