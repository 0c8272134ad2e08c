"""The reference's workbook, all sheets of it."""

from pathlib import Path

from authoring.med_03_thrombosis_audit import book, book_rates
from authoring.med_03_thrombosis_audit.rules import coded
from authoring.med_03_thrombosis_audit.story import found
from authoring.med_03_thrombosis_audit.world import World
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook


def write_book(told: World, folder: Path) -> None:
    path = folder / book.NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    new = open_workbook(path, "Hospital-acquired thrombosis", "Thrombosis Group")
    pen = book.Pen(new, told, coded(told), found(told), book.looks(new))
    for write in (*book.WRITERS, *book_rates.WRITERS, *book.LAST_WRITERS):
        write(pen)
    new.close()
    pack(path)
