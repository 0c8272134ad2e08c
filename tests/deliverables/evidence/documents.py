"""Small real files with planted marks, for the readers of documents, decks, PDFs and pictures."""

import io
import zipfile
from pathlib import Path

import docx
from docx.oxml import parse_xml
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SPACES = (
    f'xmlns:w="{W}" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office"'
)
OFFICE_TYPE = "application/vnd.openxmlformats-officedocument."


def types(part: str, kind: str) -> str:
    """Content types of a package whose main part is of that kind."""
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="{part}" ContentType="{OFFICE_TYPE}{kind}.main+xml"/></Types>'
    )


WORD_TYPES = types("/word/document.xml", "wordprocessingml.document")
SHOW_TYPES = types("/ppt/presentation.xml", "presentationml.presentation")
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relations(**targets: str) -> str:
    """`rId1="styles styles.xml"`; a target with `://` lies outside."""
    links = ""
    for key, said in targets.items():
        kind, target = said.split(" ", 1)
        mode = ' TargetMode="External"' if "://" in target else ""
        links += f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}"{mode}/>'
    return (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f"{links}</Relationships>"
    )


def zipped(path: Path, parts: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return path


def word(path: Path, body: str, links: str = "", **parts: str) -> Path:
    """A document of raw XML: its body, relations of the main part, further parts under word/."""
    named = {f"word/{name}.xml": xml(name, text) for name, text in parts.items()}
    kinds = {name: f"{name} {name}.xml" for name in parts if not name.startswith("_")}
    return zipped(
        path,
        {
            "[Content_Types].xml": WORD_TYPES,
            "_rels/.rels": relations(rId1="officeDocument word/document.xml"),
            "word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": links or relations(**kinds),
            **named,
        },
    )


def xml(name: str, inner: str) -> str:
    return f"<w:{name} {SPACES}>{inner}</w:{name}>"


def para(text: str, properties: str = "", run: str = "") -> str:
    """A paragraph of one run."""
    return (
        f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr>"
        f'<w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
    )


def picture(width: int = 90, height: int = 50, *, drawn: bool = True) -> bytes:
    image = Image.new("RGB", (width, height), "white")
    if drawn:
        image.putpixel((3, 3), (0, 0, 0))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def memo(path: Path) -> Path:
    """A document as python-docx writes it, with a change, a comment and a table put in."""
    document = docx.Document()
    document.add_heading("Board memo", 0)
    document.add_heading("1. Summary", 1)
    changed = document.add_paragraph("The strategy is bold.")
    for kind, text in (("ins", "INSERTED"), ("del", "DELETED")):
        tag = "delText" if kind == "del" else "t"
        changed._p.append(
            parse_xml(
                f'<w:{kind} xmlns:w="{W}" w:id="1" w:author="Rev"><w:r>'
                f'<w:{tag} xml:space="preserve"> {text}</w:{tag}></w:r></w:{kind}>'
            )
        )
    document.add_heading("1.1 Table", 2)
    table = document.add_table(rows=3, cols=3)
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"r{row}c{column}"
    table.cell(0, 0).merge(table.cell(0, 1))
    document.add_picture(io.BytesIO(picture()), width=Inches(2))
    document.add_paragraph("bullet one", style="List Bullet")
    document.add_paragraph("numbered", style="List Number")
    document.sections[0].header.paragraphs[0].text = "HEADER_TEXT"
    document.sections[0].footer.paragraphs[0].text = "FOOTER_TEXT"
    commented = document.add_paragraph("Commented text")
    document.add_comment(commented.runs, text="COMMENT_BODY", author="Ann", initials="A")
    document.save(str(path))
    return path


def deck(path: Path) -> Path:
    """Four slides: text with notes, a chart, a table with a picture and a group, a hidden one."""
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Slide One"
    slide.placeholders[1].text = "Bullet A\nBullet B 中文"
    slide.notes_slide.notes_text_frame.text = "SPEAKER_NOTES"
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Chart slide"
    data = CategoryChartData()  # type: ignore[no-untyped-call]  # the library types half of itself
    data.categories = ["Q1", "Q2", "Q3"]
    data.add_series("Revenue", (1.5, 2.5, 3.75))  # type: ignore[no-untyped-call]  # as above
    box = (Inches(1), Inches(2), Inches(6), Inches(4))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Table slide"
    table = slide.shapes.add_table(2, 3, Inches(1), Inches(2), Inches(5), Inches(1)).table
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(0, 0).text, table.cell(1, 2).text = "WIDE", "V12"
    drawn = slide.shapes.add_picture(io.BytesIO(picture()), Inches(6), Inches(4))
    drawn._element.nvPicPr.cNvPr.set("descr", "ALT_TEXT")
    group = slide.shapes.add_group_shape()
    inside = group.shapes.add_textbox(Inches(1), Inches(5), Inches(3), Inches(1))
    inside.text_frame.text = "GROUPED_TEXT"
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "HIDDEN_SLIDE"
    slide._element.set("show", "0")
    show.save(str(path))
    return path


def report(path: Path) -> Path:
    """Two pages: text with a ruled grid of 5 x 3 cells, and a picture alone."""
    drawing = canvas.Canvas(str(path), pagesize=A4, invariant=1)
    drawing.drawString(72, 750, "Quarterly report PDF_TEXT 1,234.50")
    for row in range(5):
        for column in range(3):
            drawing.drawString(72 + column * 90, 700 - row * 18, f"cell{row}{column}")
    drawing.grid([70, 160, 250, 340], [622 + row * 18 for row in range(6)])
    drawing.showPage()
    file = io.BytesIO(picture())
    drawing.drawInlineImage(Image.open(file), 50, 300, width=500, height=280)
    drawing.showPage()
    drawing.save()
    return path


def parts_of(path: Path) -> dict[str, str | bytes]:
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name) for name in package.namelist()}


def chart_xml() -> str:
    """A column chart of three points, the second of them missing."""
    points = "".join(
        f'<c:pt idx="{index}"><c:v>{value}</c:v></c:pt>' for index, value in ((0, 1.5), (2, 3))
    )
    return (
        '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx>'
        "<c:rich><a:p><a:r><a:t>Costs</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>"
        '<c:barChart><c:barDir val="col"/><c:ser><c:tx><c:v>Ops</c:v></c:tx><c:val><c:numRef>'
        f"<c:f>Sheet1!$B$2:$B$4</c:f><c:numCache>{points}</c:numCache></c:numRef></c:val></c:ser>"
        "</c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )


def deep(tag: str, depth: int) -> str:
    return f"<{tag}>" * depth + f"</{tag}>" * depth


def edited(path: Path, part: str, old: bytes, new: bytes) -> Path:
    """The same package with bytes of one part replaced."""
    parts = parts_of(path)
    before = parts[part]
    assert isinstance(before, bytes)
    assert old in before
    parts[part] = before.replace(old, new)
    return zipped(path, parts)
