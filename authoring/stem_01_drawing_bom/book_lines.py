"""BOM comparison and Mass and cost of the reference."""

from collections.abc import Iterator
from decimal import Decimal

from authoring.stem_01_drawing_bom.check import Row, per_station
from authoring.stem_01_drawing_bom.inputs import BOM_FIRST
from authoring.stem_01_drawing_bom.nouns import Part
from authoring.stem_01_drawing_bom.paper import Paper, Value
from authoring.stem_01_drawing_bom.rules import Compared, Rules
from authoring.stem_01_drawing_bom.story import Story
from authoring.stem_01_drawing_bom.world import ASSEMBLIES

Cells = dict[str, tuple[str, Value] | Value]
LINES = (
    "Parent",
    "Item",
    "Component",
    "Description",
    "K",
    "Unit",
    "On drawing",
    "By notice",
    "Governing qty",
    "ERP qty",
    "Alternates",
    "Status",
    "ERP component",
    "Drawn material",
    "Governing material",
    "ERP material",
    "Released rev",
    "ERP rev",
    "Codes",
    "Built as",
    "Per station",
    "ERP per station",
    "Export row",
    "Notice says",
)
COSTS = (
    "Part number",
    "Description",
    "Unit",
    "Qty per station",
    "ERP qty per station",
    "Unit mass (kg)",
    "Mass (kg)",
    "Unit price (EUR)",
    "Cost change (EUR)",
)
HERE = "'BOM comparison'!"


def place_of(told: Story, parent: str, item: int) -> int:
    """The row of a position in BOM comparison."""
    return 2 + next(
        n for n, one in enumerate(told.made.lines) if (one.parent, one.item) == (parent, item)
    )


def comparison(told: Story, paper: Paper) -> None:
    paper.header(LINES, (11, 7, 13, 32, 5, 7, 9, 9, 11, 9, 10, 13, 14, *(16,) * 3, *(11,) * 8))
    for row, one in enumerate(told.made.lines, 2):
        part = told.world.parts[one.part]
        cells: Cells = {
            "A": one.parent,
            "B": one.item,
            "C": one.part,
            "D": part.name,
            "E": "K" if one.key else "",
            "F": part.unit,
            "G": one.drawn if one.listed else "-",
            "N": one.drawn_material if part.kind == "made" else "",
        }
        paper.line(row, cells | _sides(told, one, part, row) | _verdict(told, one, row))
    paper.table(len(told.made.lines), len(LINES))
    paper.sheet.print_area(0, 0, len(told.made.lines), LINES.index("Codes"))


def _export(told: Story, column: str) -> str:
    last = BOM_FIRST + len(told.world.erp) - 1
    return f"'BOM export'!${column}${BOM_FIRST}:${column}${last}"


def _sides(told: Story, one: Compared, part: Part, row: int) -> Cells:
    """What governs, and what ERP has."""
    own = f'({_export(told, "B")}=$A{row})*({_export(told, "C")}=TEXT($B{row}*10,"0000"))'
    valid = f"({_export(told, 'J')}<=BuildStart)*({_export(told, 'K')}>=BuildStart)"
    count = f'VALUE(SUBSTITUTE({_export(told, "F")},",","."))'
    scale = f'IF(F{row}="pcs",1,1000)'
    notice = one.notice
    said: Value = "" if notice is None else notice.value
    quantity = notice is not None and notice.code == "QTY"
    if quantity:
        said = int(str(said))
    found = f'MATCH($A{row}&"|"&$B{row},Sources!$M$2:$M$8,0)'
    material = one.material if part.kind == "made" else ""
    erp_row = _export_row(told, one)

    def of(column: str) -> str:
        return f"INDEX('BOM export'!${column}$1:${column}$60,W{row})"

    return {
        "W": (f"SUMPRODUCT(MAX({own}*{valid}*ROW({_export(told, 'B')})))", erp_row),
        "X": (f'IFERROR(INDEX(Sources!$H$2:$H$8,{found}),"")', said),
        "H": (f'IF(ISNUMBER(X{row}),X{row},"")', said if quantity else ""),
        "I": (f'IF(G{row}="-",0,IF(H{row}="",G{row},H{row}))', one.governing),
        "J": (f"SUMPRODUCT({own}*{valid}*{count})*{scale}", one.erp),
        "M": (f'IF(W{row}=0,"-",TRIM({of("D")}))', one.erp_part or "-"),
        "O": (f'IF(N{row}="","",IF(AND(ISTEXT(X{row}),X{row}<>""),X{row},N{row}))', material),
        "P": (f'IF(W{row}=0,"-",{of("I")}&"")', one.erp_material if one.erp_part else "-"),
        "R": (f'IF(W{row}=0,"-",{of("H")}&"")', one.erp_revision if one.erp_part else "-"),
    }


def _export_row(told: Story, one: Compared) -> int:
    """The last row of the export that counts for a position."""
    build = told.world.build
    found = [
        number
        for number, line in enumerate(told.world.erp, BOM_FIRST)
        if (line.parent, line.item) == (one.parent, one.item) and line.since <= build <= line.until
    ]
    return max(found, default=0)


def _verdict(told: Story, one: Compared, row: int) -> Cells:
    codes = " ".join(one.codes)
    differs = f'IF(OR(I{row}<>G{row},J{row}<>I{row}),"QTY ","")'
    material = f'IF(AND(N{row}<>"",OR(O{row}<>N{row},P{row}<>O{row})),"MAT ","")'
    revision = f'IF(AND(Q{row}<>"",R{row}<>Q{row}),"REV","")'
    part = f'IF(M{row}<>C{row},IF(K{row}>0,"","PN"),{material}&{revision})'
    both = f'IF(G{row}="-","EXT",IF(W{row}=0,"MIS",TRIM({differs}&{part})))'
    times = per_station(told.world, Rules(), told.made.lines)[one.parent]
    released = f"INDEX(Sources!$P$2:$P$30,MATCH(C{row},Sources!$R$2:$R$30,0))"
    assembly = f"MATCH(A{row},Sources!$AG$2:$AG$5,0)"
    status = f'IF(S{row}<>"","Discrepancy",IF(K{row}>0,"Alternate","Match"))'
    alternates = f'SUMPRODUCT((Sources!$M$2:$M$8=C{row}&"|"&M{row})*1)'
    return {
        "K": (alternates, int(one.alternate)),
        "Q": (f'IFERROR({released},"")', one.revision),
        "S": (both, codes),
        "L": (status, one.status),
        "T": (f'IF(G{row}="-","",IF(K{row}>0,M{row},C{row}))', one.built),
        "U": (f"INDEX(Sources!$AH$2:$AH$5,{assembly})", times),
        "V": (f"INDEX(Sources!$AI$2:$AI$5,{assembly})", times),
    }


def per_station_rows(told: Story) -> Iterator[Cells]:
    """Assemblies, and how many a station has: through the levels, by either side's quantities."""
    times = per_station(told.world, Rules(), told.made.lines)
    rows = {told.world.no(number): row for row, (number, _) in enumerate(ASSEMBLIES, 2)}
    for number in rows:
        uses = [one for one in told.made.lines if one.part == number]
        if not uses:
            yield {"AG": number, "AH": 1, "AI": 1}
            continue
        at, above = place_of(told, uses[0].parent, uses[0].item), rows[uses[0].parent]
        yield {
            "AG": number,
            "AH": (f"AH{above}*{HERE}I{at}", times[number]),
            "AI": (f"AI{above}*{HERE}J{at}", times[number]),
        }


def costs(told: Story, paper: Paper) -> None:
    paper.header(COSTS, (14, 38, 7, 11, 11, 12, 12, 12, 12))
    last = len(told.made.lines) + 1
    for row, one in enumerate(told.made.rows, 2):
        paper.line(row, _cost(told, one, row, last), F="0.000000", G="0.000", H="0.0000", I="0.00")
    end = len(told.made.rows) + 1
    total: Cells = {
        "A": "Total",
        "G": (f"SUM(G2:G{end})", told.made.mass),
        "I": (f"SUM(I2:I{end})", told.made.change),
    }
    paper.line(end + 2, total, G="0.000", I="0.00")
    paper.sheet.freeze_panes(1, 1)


def _cost(told: Story, one: Row, row: int, last: int) -> Cells:
    def column(letter: str) -> str:
        return f"{HERE}${letter}$2:${letter}${last}"

    at = f"MATCH($A{row},'Item master'!$A$2:$A$40,0)"

    def master(letter: str) -> str:
        return f"INDEX('Item master'!${letter}$2:${letter}$40,{at})"

    scale = f'IF(C{row}="pcs",1,0.001)'
    drawn = f"MATCH($A{row},Sources!$AK$2:$AK$9,0)"
    pounds = f'IF(INDEX(Sources!$AM$2:$AM$9,{drawn})="lb",Pound,1)'
    kept = f'{master("D")}*IF({master("E")}="g",0.001,1)*{scale}'
    return {
        "A": one.part.number,
        "B": one.part.name,
        "C": one.part.unit,
        "D": (f"SUMPRODUCT(({column('T')}=$A{row})*{column('I')}*{column('U')})", one.qty),
        "E": (f"SUMPRODUCT(({column('M')}=$A{row})*{column('J')}*{column('V')})", one.erp),
        "F": (f"IFERROR(INDEX(Sources!$AL$2:$AL$9,{drawn})*{pounds},{kept})", one.unit_mass),
        "G": (f"D{row}*F{row}", one.mass),
        "H": (f"{master('F')}/{master('G')}*{scale}", Decimal(one.price)),
        "I": (f"(D{row}-E{row})*H{row}", one.change),
    }
