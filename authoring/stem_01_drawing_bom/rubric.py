"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from authoring.parts.items import RubricSheet
from authoring.parts.numbers import money, rounded
from authoring.stem_01_drawing_bom.book import BOOK
from authoring.stem_01_drawing_bom.check import outcome
from authoring.stem_01_drawing_bom.inputs import BOM_FIRST, RAW
from authoring.stem_01_drawing_bom.notes import NOTE
from authoring.stem_01_drawing_bom.paper import NEW, serial
from authoring.stem_01_drawing_bom.rubric_note import note_items
from authoring.stem_01_drawing_bom.rules import Rules
from authoring.stem_01_drawing_bom.story import Story
from authoring.stem_01_drawing_bom.world import ALTERNATE
from bythebook.deliverables.rubric import ReadAs

FIELDS: tuple[tuple[str, ReadAs, str, tuple[str, ...]], ...] = (
    ("parent", "text", "", ("Parent", "Parent assembly", "Assembly")),
    ("item", "number", "", ("Item", "Item no.", "Position")),
    ("governing_qty", "number", "", ("Governing qty", "Governing quantity")),
    ("erp_qty", "number", "", ("ERP qty", "ERP quantity", "BOM qty")),
    ("status", "text", "", ("Status", "Line status")),
    ("characteristic", "text", "", ("Characteristic", "Char. no.", "Char.")),
    ("lower_limit", "number", "mm", ("Lower limit (mm)", "Min (mm)", "LSL (mm)")),
    ("upper_limit", "number", "mm", ("Upper limit (mm)", "Max (mm)", "USL (mm)")),
    ("measured", "number", "mm", ("Measured (mm)", "Measured value (mm)", "Actual (mm)")),
    ("verdict", "text", "", ("Verdict", "In or out")),
    ("discrepancy_id", "text", "", ("Discrepancy ID", "Discrepancy", "Disc. ID")),
    ("governing_value", "text", "", ("Governing value", "Value that governs")),
    ("governing_source", "text", "", ("Governing source", "Governed by")),
    ("class", "text", "", ("Class", "Class (A, B or C)", "Discrepancy class")),
    ("action_id", "text", "", ("Action ID", "Action no.")),
    ("owner", "text", "", ("Owner", "Responsible")),
    ("due", "date", "", ("Due date", "Due")),
    ("smallest", "number", "mm", ("Smallest gap (mm)", "Minimum gap (mm)")),
    ("largest", "number", "mm", ("Largest gap (mm)", "Maximum gap (mm)")),
    ("met", "text", "", ("Requirement met", "Requirement met (yes or no)")),
    ("part_number", "text", "", ("Part number", "Part no.", "P/N")),
    ("qty_station", "number", "", ("Qty per station", "Quantity per station")),
    ("mass", "number", "kg", ("Mass (kg)", "Total mass (kg)")),
    ("cost_change", "number", "EUR", ("Cost change (EUR)", "Cost impact (EUR)")),
    ("card_open", "number", "", ("Open discrepancies",)),
    ("card_a", "number", "", ("Class A",)),
    ("card_b", "number", "", ("Class B",)),
    ("card_c", "number", "", ("Class C",)),
    ("card_actions", "number", "", ("Open actions",)),
    ("card_mass", "number", "kg", ("Mass per station (kg)",)),
    ("card_cost", "number", "EUR", ("Cost change per station (EUR)",)),
    ("card_decision", "text", "", ("Build decision",)),
)
MICRON, GRAM, CENT = Decimal("0.0005"), Decimal("0.001"), Decimal("0.01")
LATER, MORE = 7, 10
"""The what-if: days by which the check is later; what ERP's clamp bars become."""
KEYS: dict[int, tuple[str, ...]] = {
    0: ("parent", "item"),
    1: ("characteristic",),
    2: ("discrepancy_id",),
    3: ("action_id",),
    5: ("part_number",),
}
TABLES = {0: "lines", 1: "dimensions", 2: "register", 3: "actions", 5: "parts"}


def write_rubric(told: Story, path: Path) -> None:
    sheet = RubricSheet()
    for name, read_as, unit, names in FIELDS:
        sheet.field(name, *names, read_as=read_as, unit=unit)
    _files(told, sheet)
    _lines(told, sheet)
    _dimensions(told, sheet)
    _register(told, sheet)
    _actions(told, sheet)
    _figures(told, sheet)
    _workbook(told, sheet)
    _live(told, sheet)
    note_items(told, sheet)
    sheet.write(path)


def _column(place: int, field: str, **how: Any) -> dict[str, Any]:
    """A whole column of one of the new sheets against its expected table."""
    where = {"sheet": NEW[place], "key": KEYS[place], "column": field}
    return {"column": where | {"table": f"expected/{TABLES[place]}.csv#{field}"} | how}


def _rows(place: int) -> dict[str, Any]:
    are = f"expected/{TABLES[place]}.csv"
    return {"rows": {"sheet": NEW[place], "key": KEYS[place], "are": are}}


def _ids(entries: Sequence[Any]) -> str:
    return ", ".join(one.id for one in entries)


def _files(told: Story, sheet: RubricSheet) -> None:
    want = {BOOK: "xlsx", NOTE: "docx"}
    sheet.item(
        "structure",
        "core",
        f"The workbook {BOOK} and the note {NOTE} are handed over, both open, and "
        "nothing lies beside them.",
        failure="output format",
        check={"files": {"want": want, "only": True}},
    )
    export = f"erp-export-{told.world.base}.xlsx"
    sheet.item(
        "structure",
        "important",
        f"{RAW[0]} and {RAW[1]} are the first two sheets, cell for cell as in {export}.",
        check={"unchanged": {"input": export, "first": True}},
    )


def _lines(told: Story, sheet: RubricSheet) -> None:
    no = told.world.no
    sheet.item(
        "structure",
        "important",
        f"BOM comparison has one line for each of the {len(told.made.lines)} positions of the four "
        "assemblies: parts lists and ERP lines valid at the build start, the locking plate that "
        "only ERP has among them, the line that has expired not.",
        check=_rows(0),
    )
    sheet.item(
        "domain",
        "core",
        f"The governing quantity is right in every position: 6 screws at {no('110')} item 5 by "
        f"revision D, 16 washers and 3 lock nuts by {told.notice('QTY', '6')} although drawings do "
        f"not show them yet, 4 clamp bars because {told.later} is for later builds.",
        failure="domain expertise",
        check=_column(0, "governing_qty"),
    )
    sheet.item(
        "integration",
        "important",
        f"ERP qty is read right and live from {RAW[0]}: both lines of the M8 screws added to 8, "
        "0,04 KG of grease as 40 g, 1,26 M of cord as 1260 mm, 0 for the nipple whose line begins "
        "after the build start.",
        failure="self-verification",
        check=_column(0, "erp_qty", formula=True),
    )
    wrong = sum(1 for one in told.made.lines if one.status == "Discrepancy")
    sheet.item(
        "domain",
        "important",
        f"The status of each position is right: {wrong} discrepancies, the second-source bearing "
        f"{ALTERNATE} as Alternate, everything else Match.",
        failure="domain expertise",
        check=_column(0, "status"),
    )


def _dimensions(told: Story, sheet: RubricSheet) -> None:
    spigot, spacer, seat = (told.limit(code) for code in ("C07", "C10", "C01"))
    sheet.item(
        "calculation",
        "core",
        "All eleven lower limits are right in mm, as live formulas: the cover's inches times 25.4 "
        f"unrounded (C07 {spigot.lower:.4f}), the spacer as {told.notice('DIM')} has it (C10 "
        f"{spacer.lower:.2f}), general tolerances where a dimension has none of its own.",
        failure="domain expertise",
        check=_column(1, "lower_limit", tol=MICRON, formula=True),
    )
    sheet.item(
        "calculation",
        "core",
        "All eleven upper limits are right in mm, as live formulas; the shaft is that of the "
        f"released revision B (C01 {seat.upper:.3f}), not of the preliminary C.",
        failure="domain expertise",
        check=_column(1, "upper_limit", tol=MICRON, formula=True),
    )
    bore = told.limit("C04")
    sheet.item(
        "integration",
        "important",
        "Measured values stand for their lots: the piece farthest from the middle, bores less the "
        f"{told.world.gauge_error} mm of gauge G-17 (C04 {bore.measured:.3f}), spacers of the "
        f"second inspection (C10 {spacer.measured:.2f}), shafts from their certificate.",
        failure="self-verification",
        check=_column(1, "measured", tol=MICRON),
    )
    sheet.item(
        "domain",
        "core",
        "The verdicts are right: C07 is out, C06 and C11 have no data, the other eight are in.",
        failure="self-verification",
        check=_column(1, "verdict"),
    )


def _register(told: Story, sheet: RubricSheet) -> None:
    register = told.made.register
    sheet.item(
        "domain",
        "core",
        f"Discrepancies has exactly these {len(register)} entries, none missing and none invented: "
        f"{_ids(register)}.",
        failure="domain expertise",
        check=_rows(2),
    )
    sheet.item(
        "domain",
        "core",
        "Each entry states the value that governs, for example housing material "
        f"{_entry(told, 'D-110-01-MAT').governing} (the notice for ductile iron is cancelled) and "
        f"shaft revision {_entry(told, 'D-100-01-REV').governing}.",
        failure="domain expertise",
        check=_column(2, "governing_value"),
    )
    sheet.item(
        "integration",
        "important",
        "Each entry names what governs, in the form of CM-07: "
        f"{_entry(told, 'D-000-06-QTY').source} for washers and lock nuts, "
        f"{_entry(told, 'D-110-05-QTY').source} and not its notice for the cover screws, the "
        "drawing register for revisions.",
        failure="domain expertise",
        check=_column(2, "governing_source"),
    )
    first = " and ".join(one.id for one in told.made.of_class("A"))
    third = " and ".join(one.id for one in told.made.of_class("C"))
    sheet.item(
        "domain",
        "important",
        f"Classes follow the table by code and key part: A for {first}, C for {third}, B for the "
        "rest.",
        check=_column(2, "class"),
    )


def _entry(told: Story, name: str) -> Any:
    return next(one for one in told.made.register if one.id == name)


def _actions(told: Story, sheet: RubricSheet) -> None:
    made = told.made.actions
    both = "A-200-04-QTY-E and A-200-04-QTY-W"
    sheet.item(
        "integration",
        "core",
        f"Actions has exactly the {len(made)} rectification actions that the entries ask for: "
        f"{both} because drawing and ERP are both wrong, only W for the washers, H and S for the "
        "covers, H beside E for both entries of class A, else E.",
        failure="domain expertise",
        check=_rows(3),
    )
    owner = _column(3, "owner")
    owner["column"] |= {"key": ("action_id", "discrepancy_id")}
    sheet.item(
        "integration",
        "important",
        "Every action stands with the ID of its discrepancy and with the person who holds the role "
        f"today: drawing changes go to {told.world.owners['Design office']}, not to "
        f"{told.world.former}, who has moved.",
        failure="self-verification",
        check=owner,
    )
    days = {one.days: one.due.isoformat() for one in made}
    sheet.item(
        "calculation",
        "core",
        f"Due dates are right and live: holds {days[1]}, class A {days[3]}, class B {days[8]} (the "
        f"closed day {told.world.closed_too.isoformat()} of the mail counts), class C {days[15]}, "
        "the third working day before the build start.",
        failure="domain expertise",
        check=_column(3, "due", formula=True),
    )


def _figures(told: Story, sheet: RubricSheet) -> None:
    gap = told.made.chain
    figures = (
        {"label": "smallest", "equals": rounded(gap.smallest, 5), "tol": MICRON, "formula": True},
        {"label": "largest", "equals": rounded(gap.largest, 5), "tol": MICRON, "formula": True},
        {"label": "met", "equals": "yes" if gap.met else "no"},
    )
    sheet.item(
        "calculation",
        "core",
        f"At worst case the axial gap is {gap.smallest:.4f} to {gap.largest:.4f} mm, in live "
        "formulas (two bearings, spacer by its notice, spigot from inches), and the requirement of "
        "revision D is met.",
        failure="domain expertise",
        check={"label": {"sheet": NEW[4], "all": figures}},
    )
    screws = next(one for one in told.made.rows if one.part.number == "90-0616")
    sheet.item(
        "calculation",
        "core",
        f"Quantities per station are multiplied through all levels, live: {screws.qty:f} screws "
        "90-0616 (6 in each of 2 blocks in each of 2 cartridges), 12 screws 90-0825 from two "
        "assemblies.",
        failure="domain expertise",
        check=_column(5, "qty_station", formula=True),
    )
    sheet.item(
        "calculation",
        "important",
        "The mass of each part per station is right and live: title blocks before the Item master "
        "(shaft, housing, spacer, and the cover in pounds), grams as kilograms.",
        failure="self-verification",
        check=_column(5, "mass", tol=GRAM, formula=True),
    )
    sheet.item(
        "calculation",
        "core",
        f"The cost change of each part is right and live ({money(told.made.change)} EUR per "
        "station together): prices per 100 divided, parts of only one side included, none for the "
        "alternate bearing.",
        failure="domain expertise",
        check=_column(5, "cost_change", tol=CENT / 2, formula=True),
    )


def _workbook(told: Story, sheet: RubricSheet) -> None:
    made = told.made
    counts = {f"card_{cls.lower()}": len(made.of_class(cls)) for cls in "ABC"}
    counts = {"card_open": len(made.register), **counts, "card_actions": len(made.actions)}
    cards: list[dict[str, Any]] = [
        {"label": name, "equals": count, "tol": 0, "formula": True}
        for name, count in counts.items()
    ]
    cards += [
        {"label": "card_mass", "equals": rounded(made.mass, 3), "tol": CENT, "formula": True},
        {"label": "card_cost", "equals": rounded(made.change, 2), "tol": CENT, "formula": True},
        {"label": "card_decision", "equals": told.decision},
    ]
    sheet.item(
        "presentation",
        "important",
        f"The dashboard shows live {len(made.register)} open discrepancies (2 of class A), "
        f"{len(made.actions)} actions, {made.mass:.2f} kg and {money(made.change)} EUR per "
        f"station, and the decision: {told.decision}.",
        failure="self-verification",
        check={"label": {"sheet": NEW[6], "all": cards}},
    )
    charts = (
        {"values": "expected/classes.csv#count", "tol": 0},
        {"values": "expected/owners.csv#actions", "tol": 0},
    )
    sheet.item(
        "presentation",
        "auxiliary",
        "Two native charts show discrepancies by class and actions by owner.",
        failure="output format",
        check={"charts": {"sheet": NEW[6], "all": charts}},
    )
    sheet.item(
        "engineering",
        "auxiliary",
        "The four list sheets have a filter and headings that stay in view.",
        check={"view": {"sheets": NEW[:4], "has": ("freeze", "filter")}},
    )


def _live(told: Story, sheet: RubricSheet) -> None:
    """The check is made a week later, and ERP's clamp bars become ten."""
    drawn = told.world
    bars = drawn.no("002")
    later = drawn.checked + timedelta(days=LATER)
    erp = tuple(replace(one, qty=Decimal(MORE)) if one.part == bars else one for one in drawn.erp)
    again = outcome(replace(drawn, checked=later, erp=erp), Rules())
    row = BOM_FIRST + next(n for n, one in enumerate(drawn.erp) if one.part == bars)
    change = next(one.change for one in again.rows if one.part.number == bars)
    due = {one.id: one.due for one in again.actions}
    hold, mend = "A-110-01-MAT-H", "A-200-01-MAT-E"
    cells: list[dict[str, Any]] = [
        {"sheet": NEW[3], "find": {"action_id": name}, "column": "due"}
        | {"equals": due[name].isoformat()}
        for name in (hold, mend)
    ]
    cells.append(
        {"sheet": NEW[5], "find": {"part_number": bars}, "column": "cost_change"}
        | {"equals": rounded(change, 4), "tol": CENT / 2}
    )
    changes = {"Actions!B1": serial(later), f"'BOM export'!F{row}": MORE}
    sheet.item(
        "engineering",
        "important",
        f"The workbook is live: with {later.isoformat()} in Actions!B1 {hold} is due "
        f"{due[hold].isoformat()} and {mend} {due[mend].isoformat()}; with {MORE} clamp bars in "
        f"BOM export!F{row} their cost change becomes {money(change)} EUR.",
        failure="self-verification",
        check={"whatif": {"set": changes, "then": cells}},
    )
