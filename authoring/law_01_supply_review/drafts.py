"""Drafts 3 and 4 out of one text, and the comments that came with draft 4.

`@9.2` is a number that the inserted clause shifted by one; `[[24|18]]` was altered without a mark.
"""

import re
from datetime import datetime, time
from pathlib import Path

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from authoring.law_01_supply_review.rules import Advice
from authoring.law_01_supply_review.words import fill
from authoring.parts.pack import pack
from authoring.parts.word import Letter, write_docx

NUMBER = re.compile(r"@(\d+)")
WHOLE = re.compile(r"@(\d+)(\.\d+)?")
SILENT = re.compile(r"\[\[([^|]*)\|([^\]]*)\]\]")
INSERTED = re.compile(r"\{\+(.*?)\+\}", re.S)
DELETED = re.compile(r"\{-(.*?)-\}", re.S)
COMMENTS = (
    ("1.1", "The fees have their own page in Schedule 2. No change intended."),
    ("4.4", "See what our sales director wrote on this."),
    ("8.1", "Our standard clause."),
    ("13.4", "Two years is what our group's guideline allows."),
    ("15.2", "In line with what is usual in our trade."),
    ("23.1", "Tidying up, so that nothing stands twice."),
)


def draft_3(text: str) -> str:
    text = INSERTED.sub("", SILENT.sub(r"\1", text))
    text = DELETED.sub(r"\1", text)
    return NUMBER.sub(lambda found: str(int(found[1]) - 1), text)


def draft_4(text: str) -> str:
    """With its changes marked."""

    def renumber(found: re.Match[str]) -> str:
        more = found[2] or ""
        return f"{{-{int(found[1]) - 1}{more}-}}{{+{found[1]}{more}+}}"

    inserted = re.sub(r"^\{\+(## )(.*)\+\}$", r"\1{+\2+}", SILENT.sub(r"\2", text), flags=re.M)
    return WHOLE.sub(renumber, inserted)


def write_drafts(told: Advice, folder: Path) -> None:
    text = fill("agreement.md", told)
    parties = told.world.parties
    ours = Letter(
        title="Supply and Services Agreement, draft 3",
        author=parties.associate.name,
        fitted=True,
    )
    write_docx(folder / "supply-agreement-draft-3.docx", draft_3(text), ours)
    theirs = Letter(
        title="Supply and Services Agreement, draft 4",
        author=parties.seller_counsel.name,
        fitted=True,
    )
    path = folder / "supply-agreement-draft-4.docx"
    write_docx(path, draft_4(text), theirs)
    _comment(path, theirs.author, datetime.combine(told.world.days.sent, time(11, 20)))


def _comment(path: Path, author: str, when: datetime) -> None:
    """The comments, and the day of every change."""
    document = docx.Document(str(path))
    stamp = when.strftime("%Y-%m-%dT%H:%M:%SZ")
    for element in document.element.body.iter(qn("w:ins"), qn("w:del")):
        element.set(qn("w:date"), stamp)
    initials = "".join(word[0] for word in author.split())
    for number, text in COMMENTS:
        paragraph = next(p._p for p in document.paragraphs if _stands(p._p, number))
        made = document.comments.add_comment(text, author, initials)._comment_elm
        made.set(qn("w:date"), stamp)
        _anchor(paragraph, str(made.get(qn("w:id"))))
    document.save(str(path))
    pack(path)


def _stands(paragraph: BaseOxmlElement, number: str) -> bool:
    """Has a paragraph this number, once changes are accepted?"""
    text = "".join(t.text or "" for t in paragraph.iter(qn("w:t")))
    return text.startswith(f"{number} ")


def _anchor(paragraph: BaseOxmlElement, number: str) -> None:
    """The comment hangs on the whole paragraph."""
    run = OxmlElement("w:r")
    for tag in ("w:commentRangeStart", "w:commentRangeEnd", "w:commentReference"):
        element = OxmlElement(tag)
        element.set(qn("w:id"), number)
        if tag == "w:commentRangeStart":
            paragraph.insert(int(paragraph.find(qn("w:pPr")) is not None), element)
        elif tag == "w:commentRangeEnd":
            paragraph.append(element)
        else:
            run.append(element)
            paragraph.append(run)
