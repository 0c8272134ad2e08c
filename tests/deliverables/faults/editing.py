"""Files edited once, and read back by libraries that did not write them."""

import zipfile
from pathlib import Path
from typing import Any

import openpyxl

from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.carry import TABLES, WHOLE
from bythebook.deliverables.faults.done import done


def edited(path: Path, edit: e.Edit) -> Path:
    """The file after one edit."""
    if type(edit) in WHOLE:
        done(edit, path, WHOLE[type(edit)](path, edit))
        return path
    open_, table = next((open_, table) for open_, table in TABLES if type(edit) in table)
    file = open_(path)
    done(edit, path, table[type(edit)](file, edit))
    file.save()
    return path


def values(path: Path) -> Any:
    return openpyxl.load_workbook(path, data_only=True)


def formulas(path: Path) -> Any:
    return openpyxl.load_workbook(path)


def rewrite(path: Path, part: str, find: str, put: str) -> None:
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    assert find.encode() in parts[part]
    parts[part] = parts[part].replace(find.encode(), put.encode())
    with zipfile.ZipFile(path, "w") as new:
        for name, data in parts.items():
            new.writestr(name, data)
