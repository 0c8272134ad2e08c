"""The rubric's items on the memo: its outline, its figures, and what a judge reads."""

from authoring.fin_01_three_levels.items import Items
from authoring.fin_01_three_levels.memo import MEMO
from authoring.fin_01_three_levels.story import Story
from bythebook.deliverables.rubric import Failure

HEADINGS = (
    "Recommendation",
    "Quality of earnings",
    "Price and funding",
    "Returns and covenants",
    "Sources and open points",
)
DOMAIN: Failure = "domain expertise"


def memo_items(told: Story, items: Items) -> None:
    outline = {"file": MEMO, "has": HEADINGS, "in_order": True}
    items.add("outline", "structure", "auxiliary", check={"outline": outline})
    paid, base = told.price, told.outcomes["Base"]
    rows = [
        {"is": round(paid.normalised), "digits": 3, "near": "Normalised EBITDA"},
        {"is": round(paid.covenant_ebitda), "digits": 3, "near": "Covenant EBITDA"},
        {"is": round(paid.equity), "digits": 3, "near": "Equity price"},
        {"is": round(base.irr, 5), "digits": 3, "near": "Base IRR"},
        {"is": told.largest, "digits": 3, "near": "Maximum senior loan"},
    ]
    table = {"file": MEMO, "only": "tables", "all": rows}
    items.add("table", "integration", "important", check={"figures": table})
    loan = [{"is": told.largest, "digits": 3}]
    screen = {"figures": {"file": MEMO, "all": loan}}
    items.add("recommendation", "domain", "core", DOMAIN, screen=screen)
    items.add("quality", "domain", "important", DOMAIN)
    levers = [{"is": items.facts[name], "digits": 2} for name in ("lever", "lever_ifrs")]
    screen = {"figures": {"file": MEMO, "all": levers}}
    items.add("two_leverages", "domain", "important", DOMAIN, screen=screen)
    items.add("sources", "integration", "important")
    pages = {"pages": {"file": MEMO, "at_most": 2}}
    items.add("asked", "domain", "important", DOMAIN, screen=pages)
    items.add("traced", "integration", "important")
