"""Letter and note, each written twice: two people's words for the same facts."""

from collections.abc import Iterable
from pathlib import Path

import yaml

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review.book_terms import NOTIFIED
from authoring.fin_02_interest_review.inputs import TEXTS, facts
from authoring.fin_02_interest_review.story import Line, Story
from authoring.parts.numbers import money
from authoring.parts.word import Letter, write_documents

LETTER, NOTE = "claim-letter.docx", "note-to-cfo.docx"
SOURCES = {
    "reference": {LETTER: "letter.md", NOTE: "note.md"},
    "reference-2": {LETTER: "letter-2.md", NOTE: "note-2.md"},
}


def write_letters(told: Story, folder: Path, second: bool) -> None:
    """Into reference/, and into reference-2/ where that is built."""
    around = Letter(author="Treasury", points=9, fitted=True)
    write_documents(SOURCES, TEXTS, said(told), folder, around, second=second)


def reasons() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = yaml.safe_load((TEXTS / "reasons.yaml").read_text("utf-8"))
    return found


def own(line: Line) -> str:
    """The difference in its own currency, without sign."""
    return f"{line.notice.currency} {money(abs(line.difference))}"


def named(line: Line) -> str:
    """`N08 (Facility B)`."""
    kind = line.notice.kind.lower()
    what = line.notice.facility if kind == "interest" else f"{line.notice.facility}, {kind}"
    return f"{line.notice.no} ({what}, to {line.notice.last.isoformat()})"


def _rows(rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _of(told: Story, treatment: str, clause: bool) -> tuple[str, str]:
    """The notices of one treatment, as rows of a table and as a list."""
    why = reasons()
    rows, items = [], []
    for line in told.treated(treatment):
        reason = why[line.notice.key]
        row = (named(line), own(line), reason["what"])
        rows.append((*row, reason["clause"]) if clause else row)
        items.append(f"- {named(line)}: {own(line)}. {reason['what']} ({reason['clause']}).")
    return _rows(rows), "\n".join(items)


def said(told: Story) -> dict[str, str]:
    """Everything that letter, note and rubric say, as text."""
    totals = {name: money(value) for name, value in told.totals.items()}
    grounds, grounds_list = _of(told, "refund", clause=True)
    shortfalls, shortfalls_list = _of(told, "deduct", clause=False)
    accruals = [
        (name, money(amount), money(euro)) for name, (amount, euro) in told.accruals.items()
    ]
    found = facts(told.world) | {
        "refunds": totals["Refunds"],
        "interest": totals["Interest on refunds"],
        "deductions": totals["Deductions"],
        "total": totals["Claim total"],
        "barred": totals["Overpaid but barred"],
        "accrued": totals["Accrued at 31 October 2025"],
        "grounds": grounds,
        "grounds_list": grounds_list,
        "shortfalls": shortfalls,
        "shortfalls_list": shortfalls_list,
        "barred_list": ", ".join(
            f"{line.notice.no} ({own(line)})" for line in told.treated("barred")
        ),
        "accruals": _rows(accruals),
        "accruals_list": "\n".join(f"- {name}: {euro}" for name, _, euro in accruals),
        "spot": f"{told.world.spot[NOTIFIED]:.4f}",
        "refund_numbers": ", ".join(_numbers(told, "refund")),
        "deduct_numbers": ", ".join(_numbers(told, "deduct")),
        "barred_numbers": ", ".join(_numbers(told, "barred")),
        "none_numbers": ", ".join(_numbers(told, "none")),
    }
    for name in ("refund", "barred", "deduct", "none"):
        found[f"n_{name}"] = str(len(told.treated(name)))
    c5 = told.of("C5")
    found["mispaid"] = f"{c5.paid - n.charged(told.world, c5.notice):f}"
    keys = {"a2": "A2", "a4": "A4", "b2": "B2", "b3": "B3", "c5": "C5"}
    return found | {name: told.of(key).notice.no for name, key in keys.items()}


def _numbers(told: Story, treatment: str) -> list[str]:
    return [line.notice.no for line in told.treated(treatment)]
