"""Rows of a task beside the company's, and in their place where the task says so."""

from pathlib import Path
from typing import Any

import pytest

from bythebook.errors import ContentError
from tests.own import TASK, own_content, own_task

ROW = "{id: VP-1, visitor: Ida Moos, host: PTY-9002, day: 2025-10-14, hours: 1, status: issued}"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return own_content(tmp_path / "own")


def with_rows(own: Path, *lines: str) -> Any:
    """VP-1 as the opening state has it."""
    path = own / "tasks" / "conduct" / TASK / "task.yaml"
    kept = [line for line in path.read_text().splitlines() if not line.startswith("overlay")]
    path.write_text("\n".join([*kept, *lines]) + "\n")
    return own_task(own).opening.tables["visitor_passes"]["VP-1"]


def test_a_row_takes_a_company_rows_place_where_that_is_said(own: Path) -> None:
    rows = "overlay:", "  visitor_passes:", f"  - {ROW}"
    assert with_rows(own, "replaces: [VP-1]", *rows).visitor == "Ida Moos"


def test_a_row_that_takes_a_company_rows_place_by_chance_is_refused(own: Path) -> None:
    with pytest.raises(ContentError) as refused:
        with_rows(own, "overlay:", "  visitor_passes:", f"  - {ROW}")
    assert "task.yaml, overlay visitor_passes" in refused.value.where
    assert "have VP-1 already" in refused.value.what
    assert "replaces: [VP-1]" in refused.value.hint


def test_what_is_said_to_replace_and_does_not_is_refused(own: Path) -> None:
    with pytest.raises(ContentError, match="no row of the overlay replaces a row 'VP-2'"):
        with_rows(own, "replaces: [VP-2]")
