"""Plain files: encodings, separators, and what does not read as what it claims to be."""

import csv
import io
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.deliverables.evidence import text
from bythebook.deliverables.evidence.model import Text
from bythebook.deliverables.evidence.reading import Unreadable


def read(tmp_path: Path, name: str, data: str | bytes) -> Text:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return text.read(path)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("naïve 中".encode(), "utf-8"),
        ("naïve 中".encode("utf-8-sig"), "utf-8-sig"),
        ("naïve 中".encode("utf-16"), "utf-16"),
        ("naïve".encode("utf-16-le"), "utf-16-le"),
        ("naïve €".encode("cp1252"), "cp1252"),
    ],
)
def test_text_is_decoded_and_its_encoding_said(data: bytes, encoding: str, tmp_path: Path) -> None:
    found = read(tmp_path, "a.txt", data)
    assert found.lines[0].startswith("naïve")
    assert found.encoding == encoding


def test_lines_end_at_line_ends_and_nowhere_else(tmp_path: Path) -> None:
    assert read(tmp_path, "a.md", "a\r\nb\rc\n\x0bd\u2028e\n").lines == (
        "a",
        "b",
        "c",
        "\x0bd\u2028e",
    )


def test_bytes_that_are_no_text_are_of_the_wrong_type(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as refused:
        read(tmp_path, "a.txt", b"PK\x03\x04\x00\x00\x00")
    assert refused.value.status == "wrong_type"


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_separator_of_a_csv_is_found(sign: str, tmp_path: Path) -> None:
    lines = [["id", "amount", "note"], ["1", "1,5", "a;b"], ["2", "2,5", "c|d, e"]]
    written = "\n".join(sign.join(f'"{cell}"' for cell in line) for line in lines)
    assert read(tmp_path, "a.csv", written).rows == tuple(map(tuple, lines))


def test_a_german_csv_is_parted_by_semicolons(tmp_path: Path) -> None:
    found = read(tmp_path, "a.csv", "Kosten 2024\n\nid;Betrag\n1;1.234,50\n2;7,25\n")
    assert found.rows == (("Kosten 2024",), ("id", "Betrag"), ("1", "1.234,50"), ("2", "7,25"))


def test_an_unclosed_quote_is_a_problem(tmp_path: Path) -> None:
    found = read(tmp_path, "a.csv", 'a,b\n1,"open\n2,3\n')
    assert found.problem.startswith("row 2 is no csv")


@given(st.lists(st.lists(st.text("ab ,;\n\"'é", min_size=1), min_size=2, max_size=2), min_size=1))
def test_what_a_csv_writer_wrote_reads_back(rows: list[list[str]]) -> None:
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    assert text.table(file.getvalue(), ",") == (tuple(map(tuple, rows)), "")


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.json", '{"a": 1}', ""),
        ("a.json", '{"a": NaN}', "no json"),
        ("a.json", "[" * 100_000, "no json"),
        ("a.jsonl", '{"a": 1}\n\n{"a": }\n', "line 3: no json"),
    ],
)
def test_json_that_is_none_says_where(name: str, data: str, problem: str, tmp_path: Path) -> None:
    found = read(tmp_path, name, data).problem
    assert found.startswith(problem) if problem else not found


def test_of_html_a_reader_sees_lines_not_source(tmp_path: Path) -> None:
    page = (
        "<html><head><title>Plan</title><script>alert('x')</script></head><body><h1>Head</h1>"
        "<p>One <b>bold</b> word<br>next</p><table><tr><th>a</th><td>1</td></tr></table>"
        '<p style="display: none">SECRET</p><img alt="A"></body></html>'
    )
    assert read(tmp_path, "a.html", page).lines == (
        "Plan",
        "Head",
        "One bold word",
        "next",
        "a | 1",
        "{~SECRET~}[picture: A]",
    )


def test_one_line_of_50_mb_is_too_big_and_a_long_one_is_cut(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as refused:
        read(tmp_path, "a.txt", b"x" * 50_000_000)
    assert refused.value.status == "too_big"
    found = read(tmp_path, "b.md", b"x" * 3_000_000)
    assert len(found.lines[0]) == text.MAX_LINE
    assert found.problem == "line 1 is cut after 1000000 letters"


@given(st.binary(max_size=300), st.sampled_from(["txt", "csv", "json", "html", "md", "jsonl"]))
def test_any_bytes_are_text_or_unreadable(data: bytes, suffix: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{suffix}"
        path.write_bytes(data)
        with suppress(Unreadable):
            assert text.read(path).format == suffix
