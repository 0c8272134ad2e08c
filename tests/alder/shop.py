"""A small shop floor for the tests of disputes and refunds: two merchants, three cardholders."""

from pathlib import Path
from typing import Any

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.alder.desks.disputes import Dispute
from bythebook.alder.desks.merchants import Sale
from bythebook.alder.desks.refunds import Refund
from bythebook.conduct.parameters import Parameter, Parameters
from bythebook.conduct.world import Opening, Row, Tables, World, state_hash

NUMBERS = Path(__file__).parents[2] / "company" / "parameters" / "disputes.yaml"
DAY = "2025-10-09"


def sale(id: str, holder: str, card: str, amount: int, scheme: Any = "corvane") -> Sale:
    return Sale(
        id=id, merchant="MER-1", order=f"O-{id}", cardholder=holder, card=card,
        scheme=scheme, amount=amount, day="2025-09-01",
    )  # fmt: skip


def dispute(id: str, of: Sale, respond_by: str = DAY) -> Dispute:
    return Dispute(
        id=id, merchant="MER-1", cardholder=of.cardholder, sale=of.id, scheme=of.scheme,
        reason="not_received", amount=of.amount, opened="2025-09-20", respond_by=respond_by,
        status="open",
    )  # fmt: skip


ROWS = """
cases: [{id: CASE-1, party: PTY-1, title: x, opened: 2025-10-09, status: open, handler: you}]
merchants:
- {id: MER-1, party: PTY-1, name: Tents, settlement_account: ACC-1, fee_account: ACC-2,
   default_route: netted}
- {id: MER-2, party: PTY-2, name: Books, settlement_account: ACC-3, fee_account: ACC-3,
   default_route: netted, status: suspended}
accounts:
- {id: ACC-1, owner: PTY-1, name: s, kind: settlement, currency: USD, balance: 8000}
- {id: ACC-2, owner: PTY-1, name: f, kind: fee, currency: USD, balance: 6000}
- {id: ACC-3, owner: PTY-2, name: s, kind: settlement, currency: USD, balance: 0}
cardholders:
- {id: CDH-1, name: Person 1, since: 2024-01-01, jurisdiction: US}
- {id: CDH-2, name: Person 2, since: 2024-01-01, jurisdiction: US}
- {id: CDH-3, name: Person 3, since: 2024-01-01, jurisdiction: US}
cards:
- {id: CRD-1, cardholder: CDH-1, scheme: corvane, last4: "1111", status: active, opened: 2024-01-01}
- {id: CRD-2, cardholder: CDH-2, scheme: corvane, last4: "2222", status: active, opened: 2024-01-01}
- {id: CRD-3, cardholder: CDH-3, scheme: halden, last4: "3333", status: blocked, reason: lost,
   opened: 2024-01-01}
slot_books: [{id: SLB-1, merchant: MER-1, day: 2025-10-09, granted: 1, used: 0}]
dispute_papers:
- {id: PAP-1, merchant: MER-1, kind: payment_receipt, dated: 2025-10-09, says: paid, amount: 2000}
- {id: PAP-2, merchant: MER-1, kind: delivery_proof, dated: 2025-10-09, says: signed for}
- {id: PAP-9, merchant: MER-2, kind: photo, dated: 2025-10-09, says: a book}
provisional_credits:
- {id: PCR-1, cardholder: CDH-1, card: CRD-1, sale: SAL-1, amount: 9000, given: 2025-10-01,
   status: standing}
- {id: PCR-2, cardholder: CDH-2, card: CRD-2, sale: SAL-2, amount: 5000, given: 2025-10-01,
   status: standing}
retrievals:
- {id: RTV-1, sale: SAL-2, merchant: MER-1, scheme: corvane, asked: 2025-10-01,
   answer_by: 2025-10-09, status: open}
arrangements:
- {id: ARR-1, merchant: MER-1, kind: restocking_charge, value: 1000, unit: bp, since: 2025-01-01,
   until: null}
commitments:
- {id: CMT-1, merchant: MER-1, cardholder: CDH-1, sale: SAL-1, given: 2025-10-01, text: We will.}
"""


def rows() -> list[Row]:
    kinds = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables = yamlfile.parse(ROWS, "shop.py")
    found = [msgspec.convert(row, kinds[name]) for name, values in tables.items() for row in values]
    tent, stove = sale("SAL-1", "CDH-1", "CRD-1", 9_000), sale("SAL-2", "CDH-2", "CRD-2", 5_000)
    lamp = sale("SAL-3", "CDH-3", "CRD-3", 4_000, "halden")
    contested = dispute("DSP-1", tent), dispute("DSP-3", lamp, "2025-10-20")
    return [*found, tent, stove, lamp, *contested]


def shop(clock: int = 14 * 60) -> World:
    """The shop at two in the afternoon of a Thursday, cut-off of corvane at half past three."""
    tables: Tables = {}
    for row in rows():
        tables.setdefault(type(row).table, {})[row.id] = row
    parameters = Parameters(yamlfile.load(NUMBERS, dict[str, Parameter]))
    return World(Opening(tables, state_hash(tables), DAY, clock, parameters))


def returned(world: World, refund: str) -> Refund:
    """A released refund that came back from its card."""
    return world[Refund].change(refund, status="returned")
