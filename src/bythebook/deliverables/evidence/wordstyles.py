"""Styles and numbering of a Word document: which paragraphs are headings, and how lists count.

Word names its built-in styles in English inside the file, whatever the language of its user
(`heading 1` under the id `berschrift1`), and an outline level marks a heading under any name.
"""

import re
from typing import NamedTuple

from lxml import etree

from bythebook.deliverables.evidence.package import W, flag, number

VAL = f"{W}val"
HEADING = re.compile(r"heading ([1-9])", re.I)
MAX_CHAIN = 20
"""Styles that a style may be based on, one on the other."""
DEPTHS = 9


class Counted(NamedTuple):
    """A paragraph's place in a list: which list, and how deep, from 0."""

    list: str
    depth: int


class Style(NamedTuple):
    name: str
    parent: str = ""
    level: int | None = None
    """1 to 9 for headings, 0 for body text; None: as its parent."""
    list: str = ""
    depth: int | None = None
    hidden: bool | None = None


def _style(element: etree._Element) -> Style:
    outline = element.find(f"{W}pPr/{W}outlineLvl")
    name, based = element.find(f"{W}name"), element.find(f"{W}basedOn")
    count, depth = (element.find(f"{W}pPr/{W}numPr/{W}{one}") for one in ("numId", "ilvl"))
    vanish = element.find(f"{W}rPr/{W}vanish")
    said = (name.get(VAL) if name is not None else None) or element.get(f"{W}styleId") or ""
    heading = HEADING.fullmatch(said)
    level = int(heading[1]) if heading else None
    return Style(
        name=said,
        parent=(based.get(VAL) if based is not None else None) or "",
        level=level if outline is None else outline_level(outline),
        list=(count.get(VAL) if count is not None else None) or "",
        depth=number(depth.get(VAL)) if depth is not None else None,
        hidden=flag(vanish, VAL) if vanish is not None else None,
    )


def outline_level(element: etree._Element) -> int:
    """1 to 9; 0 for body text, which the format writes as 9."""
    level = number(element.get(VAL), 9)
    return level + 1 if 0 <= level < DEPTHS else 0


class Styles:
    """What `word/styles.xml` says; an absent one knows nothing."""

    def __init__(self, root: etree._Element | None) -> None:
        self._styles: dict[str, Style] = {}
        self._usual = ""
        for element in root.iter(f"{W}style") if root is not None else ():
            key = element.get(f"{W}styleId") or ""
            self._styles[key] = _style(element)
            usual = element.get(f"{W}default") in ("1", "true")
            if usual and element.get(f"{W}type") == "paragraph":
                self._usual = key

    def chain(self, key: str) -> list[Style]:
        """The style and those it is based on, the nearest first."""
        found: list[Style] = []
        while key in self._styles and len(found) < MAX_CHAIN:
            found.append(self._styles[key])
            key = found[-1].parent
        return found

    def of(self, properties: etree._Element | None) -> str:
        """The id of a paragraph's style."""
        named = properties.find(f"{W}pStyle") if properties is not None else None
        return (named.get(VAL) if named is not None else None) or self._usual

    def name(self, key: str) -> str:
        return self._styles[key].name if key in self._styles else key

    def level(self, properties: etree._Element | None, key: str) -> int:
        """1 to 9 for a heading, else 0."""
        own = properties.find(f"{W}outlineLvl") if properties is not None else None
        if own is not None:
            return outline_level(own)
        return next((one.level for one in self.chain(key) if one.level is not None), 0)

    def counted(self, properties: etree._Element | None, key: str) -> Counted | None:
        """The list that a paragraph is in, by itself or by its style."""
        own = properties.find(f"{W}numPr") if properties is not None else None
        listed = own.find(f"{W}numId") if own is not None else None
        depth = own.find(f"{W}ilvl") if own is not None else None
        chain = self.chain(key)
        name = listed.get(VAL) if listed is not None else None
        if name is None:
            name = next((one.list for one in chain if one.list), "")
        if name in ("", "0"):
            return None
        if depth is not None:
            return Counted(name, number(depth.get(VAL)))
        return Counted(name, next((one.depth for one in chain if one.depth is not None), 0))

    def hidden(self, key: str) -> bool:
        return next((one.hidden for one in self.chain(key) if one.hidden is not None), False)


class Level(NamedTuple):
    """How one depth of a list counts."""

    format: str = "decimal"
    """bullet, decimal, lowerLetter, upperRoman, none, ..."""
    text: str = ""
    """`%1.%2.`"""
    start: int = 1


def _level(element: etree._Element) -> Level:
    def said(name: str) -> str | None:
        found = element.find(f"{W}{name}")
        return found.get(VAL) if found is not None else None

    return Level(said("numFmt") or "decimal", said("lvlText") or "", number(said("start"), 1))


class Numbering:
    """What `word/numbering.xml` says, and the counts so far: ask in document order."""

    def __init__(self, root: etree._Element | None, styles: Styles) -> None:
        self._plans: dict[str, dict[int, Level]] = {}
        self._plan_of: dict[str, str] = {}
        self._own: dict[tuple[str, int], Level] = {}
        self._restarts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._links: dict[str, str] = {}
        self._styles = styles
        if root is not None:
            self._read(root)

    def _read(self, root: etree._Element) -> None:
        for plan in root.iter(f"{W}abstractNum"):
            key = plan.get(f"{W}abstractNumId") or ""
            levels = plan.findall(f"{W}lvl")
            self._plans[key] = {number(one.get(f"{W}ilvl")): _level(one) for one in levels}
            link = plan.find(f"{W}numStyleLink")
            if link is not None:
                self._links[key] = link.get(VAL) or ""
        for one in root.iter(f"{W}num"):
            key, plan_named = one.get(f"{W}numId") or "", one.find(f"{W}abstractNumId")
            self._plan_of[key] = (plan_named.get(VAL) if plan_named is not None else None) or ""
            for own in one.findall(f"{W}lvlOverride"):
                self._override(key, number(own.get(f"{W}ilvl")), own)

    def _override(self, key: str, depth: int, own: etree._Element) -> None:
        level, start = own.find(f"{W}lvl"), own.find(f"{W}startOverride")
        if level is not None:
            self._own[key, depth] = _level(level)
        if start is not None:
            self._restarts[key, depth] = number(start.get(VAL), 1)

    def _plan(self, key: str) -> str:
        """The plan that a list follows; one may lie behind a list style."""
        plan = self._plan_of.get(key, "")
        if plan in self._links:
            behind = next((s.list for s in self._styles.chain(self._links[plan]) if s.list), "")
            return self._plan_of.get(behind, plan)
        return plan

    def level(self, place: Counted) -> Level | None:
        own = self._own.get((place.list, place.depth))
        return own or self._plans.get(self._plan(place.list), {}).get(place.depth)

    def label(self, place: Counted) -> str:
        """The next number of the list as it is shown, such as `2.1` or `(a)`; bullets have none."""
        level = self.level(place)
        if level is None or not 0 <= place.depth < DEPTHS:
            return ""
        counts = self._counts.setdefault(self._plan(place.list), [None] * DEPTHS)
        before = counts[place.depth]
        restart = self._restarts.pop((place.list, place.depth), None)
        counts[place.depth] = level.start if before is None else before + 1
        if restart is not None:
            counts[place.depth] = restart
        counts[place.depth + 1 :] = [None] * (DEPTHS - place.depth - 1)
        if level.format in ("bullet", "none"):
            return ""
        return re.sub(r"%([1-9])", lambda found: self._shown(place, int(found[1]) - 1), level.text)

    def _shown(self, place: Counted, depth: int) -> str:
        level = self.level(Counted(place.list, depth)) or Level()
        count = self._counts[self._plan(place.list)][depth]
        return counted_as(level.start if count is None else count, level.format)


ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def counted_as(count: int, form: str) -> str:
    """A list's number in Word's manner: 28 letters are `bb`. What is not known counts 1, 2, 3."""
    if form in ("lowerLetter", "upperLetter") and 0 < count <= 26 * 30:
        text = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return text.upper() if form == "upperLetter" else text
    if form in ("lowerRoman", "upperRoman") and 0 < count < 4000:
        text = ""
        for value, letters in ROMAN:
            text, count = text + letters * (count // value), count % value
        return text.upper() if form == "upperRoman" else text
    return f"{count:02d}" if form == "decimalZero" else str(count)
