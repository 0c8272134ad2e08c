"""Lines to providers, through the official SDKs: their low-level `post`, bodies encoded by us.

With 100 earlier calls in the conversation that takes 1.5 ms CPU a call; the SDKs' typed calls take
40, and `post` given a dict takes 1 to 2 more. The SDKs are imported when a line is opened.
"""

from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any

import msgspec

from bythebook.models.client import Line
from bythebook.models.dialects import ANTHROPIC, CHAT, RESPONSES, Body
from bythebook.models.wire import Refusal, no_answer


def openai_line(
    base_url: str, key: str, *, timeout: float, limit_field: str = "max_tokens"
) -> Line:
    """Chat completions. `limit_field` is what this provider calls the longest reply."""
    import openai

    sdk = openai.AsyncOpenAI(
        api_key=key or "none", base_url=base_url, timeout=timeout, max_retries=0
    )
    return Line(sender(sdk, openai, "/chat/completions"), sdk.close, CHAT, limited(limit_field))


def limited(limit_field: str) -> Callable[[Body], Body]:
    """What gives the longest reply the provider's own name."""

    def tuned(body: Body) -> Body:
        if "max_tokens" in body:
            body.setdefault(limit_field, body.pop("max_tokens"))
        return body

    return tuned


def responses_line(base_url: str, key: str, *, timeout: float) -> Line:
    """Responses."""
    import openai

    sdk = openai.AsyncOpenAI(
        api_key=key or "none", base_url=base_url, timeout=timeout, max_retries=0
    )
    return Line(sender(sdk, openai, "/responses"), sdk.close, RESPONSES)


def anthropic_line(base_url: str, key: str, *, timeout: float) -> Line:
    """Asked for a stream, as the provider wants it of replies that may take minutes."""
    import anthropic

    sdk = anthropic.AsyncAnthropic(
        api_key=key or "none",
        base_url=base_url.rstrip("/").removesuffix("/v1"),
        timeout=timeout,
        max_retries=0,
    )
    return Line(sender(sdk, anthropic, "/v1/messages"), sdk.close, ANTHROPIC, streams=True)


Send = Callable[[Body, Mapping[str, str]], Awaitable[bytes]]


def sender(sdk: Any, kinds: ModuleType, path: str) -> Send:
    """What posts bodies to one path; `kinds` is the SDK's module, which holds its errors."""

    async def send(body: Body, headers: Mapping[str, str]) -> bytes:
        return await post(sdk, kinds, path, body, headers)

    return send


async def post(
    sdk: Any, kinds: ModuleType, path: str, body: Body, headers: Mapping[str, Any]
) -> bytes:
    """The content of the answer; errors as in `Line.send`. Headers may be the SDK's `Omit`."""
    try:
        data: bytes = await sdk.post(
            path,
            content=msgspec.json.encode(body),
            cast_to=bytes,
            options={"headers": headers} if headers else {},
        )
    except kinds.APIStatusError as error:
        found = error.response
        raise Refusal(error.status_code, found.headers, found.content) from None
    except kinds.APIConnectionError as error:
        raise no_answer(error) from None
    return data
