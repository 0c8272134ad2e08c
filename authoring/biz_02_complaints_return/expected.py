"""expected/*.csv, and which contacts and complaints each item of the rubric asks about."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from authoring.biz_02_complaints_return.story import hidden
from authoring.biz_02_complaints_return.world import Complaint, Contact, World
from authoring.parts.expected import Value, write_expected

LEFT_GROUPS = {
    "left-n1": ("N1",),
    "left-n2": ("N2",),
    "left-n3-n4": ("N3", "N4"),
    "left-n5-n6-n7": ("N5", "N6", "N7"),
}
CAUSE_GROUPS = {
    "cause-k01-k02": ("K01", "K02"),
    "cause-k03": ("K03",),
    "cause-k04-k05": ("K04", "K05"),
    "cause-k06-k07": ("K06", "K07"),
    "cause-k08": ("K08",),
    "cause-k09-k10": ("K09", "K10"),
}
MONEY = re.compile(r"£(\d+)")
GOODS = ("voucher", "Hamper")


def left_group(told: World, name: str) -> list[Contact]:
    return [one for one in told.contacts if one.left in LEFT_GROUPS[name]]


def plain(told: World) -> list[Complaint]:
    """Without those in disguise and second ones, which have items of their own: who misses one of
    them pays for it there and in the sums, not in every column."""
    others = {one.no for one in (*hidden(told), *again(told))}
    return [one for one in told.complaints if one.no not in others]


def cause_group(told: World, name: str) -> list[Complaint]:
    return [one for one in plain(told) if one.cause in CAUSE_GROUPS[name]]


def joined(told: World) -> list[Contact]:
    return [one for one in told.contacts if one.verdict[0] == "="]


def again(told: World) -> list[Complaint]:
    """Another complaint of a customer who had complained before."""
    return [one for one in told.complaints if one.key[0] == "n"]


def fuels(told: World) -> list[Complaint]:
    """About one fuel of two, or about both."""
    keys: tuple[str, ...] = (
        "k03b",
        "k05c",
        "k08b",
        "k03d",
        "k01e",
        "k01f",
        "k10d",
        "k09e",
        "k03g",
        "k06c",
    )
    keys += ("k09f", "k05f", "k04g", "k10a", "k04d", "k08a", "k08d", "k05d", "k10e", "k07a")
    return [told.of(key) for key in keys]


def endings(told: World) -> list[Complaint]:
    """Closed by the customer's word, or twice, or not yet; or received elsewhere."""
    return [
        one
        for one in plain(told)
        if "inal reply" not in one.first.done or _twice(one) or one.received != one.first.day
    ]


def _twice(one: Complaint) -> bool:
    return any(one.closed is not None and more.day < one.closed for more in one.more)


def findings(told: World) -> list[Complaint]:
    """Not upheld or only partly, open, or upheld without redress."""
    return [one for one in plain(told) if one.outcome != "upheld" or not one.redress]


def mixed(told: World) -> list[Complaint]:
    """Where not all of the money that was paid, offered or sent is redress, or goods are."""
    return [one for one in plain(told) if _mixed(one)]


def _mixed(one: Complaint) -> bool:
    done = " ".join(contact.done for contact in (one.first, *one.more))
    sums = {int(found) for found in MONEY.findall(done)}
    return bool(sums - {one.redress}) or any(word in done for word in GOODS)


def _write(folder: Path, name: str, rows: Iterable[Mapping[str, Value]], key: str) -> None:
    write_expected(folder / f"{name}.csv", list(rows), (key,))


def write_tables(told: World, folder: Path) -> None:
    for name in LEFT_GROUPS:
        rows = ({"contact": one.no, "left_out": one.left} for one in left_group(told, name))
        _write(folder, name, rows, "contact")
    for name in CAUSE_GROUPS:
        causes = ({"complaint": one.no, "cause": one.cause} for one in cause_group(told, name))
        _write(folder, name, causes, "complaint")
    whole: list[Mapping[str, Value]] = [{"complaint": one.no} for one in told.complaints]
    _write(folder, "register", whole, "complaint")
    to = ({"contact": one.no, "complaint": told.belongs(one)} for one in joined(told))
    _write(folder, "joined", to, "contact")
    for name, some in (("in-disguise", hidden(told)), ("again", again(told))):
        own = ({"contact": one.no, "complaint": one.no} for one in some)
        _write(folder, name, own, "contact")
    products = ({"complaint": one.no, "product": one.product} for one in fuels(told))
    _write(folder, "product", products, "complaint")
    outcomes = ({"complaint": one.no, "outcome": one.outcome} for one in findings(told))
    _write(folder, "outcome", outcomes, "complaint")
    paid: list[Mapping[str, Value]] = [
        {"complaint": one.no, "redress": one.redress} for one in mixed(told)
    ]
    _write(folder, "redress", paid, "complaint")
