"""The memo, written twice: two people's words for the same advice."""

from pathlib import Path

from authoring.law_01_supply_review.rules import Advice
from authoring.law_01_supply_review.words import fill
from authoring.parts.word import Letter, write_docx

MEMO = "review-memo.docx"


def write_memos(told: Advice, folder: Path) -> None:
    """Into reference/ and reference-2/."""
    author = told.world.parties.associate.name
    around = Letter(
        title="Review memo",
        author=author,
        header="Privileged and confidential",
        points=10,
        fitted=True,
    )
    for place, name in (("reference", "memo.md"), ("reference-2", "memo-2.md")):
        write_docx(folder / place / MEMO, fill(name, told), around)
