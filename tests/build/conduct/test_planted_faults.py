"""A fault planted in any stage is stopped there, with what to do about it."""

from pathlib import Path
from tempfile import gettempdir

import msgspec
import pytest

from bythebook import yamlfile
from bythebook.build.conduct.work import Work
from tests.build.conduct.site import refused, taken, told


class Change(msgspec.Struct, frozen=True, rename={"becomes": "is"}):
    was: str
    becomes: str


class Fault(msgspec.Struct, frozen=True):
    stage: str
    edits: tuple[Change, ...]
    says: tuple[str, ...]

    @property
    def answer(self) -> str:
        return told(self.stage, *((edit.was, edit.becomes) for edit in self.edits))


FAULTS = yamlfile.load(Path(__file__).with_name("faults.yaml"), dict[str, Fault])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_stopped_at_its_stage_with_what_to_do(work: Work, fault: str) -> None:
    planted = FAULTS[fault]
    against = refused(work, planted.stage, planted.answer)
    for part in planted.says:
        assert part in against


@pytest.mark.parametrize("stage", sorted({one.stage for one in FAULTS.values()}))
def test_the_same_answer_without_its_fault_is_taken(work: Work, stage: str) -> None:
    assert taken(work, stage, told(stage))


def test_a_writers_comments_and_layout_are_kept(work: Work) -> None:
    text = told("7-golden")
    assert taken(work, "7-golden", f"```yaml\n{text}```\n") == {"golden.yaml": text}
    assert text.startswith("#")


def test_no_path_of_the_place_of_trial_is_told(work: Work) -> None:
    names = ("a golden that breaks a rule", "too few messages", "two rules at fault, both named")
    for planted in (FAULTS[name] for name in names):
        assert gettempdir() not in refused(work, planted.stage, planted.answer)
