"""Markdown and plain text, HTML, Word and PDF as one row of blocks."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.errors import BythebookError, ContentError

Kind = Literal["heading", "text", "row"]
HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*\s*$")
UNDERLINE = re.compile(r"^\s{0,3}(=+|-+)\s*$")
ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|[a-z][.)])\s+")
NUMBERED = re.compile(r"^\s*(?:\*\*)?\d+(?:\.\d+)+\.?(?:\*\*)?\s")
RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*$")
FENCE = re.compile(r"^\s*(```|~~~)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Block(msgspec.Struct, frozen=True):
    """A heading (with its level, from 1), a paragraph or list item, or a row of a table."""

    kind: Kind
    text: str
    level: int = 0


class Read(msgspec.Struct, frozen=True):
    """A file's blocks, and what it says about itself."""

    blocks: tuple[Block, ...]
    about: dict[str, object] = {}


def markdown(body: str) -> Iterator[Block]:
    """Blocks of Markdown or plain text; a line that begins with a clause number begins one."""
    kept: list[str] = []
    fenced = False
    for line in [*COMMENT.sub("", body).splitlines(), ""]:
        if FENCE.match(line):
            fenced = not fenced
            continue
        heading = None if fenced else HEADING.match(line)
        ends = not line.strip() or heading or _begins(line, kept)
        if kept and UNDERLINE.match(line) and not fenced and len(kept) == 1 and "|" not in kept[0]:
            yield Block("heading", _flat(kept), 1 if "=" in line else 2)
            kept = []
            continue
        if ends and kept:
            yield _block(kept)
            kept = []
        if heading:
            yield Block("heading", heading["text"], len(heading["marks"]))
        elif line.strip() and not RULE.match(line):
            kept.append(line)


def _begins(line: str, kept: list[str]) -> bool:
    row = line.lstrip().startswith("|") or bool(kept and kept[0].lstrip().startswith("|"))
    return bool(row or ITEM.match(line) or NUMBERED.match(line))


def _block(lines: list[str]) -> Block:
    if lines[0].lstrip().startswith("|"):
        cells = [cell.strip() for cell in lines[0].strip().strip("|").split("|")]
        return Block("row", " | ".join(cells))
    first = re.sub(r"^\s*(?:[-*+•]|[a-z][.)])\s+", "", lines[0])
    return Block("text", _flat([first, *lines[1:]]))


def _flat(lines: list[str]) -> str:
    return " ".join(" ".join(lines).replace("**", "").split())


def html(data: bytes) -> Read:
    """Headings, paragraphs, list items and rows, in order; what navigates or runs is left out."""
    from lxml import html as parser

    root = parser.document_fromstring(data)
    for tag in ("script", "style", "nav", "noscript", "template"):
        for node in list(root.iter(tag)):
            if isinstance(node, parser.HtmlElement):
                node.drop_tree()
    about: dict[str, object] = {}
    title = root.findtext(".//title")
    if title:
        about["title"] = " ".join(title.split())
    for meta in root.iter("meta"):
        if meta.get("name") and meta.get("content"):
            about[str(meta.get("name")).lower()] = str(meta.get("content"))
    body = root.find("body")
    return Read(tuple(_elements(body if body is not None else root)), about)


LEAVES = {"p", "li", "dt", "dd", "pre", "blockquote", "figcaption", "caption", "td", "th", "div"}


def _elements(node: object) -> Iterator[Block]:
    """One block for each leaf: an element with text and no block inside it."""
    for child in node:  # type: ignore[attr-defined]  # lxml's stubs do not say that a node iterates
        if not isinstance(child.tag, str):
            continue
        words = " ".join(child.text_content().split())
        if re.fullmatch(r"h[1-6]", child.tag):
            yield Block("heading", words, int(child.tag[1]))
        elif child.tag == "tr":
            cells = [" ".join(cell.text_content().split()) for cell in child]
            yield Block("row", " | ".join(cells))
        elif any(_is_block(inner) for inner in child.iterdescendants()):
            own = " ".join((child.text or "").split())
            if own:
                yield Block("text", own)
            yield from _elements(child)
        elif words:
            yield Block("text", words)


def _is_block(node: object) -> bool:
    tag = getattr(node, "tag", "")
    return isinstance(tag, str) and (
        tag in LEAVES or tag in ("ul", "ol", "table", "tr", "h1", "h2")
    )


def docx(path: Path) -> Read:
    """Paragraphs and rows in the order of the document."""
    import docx as word
    from docx.table import Table

    document = word.Document(str(path))
    blocks: list[Block] = []
    for part in document.iter_inner_content():
        if isinstance(part, Table):
            for row in part.rows:
                cells = {cell._tc: cell.text for cell in row.cells}
                told = [" ".join(words.split()) for words in cells.values()]
                blocks.append(Block("row", " | ".join(told)))
            continue
        words = " ".join(part.text.split())
        style = (part.style.name if part.style is not None else "") or ""
        level = re.fullmatch(r"(?:Heading (\d)|Title)", style)
        if words and level:
            blocks.append(Block("heading", words, int(level[1] or 1)))
        elif words:
            blocks.append(Block("text", words))
    title = document.core_properties.title
    return Read(tuple(blocks), {"title": title} if title else {})


def pdf(path: Path) -> Read:
    """Lines of every page, joined to paragraphs: a larger gap, a number or a mark begins one."""
    import pdfplumber

    with pdfplumber.open(path) as document:
        about = {str(k).lower(): v for k, v in (document.metadata or {}).items() if v}
        lines = [line for page in document.pages for line in _pdf_lines(page)]
    if not lines:
        raise ContentError("holds no text: perhaps it is scanned", where=path)
    sizes = sorted(size for _, size, _ in lines)
    usual = sizes[len(sizes) // 2]
    return Read(tuple(_paragraphs(lines, usual)), about)


def _pdf_lines(page: object) -> Iterator[tuple[str, float, float]]:
    """Text, size of its letters, and the gap above it in points."""
    bottom = None
    for line in page.extract_text_lines(return_chars=True):  # type: ignore[attr-defined]  # untyped in the library
        size = float(line["chars"][0]["size"])
        gap = 99.0 if bottom is None else float(line["top"]) - bottom
        bottom = float(line["bottom"])
        yield line["text"], size, gap


def _paragraphs(lines: list[tuple[str, float, float]], usual: float) -> Iterator[Block]:
    kept: list[str] = []
    for words, size, gap in lines:
        title = size > usual * 1.15
        begins = gap > usual * 0.75 and not (kept and gap > 90 and kept[-1][-1:] not in ".:;")
        if kept and (title or begins or ITEM.match(words) or NUMBERED.match(words)):
            yield _block(kept)
            kept = []
        if title:
            yield Block("heading", words, 1 if size > usual * 1.5 else 2)
        else:
            kept.append(words)
    if kept:
        yield _block(kept)


def _marked(path: Path) -> Read:
    try:
        return Read(tuple(markdown(path.read_text("utf-8-sig"))))
    except UnicodeDecodeError:
        raise ContentError(
            "is no UTF-8", where=path, hint="save it as UTF-8, or leave it out with --without"
        ) from None


READERS: dict[str, Callable[[Path], Read]] = {
    ".md": _marked,
    ".markdown": _marked,
    ".txt": _marked,
    ".html": lambda path: html(path.read_bytes()),
    ".htm": lambda path: html(path.read_bytes()),
    ".docx": docx,
    ".pdf": pdf,
}


def read_blocks(path: Path) -> Read:
    """Raises `ContentError` for a file that does not read as what its name says."""
    try:
        return READERS[path.suffix.lower()](path)
    except BythebookError:
        raise
    except Exception as error:  # noqa: BLE001 - parsers of foreign files raise anything
        says = f"does not read as {path.suffix}: {type(error).__name__}: {error}"
        raise ContentError(
            says, where=path, hint="mend it, or leave it out with --without"
        ) from None
