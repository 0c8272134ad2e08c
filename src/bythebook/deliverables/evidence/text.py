"""Plain files: Markdown, text, csv, json, html and source code, as lines.

Lines end at a line feed, a carriage return or both, and nowhere else. Of html the lines are what a
reader sees, not the source.
"""

import csv
import io
import re
from pathlib import Path

import msgspec

from bythebook.deliverables.evidence.model import Text
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.deliverables.evidence.webpage import page_lines

MAX_BYTES = 32 * 2**20
MAX_LINES = 200_000
MAX_LINE = 1_000_000
"""Letters of a line."""
MAX_CELLS = 2_000_000
SAMPLE = 60
"""Lines on which the separator of a csv is guessed."""
SEPARATORS = (",", ";", "\t", "|")

MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""What a file may begin with, and the encoding it stands for."""
LINE_END = re.compile(r"\r\n|\n|\r")


def read(path: Path) -> Text:
    """Raises Unreadable."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Unreadable("too_big", f"It is over {MAX_BYTES // 2**20} MiB of text.")
    text, encoding = decoded(data)
    form = path.suffix.lower().lstrip(".")
    if form in ("html", "htm"):
        lines, problem = page_lines(text)
        return _text(form, lines, encoding, problem)
    lines = LINE_END.split(text)
    if lines and not lines[-1]:
        lines.pop()
    if form in ("csv", "tsv"):
        rows, problem = table(text, "\t" if form == "tsv" else separator(lines[:SAMPLE]))
        return _text(form, lines, encoding, problem, rows)
    return _text(form, lines, encoding, _problem(form, text, lines))


def _text(
    form: str,
    lines: list[str],
    encoding: str,
    problem: str,
    rows: tuple[tuple[str, ...], ...] = (),
) -> Text:
    """Within limits; what was cut is said."""
    said = [problem] if problem else []
    if len(lines) > MAX_LINES:
        said.append(f"{len(lines)} lines; the first {MAX_LINES} are kept")
        lines = lines[:MAX_LINES]
    long = next((count for count, line in enumerate(lines, 1) if len(line) > MAX_LINE), 0)
    if long:
        said.append(f"line {long} is cut after {MAX_LINE} letters")
        lines = [line[:MAX_LINE] for line in lines]
    return Text(
        format=form, lines=tuple(lines), encoding=encoding, rows=rows, problem="; ".join(said)
    )


def decoded(data: bytes) -> tuple[str, str]:
    """Text and encoding. Bytes that are no utf-8 are taken for cp1252, as Windows writes."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), encoding
            except UnicodeDecodeError:
                break
    guess = _without_mark(data)
    for encoding in (*guess, "utf-8", "cp1252", "latin-1"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, encoding
        break
    raise Unreadable("wrong_type", "It holds bytes that are no text.")


def _without_mark(data: bytes) -> tuple[str, ...]:
    """utf-16 shows itself by a zero in most of every second byte."""
    sample = data[:4000]
    half = len(sample) // 2
    if half and sample[1::2].count(0) > half * 0.6:
        return ("utf-16-le",)
    return ("utf-16-be",) if half and sample[::2].count(0) > half * 0.6 else ()


def _problem(form: str, text: str, lines: list[str]) -> str:
    """Why a json, or a line of a jsonl, is none."""
    if form == "json":
        return _json_problem(text)
    if form in ("jsonl", "ndjson"):
        for count, line in enumerate(lines, 1):
            wrong = _json_problem(line) if line.strip() else ""
            if wrong:
                return f"line {count}: {wrong}"
    return ""


def _json_problem(text: str) -> str:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        return f"no json: {error}"
    return ""


# --- csv -----------------------------------------------------------------------------------------


def separator(lines: list[str]) -> str:
    """The separator that parts most lines into the same number of fields, and into most fields."""
    best, found = (0.0, 0), ","
    for sign in SEPARATORS:
        try:
            sizes = [len(row) for row in csv.reader(lines, delimiter=sign) if row]
        except csv.Error:
            continue
        usual = max(set(sizes), key=lambda size: (sizes.count(size), size), default=1)
        if usual > 1 and (sizes.count(usual) / len(sizes), usual) > best:
            best, found = (sizes.count(usual) / len(sizes), usual), sign
    return found


def table(text: str, sign: str) -> tuple[tuple[tuple[str, ...], ...], str]:
    """Rows, without those that are blank, and what is wrong with them."""
    csv.field_size_limit(MAX_LINE)
    rows: list[tuple[str, ...]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True):
            if row:
                rows.append(tuple(row))
                cells += len(row)
            if cells > MAX_CELLS or len(rows) > MAX_LINES:
                return tuple(rows), f"more than {len(rows)} rows; the others are left out"
    except csv.Error as error:
        return tuple(rows), f"row {len(rows) + 1} is no csv: {error}"
    return tuple(rows), ""
