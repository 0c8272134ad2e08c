"""PDFs: text, ruled tables, form fields; what only a picture tells is said to be so."""

from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen import canvas

from bythebook.deliverables.evidence import pdf
from bythebook.deliverables.evidence.reading import Unreadable
from tests.deliverables.evidence.documents import report


def drawn(path: Path, encrypt: StandardEncryption | None = None) -> canvas.Canvas:
    return canvas.Canvas(str(path), invariant=1, encrypt=encrypt)


def test_a_report_gives_its_text_its_grid_and_the_page_without_text(tmp_path: Path) -> None:
    found = pdf.read(report(tmp_path / "r.pdf"))
    first, second = found.pages
    assert first.text.split("\n")[:2] == [
        "Quarterly report PDF_TEXT 1,234.50",
        "cell00 cell01 cell02",
    ]
    (table,) = first.tables
    assert table == tuple(tuple(f"cell{r}{c}" for c in range(3)) for r in range(5))
    assert first.size == (595, 842)
    assert (second.text, second.pictures) == ("", 1)
    assert found.without_text == (2,)


def test_a_locked_pdf_is_encrypted_and_one_that_opens_by_itself_is_read(tmp_path: Path) -> None:
    locked = drawn(tmp_path / "l.pdf", encrypt=StandardEncryption("secret"))
    locked.drawString(72, 700, "LOCKED")
    locked.save()
    with pytest.raises(Unreadable) as refused:
        pdf.read(tmp_path / "l.pdf")
    assert refused.value.status == "encrypted"
    owned = drawn(tmp_path / "o.pdf", encrypt=StandardEncryption("", ownerPassword="owner"))
    owned.drawString(72, 700, "OPEN")
    owned.save()
    assert pdf.read(tmp_path / "o.pdf").pages[0].text == "OPEN"


def test_fields_and_annotations_are_read_with_their_values(tmp_path: Path) -> None:
    form = drawn(tmp_path / "f.pdf")
    form.drawString(72, 750, "Form")
    form.acroForm.textfield(name="Dose", value="75 mg", x=72, y=700)
    form.acroForm.checkbox(name="Agreed", checked=True, x=72, y=650)
    form.textAnnotation("NOTE_BODY", (300, 700, 320, 720))
    form.save()
    lines = pdf.read(tmp_path / "f.pdf").pages[0].text.split("\n")
    assert {"[field Dose: 75 mg]", "[field Agreed: ☒]", "[annotation: NOTE_BODY]"} <= set(lines)


def test_only_the_first_pages_of_a_long_one_are_read_and_that_is_said(tmp_path: Path) -> None:
    long = drawn(tmp_path / "long.pdf")
    for number in range(pdf.MAX_PAGES + 5):
        long.drawString(72, 700, f"page {number + 1}")
        long.showPage()
    long.save()
    found = pdf.read(tmp_path / "long.pdf")
    assert len(found.pages) == pdf.MAX_PAGES
    assert found.warnings == ("It has 305 pages; the first 300 are read.",)


def test_a_pdf_that_only_claims_pages_is_read_within_its_limits(tmp_path: Path) -> None:
    data = report(tmp_path / "r.pdf").read_bytes()
    (tmp_path / "claims.pdf").write_bytes(data.replace(b"/Count 2", b"/Count 20000"))
    found = pdf.read(tmp_path / "claims.pdf")
    assert len(found.pages) <= pdf.MAX_PAGES
    assert found.warnings
