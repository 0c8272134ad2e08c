"""`bythebook export harbor-reward`: a judged run as the reward file that Harbor reads."""

from pathlib import Path

import click
from rich.markup import escape

from bythebook.cli.options import as_json, common
from bythebook.cli.speak import emit, tell
from bythebook.interop.harbor.layout import REWARD
from bythebook.interop.harbor.reward import reward
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder, as_text


@click.command("harbor-reward", short_help="The reward of a run, in the file that Harbor reads.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--to", required=True, type=click.Path(path_type=Path), metavar="LOGS")
@click.option(
    "--judged", is_flag=True, help="A judge was asked: what it left open gives no reward."
)
@as_json
@common
def command(folder: Path, to: Path, judged: bool, as_json: bool) -> None:
    """Write LOGS/reward.json of the one run in DIR, as the tests of an exported task do.

    Where something is void through a fault of our own nothing is written, and Harbor counts an
    error of the trial instead of a zero.
    """
    found = reward(EvaluationFolder(folder), judged=judged)
    write_whole(to / REWARD, as_text(found))
    if as_json:
        emit(found)
    tell(f"reward {found['reward']:.4f}: {escape(str(to / REWARD))}")
