"""Texts with the seed's facts put in."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from string import Template

from authoring.law_01_supply_review.calendar import DAY, add_months
from authoring.law_01_supply_review.rules import Advice
from authoring.law_01_supply_review.world import ITEMS, World
from authoring.parts.numbers import money

TEXTS = Path(__file__).with_name("texts")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
COUNTS = ("zero", "one", "two", "three", "four", "five", "six")


def words(day: date) -> str:
    """`22 July 2026`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def full(day: date) -> str:
    """`Wednesday, 22 July 2026`."""
    return f"{WEEKDAYS[day.weekday()]}, {words(day)}"


def fill(name: str, told: Advice, **more: str) -> str:
    """`texts/NAME` with its places filled."""
    return Template((TEXTS / name).read_text("utf-8")).substitute(facts(told) | more)


def listed(codes: Iterable[str]) -> str:
    """`P09, P13 and P14`."""
    *most, last = codes
    return f"{', '.join(most)} and {last}" if most else last


def facts(told: Advice) -> dict[str, str]:
    """Every place of every text."""
    return _parties(told.world) | _terms(told.world) | _days(told) | _cap(told) | _grades(told)


def _parties(drawn: World) -> dict[str, str]:
    parties = drawn.parties
    found = {"buyer": parties.buyer, "supplier": parties.supplier}
    for role in (
        *("partner", "associate", "counsel", "buyer_head", "seller_head", "seller_counsel"),
    ):
        person = getattr(parties, role)
        found[role] = person.name
        found[f"{role.removesuffix('_head')}_given"] = person.given
    return found


def _terms(drawn: World) -> dict[str, str]:
    terms = drawn.terms
    names = ("ld_rate", "ld_limit", "payment", "interest", "base", "increase", "response")
    found = {name: str(getattr(terms, name)) for name in names}
    more = ("insurance", "majeure", "last_buy", "cap_percent", "price_old", "price_new")
    found |= {name: str(getattr(terms, name)) for name in more}
    return found | {
        "fixed_cap": money(terms.fixed_cap, 0),
        "item": ITEMS[-1][0],
        "notice_words": COUNTS[drawn.days.renewal],
        "renewal": str(drawn.days.renewal),
        "yearly": str(terms.interest * 12),
        "points": str(terms.interest * 12 - terms.base),
    }


def _days(told: Advice) -> dict[str, str]:
    drawn = told.world
    days = drawn.days
    found = {code: words(day) for code, day in told.dates.items()}
    found |= {f"{code}_full": full(day) for code, day in told.dates.items()}
    return found | {
        "effective": words(days.effective),
        "expiry": words(drawn.expiry),
        "sent": words(days.sent),
        "sent_full": full(days.sent),
        "sent_time": drawn.time,
        "client_full": full(days.sent + DAY),
        "delivery_words": words(days.delivery),
        "delivery_old": words(days.delivery_old),
        "nda_date": words(days.nda),
        "nda_end": words(add_months(days.nda, 36)),
        "interim_end": words(days.interim_end),
        "interim_days": str(days.interim_days),
        "list_day": f"{days.list_day.day} {MONTHS[days.list_day.month - 1]}",
        "objection": str(days.objection),
    }


def _cap(told: Advice) -> dict[str, str]:
    cap = told.cap
    found = {
        name: money(getattr(cap, name))
        for name in ("goods", "services", "all", "drafted", "draft_3", "lost", "fallback")
    }
    return found | {
        "shortfall": money(cap.shortfall),
        "share": f"{cap.share * 100:.1f}",
        "goods_share": f"{cap.goods / cap.all * 100:.0f}",
        "services_share": f"{cap.services / cap.all * 100:.0f}",
    }


def _grades(told: Advice) -> dict[str, str]:
    return {grade: listed(told.graded(grade)) for grade in ("medium", "high", "critical", "low")}
