"""Word documents: what a reader sees, in the order in which it stands."""

from pathlib import Path

import pytest

from bythebook.deliverables.evidence import docx
from bythebook.deliverables.evidence.model import Change, Comment, Document, Paragraph, Table
from tests.deliverables.evidence.documents import (
    W,
    chart_xml,
    edited,
    memo,
    para,
    parts_of,
    relations,
    word,
    xml,
    zipped,
)


def texts(document: Document) -> list[str]:
    return [block.text for block in document.blocks if isinstance(block, Paragraph)]


def tables(document: Document) -> list[Table]:
    return [block for block in document.blocks if isinstance(block, Table)]


def body(tmp_path: Path, inner: str, links: str = "", **parts: str) -> Document:
    return docx.read(word(tmp_path / "a.docx", inner, links, **parts))


def test_a_memo_is_read_whole_and_in_order(tmp_path: Path) -> None:
    document = docx.read(memo(tmp_path / "memo.docx"))
    assert texts(document) == [
        "Board memo",
        "1. Summary",
        "The strategy is bold.{+ INSERTED+}{- DELETED-}",
        "1.1 Table",
        "[picture 1]",
        "bullet one",
        "numbered",
        "Commented text[c1]",
    ]
    kinds = [type(block).__name__ for block in document.blocks]
    assert kinds.index("Table") == 4
    assert tables(document)[0].rows[0] == ("r0c0\nr0c1", "", "r0c2")
    levels = [b.level for b in document.blocks if isinstance(b, Paragraph)]
    assert levels[:4] == [0, 1, 0, 2]
    assert document.headers == ("HEADER_TEXT",)
    assert document.footers == ("FOOTER_TEXT",)
    assert document.comments == (Comment("para=8", "COMMENT_BODY", "Ann"),)
    assert document.pictures == 1
    assert document.changes == (
        Change("insertion", " INSERTED", "Rev", 3),
        Change("deletion", " DELETED", "Rev", 3),
    )


def test_headings_are_found_by_outline_level_through_styles_of_any_language(tmp_path: Path) -> None:
    styles = (
        '<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/>'
        '<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Kind"><w:name w:val="Kind"/>'
        '<w:basedOn w:val="Kapitel"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Kreis"><w:basedOn w:val="Kreis"/></w:style>'
    )
    document = body(
        tmp_path,
        para("A", '<w:pStyle w:val="berschrift2"/>')
        + para("B", '<w:pStyle w:val="Kind"/>')
        + para("C", '<w:pStyle w:val="Kind"/><w:outlineLvl w:val="9"/>')
        + para("D", '<w:outlineLvl w:val="3"/>')
        + para("E", '<w:pStyle w:val="Kreis"/>'),
        styles=styles,
    )
    assert [b.level for b in document.blocks if isinstance(b, Paragraph)] == [2, 1, 0, 4, 0]
    assert [b.style for b in document.blocks if isinstance(b, Paragraph)][:2] == [
        "heading 2",
        "Kind",
    ]


NUMBERING = (
    '<w:abstractNum w:abstractNumId="7">'
    '<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>'
    '</w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1(%2)"/></w:lvl>'
    '</w:abstractNum><w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0">'
    '<w:numFmt w:val="bullet"/><w:lvlText w:val="*"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>'
)


def listed(text: str, number: int, depth: int = 0) -> str:
    return para(text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>')


def test_lists_have_their_depth_and_the_numbers_that_a_reader_sees(tmp_path: Path) -> None:
    document = body(
        tmp_path,
        listed("a", 1) + listed("b", 1, 1) + listed("c", 1, 1) + listed("d", 1) + listed("e", 1, 1)
        + listed("f", 2) + listed("g", 99),
        numbering=NUMBERING,
    )  # fmt: skip
    found = [(b.list, b.label) for b in document.blocks if isinstance(b, Paragraph)]
    assert found == [
        ("number 1", "3."),
        ("number 2", "3(a)"),
        ("number 2", "3(b)"),
        ("number 1", "4."),
        ("number 2", "4(a)"),
        ("bullet 1", ""),
        ("", ""),
    ]


def test_a_deletion_in_an_insertion_is_deleted_and_a_move_stands_twice(tmp_path: Path) -> None:
    run = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'.format
    document = body(
        tmp_path,
        f'<w:p><w:ins w:author="A">{run("new ")}<w:del w:author="B"><w:r>'
        f"<w:delText>gone</w:delText></w:r></w:del></w:ins></w:p>"
        f'<w:p><w:moveFrom w:author="C">{run("there")}</w:moveFrom></w:p>'
        f'<w:p><w:moveTo w:author="C">{run("there")}</w:moveTo></w:p>'
        '<w:p><w:r><w:rPr><w:b/><w:rPrChange w:author="D"/></w:rPr><w:t>bold</w:t></w:r></w:p>',
    )
    assert texts(document) == ["{+new +}{-gone-}", "{-there-}", "{+there+}", "bold"]
    assert [(c.kind, c.text, c.author) for c in document.changes] == [
        ("insertion", "new ", "A"),
        ("deletion", "gone", "B"),
        ("move", "there", "C"),
        ("format", "bold", "D"),
    ]


def test_text_that_is_not_shown_is_marked_wherever_it_is_hidden(tmp_path: Path) -> None:
    styles = (
        '<w:style w:type="character" w:styleId="H"><w:name w:val="H"/>'
        "<w:rPr><w:vanish/></w:rPr></w:style>"
    )
    document = body(
        tmp_path,
        para("secret", run="<w:vanish/>")
        + para("styled", run='<w:rStyle w:val="H"/>')
        + para("shown", run='<w:rStyle w:val="H"/><w:vanish w:val="0"/>'),
        styles=styles,
    )
    assert texts(document) == ["{~secret~}", "{~styled~}", "shown"]


def test_notes_are_numbered_as_the_text_refers_to_them(tmp_path: Path) -> None:
    document = body(
        tmp_path,
        '<w:p><w:r><w:t>One</w:t></w:r><w:r><w:footnoteReference w:id="9"/></w:r>'
        '<w:r><w:endnoteReference w:id="4"/></w:r><w:r><w:footnoteReference w:id="5"/></w:r></w:p>',
        footnotes='<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
        f'<w:footnote w:id="5">{para("second")}</w:footnote>'
        f'<w:footnote w:id="9">{para("first")}{para("more")}</w:footnote>',
        endnotes=f'<w:endnote w:id="4">{para("END")}</w:endnote>',
    )
    assert texts(document) == ["One[^1][^3][^2]"]
    assert document.notes == ("first\nmore", "second", "END")


def cell(inner: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def row(*cells: str) -> str:
    return f"<w:tr>{''.join(cells)}</w:tr>"


def test_merged_cells_stand_in_their_first_place(tmp_path: Path) -> None:
    document = body(
        tmp_path,
        para("Table 1: costs", '<w:pStyle w:val="Caption"/>')
        + "<w:tbl>"
        + row(cell(para("wide"), '<w:gridSpan w:val="2"/>'), cell(para("c")))
        + row(cell(para("tall"), '<w:vMerge w:val="restart"/>'), cell(para("e")))
        + row(cell(para("under"), "<w:vMerge/>"), cell(para("g") + para("h")))
        + row('<w:trPr><w:gridBefore w:val="1"/></w:trPr>', cell(para("i")))
        + "</w:tbl>",
        styles='<w:style w:styleId="Caption"><w:name w:val="caption"/></w:style>',
    )
    (table,) = tables(document)
    assert table.caption == "Table 1: costs"
    assert table.rows == (("wide", "", "c"), ("tall", "e"), ("", "g\nh"), ("", "i"))


def test_a_table_in_a_cell_stands_in_its_place(tmp_path: Path) -> None:
    inner = f"<w:tbl><w:tr>{cell(para('x'))}{cell(para('y'))}</w:tr></w:tbl>"
    document = body(tmp_path, f"<w:tbl><w:tr>{cell(para('a') + inner + '<w:p/>')}</w:tr></w:tbl>")
    assert tables(document)[0].rows == (("a\n[table inside:\nx | y\n]",),)


def test_a_field_shows_its_result_and_never_its_code(tmp_path: Path) -> None:
    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    def run(text: str) -> str:
        return f"<w:r><w:t>{text}</w:t></w:r>"

    nested = char("begin") + run("inner code") + char("separate") + run("5") + char("end")
    code = '<w:r><w:instrText>HYPERLINK "https://a.example"</w:instrText></w:r>'
    document = body(
        tmp_path,
        f"<w:p>{char('begin')}{code}{nested}"
        f"{char('separate')}{run('RESULT')}{char('end')}</w:p>"
        f'<w:p><w:fldSimple w:instr="PAGE">{run("12")}</w:fldSimple></w:p>'
        f"<w:p>{char('begin')}{run('lost')}</w:p><w:p>{run('after')}</w:p>",
    )
    assert texts(document) == ["RESULT", "12", "after"]
    assert document.external_links == ("https://a.example",)


def test_boxes_pictures_charts_and_diagrams_are_found_where_they_are_anchored(
    tmp_path: Path,
) -> None:
    box = f"<wps:txbx><w:txbxContent>{para('BOXED')}</w:txbxContent></wps:txbx>"
    drawn = (
        f"<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox><w:txbxContent>{para('BOXED')}</w:txbxContent>"
        "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    picture = (
        '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="A_CHART"/>'
        '<a:blip r:embed="rId9"/></wp:inline></w:drawing></w:r></w:p>'
    )
    chart = (
        '<w:p><w:r><w:drawing><c:chart r:id="rId1" '
        'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/></w:drawing></w:r></w:p>'
    )
    watermark = '<w:p><w:r><w:pict><v:textpath string="DRAFT"/></w:pict></w:r></w:p>'
    path = word(
        tmp_path / "a.docx",
        drawn + picture + chart + watermark,
        relations(rId1="chart charts/chart1.xml"),
        **{"charts/chart1": ""},
    )
    document = docx.read(with_part(path, "word/charts/chart1.xml", chart_xml()))
    assert texts(document) == ["[box 1]", "[picture 1]", "[chart 1]", "[box 2]"]
    assert document.text_boxes == ("BOXED", "DRAFT")
    assert document.pictures == 1
    assert document.charts[0].type == "column"
    assert document.charts[0].series[0].values == (1.5, None, 3.0)
    assert document.warnings == ("[picture 1] has the alternative text 'A_CHART'.",)


def with_part(path: Path, name: str, text: str) -> Path:
    return zipped(path, parts_of(path) | {name: text})


def test_signs_breaks_and_equations_are_text(tmp_path: Path) -> None:
    maths = (
        "<w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r>"
        "</m:den></m:f><m:r><m:t>=</m:t></m:r><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e>"
        "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>"
    )
    signs = (
        '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:tab/><w:t>a</w:t><w:br/>'
        '<w:noBreakHyphen/><w:sym w:font="Symbol" w:char="F061"/>'
        '<w:sym w:font="Odd" w:char="F041"/></w:r></w:p>'
    )
    assert texts(body(tmp_path, maths + signs)) == [
        "(a+b)/2=x^2",
        "☑\ta\n-\u03b1[sign F041 of Odd]",
    ]


def test_page_breaks_are_kept_for_the_paragraph_that_follows(tmp_path: Path) -> None:
    document = body(
        tmp_path,
        para("a")
        + '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
        + para("b")
        + para("c", "<w:pageBreakBefore/>")
        + para("d", "<w:sectPr/>")
        + para("e")
        + para("f", '<w:sectPr><w:type w:val="continuous"/></w:sectPr>')
        + para("g"),
    )
    breaks = [b.text for b in document.blocks if isinstance(b, Paragraph) and b.page_break]
    assert breaks == ["b", "c", "e"]


def test_content_controls_links_and_embedded_documents_are_opened_or_told(tmp_path: Path) -> None:
    document = body(
        tmp_path,
        f"<w:sdt><w:sdtPr/><w:sdtContent>{para('controlled')}</w:sdtContent></w:sdt>"
        '<w:p><w:hyperlink r:id="rId1"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>'
        '<w:altChunk r:id="rId2"/>',
        relations(rId1="hyperlink https://example.com/x", rId2="aFChunk other.html"),
    )
    assert texts(document) == ["controlled", "here"]
    assert document.external_links == ("https://example.com/x",)
    assert document.warnings == ("Another document is embedded in it, which is not read.",)


def test_the_strict_flavour_reads_as_the_usual_one(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", para("strict"))
    strict = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
    assert texts(docx.read(edited(path, "word/document.xml", W.encode(), strict))) == ["strict"]


@pytest.mark.parametrize("kind", ["styles", "numbering", "footnotes", "comments"])
def test_a_broken_part_beside_the_text_is_told_and_the_text_is_read(
    kind: str, tmp_path: Path
) -> None:
    path = word(tmp_path / "a.docx", para("here"), **{kind: ""})
    document = docx.read(with_part(path, f"word/{kind}.xml", xml(kind, "") + "<oops"))
    assert texts(document) == ["here"]
    assert f"word/{kind}.xml is no XML" in document.warnings[0]
