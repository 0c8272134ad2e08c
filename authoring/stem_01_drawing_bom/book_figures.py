"""Dimensions, Tolerance stack and Dashboard of the reference."""

from authoring.stem_01_drawing_bom.book_lines import HERE, Cells, place_of
from authoring.stem_01_drawing_bom.book_register import TODO_HEAD
from authoring.stem_01_drawing_bom.nouns import Dim
from authoring.stem_01_drawing_bom.paper import CARDS, NEW, Paper, Value
from authoring.stem_01_drawing_bom.rules import Limits, deviations
from authoring.stem_01_drawing_bom.story import Story
from authoring.stem_01_drawing_bom.world import BEARING_MINUS, BEARING_WIDTH, GAP

DIMENSIONS = (
    "Characteristic",
    "Component",
    "Feature",
    "Drawn in",
    "Drawn",
    "Plus",
    "Minus",
    "By notice",
    "Nominal (mm)",
    "Lower limit (mm)",
    "Upper limit (mm)",
    "Least (mm)",
    "Most (mm)",
    "Measured (mm)",
    "Verdict",
)


def dimensions(told: Story, paper: Paper) -> None:
    paper.header(DIMENSIONS, (14, 12, 26, 8, 10, 9, 9, 10, *(12,) * 6, 10))
    last = len(told.world.measured) + 1
    codes = dict.fromkeys("IJKLMN", "0.0000")
    for row, one in enumerate(told.made.limits, 2):
        paper.line(row, _drawn(told, one, row) | _found(one, row, last), **codes)
    paper.table(len(told.made.limits), len(DIMENSIONS))


def _drawn(told: Story, one: Limits, row: int) -> Cells:
    dim = one.dim
    notice = f'MATCH(B{row}&"|"&A{row},Sources!$M$2:$M$8,0)'
    scale = f'IF(D{row}="in",Inch,1)'
    plus, minus = _deviations(dim, row)
    changed = one.nominal if any(n.item == dim.code for n in told.world.notices) else ""
    return {
        "A": dim.code,
        "B": dim.part,
        "C": dim.what,
        "D": dim.unit,
        "E": dim.nominal,
        "F": plus,
        "G": minus,
        "H": (f'IFERROR(INDEX(Sources!$H$2:$H$8,{notice}),"")', changed),
        "I": (f'IF(H{row}="",E{row},H{row})*{scale}', one.nominal),
        "J": (f"I{row}+G{row}*{scale}", one.lower),
        "K": (f"I{row}+F{row}*{scale}", one.upper),
    }


def _deviations(dim: Dim, row: int) -> tuple[tuple[str, Value] | Value, tuple[str, Value] | Value]:
    """As drawn, or by the general tolerance of the sheet."""
    plus, minus = deviations(dim)
    if dim.upper is not None:
        return plus, minus
    table = f"INDEX(Sources!$AA$2:$AA$6,MATCH(E{row},Sources!$Z$2:$Z$6,1))"
    return ("GeneralInch" if dim.unit == "in" else table, plus), (f"-F{row}", minus)


def _found(one: Limits, row: int, last: int) -> Cells:
    own = f"(Measurements!$B$2:$B${last}=$A{row})*Measurements!$I$2:$I${last}"
    size = f"Measurements!$H$2:$H${last}"
    some = f"COUNTIF(Measurements!$B$2:$B${last},$A{row})=0"
    middle = f"(J{row}+K{row})/2"
    inside = f"AND(ROUND(N{row}-J{row},9)>=0,ROUND(K{row}-N{row},9)>=0)"
    least, most, measured = (
        "" if value is None else value for value in (one.least, one.most, one.measured)
    )
    return {
        "L": (f'IF({some},"",1000-SUMPRODUCT(MAX({own}*(1000-{size}))))', least),
        "M": (f'IF({some},"",SUMPRODUCT(MAX({own}*{size})))', most),
        "N": (f'IF(M{row}="","",IF(M{row}-{middle}>{middle}-L{row},M{row},L{row}))', measured),
        "O": (f'IF(N{row}="","no data",IF({inside},"in","out"))', one.verdict),
    }


def stack(told: Story, paper: Paper) -> None:
    names = (
        "Contributor",
        "Char.",
        "Sign",
        "Number",
        "Nominal",
        "Lower",
        "Upper",
        "To smallest",
        "To largest",
    )
    paper.header(names, (28, 10, *(11,) * 7))
    codes = dict.fromkeys("EFGHI", "0.0000")
    bearings = place_of(told, told.world.no("110"), 2)
    for row, one in enumerate(told.made.chain.links, 2):
        at = f"MATCH($B{row},Dimensions!$A$2:$A$12,0)"
        sizes: Cells = {
            column: (f"INDEX(Dimensions!${there}$2:${there}$12,{at})", value)
            for column, there, value in zip(
                "EFG", "IJK", (one.nominal, one.lower, one.upper), strict=True
            )
        }
        if one.code == "-":
            sizes = {"E": BEARING_WIDTH, "F": BEARING_WIDTH - BEARING_MINUS, "G": BEARING_WIDTH}
        number: Cells = {"D": (f"{HERE}I{bearings}", one.count) if one.code == "-" else 1}
        small, large = ("F", "G") if one.direction > 0 else ("G", "F")
        ends = (one.lower, one.upper) if one.direction > 0 else (one.upper, one.lower)
        less, more = (one.direction * one.count * end for end in ends)
        cells: Cells = {"A": one.name, "B": one.code, "C": one.direction, **number, **sizes}
        cells["H"] = (f"C{row}*D{row}*{small}{row}", less)
        cells["I"] = (f"C{row}*D{row}*{large}{row}", more)
        paper.line(row, cells, **codes)
    _gap(told, paper)


def _gap(told: Story, paper: Paper) -> None:
    chain = told.made.chain
    met = 'IF(AND(ROUND(B9-GapFrom,9)>=0,ROUND(GapTo-B10,9)>=0),"yes","no")'
    lines: tuple[Cells, ...] = (
        {"A": "Nominal gap (mm)", "B": ("SUMPRODUCT(C2:C5,D2:D5,E2:E5)", chain.nominal)},
        {"A": "Smallest gap (mm)", "B": ("SUM(H2:H5)", chain.smallest)},
        {"A": "Largest gap (mm)", "B": ("SUM(I2:I5)", chain.largest)},
        {"A": "Required from (mm)", "B": ("GapFrom", GAP[0])},
        {"A": "Required to (mm)", "B": ("GapTo", GAP[1])},
        {"A": "Requirement met", "B": (met, "yes" if chain.met else "no")},
    )
    for row, cells in enumerate(lines, 8):
        paper.line(row, cells, B="0.0000")


def dashboard(told: Story, paper: Paper) -> None:
    title = paper.book.add_format({"bold": True, "font_size": 15})
    paper.sheet.write_string("A1", f"Configuration check {told.world.no('000')}", title)
    paper.sheet.set_column("A:A", 34)
    paper.sheet.set_column("B:B", 22)
    paper.sheet.set_column("D:E", 24)
    paper.sheet.set_landscape()
    paper.sheet.fit_to_pages(1, 1)
    made = told.made
    register, total = len(made.register) + 1, len(made.rows) + 3
    first, last = TODO_HEAD + 1, TODO_HEAD + len(made.actions)
    classes = {cls: f'COUNTIF(Discrepancies!$K$2:$K${register},"{cls}")' for cls in "ABC"}
    bores = f'SUMPRODUCT((Discrepancies!$D$2:$D${register}="DIM")*(Discrepancies!$J$2:$J$30="K"))'
    bores = bores.replace("$J$30", f"$J${register}")
    stop = f"OR({bores}>0,'{NEW[4]}'!B13<>\"yes\",B8>MassLimit)"
    decision = f'IF({stop},"No release",IF(B4>0,"Conditional release","Release"))'
    figures: tuple[tuple[str, Value, str], ...] = (
        (f"COUNTA(Discrepancies!$A$2:$A${register})", len(made.register), "0"),
        *((classes[cls], len(made.of_class(cls)), "0") for cls in "ABC"),
        (f"COUNTA(Actions!$A${first}:$A${last})", len(made.actions), "0"),
        (f"'{NEW[5]}'!G{total}", made.mass, "0.000"),
        (f"'{NEW[5]}'!I{total}", made.change, "#,##0.00"),
        (decision, told.decision, "General"),
    )
    for row, (label, (formula, value, code)) in enumerate(zip(CARDS, figures, strict=True), 3):
        paper.put(f"A{row}", label)
        paper.formula(f"B{row}", formula, value, code)
    paper.sheet.write_row("D2", ("Owner", "Number of actions"), paper.head)
    for row, (owner, count) in enumerate(told.by_owner.items(), 3):
        paper.put(f"D{row}", owner)
        paper.formula(f"E{row}", f"COUNTIF(Actions!$D${first}:$D${last},D{row})", count, "0")
    _charts(told, paper)


def _charts(told: Story, paper: Paper) -> None:
    plans = (
        ("column", "Discrepancies by class", "A", "B", (4, 6)),
        ("bar", "Actions by owner", "D", "E", (3, 2 + len(told.by_owner))),
    )
    for number, (kind, title, names, values, (first, last)) in enumerate(plans):
        chart = paper.book.add_chart({"type": kind})
        chart.add_series(
            {
                "name": title,
                "categories": f"=Dashboard!${names}${first}:${names}${last}",
                "values": f"=Dashboard!${values}${first}:${values}${last}",
            }
        )
        chart.set_title({"name": title})
        chart.set_legend({"none": True})
        paper.sheet.insert_chart(12, 4 * number, chart, {"x_offset": 10 * number})
