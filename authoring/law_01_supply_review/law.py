"""Authorities and references of the bundle, as a reader finds them."""

import msgspec


class Authority(msgspec.Struct, frozen=True):
    """One section or case."""

    short: str
    status: str
    applies: str = ""
    """Of sections: goods, services or both."""
    mandatory: str = ""
    helps: str = ""
    """What it does here."""


AUTHORITIES = (
    Authority("SGA s 29", "repealed", "goods", "", "Gone since 2019: no minimum for 9.2."),
    Authority("SGA s 31", "current", "goods", "yes", "Strikes 9.4 down."),
    Authority("SGA s 35", "current", "goods", "no", "Not in point."),
    Authority("COA s 6", "current", "both", "no", "The 0.8 per cent was withdrawn in time."),
    Authority("COA s 7", "current", "both", "no", "90 days with a proviso: no agreement."),
    Authority("COA s 21", "current", "services", "no", "Lets 10.2 exclude care and skill."),
    Authority("COA s 33", "current", "services", "no", "Validly excluded by 18.2."),
    Authority("COA s 52", "current", "both", "yes", "Cuts late interest to 8 points only."),
    Authority("COA s 52A", "future", "both", "yes", "From 2027, for later contracts."),
    Authority("COA s 70", "current", "goods", "yes", "Cuts 6.2 back to the price of the delivery."),
    Authority("Brannock v Teale", "overruled", helps="Do not cite for 10.2."),
    Authority("Merrin v Dahl", "current", helps="Does not save the old agreement from 23.1."),
    Authority("Osterly v Finch", "current", helps="Goods and services each by their own law."),
)
RELIED = {
    "P05": ("COA s 70",),
    "P07": ("COA s 52",),
    "P10": ("SGA s 31",),
    "P11": ("COA s 21", "Osterly v Finch"),
    "P21": ("Merrin v Dahl",),
}
"""Position to the short forms any of which may stand there."""
CITED = RELIED | {"P02": ("COA s 6",), "P17": ("COA s 7",), "P18": ("COA s 33",)}
"""What the references name; without the further three the advice is as clear."""


class Reference(msgspec.Struct, frozen=True):
    """A reference that the inserted clause 8 left behind."""

    clause: str
    printed: str
    right: str


REFERENCES = (
    Reference("2.3", "17", "18"),
    Reference("5.4", "8.3", "9.3"),
    Reference("11.2", "20", "21"),
    Reference("15.4", "11", "12"),
    Reference("18.4", "16.3", "17.3"),
    Reference("19.1", "12", "13"),
)
