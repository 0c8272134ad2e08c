"""PDF: text, ruled tables, pictures, form fields and annotations, page by page.

Text comes in the order in which the page writes it, which is the reading order of what an office
or a typesetter exports. Nothing here recognises letters in a picture: such a page is without text.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pdfplumber
import pypdfium2
from pypdfium2 import raw

from bythebook.deliverables.evidence.model import Page, Pdf
from bythebook.deliverables.evidence.reading import Unreadable

MAX_PAGES = 300
MAX_TABLE_PAGES = 40
"""Pages on which ruled tables are looked for: it takes some tenths of a second each."""
MAX_OBJECTS = 20_000
"""Of one page, that are looked at to count pictures and lines."""
MAX_LINES = 4000
MAX_SIGNS = 40_000
"""Lines and letters of a page on which tables are looked for."""
MAX_TEXT = 400_000
"""Letters of a page that are kept."""
MAX_ANNOTATIONS = 500
MAX_NESTED = 3
"""Drawings in drawings."""
PASSWORD = 4
"""pdfium's error code FPDF_ERR_PASSWORD."""
SILENT = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP)
"""Annotations that say nothing of their own."""


def read(path: Path) -> Pdf:
    """Raises Unreadable."""
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if error.err_code == PASSWORD:
            raise Unreadable("encrypted", "It opens only with a password.") from None
        raise Unreadable("corrupt", f"It does not open as a PDF: {error}.") from None
    with document, closing(_Reader(document, path)) as reader:
        return reader.pdf()


class _Reader:
    """Reads one document."""

    def __init__(self, document: pypdfium2.PdfDocument, path: Path) -> None:
        self._document = document
        self._tables = _Tables(path)
        self._warnings: list[str] = []

    def close(self) -> None:
        self._tables.close()

    def pdf(self) -> Pdf:
        count = len(self._document)
        if count < 1:
            raise Unreadable("corrupt", "It has no page.")
        if count > MAX_PAGES:
            self._warnings.append(f"It has {count} pages; the first {MAX_PAGES} are read.")
        if self._document.get_formtype() != raw.FORMTYPE_NONE:
            self._document.init_forms()
        if attached := self._document.count_attachments():
            self._warnings.append(f"It carries {attached} attached files, which are not read.")
        pages = tuple(map(self._page, range(min(count, MAX_PAGES))))
        if not any(page.size != (0, 0) for page in pages):
            raise Unreadable("corrupt", "None of its pages opens.")
        return Pdf(pages=pages, warnings=(*self._warnings, *self._tables.warnings))

    def _page(self, index: int) -> Page:
        try:
            page = self._document[index]
        except pypdfium2.PdfiumError:
            self._warnings.append(f"Page {index + 1} does not open.")
            return Page(number=index + 1)
        try:
            return self._opened(page, index)
        except pypdfium2.PdfiumError as error:
            self._warnings.append(f"Page {index + 1} does not read: {error}.")
            return Page(number=index + 1)
        finally:
            page.close()

    def _opened(self, page: pypdfium2.PdfPage, index: int) -> Page:
        text = self._text(page, index)
        pictures, lines = _drawn(page)
        ruled = 0 < lines <= MAX_LINES and 0 < len(text) <= MAX_SIGNS
        notes = list(_annotations(page, self._document))
        width, height = page.get_size()
        return Page(
            number=index + 1,
            text="\n".join([text, *notes] if text else notes),
            tables=self._tables.on(index) if ruled else (),
            pictures=pictures,
            size=(round(width), round(height)),
        )

    def _text(self, page: pypdfium2.PdfPage, index: int) -> str:
        textpage = page.get_textpage()
        try:
            text = clean(textpage.get_text_bounded())
        finally:
            textpage.close()
        if len(text) > MAX_TEXT:
            self._warnings.append(f"Page {index + 1} is cut after {MAX_TEXT} letters.")
        return text[:MAX_TEXT]


def clean(text: str) -> str:
    """Lines without signs of control; pdfium marks a hyphen at a line's end by one of them."""
    text = (
        text.replace("\r\n", "\n").replace("\r", "\n").replace("\x02", "-").replace("\ufffe", "-")
    )
    kept = "".join(c for c in text if c in "\n\t" or (c >= " " and not "\ud800" <= c <= "\udfff"))
    return "\n".join(line.rstrip() for line in kept.split("\n")).strip("\n")


def _drawn(page: pypdfium2.PdfPage) -> tuple[int, int]:
    """Numbers of pictures and of drawn lines or areas."""
    pictures = lines = 0
    for count, one in enumerate(page.get_objects(max_depth=MAX_NESTED)):
        if count >= MAX_OBJECTS:
            break
        pictures += one.type == raw.FPDF_PAGEOBJ_IMAGE
        lines += one.type == raw.FPDF_PAGEOBJ_PATH
    return pictures, lines


class _Tables:
    """Looks for ruled tables with a second library, opened when the first page wants it."""

    def __init__(self, path: Path) -> None:
        # Opened here: where the library fails to open a file, it does not close it either.
        self._file = path.open("rb")
        self._plumber: pdfplumber.pdf.PDF | None = None
        self._asked = 0
        self.warnings: list[str] = []

    def on(self, index: int) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Of the page of that index, from 0."""
        self._asked += 1
        if self._asked > MAX_TABLE_PAGES:
            if self._asked == MAX_TABLE_PAGES + 1:
                self.warnings.append(f"Tables are not looked for from page {index + 1} on.")
            return ()
        try:
            return self._found(index)
        except Exception:  # noqa: BLE001 - the library raises whatever it trips over
            self.warnings.append(f"Tables on page {index + 1} do not read.")
            return ()

    def _found(self, index: int) -> tuple[tuple[tuple[str, ...], ...], ...]:
        if self._plumber is None:
            self._plumber = pdfplumber.open(self._file, pages=[*range(1, MAX_PAGES + 1)])
        page = self._plumber.pages[index]
        try:
            tables = page.extract_tables()
        finally:
            page.close()
        return tuple(
            tuple(tuple(clean(cell or "") for cell in row) for row in table)
            for table in tables
            if len(table) > 1 or len(table[0]) > 1
        )

    def close(self) -> None:
        # Not by the library's own close: it reads the pages once more, and may fall over them.
        self._file.close()


# --- what hangs on a page ------------------------------------------------------------------------


def _annotations(page: pypdfium2.PdfPage, document: pypdfium2.PdfDocument) -> Iterator[str]:
    """Form fields and annotations, a line each: `[field Name: value]`, `[annotation: text]`."""
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_WIDGET and document.formenv:
                yield from _field(document.formenv.raw, annotation)
            elif kind not in SILENT:
                text = _wide(lambda *to, of=annotation: _string(of, b"Contents", *to))
                if text:
                    yield f"[annotation: {text}]"
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _field(form: object, annotation: object) -> Iterator[str]:
    name = _wide(lambda *to: raw.FPDFAnnot_GetFormFieldName(form, annotation, *to))
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        value = "☒" if raw.FPDFAnnot_IsChecked(form, annotation) else "☐"
    else:
        value = _wide(lambda *to: raw.FPDFAnnot_GetFormFieldValue(form, annotation, *to))
    if kind != raw.FPDF_FORMFIELD_PUSHBUTTON:
        yield f"[field {name}: {value}]"


def _string(annotation: object, key: bytes, buffer: object, size: int) -> int:
    return int(raw.FPDFAnnot_GetStringValue(annotation, key, buffer, size))


def _wide(ask: Callable[[object, int], int]) -> str:
    """A text that pdfium writes into a buffer once it has said how long it is."""
    size = min(ask(None, 0), 2 * MAX_TEXT)
    if size < 2:
        return ""
    buffer = ctypes.create_string_buffer(size + size % 2)
    ask(ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return clean(buffer.raw[: size - 2].decode("utf-16-le", "ignore"))
