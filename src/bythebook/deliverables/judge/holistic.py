"""All items of a submission in one session, as in the paper's ablation (StartupBench, Section 4.3).

There, agreement with people fell from 92.78 % to 83 %, and a valid answer took more than two runs
on average. So an answer that is not wholly valid is not repaired here but counted: `attempt` of the
lines that stand is the number of runs it took.
"""

import anyio
import msgspec

from bythebook.deliverables.judge.conversation import Keep, unkept
from bythebook.deliverables.judge.given import VERDICT, Breach, Given, take
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.session import Judge, judgement
from bythebook.deliverables.judge.submission import Submission, prompt_text
from bythebook.deliverables.judge.verify import check_places
from bythebook.deliverables.rubric import Item
from bythebook.models.types import ToolSpec, Usage

_ENTRY = VERDICT | {
    "properties": {"item": {"type": "string"}} | VERDICT["properties"],
    "required": ["item", *VERDICT["required"]],
}
GIVE_ALL = ToolSpec(
    "give_verdicts",
    "Give your verdicts on all requirements: once, and alone.",
    {
        "type": "object",
        "properties": {"verdicts": {"type": "array", "items": _ENTRY}},
        "required": ["verdicts"],
    },
)


def asked(items: tuple[Item, ...]) -> str:
    """All requirements as a judge is asked about them."""
    lines = []
    for item in items:
        truth = f"\n  Known facts: {item.truth.strip()}" if item.truth.strip() else ""
        lines.append(f"- {item.id} ({item.level}): {item.says.strip()}{truth}")
    return prompt_text("items").format(items="\n".join(lines), count=len(items))


async def judge_all(
    judge: Judge,
    submission: Submission,
    items: tuple[Item, ...],
    *,
    attempt: int = 1,
    keep: Keep = unkept,
) -> tuple[Judgement, ...]:
    """One session on all items: a line for each, in order. An answer that is not valid makes all
    of them void; places that do not read as said make only their own item void.

    The session's tokens stand in the first line, so that sums over lines are right.
    """
    judge = judge.limited(msgspec.structs.replace(judge.limits, repairs=0))
    session = judge.session(submission, asked(items), GIVE_ALL)
    begun = anyio.current_time()
    try:
        given = await session.hear(lambda sent: _taken(sent, items))
        found = {
            item.id: _verified(given[item.id], submission, session.hands.viewed) for item in items
        }
    except Breach as breach:
        found = dict.fromkeys((item.id for item in items), breach)
    seconds = round(anyio.current_time() - begun, 3)
    kept = keep(session.spoken(items))
    lines = []
    for number, item in enumerate(items):
        cost = (session.calls, session.usage, seconds) if number == 0 else (0, Usage(), 0.0)
        line = judgement(item, submission, judge.name, found[item.id])
        lines.append(
            msgspec.structs.replace(
                line,
                mode="holistic",
                attempt=attempt,
                calls=cost[0],
                usage=cost[1],
                seconds=cost[2],
                settings=judge.sent,
                conversation=kept,
            )
        )
    return tuple(lines)


def _taken(sent: object, items: tuple[Item, ...]) -> dict[str, Given]:
    """Item to its verdict: one for each, none missing, none twice. Raises `Breach`."""
    entries = sent.get("verdicts") if isinstance(sent, dict) else None
    if not isinstance(entries, list):
        raise Breach("malformed", "`verdicts` is no list.")
    found: dict[str, Given] = {}
    wanted = {item.id for item in items}
    for entry in entries:
        name = entry.get("item") if isinstance(entry, dict) else None
        if name not in wanted or name in found:
            raise Breach("malformed", f"{name!r} is no requirement asked about, or stands twice.")
        found[name] = take({key: value for key, value in entry.items() if key != "item"})
    if missing := sorted(wanted - found.keys()):
        raise Breach("malformed", f"No verdict on {', '.join(missing)}.")
    return found


def _verified(given: Given, submission: Submission, viewed: set[str]) -> Given | Breach:
    try:
        check_places(given, submission, viewed=viewed)
    except Breach as breach:
        return breach
    return given
