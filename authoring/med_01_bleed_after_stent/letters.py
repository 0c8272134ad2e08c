"""The letter to the practice and the patient's sheet, of either reference."""

from pathlib import Path

from authoring.med_01_bleed_after_stent.plan import Plan
from authoring.med_01_bleed_after_stent.words import fill
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.word import Letter, write_docx

LETTER = "discharge-plan.docx"
SHEET = "patient-sheet.pdf"


def write_letters(told: Plan, folder: Path, second: bool = False) -> None:
    drawn = told.world
    more = "-2" if second else ""
    around = Letter(
        title="Discharge plan",
        author=drawn.team.resident.name,
        header=f"{drawn.hospital}, ward 6B",
        footer=f"{drawn.patient.formal}, record {drawn.record}",
        points=9.0,
        fitted=True,
    )
    write_docx(folder / LETTER, fill(f"letter{more}", told), around)
    page = Sheetwork(
        title="Patient sheet",
        author=drawn.team.resident.name,
        header=drawn.hospital,
        points=10.0 if second else 9.8,
    )
    write_pdf(folder / SHEET, [fill(f"patient{more}", told)], page)
