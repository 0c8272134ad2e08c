"""A group of words whose modules are imported when a word is first asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from bythebook.errors import UsageError, suggestion


class Lazy(click.Group):
    """`modules`: word to the module whose `command` it is."""

    def __init__(self, *args: Any, modules: Mapping[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in self._modules:
            what = f"no {self.name} {cmd_name!r}"
            raise UsageError(what, hint=suggestion(cmd_name, self._modules))
        command: click.Command = import_module(self._modules[cmd_name]).command
        return command
