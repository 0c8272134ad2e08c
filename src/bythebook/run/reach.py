"""A model as a plan names it, reached when it is first needed."""

from random import Random
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from bythebook.models.client import Client
from bythebook.models.names import Address, open_model
from bythebook.models.patience import Patience
from bythebook.models.types import Settings
from bythebook.run.traffic import Traffic


class Reach:
    """One model; all that use it share its connections."""

    def __init__(
        self,
        address: Address,
        key: str,
        settings: Settings,
        *,
        traffic: Traffic,
        patience: Patience | None = None,
    ) -> None:
        """`traffic`: shared by all models of one command."""
        self.name = address.name
        moved = address.base_url != address.provider.base_url
        self.base_url = _public(address.base_url) if moved else ""
        """Set where the model is not at its provider's own address; holds no key."""
        self.settings = settings
        self._address, self._key = address, key
        self._traffic, self._patience = traffic, patience
        self._client: Client | None = None

    @property
    def client(self) -> Client:
        """Opened when first needed, inside the event loop that uses it."""
        if self._client is None:
            self._client = open_model(
                self._address,
                self._key,
                dice=Random(0),
                patience=self._patience,
                slots=self._traffic.gate(self._address),
                ledger=self._traffic.ledger,
            )
        return self._client

    @property
    def sent(self) -> dict[str, Any]:
        """The sampling fields of every request, as sent."""
        return self.client.sent(self.settings)

    async def close(self) -> None:
        """Close the model's connections, if any were opened."""
        if self._client is not None:
            await self._client.close()


def _public(url: str) -> str:
    """The URL without what may be a secret: user, password, query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
