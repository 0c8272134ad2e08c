"""What is handed over may hold any number: a check answers, it does not break and become void."""

import random
import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from bythebook.deliverables.checks import run_check
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.scenefile import SceneFile
from bythebook.deliverables.task import load_task
from bythebook.task import Content
from tests.deliverables.evidence.documents import parts_of, zipped

FOLDERS = Content().tasks("deliverables")
NUMBERS = (
    "", "-1", "9" * 400, "1E+400", "NaN", "INF", "-1E+308", "1e-320", "2958466", "x", "\u0663",
    "99999999999999999999", "-0", "0.1", "#REF!",
)  # fmt: skip
PLACES = {
    "values": (re.compile(r"(<v>)[^<]*(</v>)"), 0.2),
    "attributes": (re.compile(r'( (?!xmlns|r=|s=|t=)[\w:]+=")[^"]*(")'), 0.05),
    "texts": (re.compile(r"(>)[^<>]+(<)"), 0.05),
}
"""Where a number is put in the place of what stands there, and how often. What names and shapes a
cell is left alone: without it there would be nothing to check."""


@cache
def scene(task: str) -> SceneFile:
    return SceneFile.build(load_task(Content(), task))


def odd(path: Path, place: str, dice: random.Random) -> None:
    """The same office file with odd numbers in every part."""
    found, share = PLACES[place]

    def put(match: re.Match[str]) -> str:
        return match[1] + dice.choice(NUMBERS) + match[2] if dice.random() < share else match[0]

    parts = parts_of(path)
    for name, data in parts.items():
        if name.startswith(("xl/", "word/", "ppt/")) and name.endswith(".xml"):
            assert isinstance(data, bytes)
            parts[name] = found.sub(put, data.decode("utf-8"))
    zipped(path, parts)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("task", FOLDERS)
def test_no_number_that_is_handed_over_breaks_a_check(
    task: str, place: str, tmp_path: Path
) -> None:
    dice = random.Random(f"{task} {place}")
    folder = shutil.copytree(FOLDERS[task] / "reference", tmp_path / "results")
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".xlsx", ".docx", ".pptx"):
            odd(path, place, dice)

    case = scene(task).case(View.of_folder(folder, keep=tmp_path / "evidence"))
    said = [
        run_check(item, case) for item in scene(task).rubric.items if item.decided_by != "judge"
    ]

    assert [answer.why for answer in said if answer.why.startswith("the check broke")] == []
