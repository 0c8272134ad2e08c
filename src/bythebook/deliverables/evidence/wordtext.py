"""The running text of one Word part, with what is marked in it.

Insertions are `{+so+}`, deletions `{-so-}`, text that is not shown `{~so~}`; a moved text is
deleted where it was and inserted where it is. `[^1]` is a note's mark, `[c1]` a comment's. What is
drawn stands as `[picture 1]`, `[chart 1]`, `[box 1]` where it is anchored.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from lxml import etree

from bythebook.deliverables.evidence.equations import linear
from bythebook.deliverables.evidence.model import Change
from bythebook.deliverables.evidence.package import MAX_LINKS, M, W, flag, number
from bythebook.deliverables.evidence.symbols import symbol
from bythebook.deliverables.evidence.worddrawn import DRAWN, Drawn, Shown, children
from bythebook.deliverables.evidence.wordstyles import VAL, Counted, Numbering, Styles

MAX_DEPTH = 12
"""Tables in tables, boxes in boxes; what lies deeper stands unordered."""
MAX_FIELDS = 20
"""Fields in fields."""
OUTSIDE = re.compile(
    r"\b(?:HYPERLINK|INCLUDEPICTURE|INCLUDETEXT|LINK|DDE|DDEAUTO)\s+\"([^\"]{1,2000})\"", re.I
)
MAX_SPAN = 63
"""Columns of a table in Word."""


class Mark(NamedTuple):
    """What is so far known of a text from the elements around it."""

    sign: str = ""
    kind: str = ""
    author: str = ""


PLAIN = Mark()
CHANGES = {
    f"{W}ins": ("+", "insertion"),
    f"{W}del": ("-", "deletion"),
    f"{W}moveTo": ("+", "move"),
    f"{W}moveFrom": ("-", ""),
}
SKIPPED = {
    f"{W}{name}"
    for name in (
        "pPr", "rPr", "sdtPr", "sdtEndPr", "tblPr", "tblGrid", "tblPrEx", "trPr", "tcPr", "sectPr",
        "smartTagPr", "customXmlPr", "rt", "rubyPr", "fldData",
    )
}  # fmt: skip
FIXED = {
    f"{W}tab": "\t",
    f"{W}ptab": "\t",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
    f"{W}softHyphen": "",
}


def marked(element: etree._Element, mark: Mark) -> Mark:
    """The mark inside an element; a deletion outweighs whatever is in it."""
    change = CHANGES.get(str(element.tag))
    if change is None or mark.sign == "-":
        return mark
    return Mark(*change, element.get(f"{W}author") or "")


def blocks(parent: etree._Element, mark: Mark = PLAIN) -> Iterator[tuple[etree._Element, Mark]]:
    """Paragraphs and tables directly in a body, cell or box, in order, out of any wrapping."""
    return within(parent, (f"{W}p", f"{W}tbl", f"{W}altChunk"), mark)


def within(
    parent: etree._Element, tags: tuple[str, ...], mark: Mark = PLAIN
) -> Iterator[tuple[etree._Element, Mark]]:
    stack = [(child, mark) for child in reversed(children(parent))]
    while stack:
        element, mark = stack.pop()
        if element.tag in tags:
            yield element, mark
        elif element.tag not in SKIPPED:
            inner = marked(element, mark)
            stack.extend((child, inner) for child in reversed(children(element)))


class Marks(NamedTuple):
    """Numbers of what the text refers to, by the ids that the file uses."""

    footnotes: dict[str, int]
    endnotes: dict[str, int]
    comments: dict[str, int]


class Gathered:
    """What turned up while texts were read, over all parts of a document."""

    def __init__(self) -> None:
        self.drawn = Drawn()
        self.changes: list[Change] = []
        self.links: dict[str, None] = {}
        """Targets outside that codes of fields name."""
        self.commented: dict[str, str] = {}
        """Comment id to the place it hangs on."""


class Prose:
    """Reads texts of one part. `place` is where it stands, for comments: `para=3`."""

    def __init__(
        self, shown: Shown, styles: Styles, numbering: Numbering, marks: Marks, found: Gathered
    ) -> None:
        self._shown, self._styles, self._numbering = shown, styles, numbering
        self._marks, self._found = marks, found
        self._fields: list[bool] = []
        """Of each field around: whether its code is over and its result begins."""
        self._depth = 0
        self.place = ""
        self.paragraph = 0
        self.breaks = False
        """A page break was met; whoever sees it sets it back."""

    # --- paragraphs -----------------------------------------------------------------------------

    def text(self, paragraph: etree._Element, mark: Mark = PLAIN) -> str:
        """The text of a paragraph in one string; changes in it are noted."""
        properties = paragraph.find(f"{W}pPr")
        hidden = self._styles.hidden(self._styles.of(properties))
        pieces: list[tuple[Mark, str]] = []
        stack = [(child, mark) for child in reversed(children(paragraph))]
        while stack:
            element, mark = stack.pop()
            leaf = self._leaf(element)
            if leaf is not None:
                if all(self._fields):
                    pieces.append((mark, leaf))
            elif element.tag not in SKIPPED:
                mark = marked(element, mark)
                if element.tag == f"{W}r":
                    mark = self._run(element, mark, hidden)
                stack.extend((child, mark) for child in reversed(children(element)))
        self._fields = [over for over in self._fields if over]
        text = self._joined(pieces)
        change = properties.find(f"{W}pPrChange") if properties is not None else None
        if change is not None and text:
            self._note("format", text, change.get(f"{W}author") or "")
        return text

    def labelled(self, paragraph: etree._Element, mark: Mark = PLAIN) -> str:
        """The text after the number that its list gives it."""
        text = self.text(paragraph, mark)
        counted = self.counted(paragraph)
        label = self._numbering.label(counted) if counted is not None else ""
        return f"{label} {text}".rstrip() if label else text

    def counted(self, paragraph: etree._Element) -> Counted | None:
        properties = paragraph.find(f"{W}pPr")
        return self._styles.counted(properties, self._styles.of(properties))

    def _run(self, run: etree._Element, mark: Mark, hidden: bool) -> Mark:
        properties = run.find(f"{W}rPr")
        if properties is not None:
            style, own = properties.find(f"{W}rStyle"), properties.find(f"{W}vanish")
            hidden = hidden or (style is not None and self._styles.hidden(style.get(VAL) or ""))
            hidden = flag(own, VAL) if own is not None else hidden
            change = properties.find(f"{W}rPrChange")
            if change is not None and not mark.kind:
                mark = mark._replace(kind="format", author=change.get(f"{W}author") or "")
        return mark._replace(sign="~") if hidden and mark.sign != "-" else mark

    def _joined(self, pieces: list[tuple[Mark, str]]) -> str:
        pieces = [piece for piece in pieces if piece[1]]
        for (kind, author), run in groupby(pieces, lambda piece: piece[0][1:]):
            if kind:
                self._note(kind, "".join(text for _, text in run), author)
        text = ""
        for sign, run in groupby(pieces, lambda piece: piece[0].sign):
            inner = "".join(one for _, one in run)
            text += f"{{{sign}{inner}{sign}}}" if sign else inner
        return text.strip()

    def _note(self, kind: str, text: str, author: str) -> None:
        change = Change(kind, text, author, self.paragraph)  # type: ignore[arg-type]  # out of CHANGES, or "format"
        self._found.changes.append(change)

    # --- what has a text of its own -------------------------------------------------------------

    def _leaf(self, element: etree._Element) -> str | None:
        """The text that an element stands for; None where its children say it."""
        tag = str(element.tag)
        if tag in (f"{W}t", f"{W}delText"):
            return element.text or ""
        if tag in FIXED:
            return FIXED[tag]
        if tag in (f"{M}oMath", f"{M}oMathPara"):
            return linear(element)
        if tag in DRAWN:
            return self._drawn(element)
        leaf = LEAVES.get(tag)
        return leaf(self, element) if leaf is not None else None

    def _break(self, element: etree._Element) -> str:
        if element.get(f"{W}type") != "page":
            return "\n"
        self.breaks = True
        return "\n"

    def _symbol(self, element: etree._Element) -> str:
        return symbol(element.get(f"{W}font") or "", element.get(f"{W}char") or "")

    def _field(self, element: etree._Element) -> str:
        kind = element.get(f"{W}fldCharType")
        if kind == "begin":
            box = element.find(f"{W}ffData/{W}checkBox")
            self._fields = [*self._fields[-MAX_FIELDS:], False]
            return "" if box is None else self._box(box)
        if kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()
        return ""

    def _box(self, box: etree._Element) -> str:
        state = box.find(f"{W}checked")
        state = box.find(f"{W}default") if state is None else state
        self._fields[-1] = True
        return "☒" if flag(state, VAL) else "☐"

    def _footnote(self, element: etree._Element) -> str:
        return self._reference("^", self._marks.footnotes, element)

    def _endnote(self, element: etree._Element) -> str:
        return self._reference("^", self._marks.endnotes, element)

    def _comment(self, element: etree._Element) -> str:
        self._found.commented.setdefault(element.get(f"{W}id") or "", self.place)
        return self._reference("c", self._marks.comments, element)

    def _reference(self, sign: str, numbers: dict[str, int], element: etree._Element) -> str:
        found = numbers.get(element.get(f"{W}id") or "")
        return f"[{sign}{found}]" if found is not None else ""

    def _code(self, element: etree._Element) -> str:
        """A field's code is not shown; where it leads outside, that is kept."""
        target = OUTSIDE.search(element.text or "")
        if target is not None and len(self._found.links) < MAX_LINKS:
            self._found.links[target[1]] = None
        return ""

    def _drawn(self, element: etree._Element) -> str:
        boxes, text = self._shown.look(element, self._found.drawn)
        for box in boxes:
            inner = self.story(box)
            if inner:
                self._found.drawn.boxes.append(inner)
                text += f"[box {len(self._found.drawn.boxes)}]"
        return text

    # --- stories: what has paragraphs of its own ------------------------------------------------

    def story(self, parent: etree._Element, mark: Mark = PLAIN) -> str:
        """The text of a cell, box, note, header or comment: a line for each paragraph and row."""
        if self._depth >= MAX_DEPTH:
            return " ".join("".join(t.text or "" for t in parent.iter(f"{W}t")).split())
        self._depth += 1
        lines = [self._block(block, inner) for block, inner in blocks(parent, mark)]
        self._depth -= 1
        return "\n".join(line for line in lines if line)

    def _block(self, block: etree._Element, mark: Mark) -> str:
        if block.tag == f"{W}p":
            return self.labelled(block, mark)
        if block.tag == f"{W}tbl":
            place = self.place
            rows = [" | ".join(row) for row in self.rows(block, mark)]
            self.place = place
            return "\n".join(["[table inside:", *rows, "]"])
        return ""

    def rows(
        self, table: etree._Element, mark: Mark = PLAIN, place: str = ""
    ) -> tuple[tuple[str, ...], ...]:
        """The grid of a table; `place` is its own where it stands in the body: `table=2`."""
        found: list[tuple[str, ...]] = []
        for row, outer in within(table, (f"{W}tr",), mark):
            cells: list[str] = [""] * self._span(row, "trPr/gridBefore")
            inner = self._row_mark(row, outer)
            for cell, own in within(row, (f"{W}tc",), inner):
                if place:
                    self.place = f"{place}/r{len(found) + 1}c{len(cells) + 1}"
                covered = cell.find(f"{W}tcPr/{W}vMerge")
                hidden = covered is not None and covered.get(VAL) != "restart"
                cells.append("" if hidden else self.story(cell, own))
                cells.extend([""] * (self._span(cell, "tcPr/gridSpan") - 1))
            found.append(tuple(cells))
        return tuple(found)

    def _row_mark(self, row: etree._Element, mark: Mark) -> Mark:
        """Of a row that was put in or taken out as a whole."""
        for name in ("ins", "del"):
            change = row.find(f"{W}trPr/{W}{name}")
            if change is not None:
                return marked(change, mark)
        return mark

    def _span(self, element: etree._Element, path: str) -> int:
        found = element.find("/".join(f"{W}{step}" for step in path.split("/")))
        return max(0, min(number(found.get(VAL)), MAX_SPAN)) if found is not None else 0


LEAVES = {
    f"{W}br": Prose._break,
    f"{W}sym": Prose._symbol,
    f"{W}fldChar": Prose._field,
    f"{W}instrText": Prose._code,
    f"{W}delInstrText": Prose._code,
    f"{W}footnoteReference": Prose._footnote,
    f"{W}endnoteReference": Prose._endnote,
    f"{W}commentReference": Prose._comment,
}
