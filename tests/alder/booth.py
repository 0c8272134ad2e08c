"""A booth for the tests of sellers' orders and taxes: one platform, three orders, a float."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import load_parameters
from bythebook.conduct.world import Opening, Tables, World, state_hash

NUMBERS = load_parameters([Path(__file__).parents[2] / "company" / "parameters"])
DAY = "2025-11-06"

ROWS = """
parties: [{id: PTY-1, name: Stage, role: customer, jurisdiction: US, segment: platform}]
cases: [{id: CASE-1, party: PTY-1, title: x, opened: 2025-11-05, status: open, handler: you}]
accounts:
- {id: ACC-1, owner: PTY-1, name: operating, kind: operating, currency: USD, balance: 5000}
- {id: ACC-2, owner: PTY-1, name: pot, kind: settlement, currency: USD, balance: 90000}
- {id: ACC-9, owner: PTY-9, name: other, kind: operating, currency: USD, balance: 5000}
payees:
- {id: PYE-1, owner: PTY-1, name: Rig, bank: B, ending: "0001", currency: USD, partner: null,
   added: 2025-01-01, status: live}
- {id: PYE-2, owner: PTY-1, name: Amp, bank: B, ending: "0002", currency: USD, partner: null,
   added: 2025-01-01, status: live}
payouts:
- {id: PAY-1, party: PTY-1, case: CASE-1, payee: PYE-1, currency: USD, amount: 20000,
   funding: ACC-2, route: next_day, fee: 0, status: settled, settled_on: 2025-10-14}
seller_orders:
- {id: SOR-1, platform: PTY-1, seller: PTY-2, payee: PYE-1, category: site_work, venue: hall,
   venue_territory: MRW, seat: MRW, first_day: 2025-10-28, last_day: 2025-10-30, territory: RAV,
   basis: sheet, sheet: PFS-1, advance: 20000, advance_paid: 2025-10-14, pot: ACC-2,
   status: awaiting}
- {id: SOR-2, platform: PTY-1, seller: PTY-3, payee: PYE-2, category: site_work, venue: hall,
   venue_territory: MRW, seat: RAV, first_day: 2025-10-28, last_day: 2025-10-29, territory: RAV,
   basis: seat, sheet: null, advance: 0, advance_paid: null, pot: ACC-2, status: awaiting}
- {id: SOR-3, platform: PTY-8, seller: PTY-3, payee: PYE-2, category: site_work, venue: hall,
   venue_territory: RAV, seat: RAV, first_day: 2025-09-28, last_day: 2025-09-29, territory: RAV,
   basis: seat, sheet: null, advance: 0, advance_paid: null, pot: ACC-2, status: awaiting}
order_lines:
- {id: SOL-1, order: SOR-1, kind: fee, what: work, amount: 50000, receipt: false}
- {id: SOL-2, order: SOR-1, kind: expense, what: tolls, amount: 1005, receipt: true}
- {id: SOL-3, order: SOR-2, kind: fee, what: work, amount: 30001, receipt: false}
performance_sheets:
- {id: PFS-1, order: SOR-1, territory: RAV, place: yard, first_day: 2025-10-28,
   last_day: 2025-10-30, signed_by: x, signed: 2025-10-31}
seller_forms:
- {id: SFM-1, seller: PTY-2, kind: relief, territory: RAV, covers: site_work,
   valid_from: 2025-01-01, valid_until: "2025-11-06 09:55"}
- {id: SFM-2, seller: PTY-3, kind: exemption, territory: MRW, covers: site_work,
   valid_from: 2025-01-01, valid_until: "2025-11-06 10:10"}
tax_floats:
- {id: TFL-1, owner: PTY-1, currency: USD, balance: 9000}
- {id: TFL-9, owner: PTY-9, currency: USD, balance: 9000}
tax_periods:
- {id: TXP-1, territory: RAV, month: 2025-10, closes: "2025-11-06 10:20"}
- {id: TXP-2, territory: RAV, month: 2025-09, closes: "2025-10-07 10:20"}
- {id: TXP-3, territory: MRW, month: 2025-11, closes: "2025-12-05 10:00"}
- {id: TXP-4, territory: MRW, month: 2025-10, closes: "2025-11-06 10:00"}
tax_liabilities:
- {id: TLB-1, tax_float: TFL-1, territory: MRW, order: SOR-1, what: levy, amount: 700,
   month: 2025-10, status: open}
tax_certificates:
- {id: TCT-1, order: SOR-1, territory: MRW, kind: gross, amount: 20000, tax: 700, form: null,
   withholding: null, payout: PAY-1, liability: TLB-1, month: 2025-10, filed: 2025-10-14,
   t: -30000, status: accepted}
"""


def booth(clock: int = 9 * 60 + 30) -> World:
    """The booth at half past nine on the day on which October closes."""
    kinds = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {name: {} for name in kinds}
    for name, rows in yamlfile.parse(ROWS, "booth.py").items():
        for row in rows:
            tables[name][row["id"]] = msgspec.convert(row, kinds[name])
    return World(Opening(tables, state_hash(tables), DAY, clock, NUMBERS))
