"""What a reader decides: what the paper must tell and must not, and what the note must tell."""

from decimal import Decimal

from authoring.med_03_thrombosis_audit.papers import NOTE, PAPER, codes_shown, said, wards_shown
from authoring.med_03_thrombosis_audit.rules import coded
from authoring.med_03_thrombosis_audit.story import found
from authoring.med_03_thrombosis_audit.world import World
from authoring.parts.items import SaidItems
from bythebook.deliverables.rubric import Failure


def _told(told: World, items: SaidItems, facts: dict[str, str]) -> None:
    """The paper's tables are a screen; its three texts are read."""
    what = found(told)
    near = [(w, n, r) for w, n, r in wards_shown(what) if n.isdigit()]
    rows = [
        {"is": value, "near": ward, "digits": 3}
        for ward, n, r in near
        for value in (int(n), Decimal(r))
    ]
    rows += [{"is": int(n), "near": code} for code, n in codes_shown(what) if n.isdigit()]
    says = (
        "The paper's tables give, of what may be shown, the right cases, rates and numbers; Result "
        "gives cases, rate and S3 with S4, Run chart the months of shift and of trend, and Request "
        "asks for a decision on what failed most."
    )
    truth = (
        f"Result: {facts['cases']} cases, {facts['rate']} for each 1,000 bed days, "
        f"{facts['grave']} of S3 and S4 as one number. Shift: {facts['shift']}; July 2025 lies on "
        f"the median. Trend: {facts['trend']}; December 2024 equals November. Months may be told "
        "as a span with its exception. Failed most: F1 (7), none prescribed at high risk; then F3 "
        "(6) and F2 (5). It fails that gives another number in Result, leaves a month out or names "
        "one too many, or whose Request asks for no decision or for none on F1. Whether the paper "
        "gives too much away is asked elsewhere."
    )
    screen = {"figures": {"file": PAPER, "only": "tables", "all": rows}}
    failure: Failure = "self-verification"
    items.add("integration", "important", says, failure=failure, screen=screen, truth=truth)


def judged(told: World, items: SaidItems) -> None:
    facts = said(told)
    _told(told, items, facts)
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
