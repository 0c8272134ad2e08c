"""Which published figures stand beside which table of ours."""

from collections.abc import Mapping

import msgspec


class Beside(msgspec.Struct, frozen=True):
    """Rows of a paper's table that are shown under the rows of one of ours."""

    of: str
    """Id of the published table."""
    columns: Mapping[str, str]
    """Our column to the paper's. What the paper means by another word is left out."""
    rows: frozenset[str] = frozenset()
    """Keys of the rows to take; all of them when empty."""
    subject: str = ""
    """Who the figures are of, where the rows of the paper are something else."""
    facet: str = ""
    """Our column for the name of the paper's row; then `subject` names the row."""
    fixed: Mapping[str, str] = {}
    """Words that stand in a column of ours in every row."""


class Shown(msgspec.Struct, frozen=True):
    named: str
    """The column of our table that names its rows."""
    parts: tuple[Beside, ...]
    """Rows that several of them give under one name become one row."""
    more: bool = False
    """Are columns added that only the paper has?"""


NOTHING = Shown("", ())


def _same(*keys: str) -> dict[str, str]:
    return {key: key for key in keys}


_DOMAINS = ("medical", "finance", "legal", "business", "stem", "education")
_DIMENSIONS = (
    "structure", "calculation", "integration", "domain", "engineering", "presentation",
)  # fmt: skip
_LEVELS = ("auxiliary", "important", "core")
_STRICT = _same("strict")
_DEEPSEEK, _QWEN = "DeepSeek-V4.1-Flash", "Qwen3.8-27B"


def _evaluations(*parts: Beside) -> Shown:
    return Shown("evaluation", parts)


BESIDE: Mapping[str, Shown] = {
    "conduct": _evaluations(
        Beside(
            "bizagentbench-table-1",
            _same("goal", "process", "protection", "intermediate_failure", "strict"),
        )
    ),
    "pass-k": _evaluations(Beside("bizagentbench-figure-2", _same("pass_1", "pass_2", "pass_3"))),
    "resources": _evaluations(
        Beside("bizagentbench-figure-2", _same("turns", "documents", "calls"))
    ),
    "traces": _evaluations(
        Beside(
            "bizagentbench-table-4",
            _same("repeated_reads", "goal_not_strict"),
            fixed={"split": "all"},
        )
    ),
    "conditions": Shown(
        "agent",
        (Beside("bizagentbench-table-2", _STRICT, subject=_DEEPSEEK, facet="condition"),),
    ),
    "caps": Shown(
        "agent", (Beside("bizagentbench-table-3", _STRICT, subject=_DEEPSEEK, facet="cap"),)
    ),
    "simulators": Shown(
        "agent", (Beside("bizagentbench-figure-3", _STRICT, subject=_QWEN, facet="customer"),)
    ),
    "deliverables": _evaluations(
        Beside("startupbench-table-3-score", {"score": "overall"}),
        Beside("startupbench-table-3-success", {"success": "overall"}),
    ),
    "domains": _evaluations(Beside("startupbench-table-3-score", _same("overall", *_DOMAINS))),
    "domains-success": _evaluations(
        Beside("startupbench-table-3-success", _same("overall", *_DOMAINS))
    ),
    "dimensions": _evaluations(Beside("startupbench-figure-4", _same(*_DIMENSIONS))),
    "levels": _evaluations(Beside("startupbench-table-4", _same(*_LEVELS))),
    "formats": _evaluations(Beside("startupbench-table-5", {"ok": "compliance"})),
    "harnesses": Shown(
        "model",
        (
            Beside(
                "startupbench-table-6",
                {
                    "hermes": "hermes",
                    "claude-code": "claude_code",
                    "nanobot": "nanobot",
                    "gap": "spread",
                },
            ),
        ),
        more=True,
    ),
    "systems": _evaluations(
        Beside(
            "startupbench-table-7",
            _same("score", "success"),
            rows=frozenset({"single"}),
            fixed={"kind": "general"},
        ),
        Beside(
            "startupbench-table-7",
            {"best": "score", "any": "success"},
            rows=frozenset({"oracle"}),
            fixed={"kind": "general"},
        ),
        Beside(
            "startupbench-table-7",
            _same("score", "success"),
            rows=frozenset({"specialised"}),
            fixed={"kind": "specialised"},
        ),
    ),
    "domain-sizes": Shown(
        "domain",
        (
            Beside(
                "startupbench-table-2",
                {"share": "share", "paper": "count"},
                rows=frozenset(_DOMAINS),
            ),
        ),
    ),
    "dimension-sizes": Shown(
        "dimension",
        (Beside("startupbench-table-9", _same("share"), rows=frozenset(_DIMENSIONS)),),
    ),
    "level-weights": Shown("level", (Beside("startupbench-appendix-c", _same("weight", "share")),)),
    "judge-agreement": _evaluations(
        Beside(
            "startupbench-agreement",
            {"raw": "agreement"},
            rows=frozenset({"items", "success"}),
            fixed={"judge": "GPT-5.5", "mode": "item"},
        ),
        Beside(
            "startupbench-agreement",
            {"raw": "agreement"},
            rows=frozenset({"holistic"}),
            fixed={"judge": "GPT-5.5", "mode": "holistic"},
        ),
    ),
}
"""By the id of our table."""
