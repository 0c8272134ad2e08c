"""Where content is found, and what a task's hash covers."""

from pathlib import Path

import pytest

from bythebook.errors import UsageError
from bythebook.task import Content, folder_hash


def task(root: Path, name: str) -> Path:
    folder = root / "tasks" / "conduct" / name
    folder.mkdir(parents=True)
    (folder / "task.yaml").write_text(f"title: {name}\n")
    return folder


def test_a_hash_follows_names_and_bytes_but_not_what_the_proof_writes(tmp_path: Path) -> None:
    folder = task(tmp_path, "q90-x")
    before = folder_hash([folder])

    (folder / "kill-table.json").write_text("{}")
    (folder / ".swp").write_text("x")
    assert folder_hash([folder]) == before

    (folder / "task.yaml").write_text("title: other\n")
    assert folder_hash([folder]) != before


def test_a_task_is_named_by_a_prefix_that_fits_only_one(tmp_path: Path) -> None:
    task(tmp_path, "q90-kiln")
    task(tmp_path, "q91-loom")
    content = Content([tmp_path])

    assert content.task("conduct", "q90").name == "q90-kiln"
    with pytest.raises(UsageError, match="could be: q90-kiln, q91-loom"):
        content.task("conduct", "q9")
    with pytest.raises(UsageError, match="did you mean 'q90-kiln'"):
        content.task("conduct", "q90-kilm")


def test_a_task_that_is_named_twice_is_one_task(tmp_path: Path) -> None:
    task(tmp_path, "q90-kiln")
    task(tmp_path, "q91-loom")
    content = Content([tmp_path])

    twice = content.named("conduct", ["q91", "q90", "q91-loom", "q90"])
    assert list(twice) == ["q91-loom", "q90-kiln"]
    assert content.named("conduct", []) == content.tasks("conduct")


def test_who_names_a_task_that_does_not_ship_is_told_of_content() -> None:
    with pytest.raises(UsageError, match="--content"):
        Content().task("conduct", "q90-visitor")


def test_an_own_task_hides_the_shipped_one_of_its_name(tmp_path: Path) -> None:
    own = task(tmp_path, "q03-acacia-durian")

    assert Content([tmp_path]).task("conduct", "q03") == own
    assert Content().task("conduct", "q03") != own


def test_a_folder_with_a_company_yaml_is_a_company_of_its_own(tmp_path: Path) -> None:
    """Tasks of conduct are its own; of deliverables, which know no company, all are there."""
    adds, own, draft = (tmp_path / name for name in ("adds", "own", "draft"))
    for root in (adds, own, draft):
        task(root, f"q90-{root.name}")
    (own / "company").mkdir()
    (own / "company" / "company.yaml").write_text("name: Own\nabout: A firm.\n")

    content = Content([draft, own, adds])

    assert content.company_roots == (draft, own)
    assert list(content.tasks("conduct")) == ["q90-draft", "q90-own"]
    assert content.tasks("deliverables") == Content().tasks("deliverables")
    assert Content([adds]).company_roots == Content([adds]).roots


def test_a_content_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        Content([tmp_path / "nowhere"])
