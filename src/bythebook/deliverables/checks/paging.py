"""`pages`: how many a PDF or a document has, and of which size.

The pages of a PDF are counted. A document has none until some program lays it out, and programs
differ by lines, more where fonts are missing. So the engine's count decides only beyond a margin:
within the limit it passes, clearly beyond it fails, and what lies between is for the judge.
"""

from functools import partial

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import fail, together, unsure, void
from bythebook.deliverables.checks.places import encoded, within
from bythebook.deliverables.checks.uses import FileUse, paged, resolve
from bythebook.deliverables.evidence.model import Document, Layout, Pdf

PAPER: dict[str, tuple[int, int]] = {
    "A3": (842, 1191),
    "A4": (595, 842),
    "A5": (420, 595),
    "Letter": (612, 792),
    "Legal": (612, 1008),
}
"""Width and height in points, upright."""
SLACK = 3
"""Points that a page may be off."""
NARROW, WIDE = 1.1, 1.5
"""A document fails that is longer than its limit by more than this: the wide one where other fonts
stood in for its own, or changes are tracked in it, which an engine draws. Of 43 documents that Word
had counted none was laid out longer than 1.02 times its count with fonts of the same widths, and
one, a table of codes, 1.34 times without them."""


def check_pages(spec: s.Pages, case: Case) -> Answer:
    """Number and size of the pages of each file."""
    asked = paged(spec)
    if len(asked) == 1:
        return _pages(*asked[0], case)
    return together(partial(_pages, one, use, case) for one, use in asked)


def _pages(one: s.OnePages, use: FileUse, case: Case) -> Answer:
    if case.wants[resolve(use, case.wants)] == "docx":
        name, document = case.content(use.name, use.kinds, Document)
        layout = case.results.laid_out(name)
        _check_length(one, name, layout, tracked=bool(document.changes))
        sizes = layout.sizes
    else:
        name, pdf = case.content(use.name, use.kinds, Pdf)
        sizes = tuple(page.size for page in pdf.pages)
        most = one.at_most if one.at_most is not None else len(sizes)
        if not one.at_least <= len(sizes) <= most:
            seen, wanted = str(len(sizes)), _bounds(one)
            raise fail("another number of pages", encoded(name), seen=seen, wanted=wanted)
    _check_sizes(one, name, sizes)
    return Answer(mark="pass", place=encoded(name), seen=f"{len(sizes)} pages")


def _bounds(one: s.OnePages) -> str:
    return f"{one.at_least} to {one.at_most or 'any'}"


def _check_length(one: s.OnePages, name: str, layout: Layout, *, tracked: bool) -> None:
    """Raises where the document is too long or too short, or may be."""
    place = encoded(name)
    if layout.status == "unavailable":
        raise void(f"nothing here lays the document out: {layout.says}", place)
    if layout.status != "ok":
        raise unsure(f"the document cannot be laid out ({layout.status}): {layout.says}", place)
    margin = WIDE if layout.stand_ins or tracked else NARROW
    count, length = len(layout.sizes), layout.length
    over = one.at_most is not None and count > one.at_most
    if not over and count >= one.at_least:
        return
    clearly = length > (one.at_most or 0) * margin if over else length * margin <= one.at_least - 1
    seen = f"{count} pages, the last filled to {layout.last:.0%}"
    if clearly:
        raise fail("another number of pages", place, seen=seen, wanted=_bounds(one))
    fonts = " in fonts that stand in for its own" if layout.stand_ins else ""
    why = f"as {layout.engine} lays it out{fonts} it has {count} pages; other programs may differ"
    raise unsure(why, place, seen=seen, wanted=_bounds(one))


def _check_sizes(one: s.OnePages, name: str, sizes: tuple[tuple[int, int], ...]) -> None:
    for number, size in enumerate(sizes, 1) if one.size else ():
        if not _has_size(size, PAPER[str(one.size)]):
            place = within(name, f"page={number}")
            seen = f"{size[0]} x {size[1]} points"
            raise fail("a page has another size", place, seen=seen, wanted=str(one.size))


def _has_size(size: tuple[int, int], paper: tuple[int, int]) -> bool:
    pairs = zip(sorted(size), paper, strict=True)
    return all(abs(have - wanted) <= SLACK for have, wanted in pairs)
