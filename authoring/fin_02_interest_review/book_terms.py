"""Inputs, Certificates, Margin of the reference, and the tables they rest on."""

from datetime import date, time
from decimal import Decimal

import xlsxwriter

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review import rules as r
from authoring.fin_02_interest_review.sheet import Pen
from authoring.fin_02_interest_review.story import Story
from authoring.fin_02_interest_review.world import END
from authoring.parts.tables import Value

D = Decimal
FIXED = date(2024, 8, 28)
"""The day whose EURIBOR stands in Inputs!B4."""
NOTIFIED = date(2025, 11, 12)
"""Whose rate stands in Inputs!B6."""
ALL, TARGET_DAYS, LONDON_DAYS = "BusinessHolidays", "TargetHolidays", "LondonHolidays"


def typed(told: Story) -> tuple[tuple[str, str, Value, str, str], ...]:
    """Label, name, value, look, source: the rows of Inputs from 2."""
    drawn = told.world
    restated = drawn.certificates[4]
    return (
        ("Day of repayment by the Agent", "Settled", n.SETTLED, "day", "prompt"),
        (
            *("Net debt 30 September 2024, restated, EUR thousand", "RestatedDebt"),
            *(restated.debt, "whole", "compliance-certificates.xlsx"),
        ),
        (
            *("3M EURIBOR of 28 August 2024", "FixingAugust"),
            *(drawn.euribor[FIXED][1] / 100, "percent", "fixings.xlsx"),
        ),
        (
            *("KPI 2 for 2024, as assured", "AssuredShare"),
            *(drawn.indicators[1].assured / 100, "percent", "assurance-statement.pdf"),
        ),
        (
            *("Agent's Spot Rate of 12 November 2025", "ClaimRate"),
            *(drawn.spot[NOTIFIED], "spot", "fixings.xlsx, clause 31.5"),
        ),
        ("Amendment 2 in force", "InForce2", r.AMENDED_2, "day", "mail of 4 April 2025"),
        ("Amendment 1 in force", "InForce1", r.AMENDED_1, "day", "mail of 9 October 2024"),
        ("Claim sent", "Sent", n.SENT, "day", "prompt"),
        ("Credit Adjustment Spread", "CAS", r.CAS / 100, "rate", "clause 8.7"),
        ("Interest on refunds", "RefundRate", drawn.refund / 100, "percent", "clause 31.3"),
        ("Commitment fee, of Margin", "Share1", r.SHARES[0], "percent", "clause 11.1"),
        ("the same from Amendment 2", "Share2", r.SHARES[1], "percent", "Amendment 2, 3"),
        ("RCF commitments", "Commitments1", drawn.rcf[0], "whole", "clause 2"),
        ("the same from Amendment 2", "Commitments2", drawn.rcf[1], "whole", "Amendment 2, 3"),
        ("Utilisation fee above a third", "Fee1", r.FEES[0], "percent", "clause 11A"),
        ("the same above two thirds", "Fee2", r.FEES[1], "percent", "clause 11A"),
        ("Days to deliver a certificate", "DueDays", 45, "whole", "clause 9.5"),
        ("Business Days to the Adjustment Date", "Fifth", 5, "whole", "clause 9.4"),
        ("Received on the day until", "Cutoff", D(17) / 24, "hour", "clause 9.4"),
        ("Step at first", "FirstStep", r.FIRST_STEP, "whole", "clause 9.1"),
        ("Step when a certificate is late", "LateStep", r.WORST, "whole", "clause 9.5"),
        ("Decimals of Leverage", "Decimals", 2, "whole", "clause 9.3"),
        ("Days of a year, EUR", "YearEUR", 360, "whole", "clause 8.4"),
        ("Days of a year, GBP", "YearGBP", 365, "whole", "clause 8.4"),
        ("Lookback, RFR Banking Days", "Lookback", 5, "whole", "Schedule 3"),
        ("TARGET Days to the Quotation Day", "Quotation", 2, "whole", "clause 8.6"),
        ("Business Days to the spot rate", "SpotDays", 2, "whole", "clause 1"),
        ("Holding letter received", "Held", n.HELD, "day", "holding-letter.pdf"),
        ("Months to claim", "Months1", 6, "whole", "clause 31.2"),
        ("the same from Amendment 2", "Months2", 12, "whole", "Amendment 2, 5"),
        ("Group's rate of 31 October 2025", "GroupRate", drawn.closing, "spot", "controller"),
        ("Accrued up to the day before", "AccruedTo", END, "day", "controller"),
    )


def inputs(told: Story, book: xlsxwriter.Workbook) -> None:
    pen = Pen(book, "Inputs", ("Input", "Value", "Source"), (46, 14, 34))
    for row, (label, name, value, look, source) in enumerate(typed(told), 2):
        pen.put(f"A{row}", label)
        pen.put(f"B{row}", value, look, typed=True)
        pen.put(f"C{row}", source)
        pen.define(name, f"B{row}")


def certificates(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = ("Quarter date", "Version", "Net debt", "EBITDA", "Leverage", "Step")
    heads += ("Arrived", "Hour", "Received", "Due", "Adjustment Date")
    pen = Pen(book, "Certificates", heads)
    for row, one in enumerate(told.reads, 2):
        cert = one.certificate
        hour = time.fromisoformat(cert.hour)
        share = D(hour.hour * 60 + hour.minute) / 1440
        debt = ("RestatedDebt", cert.debt, "whole") if row == 6 else (cert.debt, "whole")
        steps = "+".join(f"(E{row}>{limit})" for limit in r.STEPS)
        received = f"WORKDAY(G{row}-1+(H{row}>Cutoff),1,{ALL})"
        cells: dict[str, tuple[object, ...]] = {
            "A": (cert.quarter, "day"),
            "B": (cert.version, "text"),
            "C": debt,
            "D": (cert.ebitda, "whole"),
            "E": (f"ROUND(C{row}/D{row},Decimals)", one.leverage, "ratio"),
            "F": (f"1+{steps}", one.step, "whole"),
            "G": (cert.received, "day"),
            "H": (share, "hour"),
            "I": (received, one.received, "day"),
            "J": (f"A{row}+DueDays", one.due, "day"),
            "K": (f"WORKDAY(I{row},Fifth,{ALL})", one.adjusts, "day"),
        }
        pen.row(row, cells)


def corrected(first: int, again: int) -> str:
    """A Step as clause 9.6 corrects it, in the version of the day of receipt."""
    one, other = f"Certificates!F{first}", f"Certificates!F{again}"
    return f"IF(OR(Certificates!I{again}<InForce2,{other}>{one}),{other},{one})"


EVENTS: tuple[tuple[str, str, str], ...] = (
    ("DATE(2024,1,15)", "FirstStep", "first drawing"),
    ("Certificates!K2", "Certificates!F2", "certificate 31 March 2024"),
    ("Certificates!K3", "Certificates!F3", "certificate 30 June 2024"),
    ("InForce1", "E4", "Amendment 1"),
    (
        "Certificates!K4",
        corrected(4, 6),
        "certificate 30 September 2024, corrected upwards if restated so",
    ),
    (
        "Certificates!J5+1",
        "IF(Certificates!I5>Certificates!J5,LateStep,E6)",
        "certificate 31 December 2024 not there in time",
    ),
    (
        "Certificates!K5",
        corrected(5, 7),
        "certificate 31 December 2024",
    ),
    (f"WORKDAY(KPI!B7,Fifth,{ALL})", "E8", "indicators of 2024"),
    (
        "Certificates!K7",
        "IF(AND(Certificates!I7>=InForce2,Certificates!F7<Certificates!F5),Certificates!F7,E9)",
        "certificate 31 December 2024, restated downwards",
    ),
    ("Certificates!K8", "Certificates!F8", "certificate 31 March 2025"),
    ("Certificates!K9", "Certificates!F9", "certificate 30 June 2025"),
)


def margin(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = (
        "From",
        "Margin A",
        "Margin B",
        "Margin RCF",
        "Applied",
        "RCF without 9.7",
    )
    pen = Pen(book, "Margin", (*heads, "Clause 9.7", "Why"), (12, 11, 11, 11, 8, 11, 11, 58))
    sustained = told.margins[7].first
    for row, (line, (first, step, why)) in enumerate(zip(told.margins, EVENTS, strict=True), 2):

        def of(new: str, old: str, row: int = row) -> str:
            columns = (f"INDEX(Grid!${c}$2:${c}$6,E{row})" for c in (new, old))
            return f"IF(A{row}>=InForce1,{','.join(columns)})"

        kpi = line.rcf - line.plain
        cells: dict[str, tuple[object, ...]] = {
            "A": (first, line.first, "day"),
            "B": (f"{of('E', 'B')}+G{row}", line.a / 100, "percent"),
            "C": (f"INDEX(Grid!$C$2:$C$6,E{row})", line.b / 100, "percent"),
            "D": (f"F{row}+G{row}", line.rcf / 100, "percent"),
            "E": (step, line.step, "whole"),
            "F": (of("F", "D"), line.plain / 100, "percent"),
            "G": (f"IF(A{row}>=A$9,KPI!$B$6,0)", kpi / 100, "percent"),
            "H": (why, "text"),
        }
        assert line.first < sustained or kpi
        pen.row(row, cells)


def grid(told: Story, book: xlsxwriter.Workbook) -> None:
    names = ("Facility A", "Facility B", "RCF", "A new", "RCF new")
    pen = Pen(book, "Grid", ("Step", *names))
    for step in range(1, 6):
        pen.put(f"A{step + 1}", step)
        for letter, name in zip("BCDEF", names, strict=True):
            pen.put(f"{letter}{step + 1}", told.world.grid[name][step - 1] / 100, "percent")


def kpi(told: Story, book: xlsxwriter.Workbook) -> None:
    pen = Pen(book, "KPI", ("Indicator", "Assured", "Target", "Met"), (30,))
    ones = told.world.indicators
    for row, one in enumerate(ones, 2):
        share = D(100) if one.least else D(1)
        look = "percent" if one.least else "ratio"
        pen.put(f"A{row}", one.name)
        if one.least:
            pen.calc(f"B{row}", "AssuredShare", one.assured / share, look)
        else:
            pen.put(f"B{row}", one.assured, look)
        pen.put(f"C{row}", one.target / share, look)
        sign = ">=" if one.least else "<="
        pen.calc(f"D{row}", f"IF(B{row}{sign}C{row},1,0)", int(one.met(True)), "whole")
    met = sum(one.met(True) for one in ones)
    pen.put("A5", "Met")
    pen.calc("B5", "SUM(D2:D4)", met, "whole")
    pen.put("A6", "Adjustment of the Margin")
    pen.calc("B6", "CHOOSE(B5+1,0.0005,0,-0.00025,-0.0005)", r.KPI[met] / 100, "percent")
    pen.put("A7", "Report and statement received")
    pen.put("B7", r.ASSURANCE, "day")
