"""A small delivery desk for tests: one customer, three promises, five lots, two corridors."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import Parameter, Parameters
from bythebook.conduct.world import Opening, Tables, World, state_hash

NUMBERS = Path(__file__).parents[2] / "company" / "parameters" / "delivery.yaml"
DAY = "2025-10-02"

ROWS = """
cases:
- {id: CASE-1, party: PTY-1, title: x, opened: 2025-09-01, status: open, handler: you}
- {id: CASE-2, party: PTY-2, title: y, opened: 2025-09-01, status: open, handler: you}
- {id: CASE-3, party: PTY-1, title: z, opened: 2025-09-01, status: closed, handler: you}
mandates: [{id: MND-1, owner: PTY-1, case: CASE-1, currency: USD, total_cap: 6000}]
accounts:
- {id: ACC-1, owner: PTY-1, name: m, kind: operating, currency: USD, balance: 500000}
- {id: ACC-2, owner: PTY-1, name: f, kind: fee, currency: USD, balance: 9000}
- {id: ACC-3, owner: PTY-2, name: m, kind: operating, currency: USD, balance: 500000}
- {id: ACC-9, owner: ALDER, name: s, kind: suspense, currency: USD, balance: 100000}
corridors:
- {id: US-PT, country: Portugal, basis: firm, deduction: 900, partner: T}
- {id: US-PE, country: Peru, basis: firm, deduction: 2200, partner: A}
- {id: US-GH, country: Ghana, basis: variable, deduction: 3000, partner: S, status: suspended}
partner_books: [{id: BOOK-1, corridor: US-PE, basis: variable, deduction: 2500, remark: new bank}]
corridor_notices:
- {id: NTC-1, corridor: US-GH, day: 2025-10-01, text: partner is back}
- {id: NTC-2, corridor: US-PT, day: 2025-09-01, text: nothing new}
promise_letters:
- {id: LTR-1, party: PTY-1, beneficiary: P, corridor: US-PT, net: 100000, due_day: 2025-10-02,
   due_clock: "16:00", signed: 2025-09-30}
- {id: LTR-2, party: PTY-1, beneficiary: P, corridor: US-PT, net: 100000, due_day: 2025-10-02,
   due_clock: "17:00", signed: 2025-10-01}
- {id: LTR-3, party: PTY-1, beneficiary: P, corridor: US-PT, net: 90000, due_day: 2025-10-02,
   due_clock: "17:00", signed: 2025-10-01}
- {id: LTR-4, party: PTY-1, beneficiary: N, corridor: US-PE, net: 50000, due_day: 2025-10-02,
   due_clock: "15:30", signed: 2025-10-01}
- {id: LTR-5, party: PTY-1, beneficiary: N, corridor: US-PE, net: 50000, due_day: 2025-10-02,
   due_clock: "12:00", signed: 2025-10-01}
promises:
- {id: PRM-1, party: PTY-1, case: CASE-1, letter: LTR-1, beneficiary: P, corridor: US-PT,
   net: 100000, due_day: 2025-10-02, due_clock: "16:00"}
- {id: PRM-2, party: PTY-1, case: CASE-1, letter: LTR-8, beneficiary: L, corridor: US-PE,
   net: 70000, due_day: 2025-10-02, due_clock: "14:00"}
- {id: PRM-3, party: PTY-1, case: CASE-1, letter: LTR-9, beneficiary: G, corridor: US-GH,
   net: 60000, due_day: 2025-10-03, due_clock: "12:00"}
- {id: PRM-4, party: PTY-2, case: CASE-2, letter: LTR-7, beneficiary: X, corridor: US-PT,
   net: 60000, due_day: 2025-10-02, due_clock: "16:00"}
- {id: PRM-5, party: PTY-1, case: CASE-1, letter: LTR-6, beneficiary: X, corridor: US-PT,
   net: 60000, due_day: 2025-10-01, due_clock: "16:00", status: short, received: 59100}
- {id: PRM-6, party: PTY-1, case: CASE-1, letter: LTR-0, beneficiary: X, corridor: US-PT,
   net: 60000, due_day: 2025-10-01, due_clock: "16:00", status: met, received: 60000}
rights:
- {id: RGT-1, owner: PTY-1, programme: plus, kind: full_charge, groups: [G1], units: 1, held: 0,
   used: 0, valid_from: 2025-01-01, valid_to: 2025-12-31}
- {id: RGT-2, owner: PTY-1, programme: plus, kind: priority, groups: [G1], units: 2, held: 0,
   used: 0, valid_from: 2025-01-01, valid_to: 2025-12-31}
- {id: RGT-3, owner: PTY-1, programme: old, kind: full_charge, groups: [G1], units: 3, held: 0,
   used: 0, valid_from: 2025-01-01, valid_to: 2025-09-25}
- {id: RGT-4, owner: PTY-1, programme: older, kind: full_charge, groups: [G1], units: 3, held: 0,
   used: 0, valid_from: 2025-01-01, valid_to: 2025-09-20}
- {id: RGT-5, owner: PTY-1, programme: next, kind: fee_waiver, groups: [G1], units: 3, held: 0,
   used: 0, valid_from: 2025-11-01, valid_to: 2025-12-31}
- {id: RGT-6, owner: PTY-1, programme: plus, kind: fee_waiver, groups: [G1], units: 1, held: 0,
   used: 0, valid_from: 2025-01-01, valid_to: 2025-12-31}
"""


def wharf(clock: int = 13 * 60) -> World:
    """The desk at one in the afternoon, forty minutes before the cut-off."""
    kinds = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {}
    for name, values in yamlfile.parse(ROWS, "wharf.py").items():
        found = [msgspec.convert(row, kinds[name]) for row in values]
        tables[name] = {row.id: row for row in found}
    parameters = Parameters(yamlfile.load(NUMBERS, dict[str, Parameter]))
    return World(Opening(tables, state_hash(tables), DAY, clock, parameters))
