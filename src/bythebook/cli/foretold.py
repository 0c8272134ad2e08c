"""What `run --dry-run` says."""

from rich.markup import escape
from rich.table import Table

from bythebook.cli.asked import Ask
from bythebook.cli.speak import counted, emit, people, tell
from bythebook.run.accounts import accounts
from bythebook.run.evaluate import Tally
from bythebook.run.folder import EvaluationFolder
from bythebook.run.forecast import Ahead, Forecast, Part, forecast
from bythebook.run.progress import short, span


def foretell(ask: Ask, folder: EvaluationFolder, tally: Tally, *, as_json: bool) -> int:
    """Print the forecast of what is missing."""
    if tally.plan is None:
        return 0
    ahead = Ahead(tally.plan, tally.waiting, tally.kept, ask.concurrency)
    table = ask.price_table
    found = forecast(ahead, table, accounts(folder, table) if tally.kept else None)
    if as_json:
        emit(found)
    else:
        _show(found, ask.concurrency)
    return 0


def _show(found: Forecast, concurrency: int) -> None:
    tell(f"{counted(found.runs, 'run')} to play, {found.kept} finished before")
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("role", "model", "sessions", "calls", "tokens in", "out", "USD"):
        table.add_column(heading, justify="left" if heading in ("role", "model") else "right")
    for part in found.parts:
        table.add_row(
            part.role, escape(part.model), f"{part.sessions:,}", f"{part.calls:,}",
            short(part.input), short(part.output), _price(part),
        )  # fmt: skip
    people().print(table)
    if not found.parts:
        tell("no model is asked, so nothing is to be paid")
        return
    hours = span(found.hours * 3600)
    tell(f"about {hours} at --concurrency {concurrency}, if no provider slows it down")
    tell("an estimate, no bid. It assumes:")
    for part in found.parts:
        tell(f"  {part.role}: {escape(part.assumes)}")
        tell(f"  {part.role}: prices of {escape(part.priced or 'nowhere: give --prices FILE')}")
    tell("  USD from all repeated input in the provider's cache, to none of it")
    tell(f"  left out: {'; '.join(found.leaves_out)}")


def _price(part: Part) -> str:
    if part.low is None or part.high is None:
        return "unknown"
    return f"{part.low:,.2f} - {part.high:,.2f}"
