"""Programs for a harness's own Python: handed to it as text, never imported here."""

from importlib.resources import files


def source(name: str) -> str:
    """The text of a driver."""
    return files(__package__).joinpath(f"{name}.py").read_text("utf-8")
