"""The tender letter, twice: two people's words for the same facts."""

from pathlib import Path

from authoring.biz_03_tender_takeoff.inputs import TEXTS, facts
from authoring.biz_03_tender_takeoff.symbols import EXISTING, OTHERS
from authoring.biz_03_tender_takeoff.takeoff import Told, times
from authoring.biz_03_tender_takeoff.world import DRAWINGS
from authoring.parts.numbers import money
from authoring.parts.word import Letter, write_docx

NAME = "tender-letter.docx"
HEADS = ("Price", "Qualifications", "Exclusions", "Basis")


def _pieces(told: Told, status: str) -> int:
    """As fitted: those in typical rooms as often as there are such rooms."""
    return sum(
        times(told.world, drawing.no, one.room)
        for drawing in DRAWINGS
        for one in told.world.symbols(drawing)
        if one.status == status
    )


def effect(told: Told, item: str) -> str:
    return money((told.quantities[item] - told.client[item]) * told.rates[item])


def said(told: Told) -> dict[str, str]:
    wanted = told.quantities
    rows = [
        f"| {item} | {told.client[item]} | {wanted[item]} | {effect(told, item)} |"
        for item in told.qualified
    ]
    whole = sum((wanted[item] - told.client[item]) * told.rates[item] for item in told.qualified)
    return facts(told) | {
        "price": money(told.money.price),
        "net": money(told.money.net),
        "lines": str(len(told.qualified)),
        "rows": "\n".join(rows),
        "effect": money(whole),
        "others": str(_pieces(told, OTHERS)),
        "existing": str(_pieces(told, EXISTING)),
    }


def write_letter(told: Told, folder: Path, second: bool = False) -> None:
    words = (TEXTS / ("letter-2.md" if second else "letter.md")).read_text("utf-8")
    around = Letter(title="Tender", author="Dunmarrow Electrical", points=10, fitted=True)
    write_docx(folder / NAME, words.format(**said(told)), around)
