"""Each harness, as it is, in the sandbox: given a tool, a shell and words, and words again."""

from pathlib import Path

import pytest

from tests.gateway.standing import OURS
from tests.harness.stage import TOOL, stage
from tests.model_server import Asked, ModelServer, Say, Spoken, Use

SHELLS = {
    "nanobot": ("exec", "command"),
    "hermes": ("terminal", "command"),
    "claude-code": ("Bash", "command"),
    "codex": ("exec_command", "cmd"),
    "mini": ("bash", "command"),
}
"""A harness's name for a shell, and for what is to be run."""
PROVIDERS = {
    "nanobot": "chat",
    "hermes": "anthropic",
    "claude-code": "anthropic",
    "codex": "chat",
}
"""What the model behind speaks: one harness has its requests translated."""

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(900)]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_it_uses_its_tools_says_words_and_goes_on(name: str, tmp_path: Path) -> None:
    shell, argument = SHELLS[name]

    def speak(asked: Asked) -> Spoken:
        if asked.number == 0:
            tool = next(one for one in asked.tools if one.endswith(TOOL))
            return Say("First I ask.", calls=(Use(tool, {"text": "May I?"}),))
        if asked.number == 1:
            return Say(calls=(Use(shell, {argument: "mkdir -p results; pwd >results/where"}),))
        return Say("All is done." if asked.number == 2 else "You are welcome.")

    with ModelServer(speak) as server:
        async with stage(name, server, tmp_path, PROVIDERS[name]) as there:
            first = await there.turn("Ask, then do it.")
            second = await there.turn("/thanks")

    assert (first.ending, first.text) == ("finished", "All is done."), (first, there.ran)
    assert (second.ending, second.text) == ("finished", "You are welcome."), (second, there.ran)
    assert there.desk.used == [{"text": "May I?"}]
    assert (tmp_path / "workspace/results/where").read_text() == "/workspace\n"
    assert there.left - {"results"} <= set(there.harness.litter)

    assert (there.gateway.steps, there.gateway.ended) == (4, None)
    assert [one.status for one in there.heard] == [200] * 4
    last = there.heard[-1].request
    told = " ".join(message.text for message in last.messages if message.role == "user")
    assert "Ask, then do it." in told
    assert "/thanks" in told
    answers = [answer.text for message in last.messages for answer in message.answers]
    assert any("answer 1: by all means, do" in text for text in answers)
    assert not any("untrusted" in text for text in answers)
    assert all(OURS in " ".join(one.headers.values()) for one in server.asked)


async def test_one_that_takes_no_tools_works_and_ends_in_its_own_way(tmp_path: Path) -> None:
    shell, argument = SHELLS["mini"]
    end = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; echo All is done."
    calls = (
        Use(shell, {argument: "mkdir results; pwd >results/where"}),
        Use(shell, {argument: end}),
    )
    script = [Say(calls=(one,)) for one in calls]

    with ModelServer(script) as server:
        async with stage("mini", server, tmp_path, "chat") as there:
            said = await there.turn("Do it.")

    assert (said.ending, said.text.strip()) == ("finished", "All is done."), (said, there.ran)
    assert (tmp_path / "workspace/results/where").read_text() == "/workspace\n"
    assert (there.gateway.steps, there.gateway.ended) == (2, None)
