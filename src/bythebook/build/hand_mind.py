"""Anybody, person or program, who reads questions from a folder and writes the answers there."""

from collections.abc import Iterable
from pathlib import Path

from bythebook.build.mind import Answered, Question, T, Take
from bythebook.build.questions import Questions

BY_HAND = """

---
Write the answer into `answer.json` beside this file (or the same in YAML, as `answer.yaml`; there,
words with `: ` or `#` in them stand in quotation marks, and within `{}` those with a comma), then
give the command again. What is wrong with an answer is then said in `answer.wrong.txt`.
"""


class HandMind(Questions):
    """Asks by writing a question down; until somebody has answered it waits."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, BY_HAND)
        self.name = f"hand:{folder.resolve().name}"

    def answers(self, questions: Iterable[Question], take: Take[T]) -> Answered[T]:
        return self.read(questions, take)
