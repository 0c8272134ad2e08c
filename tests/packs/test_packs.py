"""Each rule of each pack: kept by talks that keep the policy, broken by one that breaks it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bythebook.interop.rulebook import Rulebook
from bythebook.task import Content
from tests.packs import airline, shop
from tests.packs.dialogue import Step, Talk, broken, judge, pack, undecided

Bad = Mapping[str, tuple[Talk, set[str]]]
PACKS: dict[str, tuple[Mapping[str, Talk], Bad]] = {
    "tau2-retail": (shop.GOOD_NOW, shop.BAD_NOW),
    "tau1-retail": (shop.GOOD, shop.BAD),
    "tau2-airline": (airline.GOOD_NOW, airline.BAD_NOW),
    "tau1-airline": (airline.GOOD_FIRST, airline.BAD_FIRST),
}


@pytest.fixture(scope="module", params=PACKS)
def book(request: pytest.FixtureRequest) -> tuple[str, Rulebook]:
    return request.param, pack(request.param)


def test_all_shipped_packs_are_tested() -> None:
    assert set(Content([]).packs()) == set(PACKS)


def test_a_conversation_that_keeps_the_policy_breaks_no_rule(
    book: tuple[str, Rulebook], tmp_path: Path
) -> None:
    name, rules = book
    good = PACKS[name][0]
    found = judge(rules, list(good.values()), tmp_path, modern=name.startswith("tau2"))
    for title, one in zip(good, found, strict=True):
        assert not broken(one), title
        assert not undecided(one), title
        assert not one.unread, title


def test_every_rule_speaks_of_something_in_them(book: tuple[str, Rulebook], tmp_path: Path) -> None:
    name, rules = book
    found = judge(rules, list(PACKS[name][0].values()), tmp_path, modern=name.startswith("tau2"))
    spoke = {one.id for trace in found for one in trace.criteria if not one.vacuous}
    assert spoke == {rule.id for rule in rules.criteria.rules}


def test_a_conversation_breaks_the_rules_that_it_breaks_and_no_others(
    book: tuple[str, Rulebook], tmp_path: Path
) -> None:
    name, rules = book
    bad = PACKS[name][1]
    talks = [one for one, _ in bad.values()]
    found = judge(rules, talks, tmp_path, modern=name.startswith("tau2"))
    for (title, (_, expected)), one in zip(bad.items(), found, strict=True):
        assert broken(one) == expected, title


def test_every_rule_is_broken_by_one_of_them(book: tuple[str, Rulebook]) -> None:
    name, rules = book
    seen = {rule for _, expected in PACKS[name][1].values() for rule in expected}
    assert seen == {rule.id for rule in rules.criteria.rules}


def test_rules_about_turns_are_a_group_of_their_own(book: tuple[str, Rulebook]) -> None:
    groups = {rule.group for rule in book[1].criteria.rules}
    assert groups == {"", "turn-format"}


OWN_WORDS = {
    "ground-for-cancellation",
    "insured-reason-for-cancellation",
    "nothing-flown-when-cancelled",
    "certificate-for-delay-after-change",
}
"""Rules on the status of flights, which no tool of the first version tells."""
PARTS = ("whenever", "require", "before", "needs", "after", "then", "heuristic", "group")


@pytest.mark.parametrize("kind", ["retail", "airline"])
def test_both_versions_of_a_policy_share_their_rules(kind: str) -> None:
    now, first = (
        {rule["id"]: rule for rule in pack(f"tau{version}-{kind}").criteria.data["criteria"]}
        for version in (2, 1)
    )
    shared = set(now) & set(first) - OWN_WORDS
    assert len(shared) > 20
    for name in shared:
        for part in PARTS:
            assert first[name].get(part) == now[name].get(part), name


# --- traces of which not all is shown -------------------------------------------------------------


def stripped(one: Talk, number: int, result: object) -> Talk:
    """The conversation with other results in one step."""
    step = one.steps[number]
    calls = tuple((name, args, result) for name, args, _ in step.calls)
    return Talk((*one.steps[:number], Step(step.by, step.text, calls), *one.steps[number + 1 :]))


def without_field(result: object) -> list[object]:
    """A result without one of its fields, for each of them."""
    if not isinstance(result, dict):
        return []
    return [{k: v for k, v in result.items() if k != name} for name in result]


def less_shown(one: Talk) -> Iterator[Talk]:
    """The conversation as other programs may have stored it: results cut, fields left out."""
    for number, step in enumerate(one.steps):
        cut: list[object] = ["", "[trimmed]", [], {"note": "trimmed"}]
        less = [part for _, _, result in step.calls for part in without_field(result)]
        for result in cut + less if step.calls else []:
            yield stripped(one, number, result)
    yield Talk(tuple(step for step in one.steps if step.by != "user"))


def test_what_is_not_shown_breaks_no_rule(book: tuple[str, Rulebook], tmp_path: Path) -> None:
    name, rules = book
    talks = [less for one in PACKS[name][0].values() for less in less_shown(one)]
    found = judge(rules, talks, tmp_path, modern=name.startswith("tau2"))
    for one, less in zip(found, talks, strict=True):
        assert not broken(one), less
