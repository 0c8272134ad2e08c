"""The sheets of examinations.xlsx: reports, stays, charts."""

from datetime import datetime, timedelta

from authoring.med_03_thrombosis_audit.world import Chart, Patient, Report, Stay, World
from authoring.parts.dice import Dice
from authoring.parts.tables import Table, Value

REASONS = {
    **{"stock": "not in stock", "asleep": "asleep", "off": "off the ward for an X-ray"},
    **{"blank": "no entry", "ref": "refused", "theatre": "theatre that day"},
    **{"talk": "refused, talk with the doctor noted"},
}
FLAGGED = ("thromb", "embol")
CLINICS = ("GP", "Clinic")


def _where(patient: Patient, report: Report, dice: Dice) -> str:
    if report.exam == "Post-mortem":
        return "Pathology"
    when = report.exported
    here = next((one for one in patient.stays if one.arrived <= when <= one.left), None)
    if here is None or "alias" in report.marks:
        return "ED" if report.exam in ("CTPA", "CT abdomen") else dice.pick(CLINICS)
    return next(ward for since, ward in reversed(here.places) if since <= when)


def flagged(report: Report) -> str:
    return "yes" if any(word in report.text.lower() for word in FLAGGED) else "no"


def reports(told: World) -> Table:
    dice = Dice("requests", told.seed)
    header = ("Report", "Examined", "Hospital no.", "Examination", "Scanner", "Requested by")
    rows: list[tuple[Value, ...]] = []
    for one in told.reports:
        ct = one.exam.startswith(("CT", "V/Q")) and one.exam != "V/Q scan"
        scanner = "" if not ct else "CT2" if "clock" in one.marks else dice.pick(("CT1", "CT2"))
        place = _where(told.patient(one.patient), one, dice)
        place = "Larch" if place == "Lounge" else place
        head = (one.no, serial(one.exported), told.number(one), one.exam, scanner, place)
        rows.append((*head, one.info, one.text, flagged(one)))
    widths = {"Request": 60.0, "Report text": 90.0, "Examined": 17.0, "Examination": 18.0}
    formats = {"Examined": "yyyy-mm-dd hh:mm"}
    return Table(
        "Reports", (*header, "Request", "Report text", "Flag"), tuple(rows), formats, widths
    )


def stays(told: World) -> Table:
    rows: list[tuple[Value, ...]] = []
    for patient, stay in told.stays:
        ends = [when for when, _ in stay.places[1:]] + [stay.left]
        for (begin, ward), end in zip(stay.places, ends, strict=True):
            rows.append((stay.no, told.numbers[patient.key], ward, serial(begin), serial(end)))
    formats = {"From": "yyyy-mm-dd hh:mm", "To": "yyyy-mm-dd hh:mm"}
    header = ("Stay", "Hospital no.", "Ward", "From", "To")
    return Table("Stays", header, tuple(rows), formats, {"From": 17, "To": 17})


def _day(when: datetime) -> str:
    return f"{when:%d/%m}"


def form(stay: Stay, chart: Chart, dice: Dice) -> str:
    if chart.form is None:
        return "none found"
    when = stay.arrived + timedelta(hours=chart.form, minutes=dice.whole(1, 39))
    return f"{'Low' if chart.low else 'High'} risk, {when:%d/%m %H:%M}"


def drugs(stay: Stay, chart: Chart, dice: Dice) -> str:
    if chart.other:
        return "Apixaban 5 mg twice daily as at home, no dose left out."
    if not chart.dose:
        if chart.platelets is not None:
            return f"No injections prescribed: platelets {chart.platelets}."
        return dice.pick(("No injections prescribed.", "Nothing prescribed."))
    dose, _, often = chart.dose.partition("x")
    begin = stay.arrived + timedelta(days=1)
    how = "twice" if often else "once"
    said = f"Enoxaparin {dose} mg {how} daily from {_day(begin)}."
    if not chart.missed:
        return f"{said} {dice.pick(('All given.', 'Signed every day.'))}"
    missed = ", ".join(f"{day:%d/%m} ({REASONS[why]})" for day, why in chart.missed)
    return f"{said} Not given: {missed}. Else all given."


def leaving(patient: Patient, stay: Stay, chart: Chart) -> str:
    if any(one.grade == 4 and one.when <= stay.left for one in patient.reports):
        return "Died."
    return f"{chart.given} syringes of enoxaparin 40 mg." if chart.given else "No syringes."


def charts(told: World) -> Table:
    rows: list[tuple[Value, ...]] = []
    for patient, stay in told.stays:
        chart = patient.chart(stay.no)
        dice = Dice("chart", told.seed, stay.no)
        body = (patient.sex, patient.age, patient.weight, patient.creatinine)
        told_of = (form(stay, chart, dice), drugs(stay, chart, dice), leaving(patient, stay, chart))
        rows.append((stay.no, *body, chart.background, *told_of))
    header = (
        *("Stay", "Sex", "Age", "Weight (kg)", "Creatinine (µmol/L)", "Background", "Form"),
        *("Drug chart", "On leaving"),
    )
    widths = {"Background": 70.0, "Form": 22.0, "Drug chart": 70.0, "On leaving": 30.0}
    return Table("Charts", header, tuple(rows), widths=widths)


def serial(when: datetime) -> float:
    """A time as a spreadsheet counts it: days since 30 December 1899."""
    return (when - datetime(1899, 12, 30)).total_seconds() / 86400  # noqa: DTZ001 - no zone there
