"""faults.yaml: its text, with what varies from seed to seed filled in."""

from pathlib import Path

from authoring.fin_01_three_levels.memo import TEXTS, said
from authoring.fin_01_three_levels.story import Story


def write_faults(told: Story, path: Path) -> None:
    """Places in the text are `<<name>>`, for formulas are full of signs that templates use."""
    text = (TEXTS / "faults.yaml").read_text("utf-8")
    for name, value in _values(told).items():
        text = text.replace(f"<<{name}>>", value)
    path.write_text(text, "utf-8", newline="\n")


def _values(told: Story) -> dict[str, str]:
    drawn, documents = told.world, told.world.documents
    erp = [one.document for one in drawn.ledger if one.text.startswith("ERP migration")]
    found = {f"{one.no}_claim": str(one.claimed) for one in drawn.matters}
    found |= {"V6_first": documents["V6"][0], "erp_documents": ", ".join(erp)}
    found |= {"severance": str(drawn.severance), "indicative": str(drawn.terms.indicative)}
    return found | {name: value for name, value in said(told).items() if name not in found}
