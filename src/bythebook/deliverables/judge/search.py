"""Finding words in what was handed over, line by line as a judge reads it."""

import re
import unicodedata
from collections.abc import Iterable

from bythebook.deliverables.evidence.locate import text_of
from bythebook.deliverables.evidence.locators import KINDS, encoded
from bythebook.deliverables.judge.submission import Exhibit

MOST_HITS = 60
AROUND = 160
"""Characters shown on each side of a hit."""
MOST_READ = 20_000_000
"""Characters of one file that are searched."""

_PLACE = re.compile(
    rf"(?:(?:{'|'.join(KINDS)})=\S+|image|(?:'(?:[^']|'')+'|[^'|!]+)![A-Z]{{1,3}}[0-9]+)(?= |$)"
)
"""What a line begins with that names its own place; others belong to the last one that does."""
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[,'\u2019 ](?=\d{3})")


def plain(text: str) -> str:
    """Compatible forms, case, spaces and thousands separators made the same."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return _BETWEEN_DIGITS.sub("", folded)


def hits(exhibit: Exhibit, names: Iterable[str], wanted: str, prefix: str = "") -> str:
    """The lines that hold the words, with their places; or that there is none."""
    needle = plain(wanted)
    found: list[str] = []
    for name in names:
        if exhibit.files[name].status == "ok":
            found += _in_file(exhibit, name, needle, prefix)
        if len(found) > MOST_HITS:
            return "\n".join([*found[:MOST_HITS], "... (there are more)"])
    return "\n".join(found) or "It is found nowhere."


def _in_file(exhibit: Exhibit, name: str, needle: str, prefix: str) -> list[str]:
    lines: list[str] = []
    place = ""
    for line in text_of(exhibit, name, "", limit=MOST_READ).splitlines():
        if own := _PLACE.match(line):
            place = own[0]
        folded = plain(line)
        at = folded.find(needle)
        if at >= 0:
            shown = _around(line, folded, at, len(needle))
            lines.append(f"{prefix}{encoded(name)}#{'' if own else f'{place} | '}{shown}")
        if len(lines) > MOST_HITS:
            break
    return lines


def _around(line: str, folded: str, at: int, length: int) -> str:
    """The line, or of a long one its beginning, which names the place, and the hit."""
    if len(line) <= 3 * AROUND:
        return line
    low, high = max(0, at - AROUND), at + length + AROUND
    return f"{line[:AROUND]} ... {folded[low:high]} ..."
