"""A merchant with a deposit, for the tests of treasury, payouts, fx, settlements and limits."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import Parameter, Parameters
from bythebook.conduct.world import Opening, Row, Tables, World, state_hash

FOLDER = Path(__file__).parents[2] / "company" / "parameters"
NUMBERS = [FOLDER / f"{name}.yaml" for name in ("treasury", "payouts", "fx")]
DAY = "2025-10-08"

ROWS = """
parties: [{id: PTY-1, name: Tiles & Co, role: merchant, jurisdiction: US, segment: merchant}]
cases: [{id: CASE-1, party: PTY-1, title: x, opened: 2025-10-08, status: open, handler: you}]
accounts:
- {id: ACC-1, owner: PTY-1, name: o, kind: operating, currency: USD, balance: 2000}
- {id: ACC-2, owner: PTY-1, name: e, kind: settlement, currency: EUR, balance: 0}
- {id: ACC-9, owner: PTY-9, name: o, kind: operating, currency: USD, balance: 5000}
collateral_accounts:
- {id: COA-1, owner: PTY-1, currency: USD, jurisdiction: US, balance: 6000, provisional: 0,
   held: 1500, status: open}
- {id: COA-9, owner: PTY-9, currency: USD, jurisdiction: US, balance: 3000, provisional: 0,
   held: 0, status: frozen}
holds:
- {id: HLD-1, collateral: COA-1, dispute: D1, amount: 1500, placed: 2025-09-01, status: active}
closing_notices:
- {id: CLN-1, dispute: D1, stage: final, outcome: for_merchant, issued: 2025-10-01}
- {id: CLN-2, dispute: D2, stage: final, outcome: for_merchant, issued: 2025-10-01}
- {id: CLN-3, dispute: D1, stage: final, outcome: for_cardholder, issued: 2025-10-01}
standing_collections:
- {id: SCO-1, party: PTY-1, account: ACC-1, what: instalment, amount: 900, day: 2025-10-08,
   at: "16:00", status: due}
payees:
- {id: PYE-1, owner: PTY-1, name: Mill, bank: B, ending: "1111", currency: USD, partner: null,
   added: 2025-01-01, status: live}
- {id: PYE-2, owner: PTY-1, name: Tiles, bank: C, ending: "2222", currency: EUR, partner: Lumiar,
   added: 2025-01-01, status: live}
- {id: PYE-3, owner: PTY-1, name: Gone, bank: D, ending: "3333", currency: USD, partner: null,
   added: 2025-01-01, status: closed}
trade_documents:
- {id: TDC-1, owner: PTY-1, payee_name: Tiles, reference: r1, covers: tiles, currency: EUR,
   amount: 1000, dated: 2025-10-01}
- {id: TDC-2, owner: PTY-1, payee_name: Mill, reference: r2, covers: cloth, currency: USD,
   amount: 1000, dated: 2025-10-01}
market_rates: [{id: RTE-1, buy: EUR, sell: USD, rate: 11900}]
fx_quotes:
- {id: FXQ-1, party: PTY-1, buy: EUR, sell: USD, most: 3400, rate: 11700, given: -12, expires: 18,
   status: open}
expected_credits:
- {id: EXC-1, owner: PTY-1, file: F1, network: Harrow, currency: USD, amount: 2000,
   due_day: 2025-10-08, due_at: "13:48", status: expected}
- {id: EXC-2, owner: PTY-1, file: F1, network: Harrow, currency: USD, amount: 700,
   due_day: 2025-10-08, due_at: "13:00", status: received}
daily_limits:
- {id: DLM-1, party: PTY-1, day: 2025-10-08, standing: 5000, ceiling: 5000, used: 0}
- {id: DLM-2, party: PTY-1, day: 2025-10-09, standing: 5000, ceiling: 5000, used: 0}
"""


def till(clock: str = "13:10") -> World:
    """The merchant's afternoon: Harrow's 20.00 are due at 13:48, the instalment at 16:00."""
    kinds: dict[str, type[Row]] = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {}
    for name, values in yamlfile.parse(ROWS, "till.py").items():
        tables[name] = {value["id"]: msgspec.convert(value, kinds[name]) for value in values}
    entries: dict[str, Parameter] = {}
    for path in NUMBERS:
        entries |= yamlfile.load(path, dict[str, Parameter])
    hours, minutes = clock.split(":")
    start = int(hours) * 60 + int(minutes)
    world = World(Opening(tables, state_hash(tables), DAY, start, Parameters(entries)))
    world.schedule("settlement_received", due=world.minute("13:48"), credit="EXC-1")
    world.schedule("collection_due", due=world.minute("16:00"), collection="SCO-1")
    return world
