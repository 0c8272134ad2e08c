"""The release note, twice: two people's words for the same decisions."""

from pathlib import Path

from authoring.parts.word import Letter, write_docx
from authoring.stem_02_furnace_charts.book import figures
from authoring.stem_02_furnace_charts.inputs import facts, said
from authoring.stem_02_furnace_charts.second import other_reader
from authoring.stem_02_furnace_charts.story import Story
from authoring.stem_02_furnace_charts.taken import Taken, taken
from authoring.stem_02_furnace_charts.world import NIGHT, RERUN

NOTE = "release-note.docx"
HEADS = ("Decision", "Loads that do not go", "What the heat treater must do", "Basis")
WORDS = {"reprocess": "reprocess", "hold": "hold for engineering", "scrap": "scrap"}


def listed(told: Story, decision: str) -> str:
    return ", ".join(one.load.no for one in told.results if one.decision == decision)


def _with(told: Story, code: str) -> str:
    return next(one.load.no for one in told.results if code in one.findings)


def why(told: Story, got: Taken) -> str:
    """The finding with its value and its limit."""
    one = got.result
    couple = told.world.couples[one.load.couple]
    texts = {
        "P2": f"peak {got.peak:.0f} deg C, limit for scrap {one.klass.set_at + 40}",
        "P1": f"peak {got.peak:.0f} deg C, limit {one.klass.set_at + 15}",
        "L": f"soak {got.soak:.0f} min, longest {one.klass.longest}",
        "R": f"heating rate {got.rate:.0f} deg C/h, highest {one.klass.fastest}",
        "T": f"{couple.name} was due on {couple.due}, used on {one.load.day}",
        "S": f"soak {got.soak:.0f} min, shortest {one.required}",
        "Q": f"quench delay {got.delay} s, limit {one.allowed}",
    }
    return "; ".join(f"{code}: {texts[code]}" for code in one.findings)


def words(told: Story, second: bool = False) -> dict[str, str]:
    """Everything that notes and rubric say, as text."""
    known, counts = facts(told.world), figures(told)
    names = ("n", "released", "n_reprocess", "n_hold", "n_scrap", "out", "kept")
    known |= {name: str(value) for name, value in zip(names, counts.values(), strict=True)}
    read = other_reader(told) if second else {o.load.no: taken(o) for o in told.results}
    stay = [read[one.load.no] for one in told.results if one.decision != "release"]
    rows, short = [], []
    for got in stay:
        load, decision = got.result.load, WORDS[got.result.decision]
        rows.append(f"| {load.no} | {load.pieces} | {why(told, got)} | {decision} |")
        short.append(f"| {load.no} | {why(told, got)} | {decision} |")
    scrap = next(one for one in told.results if one.decision == "scrap")
    couple = told.world.couples[told.of(17).load.couple]
    wrong = [load.no for load in told.world.loads if load.noted != load.speed]
    return known | {
        "pieces": str(counts["Pieces released"] + counts["Pieces not released"]),
        "stays": str(len(stay)),
        "goes": listed(told, "release"),
        "reprocess": listed(told, "reprocess"),
        "hold": listed(told, "hold"),
        "scrap": scrap.load.no,
        "scrap_pieces": str(scrap.load.pieces),
        "rows": "\n".join(rows),
        "short_rows": "\n".join(short),
        "rerun": told.of(RERUN).load.no,
        "earlier": told.world.earlier,
        "night": told.of(NIGHT).load.no,
        "micro": f"{_with(told, 'P1')}, {_with(told, 'L')}",
        "rate_load": _with(told, "R"),
        "rate": f"{read[_with(told, 'R')].rate:.0f}",
        "fastest": str(told.of(7).klass.fastest),
        "tc_load": _with(told, "T"),
        "tc": couple.name,
        "due": f"{couple.due.day} June",
        "misnoted": " and ".join(wrong),
    }


def write_note(told: Story, folder: Path, second: bool = False) -> None:
    text = said("note-2.md" if second else "note.md", words(told, second))
    around = Letter(title="Release note", author="Quality", points=10, fitted=True)
    write_docx(folder / NOTE, text, around)
