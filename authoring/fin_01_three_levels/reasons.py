"""Why each adjustment counts as it does, for the workbooks: `texts/reasons.yaml`."""

import yaml

from authoring.fin_01_three_levels.memo import TEXTS, said
from authoring.fin_01_three_levels.story import Story


def reasons(told: Story) -> dict[str, str]:
    """Adjustment to its reason."""
    texts = yaml.safe_load((TEXTS / "reasons.yaml").read_text("utf-8"))
    facts = said(told)
    return {no: text.format_map(facts) for no, text in texts.items()}
