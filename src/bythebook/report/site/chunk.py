"""Data chunks: JSON in a script that calls one function.

    bythebook.put("run/12", String.raw`{"moments": ...}`);

The text between the backticks is JSON as `JSON.parse` reads it, so that a key such as `__proto__`
is a key and nothing else. `<`, `$`, backticks and line separators are written as JSON escapes:
nothing that stands in the data can end the literal or the script.
"""

import re
from pathlib import Path

import msgspec

from bythebook.run.durable import on_disk

ESCAPED = re.compile("[<`$\u2028\u2029]")
ENCODER = msgspec.json.Encoder(decimal_format="number")


def script(name: str, value: object) -> bytes:
    """The chunk of that name. `name` is ours: letters, digits and slashes."""
    text = ENCODER.encode(value).decode("utf-8", "replace")
    safe = ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return f'bythebook.put("{name}", String.raw`{safe}`);\n'.encode()


class Chunks:
    """The folder `data/` of a site. Files are not forced to disk: a site can be built again."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, name: str, value: object) -> None:
        path = self._root / f"{name}.js"
        with on_disk(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(script(name, value))
