"""biz-02-complaints-return: half a year of contacts read and coded for the regulator's return."""

from pathlib import Path

from authoring.biz_02_complaints_return.book import write_form, write_register
from authoring.biz_02_complaints_return.expected import write_tables
from authoring.biz_02_complaints_return.faults import write_faults
from authoring.biz_02_complaints_return.inputs import facts, write_inputs
from authoring.biz_02_complaints_return.note import write_note
from authoring.biz_02_complaints_return.rubric import write_rubric
from authoring.biz_02_complaints_return.second import write_second
from authoring.biz_02_complaints_return.story import story
from authoring.biz_02_complaints_return.world import TEXTS
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    prompt = (TEXTS / "prompt.md").read_text("utf-8").format(**facts(told))
    (to / "prompt.md").write_text(prompt, "utf-8", newline="\n")
    write_register(told, to / "reference")
    write_form(told, to / "reference")
    write_note(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
        write_note(told, to / "reference-2", second=True)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
