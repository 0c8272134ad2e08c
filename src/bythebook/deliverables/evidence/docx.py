"""Word documents: the raw XML in document order, nothing of it left out in silence.

ECMA-376 part 1, chapter 17. What is seen and not read is told in `Document.warnings`.
"""

from pathlib import Path

from lxml import etree

from bythebook.deliverables.evidence.model import Comment, Document, Paragraph, Table
from bythebook.deliverables.evidence.package import OFFICE, Package, W, flag
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.deliverables.evidence.worddrawn import Shown
from bythebook.deliverables.evidence.wordstyles import VAL, Counted, Numbering, Styles
from bythebook.deliverables.evidence.wordtext import Gathered, Mark, Marks, Prose, blocks

RULES = ("separator", "continuationSeparator", "continuationNotice")
"""Notes that are lines drawn above notes."""
SAME_PAGE = ("continuous", "nextColumn")


def read(path: Path) -> Document:
    """Raises Unreadable."""
    with Package(path) as package:
        try:
            return _Reader(package).document()
        except RecursionError:
            raise Unreadable("corrupt", "Its parts are nested too deep.") from None


class _Reader:
    """Reads one document."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main("word/document.xml")
        self._parts = package.relations(self._main)
        root = package.xml(self._main)
        body = root.find(f"{W}body")
        if root.tag != f"{W}document" or body is None:
            raise Unreadable("corrupt", f"Its part {self._main} is no document with a body.")
        self._body = body
        self._styles = Styles(self._optional("styles"))
        self._numbering = Numbering(self._optional("numbering"), self._styles)
        self._found = Gathered()
        self._footnotes = _in_order(self._optional("footnotes"), body, "footnote")
        self._endnotes = _in_order(self._optional("endnotes"), body, "endnote")
        self._comments = _in_order(self._optional("comments"), body, "comment")
        self._marks = Marks(
            {key: count for count, key in enumerate(self._footnotes, 1)},
            {key: count for count, key in enumerate(self._endnotes, len(self._footnotes) + 1)},
            {key: count for count, key in enumerate(self._comments, 1)},
        )

    def _part(self, kind: str) -> str:
        """The name of the part of that kind; empty if there is none."""
        links = (one for one in self._parts.values() if one.kind == kind and not one.outside)
        return next((link.target for link in links), "")

    def _optional(self, kind: str) -> etree._Element | None:
        return self._package.optional(self._part(kind))

    def _prose(self, part: str) -> Prose:
        shown = Shown(self._package, part)
        return Prose(shown, self._styles, self._numbering, self._marks, self._found)

    def document(self) -> Document:
        body = _Body(self._prose(self._main), self._styles, self._numbering)
        for block, mark in blocks(self._body):
            body.take(block, mark)
        if body.foreign:
            self._package.warn("Another document is embedded in it, which is not read.")
        notes = self._stories("footnotes", self._footnotes, 1)
        notes += self._stories("endnotes", self._endnotes, len(notes) + 1)
        headers, footers = self._edges("header"), self._edges("footer")
        comments = self._commented()
        drawn = self._found.drawn
        return Document(
            blocks=tuple(body.blocks),
            notes=notes,
            headers=headers,
            footers=footers,
            comments=comments,
            changes=tuple(self._found.changes),
            pictures=drawn.pictures,
            charts=tuple(drawn.charts),
            text_boxes=tuple(drawn.boxes),
            macros=self._package.macros,
            external_links=tuple(dict.fromkeys((*self._package.outside, *self._found.links))),
            warnings=(*self._package.warnings, *drawn.told),
        )

    # --- what stands beside the body ------------------------------------------------------------

    def _stories(self, kind: str, notes: dict[str, etree._Element], first: int) -> tuple[str, ...]:
        prose = self._prose(self._part(kind))
        found: list[str] = []
        for count, note in enumerate(notes.values(), first):
            prose.place = f"note={count}"
            found.append(prose.story(note))
        return tuple(found)

    def _edges(self, kind: str) -> tuple[str, ...]:
        """Texts of headers or footers, in the order in which the sections name them."""
        found: dict[str, str] = {}
        for reference in self._body.iter(f"{W}{kind}Reference"):
            link = self._parts.get(reference.get(f"{OFFICE}id") or "")
            if link is None or link.outside or link.target in found:
                continue
            root = self._package.optional(link.target)
            prose = self._prose(link.target)
            prose.place = f"{kind}={sum(map(bool, found.values())) + 1}"
            found[link.target] = prose.story(root) if root is not None else ""
        return tuple(text for text in found.values() if text)

    def _commented(self) -> tuple[Comment, ...]:
        prose = self._prose(self._part("comments"))
        texts = [(key, one, prose.story(one)) for key, one in self._comments.items()]
        places = self._found.commented
        return tuple(
            Comment(places.get(key, ""), text, one.get(f"{W}author") or "")
            for key, one, text in texts
        )


class _Body:
    """Gathers the blocks of the body."""

    def __init__(self, prose: Prose, styles: Styles, numbering: Numbering) -> None:
        self._prose, self._styles, self._numbering = prose, styles, numbering
        self.blocks: list[Paragraph | Table] = []
        self.foreign = False
        """A document of another kind is embedded."""
        self._paragraphs = self._tables = 0
        self._begins = False
        """The next paragraph begins a page."""
        self._caption = ""

    def take(self, block: etree._Element, mark: Mark) -> None:
        if block.tag == f"{W}p":
            self._paragraph(block, mark)
        elif block.tag == f"{W}tbl":
            self._table(block, mark)
        else:
            self.foreign = True

    def _paragraph(self, block: etree._Element, mark: Mark) -> None:
        properties = block.find(f"{W}pPr")
        self._prose.paragraph = self._paragraphs + 1
        self._prose.place = f"para={self._paragraphs + 1}"
        text = self._prose.text(block, mark)
        counted = self._prose.counted(block)
        label = self._numbering.label(counted) if counted is not None else ""
        begins = self._begins or self._prose.breaks or _begins_page(properties)
        self._prose.breaks, self._begins = False, begins and not text
        self._begins = self._begins or _ends_section(properties)
        self._caption = ""
        if not text:
            return
        self._paragraphs += 1
        style = self._styles.of(properties)
        name = self._styles.name(style)
        self._caption = text if name.lower() == "caption" else ""
        self.blocks.append(
            Paragraph(
                number=self._paragraphs,
                text=text,
                style=name,
                level=self._styles.level(properties, style),
                list=self._list(counted),
                label=label,
                page_break=begins,
            )
        )

    def _list(self, counted: Counted | None) -> str:
        level = self._numbering.level(counted) if counted is not None else None
        if counted is None or level is None or level.format == "none":
            return ""
        return f"{'bullet' if level.format == 'bullet' else 'number'} {counted.depth + 1}"

    def _table(self, block: etree._Element, mark: Mark) -> None:
        self._tables += 1
        self._prose.paragraph = 0
        rows = self._prose.rows(block, mark, f"table={self._tables}")
        title = block.find(f"{W}tblPr/{W}tblCaption")
        caption = self._caption or (title.get(VAL) if title is not None else None) or ""
        self.blocks.append(Table(number=self._tables, rows=rows, caption=caption))
        self._caption = ""
        self._prose.breaks = False


def _begins_page(properties: etree._Element | None) -> bool:
    found = properties.find(f"{W}pageBreakBefore") if properties is not None else None
    return flag(found, VAL)


def _ends_section(properties: etree._Element | None) -> bool:
    """Whether a section ends with this paragraph and the next begins a page."""
    section = properties.find(f"{W}sectPr") if properties is not None else None
    if section is None:
        return False
    kind = section.find(f"{W}type")
    return kind is None or kind.get(VAL) not in SAME_PAGE


def _in_order(
    root: etree._Element | None, body: etree._Element, name: str
) -> dict[str, etree._Element]:
    """Notes or comments by id: first as the body refers to them, then those it does not."""
    if root is None:
        return {}
    every = {one.get(f"{W}id") or "": one for one in root.iter(f"{W}{name}")}
    known = {key: one for key, one in every.items() if one.get(f"{W}type") not in RULES}
    referred = dict.fromkeys(one.get(f"{W}id") or "" for one in body.iter(f"{W}{name}Reference"))
    return {key: known[key] for key in [*(key for key in referred if key in known), *known]}
