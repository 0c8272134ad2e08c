"""Are the places of a verdict there, and do they read as the judge says?

A verified place proves that the judge looked, not that it is right.

* Every place exists, and `reads` is found there.
* A pass shows at least one place inside a handed-over file, with what is read there, or a picture
  that this judge was shown.
* A fail shows such a place, or names a file and where it was searched.
"""

from collections.abc import Collection

from bythebook.deliverables.evidence.locate import RESULTS, resolve, verify
from bythebook.deliverables.evidence.locators import parse
from bythebook.deliverables.judge.given import Breach, Given
from bythebook.deliverables.judge.judgement import Cited
from bythebook.deliverables.judge.submission import Submission


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
            "a pass needs at least one place inside a handed-over file, with what is read there"
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
    """Does a place inside a handed-over file show something that a reader sees there?

    A file as such is no such place, nor is an input. Of a picture no words can be looked up: it
    counts when this judge looked at it.
    """
    locator = parse(cited.at)
    if locator.of_input:
        return False
    found = resolve(cited.at, submission.results, submission.inputs)
    if found.drawn:
        return viewed is None or found_in(locator.file, viewed)
    return locator.place is not None and bool(cited.reads.strip())


def found_in(file: str, viewed: Collection[str]) -> bool:
    """Was a picture of the file shown? Judges write `results/` before a name now and then."""
    return file in viewed or file.removeprefix(RESULTS) in viewed


def _shows_lack(given: Given, submission: Submission, viewed: Collection[str] | None) -> bool:
    if any(_shows(cited, submission, viewed) for cited in given.evidence):
        return True
    searched = any(words.strip() for words in given.searched)
    return bool(given.evidence) and searched
