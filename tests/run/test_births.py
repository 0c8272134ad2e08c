"""When workers that die before they are ready are hired again, and when they are given up."""

from bythebook.run.scaleout.births import LONGEST, LOST, STILLBORN, Births


def waves(births: Births, number: int, each: int = 1) -> list[float]:
    """So many waves die whole; the pause after each, in seconds."""
    found = []
    for _ in range(number):
        wave = births.wave
        for _ in range(each):
            births.died(wave)
        found.append(births.pause)
    return found


def test_however_many_die_with_one_node_it_is_one_sign() -> None:
    births = Births()
    waves(births, 1, each=64)
    assert (births.pause, births.hopeless) == (1.0, False)


def test_each_further_wave_waits_twice_as_long() -> None:
    assert waves(Births(), 7) == [1.0, 2.0, 4.0, 8.0, 16.0, LONGEST, LONGEST]


def test_nodes_that_never_had_a_worker_are_given_up_soon() -> None:
    births = Births()
    waves(births, STILLBORN - 1)
    assert not births.hopeless
    waves(births, 1)
    assert births.hopeless


def test_a_cluster_that_had_workers_outlives_the_time_in_which_a_lost_node_is_missed() -> None:
    births = Births()
    births.ready()
    waited = sum(waves(births, LOST - 1))
    assert not births.hopeless
    assert waited > 2 * 30
    waves(births, 1)
    assert births.hopeless


def test_a_worker_that_begins_makes_up_for_all() -> None:
    births = Births()
    waves(births, STILLBORN)
    births.ready()
    assert (births.pause, births.hopeless) == (0.0, False)


def test_who_was_hired_before_the_last_wave_is_no_new_sign() -> None:
    births = Births()
    old = births.wave
    waves(births, 1)
    births.died(old)
    assert births.pause == 1.0
