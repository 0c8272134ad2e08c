"""A small importer's harbour for the tests of receipts, reserves and applications."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import load_parameters
from bythebook.conduct.world import Opening, Row, Tables, World, state_hash

NUMBERS = load_parameters([Path(__file__).parents[2] / "company" / "parameters"])
DAY = "2025-09-25"

ROWS = """
parties:
- {id: PTY-1, name: Mango Imports, role: customer, jurisdiction: US, segment: business}
- {id: PTY-2, name: Quince Stores, role: buyer, jurisdiction: US, segment: business}
- {id: PTY-3, name: Lychee Trading, role: affiliate, jurisdiction: US, segment: institution,
   parent: PTY-1}
- {id: PTY-9, name: Rival Imports, role: customer, jurisdiction: US, segment: business}
accounts:
- {id: ACC-1, owner: PTY-1, name: current, kind: operating, currency: USD, balance: 90000}
- {id: ACC-2, owner: PTY-1, name: fees, kind: fee, currency: USD, balance: 9000}
- {id: ACC-9, owner: PTY-9, name: fees, kind: fee, currency: USD, balance: 9000}
receipt_files:
- {id: RF-1, owner: PTY-1, buyer: PTY-2, month: 2025-09, currency: USD, status: open,
   difference: null, reconciled: null, closed: null}
- {id: RF-2, owner: PTY-1, buyer: PTY-2, month: 2025-08, currency: USD, status: open,
   difference: null, reconciled: null, closed: null}
- {id: RF-3, owner: PTY-1, buyer: PTY-2, month: 2025-09, currency: EUR, status: open,
   difference: null, reconciled: null, closed: null}
receipts:
- {id: RC-1, file: RF-1, value_date: 2025-09-16, amount: 5000, reference: one, status: booked}
- {id: RC-2, file: RF-1, value_date: 2025-09-23, amount: 3000, reference: two, status: booked}
invoices:
- {id: INV-1, file: RF-1, issued: 2025-08-20, due: 2025-09-20, amount: 4000, open: 4000}
- {id: INV-2, file: RF-1, issued: 2025-08-10, due: 2025-09-10, amount: 6000, open: 6000}
- {id: INV-8, file: RF-2, issued: 2025-07-10, due: 2025-08-10, amount: 100, open: 100}
credit_memos:
- {id: CM-1, file: RF-1, issued: 2025-09-01, amount: 700, open: 700, reason: late, status: issued}
buyer_instructions:
- {id: BI-1, buyer: PTY-2, received: 2025-09-20, channel: letter, status: confirmed, text: first}
- {id: BI-2, buyer: PTY-2, received: 2025-08-20, channel: telephone, status: unconfirmed, text: x}
reserves:
- {id: RSV-1, owner: PTY-1, name: operating, kind: operating, currency: USD, balance: 8000,
   status: free, against: null}
- {id: RSV-2, owner: PTY-1, name: held, kind: buyer, currency: USD, balance: 6000,
   status: locked, against: RF-1}
- {id: RSV-3, owner: PTY-1, name: spare, kind: buyer, currency: USD, balance: 0,
   status: free, against: null}
- {id: RSV-4, owner: PTY-1, name: euro, kind: buyer, currency: EUR, balance: 0,
   status: free, against: null}
- {id: RSV-9, owner: PTY-9, name: other, kind: buyer, currency: USD, balance: 7000,
   status: free, against: null}
cases: [{id: CASE-1, party: PTY-1, title: x, opened: 2025-09-20, status: open, handler: you}]
applications:
- {id: APP-1, case: CASE-1, applicant: PTY-3, sponsor: PTY-1, product: custody_account,
   status: draft, address_evidence: EV-1, register_extract: EV-2, funding_source: RSV-1,
   funds_needed: 6000, submitted: null, decided: null}
evidence:
- {id: EV-1, party: PTY-3, kind: proof_of_address, title: bill, issued: 2025-09-01,
   status: verified, verified: "2025-09-02 10:00", valid_until: "2025-12-01 10:00"}
- {id: EV-2, party: PTY-3, kind: register_extract, title: extract, issued: 2025-09-01,
   status: verified, verified: "2025-09-02 10:00", valid_until: "2025-09-25 15:10"}
- {id: EV-3, party: PTY-3, kind: proof_of_address, title: newer bill, issued: 2025-09-22,
   status: received}
- {id: EV-4, party: PTY-3, kind: ownership_chart, title: chart, issued: 2025-09-01,
   status: verified, verified: "2025-09-02 10:00", valid_until: "2026-09-02 10:00"}
- {id: EV-9, party: PTY-1, kind: proof_of_address, title: parent's bill, issued: 2025-05-01,
   status: received}
"""


def harbour(clock: int = 15 * 60) -> World:
    """The harbour at three in the afternoon; the review batch is drawn at 15:57."""
    kinds = {kind.table: kind for desk in DESKS for kind in desk.rows}
    parsed = yamlfile.parse(ROWS, "harbour.py")
    rows: list[Row] = [
        msgspec.convert(row, kinds[name]) for name, values in parsed.items() for row in values
    ]
    tables: Tables = {}
    for row in rows:
        tables.setdefault(type(row).table, {})[row.id] = row
    return World(Opening(tables, state_hash(tables), DAY, clock, NUMBERS))
