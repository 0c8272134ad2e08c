"""The criteria language: rules over the history of a run, read once and judged in one pass."""

from bythebook.conduct.criteria.evaluate import Watch, evaluate
from bythebook.conduct.criteria.grammar import Criteria, Rule, build, load, read
from bythebook.conduct.criteria.scenefile import SceneFile, score
from bythebook.conduct.criteria.vocabulary import Vocabulary, editions_of

__all__ = [
    "Criteria", "Rule", "SceneFile", "Vocabulary", "Watch", "build", "editions_of", "evaluate",
    "load", "read", "score",
]  # fmt: skip
