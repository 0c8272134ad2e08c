"""`make bench`: every budget that this machine can show, and the ratios to peers, in one run."""

import argparse
import json
import platform
import sys
import time
from importlib.util import find_spec

from rich.console import Console
from rich.table import Table

from bench import evidence, guard, ours, rl, scale
from bench.work import Work


def main() -> int:
    """Measure, print, and say with the exit code whether every goal was met."""
    options = argparse.ArgumentParser(prog="python -m bench")
    options.add_argument("--json", action="store_true", help="one JSON document on stdout")
    options.add_argument(
        "--no-peers", action="store_true", help="leave Inspect, LibreOffice and markitdown out"
    )
    options.add_argument(
        "--only", choices=["evidence", "guard", "rl", "scale"], help="only this part"
    )
    chosen = options.parse_args()

    if chosen.only == "evidence":
        return told(list(evidence.figures(peers=not chosen.no_peers)), as_json=chosen.json)
    if chosen.only == "scale":
        return told(list(scale.figures()), as_json=chosen.json)
    if chosen.only == "guard":
        return told(list(guard.figures()), as_json=chosen.json)
    if chosen.only == "rl":
        return told(list(rl.figures()), as_json=chosen.json)
    found = [*ours.figures(Work.load()), *guard.figures(), *rl.figures(), *scale.figures()]
    found += evidence.figures(peers=not chosen.no_peers)
    if not chosen.no_peers and find_spec("inspect_ai"):
        from bench.inspect_peer import seconds_per_step

        peer = seconds_per_step() * ours.MICRO
        ratio = peer / found[0].measured
        what = f"the same 200 calls under Inspect take {peer:,.0f} µs of CPU each: times ours"
        found.append(ours.Figure(what, ratio, 40, "x", "more"))
    return told(found, as_json=chosen.json)


def told(found: list[ours.Figure], *, as_json: bool) -> int:
    """Print, and say whether every goal was met."""
    if as_json:
        figures = [vars(figure) | {"met": figure.met} for figure in found]
        print(json.dumps({"machine": machine(), "figures": figures}))
    else:
        show(found)
    return 0 if all(figure.met for figure in found) else 1


def machine() -> dict[str, str]:
    """Where and when this was measured."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
    }


def show(found: list[ours.Figure]) -> None:
    table = Table(title=" · ".join(machine().values()), title_justify="left")
    for heading in ("what", "measured", "goal", ""):
        table.add_column(heading, justify="left" if heading in ("what", "") else "right")
    for figure in found:
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
