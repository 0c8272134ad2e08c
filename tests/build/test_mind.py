"""Who is asked, by hand or as a model: what counts as an answer, and what is asked again."""

import json
from pathlib import Path

import msgspec
import pytest

from bythebook.build.hand_mind import HandMind
from bythebook.build.mind import Answered, Question, Wrong, filled, read_answer
from bythebook.build.model_mind import ModelMind
from bythebook.errors import AgentError
from bythebook.models.names import address
from bythebook.models.patience import Patience
from bythebook.models.types import Settings
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic
from tests.model_server import ModelServer, Say, fault


class Colour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    colour: str


def colour(question: Question, text: str) -> str:
    found = read_answer(text, Colour).colour
    if found != "blue":
        raise Wrong(f"{found} is not blue")
    return found


ONE = Question("sky", "noon", "Which colour? Answer {colour}.")
TWO = Question("sky", "night", "Which colour at night?")


def by_hand(folder: Path, *questions: Question) -> Answered[str]:
    return HandMind(folder).answers(questions or (ONE,), colour)


def test_a_question_is_laid_out_and_its_answer_taken(tmp_path: Path) -> None:
    first = by_hand(tmp_path)
    place = tmp_path / "sky/noon"
    assert first.waiting == (place,)
    assert "Which colour?" in (place / "prompt.md").read_text()

    (place / "answer.json").write_text('{"colour": "blue"}')

    assert by_hand(tmp_path).taken == {"noon": "blue"}


def test_an_answer_that_is_changed_after_it_was_taken_is_told(tmp_path: Path) -> None:
    by_hand(tmp_path)
    answer = tmp_path / "sky/noon/answer.json"
    answer.write_text('{"colour": "blue"}')
    mind = HandMind(tmp_path)
    assert mind.revised("sky") == ()
    by_hand(tmp_path)
    assert mind.revised("sky") == ()

    answer.write_text('{"colour": "blue"} ')
    assert mind.revised("sky") == ("noon",)
    mind.leave("sky", ["noon"])
    assert mind.revised("sky") == ()

    assert mind.forget("sky") == 1
    assert mind.revised("sky") == ("noon",)


def test_an_answer_may_be_yaml_or_stand_in_a_fence_or_among_words(tmp_path: Path) -> None:
    for text in (
        "colour: blue",
        "```yaml\ncolour: blue\n```",
        'Here it is:\n```json\n{"colour": "blue"}\n```\nDone.',
        'It is this one: {"colour": "blue"}',
        "{colour: blue}",
    ):
        assert read_answer(text, Colour) == Colour("blue"), text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"colour": 3}', "got `int`"),
        ('{"color": "blue"}', "did you mean 'colour'?"),
        ('{"colour": "blue"', "no JSON"),
        ("colour: [", "answer:"),
        ("", "nothing stands in it"),
        ("[" * 100_000, "nested too deeply"),
        ('{"colour": ' * 100_000, "nested too deeply"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_wrong_with_the_form_of_an_answer_is_said(text: str, says: str) -> None:
    with pytest.raises(Wrong, match=says.replace("?", r"\?")):
        read_answer(text, Colour)


def test_a_wrong_answer_is_told_beside_it_and_the_note_goes_when_it_is_mended(
    tmp_path: Path,
) -> None:
    by_hand(tmp_path)
    place = tmp_path / "sky/noon"
    (place / "answer.yaml").write_text("colour: red")

    assert by_hand(tmp_path).wrong == {place: "red is not blue"}
    assert (place / "answer.wrong.txt").read_text() == "red is not blue\n"

    (place / "answer.yaml").write_text("colour: blue")
    assert by_hand(tmp_path).complete
    assert not (place / "answer.wrong.txt").exists()


def test_two_answers_to_one_question_are_one_too_many(tmp_path: Path) -> None:
    by_hand(tmp_path)
    for name in ("answer.json", "answer.yaml"):
        (tmp_path / "sky/noon" / name).write_text('{"colour": "blue"}')

    (says,) = by_hand(tmp_path).wrong.values()

    assert says == "there are answer.json and answer.yaml: leave one of them"


def test_an_answer_that_does_not_read_is_told_what_to_do(tmp_path: Path) -> None:
    by_hand(tmp_path)
    (tmp_path / "sky/noon/answer.json").write_bytes('{"colour": "blue"}'.encode("utf-16"))

    (says,) = by_hand(tmp_path).wrong.values()

    assert says == "answer.json is no UTF-8: save it as UTF-8"


def test_an_answer_to_an_older_question_is_put_aside(tmp_path: Path) -> None:
    by_hand(tmp_path)
    place = tmp_path / "sky/noon"
    (place / "answer.json").write_text('{"colour": "blue"}')

    other = Question("sky", "noon", "Which colour in Leeds?")

    assert by_hand(tmp_path, other).waiting == (place,)
    assert (place / "answer.json.old-1").exists()
    assert "as `answer.json.old-1`; copy" in (place / "prompt.md").read_text()


def test_a_prompt_is_filled_in_once(tmp_path: Path) -> None:
    (tmp_path / "ask.md").write_text("@SKY@, @SEA@, @NOBODY@")

    said = filled(tmp_path / "ask.md", {"sky": "@SEA@", "sea": "grey"})

    assert said == "@SEA@, grey, @NOBODY@"


def model(folder: Path, server: ModelServer, *, at_once: int = 2) -> ModelMind:
    where = address("local:m", f"{server.url}/v1")

    def opens() -> Reach:
        patience = Patience(attempts=1)
        return Reach(where, "", Settings(), traffic=Traffic(2), patience=patience)

    return ModelMind(folder, opens, at_once=at_once)


def test_a_model_is_told_what_is_wrong_and_asked_again(tmp_path: Path) -> None:
    with ModelServer([Say('{"colour": "red"}'), Say('{"colour": "blue"}')]) as server:
        found = model(tmp_path, server).answers((ONE,), colour)

    assert found.taken == {"noon": "blue"}
    assert "- red is not blue" in server.asked[1].said
    kept = json.loads((tmp_path / "sky/noon/conversation.json").read_text())
    assert [turn["role"] for turn in kept["turns"]] == ["user", "assistant"] * 2


def test_after_two_mends_a_model_is_wrong_and_the_next_command_asks_anew(tmp_path: Path) -> None:
    with ModelServer([*[Say('{"colour": "red"}')] * 3, Say('{"colour": "blue"}')]) as server:
        mind = model(tmp_path, server)
        assert mind.answers((ONE,), colour).wrong == {tmp_path / "sky/noon": "red is not blue"}
        assert server.count == 3
        assert mind.answers((ONE,), colour).complete


def test_what_a_model_answered_is_not_asked_again(tmp_path: Path) -> None:
    with ModelServer([Say('{"colour": "blue"}')]) as server:
        mind = model(tmp_path, server)
        mind.answers((ONE,), colour)
        assert mind.answers((ONE,), colour).complete
        assert server.count == 1
        assert mind.forget("sky") == 1


def test_an_answer_of_a_model_that_a_person_changes_is_told(tmp_path: Path) -> None:
    with ModelServer([Say('{"colour": "blue"}')]) as server:
        mind = model(tmp_path, server)
        mind.answers((ONE,), colour)
        assert mind.revised("sky") == ()
        answer = tmp_path / "sky/noon/answer.json"

        answer.write_text('{"colour": "red"}')
        assert mind.revised("sky") == ("noon",)
        assert mind.answers((ONE,), colour).wrong == {tmp_path / "sky/noon": "red is not blue"}
        assert mind.revised("sky") == ("noon",)

        answer.write_text('{"colour": "blue" }')
        assert mind.answers((ONE,), colour).complete
        assert mind.revised("sky") == ()
        assert server.count == 1


def test_a_provider_that_cannot_be_had_is_an_error_and_loses_no_answer(tmp_path: Path) -> None:
    def reply(asked: object) -> Say:
        return Say('{"colour": "blue"}')

    with (
        ModelServer([reply, fault(401, "no such key")]) as server,
        pytest.raises(AgentError, match="no such key"),
    ):
        model(tmp_path, server, at_once=1).answers((ONE, TWO), colour)

    assert len(list(tmp_path.glob("sky/*/answer.json"))) == 1


@pytest.mark.parametrize(
    ("say", "says"),
    [
        (Say('{"colour": "bl', stop="length"), "cut off"),
        (Say(""), "empty"),
    ],
)
def test_what_is_no_whole_answer_is_sent_back(tmp_path: Path, say: Say, says: str) -> None:
    with ModelServer([say, Say('{"colour": "blue"}')]) as server:
        assert model(tmp_path, server).answers((ONE,), colour).complete
    assert says in server.asked[1].said
