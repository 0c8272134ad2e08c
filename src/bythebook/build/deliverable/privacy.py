"""No personal details of real people in what is written down: a role is enough."""

import re
from collections.abc import Iterator

from bythebook.build.deliverable.place import Lack, Page, R

FORMS = (
    ("an e-mail address", re.compile(r"[\w.%+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}")),
    (
        "a phone number",
        re.compile(r"(?<![\w/.,:=-])(?:\+|00)\d[\d ()./-]{6,18}\d|\(\d{2,5}\) ?\d[\d -]{4,12}\d"),
    ),
    ("a person's name", re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Mme)\b\.? [A-Z]\w+")),
    ("a person's page", re.compile(r"linkedin\.com/in/|(?:twitter|x)\.com/\w+", re.I)),
)


def personal(page: Page[R]) -> Iterator[Lack]:
    """Everything in a file that looks like it belongs to one person."""
    for number, line in enumerate(page.text.splitlines(), start=1):
        for what, form in FORMS:
            if found := form.search(line):
                says = f"{found.group()!r} looks like {what}"
                yield Lack(f"{page.path}:{number}", "", says, "leave it out: a role is enough")
