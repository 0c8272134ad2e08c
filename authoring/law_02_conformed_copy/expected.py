"""expected/*.csv, and which changes each item of the rubric asks about."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from authoring.law_02_conformed_copy import rules as r
from authoring.law_02_conformed_copy.book import agreed_words, stands
from authoring.law_02_conformed_copy.world import COPIES, Change, World, Written
from authoring.parts.expected import Value, write_expected

PAGES = {"2 to 5": range(2, 6), "6 to 8": range(6, 9), "9 to 14": range(9, 15)}
COLUMN = {"landlord": "initials_l", "tenant": "initials_t"}
CODE_GROUPS = {"effective": "E", "missing": "I", "other": "SDPL"}
IN_WORDS = (
    "3.2",
    "8.4",
    "10.2",
    "10.3",
    "11.2",
    "12.2",
    "14.3",
    "15.3",
    "17.1",
    "R4",
    "S2.3",
    "S4.6",
)
"""Changes of which the rubric asks what now stands there."""


def initials_group(told: World, pages: range) -> list[Change]:
    return [change for change in told.changes if change.page in pages]


def of_copy(change: Change, copy: str) -> Written | None:
    return change.landlord if copy == "landlord" else change.tenant


def alike(told: World) -> list[Change]:
    """With the same short words on both counterparts."""
    codes = r.outcome(told).codes
    return [one for one in told.changes if codes[one.ref] not in "SD" and not _long(one)]


def unlike(told: World) -> list[Change]:
    codes = r.outcome(told).codes
    return [one for one in told.changes if codes[one.ref] in "SD" and not _long(one)]


def _long(change: Change) -> bool:
    return any(one is not None and len(one.to) > 40 for one in change.written)


def variants(text: str) -> list[str]:
    """Ways in which somebody may copy words: with or without the figure in brackets, or as one."""
    found = [text]
    both = re.fullmatch(r"(.+) \(([\w.]+)\)( \w+)?", text)
    if both:
        word, figure, unit = both[1], both[2], both[3] or ""
        found += [word + unit, figure + unit, f"{word}({figure}){unit}"]
    if re.fullmatch(r"\d+,\d{3}", text):
        found += [text.replace(",", ""), f"£{text}", f"£{text.replace(',', '')}"]
    if re.fullmatch(r"\d+ (July|October)", text):
        found.append(f"{text} 2025")
    if re.fullmatch(r"\d\d\.\d\d to \d\d\.\d\d", text):
        found.append(text.replace(".", ":"))
    return found


def stood(told: World, ref: str) -> str:
    """The words that now stand there."""
    change = next(one for one in told.changes if one.ref == ref)
    return stands(change, r.outcome(told).codes[ref], agreed_words(told).get(ref, ""))


def _write(folder: Path, name: str, rows: Iterable[Mapping[str, Value]], *keys: str) -> None:
    write_expected(folder / f"{name}.csv", list(rows), keys)


def write_tables(told: World, folder: Path) -> None:
    changes: list[dict[str, Value]] = [{"clause": one.ref} for one in told.changes]
    _write(folder, "changes", changes, "clause")
    for number, pages in enumerate(PAGES.values(), 1):
        for copy in COPIES:
            column = COLUMN[copy]
            rows: list[dict[str, Value]] = [
                {"clause": one.ref, column: r.initials_text(of_copy(one, copy))}
                for one in initials_group(told, pages)
            ]
            _write(folder, f"{copy}-{number}", rows, "clause")
    missing: list[dict[str, Value]] = [
        {"clause": ref, "counterpart": copy, "party": party} for ref, copy, party in r.cures(told)
    ]
    _write(folder, "cure", missing, "clause", "counterpart", "party")
