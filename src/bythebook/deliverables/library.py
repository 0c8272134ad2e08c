"""The Python that an agent's shell offers: the interpreter at hand, and office libraries.

Only named distributions and what they need are shown, package by package, so that nothing else that
is installed here (bythebook with its tasks, somebody's own content) can be found from inside.
"""

import re
import shutil
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.layout import PATH

OFFICE = (
    "lxml",
    "matplotlib",
    "numpy",
    "openpyxl",
    "pandas",
    "pdfplumber",
    "pillow",
    "pypdfium2",
    "python-docx",
    "python-pptx",
    "pyyaml",
    "reportlab",
    "xlsxwriter",
)
"""Distributions that an agent may use where they are installed."""

SHOWN_AT = "/opt/office"
PYTHONS = "/opt/python/bin"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def furniture() -> Furniture:
    """The interpreter, the office libraries and LibreOffice, as a sandbox is given them."""
    folders = (*interpreter_folders(), *_office_program())
    return Furniture(
        shown=(*((folder, str(folder)) for folder in folders), *packages().items()),
        emptied=site_folders(),
        links={f"{PYTHONS}/{name}": str(interpreter()) for name in ("python", "python3")},
        env={"PATH": f"{PYTHONS}:{PATH}", "PYTHONPATH": SHOWN_AT},
    )


def offered() -> dict[str, str]:
    """Name and version of each distribution in `OFFICE` that is installed."""
    found = {name: _installed(name) for name in OFFICE}
    return {name: dist.version for name, dist in found.items() if dist is not None}


def packages() -> dict[Path, str]:
    """Package or module of the offered distributions and all they need, to where it is shown."""
    found: dict[Path, str] = {}
    for dist in _closure():
        for top in sorted({file.parts[0] for file in dist.files or ()}):
            path = Path(str(dist.locate_file(top)))
            if top not in ("..", "__pycache__", "bin") and path.exists():
                found[path] = f"{SHOWN_AT}/{top}"
    return found


def interpreter() -> Path:
    """The real file of the Python that runs this program."""
    return Path(sys.executable).resolve()


def interpreter_folders() -> tuple[Path, ...]:
    """Folders that it needs beside what the machine's `/usr` holds."""
    root = Path(sys.base_prefix).resolve()
    if root == Path("/usr") or Path("/usr") in root.parents:
        return ()
    return tuple(folder for part in ("bin", "lib", "lib64") if (folder := root / part).is_dir())


def site_folders() -> tuple[Path, ...]:
    """Where that interpreter, without a virtual environment, keeps what was installed."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    found = (folder / version / "site-packages" for folder in interpreter_folders())
    return tuple(path for path in found if path.is_dir())


def _office_program() -> tuple[Path, ...]:
    """Where LibreOffice lies, if that is outside of `/usr`."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        return ()
    root = Path(program).resolve().parent.parent
    return () if Path("/usr") in root.parents else (root,)


def _closure() -> list[Distribution]:
    waiting, found = list(OFFICE), dict[str, Distribution]()
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        dist = None if name in found else _installed(name)
        if dist is not None:
            found[name] = dist
            needs = (need for need in dist.requires or () if "extra ==" not in need)
            waiting += [match.group() for need in needs if (match := NAME.match(need))]
    return [found[name] for name in sorted(found)]


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None
