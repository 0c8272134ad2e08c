"""Who plays the customer: a voice for each attempt, made anew."""

import hashlib
from typing import Protocol

from bythebook.conduct.customer.hands import Voice
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.customer.voiced import ModelVoice, PromptName, prompt_text
from bythebook.conduct.task import ConductTask
from bythebook.run.plan import SCRIPTED, Customer
from bythebook.run.reach import Reach


class Simulator(Protocol):
    """The customers of one evaluation."""

    @property
    def customer(self) -> Customer:
        """As the plan tells of them."""
        ...

    def voice(self, task: ConductTask) -> Voice:
        """A fresh voice for one attempt at one task."""
        ...

    async def close(self) -> None: ...


class ScriptedCustomers:
    """The default: deterministic, and without a model."""

    customer = SCRIPTED

    def voice(self, task: ConductTask) -> Voice:
        return ScriptedVoice(task.scenario)

    async def close(self) -> None:
        """There is nothing to close."""


class ModelCustomers:
    """A model under one of the shipped prompts."""

    def __init__(self, reach: Reach, prompt: PromptName) -> None:
        self._reach, self._prompt = reach, prompt

    @property
    def customer(self) -> Customer:
        return Customer(
            name=self._reach.name,
            prompt=self._prompt,
            prompt_hash=hashlib.sha256(prompt_text(self._prompt).encode()).hexdigest(),
            base_url=self._reach.base_url,
            settings=self._reach.sent,
        )

    def voice(self, task: ConductTask) -> Voice:
        return ModelVoice(
            task.scenario,
            task.file.request,
            self._reach.client,
            prompt=self._prompt,
            settings=self._reach.settings,
        )

    async def close(self) -> None:
        await self._reach.close()
