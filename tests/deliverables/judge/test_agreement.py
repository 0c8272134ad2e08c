"""Agreement with people, against tables computed by hand."""

from pathlib import Path

import pytest

from bythebook.deliverables.judge.agreement import (
    Figure,
    Figures,
    RatedItem,
    RatedRun,
    Table,
    agreement,
)
from bythebook.deliverables.judge.labels import Label, Mark, read_labels
from bythebook.errors import ContentError


def rated(
    task: str, marks: str, success: bool | None = True, level: str = "core", run: int = 1
) -> RatedRun:
    """Marks as letters: p, f, or v for void."""
    words: dict[str, Mark | None] = {"p": "pass", "f": "fail", "v": None}
    items = tuple(
        RatedItem(f"R{n}", level, "domain", 1, words[mark]) for n, mark in enumerate(marks)
    )
    return RatedRun(task, run, success, items)


def said(task: str, marks: str, rater: str = "", run: int = 1) -> list[Label]:
    words: dict[str, Mark] = {"p": "pass", "f": "fail"}
    return [
        Label(task, run, f"R{n}", words[mark], rater)
        for n, mark in enumerate(marks)
        if mark in words
    ]


def items(pairs: dict[str, tuple[str, str]]) -> Figures:
    runs = [rated(task, ours) for task, (ours, _) in pairs.items()]
    labels = [label for task, (_, theirs) in pairs.items() for label in said(task, theirs)]
    return agreement(runs, labels, resamples=500).items


@pytest.mark.parametrize(
    ("table", "raw", "kappa", "ac1"),
    [
        # Each line worked out on paper: p_e of kappa is .5, .83 and .905; of AC1 .495, .17, .095.
        ((20, 5, 10, 15), 0.70, 0.40, 0.205 / 0.505),
        ((85, 5, 5, 5), 0.90, (0.90 - 0.82) / 0.18, (0.90 - 0.18) / 0.82),
        ((90, 10, 0, 0), 0.90, 0.0, (0.90 - 0.095) / 0.905),
        ((0, 0, 0, 7), 1.0, None, 1.0),
        ((5, 0, 0, 5), 1.0, 1.0, 1.0),
        ((0, 5, 5, 0), 0.0, -1.0, -1.0),
    ],
)
def test_raw_kappa_and_ac1_are_what_the_formulas_give_by_hand(
    table: tuple[int, int, int, int], raw: float, kappa: float | None, ac1: float
) -> None:
    a, b, c, d = table
    found = items({"t": ("p" * (a + b) + "f" * (c + d), "p" * a + "f" * b + "p" * c + "f" * d)})
    assert found.table == Table(*table)
    assert found.raw.value == pytest.approx(raw)
    assert found.kappa.value == (None if kappa is None else pytest.approx(kappa))
    assert found.ac1.value == pytest.approx(ac1)


def test_one_task_has_no_interval() -> None:
    found = items({"t": ("ppff", "pfff")})
    assert (found.tasks, found.n) == (1, 4)
    assert found.raw == Figure(0.75)


def test_an_interval_is_taken_over_tasks_not_over_items() -> None:
    """Four tasks that agree wholly or not at all: item by item 400 draws would look exact."""
    pairs = {f"t{n}": ("p" * 100, ("p" if n % 2 else "f") * 100) for n in range(4)}
    found = items(pairs)
    assert found.raw.value == 0.5
    assert (found.raw.low, found.raw.high) == (0.0, 1.0)


def test_the_same_seed_gives_the_same_intervals() -> None:
    pairs = {f"t{n}": ("ppffpf", "pfffpp"[n % 3 :] + "pff") for n in range(7)}
    assert items(pairs) == items(pairs)


def test_the_paper_s_size_takes_ten_thousand_resamples_in_seconds() -> None:
    runs = [rated(f"t{n}", "ppfp" * 6, level="core" if n % 2 else "auxiliary") for n in range(97)]
    labels = [one for n in range(97) for one in said(f"t{n}", "ppfpppff" * 3)]
    found = agreement(runs, labels)
    assert found.items.n == 97 * 24
    assert found.items.raw.low is not None
    assert set(found.by_level) == {"core", "auxiliary"}


def test_success_is_compared_run_by_run() -> None:
    runs = [
        rated("a", "p" * 10, success=True),
        rated("b", "p" * 10, success=True),
        rated("c", "pppppppppv", success=None),
        rated("d", "p" * 9 + "f", success=True),
    ]
    labels = [*said("a", "p" * 9 + "f"), *said("b", "p" * 8 + "ff"), *said("c", "p" * 10)]
    labels += said("d", "p" * 9)
    found = agreement(runs, labels, resamples=10)
    assert found.success.table == Table(both_pass=1, false_pass=1)
    assert found.runs_left_out == 2
    assert (found.without_verdict, found.without_label) == (1, 1)


def test_of_several_raters_the_majority_stands_and_a_tie_is_left_out() -> None:
    labels = [*said("a", "pp", "ann"), *said("a", "pf", "bob"), *said("a", "pp", "cy")]
    labels += [*said("b", "p", "ann"), *said("b", "f", "bob")]
    found = agreement([rated("a", "pp"), rated("b", "p")], labels, resamples=10)
    assert found.items.table == Table(both_pass=2)
    assert found.tied == 1
    assert found.raters == Table(both_pass=4, false_pass=2, false_fail=1)


def test_labels_on_what_no_run_holds_are_counted() -> None:
    found = agreement([rated("a", "p")], said("b", "ppp"), resamples=10)
    assert (found.unknown, found.items.n, found.items.raw) == (3, 0, Figure(None))


def test_labels_are_read_from_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("\ufefftask,run,item,label,rater,note\na,1,R1,Pass,ann,x\na,1,R2,0,ann,\n")
    assert read_labels(path) == (
        Label("a", 1, "R1", "pass", "ann"),
        Label("a", 1, "R2", "fail", "ann"),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("task,run,item\n", "no column 'label'"),
        ("task,run,item,label\na,1,R1,maybe\n", "labels.csv:2: 'maybe' is no label"),
        ("task,run,item,label\na,one,R1,pass\n", "'one' is no number"),
        ("task,run,item,label\na,1,R1,pass\na,1,R1,fail\n", "labels.csv:3: R1 is marked a second"),
        ("task,run,item,label\na,1\n", "labels.csv:2: '' is no label"),
    ],
)
def test_a_csv_that_does_not_read_names_its_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text)
    with pytest.raises(ContentError, match=says):
        read_labels(path)
