"""The files an agent gets: agreement, amendments, letters, rates, the bank's notices, payments."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review import rules as r
from authoring.fin_02_interest_review.days import HOLIDAYS
from authoring.fin_02_interest_review.notices import Notice
from authoring.fin_02_interest_review.story import Story
from authoring.fin_02_interest_review.world import START, World
from authoring.parts.numbers import money, percent, rounded
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

TEXTS = Path(__file__).with_name("texts")
AGREEMENT = "facilities-agreement.pdf"
AMENDMENTS = ("amendment-1.pdf", "amendment-2.pdf")
NOTICES, CERTIFICATES, RATES = "agent-notices.xlsx", "compliance-certificates.xlsx", "fixings.xlsx"
PAYMENTS, LOANS, CALENDAR = "payments.csv", "loan-register.csv", "holidays.csv"
HOLDING, REPORT, ASSURANCE = "holding-letter.pdf", "kpi-report-2024.docx", "assurance-statement.pdf"
ROLES = ("treasurer", "cfo", "controller", "former", "agent", "assurer")
Row = tuple[Value, ...]


def facts(drawn: World) -> dict[str, str]:
    """What the texts say."""
    found = {role: one.name for role, one in zip(ROLES, drawn.people, strict=True)}
    found |= {
        "borrower": drawn.borrower,
        "bank": drawn.bank,
        "assurer": f"{drawn.people[5].surname} Assurance",
        "a0": money(drawn.a0, 0),
        "b0": money(drawn.b0, 0),
        "rcf0": money(drawn.rcf[0], 0),
        "rcf1": money(drawn.rcf[1], 0),
        "refund": percent(drawn.refund / 100, 2),
        "fee": money(drawn.fee, 0),
        "closing": f"{drawn.closing:.4f}",
        "di": next(one.no for one in n.notices(drawn) if one.kind == n.DEFAULT),
    }
    columns = {"oa": "Facility A", "ob": "Facility B", "or": "RCF", "na": "A new", "nr": "RCF new"}
    for short, name in columns.items():
        found |= {f"{short}{step}": f"{v:.2f}" for step, v in enumerate(drawn.grid[name], 1)}
    for number, one in enumerate(drawn.indicators, 1):
        unit = " %" if one.least else ""
        values = (("", one.target), ("old", one.before), ("v", one.reported), ("a", one.assured))
        found |= {f"k{number}{name}": f"{value:.1f}{unit}" for name, value in values}
    return found


def text(name: str, drawn: World, **more: str) -> str:
    return (TEXTS / name).read_text("utf-8").format(**facts(drawn), **more)


# --- tables -------------------------------------------------------------------------------------


def notice_table(told: Story) -> Table:
    """As the Agent's portal exports them; how each was computed stands beside it."""
    header: tuple[str, ...] = (
        "Notice",
        "Facility",
        "Kind",
        "From",
        "To",
        "Days",
        "Currency",
        "Charged on",
    )
    header += ("Base rate %", "Spread %", "Average Margin or fee %", "Basis", "Amount", "Due")
    rows = tuple(_notice(told.world, line.notice) for line in told.lines)
    formats = {"Charged on": "#,##0.00", "Amount": "#,##0.00", "Base rate %": "0.0000"}
    return Table("Notices", header, rows, formats=formats, widths={"Kind": 22})


def _notice(drawn: World, one: Notice) -> Row:
    rules = n.ERRORS.get(one.key, n.AS_CERTIFIED)
    told = n.believed(drawn, one)
    head: Row = (one.no, one.facility, one.kind, one.first, one.last, told.days, one.currency)
    amount = n.charged(drawn, one)
    if one.kind == n.DEFAULT:
        return (*head, None, None, None, None, 360, amount, one.paid)
    sterling = one.currency == "GBP"
    cas = r.CAS if sterling and (not rules.cas_ends or one.first < rules.amended_2) else None
    basis = rules.sterling if sterling else 360
    details = (rounded(told.on, 2), told.rate, cas, rounded(told.margin, 5), basis)
    return (*head, *details, amount, one.paid)


def certificate_tables(told: Story) -> tuple[Table, ...]:
    header: tuple[str, ...] = (
        "Quarter date",
        "Version",
        "Net Debt (EUR thousand)",
        "EBITDA (EUR thousand)",
    )
    rows: list[Row] = []
    log: list[Row] = []
    for one in told.world.certificates:
        ratio = f"{rounded(one.debt / one.ebitda, 1)} : 1"
        rows.append((one.quarter, one.version, one.debt, one.ebitda, ratio))
        stamp = f"{one.received.isoformat()} {one.hour}"
        name = f"Compliance Certificate {one.quarter.isoformat()}"
        log.append((name, one.version, stamp))
    titled = ("Received by the Agent, time of day in Frankfurt.",)
    return (
        Table("Certificates", (*header, "Printed on it"), tuple(rows)),
        Table("Receipts", ("Document", "Version", "Received"), tuple(log), title=titled),
    )


def rate_tables(drawn: World) -> tuple[Table, ...]:
    euribor: tuple[Row, ...] = tuple((day, *values) for day, values in drawn.euribor.items())
    sonia: tuple[Row, ...] = tuple(drawn.sonia.items())
    spot: tuple[Row, ...] = tuple(drawn.spot.items())
    three = dict.fromkeys(("1M", "3M", "6M"), "0.000")
    return (
        Table("EURIBOR", ("Published for", "1M", "3M", "6M"), euribor, formats=three),
        Table("SONIA", ("Published for", "Per cent"), sonia, formats={"Per cent": "0.0000"}),
        Table("Agent spot", ("Day", "EUR for 1 GBP"), spot, formats={"EUR for 1 GBP": "0.0000"}),
    )


def register(drawn: World) -> Table:
    header: tuple[str, ...] = ("Loan", "Day", "Event", "Currency", "Amount", "Months", "Remark")
    rows: list[tuple[date, Row]] = [
        (START, ("Facility A", START, "drawn", "EUR", drawn.a0, None, None)),
        (n.DRAWN_B, ("Facility B", n.DRAWN_B, "drawn", "GBP", drawn.b0, None, None)),
        (n.PREPAID, ("Facility A", n.PREPAID, "prepaid", "EUR", drawn.prepaid, None, "voluntary")),
    ]
    rows += [(d, ("Facility A", d, "repaid", "EUR", drawn.repayment, None, None)) for d in n.REPAID]
    for one in drawn.loans:
        remark = "rollover of RCF 2" if one.name == "RCF 3" else None
        about = (one.currency, one.amount, one.months, remark)
        rows.append((one.first, (one.name, one.first, "drawn", *about)))
        if one is not drawn.loans[-1]:
            again = "rolled over into RCF 3" if one.name == "RCF 2" else None
            back = (one.currency, one.amount, None, again)
            rows.append((one.last, (one.name, one.last, "repaid", *back)))
    ordered = sorted(rows, key=lambda row: row[0])
    return Table("Loans", header, tuple(row for _, row in ordered))


def payments(told: Story) -> Table:
    """The bank statement: what goes out is negative."""
    drawn = told.world
    rows: list[tuple[date, Row]] = []
    for line in told.lines:
        one = line.notice
        for amount in n.transferred(drawn, one):
            if amount:
                rows.append((one.paid, (one.no, one.kind.upper(), -amount, one.currency)))
        if one.kind == n.DEFAULT:
            amount = n.charged(drawn, one)
            back = (one.no, "CREDIT, NOTICE WITHDRAWN", amount, "EUR")
            rows.append((n.REVERSED, back))
    for day in n.REPAID:
        rows.append((day, ("REPAY-A", "REPAYMENT FACILITY A", -drawn.repayment, "EUR")))
    rows.append((n.PREPAID, ("PREPAY-A", "PREPAYMENT FACILITY A", -drawn.prepaid, "EUR")))
    rows.append((r.AMENDED_2, ("AMEND-2", "AMENDMENT FEE", -drawn.fee, "EUR")))
    for year in (2024, 2025):
        rows.append((date(year, 1, 31), ("AGENCY", "AGENCY FEE", Decimal(-24000), "EUR")))
    ordered = sorted(rows, key=lambda row: (row[0], str(row[1][0])))
    header: tuple[str, ...] = ("Value date", "Reference", "Text", "Amount", "Currency")
    return Table("Payments", header, tuple((day, *row) for day, row in ordered))


def calendar() -> Table:
    rows = [(day, centre) for centre, days in HOLIDAYS.items() for day in days.split()]
    return Table("Holidays", ("Holiday", "Centre"), tuple(sorted(rows)))


def write_inputs(told: Story, folder: Path) -> None:
    drawn = told.world
    books: Mapping[str, tuple[Table, ...]] = {
        NOTICES: (notice_table(told),),
        CERTIFICATES: certificate_tables(told),
        RATES: rate_tables(drawn),
    }
    for name, tables in books.items():
        write_workbook(folder / name, tables, name.partition(".")[0], "Treasury")
    write_csv(folder / PAYMENTS, payments(told))
    write_csv(folder / LOANS, register(drawn))
    write_csv(folder / CALENDAR, calendar())
    _papers(drawn, folder)


def _papers(drawn: World, folder: Path) -> None:
    papers = {
        AGREEMENT: ("agreement.md", "Facilities Agreement"),
        AMENDMENTS[0]: ("amendment-1.md", "Amendment No. 1"),
        AMENDMENTS[1]: ("amendment-2.md", "Amendment No. 2"),
        HOLDING: ("holding-letter.md", "Holding letter"),
        ASSURANCE: ("assurance.md", "Assurance statement"),
    }
    for name, (source, title) in papers.items():
        pages = text(source, drawn).split("\n---\n")
        around = Sheetwork(title=title, author=drawn.borrower, footer=title, points=9)
        write_pdf(folder / name, pages, around)
    report = Letter(title="Sustainability indicators", author=drawn.borrower, fitted=True)
    write_docx(folder / REPORT, text("kpi-report.md", drawn), report)
    for name in ("agent-mails.md", "mail-from-controller.md", "treasury-note-2024.md"):
        (folder / name).write_text(text(name, drawn), "utf-8", newline="\n")
