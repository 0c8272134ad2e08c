"""biz-01-payroll-talent: a year's payroll and talent workbook out of raw exports, and a note."""

from pathlib import Path

from authoring.biz_01_payroll_talent.book import write_reference
from authoring.biz_01_payroll_talent.expected import write_tables
from authoring.biz_01_payroll_talent.faults import write_faults
from authoring.biz_01_payroll_talent.inputs import BOOK, text, write_inputs
from authoring.biz_01_payroll_talent.notes import write_notes
from authoring.biz_01_payroll_talent.rubric import write_rubric
from authoring.biz_01_payroll_talent.second import write_second
from authoring.biz_01_payroll_talent.story import story
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    prompt = text("prompt.md", company=told.world.company)
    (to / "prompt.md").write_text(prompt, "utf-8", newline="\n")
    write_reference(told, to / "reference")
    if office():
        write_second(told, to / "inputs" / BOOK, to / "reference-2")
    write_notes(told, to)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
