"""PowerPoint decks: slides in the order of the show, with what a shape says and where it stands.

ECMA-376 part 1, chapter 19. What is seen and not read is told in `Deck.warnings`.
"""

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from bythebook.deliverables.evidence.model import Comment, Deck, Slide
from bythebook.deliverables.evidence.package import OFFICE, P, Package, Relation, number
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.deliverables.evidence.slideshapes import Canvas, Inherited, ShapeReader, text_body

MAX_SLIDES = 2000
OFF = ("0", "false")


def read(path: Path) -> Deck:
    """Raises Unreadable."""
    with Package(path) as package:
        try:
            return _Reader(package).deck()
        except RecursionError:
            raise Unreadable("corrupt", "Its parts are nested too deep.") from None


class _Reader:
    """Reads one deck."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main("ppt/presentation.xml")
        self._parts = package.relations(self._main)
        self._root = package.xml(self._main)
        if self._root.tag != f"{P}presentation":
            raise Unreadable("corrupt", f"Its part {self._main} is no presentation.")
        size = self._root.find(f"{P}sldSz")
        self._canvas = Canvas(
            number(size.get("cx") if size is not None else None, 9144000) or 9144000,
            number(size.get("cy") if size is not None else None, 6858000) or 6858000,
        )
        self._layouts: dict[str, Inherited] = {}
        self._comments: list[Comment] = []

    def deck(self) -> Deck:
        authors = dict(self._authors())
        slides: list[Slide] = []
        for part in self._slide_parts():
            root = self._package.xml(part)
            relations = self._package.relations(part)
            slides.append(self._slide(len(slides) + 1, root, relations))
            for name in _parts(relations, "comments"):
                self._comments.extend(self._said(name, len(slides), authors))
        return Deck(
            slides=tuple(slides),
            comments=tuple(self._comments),
            macros=self._package.macros,
            external_links=self._package.outside,
            warnings=tuple(self._package.warnings),
        )

    def _slide_parts(self) -> Iterator[str]:
        entries = self._root.findall(f"{P}sldIdLst/{P}sldId")
        if len(entries) > MAX_SLIDES:
            self._package.warn(f"It has {len(entries)} slides; the first {MAX_SLIDES} are read.")
        for entry in entries[:MAX_SLIDES]:
            link = self._parts.get(entry.get(f"{OFFICE}id") or "")
            if link is None or link.target not in self._package.names:
                raise Unreadable("corrupt", "It lists a slide that is not there.")
            yield link.target

    def _slide(self, count: int, root: etree._Element, relations: dict[str, Relation]) -> Slide:
        layout = next(_parts(relations, "slideLayout"), "")
        reader = ShapeReader(self._package, relations, self._canvas, self._inherited(layout))
        tree = root.find(f"{P}cSld/{P}spTree")
        shapes = tuple(reader.shapes(tree)) if tree is not None else ()
        title = next((one.text for one in shapes if one.kind == "title"), "")
        notes = next(_parts(relations, "notesSlide"), "")
        return Slide(
            number=count,
            title=" ".join(title.split()),
            hidden=root.get("show") in OFF,
            shapes=shapes,
            notes=self._notes(notes),
        )

    def _inherited(self, layout: str) -> Inherited:
        """Where a layout, and the master behind it, put their placeholders."""
        if layout not in self._layouts:
            master = self._package.one(layout, "slideMaster") if layout else ""
            roots = (self._package.optional(part) for part in (layout, master))
            self._layouts[layout] = Inherited([root for root in roots if root is not None])
        return self._layouts[layout]

    def _notes(self, part: str) -> str:
        root = self._package.optional(part)
        texts: list[str] = []
        for shape in root.iter(f"{P}sp") if root is not None else ():
            place = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
            kind = place.get("type", "body") if place is not None else "body"
            body = shape.find(f"{P}txBody")
            if kind == "body" and body is not None:
                texts.append(text_body(body))
        return "\n".join(text for text in texts if text)

    # --- comments: the old kind, and the threads that came in 2021 -------------------------------

    def _authors(self) -> Iterator[tuple[str, str]]:
        for link in self._parts.values():
            if link.kind in ("commentAuthors", "authors") and not link.outside:
                root = self._package.optional(link.target)
                for one in root if root is not None else ():
                    yield one.get("id") or "", one.get("name") or ""

    def _said(self, part: str, slide: int, authors: dict[str, str]) -> Iterator[Comment]:
        root = self._package.optional(part)
        for one in root.iter("{*}cm", "{*}reply") if root is not None else ():
            text = one.findtext("{*}text")
            body = one.find("{*}txBody")
            if text is None:
                text = text_body(body) if body is not None else ""
            yield Comment(
                f"slide={slide}", text.strip(), authors.get(one.get("authorId") or "", "")
            )


def _parts(relations: dict[str, Relation], kind: str) -> Iterator[str]:
    for link in relations.values():
        if link.kind == kind and not link.outside:
            yield link.target
