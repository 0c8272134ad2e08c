"""How runs ended, what is missing, and what did not count."""

from collections import Counter
from collections.abc import Callable

from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.notes import nothing, sizes
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables.board import EVALUATION, Head

COUNTS: dict[str, tuple[str, str, Callable[[Evaluation], int | None]]] = {
    "planned": (
        "planned",
        "Runs that the plan asks for.",
        lambda one: len(one.plan.tasks) * one.plan.runs if one.plan is not None else None,
    ),
    "valid": ("valid runs", "Ended by the agent, the customer or a limit.", lambda e: len(e.runs)),
    "finished": ("finished", "The agent ended it.", lambda one: _ended(one, "completed(finished)")),
    "customer_left": (
        "customer left",
        "The customer lost patience.",
        lambda one: _ended(one, "completed(customer_left)"),
    ),
    "limit": ("at a limit", "Time, calls, errors, steps or context.", lambda e: _ended(e, "limit")),
    "void": ("void", "Valid runs with a rule or item that is void.", lambda e: _void(e)),
    "missing": (
        "missing",
        "Planned runs without a valid attempt.",
        lambda one: one.scores.summary.missing,
    ),
    "infrastructure": (
        "infrastructure",
        "Attempts set aside: provider, sandbox, harness or bythebook broke.",
        lambda one: _aside(one, "infrastructure_failure"),
    ),
    "simulator": (
        "simulator",
        "Attempts set aside: the simulated customer broke its protocol.",
        lambda one: _aside(one, "simulator_failure"),
    ),
    "in_flight": (
        "in flight",
        "Attempts set aside: a process ended before they did.",
        lambda one: _aside(one, "in flight"),
    ),
    "at_work": (
        "set aside at work",
        "Of all attempts set aside: the agent had moved, or its model had answered. Many more than"
        " others have at the same provider tell of an agent that gets rid of its runs.",
        lambda one: sum(attempt.at_work for attempt in one.aside),
    ),
    "problems": (
        "not read",
        "Runs that do not read or are not judged; `report` names them.",
        lambda one: len(one.problems),
    ),
}


def coverage(evaluations: Evaluations, suite: str) -> Table:
    """One row an evaluation: both denominators, and all that lies between them."""
    head = Head(
        id=f"{suite}-runs",
        title="Runs and attempts",
        says="How runs ended, and attempts that do not count. Nothing that is void, missing or set"
        " aside is ever the agent's failure.",
        suite=suite,
    )
    shown = {
        key: told
        for key, told in COUNTS.items()
        if suite == "conduct" or key not in ("customer_left", "simulator")
    }
    columns = [Column(key, title, "count", says) for key, (title, says, _) in shown.items()]
    rows = [
        Row(
            one.label,
            {
                "evaluation": Cell(one.label),
                **{key: Cell(count(one)) for key, (_, _, count) in shown.items()},
                "causes": Cell(_causes(one)),
            },
        )
        for one in evaluations.of(suite)
    ]
    causes = Column("causes", "limits and causes", says="Which limits and causes, and how often.")
    notes = (sizes(evaluations, suite),) if rows else nothing(f"no {suite} evaluation was given")
    return head.table((EVALUATION, *columns, causes), rows, notes)


def _ended(one: Evaluation, how: str) -> int:
    return sum(run.outcome.startswith(how) for run in one.runs)


def _void(one: Evaluation) -> int:
    return sum(bool(run.void) for run in one.runs)


def _aside(one: Evaluation, cause: str) -> int:
    return sum(attempt.cause.startswith(cause) for attempt in one.aside)


def _causes(one: Evaluation) -> str:
    limits = [run.outcome for run in one.runs if not run.outcome.startswith("completed")]
    counted = Counter([*limits, *(attempt.cause for attempt in one.aside)])
    return ", ".join(f"{cause} {count}" for cause, count in sorted(counted.items()))
