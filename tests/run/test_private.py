"""What should not leave a house is found in texts and covered, the same by the same."""

import json
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.run.private import TRACES, Cover

A_KEY = "sk-ant-api03-abcDEF0123456789abcDEF"
FOUND = [
    ("key", A_KEY),
    ("key", "ghp_" + "a1B2" * 9),
    ("key", "AKIA" + "ABCD1234" * 2),
    ("key", "AIza" + "x" * 35),
    ("key", "hf_" + "Ab3" * 12),
    ("key", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3.sflKxwRJSMeKKF2QT4"),
    ("mail", "anna.lind@firm-of-hers.com"),
    ("name", "Anna Lind"),
    ("name", "anna\nlind"),
    ("name", "Łucja"),
]
NOT_FOUND = [
    "pay 40 sk-crowns and risk-assessment-of-everything-at-hand",
    "noor@banyan.example, test@example.com",
    "/home/agent/.cache and /workspace/results",
    "Annabel Lindberg",
    "the password is asked for twice",
    "f8059e360bafb5e8f8059e360bafb5e8f8059e360bafb5e8",
    "@channel, 5 @ 3.50",
]


@pytest.fixture
def cover() -> Cover:
    return Cover(["Anna  Lind", "Łucja"])


@pytest.mark.parametrize(("kind", "text"), FOUND)
@pytest.mark.parametrize("around", ["{}", "see {}, please", '("{}")', "a\n{}\n", '{{"k": "{}"}}'])
def test_what_has_a_known_shape_is_found_and_nothing_around_it(
    cover: Cover, kind: str, text: str, around: str
) -> None:
    whole = around.format(text)

    (hit,) = cover.hits(whole)

    assert (hit.kind, whole[hit.start : hit.end]) == (kind, text)


@pytest.mark.parametrize(("kind", "text"), FOUND)
def test_json_inside_a_text_hides_nothing(cover: Cover, kind: str, text: str) -> None:
    inside = json.dumps({"said": f"dear\n{text}\n"})

    assert [hit.kind for hit in cover.hits(inside)] == [kind]
    assert text not in json.loads(cover.text(inside))["said"]


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("OPENAI_API_KEY=abcdefgh12", "OPENAI_API_KEY=KEY-1"),
        ('{"password": "correct-horse"}', '{"password": "KEY-1"}'),
        ("Authorization: Bearer abcdefghij0123456789", "Authorization: Bearer KEY-1"),
        ("https://anna:geheim@git.example/x", "https://anna:KEY-1@git.example/x"),
        ("cd /home/anna/work", "cd /home/user-1/work"),
        ("/Users/anna", "/Users/user-1"),
        (r"C:\Users\anna\x", r"C:\Users\user-1\x"),
        (
            "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----",
            "KEY-1",
        ),
    ],
)
def test_the_secret_part_is_covered_and_the_rest_stays(
    cover: Cover, text: str, covered: str
) -> None:
    assert cover.text(text) == covered


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_gives_nobody_away_stays(cover: Cover, text: str) -> None:
    assert cover.text(text) == text


def test_one_thing_has_one_cover_and_another_has_another(cover: Cover) -> None:
    text = "anna@a.com wrote to bo@b.com; Anna@A.com and ANNA LIND agree"

    assert cover.text(text) == (
        "person-1@redacted.example wrote to person-2@redacted.example;"
        " person-1@redacted.example and NAME-1 agree"
    )
    assert cover.counts == {"mail": 2, "name": 1}


def test_names_of_fields_are_texts_too_but_not_a_formats_own_words() -> None:
    value = {"Anna Lind": [1, None, {"agent": "of Anna Lind, agent"}]}

    covered = Cover(["Anna Lind", "agent"]).value(value)

    assert covered == {"NAME-1": [1, None, {"agent": "of NAME-1, NAME-2"}]}


def test_this_machine_and_what_it_was_given_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "an-odd-looking-secret")
    cover = Cover(places=[tmp_path])
    host = socket.gethostname()

    assert cover.text("with an-odd-looking-secret") == "with KEY-1"
    assert cover.text(f"{tmp_path}/x") == "/evaluation-1/x"
    if len(host) > 3 and host not in ("localhost", "sandbox"):
        assert cover.text(f"on {host}") == "on host-1"


@given(st.lists(st.sampled_from([text for _, text in FOUND] + NOT_FOUND)))
def test_what_is_covered_holds_nothing_more_to_cover(parts: list[str]) -> None:
    cover = Cover(["Anna Lind", "Łucja"])

    covered = cover.text(" | ".join(parts))

    assert list(cover.hits(covered)) == []
    assert not any(text in covered for kind, text in FOUND)


@pytest.mark.parametrize(("kind", "text"), FOUND)
def test_the_first_look_hides_nothing_that_the_second_would_find(
    cover: Cover, kind: str, text: str
) -> None:
    """What is looked for first stands in the thing itself, not in what the tests put around it."""
    assert [hit.kind for hit in cover.hits(text)] == [kind]
    assert any(trace in text.lower() for trace in (*TRACES, "anna", "łucja"))


def test_long_texts_without_a_blank_take_no_time() -> None:
    cover = Cover(["Anna Lind"])
    for text in (
        "a" * 300_000,
        "a." * 150_000,
        "/home/" * 50_000,
        "sk-" * 100_000,
        "x@" * 150_000,
        "-eyJ" * 75_000,
        "password=" * 30_000,
        "ab://c:" * 40_000,
        "\\na" * 90_000,
    ):
        assert isinstance(cover.text(text), str)
