"""The files an agent gets: the log, manual, amendment, mail, customers, the last return."""

from pathlib import Path

from authoring.biz_02_complaints_return.story import LAST, LAST_BASE, LAST_CODES
from authoring.biz_02_complaints_return.world import (
    CODES,
    ELECTRICITY,
    GAS,
    LARGE,
    PARTNERS,
    SMALL,
    TEXTS,
    World,
)
from authoring.parts.dice import Dice
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

FORM = "return-2024-h2.xlsx"
CAUSES: tuple[str, ...] = (
    "Charge",
    "Bill",
    "Meter",
    "Payment",
    "Collection",
    "Sale",
    "Switch",
    "Contact",
)
CAUSES += ("Visit", "Care")
ON_FILE = {
    "a09": ("{given} {surname}, husband", ""),
    "a42": ("", "{given} {surname}, daughter"),
    "a56": ("", "{given} {surname}, son"),
}


def facts(told: World) -> dict[str, str]:
    return {
        "lead": told.lead.name,
        "lead_given": told.lead.given,
        "head": told.head.name,
        "head_given": told.head.given,
        "accounts": f"{told.base:,}",
    }


def log(told: World) -> Table:
    header = ("Contact", "Date", "Channel", "Account", "Tag", "What was said", "What was done")
    rows = tuple(
        (c.no, c.day, c.channel, told.accounts.get(c.account), c.tag, c.text, c.done)
        for c in told.contacts
    )
    widths = {"What was said": 90, "What was done": 90}
    return Table("Contacts", header, rows, widths=widths)


def customers(told: World) -> Table:
    header = ("Account", "Household", "Customer", "Segment", "Supply", "Living there", "Authorised")
    dice = Dice("households", *told.accounts.values())
    homes = dict(
        zip(told.accounts, dice.sample(range(1000, 9999), len(told.accounts)), strict=True)
    )
    rows: list[tuple[Value, ...]] = []
    for alias, number in told.accounts.items():
        home = homes[PARTNERS.get(alias, alias)]
        living, authorised = ON_FILE.get(alias, ("", ""))
        holder = told.holders[alias]
        near = {"given": dice.pick(tuple(told.holders.values())).given, "surname": holder.surname}
        living = living or ("" if dice.chance(60) else "{given} {surname}")
        supply = "electricity and gas"
        supply = "electricity" if alias in ELECTRICITY else "gas" if alias in GAS else supply
        segment = "large business" if alias in LARGE else "household"
        segment = "small business" if alias in SMALL else segment
        living = "" if segment != "household" else living.format(**near)
        rows.append(
            (number, f"H{home}", holder.formal, segment, supply, living, authorised.format(**near))
        )
    return Table("Customers", header, tuple(sorted(rows, key=lambda row: str(row[0]))))


def lines(figures: tuple[Value, ...], codes: tuple[int, ...], products: tuple[int, ...]) -> Table:
    """Sheet Return of the form, filled in."""
    what = (
        *("Complaints received", "of these summary resolutions", "Closed in time"),
        *("Open at the end of the half-year", "Upheld", "Partly upheld", "Not upheld"),
        *("Redress paid, GBP", "Complaints for each 1,000 accounts"),
        *(f"Cause {code}, {name}" for code, name in zip(CODES, CAUSES, strict=True)),
        *("Product E", "Product G", "Product B"),
    )
    values = (*figures, *codes, *products)
    rows = tuple(
        (f"L{n:02d}", text, value)
        for n, (text, value) in enumerate(zip(what, values, strict=True), 1)
    )
    return Table("Return", ("Line", "What", "Figure"), rows, widths={"What": 42})


def form(told: World) -> tuple[Table, ...]:
    rate = round(1000 * LAST[0] / LAST_BASE, 2)
    waiting = (
        (told.accounts["a109"], "2024-12-02", "Charge for November disputed", "K01"),
        (told.accounts["a110"], "2024-12-09", "Credit not paid back, answered 21 January", "K04"),
        (
            told.accounts["a86"],
            "2024-12-11",
            "Bill late, answered 8 January",
            "K02",
        ),
        (told.accounts["a47"], "2024-12-19", "Rude call, answered 14 January", "K08"),
        (told.accounts["a62"], "2024-12-27", "Reminder by mistake, answered 9 January", "K05"),
    )
    header = ("Account", "Received", "About", "Cause")
    return (
        lines((*LAST, rate), LAST_CODES, (33, 21, 17)),
        Table("Open", header, waiting, widths={"About": 44}),
    )


def write_inputs(told: World, folder: Path) -> None:
    write_workbook(folder / "contact-log.xlsx", (log(told),), "Contact log", "Customer Care")
    write_workbook(folder / FORM, form(told), "Return", "Compliance")
    write_csv(folder / "customers.csv", customers(told))
    around = Letter(title="Coding manual", author="Compliance", fitted=True)
    write_docx(folder / "coding-manual.docx", (TEXTS / "manual.md").read_text("utf-8"), around)
    sheet = Sheetwork(title="Amendment", author="Compliance", footer="Amendment", points=10)
    write_pdf(folder / "amendment-2025.pdf", [(TEXTS / "amendment.md").read_text("utf-8")], sheet)
    mail = (TEXTS / "mail.md").read_text("utf-8").format(**facts(told))
    (folder / "mail-from-compliance.md").write_text(mail, "utf-8", newline="\n")
