"""Whatever a candidate hands over, every check answers pass, fail or unsure; none raises."""

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bythebook import yamlfile
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.held import KINDS, Held
from bythebook.deliverables.checks.run import CHECKS, answer
from bythebook.deliverables.checks.spec import SPECS
from bythebook.deliverables.evidence.model import (
    Cell,
    Chart,
    Content,
    Deck,
    Document,
    FileEvidence,
    Formatting,
    Kind,
    Layout,
    Page,
    Paragraph,
    Pdf,
    Picture,
    Recalculation,
    Series,
    Shape,
    Sheet,
    Slide,
    Table,
    Text,
    Workbook,
)
from tests.deliverables.checks.papers import FIELDS, Computed, book, expected, sheet

ONE_OF_EACH = """
- files: {want: {b.xlsx: xlsx, n.docx: docx}, only: true}
- sheets: {order: [Pay, Board]}
- unchanged: {input: raw.xlsx, first: true}
- rows: {sheet: Pay, key: [employee, month], are: expected/pay.csv, where: {employee: E1}}
- column: {sheet: Pay, key: [employee, month], column: gross, formula: true,
    table: expected/pay.csv#gross}
- column: {sheet: Pay, key: [due], column: rate, table: expected/due.csv#rate, share: 0.5}
- cell: {sheet: Pay, find: {employee: E1}, column: due, equals: 2025-09-30}
- cell: {sheet: Pay, find: {month: 2024-01}, column: rate, between: [0, 1], text_ok: true}
- range: {sheet: Pay, key: [employee], column: gross, min: 0}
- range: {sheet: Pay, key: [employee], column: rating, kinds: [A, B]}
- order: {sheet: Pay, key: [employee], by: [month, -gross, due]}
- label: {sheet: Pay, formula: true,
    all: [{label: k_gross, equals: 10.50}, {label: rating, equals: A}]}
- names: {are: {Total: 10.50, Word: text}}
- charts: {sheet: Pay,
    all: [{values: expected/pay.csv#gross}, {values: [1, 2], type: pie, title: x}]}
- charts: {sheet: Pay, formula: true, all: [{values: [1.0]}, {values: [1, 2]}]}
- charts: {file: n.docx, all: [{values: [1, 2]}]}
- view: {sheets: [Pay], has: [freeze, filter, cf, validation, print_area]}
- format: {sheet: Pay, key: [employee], column: gross, like: money}
- format: {sheet: Pay, key: [employee], column: due, like: date}
- whatif: {set: {Pay!B2: 1.5}, then: [{sheet: Pay, find: {employee: E1}, column: gross, equals: 1}]}
- whatif: {set: {Pay!B2: 1.5}, then: [{sheet: Pay, label: k_gross, equals: 1}]}
- no_errors: {}
- outline: {file: n.docx, has: [[Summary, Sum], End], in_order: true}
- figures: {file: n.docx, all: [{is: 84210, near: Sales, word: [over, under]}, {is: 3.5%}]}
- figures: {file: p.pdf, only: tables, all: [{is: 84210, near: [Sales, x]}]}
- text: {file: t.md, all: [[a, b]], none: [c]}
- text: {file: d.pptx, all: [a]}
- agree: {cell: {sheet: Pay, label: k_gross}, figure: {file: n.docx, near: Sales}}
- agree: {cell: {sheet: Pay, label: k_gross},
    with: {sheet: Pay, find: {employee: E1}, column: gross}}
- pages: {at_most: 2, size: A4}
- pages: {all: [{file: n.docx, at_least: 2, at_most: 3, size: A4}, {file: p.pdf, at_most: 1}]}
- slides: {count: [1, 2], notes: true}
- image: {min_px: 10}
"""
CHECKED = yamlfile.parse(ONE_OF_EACH, "all", decimals=True)
TABLES = {
    "pay": "employee,month,gross\nE1,2024-01,10.50\nE2,2024-02,1\n",
    "due": "due,rate\n2025-09-30,3.5%\n",
}
WANTS: dict[str, Kind] = {
    "b.xlsx": "xlsx",
    "n.docx": "docx",
    "p.pdf": "pdf",
    "t.md": "text",
    "d.pptx": "pptx",
    "i.png": "image",
}

WORDS = st.one_of(
    st.sampled_from(
        [
            "Employee ID", "Month", "Gross pay", "Total gross pay", "Rating", "Due date", "E1",
            "A", "Overtime rate", "2024-01", "2025-09-30", "Total", "Sales", "84,210", "Summary",
            "3.5 %", "1.234.567,8", "#REF!", "", " ", "over", "Sales is over by 84,210; really.",
            "Sum", "x",
        ]
    ),
    st.text(max_size=12),
)  # fmt: skip
NUMBERS = st.one_of(
    st.sampled_from(
        [10.5, 1, 45930.0, 202401, 0.035, -1.0, 1e300, 1e-300, 0, 99999999999999999999]
    ),
    st.floats(),
    st.integers(),
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, WORDS)
RANGES = st.sampled_from(
    ["A1:C3", "Pay!$A$1", "'Pay'!B2:B3", "#REF!", "A:A", "1:1", "", "x,y", "'A1"]
)
FORMATS = st.sampled_from(["General", "yyyy-mm", '"E"0', "0.00%", "[h]:mm", "", '"'])
SMALL = st.integers(-2, 6)
STATES = st.sampled_from(["visible", "hidden", "veryHidden"])


def several(of: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, max_size=most).map(tuple)


CELLS = st.builds(
    Cell,
    row=st.integers(1, 6),
    column=st.integers(1, 5),
    value=SCALARS,
    type=st.sampled_from(["number", "text", "bool", "error", "none"]),
    formula=st.one_of(st.just(""), RANGES, WORDS),
    format=FORMATS,
    shown=st.one_of(st.just(""), WORDS),
)
CHARTS = st.builds(
    Chart,
    type=WORDS,
    title=WORDS,
    series=several(st.builds(Series, values=several(SCALARS), values_ref=RANGES)),
)
SHEETS = st.builds(
    Sheet,
    name=st.sampled_from(["Pay", "Board", "pay", "Raw", "x#%"]),
    state=STATES,
    cells=several(CELLS, 30),
    freeze=RANGES,
    filters=several(RANGES, 2),
    hidden_rows=several(SMALL, 2),
    hidden_columns=several(SMALL, 2),
    formats=several(st.builds(Formatting, range=RANGES, type=WORDS), 2),
    validations=several(RANGES, 2),
    print_area=RANGES,
    charts=several(CHARTS, 3),
    pictures=SMALL,
)
BOOKS = st.builds(
    Workbook,
    sheets=several(SHEETS, 3),
    names=st.dictionaries(st.sampled_from(["Total", "Word", "x"]), RANGES),
    local_names=st.dictionaries(st.sampled_from(["Pay!Total", "Word", "!"]), RANGES),
    date1904=st.booleans(),
)
ROWS = several(several(WORDS, 3), 3)
BLOCKS = st.one_of(
    st.builds(Paragraph, number=SMALL, text=WORDS, style=WORDS, level=SMALL, list=WORDS),
    st.builds(Table, number=SMALL, rows=ROWS, caption=WORDS),
)
SHAPES = st.builds(
    Shape, number=SMALL, kind=WORDS, text=WORDS, rows=ROWS, chart=st.one_of(st.none(), CHARTS)
)
CONTENTS: dict[str, st.SearchStrategy[Any]] = {
    "b.xlsx": BOOKS,
    "n.docx": st.builds(
        Document, blocks=several(BLOCKS), notes=several(WORDS), charts=several(CHARTS)
    ),
    "p.pdf": st.builds(
        Pdf,
        pages=several(
            st.builds(
                Page, number=SMALL, text=WORDS, tables=several(ROWS), size=st.tuples(SMALL, SMALL)
            )
        ),
    ),
    "t.md": st.builds(Text, format=WORDS, lines=several(WORDS), rows=ROWS),
    "d.pptx": st.builds(
        Deck,
        slides=several(
            st.builds(
                Slide,
                number=SMALL,
                title=WORDS,
                hidden=st.booleans(),
                shapes=several(SHAPES),
                notes=WORDS,
            )
        ),
    ),
    "i.png": st.builds(Picture, format=WORDS, width=SMALL, height=SMALL, blank=st.booleans()),
}
RECALCULATED = st.builds(
    Recalculation,
    status=st.sampled_from(["ok", "failed", "timeout"]),
    values=st.dictionaries(
        st.sampled_from(["Pay", "Board"]),
        st.dictionaries(st.sampled_from(["A1", "B2", "C3"]), SCALARS),
    ),
)
LAID_OUT = st.builds(
    Layout,
    status=st.sampled_from(["ok", "failed", "timeout"]),
    sizes=st.lists(st.tuples(SMALL, SMALL), max_size=5).map(tuple),
    last=st.floats(0, 1),
    stand_ins=st.sampled_from([(), ("dejavusans",)]),
)
STATUSES: st.SearchStrategy[Any] = st.sampled_from(
    ["ok", "empty", "wrong_type", "encrypted", "corrupt", "too_big", "timeout"]
)


@st.composite
def handed_over(draw: st.DrawFn) -> Computed:
    contents: dict[str, Content] = {}
    broken: dict[str, FileEvidence] = {}
    for name, kind in WANTS.items():
        fate = draw(st.sampled_from(["read", "read", "read", "mistaken", "broken", "absent"]))
        if fate == "read":
            contents[name] = draw(CONTENTS[name])
        elif fate == "mistaken":
            contents[name] = draw(CONTENTS[draw(st.sampled_from(sorted(CONTENTS)))])
        elif fate == "broken":
            broken[name] = FileEvidence(name=name, kind=kind, status=draw(STATUSES))
    anew, changed = draw(RECALCULATED), draw(RECALCULATED)
    return Computed(contents, anew=anew, changed=changed, laid=draw(LAID_OUT), broken=broken)


def test_every_kind_of_check_is_among_them() -> None:
    assert {kind for check in CHECKED for kind in check} == set(SPECS)
    assert set(CHECKS) == set(SPECS.values())
    assert set(KINDS.values()) == set(WANTS.values())


@settings(max_examples=100, suppress_health_check=list(HealthCheck), deadline=None)
@given(results=handed_over())
def test_nothing_handed_over_breaks_a_check(results: Computed) -> None:
    case = Case(
        results=results,
        inputs=Held({"raw.xlsx": book(sheet("Raw", [["a"]]))}),
        expected=expected(**TABLES),
        fields=FIELDS,
        wants=WANTS,
    )
    for check in CHECKED:
        ((kind, told),) = check.items()
        found = answer(msgspec.convert(told, SPECS[kind]), case)
        assert found.mark in ("pass", "fail", "unsure"), (kind, found)
        assert found.why or found.mark == "pass"
        msgspec.json.encode(found)


@pytest.mark.parametrize("value", [10**5000, -(10**400)], ids=["huge", "very negative"])
def test_a_number_too_large_for_anything_is_just_another_value(value: int) -> None:
    rows: list[list[Any]] = [["Employee ID", "Gross pay"], ["E1", 1.0]]
    made = sheet("Pay", rows)
    cells = tuple(
        msgspec.structs.replace(c, value=value, shown="many") if c.value == 1.0 else c
        for c in made.cells
    )
    results = Computed({"b.xlsx": book(msgspec.structs.replace(made, cells=cells))})
    case = Case(results, Held({}), expected(), FIELDS, {"b.xlsx": "xlsx"})
    told = {"sheet": "Pay", "find": {"employee": "E1"}, "column": "gross", "equals": 1}
    assert answer(msgspec.convert(told, SPECS["cell"]), case).mark == "fail"
