"""The note to the compliance lead, twice: two people's words for the same facts."""

from pathlib import Path

from authoring.biz_02_complaints_return.expected import GOODS
from authoring.biz_02_complaints_return.inputs import CAUSES, facts
from authoring.biz_02_complaints_return.story import LAST_CODES, by_code, left, totals
from authoring.biz_02_complaints_return.world import CODES, TEXTS, World
from authoring.parts.word import Letter, write_docx

NOTE = "note.docx"
HEADS = ("Result", "Left out", "Against the last return", "What to mend")


def said(told: World) -> dict[str, str]:
    """Everything that note and rubric say, as text."""
    figures = [f"{value:,}" for value in totals(told).values()]
    names = ("n", "quick", "in_time", "open", "upheld", "partly", "not_upheld", "paid", "rate")
    found = facts(told) | dict(zip(names, figures, strict=True))
    gone = left(told)
    number = {one.key: one.no for one in told.contacts}
    goods = [one for one in told.complaints if one.redress and _goods(one.first.done)]
    counts = by_code(told)
    moves = sorted(
        zip(CODES, CAUSES, LAST_CODES, strict=True), key=lambda m: -abs(counts[m[0]][0] - m[2])
    )
    return found | {
        "contacts": str(len(told.contacts)),
        "joined": str(sum(len(one.more) for one in told.complaints)),
        "left": str(sum(map(len, gone.values()))),
        **{code.lower(): str(len(numbers)) for code, numbers in gone.items()},
        "left_sentence": ", ".join(f"{code}: {len(n)}" for code, n in gone.items()) + ".",
        "app": f"{number['e4']}, {number['e5']}",
        "app_cost": number["k08b"],
        "review": number["t3"],
        "moves": ", ".join(
            f"{code} {name} {was} to {counts[code][0]}" for code, name, was in moves[:5]
        ),
        "goods": f"GBP {sum(one.redress for one in goods)}",
        "n_goods": str(len(goods)),
        "rows": "\n".join(f"| {c} {n} | {was} | {counts[c][0]} |" for c, n, was in moves[:5]),
        **{f"{code.lower()}": str(values[0]) for code, values in counts.items()},
    }


def _goods(text: str) -> bool:
    return any(word in text for word in GOODS)


def write_note(told: World, folder: Path, second: bool = False) -> None:
    text = (TEXTS / ("note-2.md" if second else "note.md")).read_text("utf-8")
    around = Letter(title="Complaints return", author="Customer Care", points=9.5, fitted=True)
    write_docx(folder / NOTE, text.format(**said(told)), around)
