"""Places as locators: `pay.xlsx#Payroll!E2`. The grammar is that of `evidence.locate`."""

from typing import NamedTuple

from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.locators import Locator, quoted
from bythebook.deliverables.evidence.locators import encoded as encoded_name


class Spot(NamedTuple):
    """One cell."""

    file: str
    sheet: str
    row: int
    column: int

    @property
    def place(self) -> str:
        return cell_at(self.file, self.sheet, address(self.row, self.column))


def encoded(file: str) -> str:
    """A whole file."""
    return str(Locator(file))


def within(file: str, part: str) -> str:
    """`note.docx#para=4`"""
    return f"{encoded(file)}#{part}" if part else encoded(file)


def sheet_at(file: str, sheet: str) -> str:
    return within(file, f"sheet={quoted(sheet)}")


def chart_at(file: str, sheet: str, number: int) -> str:
    return within(file, f"chart={quoted(sheet)}/{number}")


def name_at(file: str, name: str) -> str:
    """A defined name."""
    return within(file, f"name={encoded_name(name)}")


def cell_at(file: str, sheet: str, area: str) -> str:
    """A cell or a range of a sheet."""
    return within(file, f"{quoted(sheet)}!{area}")


def shortened(text: str, most: int = 120) -> str:
    """One line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 2]}.."
