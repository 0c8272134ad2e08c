"""The health centre: its rooms in metres, the same under every discipline's symbols."""

import msgspec

from authoring.biz_03_tender_takeoff.ink import Point

DEEP = 18.0
HALL = (8.0, 10.4)
"""The corridor's two walls."""
MATCH = 25.0
OVERLAP = 3.0


BOARD_ROOMS = ("Lobby", "Plant", "Store")
"""A board stands where the door of other rooms is."""


class Room(msgspec.Struct, frozen=True):
    no: str
    name: str
    left: float
    right: float
    upper: bool = True
    kind: str = ""
    """`A` or `B`: a typical room."""
    drawn: bool = True
    """False: marked as typical only."""
    hall: bool = False

    @property
    def top(self) -> float:
        return HALL[0] if self.hall else 0.0 if self.upper else HALL[1]

    @property
    def bottom(self) -> float:
        return HALL[1] if self.hall else HALL[0] if self.upper else DEEP

    @property
    def door(self) -> float:
        """Where the door's hinge is, on the corridor's wall."""
        return self.right - 1.5 if self.name in BOARD_ROOMS else self.left + 0.6

    def holds(self, at: Point) -> bool:
        return self.left <= at[0] <= self.right and self.top <= at[1] <= self.bottom


def _row(first: int, floor: int, upper: bool, parts: str, edge: float = 0.0) -> list[Room]:
    """`name width type`; a type with a stop is marked only."""
    rooms = []
    for n, part in enumerate(parts.split("; "), first):
        name, wide, *kind = part.rsplit(" ", 2) if part[-1] in "AB." else part.rsplit(" ", 1)
        mark = kind[0] if kind else ""
        room = Room(
            f"{'GF'[floor]}{n:02d}",
            name,
            edge,
            edge + float(wide),
            upper,
            mark.rstrip("."),
            not mark.endswith("."),
        )
        rooms.append(room)
        edge += float(wide)
    return rooms


GROUND = (
    Room("G01", "Corridor", 0, 50, hall=True),
    *_row(
        2,
        0,
        True,
        "Reception 7; Records 5; Treatment 4 B; Treatment 4 B.; Utility 5; Treatment 4 B.; "
        "Treatment 4 B.; Minor ops 5; Recovery 5; Plant 7",
    ),
    *_row(
        12,
        0,
        False,
        "Lobby 6; Pharmacy 7; Office 4; Interview 4; Waiting 8; Phlebotomy 4; X-ray 5; "
        "Dental 5; Kitchen 7",
    ),
)
FIRST = (
    Room("F01", "Corridor", 0, 30, hall=True),
    *_row(
        2,
        1,
        True,
        "Consulting 4 A; Consulting 4 A.; Consulting 4 A.; Consulting 4 A.; Staff room 8; Server 6",
    ),
    *_row(
        8, 1, False, "Seminar 8; Consulting 4 A.; Consulting 4 A.; Manager 5; Library 5; Store 4"
    ),
)
