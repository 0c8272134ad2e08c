"""How long a document is, laid out by the engine: its pages, and how far the last one is filled.

The count of pages is the engine's, not that of the program which the writer used, and hangs on the
fonts of this machine. So it is told with how near it is: by what share of its height the last page
is covered, and which fonts stood in for those that the document names. A font of the same widths
(Carlito for Calibri) is as good as the one named.
"""

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pypdfium2
from pypdfium2 import raw

from bythebook.deliverables.evidence import child
from bythebook.deliverables.evidence.model import Layout
from bythebook.deliverables.evidence.office import MOST_AT_ONCE, PDF, Engine, Failure
from bythebook.deliverables.evidence.package import A, Package, W, number
from bythebook.deliverables.evidence.reading import Unreadable

TWINS: dict[str, tuple[str, ...]] = {
    "arimo": ("arial", "helvetica"),
    "caladea": ("cambria",),
    "carlito": ("calibri",),
    "cousine": ("couriernew", "courier"),
    "gelasio": ("georgia",),
    "liberationmono": ("couriernew", "courier"),
    "liberationsans": ("arial", "helvetica"),
    "liberationsansnarrow": ("arialnarrow",),
    "liberationserif": ("timesnewroman", "times"),
    "tinos": ("timesnewroman", "times"),
}
"""Fonts to those whose widths they have."""
SIGNS = ("opensymbol", "symbol", "wingdings", "zapfdingbats")
"""Bullets and the like: too few to lengthen a page."""
UNNAMED = "timesnewroman"
"""What a document is set in that names no font."""
LEAST = 0.05
"""Share of the text below which a font does not matter."""
GAP = 48.0
"""Points: a larger gap between two lines is no text that was set, but space above a footnote."""
SLACK = 2.0
"""Points by which letters may reach into a margin."""
MOST_OBJECTS = 20_000
TWIP = 20
"""To a point."""


def laid_out(paths: Sequence[Path], engine: Engine) -> tuple[Layout, ...]:
    """Several documents; a start of the engine costs more than most of them."""
    done: list[Layout] = []
    for start in range(0, len(paths), MOST_AT_ONCE):
        some = paths[start : start + MOST_AT_ONCE]
        with engine.converted(some, PDF) as found:
            done += [_told(one, path, engine) for one, path in zip(found, some, strict=True)]
    return tuple(done)


def _told(made: Path | Failure, document: Path, engine: Engine) -> Layout:
    if isinstance(made, Failure):
        return Layout(status=made.status, says=made.says, engine=engine.version)
    try:
        told = child.run("layout:measured", made, document, returns=Layout)
    except Unreadable as error:
        told = Layout(status="timeout" if error.status == "timeout" else "failed", says=error.says)
    return msgspec.structs.replace(told, engine=engine.version)


# --- in the child -------------------------------------------------------------------------------


def measured(pdf: Path, document: str) -> Layout:
    """What the engine made of a document. Raises Unreadable."""
    top, bottom, named = _set_in(Path(document))
    used: Counter[str] = Counter()
    sizes: list[tuple[int, int]] = []
    filled: list[float] = []
    with pypdfium2.PdfDocument(pdf) as file:
        for page in file:
            width, height = page.get_size()
            sizes.append((round(width), round(height)))
            spans = list(_spans(page, bottom, height - top, used))
            filled.append(_covered(spans, height - top) / max(1.0, height - top - bottom))
    if not sizes:
        raise Unreadable("corrupt", "Nothing of it is drawn.")
    while len(filled) > 1 and not filled[-1]:
        filled.pop()
    return Layout(
        status="ok",
        sizes=tuple(sizes[: len(filled)]),
        last=round(min(1.0, filled[-1]), 3),
        stand_ins=tuple(_stand_ins(used, named)),
    )


def _set_in(path: Path) -> tuple[float, float, frozenset[str]]:
    """Upper and lower margin of the last pages in points, and every font that is named."""
    with Package(path) as package:
        main = package.main("word/document.xml")
        body = package.xml(main).find(f"{W}body")
        margins = None if body is None else body.find(f"{W}sectPr/{W}pgMar")
        edges = [
            abs(number(margins.get(f"{W}{side}"), 72 * TWIP)) / TWIP if margins is not None else 72
            for side in ("top", "bottom")
        ]
        return edges[0], edges[1], frozenset(_named(package)) | {UNNAMED}


def _named(package: Package) -> Iterator[str]:
    for part in sorted(package.names):
        if not re.fullmatch(r"word/(?!fontTable)[\w/]+\.xml", part):
            continue
        root = package.optional(part)
        for fonts in root.iter(f"{W}rFonts", f"{A}latin") if root is not None else ():
            for name, value in fonts.items():
                if "Theme" not in str(name):
                    yield _family(str(value))


def _family(name: str) -> str:
    """`ABCDEF+LiberationSans-Bold` and `Liberation Sans` are `liberationsans`."""
    plain = re.sub(r"^[A-Z]{6}\+", "", name).partition(",")[0]
    return re.sub(r"(?:ps)?mt$", "", re.sub(r"[\s_]", "", plain).casefold().partition("-")[0])


def _spans(
    page: pypdfium2.PdfPage, bottom: float, top: float, used: Counter[str]
) -> Iterator[tuple[float, float]]:
    """Lower and upper edge of all that stands between the margins; fonts are counted by the width
    of what is set in them."""
    edges = [ctypes.c_float() for _ in range(4)]
    for at in range(min(raw.FPDFPage_CountObjects(page), MOST_OBJECTS)):
        one = raw.FPDFPage_GetObject(page, at)
        if not raw.FPDFPageObj_GetBounds(one, *edges):
            continue
        left, low, right, high = (edge.value for edge in edges)
        if high <= low or low < bottom - SLACK or low >= top:
            continue
        yield low, high
        if raw.FPDFPageObj_GetType(one) == raw.FPDF_PAGEOBJ_TEXT:
            used[_family(_font(one))] += max(1, round(right - left))


def _font(text: object) -> str:
    font = raw.FPDFTextObj_GetFont(text)
    name = ctypes.create_string_buffer(200)
    raw.FPDFFont_GetBaseFontName(font, name, len(name))
    return name.value.decode("utf-8", "replace")


def _covered(spans: list[tuple[float, float]], top: float) -> float:
    """Points from the upper margin down that are covered, gaps between lines included."""
    edge, total = top, 0.0
    for low, high in sorted(spans, key=lambda span: -span[1]):
        if low < edge:
            gap = max(0.0, edge - high)
            total += min(edge, high) - low + (gap if gap <= GAP else 0.0)
            edge = low
    return total


def _stand_ins(used: Counter[str], named: frozenset[str]) -> Iterator[str]:
    """Fonts in which much is set and that are none of those named, nor as wide."""
    whole = sum(used.values())
    for font, share in sorted(used.items()):
        own = font in named or any(twin in named for twin in TWINS.get(font, ()))
        if not own and font not in SIGNS and share > LEAST * whole:
            yield font
