"""Three small harnesses, each on an official SDK: they ask, use tools and ask again."""

import json
from dataclasses import dataclass, field
from typing import Any

from tests.gateway.standing import Standing

Body = dict[str, Any]

PICTURE = "iVBORyBub3QgcmVhbGx5"
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
TOOLS = {"read_document": "Read it.", "now": "Tell the time."}


@dataclass
class Heard:
    """One reply."""

    text: str
    calls: list[tuple[str, Any, str]]
    """Name, arguments (the text itself where it is no JSON), id."""
    stop: str
    read: int
    """Tokens of the request."""
    raw: Any = None


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


@dataclass
class Chat:
    """Chat completions."""

    standing: Standing
    stream: bool
    messages: list[Body] = field(default_factory=list)
    tools: list[Body] = field(
        default_factory=lambda: [
            {
                "type": "function",
                "function": {"name": name, "description": doc, "parameters": SCHEMA},
            }
            for name, doc in TOOLS.items()
        ]
    )
    more: Body = field(default_factory=dict)

    def say(self, words: str, picture: str = "") -> None:
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}"}}
        parts = [{"type": "text", "text": words}, *([image] if picture else [])]
        self.messages.append({"role": "user", "content": parts if picture else words})

    def answer(self, id: str, words: str, picture: str = "") -> None:
        self.messages.append({"role": "tool", "tool_call_id": id, "content": words})
        if picture:
            self.say("This is the picture.", picture)

    async def ask(self, **given: Any) -> Heard:
        sent: Body = {"model": "any", "messages": self.messages, "tools": self.tools} | self.more
        async with self.standing.openai() as sdk:
            if self.stream:
                async with sdk.chat.completions.stream(
                    **sent, **given, stream_options={"include_usage": True}
                ) as stream:
                    found: Any = await stream.get_final_completion()
            else:
                found = await sdk.chat.completions.create(**sent, **given)
        choice = found.choices[0]
        message = choice.message.model_dump(exclude_none=True)
        for call in message.get("tool_calls", ()):
            call["function"].pop("parsed_arguments", None)
            call.pop("index", None)
        message.pop("parsed", None)
        self.messages.append(message)
        return Heard(
            message.get("content") or "",
            [
                (c["function"]["name"], _arguments(c["function"]["arguments"]), c["id"])
                for c in message.get("tool_calls", ())
            ],
            choice.finish_reason,
            found.usage.prompt_tokens,
            found,
        )


@dataclass
class Anthropic:
    """Anthropic messages."""

    standing: Standing
    stream: bool
    messages: list[Body] = field(default_factory=list)
    tools: list[Body] = field(
        default_factory=lambda: [
            {"name": name, "description": doc, "input_schema": SCHEMA}
            for name, doc in TOOLS.items()
        ]
    )
    more: Body = field(default_factory=dict)

    def _add(self, *blocks: Body) -> None:
        if self.messages and self.messages[-1]["role"] == "user":
            self.messages[-1]["content"].extend(blocks)
        else:
            self.messages.append({"role": "user", "content": list(blocks)})

    def say(self, words: str, picture: str = "") -> None:
        self._add({"type": "text", "text": words}, *([_image(picture)] if picture else []))

    def answer(self, id: str, words: str, picture: str = "") -> None:
        content = [{"type": "text", "text": words}, *([_image(picture)] if picture else [])]
        self._add({"type": "tool_result", "tool_use_id": id, "content": content})

    async def ask(self, **given: Any) -> Heard:
        sent: Body = {"model": "any", "messages": self.messages, "tools": self.tools}
        sent |= self.more
        given = {"max_tokens": 900} | given
        async with self.standing.anthropic() as sdk:
            if self.stream:
                async with sdk.messages.stream(**sent, **given) as stream:
                    found: Any = await stream.get_final_message()
            else:
                found = await sdk.messages.create(**sent, **given)
        blocks = [block.model_dump(exclude_none=True) for block in found.content]
        for block in blocks:
            block.pop("parsed_output", None)
        self.messages.append({"role": "assistant", "content": blocks})
        return Heard(
            "".join(block["text"] for block in blocks if block["type"] == "text"),
            [(b["name"], b["input"], b["id"]) for b in blocks if b["type"] == "tool_use"],
            found.stop_reason,
            found.usage.input_tokens + (found.usage.cache_read_input_tokens or 0),
            found,
        )


def _image(data: str) -> Body:
    source = {"type": "base64", "media_type": "image/png", "data": data}
    return {"type": "image", "source": source}


@dataclass
class Responses:
    """OpenAI Responses, without state at the provider."""

    standing: Standing
    stream: bool
    messages: list[Body] = field(default_factory=list)
    tools: list[Body] = field(
        default_factory=lambda: [
            {
                "type": "function",
                "name": name,
                "description": doc,
                "parameters": SCHEMA,
                "strict": False,
            }
            for name, doc in TOOLS.items()
        ]
    )
    more: Body = field(default_factory=dict)

    def say(self, words: str, picture: str = "") -> None:
        self.messages.append({"role": "user", "content": _parts(words, picture)})

    def answer(self, id: str, words: str, picture: str = "") -> None:
        output = _parts(words, picture) if picture else words
        item = {"type": "function_call_output", "call_id": id, "output": output}
        self.messages.append(item)

    async def ask(self, **given: Any) -> Heard:
        sent: Body = {"model": "any", "input": self.messages, "tools": self.tools} | self.more
        async with self.standing.openai() as sdk:
            if self.stream:
                async with sdk.responses.stream(**sent, store=False, **given) as stream:
                    found: Any = await stream.get_final_response()
            else:
                found = await sdk.responses.create(**sent, store=False, **given)
        items = [item.model_dump(exclude_none=True) for item in found.output]
        for item in items:
            item.pop("parsed_arguments", None)
            for part in item.get("content", ()):
                part.pop("parsed", None)
        self.messages += items
        calls = [item for item in items if item["type"].endswith("_call")]
        reason = found.incomplete_details and found.incomplete_details.reason
        return Heard(
            found.output_text,
            [(c["name"], _arguments(c.get("arguments", "")), c["call_id"]) for c in calls],
            reason or found.status,
            found.usage.input_tokens,
            found,
        )


def _parts(words: str, picture: str) -> list[Body]:
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{picture}"}
    return [{"type": "input_text", "text": words}, *([image] if picture else [])]


SPEAKERS = {"chat": Chat, "anthropic": Anthropic, "responses": Responses}
Speaker = Chat | Anthropic | Responses


def speaker(harness: str, standing: Standing, *, stream: bool = False) -> Any:
    return SPEAKERS[harness](standing, stream)
