"""How an evaluation is getting on, counted as it happens."""

from collections import Counter
from dataclasses import dataclass, field
from textwrap import shorten

from bythebook.models.ledger import Ledger
from bythebook.trace import Outcome

FAULT = 120
"""Most letters of a provider's fault in a line for people."""


@dataclass
class Progress:
    """All times are seconds of one clock that only runs on."""

    ledger: Ledger
    began: float
    total: int = 0
    kept: int = 0
    """Finished before."""
    running: int = 0
    valid: int = 0
    """Finished by this command."""
    given_up: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    """Attempts that do not count, by outcome."""

    @property
    def done(self) -> int:
        """Runs that are over, given up ones too."""
        return self.kept + self.valid + self.given_up

    def failure(self, outcome: Outcome) -> None:
        """Count an attempt that was set aside."""
        self.failed[outcome.detail or outcome.kind] += 1

    def left(self, now: float) -> float | None:
        """Seconds to go at the pace so far; None before any run of this command is over."""
        over = self.valid + self.given_up
        if not over:
            return None
        return (now - self.began) / over * (self.total - self.done)

    def words(self, now: float) -> str:
        """One line for people."""
        parts = [f"{self.done}/{self.total} done", f"{self.running} running"]
        parts.append(f"{self.kept + self.valid} valid")
        parts += [f"{count} failed ({cause})" for cause, count in sorted(self.failed.items())]
        parts += [f"{self.given_up} given up"] if self.given_up else []
        parts += spent(self.ledger)
        left = self.left(now)
        parts += [f"about {span(left)} left"] if left is not None and self.running else []
        return ", ".join(parts)


def spent(ledger: Ledger) -> list[str]:
    """What models were asked and what it came to, and whether one has to be asked again; in words
    for people."""
    again = [f"{ledger.again} asked again"] if ledger.again else []
    again += [f"asking again: {shorten(ledger.fault, FAULT)}"] if ledger.fault else []
    if not ledger.calls:
        return again
    read = f"{short(ledger.input)} tokens in ({short(ledger.cached)} cached)"
    cost = "price unknown" if ledger.unpriced else f"{ledger.cost:.2f} USD"
    return [f"{read}, {short(ledger.output)} out", *again, cost]


def short(count: int) -> str:
    """A count for a glance: 812, 34.1k, 5.2M."""
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}{unit}"
    return str(count)


def span(seconds: float) -> str:
    """A length of time for a glance."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min"
