"""Taking away what programs of others have left."""

import subprocess
from pathlib import Path


def clear(path: Path) -> None:
    """Take away a file or a folder with all that is in it, however it was closed or nested."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    subprocess.run(["chmod", "-R", "u+rwX", "--", path], check=False, stderr=subprocess.DEVNULL)
    subprocess.run(["rm", "-rf", "--", path], check=False, stderr=subprocess.DEVNULL)
