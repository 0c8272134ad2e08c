"""Whose time passes: the agent's own is limited; a provider's is nobody's failure."""

import anyio
import pytest

from bythebook.agents.protocol import Answer, Briefing, ContextExhausted, Ended, Move
from bythebook.errors import AgentError
from bythebook.run.plan import Limits
from bythebook.run.stopwatch import OutOfTime, Timed
from bythebook.trace import Outcome

pytestmark = pytest.mark.anyio
SEEN = Briefing("", "", ())
ENDS = (
    AgentError("gone", cause="provider"),
    ContextExhausted("full"),
    Ended(Outcome("limit", "steps")),
)


class Slow:
    """Takes its own time."""

    name = "slow"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        await anyio.sleep(self._seconds)
        return Move(text="done")


class Waiting(Slow):
    """Spends its time on a provider, and some of its own before that."""

    def __init__(self, seconds: float, own: float = 0.0) -> None:
        super().__init__(seconds)
        self._own = own
        self._since: float | None = None
        self._waited = 0.0

    @property
    def waited(self) -> float:
        return self._waited + (anyio.current_time() - self._since if self._since else 0.0)

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        await anyio.sleep(self._own)
        self._since = anyio.current_time()
        try:
            return await super().move(seen)
        finally:
            self._waited, self._since = self.waited, None


class Broken:
    name = "broken"

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        raise self._error


def test_the_default_limits_are_those_that_the_documents_tell() -> None:
    assert (Limits().agent_time, Limits().tool_errors) == (3600, 50)


async def test_an_agent_that_hangs_is_cut_off_at_its_limit() -> None:
    with pytest.raises(OutOfTime):
        await Timed(Slow(60), Limits(agent_time=0)).move(SEEN)


async def test_time_adds_up_over_moves() -> None:
    agent = Timed(Slow(0.05), Limits(agent_time=1))
    await agent.move(SEEN)
    await agent.move(SEEN)

    assert 0.1 <= agent.own < 1


async def test_waiting_for_a_provider_is_not_the_agents_time() -> None:
    agent = Timed(Waiting(0.1), Limits(agent_time=0, provider_time=10))

    # Some microseconds between the two clocks may be the agent's own.
    agent.clock.own = -1.0
    assert (await agent.move(SEEN)).text == "done"
    assert agent.waited >= 0.1
    assert agent.own < -0.9


async def test_a_provider_that_takes_too_long_is_a_failure_that_does_not_count() -> None:
    with pytest.raises(AgentError, match="the provider took more than 0 s") as error:
        await Timed(Waiting(60), Limits(agent_time=10, provider_time=0)).move(SEEN)
    assert error.value.cause == "provider"


async def test_an_agent_that_waits_for_a_provider_has_a_limit_of_its_own_all_the_same() -> None:
    with pytest.raises(OutOfTime, match="0 s of the agent's own time"):
        await Timed(Waiting(0.1, own=60), Limits(agent_time=0, provider_time=600)).move(SEEN)


async def test_a_crash_of_an_agent_is_its_harness_failing() -> None:
    with pytest.raises(AgentError, match="KeyError: 'x'") as error:
        await Timed(Broken(KeyError("x")), Limits()).move(SEEN)
    assert error.value.cause == "crash"


@pytest.mark.parametrize("error", ENDS)
async def test_what_an_agent_may_raise_passes_unchanged(error: Exception) -> None:
    with pytest.raises(type(error)) as raised:
        await Timed(Broken(error), Limits()).move(SEEN)
    assert raised.value is error
