"""How q46 was built lies beside it, and is about the very files that ship."""

import shutil
from pathlib import Path

from bythebook.build.conduct.gates import NEEDED_GATES, matter_of
from bythebook.build.conduct.place import opened
from bythebook.build.ledger import Ledger
from bythebook.task import DERIVED, Content

BUILDING = Path("authoring/q46_before_the_month_closes/building")
TASK = "q46-before-the-month-closes"


def test_the_ledger_is_about_the_shipped_files_and_its_gates_hold(tmp_path: Path) -> None:
    """Read on a copy: to open a place writes into it."""
    root = shutil.copytree(Path(__file__).parents[2] / BUILDING, tmp_path / "place")
    place = opened(root, TASK, (), "", ())

    standing = Ledger(root).standing(matter_of(place))

    assert all(standing[gate].holds for gate in NEEDED_GATES)
    shipped = Content().task("conduct", TASK)
    names = {path.name for path in shipped.iterdir()} - {*DERIVED}
    assert names == {path.name for path in place.draft.iterdir()}
    for name in names:
        same = (place.draft / name).read_bytes() == (shipped / name).read_bytes()
        assert same, f"{name} of the task was changed: have the gates of the place decided anew"
