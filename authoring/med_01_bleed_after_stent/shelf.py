"""Products and medicines: the hospital's formulary and the list that the patient came with."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.parts.dice import Dice

DAY = timedelta(days=1)
Decision = Literal["Continue", "Change", "Restart", "Replace", "Stop"]
BRANDS = {
    "rivaroxaban": ("Oxarivel", "Ravontis", "Varelox"),
    "clopidogrel": ("Trovexil", "Plateryn", "Sanclovan"),
    "aspirin": ("Cardasel", "Halvecor", "Sapirina"),
    "naproxen": ("Dolmexa", "Artinal", "Kniesan"),
    "esomeprazole": ("Gastrevan", "Acilumen", "Mavelor"),
    "metformin": ("Glukandis", "Dimetrel", "Sugarol"),
    "ferrous sulfate": ("Hemarilon", "Ferrandis", "Ironelle"),
    "amiodarone": ("Rytmadane", "Arrhelan", "Cordinex"),
    "calcium carbonate": ("Osteovane", "Kalzandra", "Bonafirm"),
    "atorvastatin": ("Lipovane", "Atheromin", "Cholendra"),
}
"""Generic name to made-up names of products; one is drawn."""


class Product(msgspec.Struct, frozen=True):
    """One line of the formulary."""

    generic: str
    group: str
    strength: str
    unit: str = "mg"
    stocked: bool = True
    form: str = "tablet"
    brand: str = ""
    """A role: the name that the seed drew for this generic."""


STOCK = (
    Product("amiodarone", "antiarrhythmic", "200"),
    Product("amoxicillin", "antibiotic (penicillin)", "1000"),
    Product("apixaban", "oral anticoagulant", "2.5"),
    Product("apixaban", "oral anticoagulant", "5"),
    Product("aspirin", "antiplatelet", "100"),
    Product("atorvastatin", "statin", "40"),
    Product("atorvastatin", "statin", "80"),
    Product("bismuth subcitrate", "bismuth", "120"),
    Product("bisoprolol", "beta blocker", "2.5"),
    Product("bisoprolol", "beta blocker", "5"),
    Product("calcium carbonate", "calcium", "1250"),
    Product("clarithromycin", "antibiotic (macrolide)", "500"),
    Product("clopidogrel", "P2Y12 inhibitor", "75"),
    Product("esomeprazole", "proton pump inhibitor", "20", stocked=False),
    Product("ferrous sulfate", "oral iron", "200"),
    Product("ferric carboxymaltose", "intravenous iron", "1000", form="vial"),
    Product("gabapentin", "gabapentinoid", "100", form="capsule"),
    Product("gabapentin", "gabapentinoid", "300", form="capsule"),
    Product("gabapentin", "gabapentinoid", "600"),
    Product("levothyroxine", "thyroid hormone", "25", "microgram"),
    Product("levothyroxine", "thyroid hormone", "75", "microgram"),
    Product("metformin", "biguanide", "500"),
    Product("metformin", "biguanide", "1000"),
    Product("metronidazole", "antibiotic (nitroimidazole)", "400"),
    Product("naproxen", "NSAID", "250"),
    Product("pantoprazole", "proton pump inhibitor", "20"),
    Product("pantoprazole", "proton pump inhibitor", "40"),
    Product("paracetamol", "analgesic", "500"),
    Product("ramipril", "ACE inhibitor", "2.5"),
    Product("ramipril", "ACE inhibitor", "5"),
    Product("rivaroxaban", "oral anticoagulant", "15"),
    Product("rivaroxaban", "oral anticoagulant", "20"),
    Product("sertraline", "SSRI", "50"),
    Product("spironolactone", "aldosterone antagonist", "25"),
    Product("tetracycline", "antibiotic (tetracycline)", "250", form="capsule"),
    Product("tetracycline", "antibiotic (tetracycline)", "500", form="capsule"),
    Product("tramadol", "opioid", "50", form="capsule"),
    Product("rivaroxaban", "oral anticoagulant", "20", stocked=False, brand="rivaroxaban"),
    Product("clopidogrel", "P2Y12 inhibitor", "75", stocked=False, brand="clopidogrel"),
    Product("aspirin", "antiplatelet", "100", stocked=False, brand="aspirin"),
    Product("naproxen", "NSAID", "250", stocked=False, brand="naproxen"),
    Product("esomeprazole", "proton pump inhibitor", "20", stocked=False, brand="esomeprazole"),
    Product("metformin", "biguanide", "1000", stocked=False, brand="metformin"),
    Product("ferrous sulfate", "oral iron", "200", stocked=False, brand="ferrous sulfate"),
    Product("amiodarone", "antiarrhythmic", "200", stocked=False, brand="amiodarone"),
    Product("calcium carbonate", "calcium", "1250", stocked=False, brand="calcium carbonate"),
    Product("atorvastatin", "statin", "40", stocked=False, brand="atorvastatin"),
)


class HomeLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the list; amounts are tablets at each of four times."""

    line: int
    product: str
    generic: str
    strength: str
    unit: str
    amounts: tuple[str, str, str, str]
    since: date
    until: date | None
    source: str
    decision: Decision | None
    """None: not taken any more when he came."""
    note: str = ""

    @property
    def milligrams(self) -> Decimal:
        """One tablet, in mg."""
        factor = {"mg": Decimal(1), "g": Decimal(1000), "microgram": Decimal("0.001")}[self.unit]
        return Decimal(self.strength) * factor

    @property
    def tablets(self) -> Decimal:
        """A day."""
        written = (
            "0" if one in ("", "-") else one.replace("\u00bd", "0.5") for one in self.amounts
        )
        return sum((Decimal(one) for one in written), Decimal(0))

    @property
    def daily(self) -> Decimal:
        return self.milligrams * self.tablets

    @property
    def times(self) -> int:
        return sum(one not in ("", "-", "0") for one in self.amounts)


def pick_brands(dice: Dice) -> dict[str, str]:
    return {generic: dice.pick(names) for generic, names in BRANDS.items()}


def home_list(
    dice: Dice, brands: dict[str, str], stent: date, day_zero: date
) -> tuple[HomeLine, ...]:
    """Seventeen lines in the order in which they came in, one of them ended long ago."""
    lines = enumerate(_lines(dice, brands, stent, day_zero), 1)
    return tuple(msgspec.structs.replace(line, line=number) for number, line in lines)


def _lines(dice: Dice, brands: dict[str, str], stent: date, day_zero: date) -> Sequence[HomeLine]:
    def old() -> date:
        return date(dice.whole(2014, 2023), dice.whole(1, 12), dice.whole(1, 28))

    def line(
        generic: str, dose: str, amounts: str, decision: Decision | None, since: date
    ) -> HomeLine:
        strength, unit = dose.split(" ")
        by_brand = generic.startswith("*")
        name = generic.removeprefix("*")
        return HomeLine(
            line=0,
            product=brands[name] if by_brand else name,
            generic=name,
            strength=strength,
            unit=unit,
            amounts=tuple(amounts.split(" ")),  # type: ignore[arg-type] # four of them
            since=since,
            until=None,
            source=dice.pick(("practice", "practice", "pharmacy")),
            decision=decision,
        )

    week, gone = stent + 6 * DAY, day_zero - dice.whole(140, 190) * DAY
    change = msgspec.structs.replace
    letter = "hospital letter"
    return (
        line("bisoprolol", "10 mg", "\u00bd - - -", "Continue", old()),
        line("*metformin", "1 g", "1 - 1 -", "Change", old()),
        line("*rivaroxaban", "20 mg", "- - 1 -", "Replace", old()),
        change(line("clopidogrel", "75 mg", "1 - - -", "Restart", stent), source=letter),
        line("sertraline", "50 mg", "1 - - -", "Continue", old()),
        change(
            line("*amiodarone", "200 mg", "1 - - -", None, old()),
            until=gone,
            note="ended by cardiology",
        ),
        line("levothyroxine", "75 microgram", "1 - - -", "Continue", old()),
        change(
            line("*aspirin", "100 mg", "1 - - -", "Stop", stent),
            source=letter,
            note="for 4 weeks; box still in use",
        ),
        line("*atorvastatin", "40 mg", "- - - 2", "Continue", stent),
        line("gabapentin", "600 mg", "1 1 1 -", "Change", old()),
        line("*esomeprazole", "20 mg", "1 - - -", "Replace", old()),
        line("*clopidogrel", "75 mg", "1 - - -", "Stop", week),
        line("ramipril", "2.5 mg", "1 - 1 -", "Restart", old()),
        change(line("*ferrous sulfate", "200 mg", "- 1 - -", "Replace", week), source="pharmacy"),
        line("*calcium carbonate", "1250 mg", "- 1 - -", "Restart", old()),
        line("spironolactone", "25 mg", "1 - - -", "Restart", old()),
        change(
            line("*naproxen", "250 mg", "1 - 1 -", "Replace", day_zero - 24 * DAY),
            source="patient's bag",
            note="bought without prescription, knee",
        ),
    )
