"""A Gymnasium environment over conduct tasks. Importing this module registers them.

    import gymnasium
    import bythebook.interop.rl.gym
    env = gymnasium.make("bythebook/conduct-q03", reward="shaped")

`bythebook/conduct` draws one of all tasks at each reset.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import msgspec
from gymnasium.spaces import Text
from numpy.typing import NDArray

from bythebook.agents.protocol import Answer, Briefing, Move
from bythebook.errors import UsageError
from bythebook.interop.rl.course import Way, open_course, task_ids, way_of
from bythebook.interop.rl.episode import Episode, Step
from bythebook.interop.rl.moves import HOW, read_move

LONGEST = 1 << 24
SAMPLED = 80
"""Most characters of a sampled text."""
PRINTABLE = "".join(map(chr, range(32, 127)))


class Words(Text):
    """Any text at all; samples are short and printable."""

    def __init__(self) -> None:
        super().__init__(LONGEST, min_length=0, charset=PRINTABLE)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= LONGEST

    def sample(
        self,
        mask: tuple[int | None, NDArray[Any] | None] | None = None,
        probability: tuple[int | None, NDArray[Any] | None] | None = None,
    ) -> str:
        if mask is None and probability is None:
            mask = int(self.np_random.integers(1, SAMPLED)), None
        return super().sample(mask, probability)


class ConductEnv(gymnasium.Env[str, Any]):
    """Episodes of conduct tasks. An observation is text, an action the JSON of a `Move`, or words
    for the customer; a `Move` itself is taken, too."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - gymnasium declares it so

    def __init__(
        self,
        task: str | Sequence[str] = (),
        *,
        seed: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`task`: ids or prefixes; none means all. A reset draws one, by its seed, and by this
        `seed` where the first has none. `options`: the fields of `Way`. Raises `UsageError`."""
        self.way: Way = way_of(options)
        names = (task,) if isinstance(task, str) else tuple(task)
        self._courses = [open_course(name, self.way) for name in names or task_ids(self.way)]
        self._seed, self.render_mode = seed, render_mode
        self.observation_space = Words()
        self.action_space = Words()
        self._episode: Episode | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Open a new episode. `options`: `{"task": ID}` names the task that is played."""
        if seed is None:
            seed, self._seed = self._seed, None
        super().reset(seed=seed)
        asked = dict(options or {})
        named = asked.pop("task", None)
        if asked:
            raise UsageError(f"no option {next(iter(asked))!r} of a reset", hint="known: task")
        if named is not None:
            course = open_course(str(named), self.way)
        else:
            course = self._courses[int(self.np_random.integers(len(self._courses)))]
        self._episode = Episode(course)
        briefing = course.briefing
        return opening(briefing), {"task": course.task.id, "briefing": briefing}

    def step(self, action: Move | str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Make a move: observation, reward, terminated, truncated (cut off by a limit), info with
        `verdict` when the episode is over. Raises as `Episode.step`."""
        move, wrong = read_move(action)
        step = self.episode.step(move)
        over = step.result
        info: dict[str, Any] = {"task": self.episode.course.task.id, "potential": step.after}
        if over is not None:
            info["verdict"] = over.words
        cut = over is not None and over.outcome.kind == "limit"
        reward = step.reward(self.way.discount)
        if self.way.reward == "strict":
            reward = float(step.strict)
        return observed(move, step, wrong), reward, over is not None and not cut, cut, info

    def render(self) -> Any:
        """The conversation so far as text, where the mode is `ansi`; else None."""
        if self.render_mode is None:
            return None
        events = (one for one in self.episode.events if one.ok)
        said = (one for one in events if one.kind == "message" or one.name == "message_customer")
        return "\n".join(f"(t={one.t}) {one.actor}: {one.args['text']}" for one in said)

    @property
    def episode(self) -> Episode:
        """The episode that is open, with its trace. Raises `UsageError` before the first reset."""
        if self._episode is None:
            raise UsageError("no episode is open", hint="reset the environment first")
        return self._episode


def opening(briefing: Briefing) -> str:
    """The first observation: instructions, tools, how to move, and the customer's request."""
    tools = [
        f"- {tool.name}: {tool.doc}\n  args: {msgspec.json.encode(tool.schema).decode()}"
        for tool in briefing.tools
    ]
    parts = [briefing.instructions, "# Tools", "\n".join(tools), "# How to move", HOW]
    return "\n\n".join([*parts, f"The customer: {briefing.request}"])


def observed(move: Move, step: Step, wrong: str) -> str:
    """What the agent hears of its move."""
    lines = [wrong] if wrong else [_told(answer) for answer in step.answers]
    if not (lines or step.result):
        lines = ["You did nothing. A second empty move ends the run."]
    if step.result is not None:
        lines.append(f"The run is over: {step.result.outcome}")
    return "\n".join(lines)


def _told(answer: Answer) -> str:
    return answer.text if answer.ok else f"refused: {answer.text}"


def _register() -> None:
    here = f"{__name__}:{ConductEnv.__name__}"
    gymnasium.register("bythebook/conduct", here)
    for name in task_ids(Way()):
        short = name.split("-")[0]
        gymnasium.register(f"bythebook/conduct-{short}", here, kwargs={"task": name})


_register()
