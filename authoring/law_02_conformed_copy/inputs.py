"""What lies beside the prompt: engrossment, scans, minutes, mails, practice notes, terms."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

from authoring.law_02_conformed_copy.page import untagged
from authoring.law_02_conformed_copy.rules import Term, terms
from authoring.law_02_conformed_copy.scans import write_scans
from authoring.law_02_conformed_copy.sheet import Page
from authoring.law_02_conformed_copy.world import TEXTS, World
from authoring.parts.pack import pack
from authoring.parts.tables import Value, open_workbook
from authoring.parts.word import Letter, write_docx

FIRM = "Ashdown Perrin LLP"
PAPERS = {
    "completion-minutes.docx": ("minutes", "Completion minutes"),
    "practice-note-14.docx": ("practice-note", "Practice note 14"),
    "practice-note-14-2021.docx": ("practice-note-2021", "Practice note 14"),
}
MAILS = ("mail-agreed-list", "mail-list-corrected", "mail-after-completion")
LIST = "operative-terms.xlsx"
LOOK_OF = {"date": "day", "GBP": "whole"}


def text(told: World, name: str) -> str:
    return (TEXTS / f"{name}.md").read_text("utf-8").format_map(told.facts | told.people)


def value(text_: str, unit: str) -> Value:
    """A figure of a term as a cell holds it."""
    if unit == "date":
        return date.fromisoformat(text_) if text_ else None
    return Decimal(text_) if text_ else None


def engrossment(told: World) -> str:
    """The lease as Markdown, page for page."""
    pages = untagged(told.lease).strip().split("\n---\n")
    return "\n\n---\n\n".join("\n\n".join(_blocks(page)) for page in pages)


def _blocks(page: str) -> Iterator[str]:
    grid: list[str] = []
    for line in [*page.splitlines(), ""]:
        if line.startswith("|"):
            grid += [line] if grid or "Row" in line else ["| No. | Item | Provision |", line]
            continue
        if grid:
            yield "\n".join(grid)
            grid = []
        kind, _, rest = line.partition(" ")
        if kind in ("=", "~"):
            yield f"# {rest}" if kind == "=" else rest
        elif line:
            yield line.removeprefix("! ").partition(" | ")[0]


def _named(one: Term) -> tuple[Value, ...]:
    return one.ref, one.label, one.unit


def write_inputs(told: World, folder: Path) -> None:
    write_scans(told, folder)
    around = Letter(title="Lease", author=FIRM, font="Cambria", points=11)
    write_docx(folder / "lease-engrossment.docx", engrossment(told), around)
    for name, (source, title) in PAPERS.items():
        letter = Letter(title=title, author=FIRM, header=FIRM, points=10.5)
        write_docx(folder / name, text(told, source), letter)
    for name in MAILS:
        (folder / f"{name}.md").write_text(text(told, name), "utf-8", newline="\n")
    _write_terms(told, folder / LIST)


def _write_terms(told: World, path: Path) -> None:
    """Figures and days share a column, so that each row has a look of its own."""
    book = open_workbook(path, "Operative terms", FIRM)
    page = Page(book, "Terms", ("Clause", "Term", "Unit", "As printed"), (9, 46, 16, 14))
    for one in terms(told):
        look = LOOK_OF.get(one.unit, "")
        page.add((*_named(one), value(one.printed, one.unit)), ("", "", "", look))
    book.close()
    pack(path)
