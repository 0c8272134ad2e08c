r"""LaTeX: a `table` with booktabs. The best figure is bold, the second underlined, = is tied.

Needs \usepackage{booktabs}. Every character is escaped; letters beyond Latin-1 want XeLaTeX or
LuaLaTeX.
"""

from collections.abc import Iterator

from bythebook.report.render.words import TIED, aside, figure, heading, interval, sentence, source
from bythebook.report.table import Column, Row, Table

ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": "{[}",
    "]": "{]}",
    "·": r"\textperiodcentered{}",
}
MARKED = {"best": r"\textbf{%s}", "second": r"\underline{%s}", "tied": "%s$^{" + TIED + "}$"}


def latex(table: Table) -> str:
    """One `table` environment; wants booktabs."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: Table) -> Iterator[str]:
    sides = "".join("l" if column.unit == "text" else "r" for column in table.columns)
    yield r"\begin{table}"
    yield r"\centering"
    says = " ".join(filter(None, (sentence(table.title), table.says, source(table))))
    yield rf"\caption{{{escaped(says)}}}"
    yield rf"\label{{tab:{table.id}}}"
    yield rf"\begin{{tabular}}{{{sides}}}"
    yield r"\toprule"
    yield _line([escaped(heading(column)) for column in table.columns])
    yield r"\midrule"
    yield from (_line([_cell(row, column) for column in table.columns]) for row in table.rows)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    for note in table.notes:
        yield rf"\par\footnotesize {escaped(note)}"
    yield r"\end{table}"


def _line(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(row: Row, column: Column) -> str:
    cell = row.cell(column.key)
    value = escaped(figure(cell, column.unit))
    value = MARKED.get(cell.mark, "%s").replace("%s", value)
    more = " ".join(filter(None, (interval(cell, column.unit), aside(cell, row))))
    return rf"{value} {{\scriptsize {escaped(more)}}}" if more else value


def escaped(text: str) -> str:
    """Text that LaTeX sets as itself, on one line."""
    return "".join(ESCAPES.get(letter, letter) for letter in " ".join(text.split()))
