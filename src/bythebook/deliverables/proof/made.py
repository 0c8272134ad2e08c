"""What the edits of a fault made of its reference, kept: the same edits make the same again."""

import hashlib
import shutil
from pathlib import Path

import msgspec

from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.faults.done import Done
from bythebook.deliverables.faults.edits import EDITS, Edit
from bythebook.deliverables.faults.faultfile import Fault

NAMES = {kind: name for name, kind in EDITS.items()}


class Made(msgspec.Struct, frozen=True):
    """One faulty folder, as far as it is not its reference."""

    done: tuple[Done, ...]
    files: dict[str, bytes]
    gone: tuple[str, ...]


class Shelf:
    """Faulty folders of earlier proofs."""

    def __init__(self, cache: Cache, *version: str) -> None:
        """`version`: of the code that edits, and of the engine that computes."""
        self._cache, self._version = cache, version
        self._references: dict[Path, str] = {}

    def take(self, fault: Fault, reference: Path, folder: Path) -> tuple[Done, ...] | None:
        """Fill a folder as it was made before; None where it never was."""
        told = self._cache.get(*self._key(fault, reference))
        if told is None:
            return None
        made = msgspec.msgpack.decode(told, type=Made)
        shutil.copytree(reference, folder, dirs_exist_ok=True)
        for name in made.gone:
            (folder / name).unlink()
        for name, data in made.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        return made.done

    def keep(self, fault: Fault, reference: Path, folder: Path, done: tuple[Done, ...]) -> None:
        before, after = _files(reference), _files(folder)
        changed = {name: data for name, data in after.items() if before.get(name) != data}
        gone = tuple(name for name in before if name not in after)
        made = msgspec.msgpack.encode(Made(done, changed, gone))
        self._cache.put(made, *self._key(fault, reference))

    def _key(self, fault: Fault, reference: Path) -> tuple[str, ...]:
        if reference not in self._references:
            told = msgspec.msgpack.encode(_files(reference))
            self._references[reference] = hashlib.sha256(told).hexdigest()
        edits = msgspec.json.encode([_told(edit) for edit in fault.edits]).decode()
        return "made", *self._version, self._references[reference], edits, str(fault.errors)


def _told(edit: Edit) -> tuple[str, object]:
    return NAMES[type(edit)], msgspec.to_builtins(edit)


def _files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
