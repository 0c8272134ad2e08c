"""Where a model is, and its key from the environment: only the command line reads keys."""

import os

from bythebook.errors import UsageError
from bythebook.models.names import Address, address


def reached(
    model: str, base_url: str, key_variable: str | None, *, dry: bool = False
) -> tuple[Address, str]:
    """The address of `provider:name` and its key. A server of one's own may want no key, and nobody
    does who is not going to ask (`dry`)."""
    where = address(model, base_url)
    variable = key_variable or where.key_variable
    key = os.environ.get(variable, "") if variable else ""
    if variable and not key and not dry and (key_variable or not base_url):
        raise UsageError(f"the environment variable {variable} is empty", where=model)
    return where, key
