"""terms.docx and memo.docx, each twice: two people's words for the same facts."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from authoring.law_02_conformed_copy import rules as r
from authoring.law_02_conformed_copy.world import TEXTS, World
from authoring.parts.word import Letter, write_docx

MEMO, TERMS = "memo.docx", "terms.docx"
MEMO_HEADS = ("Result", "What falls", "To be cured", "What it means for the client")
OURS = ("3.2", "7.2", "8.4", "14.2", "S2.3", "S3.3")
"""Changes with initials missing that favour the Tenant; a later break (P12) does not."""


def on(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def shown(text: str, unit: str) -> str:
    if unit == "date":
        return on(date.fromisoformat(text))
    return f"{int(text):,}" if unit == "GBP" else text


def _cures(told: World) -> str:
    """In the order of the lease: `P12 Landlord (both)`."""
    found: dict[tuple[str, str], list[str]] = {}
    for ref, copy, party in r.cures(told):
        found.setdefault((ref, party), []).append(copy)
    whole = {(ref, "all three parties") for ref, _ in found if _parties(found, ref) == 3}
    single = {key: copies for key, copies in found.items() if _parties(found, key[0]) < 3}
    lines = {key: "both" if len(copies) == 2 else copies[0] for key, copies in single.items()}
    lines |= dict.fromkeys(whole, "both")
    order = [change.ref for change in told.changes]
    ranked = sorted(lines.items(), key=lambda one: order.index(one[0][0]))
    return "; ".join(f"{ref} {party} ({where})" for (ref, party), where in ranked)


def _parties(found: Mapping[tuple[str, str], object], ref: str) -> int:
    return sum(key[0] == ref for key in found)


def said(told: World) -> dict[str, str]:
    """Everything that the papers and the rubric say, as text."""
    of = r.outcome(told)
    sums, days = r.sums(told, of), r.key_dates(of)
    by_code = {
        code.lower(): ", ".join(ref for ref, found in of.codes.items() if found == code)
        for code in r.CODES
    }
    listed = [one for one in r.terms(told) if of.basis[one.ref] == "Agreed List"]
    return (
        by_code
        | told.facts
        | {
            "n": str(sums["Changes"]),
            "effective": str(sums["Effective changes"]),
            "fallen": str(sums["Changes without effect"]),
            "listed": ", ".join(f"{x.ref} ({shown(x.listed, x.unit)})" for x in listed),
            "cures": _cures(told),
            "cure_by": on(days["Cure by"]),
            "for_us": ", ".join(OURS[:-1]) + f" and {OURS[-1]}",
            "leave": on(days["Break Date"]),
            "serve": on(days["Last day to serve the Break Notice"]),
            "post": on(days["Last day to post it"]),
            "broken": f"{sums['Break payment']:,}",
            "deposit": f"{sums['Deposit']:,}",
            "rent": f"{sums['Rent payable over the Term']:,}",
            "cap": f"{of.number('P14'):,}",
            "limit": f"{sums['Limit of the guarantee']:,}",
        }
    )


def _table(told: World, second: bool) -> str:
    of = r.outcome(told)
    rows = ["| Clause | Term | As conformed | Basis |", "|---|---|---|---|"]
    for one in r.terms(told):
        unit = "" if second or one.unit in ("GBP", "date", "number") else f" ({one.unit})"
        text = of.conformed[one.ref]
        figure = in_words(text, one.unit) if second else shown(text, one.unit)
        rows.append(f"| {one.ref} | {one.label}{unit} | {figure} | {of.basis[one.ref]} |")
    return "\n".join(rows)


ORDINAL = {"3": "3rd", "5": "5th", "6": "6th"}


def in_words(text: str, unit: str) -> str:
    """A figure with its unit beside it, as a client reads it: `£37,500`, `5th`, `3 per cent`."""
    plain = shown(text, unit)
    if unit in ("GBP", "number"):
        return f"£{plain}" if unit == "GBP" else ORDINAL[plain]
    return plain if unit == "date" else f"{plain} {unit}"


def write_papers(told: World, folder: Path, second: bool = False) -> None:
    facts = said(told) | {"table": _table(told, second)}
    for name, title in ((MEMO, "Memo"), (TERMS, "Terms as conformed")):
        source = f"{Path(name).stem}{'-2' if second else ''}.md"
        text = (TEXTS / source).read_text("utf-8").format_map(facts)
        around = Letter(title=title, author="Ashdown Perrin LLP", points=10, fitted=True)
        write_docx(folder / name, text, around)
