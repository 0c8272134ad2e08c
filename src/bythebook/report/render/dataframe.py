"""A table as a pandas data frame, unrounded: see `columns`. For notebooks:

from bythebook.report.render.dataframe import frame
"""

from importlib import import_module
from typing import Any

from bythebook.errors import UsageError
from bythebook.report.render.columns import columns_of
from bythebook.report.table import Table


def frame(table: Table) -> Any:
    """A `pandas.DataFrame`; title, caption and notes stand in its `attrs`. Raises `UsageError`
    where pandas is not installed."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        hint = "pip install pandas; or take --format csv"
        raise UsageError("a data frame needs pandas", hint=hint) from None
    found = pandas.DataFrame(columns_of(table))
    found.attrs = {"title": table.title, "says": table.says, "notes": list(table.notes)}
    return found
