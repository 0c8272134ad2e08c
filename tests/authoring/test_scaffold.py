"""The office files of the scaffold are what their recipe builds."""

from pathlib import Path

import pytest

from authoring import scaffold
from authoring.parts.caches import office
from authoring.parts.pack import differences
from bythebook.deliverables.expected import read_table

pytestmark = pytest.mark.skipif(office() is None, reason="LibreOffice is not installed")


def test_the_scaffolds_files_are_what_the_recipe_builds(tmp_path: Path) -> None:
    scaffold.build(tmp_path)
    odd = {name: differences(tmp_path / name, scaffold.PLACE / name) for name in scaffold.FILES}
    assert {name: found for name, found in odd.items() if found} == {}


def test_its_texts_tell_the_same_amounts() -> None:
    table = read_table(scaffold.PLACE / "expected/trips.csv")
    assert table.column("amount") == tuple(map(str, scaffold.amounts()))
    rubric = (scaffold.PLACE / "rubric.yaml").read_text("utf-8")
    assert rubric.count(str(scaffold.TOTAL)) == 4
