"""How many came through each gate, and who decided: counted from the ledger alone.

Experts are counted as in StartupBench, Table 8: number, median years, shares with at least 3, 6
and 10 years, domains covered. Only who signed as an expert counts; no model can.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

import msgspec

from bythebook.build.deliverable.gates import STEPS
from bythebook.build.ledger import Decision, Standing
from bythebook.build.signers import compared
from bythebook.deliverables.task import DOMAINS

YEARS = (3, 6, 10)


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """One gate: numbers of products, scenarios or tasks."""

    gate: str
    kind: str
    entered: int
    """Decided on at least once."""
    passed: int
    """Stand there now."""
    waived: int
    lapsed: int
    """Had passed, or were waived; a file has changed since."""
    returned: int
    """Sent back at least once, whatever came of it."""
    discarded: int
    waiting: int
    """Come next to this gate, or are back before it."""


class Experts(msgspec.Struct, frozen=True, kw_only=True):
    """StartupBench, Table 8."""

    number: int
    median_years: float | None
    """None without experts; so are the shares."""
    shares: dict[str, float | None]
    """`>= 3`, `>= 6`, `>= 10` years: share of the experts, 0 to 1."""
    domains: tuple[str, ...]
    """Covered, of the six."""


class Signed(msgspec.Struct, frozen=True):
    """Decisions of one kind of signer, and how many signers there are."""

    signers: int
    decisions: int


def funnel(
    lines: Sequence[Decision], standings: Mapping[str, Mapping[str, Standing]]
) -> tuple[Passage, ...]:
    """`standings`: subject to its gates in order. Subjects that are gone still count as entered."""
    return tuple(
        _passage(kind, step.gate.name, lines, standings)
        for kind, steps in STEPS.items()
        for step in steps
    )


def _passage(
    kind: str,
    gate: str,
    lines: Sequence[Decision],
    standings: Mapping[str, Mapping[str, Standing]],
) -> Passage:
    here = [line for line in lines if line.gate == gate and line.subject.startswith(f"{kind}/")]
    now = {name: gates for name, gates in standings.items() if gate in gates}
    states = [gates[gate].state for gates in now.values()]
    last = [gates[gate].last for gates in now.values() if gates[gate].state == "lapsed"]
    return Passage(
        gate=gate,
        kind=kind,
        entered=len({line.subject for line in here}),
        passed=states.count("passed"),
        waived=states.count("waived"),
        lapsed=sum(one is not None and one.decided in ("pass", "waive") for one in last),
        returned=len({line.subject for line in here if line.decided == "return"}),
        discarded=states.count("discarded"),
        waiting=sum(_first(gates) == gate for gates in now.values()),
    )


def _first(gates: Mapping[str, Standing]) -> str:
    """The gate before which something stands; empty: it is through, or out."""
    stopped = next((one for one in gates.values() if not one.holds), None)
    return stopped.gate if stopped is not None and stopped.state != "discarded" else ""


def experts(lines: Iterable[Decision]) -> Experts:
    years: dict[str, int] = {}
    domains: set[str] = set()
    for line in lines:
        if line.kind == "expert":
            years[compared(line.who)] = line.years or 0
            domains.add(line.domain)
    known = list(years.values())
    shares = {
        f">= {least}": sum(one >= least for one in known) / len(known) if known else None
        for least in YEARS
    }
    return Experts(
        number=len(known),
        median_years=float(median(known)) if known else None,
        shares=shares,
        domains=tuple(name for name in DOMAINS if name in domains),
    )


def signed(lines: Sequence[Decision]) -> dict[str, Signed]:
    kinds = ("expert", "person", "model", "program")
    return {
        kind: Signed(
            len({compared(line.who) for line in lines if line.kind == kind}),
            sum(line.kind == kind for line in lines),
        )
        for kind in kinds
    }
