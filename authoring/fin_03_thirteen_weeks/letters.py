"""Certificate and note, each written twice, and everything that they say as text."""

from datetime import date
from decimal import Decimal
from pathlib import Path

from authoring.fin_03_thirteen_weeks import cash
from authoring.fin_03_thirteen_weeks import days as d
from authoring.fin_03_thirteen_weeks import rules as r
from authoring.fin_03_thirteen_weeks.book_covenants import headroom
from authoring.fin_03_thirteen_weeks.inputs import facts
from authoring.fin_03_thirteen_weeks.story import DOWN, Told, late, tell
from authoring.fin_03_thirteen_weeks.world import ACTUAL, TEXTS, Matter, World
from authoring.parts.numbers import money, rounded
from authoring.parts.word import Letter, write_documents

D = Decimal
CERTIFICATE, NOTE = "compliance-certificate.docx", "note-to-cfo.docx"
SOURCES = {
    "reference": {CERTIFICATE: "certificate.md", NOTE: "note.md"},
    "reference-2": {CERTIFICATE: "certificate-2.md", NOTE: "note-2.md"},
}
WHAT = {
    "a": "reduction of staff or closure",
    "b": "fees for the acquisition",
    "c": "damage",
    "d": "settlement",
    "e": "income",
}


def day(value: date | None) -> str:
    assert value
    return f"{value.day} {value:%B}"


def counted(told: World) -> tuple[Matter, ...]:
    """Lines of the register that are in the certificate."""
    return tuple(one for one in told.matters if one.letter != "none" and one.month in ACTUAL)


def shown(name: str, value: Decimal) -> str:
    """As the certificate has it."""
    return f"{value:.2f}" if name in ("Leverage", "Interest Cover") else money(value, 0)


def _scenario(told: Told, name: str) -> dict[str, str]:
    low, peak, floor = told.low, told.peak, told.world.figures["floor"]
    return {
        f"{name}_week": str(low.number),
        f"{name}_monday": f"{day(d.monday(low.number))} to {day(d.monday(low.number) + 6 * d.DAY)}",
        f"{name}_low": money(low.liquidity),
        f"{name}_above": money(low.liquidity - floor),
        f"{name}_short": money(floor - low.liquidity),
        f"{name}_drawn": money(peak.drawn, 0),
        f"{name}_peak": str(peak.number),
    }


def said(told: Told) -> dict[str, str]:
    """Everything that certificate, note and rubric say."""
    down, before = tell(told.world, DOWN), tell(told.world, r.Rules(contract=r.FAR))
    found = facts(told.world) | _scenario(told, "base") | _scenario(down, "down")
    for short, values in (("sep", told.quarter), ("dec", told.year_end)):
        found |= {
            f"{short}_leverage": f"{values['Leverage']:.2f}",
            f"{short}_cover": f"{values['Interest Cover']:.2f}",
        }
    found["down_leverage"] = f"{down.year_end['Leverage']:.2f}"
    found["dec_headroom"] = money(headroom(told.year_end, cash.LIMITS[1]))
    lines = [f"| {name} | {shown(name, value)} |" for name, value in told.quarter.items()]
    found["sep_table"] = "\n".join(lines)
    some = counted(told.world)
    found["matters"] = "\n".join(
        f"| {one.no} | ({one.letter}) | {money(one.counted, 0)} |" for one in some
    )
    found["matters_2"] = "\n".join(
        f"| ({one.letter}) | {one.no} | {WHAT[one.letter]}, recorded in {one.month} |"
        f" {money(one.counted, 0)} |"
        for one in sorted(some, key=lambda one: one.letter)
    )
    three = [told.line(key) for key in ("n11", "n12", "n13")]
    found |= {f"{one.item.key}_day": day(one.day) for one in three}
    olds = {before.line(one.item.key).day for one in three}
    assert len(olds) == 1
    found["old_day"] = day(olds.pop())
    found["rebate"] = money(sum((one.off for one in three), D(0)))
    chosen = sorted(late(told)[:3], key=lambda one: ("p11", "d03", "p13").index(one.item.key))
    for place, one in enumerate(chosen, 1):
        found |= {f"todo{place}": one.item.no, f"todo{place}_amount": money(one.amount)}
    return found


def write_letters(told: Told, folder: Path, second: bool) -> None:
    """Into reference/, and into reference-2/ where that is built."""
    around = Letter(author="Treasury", points=9.5, fitted=True)
    write_documents(SOURCES, TEXTS, said(told), folder, around, second=second)


def euro(value: Decimal) -> Decimal:
    return rounded(value, 0)
