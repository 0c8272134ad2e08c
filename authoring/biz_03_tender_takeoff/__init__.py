"""biz-03-tender-takeoff: an electrical tender taken off from scanned plans, and priced."""

from pathlib import Path

from authoring.biz_03_tender_takeoff.book import write_book
from authoring.biz_03_tender_takeoff.faults import write_faults
from authoring.biz_03_tender_takeoff.groups import write_tables
from authoring.biz_03_tender_takeoff.inputs import text, write_inputs
from authoring.biz_03_tender_takeoff.letter import write_letter
from authoring.biz_03_tender_takeoff.rubric import write_rubric
from authoring.biz_03_tender_takeoff.second import write_second
from authoring.biz_03_tender_takeoff.takeoff import story
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    (to / "prompt.md").write_text(text(told, "prompt.md"), "utf-8", newline="\n")
    write_book(told, to / "reference")
    write_letter(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
        write_letter(told, to / "reference-2", second=True)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to / "faults.yaml")
