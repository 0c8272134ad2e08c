"""law-02-conformed-copy: a lease signed in two counterparts, with changes by hand on both."""

from pathlib import Path

from authoring.law_02_conformed_copy.book import write_book
from authoring.law_02_conformed_copy.expected import write_tables
from authoring.law_02_conformed_copy.faults import write_faults
from authoring.law_02_conformed_copy.inputs import text, write_inputs
from authoring.law_02_conformed_copy.papers import write_papers
from authoring.law_02_conformed_copy.rubric import write_rubric
from authoring.law_02_conformed_copy.second import write_second
from authoring.law_02_conformed_copy.story import story
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    (to / "prompt.md").write_text(text(told, "prompt"), "utf-8", newline="\n")
    write_book(told, to / "reference")
    write_papers(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
        write_papers(told, to / "reference-2", second=True)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
