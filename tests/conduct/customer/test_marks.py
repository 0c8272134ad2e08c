"""What is recognised in a text, and what is not."""

import pytest

from bythebook.conduct.customer.marks import Marks


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("sixty dollars", {"60"}),
        ("$60.00", {"60"}),
        ("a hundred and fifty", {"150"}),
        ("thirty-four euros at 1.17", {"34", "1.17"}),
        ("1,500 or two thousand and twenty-five", {"1500", "2025"}),
        ("fifty and sixty", {"50", "60"}),
        ("two hundred thousand", {"200000"}),
        ("at 15:15, which is 3:15", {"3:15"}),
        ("on the 29th of September", {"29"}),
        ("one moment, both of the 2 are fine, 5.00", set()),
        ("9" * 50, set()),
    ],
)
def test_numbers_are_read_however_they_are_written(text: str, numbers: set[str]) -> None:
    assert Marks.of(text).numbers == numbers


def test_ids_are_read_whole_and_their_figures_are_known_too() -> None:
    marks = Marks.of("RF-2209, L-20418 and OS/2025/311; mid-week and US-VN are none")

    assert marks.ids == {"RF-2209", "L-20418", "OS/2025/311"}
    assert marks.numbers == set()
    assert {"2209", "20418", "311"} <= marks.figures


def test_names_are_capitalised_words_inside_a_sentence() -> None:
    marks = Marks.of(
        "They left First Harbor on Monday. Jory Pell knows. Ask Marit, or Cobble Lane."
    )

    assert marks.names == {"first harbor", "pell", "marit", "cobbl lane"}


def test_a_whole_number_in_a_row_stands_for_its_hundredth() -> None:
    assert {"6000", "60"} <= Marks.of_data({"total_cap": 6000}).figures


SECRET = Marks.of("We got a newer electricity bill on Monday. It is in your portal now.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It is in the portal: a newer electricity bill.", True),
        ("There is a newer bill from Monday.", True),
        ("Which bill do you mean?", False),
        ("I pay the electricity at home.", False),
        ("We have something more recent.", False),
    ],
)
def test_half_of_the_words_tell_a_secret(text: str, told: bool) -> None:
    assert SECRET.tells(Marks.of(text)) == told


@pytest.mark.parametrize(
    "text", ["It ends in 4417.", "It is at cinder county.", "See OS/2025/311."]
)
def test_one_number_name_or_id_tells_a_secret(text: str) -> None:
    secret = Marks.of("The account at Cinder County, ending 4417, from invoice OS/2025/311.")

    assert secret.tells(Marks.of(text))


def test_what_the_agent_has_said_itself_is_no_secret_any_more() -> None:
    secret = Marks.of("The one at Cinder County, ending 4417, please.")
    said = Marks.of("Yes, Cinder County, ending 4417.")

    assert secret.tells(said)
    assert not secret.without(Marks.of("Is it First Harbor or Cinder County, ending 4417?")).tells(
        said
    )


@pytest.mark.parametrize(
    "text", ["A-" * 50_000, "hundred " * 20_000, "9" * 100_000, "Aa. " * 30_000, "A9-" * 30_000]
)
def test_no_text_takes_long(text: str) -> None:
    marks = Marks.of(text) | Marks.of(text)

    assert all(len(number) < 20 for number in marks.figures)
