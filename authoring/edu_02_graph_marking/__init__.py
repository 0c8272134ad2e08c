"""edu-02-graph-marking: 24 hand-plotted graphs measured and marked by the board's notes."""

from pathlib import Path

from authoring.edu_02_graph_marking.book import write_book
from authoring.edu_02_graph_marking.expected import write_tables
from authoring.edu_02_graph_marking.faults import write_faults
from authoring.edu_02_graph_marking.inputs import facts, write_inputs
from authoring.edu_02_graph_marking.note import write_notes
from authoring.edu_02_graph_marking.rubric import write_rubric
from authoring.edu_02_graph_marking.second import write_second
from authoring.edu_02_graph_marking.story import story
from authoring.edu_02_graph_marking.world import TEXTS
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs", seed)
    prompt = (TEXTS / "prompt.md").read_text("utf-8").format(**facts(told))
    (to / "prompt.md").write_text(prompt, "utf-8", newline="\n")
    write_book(told, to / "reference")
    write_notes(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
        write_notes(told, to / "reference-2", second=True)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
