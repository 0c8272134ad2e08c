"""Published results of tau2 are read whole. They are no part of this project: BYTHEBOOK_TAU_DATA
names a folder that holds them."""

import os
from pathlib import Path

import pytest

from bythebook.interop.records import Odd, Weaver
from bythebook.interop.sources import ForeignTrace, recognised, traces_of

FOLDER = os.environ.get("BYTHEBOOK_TAU_DATA", "")
FILES = {"toolorchestra_airline.json": 50, "toolorchestra_retail.json": 114}


@pytest.mark.skipif(not FOLDER, reason="BYTHEBOOK_TAU_DATA names no folder with published results")
@pytest.mark.parametrize(("name", "runs"), FILES.items())
def test_every_published_run_is_read_to_its_end(name: str, runs: int) -> None:
    path = Path(FOLDER) / name
    assert recognised(path)[0] == "tau2"
    found = 0
    for trace in traces_of(path):
        assert isinstance(trace, ForeignTrace)
        assert trace.about.reward in (0.0, 1.0)
        events = list(Weaver().weave(trace.records))
        assert not [one for one in events if isinstance(one, Odd)]
        assert all(one.answered for one in events if not isinstance(one, Odd))
        assert len(events) > 3
        found += 1
    assert found == runs
