"""Ways to write a formula that LibreOffice computes otherwise than Excel does.

Found by giving some 350 formulas to LibreOffice 7.4 whose values in Excel are known. Excel computes
the first argument of INDEX as an array; LibreOffice does so only within functions that want arrays,
and picks a column out of such an array wrongly even there.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

COMPUTED_INDEX = "INDEX over a computed array"
ARRAYS = frozenset(
    (
        *("CORREL", "HLOOKUP", "IRR", "LOOKUP", "MATCH", "MMULT", "SUMPRODUCT", "SUMXMY2"),
        *("VLOOKUP", "XIRR"),
    )
)
"""Functions within which INDEX over a computed array gives what Excel gives."""
WHOLE = frozenset(
    (
        *("CHOOSE", "FREQUENCY", "GROWTH", "IF", "INDEX", "INDIRECT", "LINEST", "LOGEST"),
        *("MINVERSE", "MMULT", "OFFSET", "TRANSPOSE", "TREND"),
    )
)
"""Functions that give INDEX cells or a whole array, wherever they stand."""

LONGEST, DEEPEST = 8_192, 64
"""Letters of a formula and functions within each other that Excel takes."""

_TOKEN = re.compile(
    r"'(?:[^']|'')*'|\[(?:[^\[\]]|\[[^\]]*\])*\]|\"\""
    r"|(?:(?<![\w.])(?P<call>[A-Za-z_][\w.]*))?\(|[){},]"
)
_OPERATOR = re.compile(r"[-+*/^&<>=%]")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\[(?:[^\[\]]|\[[^\]]*\])*\]")
_ONE_CALL = re.compile(r"\s*([A-Za-z_][\w.]*)\(")


class Call(msgspec.Struct, frozen=True):
    """A function called in a formula, in capitals."""

    name: str
    within: tuple[str, ...]
    """Functions around it."""
    arguments: tuple[str, ...]


@lru_cache(maxsize=50_000)
def other_than_excel(plain: str) -> str:
    """What in a formula is computed otherwise here than by Excel; empty: nothing that is known.
    `plain`: without its texts; array formulas are `{...}`."""
    if "INDEX(" not in plain.upper() or len(plain) > LONGEST:
        return ""
    array = plain.startswith("{")
    found = any(_index_differs(call, array=array) for call in calls(plain))
    return COMPUTED_INDEX if found else ""


def _index_differs(call: Call, *, array: bool) -> bool:
    if call.name != "INDEX" or not _computed(call.arguments[0]):
        return False
    picks_column = len(call.arguments) > 2 and call.arguments[2].strip() not in ("", "0")
    return picks_column or not (array or ARRAYS.intersection(call.within))


def _computed(argument: str) -> bool:
    """Is it worked out of cells, and not cells, a name or an array as written?"""
    argument = argument.strip()
    while argument.startswith("(") and argument.endswith(")"):
        argument = argument[1:-1].strip()
    if argument.startswith("{"):
        return False
    outside = _QUOTED.sub("", argument)
    one = _ONE_CALL.match(outside)
    if one and outside.endswith(")") and len(list(_outermost(outside))) == 1:
        return one[1].upper() not in WHOLE
    return bool(_OPERATOR.search(_without_calls(outside)))


def _outermost(text: str) -> Iterator[Call]:
    return (call for call in calls(text) if not call.within)


def _without_calls(text: str) -> str:
    """A text without what stands in the brackets of its functions."""
    kept, depth = [], 0
    for letter in text:
        depth += letter == "("
        if not depth:
            kept.append(letter)
        depth -= letter == ")"
    return "".join(kept)


def calls(plain: str) -> Iterator[Call]:
    """Every function that a formula calls, with its arguments, the innermost first. What is not
    balanced ends it, and so does what stands deeper than Excel takes."""
    open_: list[tuple[str, list[int]]] = []
    """The functions that are begun, with where each argument begins."""
    for token in _TOKEN.finditer(plain):
        mark = token[0][-1]
        if token[0][0] in "'[\"":
            continue
        if mark in "({":
            open_.append(((token["call"] or "").upper().removeprefix("_XLFN."), [token.end()]))
        elif open_ and mark == ",":
            open_[-1][1].append(token.end())
        elif open_:
            name, begins = open_.pop()
            within = tuple(name for name, _ in open_ if name)
            if len(within) >= DEEPEST:
                return
            if name:
                ends = [*(begin - 1 for begin in begins[1:]), token.start()]
                arguments = tuple(plain[one:end] for one, end in zip(begins, ends, strict=True))
                yield Call(name, within, arguments)
