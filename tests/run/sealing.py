"""Bundles taken apart and put together again, as somebody might who means no good."""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bythebook.run.verify import verify

Files = dict[str, bytes]


def unpacked(bundle: Path) -> Files:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(bundle: Path, files: Mapping[Any, bytes]) -> Path:
    """A ZIP file of these; names may be `ZipInfo`."""
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return bundle


def relisted(files: Files, **fields: Any) -> Files:
    """The list worked out anew, as a forger does."""
    manifest = json.loads(files["seal.json"])
    manifest["files"] = [
        {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in sorted(files.items())
        if name != "seal.json"
    ]
    return files | {"seal.json": json.dumps(manifest | fields).encode()}


def states(bundle: Path) -> list[str]:
    """How each run of a bundle is verified."""
    return [run.state for run in verify(bundle).runs]
