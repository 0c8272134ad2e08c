"""A small pool for tests: two creditors, four payers, one file of three debits."""

from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.alder import DESKS
from bythebook.conduct.consent import Approval
from bythebook.conduct.parameters import Parameter, Parameters
from bythebook.conduct.world import Opening, Tables, World, state_hash, terms_hash

NUMBERS = Path(__file__).parents[2] / "company" / "parameters" / "debits.yaml"
DAY = "2025-10-29"

ROWS = """
debit_instructions:
- {id: DIN-1, creditor: PTY-1, currency: EUR, monthly_cap: 30000}
debit_files:
- {id: DBF-1, creditor: PTY-1, instruction: DIN-1, month: 2025-11, collection_day: 2025-11-05,
   status: draft}
debit_mandates:
- {id: DBM-1, creditor: PTY-1, payer: Ana, reference: A-1, signed: 2020-01-01,
   last_used: 2025-08-05, told: 9000}
- {id: DBM-2, creditor: PTY-1, payer: Bo, reference: B-1, signed: 2020-01-01,
   last_used: 2023-08-05, told: 9000}
- {id: DBM-3, creditor: PTY-1, payer: Cy, reference: C-1, signed: 2025-10-01,
   last_used: null, told: null}
- {id: DBM-4, creditor: PTY-2, payer: Bo, reference: D-1, signed: 2020-01-01,
   last_used: 2025-08-05, told: 100}
debit_entries:
- {id: DBE-1, file: DBF-1, payer: Ana, mandate: DBM-1, kind: subscription, amount: 9000,
   fell_due: 2025-11-05}
- {id: DBE-2, file: DBF-1, payer: Bo, mandate: DBM-2, kind: arrears, amount: 8000,
   fell_due: 2025-06-05}
- {id: DBE-3, file: DBF-1, payer: Cy, mandate: DBM-3, kind: joining_fee, amount: 15000,
   fell_due: 2025-11-05}
mandate_papers:
- {id: MPA-1, creditor: PTY-1, payer: Bo, reference: B-2, signed: 2025-10-20, kind: original,
   status: received}
- {id: MPA-2, creditor: PTY-1, payer: Ana, reference: A-1, signed: 2020-01-01, kind: copy,
   status: received}
register_entries:
- {id: RGE-1, reference: A-1, state: active}
- {id: RGE-2, reference: B-1, state: revoked}
- {id: RGE-3, reference: B-2, state: active}
"""


def pool(clock: str = "12:00") -> World:
    """The desks at `clock`, three hours before the call by default."""
    kinds = {kind.table: kind for desk in DESKS for kind in desk.rows}
    tables: Tables = {kind.table: {} for kind in kinds.values()}
    for name, values in yamlfile.parse(ROWS, "pool.py").items():
        found = [msgspec.convert(row, kinds[name]) for row in values]
        tables[name] = {row.id: row for row in found}
    parameters = Parameters(yamlfile.load(NUMBERS, dict[str, Parameter]))
    hours, minutes = clock.split(":")
    opens = int(hours) * 60 + int(minutes)
    return World(Opening(tables, state_hash(tables), DAY, opens, parameters))


def sign(world: World, file: str, minutes: int = 60) -> Approval:
    """The creditor approves the file as it stands."""
    row = world.tables["debit_files"][file]
    return world[Approval].add(
        subject_table="debit_files",
        subject=file,
        terms_hash=terms_hash(row),
        by="customer",
        t=world.t,
        expires=world.t + minutes,
    )
