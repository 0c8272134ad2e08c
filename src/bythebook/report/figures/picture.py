"""A figure as PNG, by the Chromium of this machine."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from bythebook.errors import BythebookError, UsageError
from bythebook.report.figure import Figure
from bythebook.run.durable import write_whole

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')
TIMES = 2
"""Pixels of the picture for one of the drawing."""
PATIENCE = 60


def find_chromium() -> str | None:
    """Its program, if there is one here."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def write_png(figure: Figure, to: Path) -> None:
    """Draw a figure on light ground. Raises `UsageError` where there is no Chromium."""
    program = find_chromium()
    if program is None:
        hint = "on Debian: apt-get install chromium; or take the figure as SVG"
        raise UsageError("there is no Chromium here to draw a PNG", where=to, hint=hint)
    found = SIZE.search(figure.svg)
    width, height = (round(float(size) + 1) for size in found.groups()) if found else (900, 600)
    with TemporaryDirectory() as aside:
        source, picture = Path(aside) / "figure.svg", Path(aside) / "figure.png"
        source.write_text(figure.svg, "utf-8")
        command = [program, "--headless=new", "--disable-gpu", "--hide-scrollbars"]
        command += ["--no-sandbox"] if os.geteuid() == 0 else []
        command += [f"--user-data-dir={aside}/profile", f"--force-device-scale-factor={TIMES}"]
        command += [f"--window-size={width},{height}", f"--screenshot={picture}", source.as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise BythebookError("Chromium did not draw in time", where=to) from None
        if not picture.exists():
            raise BythebookError("Chromium drew nothing", where=to)
        write_whole(to, picture.read_bytes())
