"""Signatures beside a file, made and checked by OpenSSH (`ssh-keygen -Y`).

Anybody can check one without bythebook; people's keys are where their code is hosted. The names
that OpenSSH writes in a list of signers are not used: what counts is the key.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from bythebook.errors import TraceError, UsageError

NAMESPACE = "bythebook-seal"
"""A signature for one purpose is none for another."""
SIGNER = "signer"
KINDS = ("ssh-", "ecdsa-", "sk-ssh-", "sk-ecdsa-")
PATIENCE = 120.0
"""Seconds for somebody to type a passphrase or touch a token."""


def beside(path: Path) -> Path:
    """Where the signature of a file lies."""
    return path.with_name(f"{path.name}.sig")


def sign(path: Path, key: Path) -> Path:
    """Sign a file; the signature's place. Raises `UsageError`."""
    if not key.is_file():
        hint = "`ssh-keygen -t ed25519` makes one"
        raise UsageError("there is no such key", where=key, hint=hint)
    beside(path).unlink(missing_ok=True)
    done = _run("-Y", "sign", "-f", str(key.absolute()), "-n", NAMESPACE, str(path.absolute()))
    if done.returncode or not beside(path).is_file():
        raise UsageError(f"this key cannot sign: {_last(done.stderr)}", where=key)
    return beside(path)


def check_signature(path: Path, keys: Path) -> str:
    """Check the signature beside a file against public keys, one a line; the fingerprint of the
    one that made it. Raises `TraceError` where there is none that counts."""
    signature = beside(path)
    if not signature.is_file():
        hint = "whoever sealed it has to give it along: `seal --sign KEY`"
        raise TraceError("there is no signature here", where=signature, hint=hint)
    with tempfile.TemporaryDirectory() as folder:
        signers = Path(folder) / "signers"
        signers.write_text("".join(f"{SIGNER} {line}\n" for line in _public(keys)), "utf-8")
        words = ("-I", SIGNER, "-f", str(signers), "-n", NAMESPACE, "-s", str(signature.absolute()))
        with path.open("rb") as file:
            done = _run("-Y", "verify", *words, stdin=file.fileno())
    if done.returncode:
        what = f"this is no signature of {keys} on this file: {_last(done.stdout + done.stderr)}"
        raise TraceError(what, where=signature, hint="do not trust what the file says")
    return done.stdout.strip().rpartition(" ")[2]


def _public(path: Path) -> list[str]:
    """The keys in a file, without comments. Raises `UsageError`."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", where=path) from None
    found = [" ".join(line.split()[:2]) for line in lines if line.startswith(KINDS)]
    if not found:
        hint = "a public key's line begins as `ssh-ed25519 AAAA...`; its file is named NAME.pub"
        raise UsageError("there is no public key in this file", where=path, hint=hint)
    return found


def _run(*words: str, stdin: int = subprocess.DEVNULL) -> "subprocess.CompletedProcess[str]":
    program = shutil.which("ssh-keygen")
    if program is None:
        hint = "install OpenSSH (the package openssh-client)"
        raise UsageError("signing needs the program `ssh-keygen`", hint=hint)
    try:
        return subprocess.run(
            [program, *words], stdin=stdin, capture_output=True, text=True, timeout=PATIENCE,
            check=False, errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise UsageError(f"`ssh-keygen` has not ended within {PATIENCE:.0f} s") from None


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "ssh-keygen does not say why"
