"""Equations of office files as one line of text: `(a+b)/(2)`, `x_i^2`, `√(n)`."""

from collections.abc import Callable

from lxml import etree

from bythebook.deliverables.evidence.package import M

MAX_DEPTH = 40
VAL = f"{M}val"


def linear(element: etree._Element, depth: int = 0) -> str:
    """The text of an `m:` element. What is nested too deep stands unordered."""
    if depth > MAX_DEPTH:
        return "".join(one.text or "" for one in element.iter(f"{M}t"))
    if element.tag == f"{M}t":
        return element.text or ""
    form = FORMS.get(str(element.tag))
    if form is not None:
        return form(element, depth + 1)
    return "".join(linear(child, depth + 1) for child in element)


def _part(element: etree._Element, name: str, depth: int) -> str:
    found = element.find(f"{M}{name}")
    return linear(found, depth) if found is not None else ""


def _held(text: str) -> str:
    """In brackets unless it is one sign or one number."""
    return text if len(text) == 1 or text.isalnum() else f"({text})"


def _said(element: etree._Element, path: str, usual: str) -> str:
    """An attribute of the element's properties; an empty one means nothing is drawn."""
    found = element.find("/".join(f"{M}{step}" for step in path.split("/")))
    said = found.get(VAL) if found is not None else None
    return usual if said is None else said


def _script(element: etree._Element, depth: int) -> str:
    text = _part(element, "e", depth)
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    text = _held(text) if len(text) > 1 else text
    return text + (f"_{_held(below)}" if below else "") + (f"^{_held(above)}" if above else "")


def _fraction(element: etree._Element, depth: int) -> str:
    return f"{_held(_part(element, 'num', depth))}/{_held(_part(element, 'den', depth))}"


def _root(element: etree._Element, depth: int) -> str:
    degree = _part(element, "deg", depth)
    return f"{degree}√({_part(element, 'e', depth)})"


def _sum(element: etree._Element, depth: int) -> str:
    sign = _said(element, "naryPr/chr", "∫")
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    bounds = (f"_{_held(below)}" if below else "") + (f"^{_held(above)}" if above else "")
    return f"{sign}{bounds} {_part(element, 'e', depth)}"


def _brackets(element: etree._Element, depth: int) -> str:
    inner = [linear(one, depth) for one in element.findall(f"{M}e")]
    left, right = _said(element, "dPr/begChr", "("), _said(element, "dPr/endChr", ")")
    return left + _said(element, "dPr/sepChr", "|").join(inner) + right


def _matrix(element: etree._Element, depth: int) -> str:
    rows = [[linear(e, depth) for e in row.findall(f"{M}e")] for row in element.findall(f"{M}mr")]
    return "[" + "; ".join(", ".join(row) for row in rows) + "]"


def _limit(element: etree._Element, depth: int) -> str:
    return f"{_part(element, 'e', depth)}_{_held(_part(element, 'lim', depth))}"


def _lines(element: etree._Element, depth: int) -> str:
    return "\n".join(linear(one, depth) for one in element.findall(f"{M}e"))


def _function(element: etree._Element, depth: int) -> str:
    return f"{_part(element, 'fName', depth)} {_part(element, 'e', depth)}"


FORMS: dict[str, Callable[[etree._Element, int], str]] = {
    f"{M}f": _fraction,
    f"{M}sSup": _script,
    f"{M}sSub": _script,
    f"{M}sSubSup": _script,
    f"{M}rad": _root,
    f"{M}nary": _sum,
    f"{M}d": _brackets,
    f"{M}m": _matrix,
    f"{M}limLow": _limit,
    f"{M}limUpp": _limit,
    f"{M}eqArr": _lines,
    f"{M}func": _function,
}
