"""The laboratory's series of one stay: units that change, a sample that was not the patient's."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.parts.dice import Dice
from authoring.parts.numbers import rounded

DAY = timedelta(days=1)
Status = Literal["final", "external", "cancelled"]
RANGES = {
    ("Haemoglobin", "g/L"): "135-175",
    ("Haemoglobin", "g/dL"): "13.5-17.5",
    ("Creatinine", "umol/L"): "62-106",
    ("Creatinine", "mg/dL"): "0.70-1.20",
    ("Potassium", "mmol/L"): "3.5-5.1",
    ("Platelets", "10^9/L"): "150-370",
    ("Urea", "mmol/L"): "2.8-8.1",
    ("INR", ""): "0.9-1.2",
    ("Ferritin", "ug/L"): "30-400",
    ("TSH", "mU/L"): "0.4-4.0",
}


class Lab(msgspec.Struct, frozen=True):
    day: date
    time: str
    sample: int
    test: str
    value: Decimal
    unit: str
    status: Status = "final"
    remark: str = ""


def labs(dice: Dice, day_zero: date, milligrams: Decimal, cancelled: Decimal) -> tuple[Lab, ...]:
    """Rows in the order of the export, which is not that of collection; one batch came twice."""
    bled = Stay(dice, day_zero)
    bled.before()
    for number in range(-2, 5):
        bled.morning(number, milligrams)
    bled.evening()
    bled.mixed_up(cancelled)
    return bled.exported()


class Stay:
    """Collects rows; day numbers count from Day 0."""

    def __init__(self, dice: Dice, day_zero: date) -> None:
        self.dice, self.day_zero = dice, day_zero
        self.rows: list[Lab] = []
        self.sample = dice.whole(41000, 78000)
        self.nadir = dice.whole(64, 70)

    def put(self, number: int, time: str, *results: tuple[str, Decimal, str], **more: str) -> None:
        day = self.day_zero + number * DAY
        self.sample += self.dice.whole(3, 40)
        status: Status = "cancelled" if more.get("cancelled") else "final"
        if more.get("external"):
            status = "external"
        for test, value, unit in results:
            remark = more.get("remark", "")
            self.rows.append(Lab(day, time, self.sample, test, value, unit, status, remark))

    def before(self) -> None:
        """The practice's values, seven weeks and again nine days before admission."""
        for number, hb in (
            (-51, self.dice.decimal("13.9", "14.3")),
            (-11, self.dice.decimal("13.1", "13.6")),
        ):
            creatinine = self.dice.decimal("1.38", "1.49")
            self.put(
                number,
                "08:30",
                ("Haemoglobin", hb, "g/dL"),
                ("Creatinine", creatinine, "mg/dL"),
                external="yes",
                remark="practice laboratory",
            )

    def morning(self, number: int, milligrams: Decimal) -> None:
        """Creatinine comes in umol/L up to Day 2, in mg/dL from Day 3."""
        last = rounded(milligrams * Decimal("88.4"), 0)
        above = {-2: 41, -1: 55, 0: 47, 1: 30, 2: 14}
        hb = {-2: 84, -1: 78, 0: self.nadir + 7, 1: 79, 2: 83, 3: 85, 4: 0}
        value = hb[number] + self.dice.whole(0, 2) if number < 4 else self.dice.whole(86, 94)
        if number < 3:
            creatinine = ("Creatinine", last + above[number], "umol/L")
        else:
            more = Decimal("0.05") if number == 3 else Decimal(0)
            creatinine = ("Creatinine", milligrams + more, "mg/dL")
        potassium = self.dice.decimal("4.1", "4.8")
        results = [
            ("Haemoglobin", Decimal(value), "g/L"),
            creatinine,
            ("Potassium", potassium, "mmol/L"),
        ]
        results.append(("Platelets", Decimal(self.dice.whole(186, 260)), "10^9/L"))
        if number < 2:
            results.append(("Urea", self.dice.decimal("14.2", "19.5"), "mmol/L"))
        if number in (-2, 0):
            results.append(("INR", self.dice.decimal("1.1", "1.3"), ""))
        if number == 2:
            results.append(("Ferritin", Decimal(self.dice.whole(9, 24)), "ug/L"))
            results.append(("TSH", self.dice.decimal("1.4", "2.6"), "mU/L"))
        self.put(number, "06:10" if number > -2 else "04:35", *results)

    def evening(self) -> None:
        """The lowest haemoglobin, when the ulcer bled again; and a lower one that was not his."""
        self.put(
            0,
            "15:20",
            ("Haemoglobin", Decimal(self.nadir), "g/L"),
            ("Potassium", self.dice.decimal("4.2", "4.7"), "mmol/L"),
        )
        self.put(
            0,
            "14:55",
            ("Haemoglobin", Decimal(self.nadir - self.dice.whole(9, 13)), "g/L"),
            cancelled="yes",
            remark="drawn above the running infusion",
        )

    def mixed_up(self, cancelled: Decimal) -> None:
        self.put(
            4,
            "13:40",
            ("Creatinine", cancelled, "mg/dL"),
            ("Haemoglobin", Decimal(self.dice.whole(101, 108)), "g/L"),
            cancelled="yes",
            remark="label mix-up with bed 11",
        )

    def exported(self) -> tuple[Lab, ...]:
        """By sample within a day; the batch of Day 2 was sent again at the end."""
        rows = sorted(self.rows, key=lambda row: (row.day, row.time, row.sample))
        again = [row for row in rows if row.day == self.day_zero + 2 * DAY]
        again = [msgspec.structs.replace(row, remark="sent again") for row in again]
        return (*rows, *again)
