"""Actions in words: which record is changed, from what to what. Two hands write them."""

from authoring.stem_01_drawing_bom.check import Action, Entry
from authoring.stem_01_drawing_bom.story import Story

FIELDS = {
    "QTY": "quantity",
    "MAT": "material",
    "REV": "revision",
}


def told_to_do(told: Story, one: Action) -> str:
    """The first hand's sentence."""
    entry, where = one.entry, _where(one.entry)
    match one.kind:
        case "H":
            if entry.code == "DIM":
                found = f"measured {entry.found}, limits {entry.governing}"
                return f"Block the lot of {entry.part}: {found}."
            return (
                f"Block all stock of {entry.part} until its {FIELDS[entry.code]} is proved to be "
                f"{entry.governing} (ERP says {entry.found})."
            )
        case "S":
            found = f"{entry.found} against {entry.governing}"
            return f"Claim against the supplier of {entry.part}: {found}."
        case "W":
            return (
                f"Revise drawing {entry.parent}, item {entry.item} ({entry.part}): "
                f"{FIELDS[entry.code]} from {entry.drawn} to {entry.governing}, as {entry.source} "
                "says."
            )
    match entry.code:
        case "MIS":
            since = next(line.since for line in told.world.erp if line.part == entry.part)
            return (
                f"{where}: make {entry.part} valid for this build, its line begins only on "
                f"{since.isoformat()}."
            )
        case "EXT":
            return f"{where}: delete {entry.found}, which {entry.source} does not have."
        case "PN":
            return f"{where}: replace {entry.found} by {entry.governing}, as {entry.source} has it."
    field = FIELDS[entry.code]
    return f"{where}: change {field} of {entry.part} from {entry.found} to {entry.governing}."


def _where(entry: Entry) -> str:
    return f"ERP bill {entry.parent}, position {10 * entry.item:04d}"


def told_again(told: Story, one: Action) -> tuple[str, str]:
    """The second hand's, who keeps the record apart from what is done to it."""
    entry = one.entry
    match one.kind:
        case "H":
            why = (
                f"{entry.found} is outside {entry.governing}"
                if entry.code == "DIM"
                else f"ERP bought it as {entry.found}, wanted is {entry.governing}"
            )
            return f"Stock of {entry.part}", f"Lock in the store: {why}."
        case "S":
            return (
                f"Purchase of {entry.part}",
                f"Complaint to supplier, {entry.found}; allowed: {entry.governing}.",
            )
        case "W":
            return (
                f"Drawing {entry.parent}",
                f"New issue: at item {entry.item} write {entry.governing} for {entry.drawn} "
                f"({entry.source}).",
            )
    return f"ERP {entry.parent} / {10 * entry.item:04d}", _put_right(told, entry)


def _put_right(told: Story, entry: Entry) -> str:
    match entry.code:
        case "MIS":
            since = next(line.since for line in told.world.erp if line.part == entry.part)
            start = f"forward from {since} to {told.world.build} or before"
            return f"Bring the start of {entry.part} {start}."
        case "EXT":
            return f"Take {entry.found} out of the bill, no drawing has it."
        case "PN":
            return f"{entry.governing} in place of {entry.found}."
    field = FIELDS[entry.code]
    return f"{entry.part}: {field} {entry.governing} instead of {entry.found}."
