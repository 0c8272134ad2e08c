"""Right answers that look otherwise: each is made from the reference, and none may fail.

A variant touches every table and label that the checks read, all at once. What it does is what
another professional might do whom the prompt leaves free to do it; an item may be unsure of it, and
then the judge speaks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import msgspec

from bythebook.deliverables.evidence.model import Document, FileEvidence, Paragraph, Text
from bythebook.deliverables.proof import arranged, worded
from bythebook.deliverables.proof.arranged import NOTE
from bythebook.deliverables.proof.draft import Draft
from bythebook.deliverables.proof.ground import Ground
from bythebook.deliverables.proof.sample import Sample


@dataclass(frozen=True)
class Variant:
    name: str
    """What is other, in words."""
    sample: Sample


Make = Callable[[Ground, Draft], bool]
"""Changes one draft; whether it changed anything."""


def variants(ground: Ground) -> Iterator[Variant]:
    """Every variant that applies to this task."""
    for name, make in MAKES.items():
        drafts = ground.drafts()
        changed = [make(ground, draft) for draft in drafts.values()]
        if any(changed):
            yield Variant(name, _together(ground.sample, drafts))
    for name, make_files in FILES.items():
        found = make_files(ground)
        if found is not None:
            yield Variant(name, found)


def _together(sample: Sample, drafts: dict[str, Draft]) -> Sample:
    for name, draft in drafts.items():
        done = draft.done()
        sample = sample.having(name, done.contents[name], done.computed.get(name))
    return sample


# --- files --------------------------------------------------------------------------------------


def extra_file(ground: Ground) -> Sample | None:
    """A working file beside the others, where nothing forbids it."""
    only = any(getattr(item.spec, "only", None) is True for item in ground.court.items.values())
    if only:
        return None
    name = "workings.md"
    files = {**ground.sample.files, name: FileEvidence(name=name, kind="text", status="ok")}
    contents = {**ground.sample.contents, name: Text(format="md", lines=("# Workings",))}
    return replace(ground.sample, files=files, contents=contents)


def _documents(ground: Ground, write: Callable[[Document], Document]) -> Sample | None:
    sample = ground.sample
    found = {n: c for n, c in sample.contents.items() if isinstance(c, Document)}
    for name, content in found.items():
        sample = sample.having(name, write(content))
    return sample if found else None


def numbered_headings(ground: Ground) -> Sample | None:
    """`2. Reason` instead of `Reason`, one level deeper."""

    def write(document: Document) -> Document:
        blocks, number = [], 0
        for block in document.blocks:
            if isinstance(block, Paragraph) and block.level:
                number += 1
                text, level = f"{number}. {block.text}", min(block.level + 1, 9)
                block = msgspec.structs.replace(block, text=text, level=level)
            blocks.append(block)
        return msgspec.structs.replace(document, blocks=tuple(blocks))

    return _documents(ground, write)


def letterhead(ground: Ground) -> Sample | None:
    """Three lines before the document begins."""

    def write(document: Document) -> Document:
        lines = [Paragraph(number=n, text=text) for n, text in enumerate(("To:", NOTE, "Draft"), 1)]
        rest = [
            msgspec.structs.replace(block, number=block.number + 3)
            if isinstance(block, Paragraph)
            else block
            for block in document.blocks
        ]
        return msgspec.structs.replace(document, blocks=(*lines, *rest))

    return _documents(ground, write)


MAKES: dict[str, Make] = {
    "columns in the opposite order": arranged.columns_turned,
    "rows in the opposite order": arranged.rows_turned,
    "title rows above": arranged.title_rows,
    "twelve lines of notes above": arranged.notes_above,
    "an empty first column": arranged.blank_column,
    "an empty row inside": arranged.blank_row_inside,
    "a column of remarks": arranged.extra_column,
    "a hidden working column": arranged.hidden_column,
    "a total row below": arranged.total_row,
    "a side table with the same headings": arranged.side_table,
    "another sheet at the end": arranged.extra_sheet,
    "more defined names": arranged.extra_names,
    "more charts and series": arranged.extra_charts,
    "a frozen column as well": arranged.deeper_freeze,
    "headings by alias": worded.aliases,
    "units in the headings": worded.units_in_headings,
    "headings in other letters": worded.other_letters,
    "labels with a colon": worded.labels_with_colons,
    "a line of units under the headings": worded.units_row,
    "dates as text": worded.dates_as_text,
    "dates in words": worded.dates_in_words,
    "months in words": worded.months_in_words,
    "ids as numbers under a format": worded.ids_as_numbers,
    "noise in the last bits": worded.binary_noise,
    "other number formats": worded.other_formats,
}
FILES: dict[str, Callable[[Ground], Sample | None]] = {
    "another file": extra_file,
    "numbered headings, one level deeper": numbered_headings,
    "a letterhead": letterhead,
}
