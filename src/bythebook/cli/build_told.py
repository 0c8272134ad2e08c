"""What `bythebook build deliverable-task` tells people, as tables."""

from rich.markup import escape
from rich.table import Table

from bythebook.build.deliverable.build import Built
from bythebook.build.deliverable.funnel import Experts, Passage
from bythebook.build.deliverable.place import Place
from bythebook.build.deliverable.report import Report
from bythebook.cli.speak import people, tell

STATES = {"passed": "green", "waived": "yellow", "returned": "yellow", "lapsed": "red"}


def tell_stands(built: Built, place: Place) -> None:
    table = _table("subject", "stands at", "state", "lacks")
    for one in built.stands:
        colour = STATES.get(one.state, "default")
        state = f"[{colour}]{one.state}[/]"
        table.add_row(escape(one.subject), one.gate or "through", state, str(len(one.lacks) or ""))
    if built.stands:
        people().print(table)
    for one in built.stands:
        if one.state in ("lapsed", "returned"):
            tell(f"{escape(one.subject)}: {escape(one.says)}")
        if one.next:
            tell(f"[bold]next[/] {escape(one.subject)}: {escape(one.next)}")
    if built.next:
        tell(f"[bold]next[/] {escape(built.next)}")
    if any(len(one.lacks) > 1 for one in built.stands):
        tell(
            f"all of them: bythebook build deliverable-task --to {escape(str(place.root))} show ID"
        )


def tell_report(found: Report) -> None:
    for heading, entries in found.criteria.items():
        tell(f"[bold]{heading}[/]")
        for entry in entries:
            tell(f"  {entry.what}: {escape(entry.found)}")
    tell("[bold]Funnel[/]")
    people().print(_funnel(found.funnel))
    tell("[bold]Experts[/]")
    people().print(_experts(found.experts))
    signed = ", ".join(
        f"{kind} {one.signers} ({one.decisions} decisions)" for kind, one in found.signed.items()
    )
    tell(f"  signed by: {signed}")
    for title, lines in (
        ("Gates that were waived", found.waived),
        ("Gates that a model passed in the place of a person", found.stand_ins),
    ):
        tell(f"[bold]{title}[/]: {'' if lines else 'none'}")
        for line in lines:
            tell(f"  {escape(line)}")
    tell(f"tasks through all gates: {found.tasks}; StartupBench has {found.paper}")
    tell(f"the ledger has {found.lines} lines, the last with the hash {found.head or '-'}")


def _funnel(passages: tuple[Passage, ...]) -> Table:
    counts = ("entered", "passed", "waived", "lapsed", "returned", "discarded", "waiting")
    table = _table("gate", *counts)
    for one in passages:
        table.add_row(one.gate, *(str(getattr(one, name)) for name in counts))
    return table


def _experts(found: Experts) -> Table:
    table = _table("experts", str(found.number))
    years = "-" if found.median_years is None else f"{found.median_years:g} years"
    table.add_row("median experience", years)
    for least, share in found.shares.items():
        table.add_row(f"{least} years", "-" if share is None else f"{100 * share:.1f} %")
    table.add_row("domains covered", f"{len(found.domains)}/6")
    return table


def _table(*titles: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if title.isdigit() and number else "left")
    return table
