"""A harness's model calls read as moves: each call of a tool with the answer that came back."""

from bythebook.agents.protocol import Answer, Call
from bythebook.gateway.exchange import Exchange
from bythebook.harness.steps import UNSEEN, Steps
from bythebook.models.types import Message, Reply, Request, Usage

LOOK, WRITE = Call("read_file", {"path": "a"}, "c1"), Call("write_file", {"path": "b"}, "c2")
ASKED = Message("user", "Do it.")


def heard(
    *messages: Message, says: str = "", calls: tuple[Call, ...] = (), error: str = ""
) -> Exchange:
    said = Reply(Message("assistant", says, calls), usage=Usage(input=7))
    reply = None if error else said
    status = 502 if error else 200
    return Exchange(1, Request("m", (ASKED, *messages)), reply, error, status, 0.1)


def after(calls: tuple[Call, ...], *answers: Answer) -> tuple[Message, ...]:
    """A conversation that goes on with these answers."""
    return (Message("assistant", "", calls), Message("user", answers=answers))


def test_a_call_is_told_with_the_answer_of_the_next_request() -> None:
    steps, answer = Steps(), Answer("c1", "a page")

    first = steps.heard(heard(says=" I look. ", calls=(LOOK,)))
    assert (first.answered, first.move.calls, first.move.text) == ((), (LOOK,), "I look.")
    assert [note.name for note in first.move.notes] == ["usage"]

    second = steps.heard(heard(*after((LOOK,), answer), says="Done."))
    assert (second.answered, second.move.calls) == (((LOOK, answer),), ())
    assert steps.rest() == ()


def test_answers_of_several_calls_find_theirs_in_any_order() -> None:
    steps = Steps()
    steps.heard(heard(calls=(LOOK, WRITE)))

    answers = (Answer("c2", "written"), Answer("c1", "a page"))
    step = steps.heard(heard(*after((LOOK, WRITE), *answers)))

    assert step.answered == ((WRITE, answers[0]), (LOOK, answers[1]))


def test_a_harness_with_ids_of_its_own_is_read_by_the_order() -> None:
    steps = Steps()
    steps.heard(heard(calls=(LOOK, WRITE)))

    answers = (Answer("x", "a page"), Answer("y", "written"))
    step = steps.heard(heard(*after((), *answers)))

    assert step.answered == ((LOOK, answers[0]), (WRITE, answers[1]))


def test_ids_that_come_again_do_not_mix_old_answers_with_new_ones() -> None:
    steps, again = Steps(), Call("list_dir", {}, "c1")
    old, new = Answer("c1", "a page"), Answer("c1", "a list")
    steps.heard(heard(calls=(LOOK,)))
    steps.heard(heard(*after((LOOK,), old), calls=(again,)))

    step = steps.heard(heard(*after((LOOK,), old), *after((again,), new)))

    assert step.answered == ((again, new),)


def test_a_call_without_an_answer_is_told_at_the_end() -> None:
    steps = Steps()
    steps.heard(heard(calls=(LOOK, WRITE)))
    steps.heard(heard(*after((LOOK, WRITE), Answer("c1", "a page"))))

    assert steps.rest() == ((WRITE, UNSEEN),)
    assert steps.rest() == ()


def test_a_model_call_that_failed_leaves_a_note_and_what_it_carried() -> None:
    steps, answer = Steps(), Answer("c1", "a page")
    steps.heard(heard(calls=(LOOK,)))

    step = steps.heard(heard(*after((LOOK,), answer), error="boom"))

    assert step.answered == ((LOOK, answer),)
    (note,) = step.move.notes
    assert (note.name, note.args) == ("no_reply", {"status": 502, "says": "boom"})


def test_a_call_on_the_side_does_not_end_what_is_waited_for() -> None:
    """Some harnesses ask for a title or a summary between two steps."""
    steps, answer = Steps(), Answer("c1", "a page")
    steps.heard(heard(calls=(LOOK,)))
    steps.heard(heard(says="A title"))

    assert steps.heard(heard(*after((LOOK,), answer))).answered == ((LOOK, answer),)
