"""No agent can make a rule void; only our own faults can."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bythebook.conduct.criteria import Watch, evaluate
from bythebook.conduct.criteria.vocabulary import Vocabulary
from bythebook.conduct.world import Row
from tests.conduct.criteria.acacia import (
    SCHEMA,
    Application,
    Evidence,
    Fee,
    File,
    Mandate,
    Move,
    Request,
    Reserve,
    Story,
    criteria,
)  # fmt: skip

BY_ID = """whenever: {}
require: row('reserves', {}).balance > 0"""


def test_an_unknown_id_in_a_call_of_the_agent_fails_the_rule() -> None:
    found = (
        Story()
        .call("pay", account="NOPE")
        .finding(BY_ID.format("call('pay') as p", "p.args.account"))
    )
    assert (found.verdict, found.at, found.why) == ("fail", 0, "lookup: KeyError: 'NOPE'")


def test_an_argument_that_was_not_sent_fails_the_rule_that_counts_with_it() -> None:
    found = Story().call("pay").finding("never: call('pay') as p where p.args.amount > 3")
    assert found.verdict == "fail"
    assert found.why.startswith("lookup: TypeError")


def test_a_lookup_that_fails_where_nothing_of_the_agent_had_a_part_is_void() -> None:
    rule = BY_ID.format("event('settlement') as e", "e.args.move")
    assert Story().event("settlement", move="NOPE").marks(rule) == "void"
    assert Story().call("wait").event("settlement", move="NOPE").marks(rule) == "void"


def test_a_lookup_that_fails_on_an_event_that_the_agent_set_off_fails_the_rule() -> None:
    rule = BY_ID.format("event('settlement') as e", "e.args.move")
    story = Story().call("wait").event("settlement", move="NOPE", cause=0)
    assert story.marks(rule) == "fail@1"


def test_a_lookup_that_fails_in_a_table_the_agent_wrote_fails_the_rule() -> None:
    rule = """whenever: event('review_started') as r
    require: row('evidence', row('applications', r.args.application).evidence).valid_to > r.t"""
    bogus = Application("APP-31", "draft", "EV-404")
    story = Story().call("wait", bogus).event("review_started", application="APP-31")
    assert story.marks(rule) == "fail@1"
    ours = Story(bogus).event("review_started", application="APP-31")
    assert ours.marks(rule) == "void"


def test_a_lookup_that_fails_on_a_customers_act_fails_the_rule() -> None:
    rule = BY_ID.format("customer('approve_request') as c", "c.args.request")
    assert Story().customer("approve_request", request="NOPE").marks(rule) == "fail@0"


def test_what_a_monitor_remembers_of_the_agent_counts_as_its_part() -> None:
    rule = """before: event('settlement') as e
    needs: call('pay') as p
    match: row('reserves', p.args.account).balance > 0"""
    assert Story().call("pay", account="X").event("settlement").marks(rule) == "fail@1"


def test_emptying_a_table_or_dividing_by_nothing_is_a_failed_lookup_too() -> None:
    least = "whenever: call('wait')\nrequire: min(f.amount for f in rows('fees')) > 0"
    assert Story().call("wait").marks(least) == "fail@0"
    share = "whenever: call('wait') as w\nrequire: 10 // w.args.minutes > 0"
    assert Story().call("wait", minutes=0).marks(share) == "fail@0"


def test_an_exception_of_another_kind_is_void() -> None:
    def broken(amount: int) -> bool:
        raise RuntimeError("the policy is broken")

    words = Vocabulary(SCHEMA, {"broken": broken})
    rules = criteria("never: call('pay') as p where broken(p.args.amount)", words=words)
    story = Story().call("pay", amount=1)
    (found, _) = evaluate(rules, story.opening, story.events)
    assert (found.verdict, found.why) == ("void", "RuntimeError: the policy is broken")


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4)
    | st.sampled_from(["RF-0917", "RSV-OP", "RQ-1", "APP-31", "EV-2", "assisted", "R1"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)  # fmt: skip
NAMES = sorted({name for signature in SCHEMA.calls.values() for name in signature.args})
ARGS = st.dictionaries(st.sampled_from(NAMES), ODD, max_size=4) | st.dictionaries(
    st.text(max_size=5), ODD, max_size=2
)
IDS = st.sampled_from(["RF-0917", "RSV-OP", "RSV-60", "RQ-1", "APP-31", "EV-1", "MND-7", "X", ""])
AMOUNT = st.integers(-(2**62), 2**62)
ROWS: st.SearchStrategy[Row] = st.one_of(
    st.builds(File, IDS, st.sampled_from(["open", "closed"]), AMOUNT),
    st.builds(Reserve, IDS, IDS, AMOUNT, st.booleans()),
    st.builds(Fee, IDS, IDS, AMOUNT, st.just("2025-09-25")),
    st.builds(Move, IDS, IDS, IDS, AMOUNT, st.just("sent"), st.none() | AMOUNT),
    st.builds(Application, IDS, st.just("draft"), IDS),
    st.builds(Evidence, IDS, AMOUNT),
    st.builds(Mandate, IDS, AMOUNT),
    st.builds(Request, IDS, IDS, st.just("draft"), st.just("express"), AMOUNT, AMOUNT, AMOUNT),
)
RULES = criteria(
    "finally: row('applications', 'X').status == 'approved' and facts.lines[0][2] == 4000",
    "always: sum(f.amount for f in rows('fees')) <= min([m.total_cap for m in rows('mandates')])",
    "always: row('reserves', 'RSV-OP').balance // max(1, len(rows('fees'))) >= 0\nat: write",
    "never: call('pay') as p where p.args.amount > row('reserves', p.args.account).balance",
    "never: attempt('pay') as p where p.args.note is not None and 'x' in p.args.note",
    "whenever: call('allocate') as a\n"
    "require: all(x.amount < 10 // x.amount for x in a.args.lines) and a.result == 0\nstate: after",
    "before: call('close_file') as c\nneeds: call('reconcile') as r\n"
    "match: r.result - 1 == 0 and r.args.file == c.args.file\nsince: call('allocate')\nonce: true",
    "after: call('pay') as p\nthen: call('read_document') as d\n"
    "match: row('fees', d.args.document).amount == p.args.amount\nwithin: 3",
    "count: call('wait') as w where 7 // w.args.minutes == 1\nat_least: 1\nat_most: 3",
    "authorised: write('reserve_moves') as x\nrequest: x.new.request\ntable: requests\n"
    "terms: [route, amount, fee, total_cap]\nby: customer",
    "whenever: event('review_started') as r\n"
    "require: row('evidence', row('applications', r.args.application).evidence).valid_to >= r.t",
    "always: in_force('fees', day=day, jurisdiction='US') == 'FE-US' and t >= 0",
    "whenever: call('pay') as p\nrequire: fee_for(row('requests', p.args.account).route) == 0",
    facts="{lines: [[R1, I1, 4000]], appears: [X]}",
)  # fmt: skip
MOVE = st.tuples(
    st.sampled_from(sorted(SCHEMA.calls)), ARGS, st.booleans(), ODD, st.lists(ROWS, max_size=2)
)


@settings(max_examples=300, deadline=None)
@given(st.lists(MOVE, max_size=12), st.booleans())
def test_whatever_an_agent_does_no_rule_is_void(moves: list[Any], reviewed: bool) -> None:
    story = Story(Fee("FEE-0", "C", 0, "2025-09-25"))
    for t, (name, args, ok, result, rows) in enumerate(moves):
        story.add("agent", "call", name, *rows, t=t, args=args, ok=ok, result=result)
    cause = 0 if moves else None
    if reviewed and moves:
        story.event("review_started", t=len(moves), cause=cause, application="APP-31")
    story.event("review_started", t=len(moves), application="APP-31")
    found = story.finds(RULES)
    assert {one.id for one in found.values() if one.verdict == "void"} == set()


def test_guard_mode_says_what_a_call_would_break_and_changes_nothing() -> None:
    rules = criteria(
        "always: row('reserves', 'RSV-OP').balance >= 2000",
        "before: call('pay')\nneeds: call('reconcile')\nonce: true",
        "count: call('pay')\nat_most: 1",
    )
    story = Story().call("reconcile")
    watch = Watch(rules, story.opening)
    watch.feed(story.events[0])
    low = replace(Reserve("RSV-OP", "Banyan", 6500), balance=5)
    story.call("pay", low).call("pay")
    for _ in range(2):
        assert [f.id for f in watch.breaches(story.events[1])] == ["R0"]
    twin = watch.fork()
    twin.feed(story.events[1])
    assert [f.id for f in twin.breaches(story.events[2])] == ["R1", "R2"]
    assert [f.verdict for f in watch.finish()] == ["pass"] * 4


def test_two_futures_of_one_moment_do_not_touch_each_other() -> None:
    rules = criteria(
        "always: row('reserves', 'RSV-OP').balance >= 2000",
        "whenever: event('settlement') as e\nrequire: row('reserves', e.args.move).balance > 0",
    )
    low = replace(Reserve("RSV-OP", "Banyan", 6500), balance=5)
    story = Story().call("pay", replace(low, balance=3000)).call("pay", low)
    story.event("settlement", move="NOPE")
    watch = Watch(rules, story.opening)
    watch.feed(story.events[0])
    twin, other = watch.fork(), watch.fork()
    twin.feed(story.events[1])
    other.feed(replace(story.events[1], writes=()))
    for one in (watch, other, twin):
        one.feed(story.events[2])
    late = watch.fork()
    story.call("pay", replace(low, balance=2500))
    watch.feed(story.events[3])
    balances = [one.state.tables["reserves"]["RSV-OP"].balance for one in (late, watch)]
    assert balances == [3000, 2500]
    assert [f.verdict for f in watch.finish()] == ["pass", "fail", "pass"]
    assert [f.verdict for f in other.finish()] == ["pass", "fail", "pass"]
    assert [f.verdict for f in twin.finish()] == ["fail", "fail", "pass"]
