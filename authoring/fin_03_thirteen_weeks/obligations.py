"""The list of what else is due, as the controller keeps it."""

from decimal import Decimal

from authoring.fin_03_thirteen_weeks.world import COMPANIES, World
from authoring.parts.numbers import money
from authoring.parts.tables import Table, Value

D = Decimal
Row = tuple[Value, ...]


def obligations(told: World) -> Table:
    names, known = told.names, told.figures
    rows: list[Row] = []

    def add(company: str, what: str, when: str, *amounts: Value) -> None:
        name = names.get(company)
        row = (f"F{len(rows) + 1:02d}", name, what, when, *amounts)
        rows.append((*row, *(None,) * (8 - len(row))))

    for company in COMPANIES:
        when = "last day of the month" if company == "S" else "25th of the month"
        add(company, "Net wages", when, *told.monthly[f"wages {company}"])
    for company in COMPANIES:
        add(company, "Payroll tax", "23rd, 41 per cent of the net wages of the month before")
    for company, when in (
        ("P", "each month, 23rd of the month after"),
        ("T", "for two months together, September and October on 23 November"),
        ("S", "for two months together, September and October on 23 November"),
    ):
        out, put = (known[f"{side} {company}"] for side in ("output", "input"))
        what = f"VAT. September: on sales {money(out)}, on purchases {money(put)}"
        add(company, what, when)
    _one_off(told, add)
    for what, when in (
        ("Planned sales", "policy 4.2, net amounts in management-accounts.xlsx"),
        ("Planned purchases", "policy 4.3, net amounts in management-accounts.xlsx"),
    ):
        for company in COMPANIES:
            add(company, what, when)
    header = ("Flow", "Company", "What", "Due", "September", "October", "November", "December")
    title = ("Day on which each is due; amounts in EUR. Direct debits say so.",)
    widths = {"What": 70, "Due": 60, "Company": 26}
    formats = dict.fromkeys(header[4:], "#,##0.00")
    return Table("Obligations", header, tuple(rows), formats, widths, title)


def _one_off(told: World, add: object) -> None:
    known = told.figures
    assert callable(add)
    refund, applied = money(known["refund S"]), money(known["refund P"])
    what = f"VAT of July and August, repayment of {refund}"
    add("S", what, "assessed on 29 September; the office pays on 17 October")
    what = f"Energy tax, repayment of {applied} applied for in August"
    add("P", what, "no assessment yet; last year it came on 14 November")
    rent, store = known["rent"], known["store"]
    add(
        "P",
        "Rent of the works",
        "1st of the month, in advance; the same in January",
        None,
        "paid",
        rent,
        rent,
    )
    add(
        "T",
        f"Rent of the store, {money(store)} a quarter",
        "1st of the quarter, in advance; October is paid",
    )
    robots = known["robots"]
    add("P", "Lease of the robots", "15th of the month, direct debit", None, robots, robots, robots)
    add("P", "Insurance of buildings and stock", "1 December", None, None, None, known["insurance"])
    furnace = money(known["furnace"], 0)
    what = (
        f"Furnace, price {furnace} and 23 per cent VAT: 30 per cent with the order (paid in June), "
        "50 per cent ten business days after delivery, 20 per cent 30 days after the start"
    )
    add("P", what, "delivery on 3 November and start on 24 November, as confirmed by the maker")
    add("P", "Term Loan, instalment", "31 December", None, None, None, known["instalment"])
    add(
        "P",
        "Term Loan, interest of the quarter",
        "31 December",
        None,
        None,
        None,
        known["loan interest"],
    )
    what = "Commitment fee and guarantee commission of the quarter"
    add("P", what, "31 December, direct debit", None, None, None, known["quarter fees"])
    what = "Interest on the purchase price of the shares, half a year"
    add("P", what, "1 November", None, None, known["vendor interest"])
