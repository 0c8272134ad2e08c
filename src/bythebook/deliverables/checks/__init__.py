"""The closed set of checks: exact, free, and first to speak on a rubric item."""

from bythebook.deliverables.checks.case import Case as Case
from bythebook.deliverables.checks.run import run_check as run_check
