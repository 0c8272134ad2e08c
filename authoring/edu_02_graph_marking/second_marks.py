"""Formulas of the second reference: the fit from sums, marks that look their readings up."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from authoring.edu_02_graph_marking.world import World

DATA = "Logger data"
HEADS: tuple[str, ...] = (
    *("Candidate", "Gradient", "Unit", "Intercept", "I1", "V1", "I2", "V2", "Run", "Ring"),
    *("V at corner", "V per large square", "I at corner", "I per large square"),
    *("Line at first", "Line at last", "Line start", "Line end"),
    *("P1 across", "P2 across", "P1 up", "P2 up"),
)
LIVE = ("Plotting", "Line", "Triangle", "Read-offs")
FIT = (
    *("Candidate", "Odd reading", "Sum I", "Sum V", "Sum II", "Sum IV", "Slope", "At zero"),
    *("First I", "Last I", "Scheme at first", "Scheme at last"),
)


def quarter(value: Fraction) -> float:
    """As somebody reads it who gives quarters."""
    return round(value * 4) / 4


def _read(name: str, row: int) -> str:
    """The reading of the candidate in column A of this row."""
    letter = chr(65 + HEADS.index(name))
    where = f"MATCH($A{row},Readings!$A$4:$A$60,0)"
    return f"INDEX(Readings!${letter}$4:${letter}$60,{where})"


def fit_rows(told: World) -> Iterator[tuple[Any, ...]]:
    """Sheet Fit: sums over the run that was used, without the odd reading."""
    yield FIT
    n = 7
    data = {letter: f"'{DATA}'!${letter}$2:${letter}$300" for letter in "ABCDE"}
    for row, one in enumerate(told.scripts, 2):
        mine = f"({data['A']}=$A{row})*({data['B']}={_read('Run', row)})"
        used = f"{mine}*({data['C']}<>$B{row})"
        i, v = data["D"], data["E"]
        yield (
            int(one.number),
            one.odd,
            f"=SUMPRODUCT({used}*{i})",
            f"=SUMPRODUCT({used}*{v})",
            f"=SUMPRODUCT({used}*{i}*{i})",
            f"=SUMPRODUCT({used}*{i}*{v})",
            f"=({n}*F{row}-C{row}*D{row})/({n}*E{row}-C{row}^2)",
            f"=(D{row}-G{row}*C{row})/{n}",
            f"=SUMPRODUCT({mine}*({data['C']}=1)*{i})",
            f"=SUMPRODUCT({mine}*({data['C']}=8)*{i})",
            *(
                f"=(H{row}+G{row}*{letter}{row}-{_read('V at corner', row)})"
                f"/{_read('V per large square', row)}*10"
                for letter in "IJ"
            ),
        )


def _fit(letter: str, row: int) -> str:
    return f"VLOOKUP($A{row},Fit!$A$2:$L$60,{ord(letter) - 64},FALSE)"


def live_formulas(row: int) -> dict[str, str]:
    """Of Marks, for the candidate in column A."""

    def of(name: str) -> str:
        return _read(name, row)

    ends = [
        f"(ABS({of(name)}-{_fit(letter, row)})<=Settings!$B$3)*1"
        for name, letter in (("Line at first", "K"), ("Line at last", "L"))
    ]
    share = f"({of('P2 across')}-{of('P1 across')})/({of('Line end')}-{of('Line start')})"
    first, last = (
        f"(({_fit(letter, row)}-{of('I at corner')})/{of('I per large square')}*10)"
        for letter in "IJ"
    )
    rise = f"({of('Line at last')}-{of('Line at first')})/({last}-{first})"
    points = []
    for n in (1, 2):
        across, up = of(f"P{n} across"), of(f"P{n} up")
        line = f"{of('Line at first')}+{rise}*({across}-{first})"
        current = f"({of(f'I{n}')}-{of('I at corner')})/{of('I per large square')}*10"
        pd = f"({of(f'V{n}')}-{of('V at corner')})/{of('V per large square')}*10"
        differences = (f"{up}-({line})", f"{current}-{across}", f"{pd}-{up}")
        within = [f"(ABS({text})<=Settings!$B$2)" for text in differences]
        points.append("*".join(within))
    return {
        "Plotting": f'2-MIN(2,SUMPRODUCT((Points!$B$2:$B$200=$A{row})*(Points!$C$2:$C$200="Yes")))',
        "Line": "+".join(ends),
        "Triangle": f"({share}>Settings!$B$4)*1",
        "Read-offs": "+".join(points),
    }
