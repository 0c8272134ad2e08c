"""The items on the note, and the wording of actions: one is checked, a judge decides the rest."""

from authoring.parts.items import RubricSheet
from authoring.parts.numbers import money, rounded
from authoring.stem_01_drawing_bom.notes import NOTE
from authoring.stem_01_drawing_bom.said import told_to_do
from authoring.stem_01_drawing_bom.story import Story


def note_items(told: Story, sheet: RubricSheet) -> None:
    _table(told, sheet)
    _before(told, sheet)
    _decision(told, sheet)
    _sources(told, sheet)
    _wording(told, sheet)


def _table(told: Story, sheet: RubricSheet) -> None:
    made, gap, change = told.made, told.made.chain, told.made.change
    rows = (
        {"is": rounded(made.mass, 4), "near": "Mass per station", "digits": 3},
        {"is": rounded(change, 2), "near": "Cost change per station"},
        {"is": rounded(gap.smallest, 4), "near": "Smallest gap", "digits": 2},
        {"is": rounded(gap.largest, 4), "near": "Largest gap", "digits": 2},
    )
    sheet.item(
        "integration",
        "important",
        f"The note's table has a mass of {made.mass:.2f} kg and a cost change of {money(change)} "
        f"EUR per station and a gap of {gap.smallest:.4f} to {gap.largest:.4f} mm, rounded as a "
        "reader needs them.",
        failure="self-verification",
        check={"figures": {"file": NOTE, "only": "tables", "all": rows}},
    )


def _before(told: Story, sheet: RubricSheet) -> None:
    """What CM-07 orders besides class A; a reader may be told a person or the role."""
    no, who = told.world.no, told.world.owners
    day = {one.days: one.due.isoformat() for one in told.made.actions}
    named = [[name, name.split()[-1], role] for role, name in who.items()]
    sheet.item(
        "integration",
        "important",
        "The note names, with who and by when, what has to be done before the start besides the "
        f"two entries of class A: the covers' lot is held by {day[1]} and claimed from the "
        f"supplier by {day[8]}, the other ERP lines are put right by {day[8]} and {day[15]}, and "
        f"the parts lists of {no('000')} and {no('200')} are revised by {day[8]}.",
        failure="instruction following",
        screen={"text": {"file": NOTE, "all": named}},
        truth=f"Covers ({no('112')}, C07): hold {who['Quality']}, claim {who['Purchasing']}. "
        f"Parts lists (washers and lock nuts, {told.notice('QTY', '6')}): {who['Design office']}. "
        f"Nine other ERP records, all {who['Master data']}: by {day[8]} clamp bars, cover screws, "
        "lock nuts, key, locking plate, grease nipple and the shaft's revision; by "
        f"{day[15]} the revisions of bearing block and nut block. A group may be summed up (the "
        "other nine ERP lines); a role may stand for its holder; any order will do.",
    )


def _decision(told: Story, sheet: RubricSheet) -> None:
    made = told.made
    days = {one.days: one.due.isoformat() for one in made.actions}
    held = [one for one in made.actions if one.entry.cls == "A"]
    people = ", ".join(f"{one.id} {one.owner} {one.due.isoformat()}" for one in held)
    gap = made.chain
    sheet.item(
        "domain",
        "core",
        "The note opens with a release under conditions and says why: two class A entries "
        "(material of housing and spindle in ERP) are open, while gap and mass are in order and "
        "no lot of a key part is out; it "
        f"names who has to do what about both by {days[1]} and {days[3]}.",
        failure="domain expertise",
        truth=f"{told.decision}, by CM-07 section 8: entries of class A are "
        + " and ".join(one.id for one in made.of_class("A"))
        + f". Their actions: {people}. Gap {gap.smallest:.4f} to {gap.largest:.4f} mm within 0.10 "
        f"to 0.70; {made.mass:.2f} kg of at most {told.mass_limit} kg; the only lot out of limits "
        f"is that of the covers (C07), which are no key part. Cost change {money(made.change)} EUR "
        "per station. Other wording and other order of the reasons are right.",
    )


def _sources(told: Story, sheet: RubricSheet) -> None:
    no = told.world.no
    numbers = [[name, name.removeprefix("ECN-")] for name in (told.cancelled, told.later)]
    sheet.item(
        "integration",
        "important",
        f"The note says of four sources that they do not count, and why: {no('110')} rev C (in the "
        f"set, superseded), {no('101')} rev C (preliminary), {told.cancelled} (cancelled) and "
        f"{told.later} (effective after the build start). Nothing that counts is among them.",
        failure="domain expertise",
        screen={"text": {"file": NOTE, "all": numbers}},
        truth=f"Register: {no('110')} D is released, C superseded; {no('101')} B is released, C "
        f"preliminary. ECN log: {told.cancelled} cancelled although its sheet says Approved; "
        f"{told.later} released, but effective after {told.world.build.isoformat()}. These count: "
        f"{told.notice('ALT')}, {told.notice('QTY', '6')} and {told.notice('DIM')}. Further "
        "sources that rightly do not count may be named or not: the calendar and contacts before "
        "the mail, values of gauge G-17, the first inspection of the spacers, a drawing in points "
        f"that a notice changes, {told.shown} (revision D shows it), ERP lines out of validity, "
        "weights of the Item master where a title block has one.",
    )


def _wording(told: Story, sheet: RubricSheet) -> None:
    made = told.made.actions
    picked = [one for one in made if one.id[-1] == "W" or one.entry.code in ("MIS", "EXT", "PN")]
    sentences = " ".join(f"{one.id}: {told_to_do(told, one)}" for one in picked)
    sheet.item(
        "domain",
        "important",
        "Discrepancies shows next to what governs what drawing and ERP (or the inspection) say. "
        "Each line of Actions says in words what is done to which record or lot, from what to "
        "what, and the sentence fits its discrepancy: W changes the drawing to what the notice "
        "says, E changes ERP to what governs, H and S speak of the right part.",
        failure="instruction following",
        truth=f"For example {sentences} Where a value is replaced, old and new one are both "
        "named; holds and claims name the part and why. The record may stand in a column of its "
        "own beside the sentence. In Discrepancies a side that has nothing may be empty, a dash or "
        "words; for REV the register may stand for the drawing.",
    )
