"""The same two hundred calls under Inspect, with its mock model.

The tool does the same writes on plain dictionaries and keeps its rows outside Inspect's store: the
cheapest way that Inspect offers. The log is written as Inspect writes it by default.
"""

import tempfile
import time

from inspect_ai import Task
from inspect_ai import eval as run
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import Tool, tool

from bench.work import CALLS, call


@tool
def transfer_between_accounts() -> Tool:
    accounts = {"ACC-B1": 900_000, "ACC-B2": 100_000}
    log: list[tuple[str, int, int]] = []

    async def execute(source: str, target: str, amount: int, reference: str) -> str:
        """Move money between two accounts of the same owner.

        Args:
            source: where it comes from
            target: where it goes
            amount: cents
            reference: text on the statement
        """
        for key, change in ((source, -amount), (target, amount)):
            log.append((key, accounts[key], accounts[key] + change))
            accounts[key] += change
        return f"moved {amount}: {reference}"

    return execute


@tool
def account_statement() -> Tool:
    async def execute(account: str) -> str:
        """List the fees that were taken from an account.

        Args:
            account: which one
        """
        return f"no fees were taken from {account}"

    return execute


def outputs() -> list[ModelOutput]:
    """What the mock model says, turn by turn."""
    model, made = "mockllm/model", []
    for number in range(CALLS):
        sent = call(number).args
        made.append(ModelOutput.for_tool_call(model, sent["name"], sent["arguments"]))
    made.append(ModelOutput.from_content(model, "done"))
    for output in made:
        # Without it the mock model counts tokens, with a table that it would have to download.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return made


def once() -> float:
    """CPU seconds a step of one sample."""
    work = Task(
        dataset=[Sample(input="Please move the small change.")],
        solver=[use_tools(transfer_between_accounts(), account_statement()), generate()],
    )
    model = get_model("mockllm/model", custom_outputs=outputs(), memoize=False)
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        log = run(work, model=model, log_dir=folder, display="none", score=False)[0]
        taken = time.process_time() - start
        assert log.status == "success", log.status
        assert log.samples is not None
        assert sum(message.role == "tool" for message in log.samples[0].messages) == CALLS
    return taken / CALLS


def seconds_per_step(samples: int = 3) -> float:
    """Median CPU seconds that Inspect spends on a step; the first sample does not count."""
    once()
    return sorted(once() for _ in range(samples))[samples // 2]
