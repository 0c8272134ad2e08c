"""The files an agent gets: 24 scanned sheets, logger, entries, scheme, notes, mail."""

from pathlib import Path

from authoring.edu_02_graph_marking.graph import scanner, sheet
from authoring.edu_02_graph_marking.story import FEEDBACK
from authoring.edu_02_graph_marking.world import TEXTS, Script, World
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.picture import write_picture
from authoring.parts.tables import Table, Value, write_csv
from authoring.parts.word import Letter, write_docx


def named(told: World) -> list[Script]:
    """Those who get a paragraph of feedback, in order."""
    by_place = {one.place: one for one in told.scripts}
    return [by_place[place] for place in FEEDBACK]


def facts(told: World) -> dict[str, str]:
    names = [one.person.name for one in named(told)]
    return {
        "n": str(len(told.scripts)),
        "names": f"{', '.join(names[:-1])} and {names[-1]}",
        "teacher": told.teacher.name,
        "teacher_given": told.teacher.given,
        "head": told.head.name,
        "leader": told.leader.name,
        "leader_given": told.leader.given,
    }


def logger(told: World) -> Table:
    rows: list[tuple[Value, ...]] = []
    for one in told.scripts:
        runs = {one.run: one.readings}
        if one.other:
            runs["B" if one.run == "A" else "A"] = one.other
        for run, readings in sorted(runs.items()):
            rows += [(one.number, run, r.number, r.current, r.pd) for r in readings]
    return Table("Logger", ("candidate", "run", "reading", "current_A", "pd_V"), tuple(rows))


def entries(told: World) -> Table:
    rows: list[tuple[Value, ...]] = [
        (one.number, one.person.name, one.form, "present") for one in told.scripts
    ]
    rows += [(number, who.name, form, "absent") for number, who, form in told.absent]
    return Table("Entries", ("candidate", "name", "form", "practical"), tuple(sorted(rows)))


def write_inputs(told: World, folder: Path, seed: int) -> None:
    for one in told.scripts:
        page = sheet(one, seed).scanned(scanner(one, seed))
        write_picture(folder / f"script-{one.number}.png", page)
    write_csv(folder / "logger.csv", logger(told))
    write_csv(folder / "entries.csv", entries(told))
    board = "Northmere Examinations Board"
    around = Sheetwork(title="Mark scheme", author=board, footer="Mark scheme", points=10)
    scheme = (TEXTS / "mark-scheme.md").read_text("utf-8")
    write_pdf(folder / "mark-scheme.pdf", [scheme], around)
    for year in (2025, 2026):
        letter = Letter(title=f"Standardisation notes {year}", author=board, fitted=True)
        text = (TEXTS / f"notes-{year}.md").read_text("utf-8")
        write_docx(folder / f"standardisation-notes-{year}.docx", text, letter)
    mail = (TEXTS / "mail.md").read_text("utf-8").format(**facts(told))
    (folder / "mail-from-team-leader.md").write_text(mail, "utf-8", newline="\n")
