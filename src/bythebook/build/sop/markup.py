"""Markdown as handbooks hold it: what is markup goes, every word a reader sees stays."""

import html as entities
import re
from collections.abc import Iterator

from lxml.html import defs

from bythebook.build.sop.blocks import STANDING, Block, html

CODE = re.compile(
    r"^[ \t]*(```+|~~~+)[^\n]*\n.*?^[ \t]*\1[`~]*[ \t]*$|(`{1,3})[^`\n]+\2", re.M | re.S
)
"""Fenced code and code within a line: nothing in it is markup."""
KEPT = re.compile(r"\ue000(\d+)\ue001")
"""Where code stood. Both letters are of the private range of Unicode."""
TAG = re.compile(
    r"\{%-?(?P<a>(?:(?!\{%|%\}).)*)%\}|\{\{[<%](?P<b>(?:(?!\{\{|[%>]\}\}).)*)[%>]\}\}", re.S
)
"""Tags of site generators: Liquid, Nunjucks and Jinja; Hugo."""
ARGUMENT = re.compile(r"(?:(?P<name>\w+)\s*=\s*)?(?:\"(?P<a>[^\"]*)\"|'(?P<b>[^']*)')")
SHOWN = {"", "alt", "caption", "heading", "label", "summary", "text", "title"}
"""Named arguments that a page shows."""
DEFINED = re.compile(
    r"^ {0,3}\[(?!\^)(?P<name>[^\]\n]+)\]:[ \t]*\S*(?:[ \t]+[\"'(][^\n]*)?[ \t]*$", re.M
)
IMAGE = re.compile(r"!\[(?P<alt>[^\[\]]*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])")
WORDS = r"(?:[^\[\]\n]|\[[^\[\]\n]*\]|\n(?!\s*\n))*"
LINK = re.compile(rf"\[(?P<words>{WORDS})\]\((?P<to>(?:[^()\n]|\([^()\n]*\))*)\)")
NAMED = re.compile(rf"\[(?P<words>{WORDS})\](?:\[(?P<name>[^\]\n]*)\])?")
BARE = re.compile(r"<((?:https?://|mailto:)?[^\s<>@]+[@.][^\s<>]+)>")
"""An address between angle brackets."""
ELEMENTS = "|".join(sorted(defs.tags | {"nav", "main", "template", "path", "dialog"}))
INLINE = re.compile(rf"</?(?:{ELEMENTS})(?:\s[^<>]*)?/?>", re.I)
OF_BLOCKS = "|".join(
    sorted(STANDING | {"iframe", "nav", "noscript", "script", "style", "template"})
)
ELEMENT = re.compile(
    rf"^[ \t]*</?(?:{OF_BLOCKS})(?:[\s/][^\n]*|>[^\n]*|)\n(?:.*\S.*\n)*", re.M | re.I
)
"""HTML up to the next empty line, as CommonMark has it."""
BREAK = re.compile(rf"</?(?:{OF_BLOCKS}|br)(?:\s[^<>]*)?/?>", re.I)
"""A list in a cell of a table: its items stay apart."""
ATTRIBUTES = re.compile(r"(?<!\{)\{[:#.][^{}\n]*\}(?!\})")
QUOTED = re.compile(r"^[ \t]*(?:>(?:[ \t]+|(?=>)|$))+", re.M)
CALLED_OUT = re.compile(
    r"^[ \t]*(?::::+|(?:!!!|\?\?\?\+?)(?=\s))[ \t]*(?:\w+\b)?(?P<title>[^\n]*)$", re.M
)
"""`::: tip TITLE` and `!!! note "TITLE"`."""
TICK_BOX = re.compile(r"^([ \t]*[-*+][ \t]+)\[[ xX]\][ \t]+", re.M)
TABLE = re.compile(
    r"^(?P<head>(?![ \t]*\|)[^\n]*\|[^\n]*\n)"
    r"(?P<rule>[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\n)(?P<rows>(?:[^\n]*\|[^\n]*\n)*)",
    re.M,
)
"""A table whose lines do not begin with a bar."""
ESCAPED = re.compile(r"(?<=\S)([ \t]*)\\([!-/:-@\[-`{}~])")


def plainer(body: str) -> str:
    """Markdown with the same words, and without HTML, links' targets, images, tags of a site
    generator and attributes. Code stays as it is."""
    code: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        code.append(found[0])
        return f"\ue000{len(code) - 1}\ue001"

    text = untagged(CODE.sub(put_aside, body + "\n"))
    text = QUOTED.sub("", CALLED_OUT.sub(r"\n\g<title>\n", text))
    text = TICK_BOX.sub(r"\1", _linked(TABLE.sub(_barred, text)))
    text = ELEMENT.sub(_element, BARE.sub(r"\1", text))
    text = BREAK.sub(" ", text)
    text = ATTRIBUTES.sub("", INLINE.sub("", text))
    text = entities.unescape(ESCAPED.sub(r"\1\2", text))
    return KEPT.sub(lambda found: code[int(found[1])], text)


def untagged(text: str) -> str:
    """Without tags of a site generator; the words they quote stay."""
    return TAG.sub(_tag, text)


def _tag(found: re.Match[str]) -> str:
    """The words a tag quotes, save paths: `{% channel "help" %}` shows help."""
    inner = found["a"] if found["a"] is not None else found["b"]
    words = (
        one["a"] if one["a"] is not None else one["b"]
        for one in ARGUMENT.finditer(inner) if (one["name"] or "") in SHOWN
    )  # fmt: skip
    return " ".join(word for word in words if not re.fullmatch(r"\S*(?:/|\.\w)\S*", word))


def _barred(found: re.Match[str]) -> str:
    lines = found[0].splitlines()
    return "\n" + "".join(f"| {line.strip()}\n" for line in lines)


def _linked(text: str) -> str:
    """Links and images as the words they show."""
    known = {one["name"].lower() for one in DEFINED.finditer(text)}
    text = IMAGE.sub(r"\g<alt>", DEFINED.sub("", text))
    text = LINK.sub(_link, text)

    def named(found: re.Match[str]) -> str:
        name = found["name"] or found["words"]
        return found["words"] if " ".join(name.lower().split()) in known else found[0]

    return NAMED.sub(named, text) if known else text


def _link(found: re.Match[str]) -> str:
    """A link's words; an address to write to or to call is told, for it may stand nowhere else."""
    to = re.match(r"<?(?:mailto|tel):([^\s?>]+)", found["to"].strip())
    told = to is not None and to[1] not in found["words"]
    return f"{found['words']} ({to[1]})" if to and told else found["words"]


def _element(found: re.Match[str]) -> str:
    """HTML within Markdown, as Markdown."""
    blocks = html(found[0].encode()).blocks
    return "\n" + "".join(f"\n{line}\n" for line in _lines(blocks)) + "\n"


def _lines(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in blocks:
        match block.kind:
            case "heading":
                yield f"{'#' * block.level} {block.text}"
            case "row":
                yield f"| {block.text} |"
            case "text":
                yield block.text
