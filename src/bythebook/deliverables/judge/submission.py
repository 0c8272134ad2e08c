"""What a judge is shown of one run: the task, its inputs, and what was handed over.

The head of every session over one submission is the same to the byte, so that providers cache it;
what differs from item to item comes last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from bythebook.deliverables.checks.answer import Answer, Evidence
from bythebook.deliverables.evidence.locate import describe
from bythebook.deliverables.evidence.model import Index, Kind, PageImages
from bythebook.deliverables.judge.fence import fenced
from bythebook.deliverables.rubric import Item

_PROMPTS = Path(__file__).with_name("prompts")

OUTLINE = 24_000
"""Most characters of an outline; tools show the rest."""


def prompt_text(name: str) -> str:
    """A prompt as shipped, its places unfilled."""
    return (_PROMPTS / f"{name}.md").read_text("utf-8").strip()


class Exhibit(Evidence, Protocol):
    """The evidence of one folder as a judge sees it; see `evidence.view.View`."""

    root: Path
    index: Index

    @property
    def sha(self) -> str: ...
    def pages(self, name: str) -> PageImages: ...


@dataclass(frozen=True)
class Submission:
    """One run, ready to be judged."""

    task: str
    run: int
    prompt: str
    """The task as its agent got it."""
    wants: Mapping[str, Kind]
    items: tuple[Item, ...]
    """The whole rubric, in order."""
    results: Exhibit
    inputs: Exhibit

    @cached_property
    def head(self) -> str:
        """What every session on this submission begins with."""
        wants = "\n".join(f"- `{name}` ({kind})" for name, kind in self.wants.items())
        return prompt_text("submission").format(
            prompt=self.prompt.strip(),
            wants=wants or "- whatever the task says",
            inputs=_outline(self.inputs, "There are none."),
            outline=_outline(self.results, "Nothing was handed over."),
        )

    def number(self, item: Item) -> int:
        """Its place in the rubric, from 1."""
        return self.items.index(item) + 1

    @property
    def bare(self) -> bool:
        """Nothing at all was handed over: there is nothing to judge by."""
        return not self.results.files


def told(item: Item, answer: Answer | None = None) -> str:
    """The requirement as a judge is asked about it; `answer`: of a check that was unsure."""
    truth = f"\nKnown facts: {item.truth.strip()}\n" if item.truth.strip() else ""
    return prompt_text("item").format(
        id=item.id, level=item.level, says=item.says.strip(), truth=truth, check=_unsure(answer)
    )


def _unsure(answer: Answer | None) -> str:
    """What a check saw that left the item open. Places are the candidate's words, so fenced."""
    if answer is None or answer.mark != "unsure":
        return ""
    seen = ", ".join(filter(None, (answer.place, answer.seen and f"seen: {answer.seen}")))
    lines = ["", "An exact check could not decide this, and may have missed a right answer."]
    lines += [fenced(" ".join(filter(None, (answer.why, f"({seen})" if seen else ""))))]
    return "\n".join([*lines, ""])


def _outline(exhibit: Exhibit, nothing: str) -> str:
    if not exhibit.index.files and not exhibit.index.refused:
        return nothing
    text = describe(exhibit)
    if len(text) > OUTLINE:
        text = text[:OUTLINE] + "\n... (cut; the tools show all of it)"
    return fenced(text)
