"""Each pattern's truth table, on live and on stored events (`Story.marks` compares the two)."""

import pytest
from msgspec.structs import replace

from bythebook.conduct.world import Row
from tests.conduct.criteria.acacia import Fee, File, Reserve, Story, criteria

OP = Reserve("RSV-OP", "Banyan", 6500)
FLOOR = "always: row('reserves', 'RSV-OP').balance >= 2000"
CLOSED = File("RF-0917", "closed", 0)


def fee(number: int, amount: int, case: str = "CASE-Q03") -> Fee:
    return Fee(f"FEE-{number}", case, amount, "2025-09-25")


def reserve(balance: int) -> Row:
    return replace(OP, balance=balance)


# --- finally -------------------------------------------------------------------------------------

CLOSES = "finally: row('receipt_files', 'RF-0917').status == 'closed'"


def test_finally_looks_at_the_end_only() -> None:
    assert Story().call("close_file", CLOSED).marks(CLOSES) == "pass"
    reopened = Story().call("close_file", CLOSED).call("wait", File("RF-0917", "open", 0))
    assert reopened.marks(CLOSES) == "fail@1"


def test_finally_fails_without_any_event_and_has_no_place_then() -> None:
    assert Story().marks(CLOSES) == "fail@None"


def test_finally_on_a_row_that_never_came_fails_and_is_not_void() -> None:
    found = Story().call("wait").finding("finally: row('fees', 'FEE-9').amount == 1\n")
    assert (found.verdict, found.why) == ("fail", "lookup: KeyError: 'FEE-9'")


# --- always --------------------------------------------------------------------------------------


def test_always_after_events_does_not_see_a_dip_inside_one_call() -> None:
    dip = Story().call("pay", reserve(1999), reserve(2000))
    assert dip.marks(FLOOR) == "pass"
    assert dip.marks(f"{FLOOR}\nat: write") == "fail@0.0"


def test_always_after_events_sees_what_an_event_leaves() -> None:
    assert Story().call("wait").call("pay", reserve(1999)).marks(FLOOR) == "fail@1"
    assert Story().call("pay", reserve(2000)).marks(FLOOR) == "pass"


def test_always_at_write_names_the_write() -> None:
    story = Story().call("pay", fee(1, 5), reserve(2500), reserve(100), reserve(9000))
    assert story.marks(f"{FLOOR}\nat: write") == "fail@0.2"


def test_always_is_vacuous_when_its_tables_never_changed() -> None:
    assert Story().call("pay", fee(1, 5)).marks(FLOOR) == "vacuous"
    assert Story().marks(f"{FLOOR}\nat: write") == "vacuous"


def test_always_sees_what_the_company_and_the_customer_write_too() -> None:
    assert Story().event("settlement", reserve(1)).marks(FLOOR) == "fail@0"
    assert Story().customer("approve_request", reserve(1)).marks(FLOOR) == "fail@0"


def test_always_is_void_when_it_does_not_hold_in_the_opening_state() -> None:
    found = Story().call("pay", reserve(9999)).finding(FLOOR.replace("2000", "7000"))
    assert (found.verdict, found.at) == ("void", None)
    assert found.why == "in the opening state: it does not hold"


def test_always_that_reads_the_time_is_asked_when_time_moves() -> None:
    rule = "always: t < 10 or row('reserves', 'RSV-OP').balance > 0"
    assert Story().call("pay", reserve(0), t=9).call("wait", t=10).marks(rule) == "fail@1"
    assert Story().call("pay", reserve(0), t=9).call("wait", t=9).marks(rule) == "pass"


def test_the_margin_of_a_bound_is_left_minus_right() -> None:
    found = Story().call("pay", reserve(1990)).finding(FLOOR)
    assert found.margin == -10
    assert found.values == {"row('reserves', 'RSV-OP').balance": 1990}
    two = "always: len(rows('fees')) <= 1 and row('reserves', 'RSV-OP').balance >= 2000"
    assert Story().call("pay", fee(1, 5), fee(2, 5)).finding(two).margin == 1


def test_a_part_that_was_not_looked_at_is_no_failed_lookup() -> None:
    rule = (
        "finally: any(f.id == 'FEE-1' for f in rows('fees')) and row('fees', 'FEE-1').amount == 5"
    )
    found = Story().finding(rule)
    assert (found.verdict, found.margin, "lookup" in found.why) == ("fail", None, False)


# --- never, whenever, count ----------------------------------------------------------------------


def test_never() -> None:
    rule = "never: call('pay') as p where p.args.amount > 100"
    assert Story().call("pay", amount=100).marks(rule) == "pass"
    assert Story().marks(rule) == "pass"
    found = Story().call("pay", amount=1).call("pay", amount=101, account="A").finding(rule)
    assert (found.verdict, found.at) == ("fail", 1)
    assert found.values == {"p": {"i": 1, "t": 0, "call": "pay",
                                  "args": {"amount": 101, "account": "A"}}}  # fmt: skip


def test_a_refused_call_is_an_attempt_and_no_call() -> None:
    story = Story().call("pay", amount=5, ok=False)
    assert story.marks("never: call('pay')") == "pass"
    assert story.marks("never: attempt('pay')") == "fail@0"


def test_a_whole_float_is_the_same_argument() -> None:
    rule = "never: attempt('pay') as p where p.args.amount is not None and p.args.amount == 5"
    assert Story().call("pay", amount=5.0).marks(rule) == "fail@0"
    assert Story().call("pay", amount=5.5, ok=False).marks(rule) == "pass"


def test_an_attempt_whose_argument_does_not_fit_reads_none() -> None:
    rule = "never: attempt('pay') as p where p.args.amount is not None and p.args.amount > 3"
    assert Story().call("pay", amount="five", ok=False).marks(rule) == "pass"
    assert Story().call("pay", amount=5, account=7, ok=False).marks(rule) == "fail@0"
    assert Story().call("pay", ok=False).marks(rule) == "pass"


def test_whenever_before_sees_earlier_events_only() -> None:
    rule = "whenever: call('close_file') as c\nrequire: len(rows('fees')) == 1"
    assert Story().call("pay", fee(1, 5)).call("close_file").marks(rule) == "pass"
    assert Story().call("close_file", fee(1, 5)).marks(rule) == "fail@0"
    assert Story().call("close_file").call("pay", fee(1, 5)).marks(rule) == "fail@0"


def test_whenever_after_sees_all_writes_of_the_event() -> None:
    rule = "whenever: call('close_file')\nrequire: len(rows('fees')) == 1\nstate: after"
    assert Story().call("close_file", fee(1, 5)).marks(rule) == "pass"
    assert Story().call("close_file", fee(1, 5), fee(2, 5)).marks(rule) == "fail@0"


def test_whenever_a_write_sees_the_earlier_writes_of_its_event() -> None:
    rule = "whenever: write('reserves') as w\nrequire: len(rows('fees')) == 1"
    assert Story().call("pay", fee(1, 5), reserve(1)).marks(rule) == "pass"
    assert Story().call("pay", reserve(1), fee(1, 5)).marks(rule) == "fail@0.0"
    after = f"{rule}\nstate: after"
    assert Story().call("pay", reserve(1), fee(1, 5)).marks(after) == "pass"
    assert Story().call("pay", reserve(1), fee(1, 5), fee(2, 5)).marks(after) == "fail@0.0"


def test_whenever_without_a_hit_is_vacuous() -> None:
    rule = "whenever: call('close_file')\nrequire: len(rows('fees')) == 1"
    assert Story().call("wait").marks(rule) == "vacuous"


def test_the_first_failure_of_a_rule_is_final() -> None:
    rule = "whenever: call('close_file')\nrequire: len(rows('fees')) == 1"
    story = Story().call("close_file").call("pay", fee(1, 5)).call("close_file").call("wait")
    assert story.marks(rule) == "fail@0"


@pytest.mark.parametrize(
    ("number", "bounds", "mark"),
    [
        (0, "at_least: 1", "fail@0"),
        (1, "at_least: 1", "pass"),
        (0, "at_most: 0", "pass"),
        (1, "at_most: 0", "fail@1"),
        (2, "at_most: 2", "pass"),
        (3, "at_most: 2", "fail@3"),
        (2, "at_least: 2\nat_most: 2", "pass"),
        (1, "at_least: 2\nat_most: 2", "fail@1"),
    ],
)
def test_count(number: int, bounds: str, mark: str) -> None:
    story = Story().call("wait")
    for _ in range(number):
        story.call("pay", amount=1)
    assert story.marks(f"count: call('pay')\n{bounds}") == mark


# --- before --------------------------------------------------------------------------------------

RECONCILED = """before: call('close_file') as c
needs: call('reconcile') as r
match: r.args.file == c.args.file and r.result == 0"""
AGAIN = f"{RECONCILED}\nsince: call('allocate')"


def test_before_needs_an_earlier_match() -> None:
    good = Story().answered("reconcile", 0, file="F").call("close_file", file="F")
    assert good.marks(RECONCILED) == "pass"
    late = Story().call("close_file", file="F").answered("reconcile", 0, file="F")
    assert late.marks(RECONCILED) == "fail@0"
    other = Story().answered("reconcile", 0, file="G").call("close_file", file="F")
    assert other.marks(RECONCILED) == "fail@1"
    open_ = Story().answered("reconcile", 5, file="F").call("close_file", file="F")
    assert open_.marks(RECONCILED) == "fail@1"
    assert Story().answered("reconcile", 0, file="F").marks(RECONCILED) == "vacuous"


def test_before_since_forgets_what_came_earlier() -> None:
    story = Story().answered("reconcile", 0, file="F").call("allocate")
    assert story.call("close_file", file="F").marks(AGAIN) == "fail@2"
    again = Story().answered("reconcile", 0, file="F").call("allocate")
    again.answered("reconcile", 0, file="F").call("close_file", file="F")
    assert again.marks(AGAIN) == "pass"


def test_before_since_may_be_the_thing_itself_each_then_needs_its_own() -> None:
    rule = "before: call('pay')\nneeds: call('reconcile')\nsince: call('pay')"
    story = Story().call("reconcile").call("pay")
    assert story.marks(rule) == "pass"
    assert story.call("pay").marks(rule) == "fail@2"
    assert Story().call("reconcile").call("pay").call("reconcile").call("pay").marks(rule) == "pass"


def test_an_event_that_is_both_since_and_needed_counts_for_the_new_stretch() -> None:
    rule = """before: call('close_file')
    needs: call('allocate') as a where a.args.file == 'F'
    since: call('allocate')"""
    good = Story().call("allocate", file="G").call("allocate", file="F").call("close_file")
    assert good.marks(rule) == "pass"
    bad = Story().call("allocate", file="F").call("allocate", file="G").call("close_file")
    assert bad.marks(rule) == "fail@2"


def test_an_event_is_not_earlier_than_itself() -> None:
    rule = "before: call('pay')\nneeds: call('pay')"
    assert Story().call("pay").marks(rule) == "fail@0"
    write = "before: write('fees')\nneeds: write('fees')"
    assert Story().call("pay", fee(1, 1)).marks(write) == "fail@0.0"


def test_the_order_of_writes_inside_one_event_counts() -> None:
    rule = "before: write('fees')\nneeds: write('reserves')"
    assert Story().call("pay", reserve(1), fee(1, 1)).marks(rule) == "pass"
    assert Story().call("pay", fee(1, 1), reserve(1)).marks(rule) == "fail@0.0"
    call = "before: write('fees')\nneeds: call('pay')"
    assert Story().call("pay", fee(1, 1)).marks(call) == "pass"


def test_before_once_lets_an_earlier_one_serve_only_once() -> None:
    rule = "before: call('pay')\nneeds: call('reconcile')"
    twice = Story().call("reconcile").call("pay").call("pay")
    assert twice.marks(rule) == "pass"
    assert twice.marks(f"{rule}\nonce: true") == "fail@2"
    assert Story().call("reconcile").call("reconcile").call("pay").call("pay").marks(
        f"{rule}\nonce: true"
    ) == "pass"  # fmt: skip


def test_before_once_finds_an_assignment_where_taking_the_first_would_fail() -> None:
    rule = """before: call('pay') as p
    needs: call('wait') as w
    match: w.args.minutes >= p.args.amount
    once: true"""
    story = Story().call("wait", minutes=9).call("wait", minutes=3)
    story.call("pay", amount=3).call("pay", amount=9)
    assert story.marks(rule) == "pass"
    assert story.call("pay", amount=1).marks(rule) == "fail@4"


# --- after ---------------------------------------------------------------------------------------

ANSWERED = """after: call('pay') as p
then: call('read_document') as d
match: d.args.document == p.args.account"""


def test_after_is_answered_later_by_a_match() -> None:
    assert (
        Story().call("pay", account="A").call("read_document", document="A").marks(ANSWERED)
        == "pass"
    )
    early = Story().call("read_document", document="A").call("pay", account="A").call("wait")
    assert early.marks(ANSWERED) == "fail@2"
    other = Story().call("pay", account="A").call("read_document", document="B")
    assert other.marks(ANSWERED) == "fail@1"
    assert Story().call("read_document", document="A").marks(ANSWERED) == "vacuous"


def test_after_within_still_counts_at_the_last_minute() -> None:
    rule = f"{ANSWERED}\nwithin: 5"
    for t, mark in ((4, "pass"), (8, "pass"), (9, "fail@1")):
        story = Story().call("pay", account="A", t=3).call("read_document", document="A", t=t)
        assert story.marks(rule) == mark


def test_after_within_fails_at_the_first_event_past_the_deadline() -> None:
    story = Story().call("pay", account="A", t=3).call("wait", t=8).call("wait", t=10)
    found = story.call("read_document", document="A", t=12).finding(f"{ANSWERED}\nwithin: 5")
    assert (found.at, found.margin) == (2, 2)
    assert found.why.startswith("it was not answered by t=8")
    assert found.values["p"]["i"] == 0


def test_each_deadline_is_its_own() -> None:
    short, long = f"{ANSWERED}\nwithin: 2", f"{ANSWERED}\nwithin: 5"
    story = Story().call("pay", account="A", t=3).call("wait", t=8)
    found = story.call("read_document", document="A").finds(criteria(short, long))
    assert [found[name].at for name in ("R0", "R1")] == [1, None]
    assert found["R1"].verdict == "pass"


def test_after_within_fails_at_the_end_of_a_run_that_ends_earlier() -> None:
    assert Story().call("pay", account="A", t=3).marks(f"{ANSWERED}\nwithin: 5") == "fail@0"


def test_one_answer_can_answer_several_and_the_open_one_is_named() -> None:
    story = Story().call("pay", account="A").call("pay", account="B").call("pay", account="A")
    story.call("read_document", document="A")
    found = story.finding(ANSWERED)
    assert (found.verdict, found.at, found.values["p"]["i"]) == ("fail", 3, 1)


def test_an_event_does_not_answer_itself() -> None:
    assert Story().call("pay").marks("after: call('pay')\nthen: call('pay')") == "fail@0"
