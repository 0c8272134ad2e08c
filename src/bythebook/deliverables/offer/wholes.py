"""Offers of checks on whole files, sheets and documents."""

from collections.abc import Iterator
from itertools import groupby
from typing import get_args

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.deciding import Decided
from bythebook.deliverables.checks.paging import PAPER
from bythebook.deliverables.checks.prose import pieces
from bythebook.deliverables.checks.sheets import check_view
from bythebook.deliverables.checks.uses import HEADED, PROSE
from bythebook.deliverables.evidence.model import Deck, Document, Pdf, Picture, Workbook
from bythebook.deliverables.offer.known import Known, Offer
from bythebook.deliverables.offer.written import joined

PLACEHOLDERS = ("TODO", "TBD", "lorem ipsum")


def files(known: Known) -> Iterator[Offer]:
    says = f"{joined(known.task.wants)} were handed over and open."
    yield Offer({"want": dict(known.task.wants)}, says)


def sheets(known: Known) -> Iterator[Offer]:
    """The longest row of sheets that the task names."""
    for file, book in known.books.items():
        shown = [(sh.name, known.pinned(sh.name) and sh.state == "visible") for sh in book.sheets]
        runs = [[n for n, _ in run] for said, run in groupby(shown, lambda one: one[1]) if said]
        for run in sorted(runs, key=len, reverse=True):
            says = f"{joined(run)} follow each other." if len(run) > 1 else f"{run[0]} is there."
            yield Offer(known.file(file, ("xlsx",)) | {"order": run}, says)


def unchanged(known: Known) -> Iterator[Offer]:
    inputs = known.task.evidence
    for name in inputs.files:
        content = inputs.content(name)
        for file, book in known.books.items() if isinstance(content, Workbook) else ():
            assert isinstance(content, Workbook)
            kept = [sheet.name for sheet in book.sheets]
            same = [sheet.name for sheet in content.sheets if sheet.name in kept]
            told = known.file(file, ("xlsx",)) | {"input": name}
            says = f"The sheets of {name} are as they came"
            yield Offer(told | {"first": True}, f"{says}, and stand first.")
            yield Offer(told, f"{says}.")
            if same and len(same) < len(content.sheets):
                says = f"{joined(same)} of {name} stay{'' if len(same) > 1 else 's'} as it came"
                yield Offer(told | {"sheets": same}, f"{says}.")


def no_errors(known: Known) -> Iterator[Offer]:
    for file in known.books:
        yield Offer(known.file(file, ("xlsx",)), f"No cell of {file} shows an error.")


def view(known: Known) -> Iterator[Offer]:
    """All that every reference has set on a sheet."""
    for place in known.sheets():
        sights = [sight for sight in get_args(s.Sight) if _everywhere(known, place, sight)]
        told = {k: v for k, v in place.items() if k == "file"}
        told |= {"sheets": [place["sheet"]], "has": sights}
        if sights:
            says = f"{place['sheet']} has {joined(map(SIGHTS.__getitem__, sights))}."
            yield Offer(told, says)


SIGHTS = {
    "freeze": "frozen headings",
    "filter": "a filter",
    "cf": "a conditional format",
    "validation": "data validation",
    "print_area": "a print area",
}


def _everywhere(known: Known, place: dict[str, str], sight: s.Sight) -> bool:
    spec = s.View(file=place.get("file", ""), sheets=(place["sheet"],), has=(sight,))
    try:
        return all(check_view(spec, case).mark == "pass" for case in known.cases)
    except Decided:
        return False


def outline(known: Known) -> Iterator[Offer]:
    for file in known.wanted(*HEADED):
        said = pieces(file, known.contents(file)[0])
        headings = [one.text for one in said if one.kind == "heading" and known.pinned(one.text)]
        if headings:
            told = known.file(file, HEADED) | {"has": headings}
            says = f"{file} has the heading{'s' if len(headings) > 1 else ''} "
            says += joined(headings)
            if len(headings) > 1:
                yield Offer(told | {"in_order": True}, f"{says}, in this order.")
            yield Offer(told, f"{says}.")


def text(known: Known) -> Iterator[Offer]:
    """Nothing can be derived of what must be said; what no right answer says can be named."""
    for file in known.wanted(*PROSE):
        note = "put phrases under `all` that no right answer can do without"
        told = known.file(file, PROSE) | {"none": list(PLACEHOLDERS)}
        yield Offer(told, f"{file} is finished: no placeholder stands in it.", True, note)


def pages(known: Known) -> Iterator[Offer]:
    """As many as the longest reference has; of a document no size, which nobody thinks of."""
    note = "see that the prompt says how long it may be"
    for file in known.wanted("pdf", "docx"):
        most = _most(known, file)
        told = {"file": file, "at_most": most}
        says = f"{file} has at most {most} page{'s' if most > 1 else ''}"
        for size in PAPER if file.endswith(".pdf") else ():
            yield Offer(told | {"size": size}, f"{says} of size {size}.", note=note)
        if most:
            yield Offer(told, f"{says}.", note=note)


def _most(known: Known, file: str) -> int:
    """Pages of the longest reference; 0 where nothing lays a document out."""
    counts = [0]
    for case in known.cases:
        content = case.results.content(file)
        if isinstance(content, Pdf):
            counts.append(len(content.pages))
        elif isinstance(content, Document):
            counts.append(len(case.results.laid_out(file).sizes))
    return max(counts)


def slides(known: Known) -> Iterator[Offer]:
    for file in known.wanted("pptx"):
        decks = [content for content in known.contents(file) if isinstance(content, Deck)]
        counts = [sum(not slide.hidden for slide in deck.slides) for deck in decks]
        if counts:
            low, high = min(counts), max(counts)
            told = known.file(file, ("pptx",)) | {"count": low if low == high else [low, high]}
            note = "see that the prompt says how many"
            says = f"{file} has {low if low == high else f'{low} to {high}'} slides"
            yield Offer(told | {"notes": True}, f"{says}, each with notes.", note=note)
            yield Offer(told, f"{says}.", note=note)


def image(known: Known) -> Iterator[Offer]:
    for file in known.wanted("image"):
        found = [content for content in known.contents(file) if isinstance(content, Picture)]
        if found:
            wide, high = (min(getattr(p, side) for p in found) for side in ("width", "height"))
            told = known.file(file, ("image",)) | {"min_px": [wide, high]}
            note = "see that the prompt says how large it must be"
            yield Offer(told, f"{file} is a picture of at least {wide} by {high}.", note=note)
