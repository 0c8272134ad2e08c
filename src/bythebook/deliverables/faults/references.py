"""Sheet names inside formulas: found and changed, texts in quotes left alone."""

import re

TEXT = re.compile(r'("(?:[^"]|"")*")')
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


def names(formula: str, sheet: str) -> bool:
    """Whether a formula looks into a sheet."""
    return bool(_prefix(sheet).search("".join(TEXT.split(formula)[::2])))


def renamed(formula: str, old: str, new: str) -> str:
    """The formula as it reads after its sheet got another name."""
    prefix = _prefix(old)
    parts = TEXT.split(formula)
    parts[::2] = [prefix.sub(lambda _: f"{quoted(new)}!", part) for part in parts[::2]]
    return "".join(parts)


def quoted(sheet: str) -> str:
    """A sheet's name as a formula writes it."""
    like_a_cell = re.fullmatch(r"(?i)[a-z]{1,3}\d+|r\d*c\d*", sheet)
    if PLAIN.fullmatch(sheet) and not like_a_cell:
        return sheet
    return "'" + sheet.replace("'", "''") + "'"


def _prefix(sheet: str) -> re.Pattern[str]:
    """The sheet's name before an exclamation mark, with or without quotes."""
    inside = re.escape(sheet.replace("'", "''"))
    return re.compile(rf"(?i)(?:'{inside}'|(?<![\w.'\]]){re.escape(sheet)})!")
