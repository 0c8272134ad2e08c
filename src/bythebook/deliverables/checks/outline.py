"""`outline`, `slides` and `image`: the outer shape of documents, decks and pictures."""

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import fail, unsure
from bythebook.deliverables.checks.figures import read_pieces
from bythebook.deliverables.checks.places import encoded, shortened, within
from bythebook.deliverables.checks.prose import Piece
from bythebook.deliverables.checks.uses import HEADED
from bythebook.deliverables.checks.wording import holds_phrase, unnumbered
from bythebook.deliverables.evidence.model import Deck, Picture, Slide


def check_outline(spec: s.Outline, case: Case) -> Answer:
    """Real headings: `Heading n` of a document, titles of slides, `#` of Markdown."""
    name, said = read_pieces(spec.file, case, HEADED)
    headings = [piece for piece in said if piece.kind == "heading"]
    seen = shortened(" / ".join(piece.text for piece in headings), 300)
    last, first = -1, ""
    for one in spec.has:
        names = (one,) if isinstance(one, str) else one
        places = [n for n, piece in enumerate(headings) if _is_called(piece.text, names)]
        if not places:
            raise _no_heading(name, said, names, seen)
        later = [place for place in places if place > last]
        if spec.in_order and not later:
            place = headings[places[0]].place
            raise fail("the heading stands out of order", place, seen=seen, wanted=names[0])
        last = later[0] if later else last
        first = first or headings[places[0]].place
    return Answer(mark="pass", place=first or encoded(name), seen=seen)


def _is_called(text: str, names: tuple[str, ...]) -> bool:
    """Is this the heading, or does it hold it word for word?"""
    own = unnumbered(text)
    return any(holds_phrase(own, name) or own == unnumbered(name) for name in names)


def _no_heading(name: str, said: tuple[Piece, ...], names: tuple[str, ...], seen: str) -> Exception:
    plain = [piece for piece in said if any(unnumbered(piece.text) == unnumbered(n) for n in names)]
    if plain:
        why = "it stands there as plain text, not as a heading"
        return unsure(why, plain[0].place, seen=shortened(plain[0].text), wanted=names[0])
    return fail("no such heading", encoded(name), seen=seen, wanted=" or ".join(names))


def check_slides(spec: s.Slides, case: Case) -> Answer:
    """How many slides are shown, how many hidden, and whether each has notes."""
    name, deck = case.content(spec.file, ("pptx",), Deck)
    shown = [slide for slide in deck.slides if not slide.hidden]
    hidden = [slide for slide in deck.slides if slide.hidden]
    low, high = (spec.count, spec.count) if isinstance(spec.count, int) else spec.count
    if not low <= len(shown) <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise fail("another number of slides", encoded(name), seen=str(len(shown)), wanted=wanted)
    if len(hidden) > spec.hidden:
        wanted = f"{spec.hidden} hidden slides"
        raise fail(f"{len(hidden)} slides are hidden", _at(name, hidden[0]), wanted=wanted)
    bare = [slide for slide in shown if spec.notes and not slide.notes.strip()]
    if bare:
        count = (len(bare), len(shown))
        raise fail(f"{len(bare)} slides have no notes", _at(name, bare[0]), count=count)
    return Answer(mark="pass", place=encoded(name), seen=f"{len(shown)} slides")


def _at(name: str, slide: Slide) -> str:
    return within(name, f"slide={slide.number}")


def check_image(spec: s.Image, case: Case) -> Answer:
    """A picture large enough, and not one colour."""
    name, picture = case.content(spec.file, ("image",), Picture)
    width, height = picture.width, picture.height
    seen = f"{width} x {height}"
    if isinstance(spec.min_px, int):
        large = min(width, height) >= spec.min_px
        wanted = f"{spec.min_px} pixels on the shorter side"
    else:
        large = width >= spec.min_px[0] and height >= spec.min_px[1]
        wanted = f"{spec.min_px[0]} x {spec.min_px[1]}"
    if not large:
        raise fail("the picture is too small", within(name, "image"), seen=seen, wanted=wanted)
    if spec.not_blank and picture.blank:
        raise fail("the picture is blank", within(name, "image"), seen=seen)
    return Answer(mark="pass", place=within(name, "image"), seen=seen)
