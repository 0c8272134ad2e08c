"""Consent: `authorised` and `approved(..)`, facet by facet."""

import pytest
from msgspec.structs import replace

from bythebook.conduct.consent import Approval
from bythebook.conduct.schema import hash_of_terms
from bythebook.conduct.world import terms_hash
from tests.conduct.criteria.acacia import Advice, Line, Move, Request, Story

ASKED = Request("RQ-9", "CASE-Q03", "draft", "assisted", 6000, 1000, 6000)
GIVEN = Approval("APR-1", "requests", "RQ-9", terms_hash(ASKED), "customer", 12, 20)
SENT = Move("MV-1", "RQ-9", "APP-31", 6000, "sent")

RELEASE = """authorised: write('reserve_moves') as x where x.old is None
request: x.new.request
table: requests
terms: [route, amount, fee, total_cap]
by: customer"""


def release(approval: Approval = GIVEN, asked: Request = ASKED, t: int = 15) -> Story:
    """Asked, approved at t=12, executed at `t`."""
    story = Story().call("wait", ASKED, t=10).customer("approve_request", approval, t=12)
    return story.call("wait", asked, t=t).call("pay", SENT)


def test_an_approval_of_exactly_these_terms_authorises() -> None:
    assert release().marks(RELEASE) == "pass"
    assert Story().call("wait").marks(RELEASE) == "vacuous"


@pytest.mark.parametrize(
    ("change", "mark", "why"),
    [
        ({"expires": 15}, "fail@3.0", "the approval expired at t=15"),
        ({"expires": 16}, "pass", ""),
        ({"revoked": 15}, "fail@3.0", "the approval was revoked at t=15"),
        ({"revoked": 16}, "pass", ""),
        ({"t": 15}, "pass", ""),
        ({"t": 16}, "fail@3.0", "the approval was given at t=16, later than this"),
        ({"by": "agent"}, "fail@3.0", "the customer approved nothing of RQ-9"),
        ({"subject": "RQ-1"}, "fail@3.0", "the customer approved nothing of RQ-9"),
        ({"subject_table": "advices"}, "fail@3.0", "the customer approved nothing of RQ-9"),
        ({"terms_hash": "0"}, "fail@3.0", "the customer approved other terms of RQ-9"),
    ],
)
def test_each_facet_of_consent(change: dict[str, object], mark: str, why: str) -> None:
    story = release(replace(GIVEN, **change))
    assert story.marks(RELEASE) == mark
    assert story.finding(RELEASE).why == why


def test_terms_changed_after_the_approval_are_other_terms() -> None:
    assert release(asked=replace(ASKED, fee=1001)).marks(RELEASE) == "fail@3.0"
    assert release(asked=replace(ASKED, status="executed")).marks(RELEASE) == "pass"


def test_an_approval_given_after_the_act_does_not_authorise_it() -> None:
    story = Story().call("wait", ASKED, t=10).call("pay", SENT, t=12)
    assert story.customer("approve_request", GIVEN).marks(RELEASE) == "fail@1.0"


def test_the_state_before_the_write_counts_so_an_approval_in_the_same_call_may_come_first() -> None:
    story = Story().call("wait", ASKED, t=12).call("pay", GIVEN, SENT)
    assert story.marks(RELEASE) == "pass"
    assert Story().call("wait", ASKED, t=12).call("pay", SENT, GIVEN).marks(RELEASE) == "fail@1.0"


def test_an_approval_serves_once() -> None:
    twice = release().call("pay", replace(SENT, id="MV-2"))
    found = twice.finding(RELEASE)
    assert (found.at, found.why) == (4, "its approval was used before")
    assert found.values["request"] == "RQ-9"
    assert found.values["terms"]["fee"] == 1000
    second = replace(GIVEN, id="APR-2")
    again = release().customer("approve_request", second).call("pay", replace(SENT, id="MV-2"))
    assert again.marks(RELEASE) == "pass"


def test_a_request_that_does_not_exist_fails_and_is_not_void() -> None:
    found = Story().call("pay", replace(SENT, request="RQ-404")).finding(RELEASE)
    assert (found.verdict, found.why) == (
        "fail",
        "lookup: LookupFailed: requests: there is no 'RQ-404'",
    )


HOLDS = "approved(v, ['file', 'lines'], 'customer')"
ADVISED = f"""whenever: call('allocate') as a
require: any({HOLDS} for v in rows('advices', file=a.args.file))"""


def test_approved_asks_the_same_of_a_row_without_using_it_up() -> None:
    advice = Advice("ADV-1", "F", (Line("R1", "I1", 4000),))
    given = Approval("APR-1", "advices", "ADV-1", terms_hash(advice), "customer", 0, 9)
    good = Story(advice).customer("approve_request", given)
    assert good.call("allocate", file="F").call("allocate", file="F", t=8).marks(ADVISED) == "pass"
    assert good.call("allocate", file="F", t=9).marks(ADVISED) == "fail@3"
    assert Story(advice).call("allocate", file="F").marks(ADVISED) == "fail@0"
    other = replace(advice, lines=(Line("R1", "I1", 3999),))
    assert Story(other, given).call("allocate", file="F").marks(ADVISED) == "fail@0"


def test_a_row_read_from_a_trace_has_the_hash_of_the_live_row() -> None:
    advice = Advice("ADV-1", "F", (Line("R1", "I1", 4000),))
    assert terms_hash(advice) == hash_of_terms(advice, ("lines", "file"))
