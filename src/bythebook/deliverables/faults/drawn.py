"""Edits of charts in a workbook."""

import io
from collections.abc import Iterator

from lxml import etree
from PIL import Image, ImageDraw

from bythebook.deliverables.evidence.package import OFFICE, A, C
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.book import Book, Element
from bythebook.deliverables.faults.cells import Change
from bythebook.deliverables.faults.parts import id_of, remove
from bythebook.errors import ContentError

XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
PICTURE = (
    '<xdr:pic xmlns:xdr="{xdr}" xmlns:a="{a}" xmlns:r="{r}"><xdr:nvPicPr>'
    '<xdr:cNvPr id="{id}" name="Picture {id}"/><xdr:cNvPicPr/></xdr:nvPicPr>'
    '<xdr:blipFill><a:blip r:embed="{rel}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>'
    '<xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>'
)


def chart_to_picture(book: Book, edit: e.ChartToPicture) -> Iterator[Change]:
    drawing, frame = _frame(book, edit)
    part = f"xl/media/picture{len(book.members)}.png"
    book.add(part, _bars(), "image/png")
    rel = book.link(drawing, "image", part)
    namespaces = {"xdr": XDR.strip("{}"), "a": A.strip("{}"), "r": OFFICE.strip("{}")}
    picture = etree.fromstring(PICTURE.format(**namespaces, rel=rel, id=1000 + edit.chart))
    frame.addprevious(picture)
    _take_out(book, drawing, frame)
    yield f"{edit.sheet}, chart {edit.chart}", "chart", "picture"


def drop_chart(book: Book, edit: e.DropChart) -> Iterator[Change]:
    drawing, frame = _frame(book, edit)
    anchor = frame.getparent()
    _take_out(book, drawing, frame)
    if anchor is not None:
        remove(anchor)
    yield f"{edit.sheet}, chart {edit.chart}", "chart", None


def chart_range(book: Book, edit: e.ChartRange) -> Iterator[Change]:
    root = _chart(book, edit)
    series = list(root.iter(f"{C}ser"))
    if not 1 <= edit.series <= len(series):
        raise ContentError(f"the chart has {len(series)} series", where=book.path.name)
    for tag in ("val", "yVal"):
        for values in series[edit.series - 1].iter(f"{C}{tag}"):
            for found in values.iter(f"{C}f"):
                yield f"{edit.sheet}, chart {edit.chart}", found.text, edit.values
                found.text = edit.values
            for cache in list(values.iter(f"{C}numCache")):
                remove(cache)


def chart_title(book: Book, edit: e.ChartTitle) -> Iterator[Change]:
    root = _chart(book, edit)
    chart = root.find(f"{C}chart")
    title = None if chart is None else chart.find(f"{C}title")
    texts = [] if title is None else [*title.iter(f"{A}t"), *title.iter(f"{C}v")]
    for number, text in enumerate(texts):
        new = edit.to if number == 0 else ""
        yield f"{edit.sheet}, chart {edit.chart}", text.text, new
        text.text = new


def _chart(book: Book, edit: e.OneChart) -> Element:
    drawing, frame = _frame(book, edit)
    return book.root(book.target(drawing, _relation(frame)))


def _frame(book: Book, edit: e.OneChart) -> tuple[str, Element]:
    """The drawing, and in it the frame of the chart that is meant. Raises `ContentError`."""
    part = book.sheets[str(book.entry(edit.sheet).get("name"))]
    found = [
        (link.target, frame)
        for link in book.links(part, "drawing")
        for frame in book.root(link.target).iter(f"{XDR}graphicFrame")
        if _relation(frame)
    ]
    if not 1 <= edit.chart <= len(found):
        what = f"{edit.sheet} has {len(found)} charts, no chart {edit.chart}"
        raise ContentError(what, where=book.path.name)
    return found[edit.chart - 1]


def _relation(frame: Element) -> str:
    return next((id_of(one) for one in frame.iter(f"{C}chart")), "")


def _take_out(book: Book, drawing: str, frame: Element) -> None:
    id = _relation(frame)
    remove(frame)
    book.unlink(drawing, id)


def _bars() -> bytes:
    """A small picture of a chart."""
    image = Image.new("RGB", (320, 180), "white")
    draw = ImageDraw.Draw(image)
    for number, height in enumerate((60, 120, 90, 140)):
        draw.rectangle((30 + 70 * number, 170 - height, 75 + 70 * number, 170), fill="steelblue")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
