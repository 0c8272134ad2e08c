"""Search by words over documents and tools: BM25, deterministic to the order of ties."""

from collections.abc import Mapping
from functools import lru_cache

import bm25s
import numpy as np
import snowballstemmer

STOPWORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "how",
        "i",
        "in",
        "is",
        "it",
        "its",
        "me",
        "my",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "so",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "we",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "you",
        "your",
    ]
)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The English stem of a lower-case word."""
    stemmed: str = snowballstemmer.stemmer("english").stemWord(word)
    return stemmed


def words(text: str) -> list[str]:
    """Lower-case stems of the words in a text, in order; digits stay whole."""
    letters = "".join(c if c.isalnum() else " " for c in text.lower())
    return [stem(word) for word in letters.split()]


class Index:
    """A BM25 index over named texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.names = sorted(texts)
        self._bm25 = bm25s.BM25()
        tokens = [self._tokens(texts[name]) or ["-"] for name in self.names]
        if tokens:
            self._bm25.index(tokens, show_progress=False)
        self._known = frozenset(token for line in tokens for token in line)
        self._answers: dict[tuple[str, int], tuple[str, ...]] = {}

    def find(self, query: str, limit: int = 8) -> tuple[str, ...]:
        """Names of the best texts, best first, ties by name; none when no word is known."""
        answer = self._answers.get((query, limit))
        if answer is None:
            answer = self._answers[query, limit] = self._find(query, limit)
        return answer

    def _find(self, query: str, limit: int) -> tuple[str, ...]:
        tokens = [token for token in self._tokens(query) if token in self._known]
        if not tokens:
            return ()
        scores = np.asarray(self._bm25.get_scores(tokens))
        order = np.lexsort((np.arange(len(scores)), -np.round(scores, 4)))
        return tuple(self.names[i] for i in order[:limit] if scores[i] > 0)

    @staticmethod
    def _tokens(text: str) -> list[str]:
        return [word for word in words(text) if word not in STOPWORDS]
