"""One mapping: the same original always becomes the same, and none is left."""

import re

import pytest
import yaml

from bythebook import yamlfile
from bythebook.build.sop.checks import check_all
from bythebook.build.sop.names import Rewriter, extended, load_mapping
from bythebook.build.sop.work import kept_work
from bythebook.conduct.sops import Sop
from tests.build.sop.firm import Desk, names

NAMES = [("Maria Santos", "person"), ("Santos", "person"), ("Harbour Freight Ltd", "firm")]
TEXT = (
    "Maria Santos of Harbour Freight Ltd (m.santos@harbour.example, +44 20 7946 0123) owes "
    "USD 1,200.50 on GB29 NWBK 6016 1331 9268 19 since 2025-09-25. Ms Santos agrees."
)


def test_names_addresses_numbers_and_amounts_are_rewritten() -> None:
    mapping = extended({}, NAMES, TEXT, amounts=True)
    told = Rewriter(mapping).words(TEXT)

    assert told == (
        "Avery Lind of Bluefield Supply (contact-1@example.com, +00 000 0001) owes "
        "USD 1,620.67 on ACCOUNT-0001 since 2025-09-25. Ms Lind agrees."
    )
    assert Rewriter(mapping).leaks(told) == ()


def test_what_the_mapping_says_already_is_never_changed() -> None:
    before = {"Harbour Freight Ltd": "Some Other Firm"}

    after = extended(before, NAMES, TEXT, amounts=False)

    assert after["Harbour Freight Ltd"] == "Some Other Firm"
    assert extended(after, NAMES, TEXT, amounts=False) == after


def test_no_two_originals_become_one() -> None:
    names = [(f"Person Number{n}", "person") for n in range(250)]
    mapping = extended({}, names, "", amounts=False)

    assert len(set(mapping.values())) == 250


@pytest.mark.parametrize(
    "said", ["MARIA SANTOS", "Maria\n  Santos", "doc harbour-freight-ltd-notes#a-1", "Santos's"]
)
def test_an_original_is_seen_however_it_is_written(said: str) -> None:
    assert Rewriter(extended({}, NAMES, "", amounts=False)).leaks(said)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("(877) 555-0123", "phone"),
        ("877-555-0123", "phone"),
        ("1-800-555-0123", "phone"),
        ("020 7946 0123", "phone"),
        ("https://desk.lamps.example/forms?id=1", "web"),
        ("www.lamps.example", "web"),
    ],
)
def test_numbers_of_a_country_and_pages_are_found(said: str, kind: str) -> None:
    assert extended({}, [], f"See {said}.", amounts=False).keys() == {said}
    assert kind == "phone" or "example.com" in extended({}, [], said, amounts=False)[said]


@pytest.mark.parametrize("said", ["2025-09-25", "1.2.3", "3-5 days", "30-60 minutes", "2,500"])
def test_days_and_quantities_are_no_numbers_of_somebody(said: str) -> None:
    assert extended({}, [], f"On {said}.", amounts=False) == {}


def test_names_in_a_scope_and_in_the_ids_of_steps_are_rewritten(done: Desk) -> None:
    draft = done.place / "08-knowledge/take-a-return.yaml"
    told = draft.read_text("utf-8").replace("segment: any", "segment: Harbour desk", 1)
    draft.write_text(re.sub(r"\brefund\b", "harbour-refund", told), "utf-8")

    assert done.build("--keep", "knowledge") == 1
    done.say("names", "names-01", names())
    assert done.build() == 0
    found = yamlfile.load(done.place / "11-out/sops/take-a-return.yaml", Sop)
    known = yaml.safe_load((done.place / "11-out/knowledge/take-a-return.yaml").read_text("utf-8"))
    ids = [step.id for step in found.steps]
    assert "harbour" not in f"{found}".lower()
    assert ids[-1].endswith("-refund")
    assert ids[-1] in found.steps[2].onward
    assert {step for one in known["knowledge"] for step in one.get("steps", ())} <= set(ids)


def test_a_name_inside_a_longer_word_is_none() -> None:
    assert Rewriter({"Santos": "Lind"}).words("Santosa") == "Santosa"


def test_names_in_links_are_rewritten_as_slugs() -> None:
    rewriter = Rewriter({"Harbour Freight": "Bluefield Supply"})

    assert rewriter.link("harbour-freight-terms#a-1") == "bluefield-supply-terms#a-1"


def test_the_mapping_lies_beside_the_place_and_nothing_of_it_is_handed_over(built: Desk) -> None:
    mapping = load_mapping(built.root / "place.mapping.yaml")
    told = "\n".join(p.read_text("utf-8") for p in built.place.glob("11-out/**/*.*"))

    assert "Maria Santos" in mapping
    assert not any(original.lower() in told.lower() for original in mapping)
    assert mapping["Maria Santos"] in told


def test_a_mapping_edited_by_hand_is_followed(done: Desk) -> None:
    path = done.root / "place.mapping.yaml"
    path.write_text(path.read_text().replace("Avery Lind", "Quill Orrin"))

    assert done.build() == 0
    assert "Quill Orrin" in (done.place / "11-out/knowledge/take-a-return.yaml").read_text()


def test_a_mapping_that_is_gone_closes_the_gate_and_is_not_made_anew_unasked(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    mapping = done.place.with_name("place.mapping.yaml")
    mapping.rename(mapping.with_name("kept.yaml"))

    assert done.build("--check") == 1
    assert "the mapping is gone" in " ".join(capsys.readouterr().err.split())
    assert done.build() == 2
    assert "put it back beside the place" in " ".join(capsys.readouterr().err.split())
    assert not mapping.exists()

    mapping.with_name("kept.yaml").rename(mapping)
    assert done.build("--check") == done.build() == 0


def test_a_mapping_is_made_anew_where_somebody_says_so(done: Desk) -> None:
    mapping = done.place.with_name("place.mapping.yaml")
    mapping.unlink()

    assert done.build("--remake", "names") == 0

    assert mapping.exists()


def test_a_name_in_the_name_of_a_file_is_got_out_as_the_message_says(done: Desk) -> None:
    path = done.place / "10-rewrite" / "take-a-return.yaml"
    odd = path.with_name("ask-maria-santos.yaml")
    odd.write_text(path.read_text().replace("take-a-return", "ask-maria-santos"))
    path.unlink()

    says = check_all(kept_work(done.place))["rewrite"][str(odd)]

    assert "stands in the file's name: rename the file in 10-rewrite, and the `id` in it" in says
    path.write_text(odd.read_text().replace("ask-maria-santos", "take-a-return"))
    odd.unlink()
    assert "rewrite" not in {
        name for name, found in check_all(kept_work(done.place)).items() if found
    }
