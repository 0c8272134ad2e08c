"""What the reference says beside its numbers: sources, reasons, comments."""

from authoring.med_01_bleed_after_stent.plan import Line, Plan
from authoring.med_01_bleed_after_stent.shelf import HomeLine
from authoring.med_01_bleed_after_stent.words import words

DRUGS = (
    *(("apixaban", 1), ("apixaban", 2), ("clopidogrel", 1), ("pantoprazole", 1)),
    *(("pantoprazole", 2), ("bismuth subcitrate", 1), ("tetracycline", 1), ("metronidazole", 1)),
    *(("atorvastatin", 1), ("bisoprolol", 1), ("calcium carbonate", 1), ("gabapentin", 1)),
    *(("levothyroxine", 1), ("metformin", 1), ("paracetamol", 1), ("ramipril", 1)),
    *(("sertraline", 1), ("spironolactone", 1)),
)
"""Drug and step, in the order of the reference's rows."""
CHECKS = {
    "M01": "Telephone call by the pharmacist",
    "M02": "Second infusion of iron (1,000 mg)",
    "M03": "Haemoglobin before the anticoagulant",
    "M04": "Creatinine and potassium after the ACE inhibitor",
    "M05": "Potassium after the aldosterone antagonist",
    "M06": "Haemoglobin on the anticoagulant",
    "M07": "Haemoglobin and ferritin",
    "M08": "Control gastroscopy",
    "M09": "Stool antigen test for Helicobacter pylori",
    "M10": "Call before the change of the apixaban dose",
    "M11": "Cardiology before the end of clopidogrel",
    "R": "Kidney function and potassium",
}
BETWEEN = {
    1: ("apixaban", "clopidogrel"),
    2: ("apixaban", "sertraline"),
    3: ("clopidogrel", "sertraline"),
    9: ("levothyroxine", "calcium carbonate"),
    10: ("levothyroxine", "pantoprazole"),
    11: ("ramipril", "spironolactone"),
}
DO = {
    1: ("major", "Pantoprazole throughout; clopidogrel ends on the last day given here"),
    2: ("moderate", "Keep both; ask about bleeding at each contact"),
    3: ("moderate", "Keep both; ask about bleeding at each contact"),
    9: ("moderate", "Levothyroxine in the morning, calcium at least four hours later"),
    10: ("minor", "TSH together with R1"),
    11: ("moderate", "Potassium at M05"),
}
_WHY = {
    "bisoprolol": "Goes on unchanged (6.5); half a tablet of 10 mg is 5 mg",
    "metformin": "Above the 1,000 mg a day of Table 1 at a clearance of {clearance} mL/min",
    "rivaroxaban": "Major gastrointestinal bleed: apixaban takes its place (4.4)",
    "sertraline": "SSRIs go on (6.5); lines 2 and 3 of Table 6",
    "levothyroxine": "Goes on unchanged (6.5); 75 micrograms are 0.075 mg",
    "aspirin": "Anticoagulant needed and last stent {age} days old on Day 0: ends for good (3.1)",
    "atorvastatin": "Goes on unchanged (6.5); two tablets of 40 mg at night",
    "gabapentin": "Above the 900 mg a day of Table 1 at a clearance of {clearance} mL/min",
    "esomeprazole": "Not with clopidogrel; pantoprazole takes its place (5.1)",
    "ramipril": "Withheld, restarted on Day 7 (6.2): potassium and pressure on the eve allow it",
    "ferrous sulfate": "Intravenous iron takes its place (6.4)",
    "calcium carbonate": "Withheld until the day after the last tetracycline (6.3)",
    "spironolactone": "Withheld, restarted on Day 14 (6.2): potassium and pressure allow it",
    "naproxen": "NSAID: ends for good, paracetamol takes its place for 14 days (6.1)",
}
_COMMENT = {
    ("apixaban", 1): "Only if M03 gives 80 g/L or more and no fall of more than 10 g/L (4.3)",
    ("apixaban", 2): "From the 80th birthday: age and creatinine fulfil two of three criteria",
    ("clopidogrel", 1): "75 mg once daily, from one box only; nine months after the last stent",
    ("pantoprazole", 1): "Twice daily to the end of the eradication",
    ("pantoprazole", 2): "As long as an antithrombotic is taken",
    ("bismuth subcitrate", 1): "Helicobacter pylori, penicillin allergy; black stool",
    ("tetracycline", 1): "Two capsules of 250 mg each time (500 mg out of stock)",
    ("calcium carbonate", 1): "Four hours after levothyroxine",
    ("gabapentin", 1): "Was 1,800 mg a day",
    ("metformin", 1): "Was 2,000 mg a day",
    ("paracetamol", 1): "Instead of naproxen; then review",
}
_SOURCE = {
    "Discharge date": "Planned; may be overwritten",
    "Day 0": "Gastroscopy 2, the last one with treatment; may be overwritten",
    "Creatinine used (µmol/L)": "{mg} mg/dL on the eve x 88.4; the later one was cancelled",
    "Actual weight (kg)": "Chair scale, {pounds} lb x 0.4536; not what was told or estimated",
    "Date of birth": "Admission note",
    "Height (cm)": "Measured, {feet} ft {inches} in x 2.54; not what was told",
    "Ideal weight (kg)": "AT-12 version 4, 2.2",
    "Dosing weight (kg)": "AT-12 version 4, 2.2: more than 120 % of the ideal weight",
    "Age (years)": "On the day of discharge",
    "Creatinine clearance (mL/min)": "Cockcroft and Gault with the dosing weight (2.4)",
    "Months between renal checks": "Clearance / 10, rounded down (section 7)",
    "CHA2DS2-VASc": "Points on Workings; the spell of 2019 was no TIA",
    "Haemoglobin fall (g/L)": "Last value of the practice less the lowest that counts",
    "Iron in all (mg)": "Table 4 by the last haemoglobin and the actual weight",
    "Date of last stent": "Report 2 of the catheter laboratory (scan)",
    "Stent age on Day 0 (days)": "31 to 90 days: clopidogrel from Day 3",
    "Total stent length (mm)": "Three stents of one stay: complex",
}


def source(told: Plan, label: str) -> str:
    drawn = told.world
    return _SOURCE[label].format(
        mg=drawn.milligrams, pounds=drawn.pounds, feet=drawn.feet, inches=drawn.inches
    )


def why(told: Plan, line: HomeLine) -> str:
    """The reason of a decision."""
    if line.generic == "clopidogrel":
        if line.decision == "Stop":
            return "Second line of clopidogrel under a trade name: double dose (9.1)"
        return f"Restarted on Day 3, {words(told.line('clopidogrel').first)} (3.2)"
    found = told.basis
    return _WHY[line.generic].format(clearance=found.clearance, age=found.stent_age)


def comment(told: Plan, line: Line) -> str:
    return _COMMENT.get((line.drug, line.step), "")
