"""Places as locators: `pay.xlsx#Payroll!E2`. The grammar is that of `evidence.locate`."""

from typing import NamedTuple

from bythebook.deliverables.evidence.formulas import address

_ENCODED = str.maketrans({"%": "%25", "#": "%23", "\n": "%0A", "\r": "%0D"})


class Spot(NamedTuple):
    """One cell."""

    file: str
    sheet: str
    row: int
    column: int

    @property
    def place(self) -> str:
        return cell_at(self.file, self.sheet, address(self.row, self.column))


def encoded(name: str) -> str:
    return name.translate(_ENCODED)


def within(file: str, part: str) -> str:
    """`note.docx#para=4`"""
    return f"{encoded(file)}#{part}" if part else encoded(file)


def sheet_at(file: str, sheet: str) -> str:
    return within(file, f"sheet={encoded(sheet)}")


def cell_at(file: str, sheet: str, area: str) -> str:
    """A cell or a range of a sheet."""
    return within(file, f"{encoded(sheet)}!{area}")


def shortened(text: str, most: int = 120) -> str:
    """One line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 2]}.."
