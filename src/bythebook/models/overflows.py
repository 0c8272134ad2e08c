"""How servers say that a conversation does not fit the context: each in words of its own."""

import re

from bythebook.models.types import ContextOverflow

CODES = frozenset(
    {
        "context_length_exceeded",  # OpenAI, Azure, Groq, Cerebras
        "exceed_context_size_error",  # llama.cpp
        "request_too_large",  # Anthropic
    }
)

_TOO_LONG = re.compile(
    "|".join(
        (
            r"maximum context length",  # OpenAI, DeepSeek, OpenRouter, vLLM, Mistral
            r"context[ _]length[ _]exceeded",
            r"exceeds? (?:the )?context (?:limit|window)",  # OpenAI Responses, Anthropic
            r"reduce the length of the messages",  # OpenAI, Groq, Cerebras
            r"input tokens exceed the configured limit",  # OpenAI
            r"prompt is too long",  # Anthropic, Vertex, Bedrock, Fireworks
            r"input is too long for requested model",  # Bedrock
            r"maximum number of tokens allowed",  # Gemini
            r"maximum prompt length is",  # xAI
            r"maximum allowed input length",  # Poolside
            r"prompt token count of \d+ exceeds the limit",  # GitHub
            r"longer than the (?:maximum model|model's context) length",  # vLLM, SGLang, Together
            r"context length is only",  # vLLM
            r"available context size",  # llama.cpp
            r"greater than the context length",  # LM Studio
            r"loaded with context length of only",  # LM Studio
            r"prompt too long; exceeded",  # Ollama
            r"input length exceeds the context length",  # Ollama
            r"configured context size is",
            r"exceeded model token limit",  # Moonshot
            r"range of input length should be",  # DashScope
            r"context window exceeds limit",  # MiniMax
            r"prompt exceeds max length",  # Z.ai
            r"`inputs` tokens \+ `max_new_tokens` must be",  # TGI
            r"model_context_window_exceeded",  # Anthropic, Z.ai
        )
    ),
    re.I,
)

_WINDOW = re.compile(
    r"(?:maximum context length(?: is| of|:)? ?\(?|context length (?:is|of) only"
    r"|maximum prompt length is|maximum model length of|available context size \("
    r"|model's context length \(|tokens allowed \(|configured limit of|input length of"
    r"|model with|context limit: [\d, +]+>|tokens >|exceeds the limit of|context size is"
    r"|model token limit:|input length should be \[1,|max_new_tokens` must be <=) ?(\d+)",
    re.I,
)


def is_overflow(status: int, code: object, kind: object, says: str) -> bool:
    """Is this refusal (status, the error's code and type, its words) one of a full context?"""
    if status not in (400, 413, 422) or "per min" in says:
        return False
    return status == 413 or bool({code, kind} & CODES) or bool(_TOO_LONG.search(says))


def known(says: str) -> bool:
    """Would a client that goes by words know a full context by these?"""
    return bool(_TOO_LONG.search(says))


def overflow(says: str) -> ContextOverflow:
    """A provider's complaint of too long a conversation, with the window where it names it."""
    found = _WINDOW.search(says)
    return ContextOverflow(says, window=int(found[1]) if found else None)
