"""Items of the second workbook: ones and noughts for each rule; the first one is the code."""

from datetime import date

from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_03_thirteen_weeks.book_items import no
from authoring.fin_03_thirteen_weeks.rules import EXCEPTIONS, FAR, GROUP_TERMS
from authoring.fin_03_thirteen_weeks.world import COMPANIES, World

TODAY = "DATE(2025,10,3)"
DOWN = '(Settings!$B$2="Downside")'
FORMAT = "ddd d mmm yy"


def opened(day: str) -> str:
    """The day, or the next on which banks work."""
    return f"IF(NETWORKDAYS({day},{day},Shut)=1,{day},WORKDAY({day},1,Shut))"


def shut_back(day: str) -> str:
    return f"IF(NETWORKDAYS({day},{day},Shut)=1,{day},WORKDAY({day},-1,Shut))"


def run_of(day: str) -> str:
    """The last run's weekday that is not after a day."""
    return f"({day}-MOD({day}-1-Settings!$B$7,7))"


FIRST_RUN = f"({run_of(TODAY)}+7)"


def receivables(told: World, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = (
        "Item",
        "Customer",
        "Of",
        "Dated",
        "Open",
        "Booked",
        "Set off",
        "Not paid",
        "Rest",
    )
    heads += ("Court", "Said for", "Said on", "Missed", "Bounced", "Letter", "Days", "Due")
    heads += tuple(f"is R{n}" for n in range(1, 9))
    heads += ("Day", "Expected on", "Code", "Expected")
    sheet.append(heads)
    last = len(told.items) + 1
    for row, item in enumerate(sorted(told.items, key=lambda one: (one.day, one.no)), 2):
        off: float | str = float(item.off)
        if item.customer == "c03":
            off = f"=ROUND(E{row}*0.015*(D{row}>=DATE(2025,9,1)),2)"
        mark = ("x" if item.insolvent else None, item.promise, item.made, item.broken)
        known = (item.no, no(told, item.customer), item.company, item.day, float(item.amount))
        taken = (
            float(item.paid),
            float(item.setoff),
            off,
            f"=ROUND(E{row}-F{row}-G{row}-H{row},2)",
        )
        sheet.append((*known, *taken, *mark, "x" if item.returned else None))
        for column, formula in _formulas(row, last).items():
            sheet[f"{column}{row}"] = f"={formula}"
        for column in ("Q", "Z", "AA"):
            sheet[f"{column}{row}"].number_format = FORMAT


def _formulas(row: int, last: int) -> dict[str, str]:
    hit = f"(Terms!$A$2:$A$40=B{row})*(Terms!$B$2:$B$40<=D{row})*(Terms!$C$2:$C$40>=D{row})"
    partner = f"MATCH(B{row},Partners!$A$2:$A$50,0)"
    slow = f"INDEX(Partners!$J$2:$J$50,{partner})"
    usual = opened(f"(Q{row}+{slow})")
    plain = f"IF({usual}>{TODAY},{usual},WORKDAY({TODAY},Settings!$B$6,Shut))"
    nine = f"IF({DOWN},WORKDAY({plain},Settings!$B$10,Shut),{plain})"
    said, missed = opened(f"K{row}"), f"M{row}*Settings!$B$4"
    eight = f"IF({missed}=0,{said},WORKDAY({said},{missed},Shut))"
    seven = opened(f"MAX(Q{row},{TODAY}+1)")
    three = f"WORKDAY(EOMONTH(IF(Q{row}>{TODAY},Q{row},DATE(2025,10,31)),0)+1,-1,Shut)"
    first = f"SUMPRODUCT(MIN((B$2:B${last}<>B{row})*99999+AD$2:AD${last}))"
    return {
        "O": f"LOOKUP(2,1/({hit}),Terms!$D$2:$D$40)",
        "P": f"LOOKUP(2,1/({hit}),Terms!$E$2:$E$40)",
        "Q": (
            f'CHOOSE(MATCH(O{row},{{"N","E","F"}},0),D{row}+P{row},EOMONTH(D{row},0)+P{row},'
            f"EOMONTH(D{row},1)+P{row})"
        ),
        "R": f"(I{row}=0)*(F{row}<>0)",
        "S": f"--(E{row}<0)",
        "T": f'--(LEFT(B{row},1)="G")',
        "U": f'--(J{row}="x")',
        "V": f"(I{row}=0)*(G{row}>0)",
        "W": f"--(I{row}=0)",
        "X": f'(INDEX(Partners!$C$2:$C$50,{partner})="collected")*(N{row}<>"x")',
        "Y": f"(K{row}>{TODAY})*({TODAY}-L{row}<=Settings!$B$3)",
        "Z": (
            f'IF(AB{row}="R3",{three},IF(AB{row}="R7",{seven},IF(AB{row}="R8",{eight},'
            f'IF(AB{row}="R9",{nine},""))))'
        ),
        "AA": f'IF(AB{row}="R2",IF({first}<99999,{first},""),Z{row})',
        "AB": f'"R"&IFERROR(MATCH(1,R{row}:Y{row},0),9)',
        "AC": f'IF(AA{row}="",0,I{row})',
        "AD": f'IF(OR(AB{row}="R7",AB{row}="R8",AB{row}="R9"),Z{row},99999)',
    }


def payables(told: World, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = (
        "Supplier",
        "Item",
        "Of",
        "Dated",
        "Open",
        "Booked",
        "Set off",
        "Blocked",
        "Rest",
    )
    heads += ("Due", "Discount run", "Share", "Runs", *(f"is P{n}" for n in range(1, 8)))
    sheet.append((*heads, "Paid", "Paid on", "Code"))
    for row, one in enumerate(told.payables, 2):
        known = (no(told, one.supplier), one.no, one.company, one.day, float(one.amount))
        taken = (float(one.paid), float(one.setoff), float(one.off))
        sheet.append((*known, *taken))
        for column, formula in _bill(row).items():
            sheet[f"{column}{row}"] = f"={formula}"
        for column in ("J", "K", "V"):
            sheet[f"{column}{row}"].number_format = FORMAT


def _bill(row: int) -> dict[str, str]:
    def of(column: str) -> str:
        return f"VLOOKUP(A{row},Partners!$A$2:$I$50,{column},FALSE)"

    run = shut_back(f"MAX({run_of(f'J{row}')},{FIRST_RUN})")
    cut = shut_back(f"MAX(K{row},{FIRST_RUN})")
    soon = shut_back(f"J{row}")
    days = (
        f"CHOOSE(VALUE(MID(W{row},2,1))-4,{opened(f'MAX(J{row},{TODAY}+1)')},{cut},"
        f"IF({soon}>{TODAY},{soon},WORKDAY({TODAY},1,Shut)),{run})"
    )
    return {
        "I": f"ROUND(E{row}-SUM(F{row}:H{row}),2)",
        "J": f"D{row}+{of('6')}",
        "K": run_of(f"(D{row}+{of('8')})"),
        "L": of("7"),
        "M": of("9"),
        "N": f'--(LEFT(A{row},1)="G")',
        "O": f"(I{row}=0)*(F{row}>0)",
        "P": f"(I{row}=0)*(G{row}>0)",
        "Q": f"--(I{row}=0)",
        "R": f'--(M{row}="collects")',
        "S": f"(L{row}>0)*(L{row}>=Settings!$B$8)*(K{row}>{TODAY})",
        "T": f'--(M{row}="at once")',
        "U": f'IF(V{row}="",0,ROUND(I{row}-IF(W{row}="P6",I{row}*L{row},0),2))',
        "V": f'IF(VALUE(MID(W{row},2,1))<5,"",{days})',
        "W": f'"P"&IFERROR(MATCH(1,N{row}:T{row},0),8)',
    }


def partners(told: World, sheet: Worksheet) -> None:
    """Customers with late days in K to P, then suppliers; the group is both."""
    heads = ("No.", "Name", "Customer pays", "", "", "Net", "Share", "Within", "We pay", "Slow")
    sheet.append(heads)
    for one in told.customers.values():
        sheet.append((one.no, one.name, "collected" if one.debit else "sends"))
        row = sheet.max_row
        for column, days in zip("KLMNOP", one.late, strict=False):
            sheet[f"{column}{row}"] = days
        late = f"K{row}:P{row}"
        slow = f"=IF(COUNT({late})>=3,MAX(-INT(-MEDIAN({late})),0),Settings!$B$5)"
        sheet[f"J{row}"] = slow
    words = {"run": "by run", "critical": "at once", "debit": "collects"}
    for sup in told.suppliers.values():
        terms_ = (sup.net, float(sup.rate), sup.days, words[sup.how])
        sheet.append((sup.no, sup.name, None, None, None, *terms_))
    for key in COMPANIES:
        sheet.append((f"G{key}", told.names[key], "settles", None, None, 45, 0.0, 0, "settles", 0))


def terms(told: World, sheet: Worksheet) -> None:
    """General terms first; the last line that fits a document is its own."""
    sheet.append(("No.", "From", "To", "Counts", "Days"))
    first = date(2020, 1, 1)
    rows = [(one.no, first, FAR, one.terms) for one in told.customers.values()]
    rows += [(f"G{key}", first, FAR, GROUP_TERMS) for key in COMPANIES]
    rows += [(no(told, key), start, end, words) for key, start, end, words in EXCEPTIONS]
    rows.append((no(told, "c03"), date(2025, 9, 1), FAR, "N30"))
    for number, start, end, words in rows:
        sheet.append((number, start, end, words[0], int(words[1:])))
