"""Handbooks as people write them: what a reader sees is read, and what is markup is not.

All words in the samples are made up.
"""

import codecs
from pathlib import Path

import pytest

from bythebook.build.sop.blocks import html, markdown
from bythebook.build.sop.forms import Source
from bythebook.build.sop.front import parted
from bythebook.build.sop.markup import plainer
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.sources import Reader, files_of, spans
from tests.build.sop.firm import Desk


def texts(body: str) -> list[str]:
    return [f"{'#' * block.level}{block.text}" for block in markdown(plainer(body))]


def read(folder: Path, name: str, data: str | bytes) -> Source:
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    reader = Reader(folder, files_of(folder, (name,)))
    (found,) = reader.read(reader.jobs())
    return found


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("Use [the form](https://forms.example/a_(b)?x=1#y).", "Use the form."),
        ('Use [the form]({% page "/lamps/#on" %}) [now].', "Use the form [now]."),
        ("Use [the\nform][f] or [f].\n\n[f]: https://a.example 'F'", "Use the form or f."),
        ("[Write us](mailto:desk@lamps.example?x)", "Write us (desk@lamps.example)"),
        ("[desk@lamps.example](mailto:desk@lamps.example)", "desk@lamps.example"),
        ("Ask <desk@lamps.example> or <https://a.example/b>", "Ask desk@lamps.example or https://a.example/b"),
        ('Ask {% channel "lamp-help" %}.', "Ask lamp-help."),
        ('{{< note title="Mind this" class="red" >}}', "Mind this"),
        ('{% image "img/lamp.png"\n   "a lamp" %}', "a lamp"),
        ("![a lamp](lamp.png) [![on](on.png)](off.md)", "a lamp on"),
        ("Turn it<br>off, <b>twice</b> &amp; wait<sup>\\*</sup>", "Turn it off, twice & wait*"),
        ("| on | <ul><li>red</li><li>green</li></ul> |", "on | red green"),
        ("> Quoted\n> > in turn", "Quoted in turn"),
        ("  > Quoted in a list\n  > goes on", "Quoted in a list goes on"),
        ("- [x] done", "done"),
        ("Dear <Your Name>, {{date}}", "Dear <Your Name>, {{date}}"),
        ("Type `<b>[a](b)</b>` \\# 5", "Type `<b>[a](b)</b>` # 5"),
        ("## On {#on}", "##On"),
        ("Go on.{: .button}", "Go on."),
        ('!!! note "Mind this"', '"Mind this"'),
        ("::: tip Mind this", "Mind this"),
        ("***", ""),
    ],
)  # fmt: skip
def test_markup_goes_and_words_stay(written: str, seen: str) -> None:
    assert " ".join(texts(written)) == seen


def test_html_within_markdown_is_read_as_its_own_blocks() -> None:
    body = """<div class="box">
<h3>Lamps</h3>
<p>Turn it <b>off</b>.</p>
<ul><li>one <i>two</i> three<ol><li>four</li></ol>five</li></ul></div>

<table>
  <tr><td>red<br>lamp</td><td><p>stop</p><p>wait</p></td></tr>

  <tr><td>green</td><td>go</td></tr>
</table>

- **After** it
"""

    assert texts(body) == [
        "###Lamps", "Turn it off.", "one two three", "four", "five",
        "red lamp | stop wait", "green | go", "After it",
    ]  # fmt: skip


@pytest.mark.parametrize("letter", ["&#1;", "\x01", "\x00", "\ufffe"])
def test_a_letter_that_xml_does_not_know_stops_nothing(letter: str) -> None:
    told = texts(f"<div>one<script>x</script>{letter} two<br>{letter}three</div>\n\nfour\n")

    assert [word for word in ("one", "two", "three", "four") if word in " ".join(told)] == [
        "one", "two", "three", "four",
    ]  # fmt: skip


def test_code_is_no_markup() -> None:
    assert texts('```\n<div>\n[a](b) {% x "y" %}\n```\n') == ['<div> [a](b) {% x "y" %}']


def test_a_heading_under_which_nothing_stands_can_be_quoted() -> None:
    page = "# Lamps\n## Q: Are they on?\n### A: Only at night.\n## Off\nBy day.\n## Note: ask.\n"

    found = [(span.text, span.under) for span in spans(markdown(plainer(page)))]

    assert found == [
        ("A: Only at night.", "Lamps > Q: Are they on?"),
        ("By day.", "Lamps > Off"),
        ("Note: ask.", "Lamps"),
    ]
    assert list(spans(markdown("# Lamps\n"))) == []


def test_a_table_needs_no_bars_at_its_ends() -> None:
    assert texts("lamp | what\n:--|--:\nred | **stop**\ngreen | go\n\nEnd | of it.\n") == [
        "lamp | what", "red | stop", "green | go", "End | of it.",
    ]  # fmt: skip


def test_a_line_below_an_item_is_no_title() -> None:
    assert texts("- one\n---\n- two\n") == ["one", "two"]


def test_a_page_is_its_main_part_with_every_word_between_its_elements() -> None:
    page = (
        "<html><body><header>Lamps Ltd</header><main><h1>On\u00b6</h1>first <p>second "
        "<em>third</em> fourth</p>fifth<svg><title>x</title></svg></main>"
        "<footer>Imprint</footer></body></html>"
    )

    found = [block.text for block in html(page.encode()).blocks]

    assert found == ["On", "first", "second third fourth", "fifth"]


def test_a_page_that_does_not_say_how_it_is_written_is_utf_8() -> None:
    assert [b.text for b in html("<p>Größe “S”</p>".encode()).blocks] == ["Größe “S”"]
    latin = b'<meta charset="iso-8859-1"><p>Gr\xf6\xdfe</p>'
    assert [b.text for b in html(latin).blocks] == ["Größe"]


@pytest.mark.parametrize("page", [b"", b"  \n", b"<!-- nothing -->", b"</div>"])
def test_a_page_without_words_has_no_blocks(page: bytes) -> None:
    assert html(page).blocks == ()


@pytest.mark.parametrize(
    "head",
    [
        "---\ntitle: Lamps\ndate: 2025-03-01\n---\n",
        "\n--- \ntitle: Lamps\ndate: 2025-03-01\n...\n",
        "---\r\ntitle: Lamps\r\ndate: 2025-03-01\r\n---\r\n",
        '+++\ntitle = "Lamps"\ndate = 2025-03-01\n+++\n',
        '---toml\ntitle = "Lamps"\ndate = 2025-03-01T09:00:00Z\n---\n',
        '{\n "title": "Lamps", "date": "2025-03-01"\n}\n',
        '---json\n{"title": "Lamps", "date": "2025-03-01"}\n---\n',
    ],
)
def test_front_matter_is_yaml_toml_or_json(tmp_path: Path, head: str) -> None:
    found = read(tmp_path, "a.md", f"{head}Turn it on.\n")

    assert (found.title, found.effective[0]) == ("Lamps", "2025-03-01")
    assert [span.text for span in found.spans] == ["Turn it on."]


def test_a_title_is_read_as_it_is_shown(tmp_path: Path) -> None:
    found = read(tmp_path, "a.md", "---\ntitle: Lamps <em>on</em> &amp; off\n---\nTurn it.\n")

    assert found.title == "Lamps on & off"


def test_a_page_may_have_front_matter_too(tmp_path: Path) -> None:
    found = read(tmp_path, "a.html", '---\ntitle: On\n---\n<p>Ask {% channel "help" %}.</p>')

    assert (found.title, [span.text for span in found.spans]) == ("On", ["Ask help."])


def test_text_between_two_lines_is_no_front_matter() -> None:
    text = "---\nTurn it on.\n---\nTurn it off.\n"

    assert parted(text) == ({}, text)
    assert parted("---\n---\nTurn it off.\n") == ({}, "Turn it off.\n")


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("draft: true", "is a draft"),
        ("published: false", "is a draft"),
        ("outdated: true", "is outdated"),
        ("draft: false", ""),
        ("status: in force\ndraft: true", ""),
    ],
)
def test_a_flag_is_a_status(tmp_path: Path, head: str, why: str) -> None:
    found = read(tmp_path, "a.md", f"---\n{head}\n---\nTurn it on.\n")

    assert Shelf([found]).not_in_force(found) == why


@pytest.mark.parametrize(
    "data",
    [
        "Größe.".encode("utf-16"),
        codecs.BOM_UTF8 + "Größe.".encode(),
        "Gr\u00ad\u00f6\u200bße.".encode(),
    ],
)
def test_byte_order_marks_and_letters_that_nobody_sees_do_not_count(
    tmp_path: Path, data: bytes
) -> None:
    assert [span.text for span in read(tmp_path, "a.md", data).spans] == ["Größe."]


def test_plain_text_has_no_markup(tmp_path: Path) -> None:
    found = read(tmp_path, "a.txt", "Type <b> and [a](b).\n")

    assert [span.text for span in found.spans] == ["Type <b> and [a](b)."]


def test_documents_without_text_are_named(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    (desk.sources / "empty.md").write_text("---\nredirect_to: elsewhere\n---\n")
    (desk.sources / "empty.html").write_text("")

    desk.build("--until", "sources")

    said = " ".join(capsys.readouterr().err.split())
    assert "2 document(s) hold no text: empty.html, empty.md" in said


def test_files_that_are_no_documents_are_counted(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("lamp.png", "map.png", "page.md.erb", ".hidden.png"):
        (desk.sources / name).write_bytes(b"x")

    desk.build("--until", "sources")

    said = " ".join(capsys.readouterr().err.split())
    assert "3 file(s) are no documents by their ending: 2 .png, 1 .erb" in said
