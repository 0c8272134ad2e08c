"""A chain of two tea rooms, for the tests of pricing, terminals and takings."""

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import Parameter, Parameters, Period
from bythebook.conduct.world import Opening, Row, Tables, World, state_hash

DAY = "2025-10-30"

ROWS = """
parties:
- {id: PTY-1, name: chain, role: merchant, jurisdiction: US, segment: chain}
- {id: PTY-2, name: franchisee, role: merchant, jurisdiction: US, segment: franchise}
- {id: PTY-3, name: gone, role: merchant, jurisdiction: US, segment: chain, status: dormant}
cases:
- {id: CASE-1, party: PTY-1, title: x, opened: 2025-10-30, status: open, handler: you}
- {id: CASE-2, party: PTY-1, title: y, opened: 2025-10-30, status: closed, handler: you}
card_plans:
- {id: CPL-1, name: old, rate: 165, per_sale: 10, offered: false}
- {id: CPL-2, name: new, rate: 120, per_sale: 0, offered: true}
shops:
- {id: SHP-1, chain: PTY-1, holder: PTY-1, name: a, plan: CPL-1, closes: "17:00"}
- {id: SHP-2, chain: PTY-1, holder: PTY-1, name: b, plan: CPL-1, closes: "13:50"}
- {id: SHP-9, chain: PTY-9, holder: PTY-9, name: z, plan: CPL-1, closes: "17:00"}
shop_promotions:
- {id: SPM-1, shop: SHP-1, name: p, since: 2025-09-01, until: 2025-10-01}
- {id: SPM-2, shop: SHP-9, name: q, since: 2025-09-01, until: 2025-12-01}
card_terminals:
- {id: TRM-1, shop: SHP-1, model: portable, certificate_until: 2025-10-31}
- {id: TRM-2, shop: SHP-2, model: portable, certificate_until: 2025-10-31}
- {id: TRM-3, shop: SHP-1, model: counter, certificate_until: 2025-10-31, status: swapped}
terminal_batches:
- {id: TBT-1, terminal: TRM-1, shop: SHP-1, opened: 2025-10-30, sales: 10, amount: 20000}
- {id: TBT-2, terminal: TRM-2, shop: SHP-2, opened: 2025-10-30, sales: 3, amount: 900}
swap_slots:
- {id: SWS-1, engineer: e, day: 2025-10-30, start: "13:45", minutes: 15, model: portable}
- {id: SWS-2, engineer: e, day: 2025-10-30, start: "13:00", minutes: 15, model: portable}
- {id: SWS-3, engineer: e, day: 2025-10-30, start: "14:30", minutes: 15, model: counter}
- {id: SWS-4, engineer: e, day: 2025-10-31, start: "09:30", minutes: 15, model: portable}
- {id: SWS-5, engineer: e, day: 2025-10-29, start: "18:30", minutes: 15, model: portable}
takings_accounts:
- {id: PAC-1, party: PTY-1, bank: b, ending: "1", what: t, proven: 2022-01-01}
- {id: PAC-2, party: PTY-1, bank: b, ending: "2", what: t, proven: 2023-01-01}
- {id: PAC-3, party: PTY-1, bank: b, ending: "3", what: t, proven: 2021-01-01, status: left}
- {id: PAC-9, party: PTY-9, bank: b, ending: "9", what: t, proven: 2021-01-01}
bank_changes:
- {id: BCH-1, party: PTY-1, leaves: PAC-1, bank: n, ending: "7", sent_by: me, came: 2025-10-29,
   phone: "555 9"}
- {id: BCH-2, party: PTY-9, leaves: PAC-9, bank: n, ending: "8", sent_by: me, came: 2025-10-29,
   phone: "555 9"}
phone_answers:
- {id: PHA-1, phone: "555 1", who: treasurer, since: "13:00", says_yes: true}
- {id: PHA-2, phone: "555 2", who: owner, since: "08:00", says_yes: false}
takings_payouts:
- {id: TKP-1, shop: SHP-1, party: PTY-1, account: PAC-1, amount: 500, run_day: 2025-10-30}
- {id: TKP-2, shop: SHP-2, party: PTY-1, account: PAC-1, amount: 700, run_day: 2025-10-31}
- {id: TKP-3, shop: SHP-2, party: PTY-1, account: PAC-2, amount: 90, run_day: 2025-10-30}
- {id: TKP-4, shop: SHP-2, party: PTY-1, account: PAC-1, amount: 80, run_day: 2025-10-29,
   status: paid}
shut_accounts:
- {id: SHU-1, account: PAC-1, since: 2025-10-30}
"""
POLICY = Parameters({"terminal.batch.minutes": Parameter("minutes", (Period(5),))})


def tea_rooms() -> World:
    """A quarter to one; the evening run goes at half past three."""
    kinds: dict[str, type[Row]] = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {}
    for name, values in yamlfile.parse(ROWS, "tea_rooms.py").items():
        tables[name] = {value["id"]: msgspec.convert(value, kinds[name]) for value in values}
    world = World(Opening(tables, state_hash(tables), DAY, 12 * 60 + 45, POLICY))
    world.schedule("takings_run", due=165, day=DAY)
    return world
