"""The two hundred calls under tau2-bench; run by the Python that has it, see `tau2_peer`.

Its own orchestrator, its retail shop and its tools, between an agent and a customer that say what
stands here: no model is asked. Fifty calls write, the rest look. Opening the shop is not counted,
keeping what was done is: as JSON, in the form that its runner keeps.
"""

import json
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from loguru import logger
from tau2.agent.base_agent import HalfDuplexAgent
from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage
from tau2.data_model.simulation import SimulationRun
from tau2.domains.retail.environment import get_environment, get_tasks
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.orchestrator.orchestrator import Orchestrator
from tau2.user.user_simulator_base import STOP, HalfDuplexUser

CUSTOMER = "yusuf_rossi_9620"


def said(number: int) -> ToolCall:
    """The call of one step: a write, then three looks."""
    name, sent = "get_user_details", {"user_id": CUSTOMER}
    if number % 4 == 0:
        name = "modify_user_address"
        street = {"address1": f"{number} Main Street", "address2": "", "city": "Philadelphia"}
        sent |= street | {"state": "PA", "country": "USA", "zip": "19122"}
    return ToolCall(id=f"call-{number}", name=name, arguments=sent, requestor="assistant")


class Agent(HalfDuplexAgent[list[int]]):
    """Makes its calls, then says goodbye."""

    def __init__(self, calls: int) -> None:
        super().__init__([], "")
        self._calls = calls

    def get_init_state(self, message_history: Any = None) -> list[int]:
        return [0]

    def generate_next_message(
        self, message: Any, state: list[int]
    ) -> tuple[AssistantMessage, list[int]]:
        number, state = state[0], [state[0] + 1]
        if number < self._calls:
            return AssistantMessage(role="assistant", tool_calls=[said(number)], cost=0.0), state
        return AssistantMessage(role="assistant", content="done", cost=0.0), state


class Customer(HalfDuplexUser[list[int]]):
    """Asks once, then leaves."""

    def __init__(self) -> None:
        super().__init__(instructions="", tools=None)

    def get_init_state(self, message_history: Any = None) -> list[int]:
        return [0]

    def generate_next_message(
        self, message: Any, state: list[int]
    ) -> tuple[UserMessage, list[int]]:
        words = "I am moving." if state[0] == 0 else STOP
        return UserMessage(role="user", content=words, cost=0.0), [state[0] + 1]

    @classmethod
    def is_stop(cls, message: UserMessage) -> bool:
        return bool(message.content == STOP)


def once(calls: int) -> tuple[float, float]:
    """CPU seconds of one run, kept on disk, and of its evaluation."""
    task, shop = get_tasks()[0], get_environment()
    play = Orchestrator("retail", Agent(calls), Customer(), shop, task, max_steps=10 * calls)
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        run = play.run()
        (Path(folder) / "run.json").write_text(run.model_dump_json(indent=2), "utf-8")
        taken = time.process_time() - start
    check(run, calls)
    start = time.process_time()
    evaluate_simulation(run, task, EvaluationType.ENV, False, "retail")
    return taken, time.process_time() - start


def check(run: SimulationRun, calls: int) -> None:
    """All of it was done."""
    answers = [message for message in run.messages if message.role == "tool"]
    assert str(run.termination_reason.value) == "user_stop", run.termination_reason
    assert len(answers) == calls, len(answers)
    assert not any(answer.error for answer in answers), answers[0]
    assert f"{calls - 4} Main Street" in str(answers[-1].content)


def main() -> None:
    """Print the medians of some runs; the first does not count."""
    logger.remove()
    calls, times = int(sys.argv[1]), int(sys.argv[2])
    once(calls)
    every = [once(calls) for _ in range(times)]
    run, judged = (sorted(column)[times // 2] for column in zip(*every, strict=True))
    told = {"version": version("tau2"), "step": run / calls, "judged": judged}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
