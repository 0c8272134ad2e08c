"""Cell addresses and formulas, as far as evidence must understand them: no engine."""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

ROWS, COLUMNS = 1_048_576, 16_384
"""Of a sheet."""

_CELL = r"\$?[A-Za-z]{1,3}\$?[0-9]{1,7}(?![\w.(!\[])"
_TOKEN = re.compile(
    rf"""
      "(?:[^"]|"")*"                                  # text
    | '(?:[^']|'')*'                                  # a quoted sheet
    | \[(?:[^\[\]]|\[[^\]]*\])*\]                     # a table's column, another book
    | (?P<cell>{_CELL})
    | (?P<columns>\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}(?![\w.(!\[]))
    | (?P<rows>\$?[0-9]{{1,7}}:\$?[0-9]{{1,7}}(?![\w.(!\[]))
    | [^\W\d][\w.]*                                   # a function, a name, a sheet
    | [0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?
    """,
    re.X,
)
_PART = re.compile(r"(\$?)([A-Za-z]{1,3})?(\$?)([0-9]{1,7})?")
_SHEET = r"(?:(?P<sheet>(?<!')'(?:[^']|'')+'|(?<![\w.])[^\W\d][\w.]*)!)?"
"""Begun only where a word or quotation begins: else a long one is read from each of its letters."""
_AREA = re.compile(
    rf"{_SHEET}(?:(?P<first>{_CELL})(?::(?P<last>{_CELL}))?"
    r"|(?P<left>\$?[A-Za-z]{1,3}):(?P<right>\$?[A-Za-z]{1,3})(?![\w.(!\[])"
    r"|(?P<top>\$?[0-9]{1,7}):(?P<bottom>\$?[0-9]{1,7})(?![\w.(!\[]))"
)
_WORD = re.compile(r"(?<![\w.!'\]])[^\W\d][\w.]*(?![\w.(!'])")
_STRING = re.compile(r'"(?:[^"]|"")*"')
_JOINT = re.compile(r"\)\s*:|:\s*[^\W\d][\w.]*\(")
_COLUMN = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]")


class Area(msgspec.Struct, frozen=True):
    """A rectangle of cells; both ends belong to it."""

    sheet: str
    """Empty: the sheet that the formula stands on."""
    top: int
    left: int
    bottom: int
    right: int

    def holds(self, row: int, column: int) -> bool:
        return self.top <= row <= self.bottom and self.left <= column <= self.right


@lru_cache(maxsize=COLUMNS)
def column_letters(column: int) -> str:
    """1 is A."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


@lru_cache(maxsize=COLUMNS)
def column_number(letters: str) -> int:
    """A is 1; 0 when these are no letters."""
    number = 0
    for letter in letters.upper():
        if not "A" <= letter <= "Z":
            return 0
        number = number * 26 + ord(letter) - 64
    return number


def address(row: int, column: int) -> str:
    return f"{column_letters(column)}{row}"


@lru_cache(maxsize=4096)
def area_of(reference: str) -> Area | None:
    """A range as it stands in a part: `A1:C9`, `$B$2`, `A:C`, `Sheet!A1`; None if it is none."""
    match = _AREA.fullmatch(reference.strip())
    return _area(match) if match else None


def areas(formula: str) -> Iterator[Area]:
    """Every range that a formula names, names and table columns left out."""
    plain = _bare(formula)
    for match in _AREA.finditer(plain):
        start = match.start()
        # `[1]Sheet!A1` is another book, `x.A1` no reference.
        if start and (plain[start - 1].isalnum() or plain[start - 1] in "_.]'"):
            continue
        yield _area(match)


def names_in(formula: str) -> Iterator[str]:
    """Words that may be defined names or tables: not functions, not sheets."""
    for match in _WORD.finditer(_bare(formula)):
        yield match.group()


def tells_all(formula: str) -> bool:
    """Do its areas and names tell all that a formula reads? They do not where a table, a spill,
    several sheets or another book is read, and in an array formula."""
    rest = _JOINT.sub("", _AREA.sub("", _STRING.sub('""', formula)))
    plain = not formula.startswith("{") and not any(sign in rest for sign in ":[]#")
    return plain and all(":" not in area.sheet for area in areas(formula))


def joins(formula: str) -> bool:
    """Does a range end in a function, as in `A1:INDEX(B1:B9,2)`? Then all between may be read."""
    return bool(_JOINT.search(_AREA.sub("", _STRING.sub('""', formula))))


def shared(formula: str) -> "Shared":
    """A shared formula as its first cell spells it, ready to be spelled out for the others."""
    parts: list[str | tuple[str, str, str, str]] = []
    done = 0
    for match in _TOKEN.finditer(formula):
        if match.lastgroup is None:
            continue
        parts.append(formula[done : match.start()])
        first, colon, last = match.group().partition(":")
        for word in (first, colon, last):
            found = _PART.fullmatch(word) if word and word != ":" else None
            parts.append(tuple(group or "" for group in found.groups()) if found else word)  # type: ignore[arg-type] # four groups
        done = match.end()
    parts.append(formula[done:])
    return Shared(tuple(part for part in parts if part))


class Shared:
    """A shared formula; columns are moved once for all cells of a column."""

    def __init__(self, parts: tuple[str | tuple[str, str, str, str], ...]) -> None:
        """`parts`: text, or a reference's `$`, letters, `$`, digits."""
        self._parts = parts
        self._columns: dict[int, tuple[list[str], list[int]]] = {}

    def at(self, down: int, right: int) -> str:
        """The formula as it reads so many rows below and columns right of the first cell.

        A reference that leaves the sheet comes back on its other side, as in Excel.
        """
        if right not in self._columns:
            self._columns[right] = self._moved(right)
        texts, rows = self._columns[right]
        out = [texts[0]]
        for row, text in zip(rows, texts[1:], strict=True):
            out += (str((row - 1 + down) % ROWS + 1), text)
        return "".join(out)

    def _moved(self, right: int) -> tuple[list[str], list[int]]:
        """The rows that move, and the texts around them."""
        texts, rows = [""], []
        for part in self._parts:
            if isinstance(part, str):
                texts[-1] += part
                continue
            fixed_column, letters, fixed_row, digits = part
            if letters and not fixed_column:
                letters = column_letters((column_number(letters) - 1 + right) % COLUMNS + 1)
            # In `$1:3` the mark of the row stands where that of a column would.
            fixed = fixed_row or (fixed_column and not letters)
            texts[-1] += f"{fixed_column}{letters}{fixed_row}"
            if fixed or not digits:
                texts[-1] += digits
            else:
                rows.append(int(digits))
                texts.append("")
        return texts, rows


def _bare(formula: str) -> str:
    """Without what stands in texts and in a table's brackets."""
    return _COLUMN.sub("[]", _STRING.sub('""', formula))


def _area(match: re.Match[str]) -> Area:
    sheet = match["sheet"] or ""
    if sheet.startswith("'"):
        sheet = sheet[1:-1].replace("''", "'")
    if match["left"]:
        ends = [column_number(match[side].lstrip("$")) for side in ("left", "right")]
        return Area(sheet, 1, min(ends), ROWS, max(ends))
    if match["top"]:
        ends = [int(match[side].lstrip("$")) for side in ("top", "bottom")]
        return Area(sheet, min(ends), 1, max(ends), COLUMNS)
    rows, columns = [], []
    for cell in (match["first"], match["last"] or match["first"]):
        plain = cell.replace("$", "")
        letters = plain.rstrip("0123456789")
        columns.append(column_number(letters))
        rows.append(int(plain[len(letters) :]))
    return Area(sheet, min(rows), min(columns), max(rows), max(columns))
