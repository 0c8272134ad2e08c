"""docs/rl.md does what it says."""

import re
from pathlib import Path

import pytest

from bythebook.interop.rl import Way

pytest.importorskip("gymnasium", reason="pip install 'bythebook[rl]'")

PAGE = (Path(__file__).parents[3] / "docs" / "rl.md").read_text("utf-8")


def test_the_python_of_the_page_prints_what_stands_under_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", PAGE, re.S)
    assert found is not None
    exec(compile(found[1], "rl.md", "exec"), {})
    assert capsys.readouterr().out == found[2]


def test_every_option_stands_on_the_page() -> None:
    assert [name for name in Way.__struct_fields__ if f"`{name}`" not in PAGE] == []
