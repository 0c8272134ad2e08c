"""Expected tables: what whole columns must hold."""

from pathlib import Path

from authoring.med_01_bleed_after_stent.plan import Plan
from authoring.parts.expected import Value, write_expected


def write_tables(told: Plan, folder: Path) -> None:
    home: list[dict[str, Value]] = [
        {
            "line": line.line,
            "drug": line.generic,
            "home_dose": line.daily,
            "decision": str(line.decision),
        }
        for line in told.world.home
        if line.decision
    ]
    write_expected(folder / "home.csv", home, ("line", "drug"))
    schedule: list[dict[str, Value]] = [
        {
            "drug": line.drug,
            "step": line.step,
            "dose": line.dose.normalize(),
            "times": line.times,
            "first_day": line.first,
            "last_day": line.last or "",
            "tablets": line.tablets,
        }
        for line in told.lines
    ]
    write_expected(folder / "schedule.csv", schedule, ("drug", "step"))
    checks: list[dict[str, Value]] = [
        {"code": one.code, "due": one.due, "appointment": one.appointment} for one in told.checks
    ]
    write_expected(folder / "monitoring.csv", checks, ("code",))
    pairs: list[dict[str, Value]] = [
        {"number": one.number, "first_together": one.first, "last_together": one.last or ""}
        for one in told.pairs
    ]
    write_expected(folder / "interactions.csv", pairs, ("number",))
