"""The files an agent gets: two term sheets, policy, books of two companies, letters."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from authoring.fin_01_three_levels import world as w
from authoring.fin_01_three_levels.world import ACCOUNTS, LTM, PACK, World, at_end
from authoring.parts.dice import Dice
from authoring.parts.numbers import money, percent
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.scan import scan_page
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

TEXTS = Path(__file__).with_name("texts")
TERMS, OLD_TERMS = "term-sheet-2024-11-22.pdf", "term-sheet-2024-09-20.docx"
POLICY, VENDOR = "investment-policy-IP-04.pdf", "vendor-adjustments.docx"
LEDGER, RATES = "ledger.csv", "rates.csv"
PACK_BOOK, MONTH_ENDS, DEALS = "subsidiary-pack.xlsx", "month-ends.xlsx", "deals.xlsx"
MAIL, CONFIRMATION, CASES = "mail-from-controller.md", "rate-confirmation.md", "cases.md"
BANK = "Landesbank Mittelmark"
HEADER = ("Posted", "Document", "Line", "Account", "Account name", "Text", "Cost centre", "Amount")
SCHEDULE = (
    "# Schedule 2 - Net debt and bank definitions (initialled)",
    "",
    "A.  Net debt, at the Reference Date, of both companies:",
    "      + bank loans and interest accrued on them",
    "      + shareholder loan",
    "      + lease liabilities under IFRS 16",
    "      + income tax payable",
    "      + everything owed for fixed assets",
    "      + bonuses promised because of this transaction, with the",
    "        employer's social charges on them",
    "      - cash at bank. Cash that is pledged is not cash.",
    "    Nothing else. What is working capital under clause 4 is not",
    "    debt; deferred tax is neither.",
    "",
    "B.  For the bank, accounting standards do not matter:",
    "    Covenant EBITDA = Normalised EBITDA less the lease payments of",
    "      the period (as if rents were still an expense).",
    "    Net senior debt = senior loan less the cash that is left in the",
    "      Group at closing. Lease liabilities are not part of it.",
    "",
    "C.  Amounts in other currencies: as the Buyer's policy says.",
    "",
    "Initialled on 22 November 2024",
)


def table(rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def facts(drawn: World) -> dict[str, str]:
    """What the texts say."""
    terms = drawn.terms
    found = {
        "fund": drawn.fund,
        "platform": drawn.platform,
        "target": drawn.target,
        "subsidiary": drawn.subsidiary,
        "city": drawn.city,
        "depot": drawn.depot,
        "bank": BANK,
        "partner": drawn.partner.name,
        "partner_given": drawn.partner.given,
        "controller": drawn.controller.name,
        "lender": drawn.lender.name,
        "adviser": f"{drawn.adviser.surname} Corporate Finance",
        "multiple": f"{terms.multiple:.2f}",
        "old_multiple": f"{terms.old_multiple:.2f}",
        "loan": f"{terms.loan:.2f}",
        "indicative": percent(terms.indicative, 2),
        "interest": percent(terms.interest, 2),
        "cash": money(terms.cash, 0),
        "costs": money(terms.costs, 0),
        "director": money(terms.director, 0),
        "bench": money(drawn.bench, 0),
        "bonuses": money(terms.bonuses, 0),
        "rate": f"{drawn.closing[LTM[-1]]:.4f}",
    }
    found |= {f"c{n}": f"{value:.2f}" for n, value in enumerate(terms.covenants, 1)}
    return found | {f"o{n}": f"{value:.2f}" for n, value in enumerate(terms.old_covenants, 1)}


def text(name: str, drawn: World, **more: str) -> str:
    return (TEXTS / name).read_text("utf-8").format(**facts(drawn), **more)


def ledger_table(drawn: World) -> Table:
    rows: list[tuple[Value, ...]] = [
        (o.posted, o.document, o.line, o.account, ACCOUNTS[o.account], o.text, o.centre, o.amount)
        for o in drawn.ledger
    ]
    widths = {"Account name": 32, "Text": 40, "Cost centre": 20}
    return Table("Ledger", HEADER, tuple(rows), widths=widths, formats={"Amount": "#,##0.00"})


def pack_tables(drawn: World) -> tuple[Table, ...]:
    """Thousands of PLN, calendar years, with the total of 2023 between the months."""
    first, rest = PACK[:12], PACK[12:]
    header = ("PLN '000", *first, "FY 2023", *rest)
    rows: list[tuple[Value, ...]] = []
    for name in (*w.LINES, w.PAYMENTS):
        line = drawn.pack[name]
        total = sum((line[m] for m in first), Decimal(0))
        rows.append((name, *(line[m] for m in first), total, *(line[m] for m in rest)))
    balance = _across(drawn.pack_balances)
    remark = f"Personnel of 2024-04 includes severance of PLN {drawn.severance}k (one time)."
    notes = (
        ("Statutory year: calendar year. Unaudited monthly figures, group policies (IFRS 16).",),
        (remark,),
        ("No trade with the parent.",),
    )
    return (
        Table("P&L", header, tuple(rows), widths={header[0]: 26}),
        Table("Balance", ("PLN '000", *LTM), balance, widths={"PLN '000": 28}),
        Table("Notes", ("Notes",), notes, widths={"Notes": 90}),
    )


def _across(lines: Mapping[str, Mapping[str, Decimal]]) -> tuple[tuple[Value, ...], ...]:
    return tuple((name, *(line[m] for m in LTM)) for name, line in lines.items())


def balance_tables(drawn: World) -> tuple[Table, ...]:
    rows = _across(drawn.balances)
    payments = tuple((at_end(m), drawn.leases[m]) for m in LTM)
    titled = (
        "Month ends, EUR, parent company only. All amounts positive; sign by nature of the line.",
    )
    return (
        Table("Balances", ("Item", *LTM), rows, widths={"Item": 30}, title=titled),
        Table("Lease payments", ("Month end", "Paid"), payments),
    )


def rate_rows(drawn: World) -> Table:
    rows = tuple(
        (
            m,
            f"{drawn.average[m]:.4f}",
            f"{drawn.printed if m == PACK[-1] else drawn.closing[m]:.4f}",
        )
        for m in PACK
    )
    return Table("Rates", ("Month", "Average", "Closing"), rows)


def deal_table(drawn: World) -> Table:
    header = (
        "No.",
        "Signed",
        "Target",
        "Activity",
        "EV (EUR m)",
        "EBITDA (EUR m)",
        "Basis",
        "Remark",
    )
    rows: list[tuple[Value, ...]] = [
        (d.no, d.signed, d.target, d.activity, d.value, d.ebitda, d.basis, d.remark or None)
        for d in drawn.deals
    ]
    widths = {"Target": 24, "Activity": 26, "Basis": 16, "Remark": 28}
    return Table("Deals", header, tuple(rows), widths=widths)


def write_inputs(drawn: World, folder: Path) -> None:
    sheets: Mapping[str, tuple[Table, ...]] = {
        PACK_BOOK: pack_tables(drawn),
        MONTH_ENDS: balance_tables(drawn),
        DEALS: (deal_table(drawn),),
    }
    for name, tables in sheets.items():
        write_workbook(folder / name, tables, name.partition(".")[0], "Data room")
    write_csv(folder / LEDGER, ledger_table(drawn))
    write_csv(folder / RATES, rate_rows(drawn))
    _papers(drawn, folder)


def _papers(drawn: World, folder: Path) -> None:
    scan = scan_page(SCHEDULE, Dice("fin-01 scan", drawn.seed), stamp="INITIALLED - 22 NOV 2024")
    around = Sheetwork(
        title="Term sheet",
        author=drawn.fund,
        header=f"{drawn.platform} / {drawn.target}",
        footer="Term sheet of 22 November 2024",
        points=9,
    )
    write_pdf(folder / TERMS, [text("term-sheet.md", drawn), scan], around)
    policy = Sheetwork(
        title="IP-04", author=drawn.fund, header=drawn.fund, footer="IP-04", points=8.6
    )
    write_pdf(folder / POLICY, [text("policy.md", drawn)], policy)
    draft = Letter(
        title="Indicative term sheet",
        author=drawn.platform,
        header="Draft, subject to contract",
        fitted=True,
    )
    write_docx(folder / OLD_TERMS, text("term-sheet-old.md", drawn), draft)
    rows = [(m.no, m.subject, money(m.claimed, 0), m.basis) for m in drawn.matters]
    total = money(sum((m.claimed for m in drawn.matters), Decimal(0)), 0)
    vendor = Letter(title="Normalisation of EBITDA", author=drawn.adviser.name, fitted=True)
    said = text("vendor.md", drawn, rows=table(rows), total=total)
    write_docx(folder / VENDOR, said, vendor)
    cases = [
        (c.name, percent(c.growth), f"{c.step * 100:+.2f}", f"{c.exit:.2f}") for c in drawn.cases
    ]
    letters = {
        MAIL: text("mail-controller.md", drawn),
        CONFIRMATION: text("confirmation.md", drawn),
        CASES: text("cases.md", drawn, rows="|---|---|---|---|\n" + table(cases)),
    }
    for name, written in letters.items():
        (folder / name).write_text(written, "utf-8", newline="\n")
