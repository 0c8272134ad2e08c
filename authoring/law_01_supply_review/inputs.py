"""The bundle: drafts, schedule, playbook, messages, statutes, cases."""

from pathlib import Path

from authoring.law_01_supply_review.calendar import FIXED
from authoring.law_01_supply_review.drafts import write_drafts
from authoring.law_01_supply_review.playbook import APPROVERS, GRADES, MATRIX, POSITIONS, Position
from authoring.law_01_supply_review.rules import Advice
from authoring.law_01_supply_review.words import MONTHS, fill
from authoring.law_01_supply_review.world import Kind, Row
from authoring.parts.dice import Dice
from authoring.parts.dirt import Dirt
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.scan import Scanner, scan_page
from authoring.parts.tables import Table, Value, write_workbook
from authoring.parts.word import Letter, write_docx

SCHEDULE = "schedule-2-forecast.xlsx"
AS_TEXT = 4
"""Quantities that somebody typed as text."""


def write_inputs(told: Advice, folder: Path) -> None:
    drawn = told.world
    folder.mkdir(parents=True, exist_ok=True)
    write_drafts(told, folder)
    tables = (_goods(told), _services(told))
    write_workbook(
        folder / SCHEDULE, tables, "Schedule 2, forecast", drawn.parties.seller_head.name
    )
    _playbook(told, folder)
    _statutes(told, folder)
    around = Letter(title="Case notes", author=drawn.parties.associate.name, fitted=True)
    write_docx(folder / "case-notes.docx", fill("cases.md", told), around)
    page = Sheetwork(title="Confidentiality Agreement", author=drawn.parties.buyer, points=10.5)
    write_pdf(folder / "confidentiality-agreement.pdf", [fill("nda.md", told)], page)
    for name, text in (("negotiation-mails.md", "mails.md"), ("mail-from-client.md", "client.md")):
        (folder / name).write_text(fill(text, told), "utf-8", newline="\n")


# --- schedule 2 ---------------------------------------------------------------------------------


def _goods(told: Advice) -> Table:
    header = ("Line", "Article", "Delivery month", "Quantity", "Price", "Price for", "Status")
    rows = _written(told, "goods")
    return Table("Goods", header, rows, formats={"Price": "#,##0.00"}, widths={"Article": 24})


def _services(told: Advice) -> Table:
    header = ("Line", "Service", "Month", "Quantity", "Fee", "Fee for", "Status")
    rows = _written(told, "services")
    return Table("Services", header, rows, formats={"Fee": "#,##0.00"}, widths={"Service": 26})


def _written(told: Advice, kind: Kind) -> tuple[tuple[Value, ...], ...]:
    seed = told.world.seed
    dirt, dice = Dirt("schedule", kind, seed), Dice("order", kind, seed)
    rows = [row for row in told.world.rows if row.kind == kind]
    typed = Dice("typed", kind, seed).sample([r for r in rows if not r.again], AS_TEXT)
    firm = {row.line for row in rows[:3]}
    plain = [row for row in rows if not row.again]
    for row in [row for row in rows if row.again]:
        plain.insert(dice.whole(plain.index(_first(plain, row)) + 1, len(plain)), row)
    spelled = {row.line: dirt.month(row.month.year, row.month.month) for row in rows}
    return tuple(
        (
            row.line,
            row.what,
            spelled[row.line],
            f" {row.quantity}" if _first(rows, row) in typed else row.quantity,
            row.price,
            f"{row.per} pieces" if row.per > 1 else "1",
            "firm" if row.line in firm and row.status != "withdrawn" else row.status,
        )
        for row in plain
    )


def _first(rows: list[Row], row: Row) -> Row:
    return next(one for one in rows if one.line == row.line)


# --- playbook -----------------------------------------------------------------------------------


def _playbook(told: Advice, folder: Path) -> None:
    rows = "\n".join(_position(one) for one in POSITIONS)
    drawn = told.world
    scan = scan_page(
        _annex(),
        Dice("annex", drawn.seed),
        Scanner(points=11),
        stamp="EXECUTIVE BOARD - 28 AUG 2025",
    )
    around = Sheetwork(
        title="Contract playbook, edition 6",
        author=drawn.parties.buyer,
        header=drawn.parties.buyer,
        footer="Playbook, edition 6",
        points=9.5,
    )
    text = fill("playbook.md", told, positions=rows)
    write_pdf(folder / "playbook-edition-6.pdf", [text, scan], around)


def _position(one: Position) -> str:
    limits = list(one.limits)
    if one.better:
        word = "or more" if one.better == "more" else "or less"
        other = "or less" if one.better == "more" else "or more"
        limits = [f"{value} {w}" for value, w in zip(limits, (word, word, other), strict=True)]
    cells = (one.code, one.subject, one.weight, one.unit or "words", *limits)
    return f"| {' | '.join(cells)} |"


def _annex() -> list[str]:
    lines = ["# Annex A - grades and approval (signed)", "", "Grade by weight and class:", ""]
    heads = ("met", "fallback", "outside", "walk-away")
    for weight, grades in MATRIX.items():
        lines.append(f"{weight.upper()} positions")
        lines += [f"      {head}  -  {grade}" for head, grade in zip(heads, grades, strict=True)]
        lines.append("")
    lines += ["Who approves what stays as drafted:", ""]
    lines += [f"      {g}  -  {who}" for g, who in zip(GRADES, APPROVERS, strict=True)]
    last = [
        "The steps of section 2 come after the matrix; the approver goes by the",
        "final grade.",
    ]
    return [*lines, "", *last]


# --- statutes -----------------------------------------------------------------------------------


def _statutes(told: Advice, folder: Path) -> None:
    lines = [
        "# Schedule to the Interpretation and Time Act 1988",
        "Public holidays (section 5), as amended to 2024",
        "",
        *(f"      {day} {MONTHS[month - 1]}   {name}" for month, day, name in FIXED),
        "      the first Monday in May   Spring Day",
        "      the first Monday in October   Harvest Day",
        "",
        "Where one of these days falls on a Saturday or a Sunday, the next day",
        "that is neither a Saturday, a Sunday nor another public holiday is a",
        "public holiday in its place.",
        "",
        "There are no other public holidays.",
    ]
    scan = scan_page(lines, Dice("gazette", told.world.seed), stamp="OFFICIAL GAZETTE - COPY")
    around = Sheetwork(title="Statute extracts", author="Library", footer="Extracts", points=10.0)
    write_pdf(folder / "statute-extracts.pdf", [fill("statutes.md", told), scan], around)
