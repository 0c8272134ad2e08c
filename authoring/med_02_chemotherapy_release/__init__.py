"""med-02-chemotherapy-release: check three days of orders of a day unit and release what may go."""

from pathlib import Path

from authoring.med_02_chemotherapy_release.book import write_reference
from authoring.med_02_chemotherapy_release.expected import write_tables
from authoring.med_02_chemotherapy_release.inputs import text, write_inputs
from authoring.med_02_chemotherapy_release.papers import write_faults, write_papers
from authoring.med_02_chemotherapy_release.rubric import write_rubric
from authoring.med_02_chemotherapy_release.second import write_second
from authoring.med_02_chemotherapy_release.story import story
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    (to / "prompt.md").write_text(text("prompt.md", told), "utf-8", newline="\n")
    write_reference(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
    write_papers(told, to, second=office() is not None)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
