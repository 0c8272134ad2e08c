"""Rules of the policy, the data note and the mails not followed: each gives other values."""

from collections.abc import Mapping

import msgspec

from authoring.med_03_thrombosis_audit.census import How
from authoring.med_03_thrombosis_audit.rules import Rules


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    says: str
    fails: tuple[str, ...]
    """Names of items, as in faults.py."""
    rules: Rules = Rules()
    how: How = How()
    shift: int = 6
    trend: int = 5
    skip: bool = True


SLIPS: Mapping[str, Slip] = {
    "hours_of_version_3": Slip(
        says="72 hours, as version 3 has them.", fails=("rows", "sums"), rules=Rules(hours=72)
    ),
    "hours_from_the_ward": Slip(
        says="The 48 hours run from the ward, not from the emergency department.",
        fails=("rows", "mails"),
        rules=Rules(from_ward=True),
    ),
    "sixty_days": Slip(
        says="60 days after leaving, as version 3 has them.",
        fails=("rows", "sums"),
        rules=Rules(days=60),
    ),
    "no_midnight_needed": Slip(
        says="Day cases and a night in the emergency department are stays.",
        fails=("n7", "rows", "stays"),
        rules=Rules(midnight=False),
    ),
    "complaint_before_arrival_unheeded": Slip(
        says="Whoever lay for 48 hours has it from the hospital.",
        fails=("n7", "rows", "stays"),
        rules=Rules(prior=False),
    ),
    "saphenous_is_superficial": Slip(
        says="The great saphenous vein never counts.",
        fails=("disguised", "rows"),
        rules=Rules(junction=False),
    ),
    "likely_is_not_enough": Slip(
        says="Only what is definite counts, as in version 3.",
        fails=("disguised", "rows"),
        rules=Rules(likely=False),
    ),
    "doubt_dates_nothing": Slip(
        says="The event is the day on which it was certain.",
        fails=("disguised", "rows"),
        rules=Rules(first_shows=False),
    ),
    "confirmed_a_fortnight_later": Slip(
        says="A doubtful examination counts with one 14 days later.",
        fails=("n1", "rows", "disguised"),
        rules=Rules(confirm=14),
    ),
    "each_place_a_case": Slip(
        says="Another place is another case, as in version 3.",
        fails=("joined", "rows"),
        rules=Rules(elsewhere=False),
    ),
    "one_patient_one_case": Slip(
        says="A patient has one case however late the next.",
        fails=("disguised", "rows"),
        rules=Rules(belongs=200),
    ),
    "lines_count": Slip(
        says="Line-related thrombosis counts, as in version 3.",
        fails=("n2", "rows"),
        rules=Rules(lines=False),
    ),
    "mothers_and_children_count": Slip(
        says="Maternity and the young count.", fails=("n2", "rows"), rules=Rules(maternity=False)
    ),
    "second_readings_ignored": Slip(
        says="The list is read as it was drawn.",
        fails=("n1", "mails", "rows"),
        rules=Rules(mails=False),
    ),
    "clock_ignored": Slip(
        says="The slow scanner is believed.", fails=("mails", "rows"), rules=Rules(clock=False)
    ),
    "day_of_the_post_mortem": Slip(
        says="The event is the day on which the post-mortem was made.",
        fails=("times", "due"),
        rules=Rules(death=False),
    ),
    "numbers_not_put_together": Slip(
        says="The closed numbers are other people.",
        fails=("mails", "rows"),
        rules=Rules(alias=False),
    ),
    "ward_of_the_event": Slip(
        says="The ward is that of the event or of leaving, as in version 3.",
        fails=("ward",),
        rules=Rules(ward="event"),
    ),
    "intensive_care_counts": Slip(
        says="Midnights in intensive care count.", fails=("ward",), rules=Rules(intensive=True)
    ),
    "whole_course_graded": Slip(
        says="Severity is that of the whole course, as in version 3.",
        fails=("severity", "grave"),
        rules=Rules(worse=200),
    ),
    "first_report_graded": Slip(
        says="Severity is that of the first report.",
        fails=("severity", "grave"),
        rules=Rules(worse=0),
    ),
    "version_3_for_all": Slip(
        says="Care is measured by version 3 throughout.",
        fails=("v4", "codes", "grave"),
        rules=Rules(standard="v3"),
    ),
    "version_4_for_all": Slip(
        says="Care is measured by version 4 throughout.",
        fails=("v3", "codes"),
        rules=Rules(standard="v4"),
    ),
    "weight_forgotten": Slip(
        says="One dose for every weight.", fails=("v4", "codes"), rules=Rules(weights=False)
    ),
    "clearance_forgotten": Slip(
        says="Nobody works out the clearance.",
        fails=("v3", "v4"),
        rules=Rules(clearance=False),
    ),
    "no_reason_excuses": Slip(
        says="Every dose not given is missed.",
        fails=("v3", "v4"),
        rules=Rules(reasons=False),
    ),
    "platelets_forgotten": Slip(
        says="Low platelets excuse nobody.",
        fails=("v3",),
        rules=Rules(contraindicated=False),
    ),
    "nothing_after_leaving": Slip(
        says="Injections after leaving are not looked at.",
        fails=("v3", "v4", "grave"),
        rules=Rules(leaving=False),
    ),
    "day_of_leaving_counted": Slip(
        says="Bed days of 2024 with the days of leaving.",
        fails=("chart", "signal"),
        how=How(leaving=False),
    ),
    "elm_twice": Slip(
        says="Elm's repeated lines count.", fails=("days", "chart"), how=How(elm=False)
    ),
    "hours_as_days": Slip(
        says="Alder's hours are days.", fails=("days", "chart"), how=How(hours=False)
    ),
    "note_of_information_uncorrected": Slip(
        says="October by 28 nights, as the first note had it.",
        fails=("days", "chart"),
        how=How(nights=28),
    ),
    "corrections_left_out": Slip(
        says="The lines of status C are left out.",
        fails=("days", "chart"),
        how=How(corrections=False),
    ),
    "eight_points": Slip(
        says="A shift takes eight points, a trend seven, as in version 3.",
        fails=("signal",),
        shift=8,
        trend=7,
    ),
    "median_breaks_the_row": Slip(
        says="A point on the median ends the row.", fails=("signal",), skip=False
    ),
}
