"""What passes between an agent and a model, in Inspect's words and in ours."""

from base64 import b64encode
from typing import Any

import msgspec
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentText,
    ModelOutput,
)
from inspect_ai.tool import ToolCall, ToolCallError, ToolInfo, ToolParams

from bythebook.models.types import Answer, Call, Message, Reply, Stop, ToolSpec, Usage
from bythebook.models.wire import MALFORMED

STOPS: dict[str, Stop] = {"max_tokens": "length", "content_filter": "refusal"}
"""Inspect's words for why a reply ended that mean more than an end."""


def tool_info(tool: ToolSpec) -> ToolInfo:
    """A tool as Inspect offers it; its schema goes over unchanged."""
    parameters = ToolParams.model_validate(tool.schema)
    return ToolInfo(name=tool.name, description=tool.doc, parameters=parameters)


def tool_call(call: Call) -> ToolCall:
    return ToolCall(id=call.id, function=call.name, arguments=msgspec.to_builtins(call.args))


def tool_message(answer: Answer, name: str) -> ChatMessageTool:
    """An answer as Inspect keeps it; one that is a refusal is an error there."""
    error = None if answer.ok else ToolCallError("unknown", answer.text)
    content: Any = answer.text
    if answer.images:
        content = [ContentText(text=answer.text), *(_image(one) for one in answer.images)]
    return ChatMessageTool(content=content, tool_call_id=answer.id, function=name, error=error)


def chat_messages(message: Message, names: dict[str, str]) -> list[ChatMessage]:
    """One of our turns as messages of Inspect. `names`: of the tools that were called, by id."""
    if message.role == "assistant":
        calls = [tool_call(call) for call in message.calls]
        return [ChatMessageAssistant(content=message.text, tool_calls=calls or None)]
    found = [tool_message(one, names.get(one.id, "")) for one in message.answers]
    words = "\n\n".join(filter(None, (message.head, message.text)))
    if message.images:
        parts = [*(_image(one) for one in message.images), ContentText(text=words)]
        found.append(ChatMessageUser(content=parts))
    elif words or not found:
        found.append(ChatMessageUser(content=words))
    return found


def reply_of(output: ModelOutput) -> tuple[Reply, ChatMessageAssistant | None]:
    """What a model replied, and the message to go back to it as it came; None: there is none.

    A call that the longest reply cut off is in neither.
    """
    usage = usage_of(output)
    if output.empty:
        return Reply(Message("assistant"), stop="malformed", usage=usage, model=output.model), None
    said = output.message
    calls = list(said.tool_calls or ())
    stop = STOPS.get(output.stop_reason, "calls" if calls else "end")
    half = None
    if stop == "length" and calls and calls[-1].parse_error:
        half = _called(calls.pop())
        said = said.model_copy(update={"tool_calls": calls or None})
    reply = Reply(
        Message("assistant", said.text, tuple(map(_called, calls))),
        stop=stop,
        usage=usage,
        half=half,
        model=output.model,
    )
    return reply, said


def usage_of(output: ModelOutput) -> Usage:
    """Inspect counts tokens of a cache apart, we as a part of the input."""
    used = output.usage
    if used is None:
        return Usage()
    cached, stored = used.input_tokens_cache_read or 0, used.input_tokens_cache_write or 0
    return Usage(
        input=used.input_tokens + cached + stored,
        output=used.output_tokens,
        cached=cached,
        stored=stored,
        reasoning=used.reasoning_tokens or 0,
        sent=used.model_dump(exclude_none=True),
    )


def _called(call: ToolCall) -> Call:
    """Arguments that were no JSON object come as the complaint that Inspect makes of them."""
    args = {MALFORMED: call.parse_error} if call.parse_error else call.arguments
    return Call(call.function, dict(args), call.id)


def _image(image: Any) -> ContentImage:
    data = b64encode(image.data).decode()
    return ContentImage(image=f"data:{image.media};base64,{data}")
