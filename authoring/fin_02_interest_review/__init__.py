"""fin-02-interest-review: check two years of a bank's interest and fees, and claim what is owed."""

from pathlib import Path

from authoring.fin_02_interest_review.book import write_reference
from authoring.fin_02_interest_review.expected import write_tables
from authoring.fin_02_interest_review.faults import write_faults
from authoring.fin_02_interest_review.inputs import text, write_inputs
from authoring.fin_02_interest_review.letters import write_letters
from authoring.fin_02_interest_review.rubric import write_rubric
from authoring.fin_02_interest_review.second import write_second
from authoring.fin_02_interest_review.story import story
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    (to / "prompt.md").write_text(text("prompt.md", told.world), "utf-8", newline="\n")
    write_reference(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
    write_letters(told, to, second=office() is not None)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
