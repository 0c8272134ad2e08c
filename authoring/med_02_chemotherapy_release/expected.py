"""expected/*.csv: what whole columns must hold."""

from collections.abc import Mapping
from pathlib import Path

from authoring.med_02_chemotherapy_release.rules import Dose
from authoring.med_02_chemotherapy_release.story import Story
from authoring.parts.expected import Value, write_expected

GROUPS: dict[str, tuple[str, ...]] = {
    "anthracyclines": ("doxorubicin", "epirubicin", "vincristine"),
    "cytotoxics": ("cyclophosphamide", "paclitaxel", "docetaxel", "cisplatin", "etoposide"),
    "carboplatin": ("carboplatin",),
    "antibodies": ("rituximab", "trastuzumab"),
}
Rows = list[Mapping[str, Value]]


def group(told: Story, name: str) -> tuple[Dose, ...]:
    return tuple(one for one in told.found.doses if one.line.drug in GROUPS[name])


def write_tables(told: Story, folder: Path) -> None:
    for name in GROUPS:
        rows: Rows = [
            {"line": o.line.no, "dose": o.dose.normalize() + 0} for o in group(told, name)
        ]
        write_expected(folder / f"{name}.csv", rows, ("line",))
    readings = told.found.readings
    sizes: Rows = [
        {"patient": key, "weight": o.weight, "dosing": o.dosing, "surface": o.surface}
        for key, o in readings.items()
    ]
    write_expected(folder / "sizes.csv", sizes, ("patient",))
    times: Rows = [
        {"patient": key, "age": o.age, "interval": o.interval} for key, o in readings.items()
    ]
    write_expected(folder / "times.csv", times, ("patient",))
    decided: Rows = [
        {"patient": key, "decision": o.decision, "code": o.code} for key, o in readings.items()
    ]
    write_expected(folder / "decisions.csv", decided, ("patient",))
    sums: Rows = [
        {"patient": key, "before": o.before, "limit": o.limit, "after": o.after}
        for key, o in told.found.sums.items()
    ]
    write_expected(folder / "cumulative.csv", sums, ("patient",))
    batches: Rows = [
        {
            **{"batch_day": o.day, "drug": o.drug, "amount": o.amount.normalize() + 0},
            **{"vials": o.vials, "surplus": o.surplus.normalize() + 0, "cost": o.cost},
        }
        for o in told.found.batches
    ]
    write_expected(folder / "vials.csv", batches, ("batch_day", "drug"))
    changes: Rows = [
        {"line": o.line.no, "difference": told.difference(o).normalize() + 0}
        for o in told.found.doses
    ]
    write_expected(folder / "differences.csv", changes, ("line",))
