"""A web page as the lines that a reader sees: no scripts, no styles; a table's row is one line."""

import re

from lxml import etree, html

MAX_PARTS = 500_000
"""Elements that are walked."""
UNSEEN = {"script", "style", "template", "noscript", "head", "title", "meta", "link"}
INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr", "del",
}  # fmt: skip
CELLS = {"td", "th"}
UNSHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)


def page_lines(text: str) -> tuple[list[str], str]:
    """Lines, and why there are none."""
    # Its text has been decoded before, whatever encoding the page names.
    parser = html.HTMLParser(
        no_network=True, huge_tree=False, remove_comments=True, encoding="utf-8"
    )
    try:
        root = html.document_fromstring(text.encode(), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        return [], f"no web page: {error}"
    title = root.findtext(".//title") or ""
    lines = [" ".join(line.split()) for line in _seen(root).split("\n")]
    body = [line.strip(" |") for line in lines]
    return [line for line in (" ".join(title.split()), *body) if line], ""


def _seen(root: etree._Element) -> str:
    """The text with a line feed where a line ends; text that is not shown is `{~so~}`."""
    pieces: list[str] = []
    stack: list[etree._Element | str] = [root]
    for _ in range(MAX_PARTS):
        if not stack:
            break
        one = stack.pop()
        if isinstance(one, str):
            pieces.append(one)
            continue
        if not isinstance(one.tag, str) or one.tag in UNSEEN:
            continue
        before, after = _edges(one)
        stack.append(after)
        for child in reversed(one):
            stack.append(_flat(child.tail))
            stack.append(child)
        pieces.append(before + _flat(one.text))
    return "".join(pieces)


def _edges(element: etree._Element) -> tuple[str, str]:
    """What stands before and after an element's text."""
    if "hidden" in element.attrib or UNSHOWN.search(element.get("style") or ""):
        return "{~", "~}"
    tag = element.tag
    if tag == "br":
        return "\n", ""
    if tag in CELLS:
        return "", " | "
    if tag == "img":
        return f"[picture: {element.get('alt')}]" if element.get("alt") else "[picture]", ""
    return ("", "") if tag in INLINE else ("\n", "\n")


def _flat(text: str | None) -> str:
    return " ".join(f".{text}.".split())[1:-1] if text else ""
