"""What every other desk leans on: accounts, fees, cases, and asking the customer."""

from typing import ClassVar

import pytest

from bythebook.alder.desks.accounts import (
    Account,
    Fee,
    Mandate,
    account_statement,
    fee_total,
    reverse_fee,
    take_fee,
    transfer_between_accounts,
)
from bythebook.alder.desks.approvals import (
    approvals_of,
    request_amendment,
    request_approval,
    withdraw_approval_request,
)
from bythebook.alder.desks.cases import (
    Case,
    add_case_note,
    case_file,
    escalate_case,
    set_case_status,
)
from bythebook.alder.desks.parties import Party, find_party, party_family
from bythebook.conduct import consent
from bythebook.conduct.consent import Approval, ApprovalRequest
from bythebook.conduct.parameters import Parameters
from bythebook.conduct.world import Opening, Row, World, state_hash, terms_hash
from bythebook.tool import Refused


class Draft(Row, frozen=True):
    table: ClassVar[str] = "drafts"
    prefix: ClassVar[str] = "DRF"
    terms: ClassVar[tuple[str, ...]] = ("amount",)

    amount: int
    memo: str = ""


ROWS: tuple[Row, ...] = (
    Party("PTY-1", "Banyan Imports", "customer", "US", "business"),
    Party("PTY-2", "Durian Trading", "affiliate", "US", "business", parent="PTY-1"),
    Account("ACC-1", "PTY-1", "Fees", "fee", "USD", 9000),
    Account("ACC-2", "PTY-1", "Operating", "operating", "USD", 500),
    Account("ACC-3", "PTY-1", "Euros", "operating", "EUR", 500),
    Account("ACC-4", "PTY-9", "Theirs", "fee", "USD", 500),
    Mandate("MND-1", "PTY-1", "CASE-1", "USD", 5000),
    Case("CASE-1", "PTY-1", "Fees", "2025-09-01", "open", "you"),
    Case("CASE-2", "PTY-1", "Old", "2025-01-01", "closed", "you"),
    Draft("DRF-1", 6000),
)


@pytest.fixture
def world() -> World:
    tables: dict[str, dict[str, Row]] = {}
    for row in ROWS:
        tables.setdefault(type(row).table, {})[row.id] = row
    return World(Opening(tables, state_hash(tables), "2025-09-25", 9 * 60, Parameters({})))


def balances(world: World) -> list[int]:
    return [account.balance for account in world[Account]]


def test_a_party_is_found_by_a_part_of_its_name(world: World) -> None:
    assert [p.id for p in find_party(world, "durian")] == ["PTY-2"]
    with pytest.raises(Refused, match="three letters"):
        find_party(world, "du")


def test_a_family_is_listed_parent_first_from_any_member(world: World) -> None:
    assert [p.id for p in party_family(world, "PTY-2")] == ["PTY-1", "PTY-2"]


def test_a_transfer_moves_what_it_says(world: World) -> None:
    transfer_between_accounts(world, "ACC-1", "ACC-2", 400, "September fees")

    assert balances(world)[:2] == [8600, 900]


@pytest.mark.parametrize(
    ("source", "target", "amount", "says"),
    [
        ("ACC-1", "ACC-4", 1, "different owners"),
        ("ACC-1", "ACC-3", 1, "is in USD"),
        ("ACC-2", "ACC-1", 501, "holds 500 cents"),
        ("ACC-1", "ACC-1", 1, "must differ"),
        ("ACC-1", "ACC-2", 0, "above zero"),
        ("ACC-9", "ACC-2", 1, "there is no 'ACC-9'"),
    ],
)
def test_a_transfer_that_cannot_be_is_refused(
    world: World, source: str, target: str, amount: int, says: str
) -> None:
    with pytest.raises(Refused, match=says):
        transfer_between_accounts(world, source, target, amount, "x")
    assert world.log == []


def test_a_reversed_fee_is_back_in_its_account_and_counts_no_more(world: World) -> None:
    fee = take_fee(world, "ACC-1", 1000, what="release", ref="REQ-1", case="CASE-1")
    assert (fee_total(world, "CASE-1"), balances(world)[0]) == (1000, 8000)

    reverse_fee(world, fee.id)

    assert (fee_total(world, "CASE-1"), balances(world)[0]) == (0, 9000)
    assert [f.status for f in account_statement(world, "ACC-1")] == ["reversed"]
    with pytest.raises(Refused, match="reversed before"):
        reverse_fee(world, fee.id)


def test_a_fee_the_account_cannot_bear_is_not_recorded(world: World) -> None:
    with pytest.raises(Refused, match="holds 500"):
        take_fee(world, "ACC-2", 501, what="x", ref="x", case="CASE-1")
    assert len(world[Fee]) == 0


def test_a_note_goes_on_an_open_case_only(world: World) -> None:
    add_case_note(world, "CASE-1", "Cap raised; see the consent desk's manual.")

    assert [note.text[:10] for note in case_file(world, "CASE-1")] == ["Cap raised"]
    with pytest.raises(Refused, match="CASE-2 is closed"):
        add_case_note(world, "CASE-2", "late")
    with pytest.raises(Refused, match="say something"):
        add_case_note(world, "CASE-1", "  ")


def test_an_escalation_names_its_clause_and_stands_once(world: World) -> None:
    escalate_case(world, "CASE-1", "policy_conflict", "escalation-policy#1.1", "Two bulletins.")

    with pytest.raises(Refused, match="open escalation for policy_conflict"):
        escalate_case(world, "CASE-1", "policy_conflict", "escalation-policy#1.1", "Again.")
    with pytest.raises(Refused, match="name the document family"):
        escalate_case(world, "CASE-1", "over_authority", "page 3", "x")
    with pytest.raises(Refused, match="CASE-2 is closed"):
        escalate_case(world, "CASE-2", "over_authority", "a#1", "x")


def test_a_case_with_an_open_escalation_stays_open(world: World) -> None:
    escalate_case(world, "CASE-1", "policy_conflict", "escalation-policy#1.1", "Two bulletins.")

    with pytest.raises(Refused, match="has an open escalation"):
        set_case_status(world, "CASE-1", "closed")
    assert set_case_status(world, "CASE-1", "on_hold").status == "on_hold"
    with pytest.raises(Refused, match="on_hold already"):
        set_case_status(world, "CASE-1", "on_hold")


def test_an_approval_request_holds_the_terms_as_they_stand(world: World) -> None:
    asked = request_approval(world, "DRF-1", ("payout",))

    assert (asked.subject_table, asked.status) == ("drafts", "open")
    assert asked.terms_hash == terms_hash(world[Draft]["DRF-1"])
    with pytest.raises(Refused, match="nothing a customer can approve"):
        request_approval(world, "ACC-1")


def test_a_draft_that_changed_after_it_was_filed_cannot_be_approved(world: World) -> None:
    asked = request_approval(world, "DRF-1")
    world[Draft].change("DRF-1", amount=6001)

    with pytest.raises(Refused, match="changed after"):
        consent.approve(world, asked, 60)


def test_a_memo_that_binds_nobody_may_change(world: World) -> None:
    asked = request_approval(world, "DRF-1")
    world[Draft].change("DRF-1", memo="for Thursday")

    approval = consent.approve(world, asked, 60)

    assert approvals_of(world, "DRF-1") == (approval,)
    assert (approval.by, approval.t, approval.expires) == ("customer", 0, 60)


def test_one_request_is_approved_once(world: World) -> None:
    asked = request_approval(world, "DRF-1")
    consent.approve(world, asked, 60)

    with pytest.raises(Refused, match="is approved, not open"):
        consent.approve(world, world[ApprovalRequest][asked.id], 60)
    assert len(world[Approval]) == 1


def test_a_request_is_withdrawn_only_while_it_is_open(world: World) -> None:
    asked = request_approval(world, "DRF-1")
    assert withdraw_approval_request(world, asked.id).status == "withdrawn"

    with pytest.raises(Refused, match="is withdrawn, not open"):
        withdraw_approval_request(world, asked.id)


@pytest.mark.parametrize(
    ("subject", "field", "reasons", "says"),
    [
        ("MND-1", "currency", ("review_fee",), "fields are: total_cap"),
        ("MND-1", "total_cap", (), "give at least one"),
        ("ACC-1", "balance", ("review_fee",), "nothing a customer can amend"),
    ],
)
def test_only_what_is_the_customers_to_amend_is_asked_for(
    world: World, subject: str, field: str, reasons: tuple[str, ...], says: str
) -> None:
    with pytest.raises(Refused, match=says):
        request_amendment(world, subject, field, 6000, reasons)  # type: ignore[arg-type]  # plain text on purpose


def test_an_amendment_request_changes_nothing_by_itself(world: World) -> None:
    request_amendment(world, "MND-1", "total_cap", 6000, ("review_fee",))

    assert world[Mandate]["MND-1"].total_cap == 5000
