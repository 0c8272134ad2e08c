"""The two items that a reader decides: what the paper must not tell, and what the note must."""

from authoring.med_03_thrombosis_audit.papers import NOTE, PAPER, said
from authoring.med_03_thrombosis_audit.rules import coded
from authoring.med_03_thrombosis_audit.world import World
from authoring.parts.items import SaidItems
from bythebook.deliverables.rubric import Failure


def judged(told: World, items: SaidItems) -> None:
    facts = said(told)
    code = coded(told)
    numbers = sorted({one.no for one in told.reports} | {one.stay.no for one in code.cases})
    banned = [*numbers, *sorted(told.numbers.values())]
    says = (
        "The committee's paper lets nobody be recognised: no numbers of reports, stays or "
        "patients, no days, no ages, nothing of a single patient, no hidden number and none from "
        "which one can be worked out."
    )
    truth = (
        "Hidden are the cases of Alder (2) and Willow (5) with their rates, and F4 (3) and F5 (3); "
        "`<5` and `-` are right. It fails that says, anywhere in the paper: one of these numbers, "
        "or two of them in words; how many cases are potentially preventable, or F1 to F4 together "
        "or their share (with F1 7, F2 5 and F3 6 it gives F4); S4 or deaths apart from S3; a day "
        "(months are allowed); a case number; or what befell one patient. A general demand in "
        "Request is no such thing, nor that 24 of 45 have some failure."
    )
    screen = {"text": {"file": PAPER, "none": banned}}
    failure: Failure = "domain expertise"
    items.add("domain", "core", says, failure=failure, screen=screen, truth=truth)
    says = (
        "The note's table has the five cases with ward, severity, failure, day and state; Letters "
        "says which is open and which was late and that the open one must be written today; What "
        "failed says of each what should have been done."
    )
    lines = facts["lines"].replace("| ", "").replace(" |", ";").replace("\n", " ")
    truth = (
        f"{lines} Open: {facts['open']}, due {facts['open_due']}; the letter of 12 November is "
        f"about a wound. Late: {facts['late']}, due {facts['late_due']}, sent "
        f"{facts['late_sent']}. Failures: {facts['h08']} three doses in a row not given while off "
        f"the ward; {facts['h17']} 108 kg, 40 mg twice daily wanted, once given; {facts['h22']} "
        f"none prescribed after a hip fracture (form missing too); {facts['h30']} injections to "
        f"day 28, given for 7 days of 21; {facts['h43']} high risk by age and heart failure, none "
        "prescribed. Needed: all five, no sixth, and no names or hospital numbers. A wrong letter, "
        "day or reason for one of them fails."
    )
    wanted = [facts[key] for key in ("h08", "h17", "h22", "h30", "h43")]
    screen = {"text": {"file": NOTE, "all": wanted, "none": sorted(told.numbers.values())}}
    items.add("domain", "important", says, failure=failure, screen=screen, truth=truth)
