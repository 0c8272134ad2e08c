"""fin-01-three-levels: value an add-on acquisition, decide on it, and say so on two pages."""

from pathlib import Path

from authoring.fin_01_three_levels.book import write_reference
from authoring.fin_01_three_levels.expected import write_tables
from authoring.fin_01_three_levels.faults import write_faults
from authoring.fin_01_three_levels.inputs import text, write_inputs
from authoring.fin_01_three_levels.memo import write_memos
from authoring.fin_01_three_levels.rubric import write_rubric
from authoring.fin_01_three_levels.second import write_second
from authoring.fin_01_three_levels.story import story
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told.world, to / "inputs")
    (to / "prompt.md").write_text(text("prompt.md", told.world), "utf-8", newline="\n")
    write_reference(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
    write_memos(told, to, second=office() is not None)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
