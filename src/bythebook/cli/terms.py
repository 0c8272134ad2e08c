"""Options of `run` that say how fast, how dear and how often: nothing of it is part of the plan."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from bythebook.cli.customer import AskCustomer
from bythebook.errors import UsageError
from bythebook.models.ledger import Ledger
from bythebook.models.price import PriceTable, shipped
from bythebook.run.accounts import accounts, judging_model, keep_prices
from bythebook.run.evaluate import Order, Retry
from bythebook.run.folder import EvaluationFolder
from bythebook.run.traffic import Traffic

Command = TypeVar("Command", bound=Callable[..., Any])


class AskTerms(AskCustomer, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    model: str | None
    concurrency: int
    budget: str | None
    prices: Path | None
    per_minute: int | None
    retry: Retry
    executor: Literal["local", "ray"] = "local"
    workers: int | None = None
    mirror: str | None = None
    judge: str | None = None

    @property
    def models(self) -> Iterator[str]:
        """Those that will be asked, a judge's too."""
        if self.model:
            yield self.model
        if judging := judging_model(self.judge or ""):
            yield judging
        if ":" in self.simulator:
            yield self.simulator

    @property
    def price_table(self) -> PriceTable:
        return priced(self.prices)


def terms(command: Command) -> Command:
    """Give a command the options of `AskTerms`."""
    options = (
        click.option(
            "--budget",
            metavar="USD",
            help="Begin and ask no more when runs and judging have cost so much in the folder.",
        ),
        click.option(
            "--prices",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Prices of your own, before the shipped ones.",
        ),
        click.option(
            "--per-minute",
            type=click.IntRange(1),
            metavar="N",
            help="Most requests a minute at each provider, evenly spread.",
        ),
        click.option(
            "--executor",
            type=click.Choice(["local", "ray"]),
            default="local",
            show_default=True,
            help="Play in this process, or by workers of the Ray cluster at RAY_ADDRESS.",
        ),
        click.option(
            "--workers",
            type=click.IntRange(1),
            metavar="N",
            help="Of --executor ray.  [default: one for each processor]",
        ),
        click.option(
            "--mirror",
            metavar="URL",
            help="Keep a copy of the run folder there (fsspec), and go on from it.",
        ),
        click.option(
            "--dry-run",
            is_flag=True,
            help="Say what it would take, ask nobody and write nothing.",
        ),
        click.option(
            "--retry",
            type=click.Choice(["infrastructure", "simulator"]),
            help="Play only runs whose last attempt failed so.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def priced(own: Path | None) -> PriceTable:
    """The shipped table, with a file of one's own before it."""
    return shipped() if own is None else shipped().with_own(PriceTable.read(own))


def traffic(ask: AskTerms, folder: EvaluationFolder) -> Traffic:
    """What all models of the command share. What earlier commands spent in this folder counts."""
    ledger = opened(ask.price_table, dollars(ask.budget), ask.models, folder)
    return Traffic(ask.concurrency, ask.per_minute, ledger)


def opened(
    table: PriceTable, budget: Decimal | None, models: Iterable[str], folder: EvaluationFolder
) -> Ledger:
    """The ledger of a command that asks these models. With a budget, what was spent in the folder
    before stands in it."""
    ledger = Ledger(table, budget)
    if budget is not None:
        for model in models:
            if table.price(model) is None:
                raise UsageError(
                    f"no price of {model} is known, so --budget cannot be kept",
                    hint="give it one with --prices FILE; docs/running.md shows the form",
                )
        if folder.plan is not None:
            ledger.cost = accounts(folder, table).cost or Decimal(0)
    return ledger


def order(ask: AskTerms, shared: Traffic) -> Order:
    return Order(ask.concurrency, ask.retry or "", shared.ledger, ask.dry_run)


def keep(ask: AskTerms, folder: EvaluationFolder) -> None:
    """Store the prices that were gone by."""
    keep_prices(folder, ask.price_table, ask.models)


def dollars(text: str | None) -> Decimal | None:
    """Raises `UsageError` for what is no sum of money."""
    if text is None:
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal(0)
    if not found.is_finite() or found <= 0:
        raise UsageError(f"--budget {text!r} is no sum of US dollars such as 12.50")
    return found
