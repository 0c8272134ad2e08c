"""A merchant at the water with three payees and a list, for the tests of screening and watch."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import Parameter, Parameters
from bythebook.conduct.world import Opening, Row, Tables, World, state_hash

FOLDER = Path(__file__).parents[2] / "company" / "parameters"
NUMBERS = [FOLDER / f"{name}.yaml" for name in ("payouts", "screening", "treasury", "fx")]
DAY = "2025-11-04"

ROWS = """
cases: [{id: CASE-1, party: PTY-1, title: x, opened: 2025-11-04, status: open, handler: payouts}]
accounts: [{id: ACC-1, owner: PTY-1, name: a, kind: operating, currency: USD, balance: 20000}]
daily_limits: [{id: DLM-1, party: PTY-1, day: 2025-11-04, standing: 8000, ceiling: 8000, used: 0}]
payees:
- {id: PYE-1, owner: PTY-1, name: Marram Sails, bank: Sound Bank, ending: "1111", currency: USD,
   partner: null, added: 2025-01-01, status: live}
- {id: PYE-2, owner: PTY-1, name: Quiet Harbour Cards, bank: Sound Bank, ending: "2222",
   currency: USD, partner: null, added: 2025-01-01, status: live}
- {id: PYE-3, owner: PTY-1, name: Gone Ropes, bank: Sound Bank, ending: "3333", currency: USD,
   partner: null, added: 2025-01-01, status: closed}
- {id: PYE-9, owner: PTY-9, name: Marram Sails, bank: Sound Bank, ending: "9999", currency: USD,
   partner: null, added: 2025-01-01, status: live}
payouts:
- {id: PAY-1, party: PTY-1, case: CASE-1, payee: PYE-1, currency: USD, amount: 3000,
   funding: ACC-1, route: same_day, fee: 150, status: draft}
- {id: PAY-2, party: PTY-1, case: CASE-1, payee: PYE-2, currency: USD, amount: 1500,
   funding: ACC-1, route: same_day, fee: 150, status: draft}
- {id: PAY-8, party: PTY-1, case: CASE-1, payee: PYE-1, currency: USD, amount: 900,
   funding: ACC-1, route: next_day, fee: 0, status: settled, settled_on: 2025-09-01}
- {id: PAY-9, party: PTY-9, case: CASE-1, payee: PYE-9, currency: USD, amount: 900,
   funding: ACC-9, route: next_day, fee: 0, status: settled, settled_on: 2025-09-01}
trade_documents:
- {id: TDC-1, owner: PTY-1, payee_name: Quiet Harbour Cards, reference: q, currency: USD,
   covers: "Prepaid cards, 4", amount: 1500, dated: 2025-11-01}
list_entries:
- {id: LST-1, kind: name, name: Maram Sail, also: [Other Name], country: Karsia,
   incorporated: null, register_number: K-1, status: listed}
- {id: LST-2, kind: name, name: Marram Sails, also: [], country: null, incorporated: null,
   register_number: null, status: delisted}
- {id: LST-3, kind: goods, name: Stored value, also: [gift code, prepaid card], country: null,
   incorporated: null, register_number: null, status: listed}
counterparty_papers:
- {id: CPP-1, owner: PTY-1, payee_name: Marram Sails, kind: register_extract, issued: 2025-10-01,
   country: United States, incorporated: 2001-01-01, register_number: US-1}
- {id: CPP-2, owner: PTY-1, payee_name: Marram Sails, kind: bank_letter, issued: 2025-09-05,
   country: United States, bank: Sound Bank, ending: "1111"}
- {id: CPP-3, owner: PTY-1, payee_name: Marram Sails, kind: bank_letter, issued: 2025-09-04,
   bank: Sound Bank, ending: "1111"}
- {id: CPP-4, owner: PTY-1, payee_name: Quiet Harbour Cards, kind: bank_letter,
   issued: 2025-10-30, bank: Sound Bank, ending: "2223"}
- {id: CPP-9, owner: PTY-9, payee_name: Marram Sails, kind: bank_letter, issued: 2025-10-30,
   bank: Sound Bank, ending: "1111"}
"""


def pier(clock: int = 13 * 60) -> World:
    """One in the afternoon; same-day payouts close at a quarter past two."""
    kinds = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {}
    for name, values in yamlfile.parse(ROWS, "pier.py").items():
        found: list[Row] = [msgspec.convert(row, kinds[name]) for row in values]
        tables[name] = {row.id: row for row in found}
    numbers: dict[str, Parameter] = {}
    for path in NUMBERS:
        numbers |= yamlfile.load(path, dict[str, Parameter])
    return World(Opening(tables, state_hash(tables), DAY, clock, Parameters(numbers)))
