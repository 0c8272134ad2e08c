"""Who is marked best, and who is not."""

import pytest

from bythebook.report.statistics.ranks import marks, swapped, told_apart


def apart(*pairs: tuple[int, int]) -> dict[tuple[int, int], bool]:
    return dict.fromkeys(pairs, True)


def test_the_best_is_told_from_every_other_row() -> None:
    found = marks([50, 70, 60], apart((0, 1), (1, 2), (0, 2)))

    assert found == ["", "best", "second"]


def test_rows_that_cannot_be_told_from_the_highest_are_tied_with_it() -> None:
    found = marks([50, 70, 69], apart((0, 1), (0, 2)))

    assert found == ["", "tied", "tied"]


def test_nobody_is_second_to_a_tie() -> None:
    assert "second" not in marks([50, 70, 69, 60], apart((0, 1), (1, 3), (0, 3), (0, 2), (2, 3)))


def test_the_second_is_told_from_all_below_it() -> None:
    told = apart((0, 1), (0, 2), (0, 3), (1, 3), (2, 3))

    assert marks([90, 70, 69, 10], told) == ["best", "", "", ""]


def test_a_row_without_a_figure_has_no_mark() -> None:
    assert marks([None, 70, 60], apart((1, 2))) == ["", "best", ""]
    assert marks([None, 70], {}) == ["", ""]


def test_pairs_that_were_not_compared_cannot_be_told_apart() -> None:
    assert marks([90, 10], {}) == ["tied", "tied"]


@pytest.mark.parametrize(
    ("p", "tasks", "told"), [(0.04, 15, True), (0.04, 14, False), (0.05, 50, False)]
)
def test_nothing_is_ranked_on_fewer_than_fifteen_tasks(p: float, tasks: int, told: bool) -> None:
    assert told_apart(p, tasks) is told


def test_pairs_that_another_figure_turns_round_are_named() -> None:
    names = ["a", "b", "c"]

    assert swapped(names, [3, 2, 1], [2, 3, 1]) == [("a", "b")]
    assert swapped(names, [3, 2, 1], [3, 2, None]) == []
    assert swapped(names, [1, 2, 2], [2, 1, 1]) == [("b", "a"), ("c", "a")]
