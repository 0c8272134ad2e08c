"""The files an agent gets: strips, register, certificates, thermocouples, specification, mails."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from authoring.parts.dice import Dice
from authoring.parts.pack import save_png
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx
from authoring.stem_02_furnace_charts.nouns import Load, Recorder
from authoring.stem_02_furnace_charts.rules import at, drawn
from authoring.stem_02_furnace_charts.story import Story
from authoring.stem_02_furnace_charts.strip import draw
from authoring.stem_02_furnace_charts.traces import STEP
from authoring.stem_02_furnace_charts.world import CLASSES, World, couples, recorders

TEXTS = Path(__file__).with_name("texts")


def said(name: str, facts: Mapping[str, str]) -> str:
    return (TEXTS / name).read_text("utf-8").format(**facts)


def facts(told: World) -> dict[str, str]:
    """Names that prompt, papers and mails use."""
    rows = (f"| {c.name} | {c.set_at} | {c.fastest} | {c.longest} |" for c in CLASSES)
    return {
        "customer": told.customer,
        "treater": told.treater,
        "engineer": told.engineer,
        "head": told.head,
        "head_given": told.head.split()[0],
        "plant": told.plant,
        "plant_given": told.plant.split()[0],
        "count": str(len(told.loads)),
        "classes": "\n".join(rows),
        "short": told.loads[2].no,
        "hot": told.loads[8].no,
    }


def strips(told: World) -> dict[str, Load]:
    """File name to load: in whatever order they lay in the box."""
    order = Dice("box", told.seed).shuffled(told.loads)
    return {f"strip-{n:02d}.png": load for n, load in enumerate(order, 1)}


def strip_of(told: World) -> dict[str, str]:
    return {load.no: name for name, load in strips(told).items()}


def _pictures(told: World, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, load in strips(told).items():
        dice = Dice("strip", told.seed, load.no)
        picture = draw(load, told.recorder(load), drawn(told, load), dice)
        save_png(picture, folder / name, dpi=(150, 150), optimize=True)


def guessed(told: World, load: Load) -> int:
    """The operator's soak: from the control pen within the band, to the next five minutes."""
    run, klass = drawn(told, load), told.classes[load.klass]
    own = float(at(told.recorder(load).control, klass.set_at))
    limit = klass.set_at - klass.band - own
    first = next(n for n, value in enumerate(run.control) if value >= limit)
    return round((run.door - first * STEP) / 5) * 5


def register(told: World) -> Table:
    header = (
        *("Load", "Charged", "Furnace", "Order", "Part", "Pieces", "Class", "Largest section mm"),
        *("Load TC", "Repeats load", "Soak (operator)", "Remark (operator)"),
    )
    dice = Dice("remarks", told.seed)
    remarks = ("ok", "ok", "ok", "", "all green", "as usual")
    rows: list[tuple[Value, ...]] = [
        (
            load.no,
            load.day,
            told.recorder(load).furnace,
            load.order,
            load.part,
            load.pieces,
            load.klass,
            load.section,
            load.couple,
            load.rerun or None,
            guessed(told, load),
            dice.pick(remarks),
        )
        for load in told.loads
    ]
    return Table("Loads June", header, tuple(rows), widths={"Part": 18, "Remark (operator)": 18})


def _certificate(one: Recorder, treater: str) -> str:
    edges = "printed in deg C" if one.printed == "deg C" else "printed 0 to 100"
    pens = "\n".join(
        f"| {point} | {_signed(one.load[point])} | {_signed(one.control[point])} |"
        for point in one.load
    )
    offset = (
        f"stands {one.offset:.1f} mm behind the time line (to the left of it)"
        if one.offset
        else "writes on the time line (the recorder compensates for the pen's place)"
    )
    return f"""# Calibration certificate {one.certificate}

Strip chart recorder **{one.name}** at furnace {one.furnace} of {treater}. In force from \
{one.since.day} {one.since:%B %Y} until the next certificate for this recorder.

| What | As found and left |
|---|---|
| Paper | {edges}, grid {one.span:.0f} mm high |
| Lower edge of the grid | {one.low} deg C |
| Upper edge of the grid | {one.high} deg C |
| Between the edges | linear, {round((one.high - one.low) / one.step)} divisions |
| Pen of the load thermocouple | {one.load_pen} ink |
| Pen of the control thermocouple | {one.control_pen} ink |
| Load pen | {offset} |
| Chart speeds | 60, 30, 20 mm/h, within 0.5 % |
| Fast speed, from the opening of the door | {one.fast} mm/min |

Corrections, to be added to what the pen writes, in deg C:

| At, deg C | Load pen | Control pen |
|---|---|---|
{pens}

The corrections do not hold for the thermocouples, which have certificates of their own."""


def _signed(value: Decimal) -> str:
    return f"{value:+f}" if value else "0.0"


def thermocouples(told: World) -> Table:
    header = ("Load TC", "Certificate", "Due on", "At 700", "At 800", "At 900", "Note")
    note = "correction to be added, deg C"
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (one.name, one.certificate, one.due, *map(_signed, one.corrections.values()), note)
        for one in couples()
    )
    return Table("Load TC", header, rows)


def write_inputs(told: Story, folder: Path) -> None:
    drawn_, known = told.world, facts(told.world)
    _pictures(drawn_, folder)
    write_workbook(folder / "load-register.xlsx", (register(drawn_),), "Load register", "F. Office")
    write_csv(folder / "load-thermocouples.csv", thermocouples(drawn_))
    pages = [_certificate(one, drawn_.treater) for one in recorders()]
    around = Sheetwork(title="Certificates", author="Calibration house", footer="Recorders")
    write_pdf(folder / "recorder-certificates.pdf", pages, around)
    letter = Letter(title="HTS-417", author="Materials Engineering", header=drawn_.customer)
    write_docx(folder / "HTS-417-D.docx", said("spec.md", known), letter)
    sheet = Sheetwork(title="HTS-417 D/1", author="Materials Engineering", points=10.5)
    write_pdf(folder / "HTS-417-D1.pdf", [said("amendment.md", known)], sheet)
    write_docx(folder / "HTS-417-C.docx", said("old-spec.md", known), letter)
    for name in ("mail-head.md", "mail-treater.md"):
        text = said(name, known)
        (folder / name).write_text(text, "utf-8", newline="\n")
