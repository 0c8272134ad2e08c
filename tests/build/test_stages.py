"""Files of a stage: what a person did to them is kept, or the command says what would be lost."""

from pathlib import Path

import pytest

from bythebook.build.stages import Building, Stage, WouldLose
from bythebook.errors import ContentError, UsageError


def stage(root: Path, *, remake: str = "", keep: str = "") -> Stage:
    return Building(root, frozenset({remake}), frozenset({keep})).stage("draft")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """`a.yaml` and `b.yaml`, each made by a job from one input."""
    work = stage(tmp_path)
    assert work.due({"a": {"x": "1"}, "b": {"x": "1"}}) == ("a", "b")
    for job in ("a", "b"):
        work.put(job, {f"{job}.yaml": f"{job} 1\n"}, {"x": "1"})
    return tmp_path


SAME, OTHER = {"a": {"x": "1"}, "b": {"x": "1"}}, {"a": {"x": "2"}, "b": {"x": "1"}}


def test_what_is_made_from_the_same_is_not_made_again(made: Path) -> None:
    assert stage(made).due(SAME) == ()


def test_what_is_made_from_something_else_is_made_again(made: Path) -> None:
    assert stage(made).due(OTHER) == ("a",)


def test_an_edit_is_kept_and_counts_as_input_of_what_comes_later(made: Path) -> None:
    before = stage(made).hashes()
    (made / "draft/a.yaml").write_text("mine\n")

    work = stage(made)

    assert work.due(SAME) == ()
    assert work.states() == {"a.yaml": "edited", "b.yaml": "as written"}
    assert work.hashes()["draft/a.yaml"] != before["draft/a.yaml"]


def test_an_edit_that_would_be_lost_stops_the_command_and_is_named(made: Path) -> None:
    (made / "draft/a.yaml").write_text("mine\n")

    with pytest.raises(WouldLose) as error:
        stage(made).due(OTHER)

    assert error.value.files == (str(made / "draft/a.yaml"),)
    assert "--keep draft" in error.value.hint
    assert "--remake draft" in error.value.hint
    assert (made / "draft/a.yaml").read_text() == "mine\n"


def test_with_keep_the_edit_stands_and_is_up_to_date(made: Path) -> None:
    (made / "draft/a.yaml").write_text("mine\n")

    assert stage(made, keep="draft").due(OTHER) == ()
    assert stage(made).due(OTHER) == ()
    assert stage(made).states()["a.yaml"] == "edited"


def test_with_remake_the_edit_is_put_aside(made: Path) -> None:
    (made / "draft/a.yaml").write_text("mine\n")
    work = stage(made, remake="draft")

    assert work.due(OTHER) == ("a", "b")
    work.put("a", {"a.yaml": "a 2\n"}, OTHER["a"])

    assert (made / "draft/a.yaml.old-1").read_text() == "mine\n"
    assert work.files() == (made / "draft/a.yaml", made / "draft/b.yaml")


def test_what_a_person_took_out_stays_out(made: Path) -> None:
    (made / "draft/a.yaml").unlink()

    assert stage(made).due(SAME) == ()
    assert stage(made).states()["a.yaml"] == "taken out"


def test_a_file_of_ones_own_is_never_written_over(made: Path) -> None:
    (made / "draft/c.yaml").write_text("mine\n")
    work = stage(made)
    assert work.states()["c.yaml"] == "own"

    with pytest.raises(WouldLose, match=r"c\.yaml"):
        work.put("c", {"c.yaml": "c 1\n"}, {})


def test_a_job_that_is_no_more_leaves_its_files_aside(made: Path) -> None:
    work = stage(made)

    assert work.due({"b": {"x": "1"}}) == ()
    assert work.files() == (made / "draft/b.yaml",)
    assert (made / "draft/a.yaml.old-1").read_text() == "a 1\n"


def test_a_job_that_is_no_more_does_not_take_an_edit_with_it(made: Path) -> None:
    (made / "draft/a.yaml").write_text("mine\n")
    with pytest.raises(WouldLose):
        stage(made).due({"b": {"x": "1"}})

    work = stage(made, keep="draft")
    work.due({"b": {"x": "1"}})

    assert work.states() == {"a.yaml": "own", "b.yaml": "as written"}


def test_what_a_command_wrote_before_it_died_is_no_edit_of_a_person(tmp_path: Path) -> None:
    before, after = {"a.yaml": "a 1\n", "b.yaml": "b 1\n"}, {"a.yaml": "a 2\n", "z/z.yaml": "z\n"}
    stage(tmp_path).put("a", before, {"x": "1"})
    (tmp_path / "draft/z").write_text("in the way\n")

    work = stage(tmp_path)
    assert work.due({"a": {"x": "2"}}) == ("a",)
    with pytest.raises(UsageError, match="a file is in the way of a folder"):
        work.put("a", after, {"x": "2"})
    assert (tmp_path / "draft/a.yaml").read_text() == "a 2\n"

    (tmp_path / "draft/z").unlink()
    again = stage(tmp_path)
    assert again.due({"a": {"x": "2"}}) == ("a",)
    again.put("a", after, {"x": "2"})
    assert set(stage(tmp_path).states().values()) == {"as written"}
    assert not (tmp_path / "draft/a.yaml.old-1").exists()


def test_an_edit_after_a_command_died_is_a_persons(tmp_path: Path) -> None:
    stage(tmp_path).put("a", {"a.yaml": "a 1\n"}, {"x": "1"})
    (tmp_path / "draft/z").write_text("in the way\n")
    with pytest.raises(UsageError):
        stage(tmp_path).put("a", {"a.yaml": "a 2\n", "z/z.yaml": "z\n"}, {"x": "2"})

    (tmp_path / "draft/a.yaml").write_text("mine\n")

    with pytest.raises(WouldLose):
        stage(tmp_path).due({"a": {"x": "2"}})


def test_a_record_that_does_not_read_is_named(made: Path) -> None:
    (made / "stages.json").write_text("{")

    with pytest.raises(ContentError, match=r"stages\.json"):
        stage(made)
