"""A small firm's papers about returns, in four formats, and whoever answers on them by hand.

All names in them are made up.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bythebook.build.sop.shelf import Shelf, level, load_shelf
from bythebook.cli import answer

Answers = dict[str, Any]

FRONT = """---
id: {id}
family: returns
title: {title}
kind: policy
effective: [{since}, {to}]
status: {status}
supersedes: {supersedes}
authority: Returns desk
scope: {{product: books, jurisdiction: any, segment: any}}
---
"""
RULES = """## 1 Taking a return
1.1 Open a case before anything else and note the order number.
1.2 A return is taken within {days} days of delivery; later ones need the head of the desk.

## 2 Money back
2.1 Money goes back only to the account that paid.
2.2 Refund the price once the parcel was looked at.
"""
OLD = ("returns-v1", "Returns until 2025", "2023-01-01", "2025-03-01", "superseded", "null", 14)
NOW = ("returns-v2", "Returns", "2025-03-01", "null", "in force", "returns-v1", 30)
DRAFT = ("returns-v3", "Returns, proposal", "2025-12-01", "null", "draft", "returns-v2", 60)
HTML = """<html><head><title>Looking at parcels</title><script>x()</script></head><body>
<nav>Home</nav><h1>Looking at parcels</h1>
<p>Open the parcel with a second person and photograph what is in it.</p>
<ul><li>A damaged book goes to Harbour Freight Ltd as a claim.</li>
<li>If something is missing, ask the customer and look again.</li></ul></body></html>
"""
CONTACT = (
    "Questions on couriers go to Maria Santos, maria.santos@harbour.example or +44 20 7946 0123."
)


def papers(folder: Path) -> Path:
    """The folder of sources."""
    folder.mkdir(parents=True)
    for ident, title, since, to, status, supersedes, days in (OLD, NOW, DRAFT):
        head = FRONT.format(
            id=ident, title=title, since=since, to=to, status=status, supersedes=supersedes
        )
        (folder / f"{ident}.md").write_text(head + RULES.format(days=days), "utf-8")
    (folder / "parcels.html").write_text(HTML, "utf-8")
    _word(folder / "couriers.docx")
    _pages(folder / "desk" / "claims.pdf")
    return folder


def _word(path: Path) -> None:
    import docx

    document = docx.Document()
    document.add_heading("Couriers", 1)
    document.add_paragraph("Order a courier for parcels that the customer cannot bring.")
    document.add_paragraph(CONTACT)
    table = document.add_table(rows=2, cols=2)
    for cell, words in zip(table._cells, ("weight", "courier", "over 5 kg", "van"), strict=True):
        cell.text = words
    document.save(str(path))


def _pages(path: Path) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    path.parent.mkdir()
    page = Canvas(str(path), pagesize=A4, invariant=True)
    page.setFont("Helvetica-Bold", 16)
    page.drawString(72, 780, "Claims against carriers")
    page.setFont("Helvetica", 10)
    lines = (
        "A claim is sent within seven days with the photographs, and the",
        "carrier answers it.",
    )
    for number, line in enumerate(lines):
        page.drawString(72, 750 - 12 * number, line)
    page.drawString(72, 700, "No claim is sent without the number of the case.")
    page.save()


class Desk:
    """Builds in DIR/place from DIR/papers, asks in DIR/hand, and answers what it was told to."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sources, self.place, self.hand = root / "papers", root / "place", root / "hand"

    @property
    def shelf(self) -> Shelf:
        return load_shelf(sorted((self.place / "01-sources").glob("*.yaml")))

    def link(self, words: str, document: str = "") -> str:
        """The span in which words stand, of a document that is in force unless it is named."""
        shelf = self.shelf
        found = [
            f"{source.id}#{span.id}"
            for source in shelf.sources.values()
            for span in source.spans
            if level(words) in level(span.text)
            and (source.id == document or (not document and not shelf.not_in_force(source)))
        ]
        assert len(found) == 1, (words, found)
        return found[0]

    def quoted(self, words: str, document: str = "") -> dict[str, str]:
        return {"source": self.link(words, document), "quote": words}

    def build(self, *more: str | Path) -> int:
        words = ("build", "sop", self.sources, "--to", self.place, "--model", f"hand:{self.hand}")
        return answer([str(word) for word in (*words, *more)])

    def say(self, stage: str, ident: str, told: Any) -> Path:
        path = self.hand / stage / ident / "answer.json"
        path.write_text(json.dumps(told), "utf-8")
        return path

    def go_on(self, *, until: str = "", instead: Mapping[str, Any] | None = None) -> int:
        """Give the command, answer what it asks, and so on, until it ends or `until` is asked.

        `until`: a stage. `instead`: question to another answer than the usual one.
        """
        told = {**self.usual, **(instead or {})}
        for _ in range(12):
            code = self.build()
            open_ = [
                p.parent for p in sorted(self.hand.glob("*/*/prompt.md"))
                if not (p.parent / "answer.json").exists()
            ]  # fmt: skip
            if not open_ or any(p.parent.name == until for p in open_):
                return code
            for place in open_:
                given = told[f"{place.parent.name}/{place.name}"]
                self.say(place.parent.name, place.name, given() if callable(given) else given)
        raise AssertionError("it does not come to an end")

    @property
    def usual(self) -> dict[str, Callable[[], Answers]]:
        return {
            "candidates/b01": self.candidates,
            "plans/plans": plans,
            "sops/take-a-return": self.sop,
            "review/take-a-return": self.review,
            "knowledge/take-a-return": knowledge,
            "names/names-01": names,
        }

    def candidates(self) -> Answers:
        def claim(says: str, kind: str, words: str) -> Answers:
            return {"says": says, "kind": kind, **self.quoted(words)}

        return {
            "candidates": [
                {
                    "id": "take-a-return",
                    "title": "Take a return",
                    "goal": "The customer has the money and the desk the book.",
                    "claims": [
                        claim("Open a case first.", "step", "Open a case before anything else"),
                        claim("Within 30 days.", "decision", "taken within 30 days of delivery"),
                        claim("Look at the parcel in twos.", "step", "with a second person"),
                        claim("Ask again if something lacks.", "decision", "ask the customer"),
                        claim("Refund after that.", "step", "once the parcel was looked at"),
                        claim("Only to that account.", "rule", "only to the account that paid"),
                        claim("Couriers: ask Maria Santos.", "rule", CONTACT),
                    ],
                },
                {
                    "id": "claim-damage",
                    "title": "Claim for damage",
                    "goal": "The carrier pays.",
                    "claims": [claim("Send it.", "step", "as a claim")],
                },
            ],
            "conflicts": [
                {
                    "one": self.quoted("taken within 30 days"),
                    "other": self.quoted("taken within 14 days", "returns-v1"),
                    "says": "How long a return is taken.",
                }
            ],
        }

    def sop(self) -> Answers:
        def step(name: str, do: str, next_: Any, words: str, **more: Any) -> Answers:
            return {"id": name, "do": do, "next": next_, "source": [self.link(words)], **more}

        return {
            "id": "take-a-return",
            "title": "Take a return",
            "scope": {"product": "books"},
            "effective": ["2025-03-01", None],
            "steps": [
                step("open", "Open a case.", "days", "Open a case"),
                step(
                    "days", "Count the days.", ["look", "end"], "within 30 days of",
                    decide="Later than 30 days: the head of the desk decides.",
                ),
                step("look", "Open the parcel in twos.", ["missing", "refund"], "second person"),
                step(
                    "missing", "Ask the customer what is missing.", "refund", "ask the customer",
                    returns_to="look", decide="Look again when the answer is there.",
                ),
                step("refund", "Refund the price.", "end", "parcel was looked at"),
            ],
        }  # fmt: skip

    def review(self) -> Answers:
        def fine(claim: str, words: str) -> Answers:
            return {"claim": claim, "verdict": "supported", "links": [self.quoted(words)]}

        return {
            "verdicts": [
                fine("open.do", "Open a case before anything else"),
                fine("days.do", "within 30 days of delivery"),
                fine("days.decide", "later ones need the head of the desk"),
                fine("look.do", "with a second person"),
                fine("missing.do", "ask the customer and look again"),
                fine("missing.decide", "look again"),
                fine("missing.returns_to", "look again"),
                fine("refund.do", "Refund the price once"),
                fine("rule-1", "only to the account that paid"),
                fine("rule-2", "Questions on couriers go to Maria Santos"),
            ]
        }


def plans() -> Answers:
    return {
        "plans": [
            {"id": "returns", "title": "Returns", "goal": "Books come back."},
            {
                "id": "take-a-return", "title": "Take a return", "parent": "returns",
                "goal": "The customer has the money.", "candidates": ["b01.take-a-return"],
            },
        ],
        "left_out": [{"what": "b01.claim-damage", "why": "Another desk does it."}],
    }  # fmt: skip


def knowledge() -> Answers:
    return {
        "attach": [
            {"rule": "rule-1", "steps": ["refund"], "when": "money goes back"},
            {"rule": "rule-2", "steps": []},
        ]
    }


def names() -> Answers:
    return {
        "names": [
            {"name": "Maria Santos", "kind": "person"},
            {"name": "harbour", "kind": "firm"},
        ]
    }
