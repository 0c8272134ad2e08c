"""docs/check.md holds a whole example; it does what the page says."""

import re
from pathlib import Path

import pytest

from bythebook.cli import answer

PAGE = (Path(__file__).parents[2] / "docs" / "check.md").read_text("utf-8")


def block(kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.M | re.S)
    assert found is not None
    return found[1]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the two files of the page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.yaml").write_text(block("yaml"), "utf-8")
    (tmp_path / "run.json").write_text(block("json"), "utf-8")
    return tmp_path


def test_the_example_says_what_the_page_says(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *says = block("console").splitlines()
    assert answer(command.removeprefix("$ bythebook ").split()) == 1
    told = " ".join(capsys.readouterr().err.split())
    for line in says:
        assert " ".join(line.split()) in told


def test_the_python_of_the_page_runs(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block("python"), "check.md", "exec"), {})
    assert "('asked-first', 'fail')" in capsys.readouterr().out


def test_every_field_of_the_json_stands_on_the_page(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(["check", "rules.yaml", "run.json", "--json"])
    names = set(re.findall(r'"(\w+)":', capsys.readouterr().out.split('"values"')[0]))
    names -= {"i", "actor", "name", "args", "text", "order", "amount", "place", "result", "pass"}
    assert [name for name in sorted(names - {"fail"}) if f'"{name}"' not in PAGE] == []


def test_every_function_over_texts_stands_on_the_page() -> None:
    from bythebook.interop.texts import FUNCTIONS

    assert [name for name in FUNCTIONS if f"`{name}(" not in PAGE] == []
