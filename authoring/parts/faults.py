"""faults.yaml from a recipe: words in a file of texts, edits worked out from the story."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

Faults = dict[str, dict[str, Any]]


def worded_faults(texts: Path, names: Mapping[str, str]) -> Faults:
    """The faults as the texts tell them, with each `<<name>>` filled in."""
    words = texts.read_text("utf-8")
    for name, value in names.items():
        words = words.replace(f"<<{name}>>", value)
    faults: Faults = yaml.safe_load(words)
    return faults


def save_faults(faults: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    dumped = yaml.safe_dump(dict(faults), sort_keys=False, allow_unicode=True, width=120)
    path.write_text(dumped, "utf-8", newline="\n")
