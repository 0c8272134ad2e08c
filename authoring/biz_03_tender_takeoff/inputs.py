"""The files an agent gets: nine scans in no order, rules, rates, the client's bill, mails."""

from decimal import Decimal
from pathlib import Path

from authoring.biz_03_tender_takeoff.ink import DPI
from authoring.biz_03_tender_takeoff.pile import pages
from authoring.biz_03_tender_takeoff.symbols import REMOVED, WHAT
from authoring.biz_03_tender_takeoff.takeoff import CABLES, ITEMS, Told
from authoring.parts.dice import Dice
from authoring.parts.pack import save_png
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.people import people
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

TEXTS = Path(__file__).with_name("texts")
CLIENT = "Vale of Quarley Health Trust"


def facts(told: Told) -> dict[str, str]:
    estimator, engineer, buyer = people(Dice("people", "biz-03", told.seed), 3)
    return {
        "client": CLIENT,
        "estimator": estimator.name,
        "engineer": engineer.name,
        "buyer": buyer.name,
    }


def text(told: Told, name: str) -> str:
    return (TEXTS / name).read_text("utf-8").format(**facts(told))


def describe(item: str) -> str:
    if item == REMOVED:
        return "Take out and cart away existing piece, any kind"
    if item in CABLES:
        return f"Cable {CABLES[item]} mm2, three-core, clipped"
    return WHAT[item]


def unit(item: str) -> str:
    return "m" if item in CABLES else "no."


def bill(told: Told) -> Table:
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (item, describe(item), unit(item), told.client[item]) for item in ITEMS
    )
    return Table("Bill", ("Item", "Description", "Unit", "Quantity"), rows)


def rate_list(no: int, since: str, rates: dict[str, Decimal]) -> Table:
    title = (f"Rate list {no}; for tenders due on or after {since}; GBP, supplied and fitted",)
    rows = tuple((item, describe(item), unit(item), rates[item]) for item in sorted(ITEMS))
    return Table("Rates", ("Item", "Description", "Unit", "Rate"), rows, title=title)


def write_scans(told: Told, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    drawn = pages(told.world, told.seed)
    order = Dice("pile", told.seed).shuffled(tuple(drawn))
    for number, name in enumerate(order, 1):
        save_png(drawn[name](), folder / f"scan-{number:02d}.png", dpi=(DPI, DPI))


def write_inputs(told: Told, folder: Path) -> None:
    write_scans(told, folder)
    write_workbook(folder / "bill.xlsx", (bill(told),), "Bill of quantities", CLIENT)
    write_csv(folder / "rate-list-31.csv", rate_list(31, "1 April 2026", told.old_rates))
    write_csv(folder / "rate-list-32.csv", rate_list(32, "1 November 2026", told.rates))
    around = Sheetwork(
        title="Measuring and pricing rules", author="Dunmarrow Electrical", footer="Issue 5"
    )
    write_pdf(folder / "measuring-rules-5.pdf", [text(told, "rules-5.md")], around)
    letter = Letter(title="Measuring and pricing rules", author="Dunmarrow Electrical", fitted=True)
    write_docx(folder / "measuring-rules-4.docx", text(told, "rules-4.md"), letter)
    (folder / "mails.md").write_text(text(told, "mails.md"), "utf-8", newline="\n")
