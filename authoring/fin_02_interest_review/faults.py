"""faults.yaml: its text, with what varies from seed to seed filled in."""

from pathlib import Path

from authoring.fin_02_interest_review.inputs import TEXTS
from authoring.fin_02_interest_review.letters import said
from authoring.fin_02_interest_review.story import Story


def write_faults(told: Story, path: Path) -> None:
    """Places in the text are `<<name>>`, for formulas are full of signs that templates use."""
    text = (TEXTS / "faults.yaml").read_text("utf-8")
    for name, value in said(told).items():
        text = text.replace(f"<<{name}>>", value)
    path.write_text(text, "utf-8", newline="\n")
