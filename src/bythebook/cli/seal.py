"""`bythebook seal`: an evaluation as one file that somebody elsewhere can judge again."""

from pathlib import Path
from typing import Any

import click
import msgspec
from rich.markup import escape

from bythebook.cli.names import from_file, names_of
from bythebook.cli.options import as_json, common
from bythebook.cli.speak import emit, people
from bythebook.run.folder import EvaluationFolder
from bythebook.run.private import Cover
from bythebook.run.seal import Sealed, seal
from bythebook.run.signature import beside, sign


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What `--json` prints."""

    sealed: Sealed
    signature: str
    """Its file; empty: it is not signed."""


@click.command("seal")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--to", type=click.Path(path_type=Path), metavar="FILE", help="Else DIR.zip.")
@click.option(
    "--sign",
    "key",
    type=click.Path(path_type=Path),
    metavar="KEY",
    help="A private key of OpenSSH, such as ~/.ssh/id_ed25519; the signature is FILE.sig.",
)
@click.option("--with-files", is_flag=True, help="Also what agents handed over, as it is.")
@from_file
@as_json
@common
def command(folder: Path, to: Path | None, as_json: bool, **given: Any) -> int:
    """Put an evaluation into one file: plan, scenes, traces, evidence, judgements, verdicts.

    `bythebook verify FILE` judges every run of it again. Keys, e-mail addresses, home folders and
    this machine's name must not be in it: where one is, the place is named and nothing is sealed.
    """
    bundle = to or folder.with_name(f"{folder.resolve().name}.zip")
    cover = Cover(names_of(given["names"]), places=[folder])
    told = seal(EvaluationFolder(folder), bundle, cover, handed_over=given["with_files"])
    beside(bundle).unlink(missing_ok=True)
    signature = sign(bundle, given["key"]) if given["key"] is not None else None
    if as_json:
        emit(Document(sealed=told, signature=str(signature or "")))
    else:
        _tell(told, signature)
    return 0


def _tell(told: Sealed, signature: Path | None) -> None:
    console = people()
    for line in told.left_out:
        console.print(f"left out: {escape(line)}")
    console.print(f"{told.runs} of {told.planned} planned runs are sealed in {escape(told.bundle)}")
    console.print(f"digest {told.digest}")
    if signature is not None:
        console.print(f"signature {escape(str(signature))}")
    else:
        console.print(
            "not signed: it shows what was changed by accident, not who made it;"
            " --sign KEY does, or make the digest known beforehand"
        )
