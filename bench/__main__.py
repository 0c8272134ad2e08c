"""`make bench`: every budget that this machine can show, and the ratios to peers, in one run."""

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.table import Table

from bench import evidence, guard, ours, peers, rl, scale
from bench.work import Work

Row = ours.Figure | ours.Absent


def main() -> int:
    """Measure, print, and say with the exit code whether every goal was met."""
    options = argparse.ArgumentParser(prog="python -m bench")
    options.add_argument("--json", action="store_true", help="one JSON document on stdout")
    options.add_argument(
        "--no-peers", action="store_true", help="leave Inspect, tau2, LibreOffice, markitdown out"
    )
    options.add_argument("--only", choices=sorted(PARTS), help="only this part")
    chosen = options.parse_args()

    others = not chosen.no_peers
    if chosen.only:
        return told(list(PARTS[chosen.only](others)), as_json=chosen.json)
    mine = [*ours.figures(Work.load())]
    found: list[Row] = [*mine, *guard.figures(), *rl.figures(), *scale.figures()]
    found += evidence.figures(peers=others)
    if others:
        found += peers.figures(mine[0].measured, mine[1].measured)
    return told(found, as_json=chosen.json)


PARTS: dict[str, Callable[[bool], Iterable[Row]]] = {
    "evidence": lambda others: evidence.figures(peers=others),
    "guard": lambda _: guard.figures(),
    "peers": lambda _: peers.alone(),
    "rl": lambda _: rl.figures(),
    "scale": lambda _: scale.figures(),
}
"""Parts that can be measured alone; each is told whether peers are wanted."""


def told(rows: Sequence[Row], *, as_json: bool) -> int:
    """Print, and say whether every goal was met."""
    found = [row for row in rows if isinstance(row, ours.Figure)]
    if as_json:
        figures = [vars(figure) | {"met": figure.met} for figure in found]
        absent = [vars(row) for row in rows if isinstance(row, ours.Absent)]
        print(json.dumps({"machine": machine(), "figures": figures, "absent": absent}))
    else:
        show(rows)
    return 0 if all(figure.met for figure in found) else 1


def machine() -> dict[str, str]:
    """Where and when this was measured."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
    }


def show(rows: Sequence[Row]) -> None:
    table = Table(title=" · ".join(machine().values()), title_justify="left")
    for heading in ("what", "measured", "goal", ""):
        table.add_column(heading, justify="left" if heading in ("what", "") else "right")
    for figure in rows:
        if isinstance(figure, ours.Absent):
            table.add_row(f"{figure.what}: absent. {figure.how}", "", "", "")
            continue
        sign = "<=" if figure.better == "less" else ">="
        table.add_row(
            figure.what,
            f"{figure.measured:,.1f} {figure.unit}",
            f"{sign} {figure.goal:,.6g} {figure.unit}",
            "met" if figure.met else "MISSED",
        )
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
