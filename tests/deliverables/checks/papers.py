"""Small submissions held in memory, and a way to ask one check about them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.dates import Locale
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.checks.held import KINDS, Held
from bythebook.deliverables.checks.run import answer
from bythebook.deliverables.checks.spec import SPECS
from bythebook.deliverables.checks.static import Ground, check_spec
from bythebook.deliverables.evidence.model import (
    Cell,
    Content,
    Document,
    FileEvidence,
    Layout,
    Paragraph,
    Recalculation,
    Scalar,
    Sheet,
    Table,
    Text,
    Workbook,
)
from bythebook.deliverables.expected import Expected, parse_table

Value = Any


class F(NamedTuple):
    """A formula cell: what it was cached as, and the formula."""

    value: Scalar
    formula: str


class N(NamedTuple):
    """A number with its format and what that shows."""

    value: Scalar
    shown: str
    format: str = "General"


def cell(row: int, column: int, value: Value) -> Cell:
    formula, shown, code = "", None, "General"
    if isinstance(value, F):
        value, formula = value
    elif isinstance(value, N):
        value, shown, code = value
    kind: Any = "none" if value is None else "number"
    if isinstance(value, str):
        kind = "error" if value.startswith("#") and value.endswith(("!", "A", "?")) else "text"
    elif isinstance(value, bool):
        kind = "bool"
    if shown is None:
        shown = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    return Cell(row, column, value, kind, formula, code, shown)


def sheet(name: str, rows: Sequence[Sequence[Value]], *, top: int = 1, **more: Any) -> Sheet:
    """A sheet from its rows; None is an empty cell."""
    cells = tuple(
        cell(number, column, value)
        for number, row in enumerate(rows, top)
        for column, value in enumerate(row, 1)
        if value is not None
    )
    return Sheet(name=name, cells=cells, **more)


def book(*sheets: Sheet, **more: Any) -> Workbook:
    return Workbook(sheets=sheets, **more)


def paper(*blocks: str | list[list[str]], **more: Any) -> Document:
    """A document: `# heading`, `- bullet`, plain paragraphs; a list of rows is a table."""
    made: list[Paragraph | Table] = []
    for block in blocks:
        if isinstance(block, list):
            number = sum(isinstance(one, Table) for one in made) + 1
            made.append(Table(number=number, rows=tuple(map(tuple, block))))
            continue
        number = sum(isinstance(one, Paragraph) for one in made) + 1
        level = len(block) - len(block.lstrip("#"))
        bullet = "bullet 1" if block.startswith("- ") else ""
        text = block.lstrip("# ") if level else block.removeprefix("- ")
        made.append(Paragraph(number=number, text=text, level=level, list=bullet))
    return Document(blocks=tuple(made), **more)


def text(body: str, suffix: str = "md") -> Text:
    return Text(format=suffix, lines=tuple(body.splitlines()))


class Computed(Held):
    """Evidence with statuses, and with what an engine gives."""

    def __init__(
        self,
        contents: Mapping[str, Content],
        *,
        anew: Recalculation | None = None,
        changed: Recalculation | None = None,
        laid: Layout | None = None,
        broken: Mapping[str, FileEvidence] | None = None,
    ) -> None:
        super().__init__(contents)
        self._anew, self._changed, self._broken = anew, changed, broken or {}
        self._laid = laid

    @property
    def files(self) -> Mapping[str, FileEvidence]:
        own = {
            n: FileEvidence(name=n, kind=KINDS[type(c)], status="ok")
            for n, c in self.contents.items()
        }
        return own | dict(self._broken)

    def recalculated(self, name: str) -> Recalculation:
        return self._anew or super().recalculated(name)

    def what_if(self, name: str, changes: Mapping[str, Scalar]) -> Recalculation:
        self.changes = dict(changes)
        return self._changed or super().what_if(name, changes)

    def laid_out(self, name: str) -> Layout:
        return self._laid or super().laid_out(name)


FIELDS = {
    "employee": Field(("Employee ID", "Emp ID", "Staff no.", "工号")),
    "month": Field(("Month", "Period"), "month"),
    "gross": Field(("Gross pay", "Gross salary", "Gross"), "number", "CNY"),
    "employer": Field(("Employer contributions", "Social insurance (employer)"), "number"),
    "rating": Field(("Rating", "Grade")),
    "department": Field(("Department", "Dept")),
    "rate": Field(("Overtime rate",), "percent"),
    "due": Field(("Due date",), "date"),
    "k_gross": Field(("Total gross pay",), "number", "CNY"),
    "k_head": Field(("Headcount",), "number"),
}


def expected(**tables: str) -> Expected:
    return Expected(
        {
            f"expected/{name}.csv": parse_table(csv.strip() + "\n", where=name)
            for name, csv in tables.items()
        }
    )


def asked(check: str, case: Case, *, inputs: Path = Path(), screen: bool = False) -> Answer:
    """The answer of a check written as in a rubric: `column: {sheet: Pay, ..}`."""
    ((kind, told),) = yamlfile.parse(check, "check", decimals=True).items()
    spec = msgspec.convert(told, SPECS[kind])
    ground = Ground(case.fields, case.wants, case.expected, inputs)
    if kind != "unchanged":
        check_spec(spec, ground, "check", screen=screen or kind in ("text", "figures"))
    return answer(spec, case)


def ask(
    check: str,
    results: Content | Mapping[str, Any] | Held,
    *,
    tables: Mapping[str, str] | None = None,
    inputs: Mapping[str, Content] | None = None,
    fields: Mapping[str, Field] | None = None,
    locale: Locale = "en",
) -> Answer:
    """The same, of one content (`book.xlsx`, `note.docx`, ..) or of several by name."""
    if not isinstance(results, Mapping | Held):
        results = {NAMES[KINDS[type(results)]]: results}
    held = results if isinstance(results, Held) else Held(results)
    wants = {name: file.kind for name, file in held.files.items()}
    case = Case(
        results=held,
        inputs=Held(inputs or {}),
        expected=expected(**(tables or {})),
        fields={**FIELDS, **(fields or {})},
        wants=wants,
        locale=locale,
    )
    return asked(check, case)


NAMES = {
    "xlsx": "book.xlsx",
    "docx": "note.docx",
    "pptx": "deck.pptx",
    "pdf": "report.pdf",
    "text": "note.md",
    "image": "plan.png",
}
