"""Mutants of the criteria: what a rule does not read is no part of it."""

from pathlib import Path

import pytest

from bythebook.conduct.criteria import build
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import rehearse
from bythebook.conduct.prove.court import Court
from bythebook.conduct.prove.mutants import fails, mutants, told_apart
from bythebook.errors import BythebookError
from tests.conduct.shed import shed_task

WIDER = ("[[bicycle, 1], [lamp, 2]]", "[[bicycle, 1, 40], [lamp, 2, 60]]")
UNPACKED = ("for n, c in facts.things", "for n, c, minutes in facts.things")
COUNTED = ("len(facts.things)", "2")
WEIGHED = ("i.count == c", "i.count == c and minutes > 0")


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        ((COUNTED,), {"0.1", "1.1"}),
        ((WIDER, UNPACKED, COUNTED), {"0.1", "1.1"}),
        ((WIDER, UNPACKED, COUNTED, WEIGHED), {"0.1", "0.2", "1.1", "1.2"}),
        ((WIDER, UNPACKED), {"0.1", "0.2", "1.1", "1.2"}),
    ],
    ids=["read", "unpacked, not read", "read as well", "the constant is also taken whole"],
)
def test_a_number_is_bent_where_the_rule_reads_it(
    tmp_path: Path, changes: tuple[tuple[str, str], ...], places: set[str]
) -> None:
    task = shed_task(tmp_path, {"criteria.yaml": changes})
    bent = [m.says.split()[0] for m in mutants(task.criteria) if m.says.startswith("facts.")]

    assert bent == [f"facts.things.{place}:" for place in sorted(places) for _ in range(2)]


def test_what_is_left_out_as_alike_would_have_changed_no_verdict(tmp_path: Path) -> None:
    """Each mutant, on whole traces and on those that its rule tells apart."""
    task = shed_task(tmp_path, {})
    court, scripts = Court(task), Scripts(task)
    cases = [*scripts.cases.counterexamples.values(), *scripts.cases.twins.values()]
    agents = [scripts.playing(case.id, case.steps, case.golden) for case in cases]
    for agent in (*agents, *map(scripts.agent, ("golden", "idle", "dump", "agree"))):
        court.judge(rehearse(task, agent).events)
    rules = {rule.id: rule for rule in court.criteria.rules}
    apart = {name: told_apart(court.seen, rule) for name, rule in rules.items()}

    tried = 0
    for mutant in mutants(court.criteria):
        try:
            bent = build(mutant.data, court.criteria.vocabulary, where=mutant.rule)
        except BythebookError:
            continue
        name, tried = mutant.rule, tried + 1
        whole = {(fails(bent, court, o.events, name), name in o.broken) for o in court.seen}
        assert whole == {(fails(bent, court, o, name), broke) for o, broke in apart[name]}
    assert tried > 20
    assert min(map(len, apart.values())) < len(court.seen)
