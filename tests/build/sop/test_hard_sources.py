"""Files nobody expects among documents: each is named with what to do, and holds up nothing."""

import json
import os
import re
import time
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from bythebook.build.sop.blocks import markdown
from bythebook.build.sop.front import parted
from bythebook.build.sop.patience import TooLong, within
from bythebook.build.sop.sources import Reader, files_of
from bythebook.cli import answer

GOOD = "# Returns\n\n1.1 Open a case before anything else.\n"
LOCKED = bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le")
SECONDS = 2.0
"""Of the processor; what is read in squared time takes minutes."""


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def locked_pages(path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    page = Canvas(str(path), encrypt=StandardEncryption("secret", "owner"))
    page.drawString(72, 700, "Open a case.")
    page.save()


def unpacking_to_too_much(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"a" * (30 * 2**20))


HARD: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "an empty Word document": ("a.docx", nothing, "holds no byte"),
    "a locked Word document": ("a.docx", lambda p: p.write_bytes(LOCKED), "by a password"),
    "a locked PDF": ("a.pdf", locked_pages, "is protected by a password"),
    "an archive of nearly nothing": ("a.docx", unpacking_to_too_much, "times its size"),
    "bytes called text": ("a.md", lambda p: p.write_bytes(b"\0\1\2" * 99), "no file of that kind"),
    "bytes called a page": ("a.html", lambda p: p.write_bytes(b"\0" * 99), "no file of that kind"),
    "NUL characters after a while": (
        "a.txt", lambda p: p.write_bytes(b"words " * 20_000 + b"\0"), "holds NUL characters",
    ),
    "Latin-1": ("a.md", lambda p: p.write_bytes(b"R\xfcckgabe"), "is no UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HARD)
def test_what_cannot_be_a_document_is_named_and_the_others_are_read(
    tmp_path: Path, kind: str
) -> None:
    name, write, says = HARD[kind]
    write(tmp_path / name)
    (tmp_path / "good.md").write_text(GOOD)
    reader = Reader(tmp_path, files_of(tmp_path))

    assert [source.id for source in reader.read(reader.jobs())] == ["good"]
    assert says in reader.unread[name]
    assert "--without" in reader.unread[name]


def test_a_name_that_is_no_utf_8_is_told_and_closes_the_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "papers").mkdir()
    try:
        Path(os.fsdecode(os.fsencode(tmp_path / "papers") + b"/bad\xff.md")).write_text(GOOD)
    except OSError:
        pytest.skip("this disk takes no such names")
    words = ("build", "sop", tmp_path / "papers", "--to", tmp_path / "place", "--until", "sources")

    assert answer([str(word) for word in words]) == 1
    assert "its name is no UTF-8: rename it" in " ".join(capsys.readouterr().err.split())


def test_a_folder_or_a_pipe_called_like_a_document_is_none(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "good.md").write_text(GOOD)
    reader = Reader(tmp_path, files_of(tmp_path))

    assert [source.id for source in reader.read(reader.jobs())] == ["good"]


UNFOLDING = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    for before, name in pairwise("abcdefghi")
)
DEEP = f"a: {'[' * 1000}{']' * 1000}\n"


@pytest.mark.parametrize(
    "head",
    [
        f"---\n{UNFOLDING}---\n",
        "---\na: &a [*a]\n---\n",
        f"---\n{DEEP}---\n",
        f"+++\n{DEEP.replace(':', ' =')}+++\n",
        f"{{{json.dumps('a')}: {'[' * 100_000}{']' * 100_000}}}\n",
    ],
    ids=["unfolding", "holding itself", "deep YAML", "deep TOML", "deep JSON"],
)
def test_a_head_that_no_machine_holds_is_noted_and_the_words_are_kept(head: str) -> None:
    about, body = parted(head + GOOD)

    assert "does not read" in str(about["notes"])
    assert "Open a case before anything else." in body


@pytest.mark.parametrize("line", ["-" * 60_000 + "x", "# " + "#" * 60_000 + "x", "<!--" * 60_000])
def test_a_long_line_takes_no_longer_than_it_is_long(line: str) -> None:
    begun = time.process_time()
    found = [block.text for block in markdown(f"{line}\n\n{GOOD}")]

    assert time.process_time() - begun < SECONDS
    assert found[-1] == "1.1 Open a case before anything else."


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("# A ##", "A"),
        ("# A#", "A"),
        ("# A # #", "A #"),
        ("#  ", ""),
        ("## A <!-- b --> c", "A  c"),
    ],
)
def test_a_heading_ends_before_its_closing_marks(line: str, shown: str) -> None:
    assert [block.text for block in markdown(line) if block.kind == "heading"] == [shown]


def test_what_takes_too_long_is_ended() -> None:
    with pytest.raises(TooLong), within(0.05):
        re.match(r"(a+)+$", "a" * 40 + "b")


def test_a_document_that_takes_too_long_holds_up_no_other(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "ticks.md").write_text("`" * 200_000 + "x\n")
    reader = Reader(tmp_path, files_of(tmp_path), patience=0.3)

    assert [source.id for source in reader.read(reader.jobs())] == ["good"]
    assert "takes more than 0.3 s" in reader.unread["ticks.md"]
