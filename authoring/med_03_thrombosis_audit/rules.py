"""Policy version 4 as a function of its numbers: set otherwise, it gives a slip."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal

import msgspec

from authoring.med_03_thrombosis_audit.world import (
    COUNTED,
    FIRST,
    LAST,
    Chart,
    Patient,
    Report,
    Stay,
    World,
)

EARLIER = {"o01": date(2025, 6, 11), "o02": date(2025, 6, 24), "o03": date(2025, 5, 20)}
"""Cases of the last review whose patients come again."""
CHANGE = date(2025, 9, 1)
"""Arrivals from this day are measured by section 6 of version 4."""
UNTIL = {"hip": 35, "knee": 14, "cancer": 28}
OLD_UNTIL = {"hip": 28, "knee": 28}
TALKED = ("bleed", "theatre", "talk")


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    hours: int = 48
    days: int = 90
    belongs: int = 90
    confirm: int = 7
    worse: int = 7
    first_shows: bool = True
    """The event is the day of the first examination, though it was not certain."""
    prior: bool = True
    junction: bool = True
    likely: bool = True
    elsewhere: bool = True
    """Another place in 90 days belongs to the case."""
    alias: bool = True
    mails: bool = True
    clock: bool = True
    death: bool = True
    """A post-mortem is of the day of death, not of the day on which it was made."""
    ward: str = "most"
    intensive: bool = False
    midnight: bool = True
    lines: bool = True
    maternity: bool = True
    from_ward: bool = False
    standard: str = ""
    """`v3` or `v4` for all."""
    weights: bool = True
    clearance: bool = True
    reasons: bool = True
    leaving: bool = True
    contraindicated: bool = True


RIGHT = Rules()


class Case(msgspec.Struct, frozen=True):
    key: str
    no: str
    patient: str
    event: datetime
    stay: Stay
    basis: str
    ward: str
    grade: int
    failure: str
    standard: str

    @property
    def hours(self) -> Decimal:
        seconds = int((self.event - self.stay.arrived).total_seconds())
        return Decimal(seconds) / 3600

    @property
    def days(self) -> int:
        return (self.event.date() - self.stay.left.date()).days

    @property
    def severity(self) -> str:
        return f"S{self.grade}"

    @property
    def preventable(self) -> bool:
        return self.failure in ("F1", "F2", "F3", "F4")

    @property
    def month(self) -> date:
        return self.event.date().replace(day=1)

    @property
    def escalated(self) -> bool:
        return self.grade >= 3 and self.preventable


class Coded(msgspec.Struct, frozen=True):
    cases: tuple[Case, ...]
    belongs: dict[str, str]
    """Report's key to the key of its case's first report."""
    left: dict[str, str]
    """Report's key to the code under which it is left out."""


# --- what a report shows ------------------------------------------------------------------------


def _as_read(report: Report, rules: Rules) -> Report:
    """With the mails of radiology in it, or without."""
    seen = report
    if "mail" in report.marks and not rules.mails:
        wrong = ("no", "", 0) if report.what == "yes" else ("yes", "pe", 2)
        seen = msgspec.structs.replace(report, what=wrong[0], place=wrong[1], grade=wrong[2])
    if "gsv" in report.marks and not rules.junction:
        seen = msgspec.structs.replace(report, what="sup")
    if "prob" in report.marks and not rules.likely:
        seen = msgspec.structs.replace(report, what="maybe")
    if not rules.lines and report.what == "line":
        seen = msgspec.structs.replace(report, what="yes")
    if ("clock" in report.marks and not rules.clock) or (
        "death" in report.marks and not rules.death
    ):
        seen = msgspec.structs.replace(seen, when=report.exported)
    return seen


def _confirmed(report: Report, later: list[Report], rules: Rules) -> bool:
    limit = report.when.date() + timedelta(days=rules.confirm)
    return any(
        one.what == "yes" and one.place == report.place and one.when.date() <= limit
        for one in later
    )


# --- stays --------------------------------------------------------------------------------------


def _real(stay: Stay, rules: Rules) -> bool:
    """One midnight or more on an inpatient ward."""
    wards = stay.nights(stay.left, ())
    return any(ward in (*COUNTED, "ICU", "Maternity") for ward in wards) or not rules.midnight


def index_stay(patient: Patient, report: Report, rules: Rules) -> tuple[Stay, str] | None:
    event = report.when
    here = next((one for one in patient.stays if one.arrived <= event <= one.left), None)
    if here is not None and not (rules.prior and "prior" in report.marks):
        begin = here.places[1][0] if rules.from_ward and len(here.places) > 1 else here.arrived
        if event - begin > timedelta(hours=rules.hours):
            return here, "a"
    before = [one for one in patient.stays if one.left < event and _real(one, rules)]
    if before and (event.date() - before[-1].left.date()).days <= rules.days:
        return before[-1], "b"
    return None


def ward_of(stay: Stay, until: datetime, rules: Rules) -> str:
    if rules.ward == "event":
        there = [ward for when, ward in stay.places if when <= until and ward in (*COUNTED, "Elm")]
        return "Larch" if there[-1] == "Elm" else there[-1]
    out: tuple[str, ...] = ("ED", "Day unit", "Lounge", *(() if rules.intensive else ("ICU",)))
    nights = stay.nights(until, out)
    return max(nights, key=lambda name: nights[name]) if nights else "Day unit"


# --- the drug chart -----------------------------------------------------------------------------


def clearance(patient: Patient) -> Decimal:
    """Cockcroft and Gault, mL/min, from creatinine in µmol/L."""
    factor = Decimal("1.23") if patient.sex == "m" else Decimal("1.04")
    return (140 - patient.age) * patient.weight * factor / patient.creatinine


def standard_of(stay: Stay, rules: Rules) -> str:
    return rules.standard or ("v4" if stay.arrived.date() >= CHANGE else "v3")


def _high(patient: Patient, chart: Chart, new: bool) -> bool:
    major = [one for one in chart.major if one not in ("op", "knee", "hip")]
    replaced = any(one in ("knee", "hip") for one in chart.major)
    long = chart.minutes > (60 if new else 90)
    return bool(major or replaced or long or len(chart.minor) + (patient.age >= 70) >= 2)


def _dose(patient: Patient, new: bool, rules: Rules) -> str:
    if rules.clearance and clearance(patient) < 30:
        return "20"
    if new and rules.weights:
        return "20" if patient.weight < 50 else "40x2" if patient.weight >= 100 else "40"
    return "40"


def _missed(chart: Chart, until: date, new: bool, rules: Rules) -> bool:
    valid = TALKED if new else (*TALKED, "ref")
    days = [d for d, why in chart.missed if d <= until and not (rules.reasons and why in valid)]
    span, whole = (2, 3) if new else (3, 5)
    in_a_row = [{d + timedelta(days=n) for n in range(span)} <= set(days) for d in days]
    return any(in_a_row) or len(days) >= whole


def _short(chart: Chart, stay: Stay, event: date, new: bool, rules: Rules) -> bool:
    """Injections after leaving that should have gone on and did not."""
    limits = UNTIL if new else OLD_UNTIL
    kinds = [one for one in chart.major if one in limits]
    if not rules.leaving or chart.operation is None or not kinds:
        return False
    if "cancer" in kinds and "op" not in chart.major:
        return False
    due = chart.operation + timedelta(days=max(limits[one] for one in kinds))
    return stay.left.date() + timedelta(days=chart.given or 0) < min(due, event)


def failure_of(patient: Patient, stay: Stay, event: date, basis: str, rules: Rules) -> str:
    chart = patient.chart(stay.no)
    new = standard_of(stay, rules) == "v4"
    late = chart.form is None or chart.form > (14 if new else 24)
    process = "F5" if late else "F0"
    if chart.other:
        return process
    if not chart.dose:
        low = chart.platelets is not None and chart.platelets < (50 if new else 75)
        excused = not _high(patient, chart, new) or (low and rules.contraindicated)
        return process if excused else "F1"
    if not _high(patient, chart, new):
        return process
    if chart.dose != _dose(patient, new, rules):
        return "F2"
    until = event if basis == "a" else stay.left.date()
    if _missed(chart, until, new, rules):
        return "F3"
    return "F4" if basis == "b" and _short(chart, stay, event, new, rules) else process


# --- the half-year ------------------------------------------------------------------------------


class _Reader:
    """Goes through one patient's reports in the order of time."""

    def __init__(self, patient: Patient, rules: Rules) -> None:
        self.patient, self.rules = patient, rules
        self.event: Report | None = None
        self.code = ""
        self.cases: list[Case] = []
        self.belongs: dict[str, str] = {}
        self.left: dict[str, str] = {}
        self.earlier = EARLIER.get(patient.key)

    def go(self, reports: list[Report]) -> None:
        for n, report in enumerate(reports):
            self._one(report, reports[n + 1 :])

    def _one(self, report: Report, later: list[Report]) -> None:
        code = self._nothing(report, later)
        if not code and self._known(report):
            return
        if not code:
            self.event, self.code = report, self._out(report)
            code = self.code
            if not code:
                self._case(report, later)
        if code:
            self.left[report.key] = code

    def _nothing(self, report: Report, later: list[Report]) -> str:
        if report.what in ("sup", "other"):
            return "N2"
        if report.what == "old":
            return "" if self._open(report) else "N1"
        sure = report.what in ("yes", "line") or (
            report.what == "maybe"
            and self.rules.first_shows
            and _confirmed(report, later, self.rules)
        )
        return "" if sure else "N1"

    def _open(self, report: Report) -> bool:
        """Is there a case that it would belong to?"""
        day = report.when.date()
        limit = self.rules.belongs
        if self.earlier and (day - self.earlier).days <= limit:
            return True
        if self.event is None or (day - self.event.when.date()).days > limit:
            return False
        return self.rules.elsewhere or report.place == self.event.place

    def _known(self, report: Report) -> bool:
        if not self._open(report):
            return False
        if self.earlier:
            self.left[report.key] = "N5"
        elif self.code:
            self.left[report.key] = self.code
        else:
            assert self.event is not None
            self.belongs[report.key] = self.event.key
        return True

    def _out(self, report: Report) -> str:
        day = report.when.date()
        if report.what == "line":
            return "N3"
        if self.rules.maternity and self.patient.key[0] in "mk":
            return "N4"
        if not FIRST <= day <= LAST:
            return "N6"
        return "" if index_stay(self.patient, report, self.rules) else "N7"

    def _case(self, report: Report, later: list[Report]) -> None:
        found = index_stay(self.patient, report, self.rules)
        assert found is not None
        stay, basis = found
        limit = report.when.date() + timedelta(days=self.rules.worse)
        own = [one for one in (report, *later) if one.when.date() <= limit and one.what == "yes"]
        until = report.when if basis == "a" else stay.left
        self.belongs[report.key] = report.key
        case = Case(
            key=report.key,
            no=report.no,
            patient=self.patient.key,
            event=report.when,
            stay=stay,
            basis=basis,
            ward=ward_of(stay, until, self.rules),
            grade=max((one.grade for one in own), default=report.grade),
            failure=failure_of(self.patient, stay, report.when.date(), basis, self.rules),
            standard=standard_of(stay, self.rules),
        )
        self.cases.append(case)


def _people(told: World, rules: Rules) -> Iterator[tuple[Patient, list[Report]]]:
    for patient in told.patients:
        reports = [_as_read(one, rules) for one in patient.reports]
        reports.sort(key=lambda one: one.when)
        known = [one for one in reports if rules.alias or "alias" not in one.marks]
        yield patient, known
        strangers = [one for one in reports if one not in known]
        if strangers:
            yield msgspec.structs.replace(patient, stays=(), charts=()), strangers


def coded(told: World, rules: Rules = RIGHT) -> Coded:
    cases: list[Case] = []
    belongs: dict[str, str] = {}
    left: dict[str, str] = {}
    for patient, reports in _people(told, rules):
        reader = _Reader(patient, rules)
        reader.go(reports)
        cases += reader.cases
        belongs |= reader.belongs
        left |= reader.left
    return Coded(tuple(sorted(cases, key=lambda one: one.no)), belongs, left)
