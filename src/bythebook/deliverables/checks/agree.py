"""`agree`: two places of the candidate carry one value. Whether it is right is another item's."""

from decimal import Decimal

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.cells import find_cell
from bythebook.deliverables.checks.deciding import fail, unsure
from bythebook.deliverables.checks.figures import Segment, gives, read_pieces, says, segments
from bythebook.deliverables.checks.grid import Grid
from bythebook.deliverables.checks.labels import figures_of, find_labels
from bythebook.deliverables.checks.places import encoded, shortened
from bythebook.deliverables.checks.reading import number_of
from bythebook.deliverables.checks.want import near, seen_in
from bythebook.deliverables.checks.wording import holds_phrase


def check_agree(spec: s.Agree, case: Case) -> Answer:
    """A cell, and a figure in a document or another cell."""
    value, place, seen = _cell(spec.cell, case)
    if spec.other is not None:
        other, at, shown = _cell(spec.other, case)
        if not near(other, value, spec.tol):
            raise fail(f"{place} carries another value", at, seen=shown, wanted=seen)
        return Answer(mark="pass", place=at, seen=shown, wanted=seen)
    return _figure(spec.figure or s.FigurePlace(near=()), case, value, seen)


def _cell(place: s.CellPlace, case: Case) -> tuple[Decimal, str, str]:
    """The number of a cell, its place, and the cell as seen."""
    grid = case.grid(place.file, place.sheet)
    if place.label:
        row, column = _labelled(grid, place.label, case)
    else:
        row, column = find_cell(case, grid, place.find, place.column)
    case.look(grid, row, column)
    at, cell = grid.place_of(row, column), grid.at(row, column)
    value = number_of(cell) if cell is not None else None
    if value is None:
        raise fail("no number stands there", at, seen=seen_in(cell) if cell else "nothing")
    return value, at, seen_in(cell) if cell else ""


def _labelled(grid: Grid, name: str, case: Case) -> tuple[int, int]:
    field = case.fields[name]
    labels = list(find_labels(case, grid, field))
    if not labels:
        raise unsure("no such label", grid.place, wanted=field.names[0])
    figures = figures_of(grid, labels[0])
    if not figures:
        raise fail("no figure stands by the label", grid.place_of(*labels[0]))
    return figures[0]


def _figure(spec: s.FigurePlace, case: Case, value: Decimal, seen: str) -> Answer:
    """The figure of a document, rounded as it likes down to the digits asked for."""
    name, said = read_pieces(spec.file, case)
    aliases = (spec.near,) if isinstance(spec.near, str) else spec.near
    beside = [one for one in segments(said) if any(holds_phrase(one.text, a) for a in aliases)]
    hits = [one for one in beside if says(one, value, spec.digits, case.locale)]
    if hits:
        return Answer(
            mark="pass", place=hits[0].piece.place, seen=shortened(hits[0].text), wanted=seen
        )
    wanted = f"{seen} beside {aliases[0] if aliases else 'nothing'}"
    if not beside:
        raise unsure("no sentence or row speaks of it", encoded(name), wanted=wanted)
    if any(says(one, value, spec.digits, case.locale) for one in segments(said)):
        raise unsure("the figure stands in another sentence", beside[0].piece.place, wanted=wanted)
    crowded = [one for one in beside if gives(one.text, value, spec.digits, case.locale)]
    if crowded:
        raise unsure("the figure stands among many", crowded[0].piece.place, wanted=wanted)
    first = _with_numbers(beside)
    raise fail(
        "carries another value", first.piece.place, seen=shortened(first.text), wanted=wanted
    )


def _with_numbers(beside: list[Segment]) -> Segment:
    """The first sentence that gives a number at all."""
    return next((one for one in beside if any(map(str.isdigit, one.text))), beside[0])
