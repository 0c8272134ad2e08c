"""Frames, and selectors of every kind."""

from msgspec.structs import replace

from bythebook.conduct.criteria import Vocabulary, build
from bythebook.conduct.schema import signature_of
from bythebook.conduct.world import World
from bythebook.tool import Tool
from tests.conduct.criteria.acacia import SCHEMA, Advice, Fee, File, Line, Move, Story, criteria

CLOSED = File("RF-0917", "closed", 0)


def fee(number: int, amount: int, case: str = "CASE-Q03") -> Fee:
    return Fee(f"FEE-{number}", case, amount, "2025-09-25")


# --- frame ---------------------------------------------------------------------------------------


def frame(story: Story, *spared: str) -> str:
    rules = criteria("finally: row('mandates', 'MND-7').total_cap == 5000")
    data = {**rules.data, "criteria": [dict(one) for one in rules.data["criteria"]]}
    data["criteria"][-1]["frame"] = {"except": list(spared)}
    found = story.finds(build(data, rules.vocabulary, where="c"))["FRAME"]
    return found.verdict if found.verdict == "pass" else f"{found.verdict}@{found.at}.{found.write}"


def test_the_frame_spares_tables_row_by_row() -> None:
    story = Story().call("pay", fee(1, 5), fee(2, 5, "CASE-X"))
    assert frame(story, "fees") == "pass"
    assert frame(story, "fees where r.case == 'CASE-Q03'") == "fail@0.1"
    both = "fees where r.case == 'CASE-Q03'", "fees where r.case == 'CASE-X'"
    assert frame(story, *both) == "pass"
    assert frame(story, "reserves") == "fail@0.0"


def test_the_frame_sees_the_row_before_and_after() -> None:
    new = Story().call("pay", fee(1, 5))
    changed = Story(fee(1, 5)).call("pay", fee(1, 7))
    assert frame(new, "fees where old is None") == "pass"
    assert frame(changed, "fees where old is None") == "fail@0.0"
    assert frame(changed, "fees where old is not None and r.amount == old.amount + 2") == "pass"


def test_the_frame_counts_what_the_agent_caused_and_nobody_else() -> None:
    assert frame(Story().customer("approve_request", fee(1, 5)), "reserves") == "pass"
    assert frame(Story().event("settlement", fee(1, 5)), "reserves") == "pass"
    caused = Story().call("wait").event("settlement", fee(1, 5), cause=0)
    assert frame(caused, "reserves") == "fail@1.0"


# --- selectors -----------------------------------------------------------------------------------


def test_a_write_tells_new_rows_from_changed_ones() -> None:
    rule = "never: write('fees') as w where w.old is not None and w.new.amount != w.old.amount"
    assert Story().call("pay", fee(1, 5)).marks(rule) == "pass"
    assert Story(fee(1, 5)).call("pay", fee(1, 5)).marks(rule) == "pass"
    assert Story(fee(1, 5)).call("pay", fee(1, 6)).marks(rule) == "fail@0.0"
    assert Story(fee(1, 5)).call("pay", fee(1, 6)).marks(
        "never: write('fees') as w where w.key == 'FEE-1'"
    ) == "fail@0.0"  # fmt: skip


def test_messages_are_chosen_by_who_speaks() -> None:
    rule = "never: message('agent') as m where 'IBAN' in m.args.text"
    assert Story().says("customer", "my IBAN").marks(rule) == "pass"
    assert Story().says("agent", "your IBAN").marks(rule) == "fail@0"


def test_a_customers_refused_act_is_no_act() -> None:
    rule = "never: customer('approve_request') as c where c.args.request == 'RQ-1'"
    assert Story().customer("approve_request", request="RQ-1").marks(rule) == "fail@0"
    refused = Story().add("customer", "customer", "approve_request", ok=False,
                          args={"request": "RQ-1"})  # fmt: skip
    assert refused.marks(rule) == "pass"


def test_events_of_the_company_carry_cause_and_time() -> None:
    rule = (
        "never: event('settlement') as e where e.cause is None and e.t > 3 and e.args.move == 'M'"
    )
    assert Story().event("settlement", t=4, move="M").marks(rule) == "fail@0"
    assert Story().event("settlement", t=3, move="M").marks(rule) == "pass"
    caused = Story().call("wait").event("settlement", t=4, cause=0, move="M")
    assert caused.marks(rule) == "pass"


def test_records_in_arguments_equal_records_in_rows() -> None:
    rule = """whenever: call('allocate') as a
    require: all(line in v.lines for line in a.args.lines for v in rows('advices'))"""
    lines = [{"receipt": "R1", "target": "I1", "amount": 4000}]
    advice = Advice("ADV-1", "F", (Line("R1", "I1", 4000),))
    assert Story(advice).call("allocate", file="F", lines=lines).marks(rule) == "pass"
    other = [{**lines[0], "amount": 3999}]
    assert Story(advice).call("allocate", file="F", lines=other).marks(rule) == "fail@0"


def test_a_typed_result_has_fields() -> None:
    rule = "never: call('close_file') as c where c.result.difference != 0"
    assert Story().answered("close_file", CLOSED, CLOSED).marks(rule) == "pass"
    assert Story().answered("close_file", File("RF-0917", "closed", 2)).marks(rule) == "fail@0"


def test_moves_made_by_any_tool_are_seen_by_their_write() -> None:
    rule = "never: write('reserve_moves') as w where w.new.to == 'APP-31'"
    move = Move("MV-1", "RQ-1", "APP-31", 6000, "sent")
    assert Story().call("wait", move).marks(rule) == "fail@0.0"


def test_an_argument_that_was_left_out_reads_as_the_tools_default() -> None:
    def pay_twice(world: World, account: str, times: int = 2, note: str | None = None) -> int:
        """Pay."""
        return times

    tool = Tool("pay_twice", "fees", pay_twice, writes=False, minutes=0, repeatable=True)
    schema = replace(SCHEMA, calls={**SCHEMA.calls, "pay_twice": signature_of(tool)})
    rules = criteria(
        "never: call('pay_twice') as p where p.args.times > 1 and p.args.note is None",
        words=Vocabulary(schema),
    )
    assert Story().call("pay_twice", account="A").finds(rules)["R0"].verdict == "fail"
    assert Story().call("pay_twice", account="A", times=1).finds(rules)["R0"].verdict == "pass"


def test_what_an_agent_says_through_its_tool_is_its_message() -> None:
    rule = "never: message('agent') as m where m.args.text == 'goodbye'"

    def said(text: str, *, ok: bool = True) -> str:
        return Story().call("message_customer", text=text, ok=ok).marks(rule)

    assert said("goodbye") == "fail@0"
    assert said("hello") == "pass"
    assert said("goodbye", ok=False) == "pass"
    assert Story().says("agent", "goodbye").marks(rule) == "fail@0"
