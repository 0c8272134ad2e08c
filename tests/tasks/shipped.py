"""The shipped tasks, each read once."""

from functools import cache

from bythebook.conduct.company import Company, load_company
from bythebook.conduct.task import ConductTask, load_task
from bythebook.task import Content


@cache
def company() -> Company:
    return load_company(Content())


@cache
def shipped_task(name: str) -> ConductTask:
    return load_task(Content(), company(), name)
