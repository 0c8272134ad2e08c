"""stem-01-drawing-bom: a drawing set checked against the ERP bill before a machine is built."""

from pathlib import Path

from authoring.parts.caches import office
from authoring.stem_01_drawing_bom.book import write_reference
from authoring.stem_01_drawing_bom.expected import write_tables
from authoring.stem_01_drawing_bom.faults import write_faults
from authoring.stem_01_drawing_bom.inputs import long_day, put_text, text, write_inputs
from authoring.stem_01_drawing_bom.notes import write_notes
from authoring.stem_01_drawing_bom.rubric import write_rubric
from authoring.stem_01_drawing_bom.second import write_second
from authoring.stem_01_drawing_bom.story import Story, story


def build(seed: int, to: Path) -> None:
    told = story(seed)
    write_inputs(told, to / "inputs")
    put_text(to / "prompt.md", _prompt(told))
    write_reference(told, to / "reference")
    if office():
        export = to / "inputs" / f"erp-export-{told.world.base}.xlsx"
        write_second(told, export, to / "reference-2")
    write_notes(told, to)
    write_tables(told, to / "expected")
    write_rubric(told, to / "rubric.yaml")
    write_faults(told, to)


def _prompt(told: Story) -> str:
    drawn = told.world
    return text(
        "prompt.md",
        base=drawn.base,
        stations=str(drawn.stations),
        build=long_day(drawn.build),
        checked=long_day(drawn.checked),
        first_ecn=drawn.notices[0].number,
        head=drawn.head,
        company=drawn.company,
    )
