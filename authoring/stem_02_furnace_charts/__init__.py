"""stem-02-furnace-charts: a month of furnace loads read off the recorder's paper strips."""

from pathlib import Path

from authoring.parts.caches import office
from authoring.stem_02_furnace_charts.book import write_book
from authoring.stem_02_furnace_charts.faults import write_faults
from authoring.stem_02_furnace_charts.inputs import facts, said, write_inputs
from authoring.stem_02_furnace_charts.note import write_note
from authoring.stem_02_furnace_charts.rubric import write_rubric
from authoring.stem_02_furnace_charts.second import write_second
from authoring.stem_02_furnace_charts.story import story


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    (to / "prompt.md").write_text(said("prompt.md", facts(told.world)), "utf-8", newline="\n")
    write_book(told, to / "reference")
    write_note(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
        write_note(told, to / "reference-2", second=True)
    write_rubric(told, to)
    write_faults(told, to / "faults.yaml")
