"""Texts with the seed's facts put in."""

from datetime import date
from decimal import Decimal
from pathlib import Path

from authoring.med_01_bleed_after_stent.plan import Check, Plan
from authoring.med_01_bleed_after_stent.rules import add_months, grams, valid
from authoring.med_01_bleed_after_stent.world import DAY, PRINTED_DAY
from authoring.parts.dice import Dice
from authoring.parts.numbers import money

TEXTS = Path(__file__).parent / "texts"
PHONE = "555-0146"
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
PLAIN = {
    "M01": "our pharmacist calls you",
    "M02": "second iron drip, ward 6B",
    "M03": "blood test before apixaban, ward 6B",
    "M04": "blood test (kidneys, salts) at your doctor's",
    "M06": "blood test at your doctor's",
}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def words(day: date) -> str:
    """`22 July 2025`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def full(day: date) -> str:
    """`Tuesday, 22 July 2025`."""
    return f"{WEEKDAYS[day.weekday()]}, {words(day)}"


def fill(name: str, told: Plan, **more: str) -> str:
    """`texts/NAME.md` with its places filled."""
    return (TEXTS / f"{name}.md").read_text("utf-8").format_map(facts(told) | more)


def facts(told: Plan) -> dict[str, str]:
    drawn = told.world
    team, stents = drawn.team, drawn.stents
    found = {
        "hospital": drawn.hospital,
        "patient": drawn.patient.name,
        "patient_formal": drawn.patient.formal,
        "record": drawn.record,
        "born": drawn.born.isoformat(),
        "admitted": drawn.admitted.isoformat(),
        "day_zero": drawn.day_zero.isoformat(),
        "control": drawn.control.isoformat(),
        "histology": (drawn.control + 2 * DAY).isoformat(),
        "discharge_words": full(drawn.discharge),
        "date_shown": drawn.discharge.isoformat(),
        "sent": full(drawn.discharge - (drawn.discharge.weekday() + 3) * DAY),
        "first_pci": drawn.first_pci.isoformat(),
        "stent_month": MONTHS[drawn.first_pci.month - 1],
        "said_height": str(drawn.reported_height),
        "said_weight": str(drawn.reported_weight),
        "printed": str(PRINTED_DAY),
        "restart": str(drawn.restart),
        "brand": drawn.brands["rivaroxaban"],
        "phone": PHONE,
        "vessel_one": stents[0].vessel,
        "vessel_two": stents[-1].vessel,
        "ejection": str(Dice("ejection", drawn.seed).whole(48, 56)),
        "resident_given": team.resident.given,
    }
    for number, stent in enumerate(stents):
        found[f"width_{number}"], found[f"length_{number}"] = stent.width, str(stent.length)
    found |= _medicines(told) | _checks(told) | _values(told)
    for role in ("consultant", "resident", "operator", "endoscopist", "pharmacist", "practitioner"):
        found[role] = getattr(team, role).name
    return found


def key(text: str) -> str:
    return text.replace(" ", "_")


def _medicines(told: Plan) -> dict[str, str]:
    """`apixaban_1_first`, `apixaban_1_first_full`, `apixaban_1_last`, `b_aspirin` and so on."""
    found = {f"b_{key(generic)}": brand for generic, brand in told.world.brands.items()}
    for line in told.lines:
        name = f"{key(line.drug)}_{line.step}"
        found[f"{name}_first"], found[f"{name}_first_full"] = words(line.first), full(line.first)
        found[f"{name}_last"] = words(line.last) if line.last else "open"
    return found


def upcoming(told: Plan) -> list[Check]:
    """The next three appointments, by day."""
    return sorted(told.checks, key=lambda check: (check.appointment, check.code))[:3]


def _checks(told: Plan) -> dict[str, str]:
    found = {check.code: words(check.appointment) for check in told.checks}
    for number, check in enumerate(upcoming(told), 1):
        found[f"next_{number}_full"] = full(check.appointment)
        found[f"next_{number}_what"] = PLAIN.get(check.code, "blood test")
    return found


def _values(told: Plan) -> dict[str, str]:
    basis, drawn = told.basis, told.world
    lowest = min(grams(row) for row in valid(drawn, "Haemoglobin"))
    names = ("actual", "height", "ideal", "dosing", "creatinine", "clearance", "months", "score")
    found = {name: str(getattr(basis, name)) for name in names}
    found |= {name: str(getattr(basis, name)) for name in ("stent_age", "length", "stents")}
    return found | {
        "fall": f"{basis.fall:.0f}",
        "lowest": str(lowest),
        "hb_last": str(basis.haemoglobin),
        "gate": str(max(Decimal(80), basis.haemoglobin - 10)),
        "iron": money(basis.iron, 0),
        "born_words": words(drawn.born),
        "admitted_words": words(drawn.admitted),
        "day_zero_words": words(drawn.day_zero),
        "control_words": words(drawn.control),
        "last_stent_words": words(drawn.last_pci),
        "six_months": words(add_months(drawn.last_pci, 6)),
        "black": words(black_until(told)),
    }


def black_until(told: Plan) -> date:
    """The last day on which bismuth explains a black stool (5.4)."""
    return told.antibiotics_end + 3 * DAY
