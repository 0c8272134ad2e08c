"""Every kind of check: what offers one, where an item of it belongs, its form, what breaks it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from bythebook.deliverables.offer import figures, tables, wholes
from bythebook.deliverables.offer.known import Known, Offer
from bythebook.deliverables.rubric import Dimension, Level


class Sort(NamedTuple):
    offers: Callable[[Known], Iterator[Offer]]
    """The strictest first."""
    dimension: Dimension
    level: Level
    form: str
    """What stands under the kind's name, with CAPITALS to be filled in."""
    breaks: str
    """An edit for faults.yaml that should fail it."""
    lacks: str
    """What a task has that no check can be derived from."""


FORMS: dict[str, Sort] = {
    "files": Sort(
        wholes.files, "structure", "core",
        "{want: {NAME.xlsx: xlsx}}", "drop_file: {file: FILE}", "the task wants no file",
    ),
    "sheets": Sort(
        wholes.sheets, "structure", "important",
        "{order: [SHEET, SHEET]}", "rename_sheet: {sheet: SHEET, to: Sheet1}",
        "no sheet of reference/ is named by the prompt",
    ),
    "unchanged": Sort(
        wholes.unchanged, "integration", "core",
        "{input: NAME.xlsx, first: true}", "sort_rows: {sheet: SHEET, by: B}",
        "no workbook of inputs/ stands unchanged in reference/",
    ),
    "rows": Sort(
        tables.rows, "structure", "important",
        "{sheet: SHEET, key: [FIELD], are: expected/NAME.csv}",
        "drop_rows: {sheet: SHEET, rows: [3]}",
        "no table of expected/ stands in reference/ row by row",
    ),
    "column": Sort(
        tables.column, "calculation", "core",
        "{sheet: SHEET, key: [FIELD], column: FIELD, table: expected/NAME.csv#FIELD}",
        "swap_cells: {a: CELL, b: OTHER}",
        "no column of expected/ that is a field stands in reference/",
    ),
    "cell": Sort(
        tables.cell, "calculation", "important",
        "{sheet: SHEET, find: {FIELD: VALUE}, column: FIELD, equals: VALUE}",
        "set_cell: {at: CELL, to: -1}", "no value of expected/ stands in reference/",
    ),
    "range": Sort(
        tables.range_, "domain", "important",
        "{sheet: SHEET, key: [FIELD], column: FIELD, min: NUMBER, max: NUMBER}",
        "set_cell: {at: CELL, to: -1}", "no column of expected/ stands in reference/",
    ),
    "order": Sort(
        tables.order, "presentation", "auxiliary",
        "{sheet: SHEET, key: [FIELD], by: [FIELD]}", "sort_rows: {sheet: SHEET, by: C}",
        "every reference has another order, or none",
    ),
    "format": Sort(
        tables.format_, "presentation", "auxiliary",
        "{sheet: SHEET, key: [FIELD], column: FIELD, like: money}",
        "number_format: {sheet: SHEET, column: COLUMN, to: General}",
        "no column is shown alike in every reference",
    ),
    "label": Sort(
        figures.label, "calculation", "core",
        "{sheet: SHEET, all: [{label: FIELD, equals: VALUE}], formula: true}",
        "set_cell: {at: CELL, to: -1}",
        "no field that is a number stands as a label in reference/",
    ),
    "names": Sort(
        figures.names, "engineering", "important",
        "{are: {NAME: VALUE}}", "set_name: {name: NAME, to: null}",
        "no defined name of reference/ is named by the prompt",
    ),
    "charts": Sort(
        figures.charts, "presentation", "important",
        "{sheet: SHEET, all: [{values: expected/NAME.csv#FIELD, type: bar}]}",
        "chart_to_picture: {sheet: SHEET}", "there is no chart in reference/",
    ),
    "view": Sort(
        wholes.view, "presentation", "auxiliary",
        "{sheets: [SHEET], has: [freeze, filter]}", "unfreeze: {sheet: SHEET}",
        "no sheet has anything set in every reference",
    ),
    "whatif": Sort(
        figures.what_if, "engineering", "important",
        '{set: {"SHEET!B2": NUMBER}, then: [{sheet: SHEET, find: {FIELD: VALUE}, column: FIELD,'
        " equals: VALUE}]}",
        "paste_values: {sheet: SHEET, column: COLUMN}",
        "LibreOffice is not here, or no promised figure follows",
    ),
    "no_errors": Sort(
        wholes.no_errors, "engineering", "auxiliary",
        "{}", "set_formula: {at: SHEET!B2, to: 1/0}", "reference/ holds no workbook",
    ),
    "outline": Sort(
        wholes.outline, "structure", "important",
        "{file: NAME.docx, has: [HEADING, HEADING], in_order: true}",
        "drop_section: {file: FILE.docx, heading: HEADING}",
        "no heading of reference/ is named by the prompt",
    ),
    "figures": Sort(
        figures.figures, "integration", "important",
        "{file: NAME.docx, all: [{is: NUMBER, near: WORDS}]}",
        "scale_figure: {file: FILE.docx, has: WORDS, by: 1.05}",
        "no labelled figure of the workbook stands in a document",
    ),
    "text": Sort(
        wholes.text, "domain", "auxiliary",
        "{file: NAME.docx, all: [[PHRASE, SAME THING]], none: [TODO]}",
        "add_text: {file: FILE.docx, text: TODO}", "reference/ holds no document",
    ),
    "agree": Sort(
        figures.agree, "integration", "important",
        "{cell: {sheet: SHEET, label: FIELD}, figure: {file: NAME.docx, near: WORDS}}",
        "scale_figure: {file: FILE.docx, has: WORDS, by: 1.05}",
        "no labelled figure of the workbook stands in a document",
    ),
    "pages": Sort(
        wholes.pages, "presentation", "auxiliary",
        "{file: NAME.pdf, at_most: NUMBER, size: A4}", "drop_file: {file: FILE}",
        "reference/ holds no PDF, and no document that can be laid out here",
    ),
    "slides": Sort(
        wholes.slides, "presentation", "auxiliary",
        "{file: NAME.pptx, count: NUMBER, notes: true}", "hide_slide: {file: FILE.pptx, slide: 2}",
        "reference/ holds no deck",
    ),
    "image": Sort(
        wholes.image, "presentation", "auxiliary",
        "{file: NAME.png, min_px: [NUMBER, NUMBER]}", "drop_file: {file: FILE}",
        "reference/ holds no picture",
    ),
}  # fmt: skip
"""By name, as in `checks.spec.SPECS`."""
PROSE = ("figures", "text")
"""Kinds whose form is a screen."""
