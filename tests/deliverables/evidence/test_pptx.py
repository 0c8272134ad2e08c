"""Decks: slides as they are shown, and what is not shown told apart."""

from pathlib import Path

from bythebook.deliverables.evidence import pptx
from bythebook.deliverables.evidence.model import Comment, Deck
from tests.deliverables.evidence.documents import SHOW_TYPES, SPACES, deck, relations, zipped


def shape(text: str, kind: str = "", where: str = "", name: str = "") -> str:
    place = f"<p:ph {kind}/>" if kind else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="s" {name}/><p:cNvSpPr/><p:nvPr>{place}</p:nvPr>'
        f"</p:nvSpPr><p:spPr>{where}</p:spPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
        "</p:txBody></p:sp>"
    )


def at(x: int, y: int, width: int, height: int, more: str = "") -> str:
    return f'<a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>{more}</a:xfrm>'


def slide(tree: str, root: str = "sld", more: str = "") -> str:
    return f"<p:{root} {SPACES}><p:cSld><p:spTree>{tree}</p:spTree></p:cSld>{more}</p:{root}>"


def show(tmp_path: Path, *slides: str, **parts: str) -> Deck:
    """A deck of raw XML, 1000 x 1000 EMU; `parts` under ppt/, dots for slashes."""
    listed = "".join(
        f'<p:sldId id="{n}" r:id="rId{n}"/>' for n in reversed(range(1, 1 + len(slides)))
    )
    links = {f"rId{n}": f"slide slides/slide{n}.xml" for n in range(1, 1 + len(slides))}
    named: dict[str, str | bytes] = {f"ppt/{name}": text for name, text in parts.items()}
    return pptx.read(
        zipped(
            tmp_path / "a.pptx",
            {
                "[Content_Types].xml": SHOW_TYPES,
                "_rels/.rels": relations(rId1="officeDocument ppt/presentation.xml"),
                "ppt/presentation.xml": f"<p:presentation {SPACES}><p:sldIdLst>{listed}"
                '</p:sldIdLst><p:sldSz cx="1000" cy="1000"/></p:presentation>',
                "ppt/_rels/presentation.xml.rels": relations(
                    **links, a1="commentAuthors authors.xml"
                ),
                **{f"ppt/slides/slide{n}.xml": text for n, text in enumerate(slides, 1)},
                **named,
            },
        )
    )


def test_a_deck_is_read_whole(tmp_path: Path) -> None:
    found = pptx.read(deck(tmp_path / "d.pptx"))
    assert [slide.title for slide in found.slides] == [
        "Slide One",
        "Chart slide",
        "Table slide",
        "HIDDEN_SLIDE",
    ]
    assert [slide.hidden for slide in found.slides] == [False, False, False, True]
    first, second, third, _ = found.slides
    assert first.notes == "SPEAKER_NOTES"
    assert first.shapes[1].text == "Bullet A\nBullet B 中文"
    # Placed by the layout: the slide itself does not say where.
    assert first.shapes[1].box == (50, 233, 900, 660)
    chart = second.shapes[1].chart
    assert chart is not None
    assert (chart.type, chart.series[0].name) == ("column", "Revenue")
    assert chart.series[0].values == (1.5, 2.5, 3.75)
    assert chart.series[0].categories == ("Q1", "Q2", "Q3")
    kinds = {shape.kind: shape for shape in third.shapes}
    assert kinds["table"].rows == (("WIDE", "", ""), ("", "", "V12"))
    assert kinds["picture"].text == "ALT_TEXT"
    assert kinds["text"].text == "GROUPED_TEXT"


def test_slides_come_in_the_order_of_the_show_not_of_their_files(tmp_path: Path) -> None:
    found = show(tmp_path, slide(shape("first file", 'type="title"')), slide(shape("second file")))
    assert [one.title for one in found.slides] == ["", "first file"]


def test_a_group_is_opened_and_its_shapes_stand_where_they_are_seen(tmp_path: Path) -> None:
    inner = '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/>'
    group = (
        f"<p:grpSp><p:grpSpPr>{at(500, 500, 200, 400, inner)}</p:grpSpPr>"
        f"{shape('in', where=at(50, 50, 10, 10))}</p:grpSp>"
    )
    (only,) = show(tmp_path, slide(group)).slides
    assert only.shapes[0].box == (600, 700, 20, 40)


def test_a_hidden_shape_is_marked(tmp_path: Path) -> None:
    (only,) = show(tmp_path, slide(shape("ghost", name='hidden="1"'))).slides
    assert only.shapes[0].text == "{~ghost~}"


def test_comments_of_both_kinds_hang_on_their_slide(tmp_path: Path) -> None:
    links = relations(rId1="comments ../comments/c1.xml", rId2="comments ../comments/c2.xml")
    found = show(
        tmp_path,
        slide(shape("a")),
        **{
            "slides/_rels/slide1.xml.rels": links,
            "authors.xml": f'<p:cmAuthorLst {SPACES}><p:cmAuthor id="0" name="Ann"/>'
            '<p:cmAuthor id="{G}" name="Bob"/></p:cmAuthorLst>',
            "comments/c1.xml": f'<p:cmLst {SPACES}><p:cm authorId="0"><p:text>OLD</p:text></p:cm>'
            "</p:cmLst>",
            "comments/c2.xml": f'<q:cmLst xmlns:q="urn:new" {SPACES}><q:cm authorId="{{G}}">'
            "<q:txBody><a:p><a:r><a:t>NEW</a:t></a:r></a:p></q:txBody></q:cm></q:cmLst>",
        },
    )
    assert found.comments == (Comment("slide=1", "OLD", "Ann"), Comment("slide=1", "NEW", "Bob"))


def test_the_text_of_a_diagram_is_read(tmp_path: Path) -> None:
    dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    frame = (
        '<p:graphicFrame><a:graphic><a:graphicData><d:relIds r:dm="rId1" xmlns:d="'
        + dgm
        + '"/></a:graphicData></a:graphic></p:graphicFrame>'
    )

    def point(text: str, kind: str) -> str:
        run = f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
        return f'<d:pt type="{kind}"><d:t>{run}</d:t></d:pt>'

    found = show(
        tmp_path,
        slide(frame),
        **{
            "slides/_rels/slide1.xml.rels": relations(rId1="diagramData ../d.xml"),
            "d.xml": f'<d:dataModel xmlns:d="{dgm}" {SPACES}><d:ptLst>{point("STEP", "node")}'
            f"{point('layout', 'pres')}</d:ptLst></d:dataModel>",
        },
    )
    assert found.slides[0].shapes[0].text == "STEP"
