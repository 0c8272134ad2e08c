"""`inspect eval bythebook/deliverables`: scored as far as checks decide, and no further."""

from math import isnan
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

from bythebook.errors import UsageError
from bythebook.interop.inspect_ai_tasks import deliverables
from bythebook.run.folder import EvaluationFolder
from tests.deliverables.own_task import TASK
from tests.interop.inspect.test_conduct import log_of

pytestmark = pytest.mark.timeout(300)
"""The first test of a worker waits until Inspect has played."""


def test_what_nobody_judged_is_no_zero(scenes: Path) -> None:
    (sample,) = log_of(scenes / "workspace").samples or []
    assert sample.error is None, sample.error
    value = (sample.scores or {})["checks"].value
    assert isinstance(value, dict)
    low, high = value["low"], value["high"]
    assert isinstance(low, float)
    assert isinstance(high, float)
    assert 0 <= low < high < 0.9
    assert value["success"] == 0, "no judge can bring it over 0.90"
    assert 0 < float(value["decided"] or 0) < 1


def test_its_run_can_be_judged_afterwards(scenes: Path) -> None:
    place = EvaluationFolder(scenes / "workspace" / "runs").run(TASK, 1)
    assert (place.workspace / "results" / "note.txt").read_text("utf-8") == "300.75"
    assert place.verdict.exists()
    assert place.evidence.exists()


def test_success_that_hangs_on_a_judge_is_no_number() -> None:
    from bythebook.interop.inspect_ai_export.scores import known_of
    from bythebook.verdict import Delivered

    open_ = Delivered(low=0.5, high=1.0, all_core=None, checks=5, judges=0, void=5, total=10)
    known = known_of(open_, None)
    assert isnan(known.pop("success"))
    assert known == {"low": 0.5, "high": 1.0, "decided": 0.5}


def test_a_model_is_shown_as_many_pictures_as_were_allowed(scenes: Path) -> None:
    (sample,) = log_of(scenes / "pictures").samples or []
    assert sample.error is None, sample.error
    shown = [
        [part.type for part in said.content]
        for said in sample.messages
        if said.role == "tool" and not isinstance(said.content, str)
    ]
    assert shown == [["text", "image"]] * 2
    plan = EvaluationFolder(scenes / "pictures" / "runs").plan
    assert plan is not None
    assert plan.limits.pictures == 2


@pytest.mark.parametrize("pictures", [-1, "many", True, 1.5])
def test_what_is_no_number_of_pictures_is_refused_before_anything_is_played(pictures: Any) -> None:
    with pytest.raises(UsageError, match="not a number of pictures"):
        deliverables(pictures=pictures)
