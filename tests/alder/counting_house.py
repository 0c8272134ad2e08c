"""A counting house for the tests of receivables finance: one client, three debtors, three lines."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import load_parameters
from bythebook.conduct.world import Opening, Tables, World, state_hash

NUMBERS = load_parameters([Path(__file__).parents[2] / "company" / "parameters"])
DAY = "2025-10-22"

ROWS = """
cases:
- {id: CASE-1, party: PTY-1, title: x, opened: 2025-10-21, status: open, handler: you}
- {id: CASE-2, party: PTY-2, title: y, opened: 2025-10-21, status: open, handler: you}
- {id: CASE-3, party: PTY-1, title: z, opened: 2025-10-21, status: closed, handler: you}
accounts:
- {id: ACC-1, owner: PTY-1, name: o, kind: operating, currency: USD, balance: 1000}
- {id: ACC-2, owner: PTY-1, name: f, kind: fee, currency: USD, balance: 2000}
- {id: ACC-3, owner: PTY-2, name: o, kind: operating, currency: USD, balance: 90000}
- {id: ACC-8, owner: ALDER, name: own, kind: suspense, currency: USD, balance: 500000}
- {id: ACC-9, owner: PTY-9, name: pool, kind: suspense, currency: USD, balance: 70000}
debtors:
- {id: DBT-1, client: PTY-1, name: Quick, grade: A, answers_by: portal, answers_in: 2}
- {id: DBT-2, client: PTY-1, name: Slow, grade: B, answers_by: e-mail, answers_in: 9}
- {id: DBT-3, client: PTY-2, name: Other, grade: A, answers_by: portal, answers_in: 2}
ledger_invoices:
- {id: LIV-1, client: PTY-1, debtor: DBT-1, number: a, issued: 2025-09-01, amount: 50000}
- {id: LIV-2, client: PTY-1, debtor: DBT-1, number: b, issued: 2025-07-01, amount: 20000}
- {id: LIV-3, client: PTY-1, debtor: DBT-2, number: c, issued: 2025-10-01, amount: 40000}
- {id: LIV-4, client: PTY-1, debtor: DBT-2, number: d, issued: 2025-10-01, amount: 10000,
   status: disputed}
- {id: LIV-5, client: PTY-2, debtor: DBT-3, number: e, issued: 2025-10-01, amount: 30000}
ledger_credits:
- {id: LCN-1, client: PTY-1, debtor: DBT-1, amount: 5000, issued: 2025-10-10}
- {id: LCN-2, client: PTY-1, debtor: DBT-2, amount: 40000, issued: 2025-10-10}
debtor_letters:
- {id: DLT-1, client: PTY-1, debtor: DBT-1, invoice: LIV-2, kind: payment_slip, amount: 20000,
   dated: 2025-10-20, text: paid}
- {id: DLT-2, client: PTY-1, debtor: DBT-1, invoice: LIV-1, kind: payment_slip, amount: 49999,
   dated: 2025-10-20, text: nearly}
- {id: DLT-3, client: PTY-1, debtor: DBT-2, invoice: LIV-3, kind: side_agreement, amount: 4000,
   dated: 2025-10-20, text: a tenth}
- {id: DLT-4, client: PTY-1, debtor: DBT-2, invoice: LIV-4, kind: other, amount: 0,
   dated: 2025-10-20, text: withdrawn}
- {id: DLT-5, client: PTY-1, debtor: DBT-1, invoice: LIV-1, kind: side_agreement, amount: 50000,
   dated: 2025-10-20, text: all of it}
finance_lines:
- {id: FNL-1, client: PTY-1, product: notified, most: 30000, source: ACC-8}
- {id: FNL-2, client: PTY-1, product: pool, most: 90000, source: ACC-9}
- {id: FNL-3, client: PTY-1, product: quiet, most: 90000, source: ACC-8}
"""


def counting_house(clock: str = "13:30", day: str = DAY) -> World:
    """The house while the pool is open."""
    kinds = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {name: {} for name in kinds}
    for name, rows in yamlfile.parse(ROWS, "counting_house.py").items():
        for row in rows:
            tables[name][row["id"]] = msgspec.convert(row, kinds[name])
    hours, minutes = clock.split(":")
    return World(Opening(tables, state_hash(tables), day, int(hours) * 60 + int(minutes), NUMBERS))
