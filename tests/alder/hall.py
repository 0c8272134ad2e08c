"""A makers' hall with an escrow buffer, for the tests of escrow, milestones and proofs."""

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import Parameters
from bythebook.conduct.world import Opening, Row, Tables, World, state_hash

DAY = "2025-11-05"

ROWS = """
cases:
- {id: CASE-1, party: PTY-1, title: x, opened: 2025-11-05, status: open, handler: you}
- {id: CASE-2, party: PTY-1, title: y, opened: 2025-11-05, status: closed, handler: you}
accounts:
- {id: ACC-1, owner: PTY-1, name: o, kind: operating, currency: USD, balance: 50000}
- {id: ACC-2, owner: PTY-1, name: e, kind: operating, currency: EUR, balance: 50000}
- {id: ACC-5, owner: PTY-5, name: m, kind: settlement, currency: USD, balance: 100}
- {id: ACC-9, owner: PTY-9, name: o, kind: operating, currency: USD, balance: 900}
escrow_buffers:
- {id: BUF-1, owner: PTY-1, currency: USD, balance: 20000}
- {id: BUF-2, owner: PTY-1, currency: EUR, balance: 20000}
- {id: BUF-9, owner: PTY-9, currency: USD, balance: 20000}
escrow_orders:
- {id: ESO-1, marketplace: PTY-1, maker: PTY-5, buyer: b, work: chair, mark: C1, town: Elling,
   currency: USD, price: 30000, delivery: 1000, held: 31000, released: 0, claim: 31000,
   window_ends: null, status: in_work}
- {id: ESO-2, marketplace: PTY-1, maker: PTY-5, buyer: b, work: clock, mark: C2, town: Elling,
   currency: USD, price: 8000, delivery: 0, held: 0, released: 8000, claim: 8000,
   window_ends: "2025-11-05 13:40", status: delivered}
- {id: ESO-3, marketplace: PTY-1, maker: PTY-6, buyer: b, work: stall, mark: null, town: Dunmere,
   currency: EUR, price: 500, delivery: 0, held: 500, released: 0, claim: 500,
   window_ends: null, status: in_work}
escrow_covers:
- {id: CVR-1, buffer: BUF-1, order: ESO-2, amount: 8000, pledged: 2025-10-17}
escrow_disputes:
- {id: EDS-1, order: ESO-2, amount: 5000, opened: 2025-11-02, what: late}
- {id: EDS-2, order: ESO-2, amount: 1000, opened: 2025-11-03, what: scratched}
buffer_returns:
- {id: BRT-1, buffer: BUF-1, amount: 2500, what: refund, due_day: 2025-11-05, due_at: "14:20"}
milestone_letters:
- {id: MLT-1, marketplace: PTY-1, maker: PTY-5, order: ESO-1, milestone: half, share: 5000,
   due_day: 2025-11-05, due_at: "15:00", signed: 2025-09-01, replaces: MLT-2}
- {id: MLT-2, marketplace: PTY-1, maker: PTY-5, order: ESO-1, milestone: half, share: 5000,
   due_day: 2025-11-05, due_at: "12:00", signed: 2025-08-01, status: replaced}
- {id: MLT-3, marketplace: PTY-1, maker: PTY-6, order: ESO-3, milestone: half, share: 5000,
   due_day: 2025-11-05, due_at: "15:00", signed: 2025-09-01}
- {id: MLT-4, marketplace: PTY-1, maker: PTY-5, order: ESO-1, milestone: all, share: 9000,
   due_day: 2025-11-06, due_at: "15:00", signed: 2025-09-01}
- {id: MLT-9, marketplace: PTY-9, maker: PTY-5, order: ESO-1, milestone: half, share: 5000,
   due_day: 2025-11-05, due_at: "15:00", signed: 2025-09-01}
milestone_proofs:
- {id: PRF-1, letter: MLT-1, order: ESO-1, what: photographs, handed_in: 2025-11-04}
- {id: PRF-2, letter: MLT-3, order: ESO-3, what: photographs, handed_in: 2025-11-04,
   status: rejected}
inspectors: [{id: INS-1, name: n, admitted_until: 2026-01-01}]
inspection_slots:
- {id: SLT-1, inspector: INS-1, town: Elling, day: 2025-11-05, start: "13:30", minutes: 10}
- {id: SLT-2, inspector: INS-1, town: Elling, day: 2025-11-05, start: "13:10", minutes: 10}
- {id: SLT-3, inspector: INS-1, town: Dunmere, day: 2025-11-05, start: "14:00", minutes: 10}
- {id: SLT-4, inspector: INS-1, town: Elling, day: 2025-11-05, start: "13:20", minutes: 10}
- {id: SLT-5, inspector: INS-1, town: Elling, day: 2025-11-06, start: "09:00", minutes: 10}
work_pieces:
- {id: WPC-1, order: ESO-1, mark: C7, complete: true}
- {id: WPC-2, order: ESO-1, mark: C8, complete: false}
"""


def hall() -> World:
    """Ten past one; the buyer's time for the clock is up at 13:40, money comes back at 14:20."""
    kinds: dict[str, type[Row]] = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {}
    for name, values in yamlfile.parse(ROWS, "hall.py").items():
        tables[name] = {value["id"]: msgspec.convert(value, kinds[name]) for value in values}
    world = World(Opening(tables, state_hash(tables), DAY, 13 * 60 + 10, Parameters({})))
    world.schedule("acceptance_window_ended", due=30, order="ESO-2")
    world.schedule("buffer_return_received", due=70, back="BRT-1")
    return world
