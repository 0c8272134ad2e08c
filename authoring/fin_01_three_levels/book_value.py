"""Assumptions, LTM, Adjustments, Working capital, Net debt, Price, Cross-check of the reference."""

from decimal import Decimal

from authoring.fin_01_three_levels import rules as r
from authoring.fin_01_three_levels import world as w
from authoring.fin_01_three_levels.reasons import reasons
from authoring.fin_01_three_levels.rules import Rules
from authoring.fin_01_three_levels.sheet import Book, Value, month_end
from authoring.fin_01_three_levels.story import Story
from authoring.fin_01_three_levels.world import LTM

D = Decimal
SHEET, CASE, TEST = "term sheet of 22 November 2024", 33, 39
"""Source; rows of the first case and of the test dates on Assumptions."""


def _inputs(told: Story) -> tuple[tuple[str, str, Value, str, str], ...]:
    """Label, name, value, look, source; from row 4."""
    terms = told.world.terms
    return (
        ("Entry multiple", "EntryMultiple", terms.multiple, "input", f"{SHEET}, 2"),
        ("Interest rate", "InterestRate", terms.interest, "input percent", "rate-confirmation.md"),
        ("Senior loan, times Covenant EBITDA", "LoanMultiple", terms.loan, "input", f"{SHEET}, 8"),
        ("First month end of the LTM", "LTMFirst", month_end(LTM[0]), "input day", f"{SHEET}, 2"),
        ("Reference Date", "ReferenceDate", month_end(LTM[-1]), "input day", f"{SHEET}, 1"),
        (
            "Successor of the director, a month",
            "DirectorCost",
            terms.director,
            "input money",
            f"{SHEET}, 7",
        ),
        (
            "Flow bench, unpaid since July 2024",
            "Bench",
            told.world.bench,
            "input money",
            "mail-from-controller.md, 2",
        ),
        (
            "First month end with the bench",
            "BenchFirst",
            month_end(LTM[9]),
            "input day",
            "mail-from-controller.md, 2",
        ),
        (
            "Retention bonuses",
            "Bonuses",
            terms.bonuses,
            "input money",
            "mail-from-controller.md, 4",
        ),
        (
            "Social charges on them",
            "SocialRate",
            r.SOCIAL,
            "input percent",
            "mail-from-controller.md, 4",
        ),
        ("Deferred share of the price", "DeferredShare", r.LATER, "input percent", f"{SHEET}, 6"),
        ("Costs of the transaction", "DealCosts", terms.costs, "input money", f"{SHEET}, 6"),
        ("Cash left in the group", "CashLeft", terms.cash, "input money", f"{SHEET}, 6"),
        ("Fee on the loan", "LoanFee", r.FEE, "input percent", f"{SHEET}, 8"),
        ("Tax", "TaxRate", r.TAX, "input percent", "IP-04, 2.4"),
        ("Capital expenditure by revenue", "CapexShare", r.CAPEX, "input percent", "IP-04, 2.3"),
        (
            "Working capital by increase in revenue",
            "TiedShare",
            r.WORKING,
            "input percent",
            "IP-04, 2.3",
        ),
        ("Rise of lease payments", "LeaseRise", r.INDEXED, "input percent", "IP-04, 2.2"),
        ("Costs of the exit", "ExitCosts", r.EXIT_COST, "input percent", "IP-04, 2.6"),
        ("Share of the managers", "ManagersShare", r.MANAGERS, "input percent", "IP-04, 2.6"),
        ("T1: IRR at least", "Hurdle", r.HURDLE, "input percent", "IP-04, 4"),
        ("T2: MOIC at least", "LeastMOIC", D("1.00"), "input", "IP-04, 4"),
        ("T3: headroom at least", "LeastRoom", r.ROOM, "input percent", "IP-04, 4"),
        ("T4: premium at most", "MostPremium", r.PREMIUM, "input percent", "IP-04, 4"),
        ("Loans are rounded down to", "LoanStep", r.STEP, "input money", "IP-04, 4.2"),
    )


def assumptions(told: Story, book: Book) -> None:
    sheet = book.sheet("Assumptions", (40, 15, 34, 15, 15, 15))
    sheet.put("A1", f"{told.world.target}: assumptions", "title")
    for column, head in zip("ABC", ("Assumption", "Figure", "Source"), strict=True):
        sheet.put(f"{column}3", head, "head")
    for row, (label, name, value, look, source) in enumerate(_inputs(told), 4):
        sheet.put(f"A{row}", label)
        sheet.put(f"B{row}", value, look)
        sheet.put(f"C{row}", source, "word")
        sheet.define(name, f"B{row}")
    for column, head in zip(
        "ABCD", ("Scenario (cases.md)", "Growth", "Margin step", "Exit multiple"), strict=True
    ):
        sheet.put(f"{column}{CASE - 1}", head, "head")
    for row, case in enumerate(told.world.cases, CASE):
        sheet.put(f"A{row}", case.name)
        sheet.put(f"B{row}", case.growth, "input percent")
        sheet.put(f"C{row}", case.step, "input percent")
        sheet.put(f"D{row}", case.exit, "input")
    sheet.put(f"A{TEST - 1}", f"Net senior debt by Covenant EBITDA, at most ({SHEET}, 9)", "bold")
    for row, (year, limit) in enumerate(
        zip(r.YEARS, told.world.terms.covenants, strict=True), TEST
    ):
        sheet.put(f"A{row}", f"31 March {2025 + year}")
        sheet.put(f"B{row}", limit, "input")


def ltm(told: Story, book: Book) -> None:
    sheet = book.sheet("LTM", (10, *(14,) * 10))
    sheet.heads(
        (
            "Month",
            "Revenue",
            "Reported EBITDA",
            "Lease payments",
            "Parent: sales",
            "Parent: EBITDA",
            "Subsidiary: sales, PLN",
            "Subsidiary: EBITDA, PLN",
            "PLN for EUR, average",
            "Parent: leases",
            "Subsidiary: leases, PLN",
        )
    )
    end = len(told.world.ledger) + 1
    booked = f"Ledger!$K$2:$K${end},Ledger!$I$2:$I${end}"
    account = f"Ledger!$D$2:$D${end}"
    for row, month in enumerate(told.months, 2):
        column = f"MATCH($A{row},'Subsidiary P&L'!$B$1:$V$1,0)"

        def line(number: int, column: str = column) -> str:
            return f"INDEX('Subsidiary P&L'!$B${number}:$V${number},{column})"

        sheet.put(f"A{row}", month_end(month.month), "month")
        costs = "-".join(line(number) for number in (3, 4, 5))
        rate = f"INDEX(Rates!$B$2:$B$22,MATCH($A{row},Rates!$A$2:$A$22,0))"
        leases = f"INDEX('Month ends'!$B$18:$M$18,MATCH($A{row},'Month ends'!$B$1:$M$1,0))"
        formulas = {
            "B": (f"E{row}+G{row}/I{row}", month.group[0]),
            "C": (f"F{row}+H{row}/I{row}", month.group[1]),
            "D": (f"J{row}+K{row}/I{row}", month.group[2]),
            "E": (
                f'-SUMIFS({booked},$A{row},{account},">=4000",{account},"<=4299")',
                month.parent[0],
            ),
            "F": (
                f'-SUMIFS({booked},$A{row},{account},">=4000",{account},"<=6999")',
                month.parent[1],
            ),
            "G": (f"1000*{line(2)}", month.pack[0]),
            "H": (f"1000*({line(2)}-{costs})", month.pack[1]),
            "I": (rate, month.rate),
            "J": (leases, month.parent[2]),
            "K": (f"1000*{line(8)}", month.pack[2]),
        }
        for letter, (formula, value) in formulas.items():
            sheet.calc(f"{letter}{row}", formula, value, "rate" if letter == "I" else "money")
    paid = told.price
    sheet.put("A15", "Total", "bold")
    for letter, value in zip(
        "BCD", (paid.revenue, paid.reported, paid.lease_payments), strict=True
    ):
        sheet.calc(f"{letter}15", f"SUM({letter}2:{letter}13)", value, "total")
    sheet.sheet.freeze_panes(1, 1)


def adjustments(told: Story, book: Book) -> None:
    """What counts is the sum of the ledger documents that are named beside it."""
    sheet = book.sheet("Adjustments", (22, 42, 13, 10, 13, 46, 60))
    sheet.heads(
        ("No.", "Matter", "Claimed by the vendor", "Decision", "Amount", "Ledger documents", "Why")
    )
    end = len(told.world.ledger) + 1
    named = f"SUMPRODUCT(ISNUMBER(SEARCH(Ledger!$B$2:$B${end},$F{{row}}))*Ledger!$K$2:$K${end})"
    pay = f"SUMPRODUCT((Ledger!$D$2:$D${end}=6020)*Ledger!$L$2:$L${end}*Ledger!$K$2:$K${end})"
    april = "MATCH(DATE(2024,4,30),Rates!$A$2:$A$22,0)"
    special = {
        "V1": f"{pay}-12*DirectorCost",
        "V10": f"1000*{told.world.severance}/INDEX(Rates!$B$2:$B$22,{april})",
    }
    why = reasons(told)
    for row, one in enumerate(told.adjustments, 2):
        sheet.put(f"A{row}", one.no)
        sheet.put(f"B{row}", one.subject)
        sheet.put(f"C{row}", one.claimed, "money")
        sheet.put(f"D{row}", one.decision, "word")
        sheet.put(f"F{row}", documents(told, one), "wrap")
        sheet.put(f"G{row}", why[one.no], "wrap")
        sheet.tall(row, max(-(-len(documents(told, one)) // 40), -(-len(why[one.no]) // 52)))
        if one.decision == "reject":
            sheet.put(f"E{row}", 0, "money")
        else:
            sheet.calc(f"E{row}", special.get(one.no, named.format(row=row)), one.amount)
    paid = told.price
    below = (
        ("Reported EBITDA, LTM", "LTM!C15", paid.reported),
        ("Adjustments together", "SUM(E2:E14)", paid.normalised - paid.reported),
        ("Normalised EBITDA", "E16+E17", paid.normalised),
        ("Lease payments, LTM", "LTM!D15", paid.lease_payments),
        ("Covenant EBITDA", "E18-E19", paid.covenant_ebitda),
    )
    for row, (label, formula, value) in enumerate(below, 16):
        sheet.put(f"A{row}", label, "bold")
        sheet.calc(f"E{row}", formula, value, "total")
    sheet.define("NormalisedEBITDA", "E18")
    sheet.define("CovenantEBITDA", "E20")
    sheet.sheet.freeze_panes(1, 1)


def documents(told: Story, one: r.Adjustment) -> str:
    """Where an adjustment is traced to."""
    if one.no == "V1":
        return "account 6020, October 2023 to September 2024"
    if one.no == "V10":
        return "subsidiary-pack.xlsx, Personnel of 2024-04 and Notes"
    if one.no == "V3":
        return "see V2"
    return ", ".join(one.documents) or "none"


def working(told: Story, book: Book) -> None:
    sheet = book.sheet("Working capital", (26, 16, 16, 16, 18, 14))
    sheet.heads(
        (
            "Month",
            "Trade working capital",
            "Parent, as booked",
            "Flow bench",
            "Subsidiary, PLN k",
            "PLN for EUR, closing",
        )
    )
    drawn = told.world

    def net(name: str, row: int) -> str:
        column = f"MATCH($A{row},'{name}'!$B$1:$M$1,0)"
        assets, owed = (
            f"SUM(INDEX('{name}'!$B${a}:$M${a},{column}):INDEX('{name}'!$B${b}:$M${b},{column}))"
            for a, b in ((2, 4), (5, 8))
        )
        return f"{assets}-{owed}"

    for row, month in enumerate(LTM, 2):
        sides = [
            sum(((1 if i in w.ASSETS else -1) * lines[i][month] for i in w.WORKING), D(0))
            for lines in (drawn.balances, drawn.pack_balances)
        ]
        bench = drawn.bench if month in LTM[9:] else D(0)
        sheet.put(f"A{row}", month_end(month), "month")
        sheet.calc(f"B{row}", f"C{row}+D{row}+1000*E{row}/F{row}", told.working[month])
        sheet.calc(f"C{row}", net("Month ends", row), sides[0])
        sheet.calc(f"D{row}", f"IF(A{row}>=BenchFirst,Bench,0)", bench)
        sheet.calc(f"E{row}", net("Subsidiary balance", row), sides[1], "cents")
        rate = f"INDEX(Rates!$C$2:$C$22,MATCH($A{row},Rates!$A$2:$A$22,0))"
        sheet.calc(f"F{row}", rate, drawn.closing[month], "rate")
    sheet.put("A15", "Peg: average", "bold")
    sheet.calc("B15", "AVERAGE(B2:B13)", told.price.peg, "total")
    sheet.put("A16", "At the Reference Date", "bold")
    sheet.calc("B16", "B13", told.working[LTM[-1]], "total")
    sheet.put("A17", "Above the peg", "bold")
    sheet.calc("B17", "B16-B15", told.price.adjustment, "total")
    sheet.define("WorkingCapitalPeg", "B15")


def net_debt(told: Story, book: Book) -> None:
    sheet = book.sheet("Net debt", (30, 18, 16, 16, 18, 46))
    sheet.heads(("Item", "Treatment", "In net debt", "Parent, EUR", "Subsidiary, PLN k", "Remark"))
    remarks = {
        "Trade payables": "flow bench taken out",
        "Payables for fixed assets": "with the flow bench, mail of 12 December 2024",
        "Lease liabilities": "debt in the price (Schedule 2 A), not for the bank (B)",
        "Rent deposit, pledged": "pledged cash is not cash",
        w.BONUSES: "with 21 % social charges, mail of 12 December 2024",
    }
    for row, one in enumerate(told.owed, 2):
        sheet.put(f"A{row}", one.item)
        sheet.put(f"B{row}", one.treatment)
        sign = f'IF(B{row}="debt",1,IF(B{row}="cash",-1,0))'
        sheet.calc(f"C{row}", f"{sign}*(D{row}+1000*E{row}/Rates!$C$22)", one.amount)
        moved = {"Trade payables": "-Bench", "Payables for fixed assets": "+Bench"}.get(
            one.item, ""
        )
        here = f"'Month ends'!M{row}{moved}"
        sheet.calc(
            f"D{row}", "Bonuses*(1+SocialRate)" if one.item == w.BONUSES else here, one.parent
        )
        if one.item == w.BONUSES:
            sheet.put(f"E{row}", 0, "cents")
        else:
            sheet.calc(f"E{row}", f"'Subsidiary balance'!M{row}", one.pack, "cents")
        sheet.put(f"F{row}", remarks.get(one.item, ""), "word")
    sheet.put("A20", "Total", "bold")
    sheet.calc("C20", "SUM(C2:C18)", told.price.debt, "total")


def price(told: Story, book: Book) -> None:
    sheet = book.sheet("Price", (44, 16, 52))
    sheet.heads(("From value to funding", "EUR", "How"))
    paid, terms = told.price, told.world.terms
    fund = told.outcomes["Base"].equity
    settled = paid.debt - paid.leases
    senior = paid.loan - terms.cash
    rows: tuple[tuple[str, str, Decimal, str], ...] = (
        ("Enterprise value", "EntryMultiple*NormalisedEBITDA", paid.value, "clause 2"),
        ("Net debt total", "'Net debt'!C20", paid.debt, "clause 5, Schedule 2 A"),
        ("Working capital adjustment", "'Working capital'!B17", paid.adjustment, "clauses 3 and 4"),
        ("Equity price", "B2-B3+B4", paid.equity, "clause 3"),
        ("Deferred payment", "DeferredShare*B5", paid.later, "clause 6, second anniversary"),
        ("Senior loan", "LoanMultiple*CovenantEBITDA", paid.loan, "clause 8"),
        ("Paid at closing", "B5-B6", paid.equity - paid.later, "clause 6"),
        ("Items settled, net of cash", "B3-B18", settled, "Schedule 2 A without leases"),
        ("Cash left in the group", "CashLeft", terms.cash, "clause 6"),
        ("Costs", "DealCosts", terms.costs, "clause 6"),
        ("Fee", "LoanFee*B7", r.FEE * paid.loan, "clause 8"),
        ("All uses at closing", "SUM(B8:B12)", fund + paid.loan, ""),
        ("Equity of the fund", "B13-B7", fund, "clause 10"),
    )
    for row, (label, formula, value, how) in enumerate(rows, 2):
        sheet.put(f"A{row}", label)
        sheet.calc(f"B{row}", formula, value, "total" if row in (5, 13, 14) else "money")
        sheet.put(f"C{row}", how, "word")
    sheet.put("A18", "Lease liabilities at the Reference Date")
    there = "MATCH(\"Lease liabilities\",'Net debt'!A2:A18,0)"
    own, foreign = (f"INDEX('Net debt'!{c}2:{c}18,{there})" for c in "DE")
    sheet.calc("B18", f"{own}+1000*{foreign}/Rates!C22", paid.leases)
    sheet.put("A19", "Leverage at closing, bank's definition")
    sheet.calc("B19", "(B7-CashLeft)/CovenantEBITDA", senior / paid.covenant_ebitda, "times")
    sheet.put("A20", "Leverage at closing with leases (IFRS 16)")
    sheet.calc(
        "B20",
        "(B7-CashLeft+B18)/NormalisedEBITDA",
        (senior + paid.leases) / paid.normalised,
        "times",
    )
    sheet.define("EquityPrice", "B5")


def cross_check(told: Story, book: Book) -> None:
    sheet = book.sheet("Cross-check", (22, 26, 10, 14, 18))
    sheet.heads(("No.", "Company", "Counts", "EV/EBITDA", "Multiple that counts"))
    for row, deal in enumerate(told.world.deals, 2):
        there = f"Deals!{{}}{row}"
        counts = r.used(deal, told.world, Rules())
        sheet.put(f"A{row}", deal.no)
        sheet.put(f"B{row}", deal.target, "word")
        field, signed, value, basis, remark = (there.format(c) for c in "DBEGH")
        limits = f'{signed}>="2021-10-01",{signed}<="2024-09-30",{value}>=5,{value}<=40'
        again = (
            f"COUNTIFS(Deals!B$2:B{row},{signed},Deals!E$2:E{row},{value})=1" if row > 2 else "TRUE"
        )
        if row > 2:
            again = f"SUMPRODUCT((Deals!B$2:B{row}={signed})*(Deals!E$2:E{row}={value}))=1"
        sound = f'ISERROR(SEARCH("administrator",{remark}))'
        rule = f'IF(AND({field}="{r.FIELD}",{limits},{basis}="IFRS 16",{sound},{again}),"yes","no")'
        sheet.calc(f"C{row}", rule, "yes" if counts else "no", "text")
        multiple = deal.value / deal.ebitda
        sheet.calc(f"D{row}", f"{value}/Deals!F{row}", multiple, "times")
        sheet.calc(f"E{row}", f'IF(C{row}="yes",D{row},"-")', multiple if counts else "-", "times")
    check = told.median * told.price.normalised
    below: tuple[tuple[str, str, Decimal, str], ...] = (
        ("Median multiple", "MEDIAN(E2:E12)", told.median, "times"),
        ("Cross-check value", "B14*NormalisedEBITDA", check, "money"),
        ("Premium", "Price!B2/B15-1", told.premium, "percent"),
    )
    for row, (label, formula, figure, look) in enumerate(below, 14):
        sheet.put(f"A{row}", label, "bold")
        sheet.calc(f"B{row}", formula, figure, look)
