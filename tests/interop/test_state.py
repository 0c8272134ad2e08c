"""Rules judge what was recorded; what the trace does not show is uncheckable, never made up."""

from typing import Any

import pytest

from bythebook.interop.records import Called, Record, Returned, Turn
from tests.interop.told import HEAD, ODD, book, booking, does, judged, rule, says, story

NOT_BASIC = book(
    rule(whenever="call('cancel') as c", require="row('bookings', c.args.id).cabin != 'basic'")
)


def test_a_change_counts_more_than_what_was_read_before() -> None:
    read = does("get", booking("basic"), id="B1")
    changed = does("change", booking("economy"), id="B1")
    cancelled = does("cancel", id="B1")
    assert judged(NOT_BASIC, story(read, cancelled)).verdict == "fail"
    assert judged(NOT_BASIC, story(read, changed, cancelled)).verdict == "pass"
    back = does("change", booking("basic"), id="B1")
    assert judged(NOT_BASIC, story(changed, back, cancelled)).verdict == "fail"


def test_a_failed_call_changes_nothing() -> None:
    read = does("get", booking("economy"), id="B1")
    failed = does("change", "Error: no seat", id="B1", cabin="basic")
    assert judged(NOT_BASIC, story(read, failed, does("cancel", id="B1"))).verdict == "pass"


def test_a_row_that_was_never_shown_makes_a_rule_uncheckable() -> None:
    found = judged(NOT_BASIC, story(does("cancel", id="B9")))
    assert (found.verdict, found.at) == ("uncheckable", 1)
    assert found.why == "the trace does not show 'B9', of which the rule asks"
    assert found.event is not None
    assert found.event.name == "cancel"


def test_a_failure_that_was_seen_stands_whatever_else_is_unknown() -> None:
    unknown, known = does("cancel", id="B9"), does("get", booking(), id="B1")
    broken = judged(NOT_BASIC, story(unknown, known, does("cancel", id="B1")))
    assert (broken.verdict, broken.event and broken.event.args) == ("fail", {"id": "B1"})
    fine = story(does("get", booking("economy"), id="B1"), does("cancel", id="B1"))
    assert judged(NOT_BASIC, story(fine, unknown)).verdict == "uncheckable"


@pytest.mark.parametrize(
    "result",
    ["", "nothing but words", {"price": 1}, {"cabin": None}, {"cabin": 7, "price": 1}, [], None],
)
def test_a_result_that_does_not_show_the_column_decides_nothing(result: Any) -> None:
    found = judged(NOT_BASIC, story(does("get", result, id="B1"), does("cancel", id="B1")))
    assert found.verdict == "uncheckable"


def test_a_result_may_be_text_of_json_or_of_python() -> None:
    for sent in ('{"cabin": "basic"}', "{'cabin': 'basic', 'owner': None}", {"cabin": "basic"}):
        assert judged(NOT_BASIC, story(does("get", sent, id="B1"), does("cancel", id="B1"))).why


def test_a_column_that_is_not_set_keeps_its_value() -> None:
    part = does("change", {"price": 13}, id="B1")
    told = story(does("get", booking("basic"), id="B1"), part, does("cancel", id="B1"))
    assert judged(NOT_BASIC, told).verdict == "fail"


def test_a_column_whose_expression_finds_nothing_becomes_unknown() -> None:
    head = HEAD.replace("set: c.result", "set: {cabin: c.result.cabin, price: c.result.price}")
    rules = book(
        rule(whenever="call('cancel') as c", require="row('bookings', c.args.id).price < 2000"),
        head,
    )
    read = does("get", booking(), id="B1")
    assert judged(rules, story(read, does("cancel", id="B1"))).verdict == "pass"
    lost = does("change", {"cabin": "economy"}, id="B1")
    assert judged(rules, story(read, lost, does("cancel", id="B1"))).verdict == "uncheckable"


def test_a_row_can_be_forgotten() -> None:
    head = HEAD + "  - {on: call('list'), table: bookings, key: \"'B1'\", forget: true}\n"
    paid = rule(whenever="call('cancel') as c", require="row('bookings', c.args.id).paid")
    rules = book(paid, head)
    read, gone = does("get", booking(paid=True), id="B1"), does("list", {"bookings": []})
    assert judged(rules, story(read, does("cancel", id="B1"))).verdict == "pass"
    assert judged(rules, story(read, gone, does("cancel", id="B1"))).verdict == "uncheckable"


def test_one_result_can_set_many_rows() -> None:
    head = HEAD + (
        "  - {on: call('list') as c, each: b in c.result.bookings, table: bookings, key: b.id,\n"
        "     set: {cabin: b.cabin}}\n"
    )
    basic = "row('bookings', c.args.id).cabin == 'basic'"
    rules = book(rule(never=f"call('cancel') as c where {basic}"), head)
    many = {"bookings": [{"id": "B1", "cabin": "economy"}, {"id": "B2", "cabin": "basic"}]}
    assert judged(rules, story(does("list", many), does("cancel", id="B1"))).verdict == "pass"
    assert judged(rules, story(does("list", many), does("cancel", id="B2"))).verdict == "fail"


def test_rows_can_be_counted_by_their_own_serial() -> None:
    head = (
        "tables: {uses: {id: str}}\n"
        "tools: {change: {args: {id: str}}}\n"
        "track: [{on: call('change') as c, table: uses, key: c.i, set: {id: c.args.id}}]\n"
    )
    first = "len(rows('uses', id=w.new.id)) == 0"
    rules = book(rule(whenever="write('uses') as w", require=first), head)
    twice = story(does("change", id="A"), does("change", id="B"), does("change", id="A"))
    assert judged(rules, twice).verdict == "fail"
    assert judged(rules, twice[:4]).verdict == "pass"


def test_calls_of_one_turn_are_judged_one_after_the_other() -> None:
    asked = (Called("1", "change", {"id": "B1"}), Called("2", "cancel", {"id": "B1"}))
    turn = Turn("agent", "", asked)
    results = [Returned("2", "ok"), Returned("1", booking("basic"))]
    assert judged(NOT_BASIC, story(turn, *results)).verdict == "fail"


# --- what may have been missed ------------------------------------------------------------------

ASKS = "message('agent') as m where contains(m.args.text, 'shall i')"
ASKED = book(rule(before="call('cancel')", needs=ASKS))


def test_what_is_missing_is_no_failure_where_something_could_not_be_read() -> None:
    assert judged(ASKED, story(does("cancel", id="B1"))).verdict == "fail"
    found = judged(ASKED, story(ODD, does("cancel", id="B1")))
    assert found.verdict == "uncheckable"
    assert "record 3" in found.why
    assert judged(ASKED, story(does("cancel", id="B1"), ODD)).verdict == "fail"
    served = story(ODD, says("Shall I?", "agent"), does("cancel", id="B1"))
    assert judged(ASKED, served).verdict == "pass"


def test_what_may_have_served_is_no_failure_either() -> None:
    paid_for = "call('get') as g where row('bookings', g.args.id).paid"
    rules = book(rule(before="call('cancel')", needs=paid_for))
    told = story(does("get", booking(), id="B1"), does("cancel", id="B1"))
    assert judged(rules, told).verdict == "uncheckable"
    paid = story(does("get", booking(paid=True), id="B1"), does("get", booking(), id="B1"))
    assert judged(rules, story(paid, does("cancel", id="B1"))).verdict == "pass"
    unpaid = story(does("get", booking(), id="B1"), does("get", booking(), id="B1"))
    assert judged(rules, story(unpaid[:2], does("cancel", id="B1"))).verdict == "uncheckable"


NULL: list[Record] = [Turn("agent", "", (Called("n", "get", {"id": "B1"}),)), Returned("n", None)]
"""A call that was answered by nothing at all."""


def test_rows_that_a_result_may_have_set_are_not_said_to_be_missing() -> None:
    known = "len(rows('bookings')) > 0"
    rules = book(rule(whenever="call('cancel')", require=known))
    assert judged(rules, story(does("cancel", id="B1"))).verdict == "fail"
    found = judged(rules, story(NULL, does("cancel", id="B1")))
    assert (found.verdict, found.why) == (
        "uncheckable",
        "it reads rows that a call may have set of which the trace shows no result",
    )
    seen = story(NULL, does("get", booking(), id="B2"), does("cancel", id="B1"))
    assert judged(rules, seen).verdict == "pass"


def test_a_row_that_a_result_may_have_changed_is_no_longer_known() -> None:
    told = story(does("get", booking("basic"), id="B1"), NULL, does("cancel", id="B1"))
    assert judged(NOT_BASIC, told).verdict == "uncheckable"
    again = story(told[:-2], does("get", booking("basic"), id="B1"), does("cancel", id="B1"))
    assert judged(NOT_BASIC, again).verdict == "fail"


def test_a_trace_that_is_cut_off_says_nothing_of_its_end() -> None:
    rules = book(rule(after="call('get')", then="call('cancel')"))
    told = story(does("get", booking(), id="B1"))
    assert judged(rules, told).verdict == "fail"
    found = judged(rules, told, cut="the file ends")
    assert (found.verdict, found.why) == (
        "uncheckable", "the trace ends before its end: the file ends",
    )  # fmt: skip
    least = book(rule(count="call('cancel')", at_least=1))
    assert judged(least, told, cut="it ends").verdict == "uncheckable"
    never = book(rule(never="call('get')"))
    assert judged(never, told, cut="it ends").verdict == "fail"


def test_what_waits_for_an_answer_is_shown_by_its_question() -> None:
    rules = book(rule(after="call('get') as g", then="call('cancel')"))
    found = judged(rules, story(does("get", booking(), id="B1"), says("Thanks.")))
    assert (found.verdict, found.at) == ("fail", 1)
    assert found.event is not None
    assert found.event.args == {"id": "B1"}


def test_a_call_without_a_result_is_no_success_and_no_failure() -> None:
    rules = book(rule(never="call('cancel') as c where c.args.id == 'B1'"))
    assert judged(rules, story(does("cancel", id="B1"))).verdict == "fail"
    assert judged(rules, story(does("cancel", None, id="B1"))).verdict == "uncheckable"
    assert judged(rules, story(does("cancel", None, id="B2"))).verdict == "pass"
    tried = book(rule(never="attempt('cancel')"))
    assert judged(tried, story(does("cancel", None, id="B1"))).verdict == "fail"


def test_rows_that_an_unanswered_call_may_have_changed_are_no_longer_known() -> None:
    read, lost = does("get", booking("economy"), id="B1"), does("change", None, id="B1")
    told = story(read, lost, does("cancel", id="B1"))
    assert judged(NOT_BASIC, told).verdict == "uncheckable"
    other = does("change", None, id="B2")
    assert judged(NOT_BASIC, story(read, other, does("cancel", id="B1"))).verdict == "pass"


def test_a_row_that_an_unanswered_call_may_have_made_is_not_missing() -> None:
    rules = book(rule(whenever="call('cancel')", require="len(rows('bookings')) > 0"))
    assert judged(rules, story(does("cancel", id="B1"))).verdict == "fail"
    lost = does("get", None, id="B1")
    assert judged(rules, story(lost, does("cancel", id="B1"))).verdict == "uncheckable"
    read = does("get", booking(), id="B1")
    assert judged(rules, story(lost, read, does("cancel", id="B1"))).verdict == "pass"


def test_minutes_count_only_where_the_trace_tells_times() -> None:
    rules = book(rule(after="call('get')", then="call('cancel')", within=10))
    late = [does("get", booking(), at=0.0, id="B1"), does("cancel", at=700.0, id="B1")]
    soon = [does("get", booking(), at=0.0, id="B1"), does("cancel", at=600.0, id="B1")]
    assert judged(rules, story(*late)).verdict == "fail"
    assert judged(rules, story(*soon)).verdict == "pass"
    timeless = story(does("get", booking(), id="B1"), does("cancel", id="B1"))
    assert judged(rules, timeless).why == "it counts time, and the trace tells none"


def test_days_are_those_of_the_trace() -> None:
    rules = book(rule(never="call('get') as c where day != '2023-11-14'"))
    assert (
        judged(rules, story(does("get", booking(), at=1_700_000_000.0, id="B1"))).verdict == "pass"
    )
    next_day = does("get", booking(), at=1_700_000_000.0 + 7200, id="B1")
    first = says("Hello", at=1_700_000_000.0)
    assert judged(rules, story(first, next_day)).verdict == "fail"


def test_what_the_customer_does_with_tools_is_theirs() -> None:
    head = HEAD + "customer_tools: {restart: {args: {device: str}}}\n"
    rules = book(rule(before="customer('restart')", needs="message('agent')"), head)
    restart: list[Record] = [
        Turn("customer", "", (Called("1", "restart", {"device": "phone"}),)),
        Returned("1", "done"),
    ]
    assert judged(rules, story(restart)).verdict == "fail"
    assert judged(rules, story(says("Restart it.", "agent"), restart)).verdict == "pass"
    agents = book(rule(never="call('cancel')"), head)
    assert judged(agents, story(restart)).verdict == "pass"


def test_a_rule_that_nothing_speaks_of_passes_vacuously() -> None:
    found = judged(NOT_BASIC, story(says("Hello")))
    assert (found.verdict, found.vacuous) == ("pass", True)
