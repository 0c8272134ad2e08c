"""Are the places of a verdict there, and do they read as the judge says?

A verified place proves that the judge looked, not that it is right.

* Every place exists, and `reads` is found there.
* A pass shows at least one place of the handed-over files with words; one without words counts if
  it is a picture that this judge was shown.
* A fail shows a place with words, or names what was searched.
"""

from collections.abc import Collection

from bythebook.deliverables.evidence.locate import resolve, verify
from bythebook.deliverables.judge.given import Breach, Given
from bythebook.deliverables.judge.judgement import Cited
from bythebook.deliverables.judge.submission import INPUT, Submission


def check_places(
    given: Given, submission: Submission, *, viewed: Collection[str] | None = None
) -> None:
    """Raises `Breach` naming what is wrong. `viewed`: files of which this judge saw pictures; None
    when nobody can say (a judge by hand)."""
    wrong = [f"{cited.at!r}: {why}" for cited in given.evidence if (why := _why(cited, submission))]
    if wrong:
        raise Breach("places", "; ".join(wrong))
    if given.verdict == "pass" and not any(
        _shows(cited, submission, viewed) for cited in given.evidence
    ):
        says = (
            "a pass needs at least one place of the handed-over files, with what is read there"
            " (or a picture that you have looked at)"
        )
        raise Breach("places", says)
    if given.verdict == "fail" and not _shows_lack(given, submission, viewed):
        says = (
            "a fail needs a place with what is read there; where something is absent, name the"
            " file that lacks it as `at` and say in `searched` where you looked"
        )
        raise Breach("places", says)


def _why(cited: Cited, submission: Submission) -> str:
    return verify(cited, submission.results, submission.inputs)


def _shows(cited: Cited, submission: Submission, viewed: Collection[str] | None) -> bool:
    """Does a place of the handed-over files show something a reader sees?"""
    if cited.at.startswith(INPUT):
        return False
    if cited.reads.strip():
        return True
    file, part = cited.at.partition("#")[::2]
    found = resolve(cited.at, submission.results, submission.inputs)
    picture = found.exists and not found.text.strip()
    return picture and (file in viewed if viewed is not None else bool(part))


def _shows_lack(given: Given, submission: Submission, viewed: Collection[str] | None) -> bool:
    if any(_shows(cited, submission, viewed) for cited in given.evidence):
        return True
    searched = any(words.strip() for words in given.searched)
    return bool(given.evidence) and searched
