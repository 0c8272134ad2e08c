"""The files an agent gets."""

from datetime import date, timedelta
from pathlib import Path

from authoring.med_03_thrombosis_audit.census import CODES, MONTHS, RECODED, REPORTED, export
from authoring.med_03_thrombosis_audit.rules import EARLIER
from authoring.med_03_thrombosis_audit.sheets import charts, reports, stays
from authoring.med_03_thrombosis_audit.world import TEXTS, World
from authoring.parts.dice import Dice
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

SENT = {
    "h08a": date(2025, 8, 18),
    "h17a": date(2025, 10, 1),
    "h22a": date(2025, 10, 16),
    "h43a": date(2026, 1, 5),
}
"""Letters about thrombosis to those of 9.3."""
OTHER_LETTERS = (
    *(("h04", "Thrombosis", date(2025, 8, 4)), ("h16", "Thrombosis", date(2025, 9, 26))),
    *(("h30", "Wound", date(2025, 11, 12)), ("h22", "Fall", date(2025, 9, 30))),
    *(("h17", "Fall", date(2025, 9, 22)), ("c09", "Thrombosis", date(2025, 9, 3))),
    *(("n13", "Pressure sore", date(2025, 11, 6)), ("n02", "Fall", date(2025, 7, 25))),
    *(("m02", "Thrombosis", date(2025, 10, 28)), ("a06", "Wound", date(2025, 10, 14))),
    *(("h34", "Thrombosis", date(2025, 12, 1)), ("n18", "Wrong tablet", date(2025, 12, 19))),
)
EARLIER_CASES = 19
"""April to June 2025, as in RECODED."""


def facts(told: World) -> dict[str, str]:
    people = {
        "chair": told.chair,
        "director": told.director,
        "radiologist": told.radiologist,
        "clerk": told.clerk,
        "analyst": told.analyst,
    }
    found = {name: one.name for name, one in people.items()}
    found |= {f"{name}_given": one.given for name, one in people.items()}
    spare = Dice("closed", told.seed).sample(range(690001, 760000, 57), 2)
    return found | {
        "n13": told.report("n13a").no,
        "h38": told.report("h38a").no,
        "h12": told.numbers["h12"],
        "h12_alias": told.numbers["h12 alias"],
        "h31": told.numbers["h31"],
        "h31_alias": told.numbers["h31 alias"],
        "f1": told.numbers["a10"],
        "f2": told.numbers["n04"],
        "c1": f"H{spare[0]}",
        "c2": f"H{spare[1]}",
    }


def bed_days(told: World) -> Table:
    header = ("Code", "Ward", "Month", "Status", "Bed days", "Leaving")
    rows: list[tuple[Value, ...]] = [
        (CODES[r.ward], r.ward, f"{r.month:%Y-%m}", r.status, r.days, r.leaving)
        for r in export(told.seed)
    ]
    return Table("Bed days", header, tuple(rows))


def earlier(told: World) -> tuple[Table, Table]:
    """The series up to June 2025, and the cases of April to June."""
    series: tuple[tuple[Value, ...], ...] = tuple(zip(MONTHS[:18], REPORTED, RECODED, strict=True))
    header = ("Month", "Cases as reported (version 3)", "Cases recoded to version 4")
    first = Table("Series", header, series, {"Month": "yyyy-mm"})
    dice = Dice("earlier", told.seed)
    strangers = dice.sample(range(204999, 689000, 53), EARLIER_CASES)
    known = [(day, told.numbers[key]) for key, day in EARLIER.items()]
    count = dict(zip((4, 5, 6), RECODED[15:], strict=True))
    for day, _ in known:
        count[day.month] -= 1
    days = [
        date(2025, month, 1) + timedelta(days=dice.below(28))
        for month in count
        for _ in range(count[month])
    ]
    known += [(day, f"H{number}") for day, number in zip(days, strangers, strict=False)]
    rows: tuple[tuple[Value, ...], ...] = tuple((number, day) for day, number in sorted(known))
    return first, Table("April to June 2025", ("Hospital no.", "Event"), rows)


def letters(told: World) -> Table:
    rows: list[tuple[date, str, str]] = [
        (day, told.numbers[key], about) for key, about, day in OTHER_LETTERS
    ]
    rows += [(day, told.numbers[key[:3]], "Thrombosis") for key, day in SENT.items()]
    return Table("Letters", ("Sent", "Hospital no.", "About"), tuple(sorted(rows)))


def _say(told: World, name: str) -> str:
    return (TEXTS / name).read_text("utf-8").format(**facts(told))


def write_inputs(told: World, folder: Path) -> None:
    sheets = (reports(told), stays(told), charts(told))
    write_workbook(folder / "examinations.xlsx", sheets, "Examinations", "Radiology")
    write_workbook(folder / "earlier-figures.xlsx", earlier(told), "Earlier figures", "Thrombosis")
    write_csv(folder / "bed-days.csv", bed_days(told))
    write_csv(folder / "letters.csv", letters(told))
    around = Letter(title="Review policy, version 4", author="Thrombosis Group", fitted=True)
    write_docx(folder / "policy-v4.docx", (TEXTS / "policy.md").read_text("utf-8"), around)
    form = Letter(title="Committee paper", author="Thrombosis Group", fitted=True)
    paper = (TEXTS / "paper-form.md").read_text("utf-8")
    write_docx(folder / "committee-paper-form.docx", paper, form)
    sheet = Sheetwork(title="Review policy", author="Thrombosis Group", footer="Version 3")
    write_pdf(folder / "policy-v3.pdf", [(TEXTS / "policy-3.md").read_text("utf-8")], sheet)
    for name in ("data-note", "mail-radiology", "mail-administration", "mail-information"):
        text = _say(told, f"{name}.md")
        (folder / f"{name}.md").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text(text, "utf-8", newline="\n")
