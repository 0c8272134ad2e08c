"""The documentation is true: its commands run, its written pages are current."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bythebook.deliverables.evidence.office import find_engine
from docs.__main__ import pages

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(
    r"^```console run(?: exits (?P<code>\d+))?(?P<office> with LibreOffice)?\n(?P<body>.*?)^```$",
    re.M | re.S,
)
PAGES = [
    path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if BLOCK.search(path.read_text("utf-8"))
]  # fmt: skip


@dataclass(frozen=True)
class Command:
    line: str
    says: tuple[str, ...]
    """Fragments that must appear in this order; `...` stands for anything."""
    code: int
    office: bool
    """Left out where LibreOffice is not installed."""


def commands(page: str) -> Iterator[Command]:
    """The commands of a page's runnable blocks. The last of a block has the block's code."""
    for block in BLOCK.finditer(page):
        parts = re.split(r"^\$ ", block["body"], flags=re.M)[1:]
        for number, part in enumerate(parts, start=1):
            line, *says = part.splitlines()
            code = int(block["code"] or 0) if number == len(parts) else 0
            told = tuple(filter(None, map(str.strip, says)))
            yield Command(line, told, code, bool(block["office"]))


def pattern(says: tuple[str, ...]) -> re.Pattern[str]:
    words = [re.escape(" ".join(line.split())) for line in says]
    return re.compile(".*".join(words).replace(r"\.\.\.", ".*"))


@pytest.mark.timeout(400)
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_commands_of_a_page_do_what_it_says(path: Path, tmp_path: Path) -> None:
    programs = Path(sys.executable).parent
    env = {"PATH": f"{programs}{os.pathsep}{os.defpath}"}
    told = list(commands(path.read_text("utf-8")))
    asked = told if find_engine() is not None else [one for one in told if not one.office]
    for command in asked:
        done = subprocess.run(
            command.line, shell=True, cwd=tmp_path, env=env, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        said = " ".join((done.stdout + done.stderr).split())
        assert done.returncode == command.code, f"{command.line}\n{done.stderr}"
        assert pattern(command.says).search(said), f"{command.line}\n{said}"
    if len(asked) < len(told):
        pytest.skip(f"{len(told) - len(asked)} commands need LibreOffice; the others were run")


def test_the_written_pages_are_current() -> None:
    stale = [
        path.name for path, text in pages().items()
        if not path.exists() or path.read_text("utf-8") != text
    ]  # fmt: skip
    assert stale == [], "run `make docs`"


def test_the_readme_can_be_scanned() -> None:
    """Prose in lines of an editor's width, and paragraphs of a few lines: no table, block, list."""
    prose = re.sub(r"^```.*?^```$", "", (ROOT / "README.md").read_text("utf-8"), flags=re.M | re.S)
    paragraphs = [
        part.splitlines() for part in re.split(r"\n\s*\n", prose.strip())
        if not part.startswith(("|", "#", "<!--"))
    ]  # fmt: skip
    assert len(paragraphs) > 15
    assert [line for lines in paragraphs for line in lines if len(line) > 120] == []
    assert [lines[0] for lines in paragraphs if len(lines) > 5] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    linked = set(re.findall(r"\]\(docs/([\w-]+\.md)\)", (ROOT / "README.md").read_text("utf-8")))
    there = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert there <= linked


def test_every_test_that_a_page_names_exists() -> None:
    named = {
        (page.name, name)
        for page in sorted((ROOT / "docs").glob("*.md"))
        for name in re.findall(r"`(test_\w+)`", page.read_text())
    }
    written = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    }

    assert len(named) >= 34
    assert sorted(one for one in named if one[1] not in written) == []
