"""The items on the note, and on the wording of actions: one agrees, the rest a judge decides."""

from authoring.parts.items import RubricSheet
from authoring.parts.numbers import money, rounded
from authoring.stem_01_drawing_bom.notes import NOTE
from authoring.stem_01_drawing_bom.paper import NEW
from authoring.stem_01_drawing_bom.said import told_to_do
from authoring.stem_01_drawing_bom.story import Story


def note_items(told: Story, sheet: RubricSheet) -> None:
    sheet.item(
        "integration",
        "important",
        "The note's mass per station is the workbook's.",
        failure="self-verification",
        check={
            "agree": {
                "cell": {"sheet": NEW[6], "label": "card_mass"},
                "figure": {"file": NOTE, "near": "Mass per station", "digits": 3},
            }
        },
    )
    _table(told, sheet)
    _decision(told, sheet)
    _sources(told, sheet)
    _wording(told, sheet)


def _table(told: Story, sheet: RubricSheet) -> None:
    gap, change = told.made.chain, told.made.change
    rows = (
        {"is": rounded(change, 2), "near": "Cost change per station"},
        {"is": rounded(gap.smallest, 4), "near": "Smallest gap", "digits": 2},
        {"is": rounded(gap.largest, 4), "near": "Largest gap", "digits": 2},
    )
    sheet.item(
        "integration",
        "important",
        f"The note's table has a cost change of {money(change)} EUR per station and a gap of "
        f"{gap.smallest:.4f} to {gap.largest:.4f} mm, rounded as a reader needs them.",
        failure="self-verification",
        check={"figures": {"file": NOTE, "only": "tables", "all": rows}},
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
        f"{told.later} (effective after the build start).",
        failure="domain expertise",
        screen={"text": {"file": NOTE, "all": numbers}},
        truth=f"Register: {no('110')} D is released, C superseded; {no('101')} B is released, C "
        f"preliminary. ECN log: {told.cancelled} cancelled although its sheet says Approved; "
        f"{told.later} released, but effective after {told.world.build.isoformat()}. Further "
        "sources (the calendar and contacts before the mail, values of gauge G-17, the first "
        "inspection of the spacers) may be named or not.",
    )


def _wording(told: Story, sheet: RubricSheet) -> None:
    made = told.made.actions
    picked = [one for one in made if one.id[-1] == "W" or one.entry.code in ("MIS", "EXT", "PN")]
    sentences = " ".join(f"{one.id}: {told_to_do(told, one)}" for one in picked)
    sheet.item(
        "domain",
        "important",
        "Each line of Actions says in words what is done to which record or lot, from what to "
        "what, and the sentence fits its discrepancy: W changes the drawing to what the notice "
        "says, E changes ERP to what governs, H and S speak of the right part.",
        failure="instruction following",
        truth=f"For example {sentences} Where a value is replaced, old and new one are both "
        "named; holds and claims name the part and why.",
    )
