"""faults.yaml: its text, with what varies from seed to seed filled in for `<<name>>`."""

import re
from pathlib import Path

from authoring.parts.numbers import money
from authoring.stem_01_drawing_bom.inputs import BOM_FIRST, TEXTS, put_text
from authoring.stem_01_drawing_bom.paper import serial
from authoring.stem_01_drawing_bom.rules import Rules, closed_days
from authoring.stem_01_drawing_bom.story import Story

PLACE = re.compile(r"<<(\w+)>>")


def write_faults(told: Story, folder: Path) -> None:
    known = values(told)
    text = (TEXTS / "faults.yaml").read_text("utf-8")
    put_text(folder / "faults.yaml", PLACE.sub(lambda found: known[found[1]], text))


def values(told: Story) -> dict[str, str]:
    drawn = told.world
    register = sorted(drawn.revisions)
    closed = sorted(closed_days(drawn, Rules()))
    parts = [row.part.number for row in told.made.rows]
    days = {one.days: f"{one.due.day} {one.due:%B}" for one in told.made.actions}
    length, shoulders = (str(dim.nominal) for dim in drawn.loose[1:])
    return {
        "base": drawn.base,
        "former": drawn.former,
        "day": str(serial(drawn.build) - 5),
        "reg110": str(2 + register.index(drawn.no("110"))),
        "reg101": str(2 + register.index(drawn.no("101"))),
        "old110": str(2 + len(register)),
        "new101": str(3 + len(register)),
        "length": length,
        "shoulders": shoulders,
        "mail_day": str(2 + closed.index(drawn.closed_too)),
        "frame": str(2 + parts.index(drawn.no("001"))),
        "raw_first": str(BOM_FIRST),
        "cancelled": told.cancelled,
        "later": told.later,
        "undrawn": told.notice("QTY", "6"),
        "hold": days[1],
        "second": days[8],
        "third": days[15],
        "mass": f"{told.made.mass:.2f}",
        "largest": f"{told.made.chain.largest:.3f}",
        "change": money(told.made.change),
    }
