"""fin-03-thirteen-weeks: a forecast by policy, notes and contracts, and the bank's certificate."""

from pathlib import Path

from authoring.fin_03_thirteen_weeks.book import write_reference
from authoring.fin_03_thirteen_weeks.expected import write_tables
from authoring.fin_03_thirteen_weeks.faults import write_faults
from authoring.fin_03_thirteen_weeks.inputs import text, write_inputs
from authoring.fin_03_thirteen_weeks.letters import write_letters
from authoring.fin_03_thirteen_weeks.rubric import write_rubric
from authoring.fin_03_thirteen_weeks.second import write_second
from authoring.fin_03_thirteen_weeks.story import story
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told.world, to / "inputs")
    (to / "prompt.md").write_text(text("prompt.md", told.world), "utf-8", newline="\n")
    write_reference(told.world, to / "reference")
    if office():
        write_second(told.world, to / "reference-2")
    write_letters(told, to, second=office() is not None)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
