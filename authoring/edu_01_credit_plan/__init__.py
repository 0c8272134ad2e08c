"""edu-01-credit-plan: a curriculum that is recalculated for accreditation, and three transfers."""

from pathlib import Path

from authoring.edu_01_credit_plan.book import write_reference
from authoring.edu_01_credit_plan.expected import write_tables
from authoring.edu_01_credit_plan.faults import write_faults
from authoring.edu_01_credit_plan.inputs import prompt, write_inputs
from authoring.edu_01_credit_plan.letters import write_letters
from authoring.edu_01_credit_plan.rubric import write_rubric
from authoring.edu_01_credit_plan.second import write_second
from authoring.edu_01_credit_plan.story import plan
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = plan(seed)
    write_inputs(told, to / "inputs")
    (to / "prompt.md").write_text(prompt(told), "utf-8", newline="\n")
    write_reference(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
    write_letters(told, to)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
