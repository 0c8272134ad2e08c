"""Questions that a gate asks, and their answers: `QUESTION: {holds: true, note: what was seen}`."""

from collections.abc import Iterator, Mapping

from bythebook.build.deliverable.place import Lack, Page, R
from bythebook.build.deliverable.records import Held, Record

LEAST_WORDS = 3
"""Of a note: "yes" says nothing."""


def held(
    page: Page[R], answers: Record, questions: Mapping[str, str], *, under: str = ""
) -> Iterator[Lack]:
    """Questions that are open, answered with no, or answered without a note."""
    for name, question in questions.items():
        answer: Held = getattr(answers, name)
        field = f"{under}{name}"
        if answer.holds is None:
            do = f"answer `holds: true|false` and a note: {question}"
            yield page.lack(field, "is open", do)
        elif not answer.holds:
            what = f"does not hold: {answer.note or question}"
            yield page.lack(field, what, "mend what the note says, or decide --return or --discard")
        elif len(answer.note.split()) < LEAST_WORDS:
            yield page.lack(f"{field}.note", "is missing", f"say what you saw: {question}")
