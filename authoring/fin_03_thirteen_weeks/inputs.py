"""The files that an agent gets."""

from decimal import Decimal
from pathlib import Path

from authoring.fin_03_thirteen_weeks.bank import ACCOUNTS, entries
from authoring.fin_03_thirteen_weeks.obligations import obligations
from authoring.fin_03_thirteen_weeks.rules import EXCEPTIONS
from authoring.fin_03_thirteen_weeks.world import (
    ACTUAL,
    COMPANIES,
    MONTHS,
    PLANNED,
    TEXTS,
    World,
    load,
)
from authoring.parts.numbers import money
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

D = Decimal
Row = tuple[Value, ...]
ROLES = ("treasurer", "cfo", "director", "sales", "first", "second")
FORM = "schedule-4.docx"
MONEY = "#,##0.00"


def facts(told: World) -> dict[str, str]:
    """What the texts say."""
    found = dict(told.names)
    for role, one in zip(ROLES, told.people, strict=False):
        found |= {role: one.name, f"{role}_given": one.given}
    found |= {f"who{n}": one.surname for n, one in enumerate(told.people[6:], 1)}
    found |= {key: one.name for key, one in told.customers.items()}
    for item in told.items:
        part = item.off or item.setoff
        found |= {item.key: item.no, f"{item.key}_part": f"EUR {money(part)}"}
    found |= {one.key: one.ref for one in told.payables if one.key[0] == "v"}
    for name in ("commitments", "floor"):
        found[name] = money(told.figures[name], 0)
    return found


def text(name: str, told: World) -> str:
    return (TEXTS / name).read_text("utf-8").format(**facts(told))


def _party(told: World, key: str, supplier: bool = False) -> tuple[str, str]:
    if key in COMPANIES:
        return f"G{key}", told.names[key]
    known = told.suppliers[key] if supplier else told.customers[key]
    return known.no, known.name


def _open_items(told: World) -> tuple[Table, ...]:
    formats = {"Open amount": MONEY}
    ours: list[Row] = []
    for item in told.items:
        kind = "credit note" if item.amount < 0 else "invoice"
        who = _party(told, item.customer)
        ours.append((item.no, told.names[item.company], *who, kind, item.day, item.amount))
    header: tuple[str, ...] = (
        "Item",
        "Company",
        "Customer no.",
        "Customer",
        "Kind",
        "Document date",
        "Open amount",
    )
    receivable = Table("Receivables", header, tuple(ours), formats, {"Customer": 28, "Company": 26})
    theirs: list[Row] = []
    for one in told.payables:
        who = _party(told, one.supplier, supplier=True)
        flag = "B" if one.flag else None
        row = (one.no, told.names[one.company], *who, one.ref, one.day, one.amount, flag)
        theirs.append((*row, one.text or None))
    header = ("Item", "Company", "Supplier no.", "Supplier", "Supplier's invoice", "Document date")
    header += ("Open amount", "Block", "Text")
    widths = {"Supplier": 28, "Company": 26, "Text": 90}
    return receivable, Table("Payables", header, tuple(theirs), formats, widths)


def _partners(told: World) -> tuple[Table, ...]:
    rows: list[Row] = []
    for one in told.customers.values():
        late = (*one.late, *(None,) * (6 - len(one.late)))
        how = "direct debit" if one.debit else "transfer"
        rows.append((one.no, one.name, told.names[one.company], one.terms, how, *late))
    groups: list[Row] = [
        (f"G{key}", told.names[key], None, "N45", "settlement", *(None,) * 6) for key in COMPANIES
    ]
    last = tuple(f"Late {n}" for n in range(1, 7))
    header = ("Customer no.", "Customer", "Company", "Terms", "Pays by", *last)
    title = ("Late 1 is the last payment, Late 2 the one before, in days after the due day.",)
    rows.sort(key=lambda row: str(row[0]))
    widths = {"Customer": 28, "Company": 26, "Supplier": 28}
    customers = Table("Customers", header, (*rows, *groups), {}, widths, title)
    special: list[Row] = [
        (told.customers[key].no, told.customers[key].name, first, last_day, words)
        for key, first, last_day, words in EXCEPTIONS
    ]
    header = ("Customer no.", "Customer", "Documents from", "Documents to", "Terms")
    exceptions = Table("Exceptions", header, tuple(special), {}, widths)
    suppliers: list[Row] = []
    for sup in told.suppliers.values():
        how = {"debit": "direct debit", "run": "run", "critical": "run, critical"}[sup.how]
        discount: Row = (sup.rate, sup.days) if sup.rate else (None, None)
        suppliers.append((sup.no, sup.name, told.names[sup.company], sup.net, *discount, how))
    header = (
        "Supplier no.",
        "Supplier",
        "Company",
        "Net days",
        "Discount",
        "Discount days",
        "Paid by",
    )
    formats = {"Discount": "0.0%"}
    return customers, exceptions, Table("Suppliers", header, tuple(suppliers), formats, widths)


def _notes(told: World) -> Table:
    known = facts(told)
    rows: list[Row] = []
    collectors = (known["first"], known["second"])
    for place, (day, who, key, words) in enumerate(load("notes.yaml"), 1):
        customer = told.customers[key]
        rows.append(
            (
                f"N{place:03d}",
                day,
                collectors[who],
                customer.no,
                customer.name,
                words.format(**known),
            )
        )
    return Table(
        "Notes", ("Note", "Day", "By", "Customer no.", "Customer", "Note text"), tuple(rows)
    )


def _statements(told: World) -> Table:
    lines = entries(told)
    rows: list[Row] = []
    for company, number in ACCOUNTS.items():
        own = [one for one in lines if one.account == company]
        booked = sum((one.amount for one in own if one.booked), D(0))
        end = told.figures["pledged" if company == "pledged" else f"cash {company}"]
        holder = told.names.get(company, told.names["P"])
        label = f"{holder} {number}" + (", pledged to the landlord" if company == "pledged" else "")
        balance = end - booked
        rows.append((label, "2025-09-21", "BALANCE BROUGHT FORWARD", None, f"{balance:.2f}"))
        for one in own:
            balance += one.amount if one.booked else D(0)
            shown = f"{balance:.2f}" if one.booked else None
            rows.append((label, one.day, one.text, f"{one.amount:.2f}", shown))
    return Table("Statements", ("Account", "Booked", "Text", "Amount", "Balance"), tuple(rows))


def _series(
    told: World, name: str, rows: tuple[tuple[str, str], ...], months: tuple[str, ...]
) -> Table:
    """One line a month."""
    header = ("Month", *(label for label, _ in rows))
    start = len(MONTHS) - len(months)
    lines: list[Row] = []
    for place, month in enumerate(months):
        values: list[Value] = []
        for _, key in rows:
            series = told.monthly[key]
            at = place + start if len(series) == len(MONTHS) else place
            values.append(series[at] if at < len(series) else None)
        lines.append((month + (" plan" if month in PLANNED else ""), *values))
    formats = {label: "#,##0" for label, _ in rows}
    return Table(name, header, tuple(lines), formats)


def _accounts(told: World) -> tuple[Table, ...]:
    names = told.names
    books = tuple((names[key], f"ebitda {key}") for key in COMPANIES)
    leases = tuple((names[key], f"rent {key}") for key in COMPANIES)
    year = MONTHS[3:]
    labels: tuple[tuple[str, str], ...] = (
        ("Interest on loans and purchase price", "interest"),
        ("Interest on finance leases (robots)", "finance lease interest"),
        ("Interest on other leases", "lease interest"),
        ("Commitment fee", "commitment fee"),
        ("Guarantee commission", "guarantee commission"),
        ("Arrangement fee, spread over the term", "arrangement fee"),
        ("Interest on the shareholder's subordinated loan", "shareholder interest"),
        ("Interest received", "interest received"),
    )
    plan = tuple((f"Sales {names[key]}", f"sales {key}") for key in COMPANIES)
    plan += tuple((f"Purchases {names[key]}", f"purchases {key}") for key in COMPANIES)
    before = _series(
        told, "Before 1 May", ((f"EBITDA {names['S']}, own accounts", "own S"),), ACTUAL[:7]
    )
    more: tuple[Row, ...] = (
        ("Synergies of the purchase, as the seller saw them, a month", D(15000)),
    )
    title = ("Not in the management accounts. Rent is an expense in these accounts.",)
    rows = (*before.rows, *more)
    before = Table(before.name, before.header, rows, before.formats, {"Month": 56}, title)
    paid = _series(told, "Lease payments", leases, MONTHS)
    title = ("Payments under all leases but that of the robots; not an expense in EBITDA.",)
    return (
        _series(told, "EBITDA", books, MONTHS),
        Table(paid.name, paid.header, paid.rows, paid.formats, {}, title),
        before,
        _series(told, "Finance", labels, year),
        _series(told, "Plan", plan, PLANNED),
        _balances(told),
    )


def _balances(told: World) -> Table:
    known = told.figures
    rows: tuple[Row, ...] = (
        ("Term Loan", known["term"], known["term"]),
        ("Loans under the Revolving Facility", known["drawn"], None),
        (
            "Leases that would have been finance leases (robots)",
            known["lease September"],
            known["lease December"],
        ),
        ("Other leases", known["rent leases"], known["rent leases"] - 87_000),
        (
            "Purchase price for the shares in 2025, due 30 April 2027",
            known["vendor"],
            known["vendor"],
        ),
        (
            "Subordinated loan of the shareholder",
            known["shareholder loan"],
            known["shareholder loan"],
        ),
        (
            "Guarantees issued under the Revolving Facility",
            known["guarantees"],
            known["guarantees"],
        ),
        ("Provisions for pensions", D(412_000), D(415_000)),
    )
    header = ("Balance, EUR", "30 September 2025", "28 December 2025, plan")
    formats = dict.fromkeys(header[1:], "#,##0")
    return Table("Balances", header, rows, formats, {header[0]: 56, header[2]: 24})


def _register(told: World) -> Table:
    rows = tuple(
        (one.no, one.month, told.names[one.company], one.amount, one.reported, one.text)
        for one in told.matters
    )
    header = ("Item", "Recorded in", "Company", "Amount", "Quarterly report", "What it is")
    widths = {"What it is": 100, "Company": 26, "Quarterly report": 18}
    title = ("Proposed by the companies. Costs positive, income negative, EUR.",)
    return Table("Register", header, rows, {"Amount": "#,##0"}, widths, title)


def write_inputs(told: World, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    author = "Treasury"
    write_workbook(folder / "open-items.xlsx", _open_items(told), "Open items", author)
    write_workbook(folder / "partners.xlsx", _partners(told), "Partners", author)
    write_workbook(folder / "obligations.xlsx", (obligations(told),), "Obligations", author)
    write_workbook(folder / "management-accounts.xlsx", _accounts(told), "Accounts", author)
    write_workbook(folder / "exceptional-items.xlsx", (_register(told),), "Register", author)
    write_csv(folder / "collection-notes.csv", _notes(told))
    write_csv(folder / "bank-statements.csv", _statements(told))
    around = Letter(title="Liquidity policy", author=author, fitted=True)
    write_docx(folder / "liquidity-policy.docx", text("policy.md", told), around)
    form = Letter(title="Schedule 4", author=told.names["bank"], fitted=True)
    write_docx(folder / FORM, text("form.md", told), form)
    papers = {
        "liquidity-policy-2023.pdf": "policy-old.md",
        "facility-agreement.pdf": "agreement.md",
        "amendment-letter.pdf": "amendment.md",
    }
    for name, source in papers.items():
        sheet = Sheetwork(title=name[:-4], author=author, footer=name[:-4], points=9.5)
        write_pdf(folder / name, [text(source, told)], sheet)
    for name in ("mail-wednesday.md", "mail-friday.md"):
        (folder / name).write_text(text(name, told), "utf-8", newline="\n")
