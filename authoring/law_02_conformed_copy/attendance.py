"""The attendance sheet of the completion meeting: who was there, and everybody's hand."""

from authoring.law_02_conformed_copy.initials import initial
from authoring.law_02_conformed_copy.page import Setter
from authoring.law_02_conformed_copy.pen import Paper
from authoring.law_02_conformed_copy.world import World
from authoring.parts.dice import Dice

COLUMNS = (25.0, 40.0, 84.0, 126.0, 164.0)
HEADS = ("", "Name", "For", "Usual initials", "Signature")
ASKED = (
    "Everybody present writes the usual initials three times and signs. "
    "The letters are for the minutes."
)
ORDER = ("AK", "HB", "NB", "PK", "RK")
ROLES = {
    "AK": "Tenant, director",
    "HB": "Landlord, director",
    "NB": "Landlord's managing agent",
    "PK": "Guarantor, finance",
    "RK": "Guarantor, director",
}


def attendance(told: World, dice: Dice) -> Paper:
    setter = Setter()
    setter.put("Attendance sheet", 25, 32, bold=True, points=15)
    setter.put("Completion meeting, 11 June 2025, offices of Ashdown Perrin LLP", 25, 41)
    setter.put(ASKED, 25, 48)
    for x, head in zip(COLUMNS, HEADS, strict=True):
        setter.put(head, x, 62, bold=True)
    setter.rules.append((23, 65, 192, 65))
    for n, who in enumerate(ORDER):
        y = 78 + 22 * n
        setter.put(who, COLUMNS[0], y, bold=True)
        setter.put(told.people[who], COLUMNS[1], y)
        setter.put(ROLES[who], COLUMNS[2], y, points=9)
        setter.rules.append((23, y + 8, 192, y + 8))
    paper = Paper(setter.leaf(), "landlord", dice, told.seed, "attendance")
    for n, who in enumerate(ORDER):
        y = 78 + 22 * n
        for k in range(3):
            at = (COLUMNS[3] + 1 + 11 * k, y - 4 + paper.jitter(1))
            initial(paper, at, who, dice, 3.0)
        initial(paper, (COLUMNS[4] + 1, y - 6), who, dice, 5.5)
        paper.free((COLUMNS[4] + 12, y + 1), (COLUMNS[4] + 26, y - 2))
    return paper
