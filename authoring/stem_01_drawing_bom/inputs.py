"""The files an agent gets: drawings, register, notices and their log, ERP, measurements, mails."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from authoring.parts.dice import Dice
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx
from authoring.stem_01_drawing_bom import drawings as d
from authoring.stem_01_drawing_bom.nouns import ErpLine, Notice, Part
from authoring.stem_01_drawing_bom.pen import scanned, write_sheets
from authoring.stem_01_drawing_bom.story import Story
from authoring.stem_01_drawing_bom.world import ALTERNATE, BEARING

RAW = ("BOM export", "Item master")
TEXTS = Path(__file__).with_name("texts")
BOM_FIRST = 3
"""The sheet's row of the first ERP line."""


def text(name: str, **values: str) -> str:
    return (TEXTS / name).read_text("utf-8").format(**values)


def put_text(path: Path, words: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words, "utf-8", newline="\n")


def long_day(day: date) -> str:
    """`Monday, 19 May 2025`."""
    return f"{day:%A}, {day.day} {day:%B %Y}"


def write_inputs(told: Story, folder: Path) -> None:
    drawn = told.world
    base, title = drawn.base, f"Drawing set {drawn.base}"
    office = "Design office"
    scan = scanned(d.spacer(told), Dice("scan", drawn.seed))
    binder = (
        d.station(told),
        d.cartridge(told),
        d.old_block(told),
        d.adjuster(told),
        d.shaft(told),
        d.housing(told),
        d.cover(told),
        scan,
    )
    write_sheets(folder / f"drawing-set-{base}.pdf", binder, title, office)
    write_sheets(folder / f"{base}-110-D.pdf", (d.block(told),), f"{base}-110", office)
    write_sheets(folder / f"{base}-101-C.pdf", (d.shaft(told, True),), f"{base}-101", office)
    write_csv(folder / "drawing-register.csv", _register(told))
    write_csv(folder / "ecn-log.csv", _log(told))
    _notices(told, folder)
    export = f"erp-export-{base}.xlsx"
    write_workbook(folder / export, raw_tables(told), f"ERP export {base}", "ERP")
    write_csv(folder / "measurements.csv", measurements(told))
    _certificate(told, folder / "certificate-shafts.pdf")
    write_csv(folder / "plant-calendar.csv", _calendar(told))
    write_csv(folder / "contacts.csv", _contacts(told))
    _procedure(told, folder)
    _mails(told, folder)


def _procedure(told: Story, folder: Path) -> None:
    name = told.world.company
    letter = Letter(title="CM-07", author="Configuration Management", header=name, footer="CM-07/6")
    write_docx(folder / "CM-07-configuration-check.docx", text("cm-07.md", company=name), letter)


def _mails(told: Story, folder: Path) -> None:
    drawn = told.world
    quality = drawn.owners["Quality"]
    mail = text(
        "mail-from-quality.md",
        quality=quality,
        quality_given=quality.split()[0],
        head=drawn.head,
        head_given=drawn.head.split()[0],
        day=long_day(drawn.checked - timedelta(days=4)),
        error=str(drawn.gauge_error),
    )
    put_text(folder / "mail-from-quality.md", mail)
    mail = text(
        "mail-from-plant.md",
        day=long_day(drawn.checked - timedelta(days=3)),
        closed=long_day(drawn.closed_too),
        former=drawn.former,
        design=drawn.owners["Design office"],
    )
    put_text(folder / "mail-from-plant.md", mail)


# --- register, notices --------------------------------------------------------------------------


def _register(told: Story) -> Table:
    drawn = told.world
    rows: list[tuple[Value, ...]] = []
    for number, rev in sorted(drawn.revisions.items()):
        name = drawn.parts[number].name
        back = d.RELEASED[number[-3:]]
        if rev > "A":
            older = chr(ord(rev) - 1)
            rows.append((number, name, older, d.day_of(told, back + d.OLDER), "Superseded"))
        rows.append((number, name, rev, d.day_of(told, back), "Released"))
        if number == drawn.no("101"):
            rows.append((number, name, "C", d.day_of(told, 30), "Preliminary"))
    header = ("Drawing", "Title", "Revision", "Date", "Status")
    return Table("register", header, tuple(rows))


def _log(told: Story) -> Table:
    rows: list[tuple[Value, ...]] = []
    for number in dict.fromkeys(one.number for one in told.world.notices):
        one = next(n for n in told.world.notices if n.number == number)
        cancelled = one.status == "Cancelled"
        note = f"cancelled {d.day_of(told, 45)}, casting trial failed" if cancelled else ""
        kind = "Alternate" if one.code == "ALT" else "Change"
        shown = one.incorporated
        rows.append((number, one.title, kind, one.status, one.effective, shown, note))
    header = ("ECN", "Title", "Type", "Status", "Effective", "Shown on drawing", "Remark")
    return Table("log", header, tuple(rows))


def _notices(told: Story, folder: Path) -> None:
    drawn = told.world
    no, old, new = drawn.no, told.world.dims[9].nominal, told.limit("C10").nominal
    words = {
        told.shown: (
            f"- {no('110')} item 5, screw 90-0616: 6 in place of 4.\n"
            f"- {no('110')}, axial gap between cover and outer ring: 0.10 to 0.70 mm in place of "
            "0.05 to 0.50 mm.",
            "Covers lifted in the endurance test.",
        ),
        told.notice("ALT"): (
            f"{ALTERNATE} may be used in place of {BEARING} wherever it is called for. Dimensions "
            "and tolerances are the same.",
            "Delivery times of the first source.",
        ),
        told.cancelled: (
            f"{no('110')} item 1, housing {no('111')}: material EN-GJS-400-15 in place of "
            "EN-GJL-250.",
            "A customer asked for it.",
        ),
        told.notice("QTY", "6"): (
            f"- {no('000')} item 6, washer 90-0208: 16 in place of 8 (two under each head, "
            "the holes are slotted).\n"
            f"- {no('200')} item 4, lock nut 90-0850: 3 in place of 2.",
            "Bolts came loose on two stations at a customer's.",
        ),
        told.notice("DIM"): (
            f"{no('113')}, characteristic C10, length of the spacer ring: {new} in place of "
            f"{old}. Tolerance as before, 0/-0.05. Mass unchanged.",
            "With all parts at their limits the axial gap came out too small.",
        ),
        told.later: (
            f"{no('000')} item 4, clamp bar {no('002')}: 6 in place of 4.",
            "Wider roller, with the shaft's next revision.",
        ),
    }
    for number, (change, reason) in words.items():
        one = next(n for n in drawn.notices if n.number == number)
        page = text(
            "notice.md",
            number=number,
            title=one.title,
            by=drawn.former,
            written=_written(told, one).isoformat(),
            kind="Alternate" if one.code == "ALT" else "Change",
            status="Approved",
            effective=one.effective.isoformat(),
            change=change,
            reason=reason,
        )
        put_text(folder / f"{number}.md", page)


def _written(told: Story, one: Notice) -> date:
    """Nobody has a notice in hand on the day of the check that was written after it."""
    latest = told.world.checked - timedelta(days=11)
    return d.at_work(min(one.effective - timedelta(days=24), latest))


# --- ERP ----------------------------------------------------------------------------------------

UOM = {"pcs": "PC", "g": "KG", "mm": "M"}


def raw_tables(told: Story) -> tuple[Table, ...]:
    """The two sheets of the export."""
    return _bom(told), _master(told)


def _bom(told: Story) -> Table:
    drawn = told.world
    rows = tuple(_bom_row(told, number, line) for number, line in enumerate(drawn.erp))
    header = (
        "Level",
        "Parent",
        "Pos",
        "Component",
        "Description",
        "Qty",
        "UoM",
        "Rev",
        "Material",
        "Valid from",
        "Valid to",
        "Bin",
    )
    run = (drawn.checked - timedelta(days=1)).isoformat()
    title = (f"Bill of material {drawn.no('000')}, multi-level, quantities per parent, run {run}",)
    widths = {"Description": 34.0, "Component": 14.0, "Material": 16.0}
    return Table(RAW[0], header, rows, title=title, widths=widths)


def _bom_row(told: Story, number: int, line: ErpLine) -> tuple[Value, ...]:
    part = told.world.parts[line.part]
    level = {"000": 1, "100": 2, "200": 2, "110": 3}[line.parent[-3:]]
    blank = " " if number % 7 == 3 else ""
    return (
        level,
        line.parent,
        f"{10 * line.item:04d}",
        f"{line.part}{blank}",
        part.name.upper()[:30],
        erp_qty(part, line.qty),
        UOM[part.unit],
        line.rev or None,
        line.material or None,
        line.since,
        line.until,
        line.bin or f"{'ABC'[number % 3]}{number % 5 + 1}-{number:02d}",
    )


def erp_qty(part: Part, qty: Decimal) -> Value:
    """In ERP's base unit; fractions come out as text with a comma."""
    if part.unit == "pcs":
        return int(qty)
    return f"{qty / 1000}".replace(".", ",")


def _master(told: Story) -> Table:
    parts = [p for p in told.world.parts.values() if p.kind != "assembly"]
    rows = tuple(
        (
            part.number,
            part.name,
            UOM[part.unit],
            part.mass,
            part.mass_unit,
            part.price,
            part.per,
            "make" if part.kind == "made" else "buy",
        )
        for part in sorted(parts, key=lambda one: one.number)
    )
    header = (
        "Material number",
        "Description",
        "Base unit",
        "Weight",
        "Weight unit",
        "Standard price EUR",
        "Price per",
        "Procurement",
    )
    formats = {"Standard price EUR": "0.00"}
    return Table(RAW[1], header, rows, formats=formats, widths={"Description": 36.0})


# --- measurements, people, days -----------------------------------------------------------------


def measurements(told: Story) -> Table:
    """Without the shafts, whose values stand in a certificate."""
    drawn = told.world
    lots = {"111": "L-2207", "112": "L-2219", "113": "L-2231"}
    first, second = (drawn.checked - timedelta(days=n) for n in (19, 10))
    rows: list[tuple[Value, ...]] = [
        (
            lots[one.part[-3:]],
            one.part,
            one.code,
            one.inspection,
            second if one.inspection == 2 else first,
            one.piece,
            one.value,
            one.unit,
            one.gauge or "supplier",
        )
        for one in drawn.measured
        if one.part != drawn.no("101")
    ]
    header = (
        "Lot",
        "Part",
        "Characteristic",
        "Inspection",
        "Date",
        "Piece",
        "Value",
        "Unit",
        "Gauge",
    )
    return Table("measurements", header, tuple(rows))


def _certificate(told: Story, path: Path) -> None:
    drawn = told.world
    values: dict[int, dict[str, Decimal]] = {}
    for one in drawn.measured:
        if one.part == drawn.no("101"):
            values.setdefault(one.piece, {})[one.code] = one.value
    lines = "\n".join(
        f"| {piece} | {row['C01']} | {row['C02']} | {row['C03']} |"
        for piece, row in sorted(values.items())
    )
    shaft = drawn.parts[drawn.no("101")]
    pages = (
        f"# Inspection certificate 3.1\n\n"
        f"Product: shaft {shaft.number} rev B, {len(values)} pieces measured of the lot L-2204. "
        f"Material {shaft.material}, heat 61-4478. Customer: {drawn.company}.\n\n"
        f"| Piece | C01 (mm), worse seat | C02 (mm) | C03 (mm) |\n|---|---|---|---|\n{lines}\n\n"
        "Tensile strength 1028 MPa, yield 874 MPa, elongation 14 %, impact energy 58 J. "
        "Surface and hardness without remark.\n\n"
        f"Issued {(drawn.checked - timedelta(days=24)).isoformat()} by the works inspector."
    )
    header = "Turned parts, lot L-2204"
    around = Sheetwork(title="Certificate shafts", author="Supplier", header=header)
    write_pdf(path, [pages], around)


def _calendar(told: Story) -> Table:
    year = told.world.build.year
    known = {
        date(year, 1, 1): "New Year",
        date(year, 12, 25): "Christmas",
        date(year, 12, 26): "Christmas",
    } | dict.fromkeys(told.world.closed, "Public holiday or bridge day")
    rows = tuple((day, why) for day, why in sorted(known.items()))
    return Table("calendar", ("Closed", "Why"), rows)


def _contacts(told: Story) -> Table:
    drawn = told.world
    holders = dict(drawn.owners) | {"Design office": drawn.former}
    rows: list[tuple[Value, ...]] = [(role, name) for role, name in holders.items()]
    rows.append(("Head of Engineering", drawn.head))
    return Table("contacts", ("Role", "Holder"), tuple(rows))
