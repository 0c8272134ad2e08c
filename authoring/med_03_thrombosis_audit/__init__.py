"""med-03-thrombosis-audit: half a year of reports read for hospital-acquired thrombosis."""

from pathlib import Path

from authoring.med_03_thrombosis_audit.expected import write_tables
from authoring.med_03_thrombosis_audit.faults import write_faults
from authoring.med_03_thrombosis_audit.inputs import facts, write_inputs
from authoring.med_03_thrombosis_audit.papers import write_papers
from authoring.med_03_thrombosis_audit.rubric import write_rubric
from authoring.med_03_thrombosis_audit.second import write_second
from authoring.med_03_thrombosis_audit.story import story
from authoring.med_03_thrombosis_audit.workbook import write_book
from authoring.med_03_thrombosis_audit.world import TEXTS
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    prompt = (TEXTS / "prompt.md").read_text("utf-8").format(**facts(told))
    (to / "prompt.md").write_text(prompt, "utf-8", newline="\n")
    write_book(told, to / "reference")
    write_papers(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
        write_papers(told, to / "reference-2", second=True)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
