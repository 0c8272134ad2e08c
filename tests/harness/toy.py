"""A harness of a few bytes, in a wheel made here: what installing does, without the network."""

import zipfile
from pathlib import Path

from bythebook.harness.install import Recipe

RECIPE = Recipe(
    name="toy", package="toy-harness", version="1.0", program="lib/python*/*/toy_harness.py", mib=20
)


def wheel(folder: Path, version: str = "1.0") -> None:
    """Put a wheel of the toy into a folder that pip looks in."""
    info = f"toy_harness-{version}.dist-info"
    files = {
        "toy_harness.py": "print('Done.')\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: toy-harness\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"toy_harness-{version}-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
