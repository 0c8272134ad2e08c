"""What an evaluation took, in lines for people."""

from collections.abc import Iterator
from decimal import Decimal

from bythebook.run.accounts import Accounts, Spending
from bythebook.run.progress import short
from bythebook.run.summary import Scores


def spending_lines(scores: Scores) -> Iterator[str]:
    """One for each role that a model played, and one for all where there are more."""
    found = scores.accounts
    if found is None:
        return
    for name, spent in found.roles.items():
        judge = name.startswith("judge ")
        what = "sessions" if judge else "replies"
        option = "judge --price IN,OUT,CACHED" if judge else "run --prices FILE"
        yield f"{name}: {spent.calls} {what}{_tokens(spent)}; {_money(spent, option)}"
    if len(found.roles) > 1:
        yield f"all roles: {_sum(found)}"
    if scores.settings:
        shown = ", ".join(f"{name} {value}" for name, value in scores.settings.items())
        yield f"settings as sent: {shown}"


def _tokens(spent: Spending) -> str:
    again = f", {spent.again} asked again" if spent.again else ""
    reasoning = f" ({short(spent.reasoning)} of them reasoning)" if spent.reasoning else ""
    return (
        f"{again}, {short(spent.input)} tokens in"
        f" ({short(spent.cached)} cached), {short(spent.output)} out{reasoning}"
    )


def _money(spent: Spending, option: str) -> str:
    if spent.cost is None or spent.price is None:
        return f"price unknown; `{option}` gives one"
    aside = f", {spent.set_aside:.2f} of it for attempts that do not count"
    return f"{spent.cost:.2f} USD{aside if spent.set_aside else ''} (prices of {spent.price.as_of})"


def _sum(found: Accounts) -> str:
    return "price unknown" if found.cost is None else f"{found.cost or Decimal(0):.2f} USD"
