"""HTML: a `<figure>` with a real table in it, for other people's pages; the site has its own.

Everything is escaped. `class` names what a cell is: number, best, second, tied, published.
"""

from collections.abc import Iterator
from html import escape

from bythebook.report.render.words import TIED, aside, figure, heading, interval, sentence, source
from bythebook.report.table import Cell, Column, Row, Table


def html(table: Table) -> str:
    """One `<figure>`, complete in itself."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: Table) -> Iterator[str]:
    yield f'<figure id="{escape(table.id)}">'
    yield "<table>"
    says = " ".join(filter(None, (table.says, source(table))))
    yield f"<caption><strong>{escape(sentence(table.title))}</strong> {escape(says)}</caption>"
    yield "<thead><tr>"
    yield from map(_heading, table.columns)
    yield "</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        yield '<tr class="published">' if row.published else "<tr>"
        for place, column in enumerate(table.columns):
            yield _cell(row.cell(column.key), column, row, head=place == 0)
        yield "</tr>"
    yield "</tbody>"
    yield "</table>"
    if table.notes:
        notes = "".join(f"<li>{escape(note)}</li>" for note in table.notes)
        yield f"<figcaption><ul>{notes}</ul></figcaption>"
    yield "</figure>"


def _heading(column: Column) -> str:
    says = f' title="{escape(column.says)}"' if column.says else ""
    return f'<th scope="col"{says}>{escape(heading(column))}</th>'


def _cell(cell: Cell, column: Column, row: Row, *, head: bool) -> str:
    classes = " ".join(filter(None, ("" if column.unit == "text" else "number", cell.mark)))
    kind, scope = ("th", ' scope="row"') if head else ("td", "")
    told = escape(figure(cell, column.unit))
    if cell.mark == "best":
        told = f"<strong>{told}</strong>"
    if cell.mark == "tied":
        told = f'{told}<abbr title="tied with the best">{TIED}</abbr>'
    more = " ".join(filter(None, (interval(cell, column.unit), aside(cell, row))))
    told += f" <small>{escape(more)}</small>" if more else ""
    named = f' class="{classes}"' if classes else ""
    return f"<{kind}{scope}{named}>{told}</{kind}>"
