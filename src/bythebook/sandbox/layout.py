"""What a sandbox is: where things stand inside, what it holds, hides and bounds."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec

from bythebook.sandbox.furniture import BARE, Furniture

Kind = Literal["bubblewrap", "landlock", "none: unsafe"]
"""As in plan.json. `landlock` is built by `fence`, where bubblewrap cannot be had."""

WORKSPACE = "/workspace"
HOME = "/home/agent"
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
SETTINGS = {
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "TZ": "UTC",
}
"""Variables of every command."""
NO_DOORS: Mapping[int, Path] = MappingProxyType({})


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent's commands may use. Bytes, unless said otherwise; 0 is no bound."""

    memory: int = 4 * 2**30
    """Private memory of each process; where root makes control groups, of all together."""
    address: int = 4 * 2**30
    """Address space of each process. Programs on V8 or Bun (node, claude) reserve a multiple of
    what they use, and need 0."""
    file: int = 2**30
    """Of the largest file."""
    disk: int = 4 * 2**30
    """Of all files in workspace, home and `/tmp` together."""
    cpu: int = 3600
    """Seconds of each process."""
    processes: int = 512


BOUNDS = Bounds()


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """What a sandbox holds, hides and bounds."""

    furniture: Furniture = BARE
    secrets: tuple[Path, ...] = ()
    """Files and folders that are hidden wherever they would be seen."""
    bounds: Bounds = BOUNDS
    doors: Mapping[int, Path] = NO_DOORS
    """A port of 127.0.0.1 inside, to the Unix socket outside that it leads to. Nothing else of any
    network is there."""
    grouped: bool = True
    """With control groups, where they can be had."""


PLAIN = Layout()
