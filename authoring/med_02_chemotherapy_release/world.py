"""Patients, samples, weights, earlier doses: texts/patients.yaml, with what dice draw of them."""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import yaml

from authoring.parts.dice import Dice
from authoring.parts.numbers import rounded
from authoring.parts.people import Person, people

D = Decimal
TEXTS = Path(__file__).with_name("texts")
TESTS = ("NEUT", "PLT", "CREA", "BILI")
STEADY = ("D01", "D03", "D04", "D05", "D07", "D08", "D09", "D14", "D16", "D17", "D18")
"""Patients whose traps hang on the very weight."""
ROLES = ("pharmacist", "consultant", "chair", "chemist", "clerk", "nurse", "registrar")
OF_DRUG = {"m2": "mg/m2", "kg": "mg/kg", "auc": "AUC"}


class Drug(msgspec.Struct, frozen=True):
    """Table 3 and formulary; what is not limited has limits that nothing reaches."""

    name: str
    step: Decimal
    sizes: tuple[Decimal, ...]
    prices: tuple[Decimal, ...]
    share: bool
    hours: int
    bili: tuple[Decimal, Decimal, Decimal] = (D(9999), D(100), D(9999))
    crcl: tuple[Decimal, Decimal, Decimal] = (D(0), D(100), D(0))
    antibody: bool = False

    @property
    def per(self) -> str:
        return {"carboplatin": "auc", "trastuzumab": "kg"}.get(self.name, "m2")


class Result(msgspec.Struct, frozen=True):
    sample: str
    patient: str
    taken: datetime
    measured: datetime
    analyser: str
    test: str
    value: Decimal | None
    unit: str
    status: str
    remark: str


class Weight(msgspec.Struct, frozen=True):
    patient: str
    at: datetime
    kg: Decimal
    how: str


class Given(msgspec.Struct, frozen=True):
    """A line of the administration record, or of another hospital's letter."""

    infusion: str
    patient: str
    day: date
    drug: str
    prescribed: Decimal
    given: Decimal
    bsa: Decimal
    status: str
    remark: str = ""


class Patient(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    person: Person
    female: bool
    born: date
    height: Decimal
    listed_height: Decimal
    regimen: str
    category: str
    gcsf: bool
    start: datetime
    dosing: Decimal
    level: Decimal
    """In force; per cent."""
    listed_level: Decimal
    planned: date
    """Of the last treatment, as the register has it."""
    history: str
    ordered: Decimal | None
    """Per kg, where the order has another than is due."""


class Line(msgspec.Struct, frozen=True):
    no: str
    patient: str
    drug: str
    per: Decimal


class World(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    staff: dict[str, str]
    drugs: dict[str, Drug]
    patients: dict[str, Patient]
    lines: tuple[Line, ...]
    results: tuple[Result, ...]
    weights: tuple[Weight, ...]
    given: tuple[Given, ...]
    elsewhere: tuple[Given, ...]
    """Not in the unit's record; `day` is the first of its year."""
    echos: tuple[tuple[str, date, int], ...]


def loaded(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((TEXTS / name).read_text("utf-8"))
    return found


def bsa(height: Decimal, weight: Decimal) -> Decimal:
    """Mosteller, m2, two decimals."""
    return rounded((height * weight / 3600).sqrt(), 2)


def exact(value: object) -> Decimal:
    return D(str(value))


def world(seed: int) -> World:
    dice = Dice("med-02", seed)
    told = loaded("patients.yaml")
    persons = people(Dice("med-02 people", seed), len(told) + len(ROLES), plain=True)
    drugs = {name: _drug(name, about, dice) for name, about in loaded("drugs.yaml").items()}
    shift = {key: D(0) if key in STEADY else dice.decimal("-0.7", "0.7") for key in told}
    regimens = loaded("regimens.yaml")
    patients = {
        key: _patient(key, about, person, regimens, shift[key])
        for (key, about), person in zip(told.items(), persons, strict=False)
    }
    ordered = sorted(patients.values(), key=lambda one: (one.start, one.key))
    lines = [
        (one.key, drug, exact(per))
        for one in ordered
        for drug, per in regimens[one.regimen]["doses"].items()
    ]
    staff = {role: one.name for role, one in zip(ROLES, persons[len(told) :], strict=True)}
    return World(
        seed=seed,
        staff=staff,
        drugs=drugs,
        patients=patients,
        lines=tuple(Line(f"L{n:02d}", *line) for n, line in enumerate(lines, 1)),
        results=_results(told, Dice("med-02 results", seed)),
        weights=tuple(
            Weight(key, _at(at), exact(kg) + shift[key], how)
            for key, about in told.items()
            for at, kg, how in about["weights"]
        ),
        given=_given(told, patients, regimens, drugs),
        elsewhere=_elsewhere(told),
        echos=tuple(
            (key, day, value)
            for key, about in told.items()
            for day, value in about.get("echo", [[date(2026, 1, 19), 62]])
            if about["regimen"] in ("AC", "EC", "R-CHOP", "T")
        ),
    )


def _at(told: object) -> datetime:
    return datetime.fromisoformat(str(told))


def _drug(name: str, about: dict[str, Any], dice: Dice) -> Drug:
    triples = {key: tuple(map(exact, about[key])) for key in ("bili", "crcl") if key in about}
    return Drug(
        name=name,
        step=exact(about["step"]),
        sizes=tuple(map(exact, about["sizes"])),
        prices=tuple(exact(price) + dice.decimal("0.05", "0.95") for price in about["prices"]),
        share=about["share"],
        hours=about["hours"],
        antibody=about.get("antibody", False),
        **triples,  # type: ignore[arg-type] # three decimals each
    )


def _patient(
    key: str, about: dict[str, Any], person: Person, regimens: dict[str, Any], shift: Decimal
) -> Patient:
    regimen = about["regimen"]
    return Patient(
        key=key,
        person=person,
        female=about["sex"] == "F",
        born=about["born"],
        height=exact(about["height"]),
        listed_height=exact(about.get("wrong_height", about["height"])),
        regimen=regimen,
        category=regimens[regimen]["category"],
        gcsf=about["gcsf"],
        start=_at(about["start"]),
        dosing=exact(about["dosing"]) + shift,
        level=exact(about.get("letter", about.get("level", 100))),
        listed_level=exact(about.get("level", 100)),
        planned=about.get("planned", about["cycles"][-1]),
        history=about.get("history", ""),
        ordered=exact(about["ordered"]) if "ordered" in about else None,
    )


UNITS = {"NEUT": "10^9/L", "PLT": "10^9/L", "CREA": "µmol/L", "BILI": "µmol/L"}
OUTSIDE = UNITS | {"NEUT": "/µL", "CREA": "mg/dL"}


def _results(told: dict[str, Any], dice: Dice) -> tuple[Result, ...]:
    """A sample of the week before as well, and a preliminary count now and then."""
    made: list[Result] = []
    numbers: dict[tuple[str, str], str] = {}

    def add(key: str, about: list[Any]) -> None:
        taken, measured, analyser, values, *more = about
        status, remark = (*more, "final", "")[:2] if len(more) != 1 else (more[0], "")
        sample = numbers.setdefault((key, str(taken)), f"S{4180 + 7 * len(numbers)}")
        for test, value in values.items():
            number = None if value is None else exact(value)
            unit = (OUTSIDE if analyser == "LX" else UNITS)[test]
            place = (sample, key, _at(taken), _at(measured), analyser, test)
            made.append(Result(*place, number, unit, status, remark))

    for key, about in told.items():
        start = about["labs"][0]
        before = _at(start[0]).replace(day=2, hour=10, minute=0)
        old = {
            "NEUT": dice.decimal("1.55", "3.90"),
            "PLT": dice.whole(128, 260),
            "CREA": dice.whole(66, 98),
            "BILI": dice.whole(6, 17),
        }
        add(key, [before, before.replace(minute=50), "C1", old])
        for one in about["labs"]:
            if "NEUT" in one[3] and one[3]["NEUT"] and len(one) == 4 and dice.chance(40):
                rough = exact(one[3]["NEUT"]) + dice.decimal("0.10", "0.40")
                add(key, [*one[:3], {"NEUT": rough}, "preliminary", "machine count"])
            add(key, one)
    return tuple(made)


def _given(
    told: dict[str, Any],
    patients: dict[str, Patient],
    regimens: dict[str, Any],
    drugs: dict[str, Drug],
) -> tuple[Given, ...]:
    rows: list[Given] = []
    for key, about in told.items():
        patient = patients[key]
        surface = bsa(patient.height, patient.dosing)
        plan = [(day, regimens[patient.regimen]["doses"]) for day in about["cycles"]]
        days, drug, per = about.get("earlier", [[], "", 0])
        plan = [*((day, {drug: per}) for day in days), *plan]
        for day, doses in plan:
            for name, per in doses.items():
                dose = _earlier(drugs[name], exact(per), patient, surface)
                stopped = about.get("stopped", {}).get(day) if name == "doxorubicin" else None
                got = exact(stopped) if stopped else dose
                why = "stopped, pain at the cannula" if stopped else ""
                rows.append(Given("", key, day, name, dose, got, surface, "given", why))
        if patient.planned != about["cycles"][-1]:
            for name in regimens[patient.regimen]["doses"]:
                dose = next(row.prescribed for row in rows[::-1] if row.drug == name)
                no = (D(0), surface, "not given", "no chair; moved")
                rows.append(Given("", key, patient.planned, name, dose, *no))
    rows.sort(key=lambda row: (row.day, row.patient))
    numbered = [
        msgspec.structs.replace(row, infusion=f"I{20011 + 3 * n}") for n, row in enumerate(rows)
    ]
    twice = [
        msgspec.structs.replace(row, remark="entered by night staff")
        for row in numbered
        if told[row.patient].get("twice") == row.day
    ]
    return tuple(sorted([*numbered, *twice], key=lambda row: (row.day, row.patient, row.infusion)))


def _earlier(drug: Drug, per: Decimal, patient: Patient, surface: Decimal) -> Decimal:
    size = {"auc": D(112), "kg": patient.dosing, "m2": surface}[drug.per]
    dose = min(per * size, D(2)) if drug.name == "vincristine" else per * size
    return rounded(dose / drug.step, 0) * drug.step


def _elsewhere(told: dict[str, Any]) -> tuple[Given, ...]:
    rows = []
    for key, about in told.items():
        year, drug, surface, doses = about.get("elsewhere", [2000, "", 1, []])
        for mg in doses:
            both = (exact(mg), exact(mg), exact(surface))
            rows.append(Given("letter", key, date(year, 1, 1), drug, *both, "given"))
    return tuple(rows)
