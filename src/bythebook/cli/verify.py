"""`bythebook verify`: a sealed evaluation judged again by whoever received it."""

from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from bythebook.cli.options import as_json, common
from bythebook.cli.speak import emit, people
from bythebook.errors import UsageError
from bythebook.run.apart import Bounds
from bythebook.run.signature import beside
from bythebook.run.verify import Verified, Wanted, verify

GB = 2**30


@click.command("verify")
@click.argument("bundle", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--signed-by",
    "keys",
    type=click.Path(path_type=Path),
    metavar="KEY.pub",
    help="Public keys of OpenSSH, one a line; one of them must have signed FILE.",
)
@click.option("--digest", default="", metavar="SHA256", help="What `seal` said, made known before.")
@click.option(
    "--largest",
    default=4,
    show_default=True,
    type=click.IntRange(1),
    metavar="GB",
    help="It may unpack to so much.",
)
@click.option(
    "--seconds",
    default=60,
    show_default=True,
    type=click.IntRange(1),
    metavar="N",
    help="Judging one run may take so long.",
)
@click.option(
    "--memory",
    default=4,
    show_default=True,
    type=click.IntRange(1),
    metavar="GB",
    help="Judging may take so much.",
)
@as_json
@common
def command(bundle: Path, digest: str, as_json: bool, **given: Any) -> int:
    """Judge every run in FILE again, offline, and compare with the sealed verdicts.

    Exit code 1: a verdict differs, or cannot be made again here. Exit code 2: FILE is cut off, was
    changed, or is not signed by KEY.
    """
    if digest and (len(digest) != 64 or set(digest.lower()) - set("0123456789abcdef")):
        raise UsageError("--digest is 64 hexadecimal digits")
    bounds = Bounds(seconds=given["seconds"], memory=given["memory"] * GB)
    found = verify(bundle, Wanted(given["keys"], digest, given["largest"] * GB, bounds))
    if as_json:
        emit(found)
    _tell(found, bundle, known=bool(digest), quiet=as_json)
    return 0 if found.count("same") == len(found.runs) else 1


def _tell(found: Verified, bundle: Path, *, known: bool, quiet: bool) -> None:
    console = people()
    for run in found.runs:
        if not quiet or run.state != "same":
            says = f": {run.says}" if run.says else ""
            console.print(f"{run.state} {escape(f'{run.task}/{run.run}{says}')}")
    for line in found.left_out:
        console.print(f"left out: {escape(line)}")
    counts = (f"{found.count('same')} same", f"{found.count('differs')} differ")
    console.print(
        f"{found.agent}, {found.suite}: {', '.join(counts)}, {found.count('cannot')} cannot be"
        f" judged here; {len(found.runs)} of {found.planned} planned runs are sealed"
    )
    console.print(f"digest {found.digest}")
    if found.signed_by:
        console.print(f"signed by {escape(found.signed_by)}")
    elif not known:
        signed = ", which a signature lies beside" if beside(bundle).is_file() else ""
        console.print(
            f"nothing shows who made this file{signed}: ask for the digest or the key by another"
            " way, and give --digest or --signed-by"
        )
