"""A distributor with a bulk payment and gates that close, for the tests of statements, matching and
gates. t = 0 is 13:00; the bank's files come at 14:30 and 16:00."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.parameters import Parameter, Parameters
from bythebook.conduct.world import Opening, Row, Tables, World, state_hash

NUMBERS = Path(__file__).parents[2] / "company" / "parameters" / "matching.yaml"
DAY = "2025-11-06"

ROWS = """
cases:
- {id: CASE-1, party: PTY-1, title: x, opened: 2025-11-06, status: open, handler: you}
- {id: CASE-2, party: PTY-1, title: y, opened: 2025-11-01, status: closed, handler: you}
gates:
- {id: GAT-1, supplier: PTY-5, goods: chilled, funding: to_the_cent}
- {id: GAT-2, supplier: PTY-6, goods: dry, funding: on_account}
gate_windows:
- {id: GWN-1, gate: GAT-1, day: 2025-11-06, opens: "13:10", closes: "13:40"}
- {id: GWN-2, gate: GAT-2, day: 2025-11-06, opens: "13:00", closes: "15:00"}
- {id: GWN-3, gate: GAT-2, day: 2025-11-07, opens: "09:00", closes: "10:00"}
- {id: GWN-4, gate: GAT-1, day: 2025-11-07, opens: "13:10", closes: "13:40"}
purchase_orders:
- {id: PO-1, owner: PTY-1, gate: GAT-1, window: GWN-1, goods: milk, amount: 4000}
- {id: PO-2, owner: PTY-1, gate: GAT-2, window: GWN-2, goods: flour, amount: 5000}
- {id: PO-3, owner: PTY-1, gate: GAT-2, window: GWN-3, goods: oats, amount: 1000}
- {id: PO-9, owner: PTY-9, gate: GAT-2, window: GWN-2, goods: corks, amount: 1000}
order_changes:
- {id: OCH-1, order: PO-2, reference: r, dated: 2025-11-05, amount: 4500}
- {id: OCH-2, order: PO-1, reference: r, dated: 2025-11-05, amount: 3000}
window_lots:
- {id: WLO-1, owner: PTY-1, kind: in_window, goods: [chilled, dry], units: 3, used: 1,
   valid_from: 2025-07-01, valid_to: 2025-12-31}
- {id: WLO-2, owner: PTY-1, kind: hold, goods: [chilled], units: 1, used: 0,
   valid_from: 2025-07-01, valid_to: 2025-10-31}
- {id: WLO-3, owner: PTY-1, kind: in_window, goods: [dry], units: 5, used: 0,
   valid_from: 2024-07-01, valid_to: 2025-01-31}
- {id: WLO-9, owner: PTY-9, kind: in_window, goods: [dry], units: 5, used: 0,
   valid_from: 2025-07-01, valid_to: 2025-12-31}
statement_lines:
- {id: SLN-1, owner: PTY-1, bank: G, remitter: PTY-2, day: 2025-11-06, at: "12:00", reference: r,
   amount: 9000, state: advised, advised_amount: 9000}
- {id: SLN-2, owner: PTY-1, bank: G, remitter: PTY-2, day: 2025-11-05, at: "12:00", reference: r,
   amount: 500, state: final, advised_amount: 500}
bank_records:
- {id: BNK-1, line: SLN-1, amount: 9985, remark: corrected}
remitter_contacts:
- {id: RMC-1, remitter: PTY-2, name: Ada, office: accounts_payable, since: 2025-01-01}
- {id: RMC-2, remitter: PTY-2, name: Bo, office: buying, since: 2025-01-01}
- {id: RMC-9, remitter: PTY-8, name: Cy, office: accounts_payable, since: 2025-01-01}
remitter_records:
- {id: RMR-1, line: SLN-1, contact: RMC-1,
   sends: [{order: PO-1, amount: 4000}], confirms: [{order: PO-1, amount: 3900}]}
"""


def bay() -> World:
    """The afternoon opens; both gates of today close when their windows say so."""
    kinds: dict[str, type[Row]] = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {}
    for name, values in yamlfile.parse(ROWS, "loading_bay.py").items():
        tables[name] = {value["id"]: msgspec.convert(value, kinds[name]) for value in values}
    numbers = Parameters(yamlfile.load(NUMBERS, dict[str, Parameter]))
    world = World(Opening(tables, state_hash(tables), DAY, 13 * 60, numbers))
    world.schedule("window_closed", due=world.minute("13:40"), window="GWN-1")
    world.schedule("window_closed", due=world.minute("15:00"), window="GWN-2")
    return world
