"""A small payday for tests: two employers, four workers, three floats in two schemes."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import Parameter, Parameters
from bythebook.conduct.world import Opening, Tables, World, state_hash

NUMBERS = Path(__file__).parents[2] / "company" / "parameters" / "wages.yaml"
DAY = "2025-11-07"

ROWS = """
cases:
- {id: CASE-1, party: PTY-1, title: x, opened: 2025-09-01, status: open, handler: you}
- {id: CASE-2, party: PTY-2, title: y, opened: 2025-09-01, status: open, handler: you}
accounts:
- {id: ACC-1, owner: PTY-1, name: w, kind: operating, currency: USD, balance: 100000}
- {id: ACC-2, owner: PTY-1, name: f, kind: fee, currency: USD, balance: 1000}
- {id: ACC-3, owner: PTY-2, name: w, kind: operating, currency: USD, balance: 100000}
wallet_schemes:
- {id: SCH-A, name: A, country: Aland, operator: a}
- {id: SCH-B, name: B, country: Bland, operator: b}
workers:
- {id: WRK-1, employer: PTY-1, place: 1, name: Ana Luz, country: Aland, shift: day}
- {id: WRK-2, employer: PTY-1, place: 2, name: Bo Rey, country: Bland, shift: night}
- {id: WRK-3, employer: PTY-1, place: 3, name: Cy Vos, country: Bland, shift: day}
- {id: WRK-4, employer: PTY-2, place: 1, name: Di Orr, country: Aland, shift: day}
wallets:
- {id: WAL-1, worker: WRK-1, scheme: SCH-A, number: "1", added: 2025-09-01,
   form: null, status: in_use}
- {id: WAL-2, worker: WRK-2, scheme: SCH-B, number: "2", added: 2025-09-01,
   form: null, status: in_use}
- {id: WAL-3, worker: WRK-3, scheme: SCH-B, number: "3", added: 2025-09-01,
   form: null, status: in_use}
- {id: WAL-4, worker: WRK-4, scheme: SCH-A, number: "4", added: 2025-09-01,
   form: null, status: in_use}
- {id: WAL-5, worker: WRK-3, scheme: SCH-B, number: "9", added: 2025-08-01,
   form: null, status: left}
subscribers:
- {id: SUB-1, scheme: SCH-A, number: "1", name: Ana L'Uz}
- {id: SUB-2, scheme: SCH-B, number: "2", name: Bo Rey}
- {id: SUB-3, scheme: SCH-B, number: "3", name: Somebody Else}
- {id: SUB-4, scheme: SCH-A, number: "4", name: Di Jo Orr}
name_checks:
- {id: CHK-1, wallet: WAL-1, name: Ana Luz, day: 2025-10-30, result: exact}
- {id: CHK-2, wallet: WAL-2, name: Bo Rey, day: 2025-10-30, result: exact}
- {id: CHK-3, wallet: WAL-3, name: Cy Vos, day: 2025-10-30, result: exact}
wallet_forms:
- {id: WFM-1, worker: WRK-3, scheme: SCH-B, number: "7", dated: 2025-11-03, sent_by: employer,
   countersigned: true, status: received}
- {id: WFM-2, worker: WRK-1, scheme: SCH-A, number: "1", dated: 2025-11-03, sent_by: employer,
   countersigned: true, status: received}
name_papers:
- {id: NMP-1, worker: WRK-4, kind: passport, name: Di Jo Orr, received: 2025-11-01}
- {id: NMP-2, worker: WRK-1, kind: passport, name: Ana Luz, received: 2025-11-01}
wage_files:
- {id: WGF-1, employer: PTY-1, week: w, payday: 2025-11-07, status: received,
   dues: [{worker: WRK-1, wage: 30000}, {worker: WRK-2, wage: 20000}, {worker: WRK-3, wage: 15000}]}
- {id: WGF-2, employer: PTY-1, week: v, payday: 2025-10-31, status: withdrawn,
   dues: [{worker: WRK-1, wage: 30000}]}
- {id: WGF-3, employer: PTY-2, week: w, payday: 2025-11-07, status: received,
   dues: [{worker: WRK-4, wage: 10000}]}
wage_floats:
- {id: FLT-1, partner: K, scheme: SCH-A, price: 60, minutes: 15, available: 50000,
   booked: 0, used: 0}
- {id: FLT-2, partner: K, scheme: SCH-B, price: 85, minutes: 15, available: 40000,
   booked: 0, used: 0}
- {id: FLT-3, partner: O, scheme: SCH-B, price: 70, minutes: 50, available: 16000,
   booked: 0, used: 0}
"""


def payday(clock: str = "14:00") -> World:
    """The desks at `clock`, half an hour before bookings end by default."""
    kinds = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {kind.table: {} for kind in kinds.values()}
    for name, values in yamlfile.parse(ROWS, "payday.py").items():
        found = [msgspec.convert(row, kinds[name]) for row in values]
        tables[name] = {row.id: row for row in found}
    parameters = Parameters(yamlfile.load(NUMBERS, dict[str, Parameter]))
    hours, minutes = clock.split(":")
    opens = int(hours) * 60 + int(minutes)
    return World(Opening(tables, state_hash(tables), DAY, opens, parameters))
