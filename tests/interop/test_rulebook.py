"""A criteria file says all that it needs, and what is wrong with it is said when it loads."""

import pytest

from bythebook.errors import ContentError
from bythebook.interop.rulebook import read_rulebook
from tests.interop.told import HEAD, book, booking, does, judged, rule, says, story

NEVER = rule(never="call('cancel')")


def refused(rules: str, head: str = HEAD) -> str:
    with pytest.raises(ContentError) as error:
        book(rules, head)
    assert str(error.value).startswith("rules.yaml")
    return str(error.value)


WRONG = {
    "call('cancell')": "no tool 'cancell'",
    "call('cancel') as c where c.args.idd == 'x'": "did you mean 'id'?",
    "call('get') as c where c.result.cabins == 'x'": "did you mean 'cabin'?",
    "call('get') as c where row('bookings', c.args.id).cabin == 'basik'": "did you mean 'basic'?",
    "call('get') as c where row('booking', c.args.id).paid": "did you mean 'bookings'?",
    "call('get') as c where c.result.price == 12.5": "12.5 is a float",
    "call('get') as c where c.result.price == '12'": "a number is compared with '12'",
    "call('get') as c where c.result.owner + 'x' == 'yx'": "it may be None",
    "event('agent_turn') as u where u.args.text.upper() == 'X'": "only named functions",
    "event('agent_turns')": "did you mean 'agent_turn'?",
    "customer('cancel')": "no customer tool",
    "call('get') as c where contains(c.args.id)": "missing a required argument",
    "call('get') as c where contains(c.args.id, 3)": "compared with a number",
    "call('get') as c where day == 'Monday'": "is not a day",
}


@pytest.mark.parametrize(("selector", "says"), WRONG.items())
def test_a_selector_that_can_mean_nothing_is_refused(selector: str, says: str) -> None:
    assert says in refused(rule(never=selector))


TRACKS = {
    "{on: call('gett') as c, table: bookings, key: c.args.id, set: c.result}": "no tool 'gett'",
    "{on: call('get') as c, table: booking, key: c.args.id, set: c.result}": "no table 'booking'",
    "{on: call('get') as c, table: bookings, key: c.args.idd, set: c.result}": "'idd'",
    "{on: call('get') as c, table: bookings, key: c.result.owner, set: c.result}": "a key is",
    "{on: call('get') as c, table: bookings, key: c.args.id}": "either set or forgotten",
    "{on: call('get') as c, table: bookings, key: c.args.id, set: c.args.id}": "takes a record",
    "{on: call('get') as c, table: bookings, key: c.args.id, set: {cabins: c.args.id}}": "'cabins'",
    "{on: call('get') as c, table: bookings, key: c.i, set: {paid: c.args.id}}": "column paid",
    "{on: call('get') as c, table: bookings, key: c.args.id, set: {cabin: \"'first'\"}}": "'first'",
    "{on: write('bookings') as c, table: bookings, key: c.key, set: c.new}": "not by other rows",
    "{on: call('list') as c, each: c.result, table: bookings, key: c, set: {}}": "names no items",
    "{on: [], table: bookings, key: \"'x'\", set: {}}": "names no event",
    "{on: call('get') as c, table: bookings, key: c.i, set: c.result, if: x}": "unknown field",
}


@pytest.mark.parametrize(("track", "says"), TRACKS.items())
def test_a_rule_of_track_that_cannot_work_is_refused(track: str, says: str) -> None:
    assert says in refused(NEVER, HEAD + f"  - {track}\n")


TYPES = {
    "tables: {t: {a: string}}": "did you mean 'str'?",
    "tables: {t: {a: float}}": "no type 'float'",
    "tables: {t: {a: [str, int]}}": "is no type",
    "tables: {t: {a b: str}}": "cannot be written behind a dot",
    "tables: {t: {_a: str}}": "cannot be written behind a dot",
    "tools: {x: {arguments: {}}}": "unknown field",
    "tools: {x: {also: [y]}, y: {}}": "is the name of another tool",
    "tool: {x: {}}": "did you mean 'tools'?",
}


@pytest.mark.parametrize(("head", "says"), TYPES.items())
def test_a_type_or_tool_that_cannot_be_is_refused(head: str, says: str) -> None:
    assert says in refused(rule(never="message('agent')"), head + "\n")


def test_no_rules_no_check() -> None:
    with pytest.raises(ContentError, match="there are no criteria"):
        read_rulebook("criteria: []", where="rules.yaml")


def test_every_process_and_protection_cites_its_clause() -> None:
    uncited = "  - {id: r, kind: process, says: It holds., never: call('cancel')}\n"
    assert "cites no clause" in refused(uncited)


# --- guesses about words ------------------------------------------------------------------------

SAID = """
  - on: message('customer') as m
    table: said
    key: "'last'"
    set: {text: "'yes' if agrees(m.args.text) else 'no'"}
"""
WORDS = "message('customer') as m where agrees(m.args.text)"


def test_a_rule_on_a_guess_must_say_that_it_is_one() -> None:
    asked = rule(before="call('cancel')", needs=WORDS)
    assert "rests on a guess about words: agrees()" in refused(asked)
    assert book(rule(before="call('cancel')", needs=WORDS, heuristic=True))


def test_a_guess_that_was_recorded_is_still_a_guess() -> None:
    reads = {"whenever": "call('cancel')", "require": "row('said', 'last').text == 'yes'"}
    assert "rests on a guess about words: table 'said'" in refused(rule(**reads), HEAD + SAID)
    assert book(rule(**reads, heuristic=True), HEAD + SAID)
    assert "table 'said'" in refused(rule(never="write('said')"), HEAD + SAID)


def test_an_exact_question_to_a_text_is_no_guess() -> None:
    exact = "message('agent') as m where contains(m.args.text, 'PLEASE HOLD ON')"
    rules = book(rule(never=exact))
    assert judged(rules, story(says("please  hold on!", "agent"))).verdict == "fail"
    assert judged(rules, story(says("please hold", "agent"))).verdict == "pass"


def test_a_task_knows_no_guesses() -> None:
    from bythebook.conduct.criteria import build

    rules = book(rule(never="call('cancel')", heuristic=True))
    with pytest.raises(ContentError, match="it is a field of rules for `bythebook check`"):
        build(rules.criteria.data, rules.criteria.vocabulary, where="criteria.yaml")


def test_a_tool_may_go_by_other_names() -> None:
    head = HEAD.replace("cancel: {args: {id: str}}", "cancel: {args: {id: str}, also: [mcp__x__c]}")
    rules = book(rule(never="call('cancel') as c where c.args.id == 'B1'"), head)
    assert judged(rules, story(does("mcp__x__c", id="B1"))).verdict == "fail"
    assert judged(rules, story(does("mcp__y__c", id="B1"))).verdict == "pass"


# --- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "cents"),
    [(12.5, 1250), (12, 1200), ("12.50", 1250), (226.10999999999999, 22611), (1e3, 100000)],
)
def test_money_is_whole_hundredths(sent: object, cents: int) -> None:
    rules = book(rule(never=f"call('get') as c where c.result.price == {cents}"))
    assert judged(rules, story(does("get", booking(price=sent), id="B1"))).verdict == "fail"
    other = book(rule(never=f"call('get') as c where c.result.price == {cents + 1}"))
    assert judged(other, story(does("get", booking(price=sent), id="B1"))).verdict == "pass"


@pytest.mark.parametrize("sent", [12.345, "12,50", "dear", True, None, [12], 1e300])
def test_what_is_no_money_is_unknown_and_not_zero(sent: object) -> None:
    rules = book(rule(never="call('get') as c where c.result.price == 0"))
    assert judged(rules, story(does("get", booking(price=sent), id="B1"))).verdict == "uncheckable"


def test_a_mapping_is_read_as_a_list_of_its_values_with_their_keys() -> None:
    head = "tools: {get: {args: {}, result: {cards: {'*': {amount: cents}}}}}\n"
    dear = "any(p.key == 'b' and p.amount > 100 for p in c.result.cards)"
    rules = book(rule(never=f"call('get') as c where {dear}"), head)
    cards = {"a": {"amount": 9}, "b": {"amount": 2}}
    assert judged(rules, story(does("get", {"cards": cards}))).verdict == "fail"
    cards["b"]["amount"] = 1
    assert judged(rules, story(does("get", {"cards": cards}))).verdict == "pass"
