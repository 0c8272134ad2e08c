"""Markdown and plain text, HTML, Word and PDF as one row of blocks."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook.errors import BythebookError, ContentError

Kind = Literal["heading", "text", "row"]
HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})\s+(?P<text>.*)$")
UNDERLINE = re.compile(r"^\s{0,3}(=+|-+)\s*$")
ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|[a-z][.)])\s+")
NUMBERED = re.compile(r"^\s*(?:\*\*)?\d+(?:\.\d+)+\.?(?:\*\*)?\s")
RULE = re.compile(r"^(?=[\s:|]*-)[\s:|-]*$|^\s{0,3}(?:[*_]\s*){3,}$")
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
    for line in [*_uncommented(body).splitlines(), ""]:
        if FENCE.match(line):
            fenced = not fenced
            continue
        heading = None if fenced else HEADING.match(line)
        ends = not line.strip() or heading or _begins(line, kept)
        if not fenced and UNDERLINE.match(line) and _may_be_title(kept):
            yield Block("heading", _flat(kept), 1 if "=" in line else 2)
            kept = []
            continue
        if ends and kept:
            yield _block(kept)
            kept = []
        if heading:
            words = heading["text"].rstrip().rstrip("#").rstrip()
            yield Block("heading", words, len(heading["marks"]))
        elif line.strip() and not RULE.match(line):
            kept.append(line)


def _uncommented(body: str) -> str:
    """Without comments. What begins after the last of them has ended begins none, and to look for
    its end at each place would take as long as the text is long, squared."""
    end = body.rfind("-->") + len("-->") if "-->" in body else 0
    return COMMENT.sub("", body[:end]) + body[end:]


def _may_be_title(kept: list[str]) -> bool:
    return len(kept) == 1 and "|" not in kept[0] and not ITEM.match(kept[0])


def _begins(line: str, kept: list[str]) -> bool:
    row = line.lstrip().startswith("|") or bool(kept and kept[0].lstrip().startswith("|"))
    return bool(row or ITEM.match(line) or NUMBERED.match(line))


def _block(lines: list[str]) -> Block:
    if lines[0].lstrip().startswith("|"):
        cells = [_flat([cell]) for cell in lines[0].strip().strip("|").split("|")]
        return Block("row", " | ".join(cells))
    first = re.sub(r"^\s*(?:[-*+•]|[a-z][.)])\s+", "", lines[0])
    return Block("text", _flat([first, *lines[1:]]))


def _flat(lines: list[str]) -> str:
    return " ".join(" ".join(lines).replace("**", "").split())


def html(data: bytes) -> Read:
    """Headings, paragraphs, list items and rows, in order; what navigates or runs is left out, and
    what stands beside the main part of a page."""
    root = _tree(data)
    if root is None:
        return Read(())
    about: dict[str, object] = {}
    title = root.findtext("head/title")
    if title:
        about["title"] = " ".join(title.split())
    for meta in root.iter("meta"):
        if meta.get("name") and meta.get("content"):
            about[str(meta.get("name")).lower()] = str(meta.get("content"))
    part = next((one for one in map(root.find, MAIN) if one is not None), root)
    return Read(tuple(_elements(part)), about)


def _tree(data: bytes) -> Any:
    """A page; nothing where there is no element in it."""
    from lxml import etree
    from lxml import html as parser

    coding = "utf-8" if _is_utf8(data) else None
    try:
        return parser.document_fromstring(data, parser=parser.HTMLParser(encoding=coding))
    except etree.ParserError:  # it is empty, or comments and end tags alone
        return None


def _is_utf8(data: bytes) -> bool:
    """Pages that do not say how they are written mostly are; the parser would take Latin-1."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


HIDDEN = ("script", "style", "nav", "noscript", "template", "svg")
MAIN = (".//main", ".//*[@role='main']", "body")
STANDING = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "legend", "li", "main", "menu", "ol", "p", "pre",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
"""Elements that begin and end a block."""


def _elements(node: Any) -> Iterator[Block]:
    """Blocks in order; words that stand between two of them are a block, too."""
    loose = [node.text or ""]
    for child in node:
        if _stands_alone(child):
            yield from _loose(loose)
            yield from _element(child)
            loose = []
        else:
            loose.append(_said(child))
        loose.append(child.tail or "")
    yield from _loose(loose)


def _element(node: Any) -> Iterator[Block]:
    if re.fullmatch(r"h[1-6]", node.tag):
        words = " ".join(_said(node).replace("\u00b6", "").split())
        yield Block("heading", words, int(node.tag[1]))
    elif node.tag == "tr":
        cells = [" ".join(block.text for block in _elements(cell)) for cell in node]
        yield Block("row", " | ".join(cells))
    else:
        yield from _elements(node)


def _loose(parts: list[str]) -> Iterator[Block]:
    words = " ".join("".join(parts).split())
    if words:
        yield Block("text", words)


def _stands_alone(node: Any) -> bool:
    if node.tag in HIDDEN:
        return False
    return node.tag in STANDING or any(inner.tag in STANDING for inner in node.iterdescendants())


def _said(node: Any) -> str:
    """Words within an element that are shown."""
    if not isinstance(node.tag, str) or node.tag in HIDDEN:
        return ""
    if node.tag in ("br", "img"):
        return f" {node.get('alt') or ''} "
    return (node.text or "") + "".join(_said(child) + (child.tail or "") for child in node)


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
    from pdfminer.pdfdocument import PDFPasswordIncorrect
    from pdfplumber.utils.exceptions import PdfminerException

    try:
        opened = pdfplumber.open(path)
    except PdfminerException as error:
        if any(isinstance(cause, PDFPasswordIncorrect) for cause in error.args):
            hint = "save it without one, or leave it out with --without"
            raise ContentError("is protected by a password", where=path, hint=hint) from None
        raise
    with opened as document:
        about = {str(k).lower(): v for k, v in (document.metadata or {}).items() if v}
        lines = [line for page in document.pages for line in _pdf_lines(page)]
    if not lines:
        hint = "have its text recognised and save it so, or leave it out with --without"
        raise ContentError("holds no text: perhaps it is scanned", where=path, hint=hint)
    sizes = sorted(size for _, size, _ in lines)
    usual = sizes[len(sizes) // 2]
    return Read(tuple(_paragraphs(lines, usual)), about)


def _pdf_lines(page: Any) -> Iterator[tuple[str, float, float]]:
    """Text, size of its letters, and the gap above it in points."""
    bottom = None
    for line in page.extract_text_lines(return_chars=True):
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


READERS: dict[str, Callable[[Path], Read]] = {
    ".html": lambda path: html(path.read_bytes()),
    ".htm": lambda path: html(path.read_bytes()),
    ".docx": docx,
    ".pdf": pdf,
}
"""Endings of files that are no plain text."""


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
