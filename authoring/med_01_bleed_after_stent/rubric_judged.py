"""What only a reader can decide, with the facts that the judge is told."""

from authoring.med_01_bleed_after_stent.inputs import (
    CATHETER,
    ENDOSCOPY,
    GUIDELINE,
    HOME,
    MAIL,
    OLD_GUIDELINE,
)
from authoring.med_01_bleed_after_stent.letters import LETTER, SHEET
from authoring.med_01_bleed_after_stent.plan import Plan
from authoring.med_01_bleed_after_stent.words import PHONE, facts, upcoming, words
from authoring.parts.items import RubricSheet

GONE = ("rivaroxaban", "clopidogrel", "aspirin", "naproxen", "esomeprazole", "ferrous sulfate")
"""Taken from boxes with trade names that must not be used any more."""


def add_judged(rubric: RubricSheet, told: Plan) -> None:
    said = facts(told)
    _plan(rubric, said)
    _gate(rubric, said)
    _sources(rubric, said)
    _boxes(rubric, told)
    _stool(rubric, told, said)
    _again(rubric, said)


def _plan(rubric: RubricSheet, said: dict[str, str]) -> None:
    rubric.item(
        *("domain", "core"),
        "The letter's Antithrombotic plan says of aspirin, clopidogrel, rivaroxaban and apixaban what happens, from when "
        "to when and why, agrees with the right dates, and excludes bridging with heparin.",
        failure="domain expertise",
        screen={
            "text": {
                "file": LETTER,
                "all": ["aspirin", "clopidogrel", "rivaroxaban", "apixaban", "heparin"],
            }
        },
        truth=(
            f"Aspirin ends for good (AT-12 version 4, 3.1). Clopidogrel 75 mg alone from {said['clopidogrel_1_first']} "
            f"(Day 3, stent {said['stent_age']} days old) to {said['clopidogrel_1_last']}: nine months after the last "
            "stent because of infarction, major bleed and complex stenting (Table 2, 3.4). Rivaroxaban is replaced by "
            f"apixaban (4.4): 5 mg twice daily from {said['apixaban_1_first']} (Day {said['restart']}, Table 3 as corrected "
            f"by {MAIL}) to {said['apixaban_1_last']}, 2.5 mg twice daily from the 80th birthday {said['apixaban_2_first']}, "
            "as age and creatinine are two of three criteria (4.5). No heparin (4.2). Other date forms are fine; a wrong date, "
            "a missing reason for apixaban's change of dose or silence on heparin fails."
        ),
    )


def _gate(rubric: RubricSheet, said: dict[str, str]) -> None:
    rubric.item(
        *("domain", "important"),
        "The letter makes the first dose of apixaban depend on the haemoglobin test before it: its day, the threshold, and "
        "what happens if it is not met.",
        failure="domain expertise",
        truth=(
            f"Test M03 on {said['M03']} (appointment, moved to the last open day before). Start only with 80 g/L or more and "
            f"not more than 10 g/L below the {said['hb_last']} g/L at discharge, in effect {said['gate']} g/L; else nothing is "
            f"started and the ward physician is called (4.3 of {GUIDELINE}). Both conditions or the resulting "
            "number are enough; without the day or without the consequence it fails."
        ),
    )


def _sources(rubric: RubricSheet, said: dict[str, str]) -> None:
    rubric.item(
        *("integration", "important"),
        "Sources and open points names at least six of the eight places where the sources disagree, and which source was followed.",
        failure="self-verification",
        truth=(
            f"(1) version 3 ({OLD_GUIDELINE}) is out of force, version 4 followed; (2) Table 3 prints Day {said['printed']}, the mail "
            f"corrects it to Day {said['restart']}; (3) the admission note gives only the first catheter date, report 2 of {CATHETER} (scan) "
            f"has the last stent on {said['last_stent_words']}; (4) cardiology and the registrar want twelve months or longer aspirin, the "
            f"guideline in force does not; (5) no allergy by the note, penicillin in the practice record of {HOME}: it counts; (6) rapid "
            f"urease test negative, histology positive ({ENDOSCOPY}); (7) weight and height as told or estimated against measured, or the "
            "cancelled laboratory results not used (either counts as one); (8) the small stroke of 2019 was a migraine aura. Doubled clopidogrel or the "
            "ended amiodarone may stand for one of them."
        ),
    )


def _boxes(rubric: RubricSheet, told: Plan) -> None:
    names = {generic: told.world.brands[generic] for generic in GONE}
    rubric.item(
        *("presentation", "important"),
        "The patient sheet names what is not to be taken any more by the names on his boxes, and what is new with its days, in "
        "words that a layman understands.",
        failure="instruction following",
        screen={"text": {"file": SHEET, "all": list(names.values())}},
        truth=(
            "Not any more: "
            + ", ".join(f"{brand} ({generic})" for generic, brand in names.items())
            + f" (list of {HOME}, 9.4 of the guideline). New with days: apixaban, pantoprazole, bismuth, tetracycline, metronidazole, "
            "paracetamol; clopidogrel's last day. Medical terms such as antithrombotic, eradication or haemostasis without an "
            "explanation fail it; names of medicines do not."
        ),
    )


def _stool(rubric: RubricSheet, told: Plan, said: dict[str, str]) -> None:
    coming = "; ".join(f"{c.code} {words(c.appointment)}" for c in upcoming(told))
    rubric.item(
        *("domain", "important"),
        "The patient sheet explains the black stool from bismuth with its last harmless day, the signs of a bleed and the ward's "
        "number, and lists the next three appointments.",
        failure="domain expertise",
        screen={"text": {"file": SHEET, "all": [PHONE, "bismuth"]}},
        truth=(
            f"Harmless up to {said['black']}, three days after the last tablet (5.4). Bismuth: formed, without smell. Bleed: sticky as tar, "
            "foul, dizziness or racing pulse (5.4); emergency number, no further apixaban (9.5). Ward: "
            f"{PHONE}. Next three appointments: {coming}. The day itself may be reckoned with or without a weekday; another last day fails."
        ),
    )


def _again(rubric: RubricSheet, said: dict[str, str]) -> None:
    rubric.item(
        *("domain", "auxiliary"),
        "If bleeding comes back says that apixaban is not taken any more, and that clopidogrel is stopped only after speaking with the "
        "cardiologist on call while the stent is less than six months old.",
        failure="domain expertise",
        truth=(
            f"9.5 of {GUIDELINE}; the last stent of {said['last_stent_words']} is six months old on {said['six_months']} "
            "(naming that day is not required). A letter that stops both drugs, or neither, fails."
        ),
    )
