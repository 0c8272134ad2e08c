"""What a sandbox holds beside the machine's own programs: it is given, never known here."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

NO_NAMES: Mapping[str, str] = MappingProxyType({})


class Furniture(msgspec.Struct, frozen=True, kw_only=True):
    """Files and folders that are shown read-only, and variables that are set."""

    shown: tuple[tuple[Path, str], ...] = ()
    """A file or folder of this machine, and where it is seen inside."""
    emptied: tuple[Path, ...] = ()
    """Folders inside of those that are seen empty."""
    links: Mapping[str, str] = NO_NAMES
    """Symbolic links inside: the place to what it leads to."""
    env: Mapping[str, str] = NO_NAMES
    """Variables that speak of places inside; without a sandbox they are not set."""

    def __add__(self, other: "Furniture") -> "Furniture":
        """Both; the other's links and variables go before."""
        return Furniture(
            shown=tuple(dict.fromkeys((*self.shown, *other.shown))),
            emptied=tuple(dict.fromkeys((*self.emptied, *other.emptied))),
            links={**self.links, **other.links},
            env={**self.env, **other.env},
        )


BARE = Furniture()
