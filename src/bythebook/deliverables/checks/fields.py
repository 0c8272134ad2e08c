"""What a heading or label names: how it may be written, and as what its cells read."""

from typing import Literal

import msgspec

ReadAs = Literal["text", "number", "month", "date", "percent"]


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"read_as": "as"}):
    """A column or label that checks look for by its heading."""

    names: tuple[str, ...]
    """The first is pinned: it stands word for word in the prompt or in an input. The others are
    leniency."""
    read_as: ReadAs = "text"
    unit: str = ""
    demanded: bool = False
    """The prompt demands this very heading: where none of the names stands, a check fails instead
    of being unsure."""
