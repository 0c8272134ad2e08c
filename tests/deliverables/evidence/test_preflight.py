"""What is found out about a folder before any parser sees a byte."""

import os
import zipfile
from pathlib import Path

import pytest

from bythebook.deliverables.evidence.preflight import Limits, kind_of, look, survey
from tests.deliverables.evidence.books import MAIN, payroll, raw, row
from tests.deliverables.evidence.documents import deck, memo, picture, report, zipped

SMALL = Limits(files=5, entries=9, depth=2, size=20_000, members=50, unpacked=5_000_000)


def told(path: Path, limits: Limits = SMALL) -> tuple[str, str]:
    seen = look(path, limits=limits)
    return seen.kind, seen.status


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.XLSX", "xlsx"),
        ("a.xlsm", "xlsx"),
        ("a.docx", "docx"),
        ("a.pptx", "pptx"),
        ("a.pdf", "pdf"),
        ("notes.md", "text"),
        ("a.tar.gz", "other"),
        ("a.JPG", "image"),
        ("old.xls", "other"),
        ("Makefile", "other"),
    ],
)
def test_a_suffix_promises_a_kind(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_honest_files_are_ok(tmp_path: Path) -> None:
    made = [payroll(tmp_path / "a.xlsx"), deck(tmp_path / "a.pptx"), memo(tmp_path / "a.docx")]
    made.append(report(tmp_path / "a.pdf"))
    (tmp_path / "a.png").write_bytes(picture())
    (tmp_path / "a.md").write_text("BMW and MZ and %PDF- are words", "utf-8")
    (tmp_path / "b.txt").write_bytes("Grüße".encode("utf-16"))
    (tmp_path / "c.txt").write_bytes("without a mark".encode("utf-16-le"))
    files, refused = survey(tmp_path)
    assert [(file.name, file.status) for file in files if file.status != "ok"] == []
    assert (len(files), refused) == (8, ())
    assert files[0].size == (tmp_path / "a.docx").stat().st_size


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("a.xlsx", b"", "empty"),
        ("a.xlsx", b"not a zip at all", "wrong_type"),
        ("a.xlsx", b"%PDF-1.7", "wrong_type"),
        ("a.pdf", b"PK\x03\x04rest", "wrong_type"),
        ("a.png", b"\xff\xd8\xff\xe0rest", "wrong_type"),
        ("a.txt", b"%PDF-1.7 rest", "wrong_type"),
        ("a.txt", b"some\0binary\0bytes", "wrong_type"),
        ("a.csv", b"PK\x03\x04rest", "wrong_type"),
        ("a.docx", b"PK\x03\x04 but no archive", "corrupt"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ok"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "wrong_type"),
        ("a.txt", b"x" * 20_001, "too_big"),
    ],
)
def test_the_first_bytes_must_be_what_the_suffix_says(
    name: str, data: bytes, status: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    seen = look(tmp_path / name, limits=SMALL)
    assert seen.status == status
    assert bool(seen.says) == (status != "ok" or seen.kind == "other")


def test_a_password_is_seen(tmp_path: Path) -> None:
    stream = "EncryptedPackage".encode("utf-16-le")
    (tmp_path / "a.xlsx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500 + stream)
    assert told(tmp_path / "a.xlsx") == ("xlsx", "encrypted")


def test_one_office_format_named_as_another_is_of_the_wrong_type(tmp_path: Path) -> None:
    memo(tmp_path / "a.xlsx")
    seen = look(tmp_path / "a.xlsx")
    assert (seen.status, "it is a Word document" in seen.says) == ("wrong_type", True)


def test_any_archive_is_not_a_workbook(tmp_path: Path) -> None:
    zipped(tmp_path / "a.xlsx", {"readme.txt": "x"})
    assert told(tmp_path / "a.xlsx") == ("xlsx", "wrong_type")
    binary = MAIN.replace("sheet.main", "sheet.binary.macroEnabled.main")
    zipped(
        tmp_path / "b.xlsx", {"[Content_Types].xml": f'<Types><x ContentType="{binary}"/></Types>'}
    )
    assert told(tmp_path / "b.xlsx") == ("xlsx", "wrong_type")


@pytest.mark.parametrize(
    "name", ["../../evil.xml", "/etc/passwd", "C:/x", "a\\..\\..\\b", "XL/Workbook.xml"]
)
def test_parts_outside_or_twice_make_it_corrupt(name: str, tmp_path: Path) -> None:
    raw(tmp_path / "a.xlsx", row(1, "A1|<v>1</v>"))
    with zipfile.ZipFile(tmp_path / "a.xlsx", "a") as archive:
        archive.writestr(zipfile.ZipInfo(name), "x")
    assert told(tmp_path / "a.xlsx") == ("xlsx", "corrupt")


def test_an_archive_of_too_many_parts_is_too_big(tmp_path: Path) -> None:
    raw(tmp_path / "a.xlsx", row(1, "A1|<v>1</v>"), **{f"part{n}": "" for n in range(60)})
    assert told(tmp_path / "a.xlsx") == ("xlsx", "too_big")


def test_an_archive_that_swells_is_too_big(tmp_path: Path) -> None:
    raw(tmp_path / "a.xlsx", row(1, "A1|<v>1</v>"), huge=b"A" * 15_000_000)
    assert told(tmp_path / "a.xlsx", Limits()) == ("xlsx", "too_big")
    assert told(tmp_path / "a.xlsx", Limits(harmless=20_000_000)) == ("xlsx", "ok")
    assert told(tmp_path / "a.xlsx", Limits(unpacked=9_000_000)) == ("xlsx", "too_big")


def test_links_and_pipes_are_refused_and_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    (folder / "deep" / "deeper" / "deepest").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "folder").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.txt")
    (folder / "real.txt").write_text("real")
    files, refused = survey(folder, SMALL)
    assert [file.name for file in files] == ["real.txt"]
    assert {(one.name, one.why) for one in refused} == {
        ("deep/deeper/deepest", "folders nested too deep"),
        ("folder", "a symbolic link"),
        ("link.txt", "a symbolic link"),
        ("pipe.txt", "neither a file nor a folder"),
    }


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"bad\xff.txt")).write_text("x")
    files, refused = survey(tmp_path)
    assert (files, [one.why for one in refused]) == ((), ["its name is not valid Unicode"])


def test_what_is_too_many_is_said_and_not_dropped_in_silence(tmp_path: Path) -> None:
    for n in range(12):
        (tmp_path / f"{n:02}.txt").write_text("x")
    files, refused = survey(tmp_path, SMALL)
    assert [file.name for file in files] == ["00.txt", "01.txt", "02.txt", "03.txt", "04.txt"]
    assert [one.name for one in refused] == ["05.txt", "06.txt", "07.txt", "08.txt", "..."]


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    files, refused = survey(tmp_path / "nowhere")
    assert (files, len(refused)) == ((), 1)
