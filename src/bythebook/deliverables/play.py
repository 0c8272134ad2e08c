"""Play one attempt: ask the agent for a move, let the hands carry it out, until it is over."""

from bythebook.agents.protocol import Agent, Answer, Briefing, Call
from bythebook.deliverables.hands import Hands
from bythebook.deliverables.scene import Scene
from bythebook.tool import Refused
from bythebook.trace import Outcome


async def play(scene: Scene, agent: Agent, hands: Hands) -> Outcome:
    """Play `scene` to its end. Every event is in `scene.events` and in its journal."""
    seen: Briefing | tuple[Answer, ...] = scene.briefing
    while scene.outcome is None:
        move = await agent.move(seen)
        seen = tuple([await _done(scene, hands, call) for call in scene.accept(move)])
    return scene.outcome


async def _done(scene: Scene, hands: Hands, call: Call) -> Answer:
    """A call that is broken off from outside stands in the trace, too."""
    try:
        shown = await hands.use(call.name, call.args)
        return scene.answered(call, shown.text, images=shown.images)
    except Refused as refusal:
        return scene.answered(call, str(refusal), ok=False)
    except BaseException:
        scene.answered(call, "(broken off)")
        raise
