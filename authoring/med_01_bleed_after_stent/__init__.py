"""med-01-bleed-after-stent: discharge papers after a gastric bleed ten weeks after a stent."""

from pathlib import Path

from authoring.med_01_bleed_after_stent.book import write_book
from authoring.med_01_bleed_after_stent.expected import write_tables
from authoring.med_01_bleed_after_stent.inputs import write_inputs
from authoring.med_01_bleed_after_stent.letters import write_letters
from authoring.med_01_bleed_after_stent.rubric import write_rubric
from authoring.med_01_bleed_after_stent.second import write_second
from authoring.med_01_bleed_after_stent.story import story
from authoring.med_01_bleed_after_stent.words import fill
from authoring.parts.caches import office


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    (to / "prompt.md").write_text(fill("prompt", told), "utf-8", newline="\n")
    write_book(told, to / "reference")
    write_letters(told, to / "reference")
    if office():
        write_second(told, to / "reference-2")
        write_letters(told, to / "reference-2", second=True)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
