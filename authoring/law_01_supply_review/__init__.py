"""law-01-supply-review: the other side's draft against playbook, mails and law, with a memo."""

from pathlib import Path

from authoring.law_01_supply_review.book import write_book
from authoring.law_01_supply_review.expected import write_tables
from authoring.law_01_supply_review.faults import write_faults
from authoring.law_01_supply_review.inputs import write_inputs
from authoring.law_01_supply_review.memo import write_memos
from authoring.law_01_supply_review.rubric import write_rubric
from authoring.law_01_supply_review.second import write_second
from authoring.law_01_supply_review.story import story
from authoring.law_01_supply_review.words import fill
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    (to / "prompt.md").write_text(fill("prompt.md", told), "utf-8", newline="\n")
    write_book(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
    write_memos(told, to)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
