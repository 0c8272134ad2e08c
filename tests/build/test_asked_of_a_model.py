"""The real command asks a model over HTTP: faults, a stop in the middle, and edits afterwards."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.model_server import Asked, Hang, ModelServer, Say, Spoken, busy
from tests.own import BYTHEBOOK, bythebook

FOUND = ("place", "asked", "candidates")


def answers(asked: Asked) -> Spoken:
    """One candidate of the document that is shown; its only span is quoted."""
    name = "early" if "### early" in asked.said else "late"
    (span,) = set(re.findall(rf"{name}#[\w-]+", asked.said))
    claim = {"says": "Sort the post.", "kind": "step", "source": span, "quote": "Sort the post"}
    one = {"id": name, "title": name, "goal": "All is sorted.", "claims": [claim]}
    return Say(json.dumps({"candidates": [one]}))


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Two documents, too long to be asked about together."""
    for name in ("early", "late"):
        path = tmp_path / "papers" / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"Sort the post of the {name} round. " + "Then go on. " * 50)
    return tmp_path


def words(server: ModelServer, *more: str) -> list[str]:
    asked = ("--model", "local:m", "--base-url", f"{server.url}/v1", "--concurrency", "1")
    what = ("build", "sop", "papers", "--to", "place", "--chars", "1000")
    return [*what, "--until", "candidates", *asked, *more]


def test_a_provider_that_has_to_be_asked_again_is_told(papers: Path) -> None:
    with ModelServer([busy(1.2), answers, answers]) as server:
        done = bythebook(*words(server), cwd=papers)

    assert done.returncode == 0, done.stderr
    told = [" ".join(line.split()) for line in done.stderr.splitlines()]
    assert any(
        "candidates: 0/2" in line and "asking again: local:m" in line and "too many" in line
        for line in told
    ), done.stderr
    assert "candidates/b01: taken" in told
    assert any("1 asked again" in line for line in told)


def test_a_provider_that_cannot_be_had_ends_the_command_and_the_same_goes_on(
    papers: Path,
) -> None:
    with ModelServer([answers]) as server:
        broken = bythebook(*words(server), cwd=papers)
    assert broken.returncode == 3
    assert "the script is over" in broken.stderr

    with ModelServer(answers) as server:
        assert bythebook(*words(server), cwd=papers).returncode == 0
        assert server.count == 1


def test_whoever_stops_it_loses_no_answer_and_the_same_command_goes_on(papers: Path) -> None:
    with ModelServer([answers, Hang()]) as server:
        command = [str(BYTHEBOOK), *words(server)]
        process = subprocess.Popen(command, cwd=papers, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 60
        while server.count < 2 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, says = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "what was answered is kept. The same command goes on" in says
    assert "bythebook build sop papers" in says
    assert len(list(papers.joinpath(*FOUND).glob("*/answer.json"))) == 1

    with ModelServer(answers) as server:
        assert bythebook(*words(server), cwd=papers).returncode == 0
        assert server.count == 1


def test_an_answer_of_a_model_that_a_person_edits_is_taken_anew(papers: Path) -> None:
    with ModelServer(answers) as server:
        assert bythebook(*words(server), cwd=papers).returncode == 0
        path = papers.joinpath(*FOUND, "b01", "answer.json")
        path.write_text(path.read_text().replace("All is sorted.", "Nothing is left over."))

        again = bythebook(*words(server), cwd=papers)
        assert (again.returncode, server.count) == (0, 2), again.stderr
        file = papers / "place/02-candidates/b01.yaml"
        assert "Nothing is left over." in file.read_text()

        path.write_text(path.read_text().replace("Sort the post", "Sort the mail"))
        wrong = bythebook(*words(server), cwd=papers)
        assert (wrong.returncode, server.count) == (1, 2)
        assert "'Sort the mail' does not stand in this span" in wrong.stderr
        assert "Nothing is left over." in file.read_text()

        source = papers / "papers/early.md"
        source.write_text(source.read_text() + "And close the door. ")
        anew = bythebook(*words(server), cwd=papers)
        assert (anew.returncode, server.count) == (0, 3), anew.stderr
        assert "b01: the question has changed and is asked anew" in anew.stderr
        assert "edited by hand is place/asked/candidates/b01/answer.json.old-1" in anew.stderr
