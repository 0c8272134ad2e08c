"""Who signs a decision: a person by name, a model as one. What only looks like a name is none."""

import re
import unicodedata

MODEL = re.compile(
    r"(?-i:\bAI\b|\bA\.I\.)|artificial intelligence|\bsub-?agent\b|\bllms?\b|\bchat ?bot\b"
    r"|\b(?:language |frontier )?model\b"
    r"|^(?:an? |the )?(?:assistant|agent|bot|robot|program|script)(?: \w)?$"
    r"|^\w+:[\w./-]+$|^[\w.-]+/[\w./:-]+$"
    r"|gpt|qwen|deepseek|openai|anthropic|mixtral|nemotron|\b(?:llama|copilot|codex)\b|\bllama-?\d"
    r"|\b(?:codestral|devstral|magistral|pixtral|hunyuan|minimax|doubao|jamba|chatglm|internlm|qwq"
    r"|olmo|nanobot|ernie bot)\b|^(?:cohere )?command r|^amazon nova\b"
    r"|\d\.\d|\b\d+b\b|^o\d\b"
    r"|^(?:claude|gemini|mistral|glm|kimi|grok|seed|sonnet|opus|haiku|ernie|baichuan)$"
    r"|\b(?:claude|gemini|gemma|mistral|glm|kimi|grok|seed|sonnet|opus|haiku|phi|falcon|granite)"
    r"(?: ?[(,]|[ -]?[vk]?\d|[ -](?:opus|sonnet|haiku|code|pro|large|medium|small|mini|flash|ultra"
    r"|nano)\b)",
    re.I,
)
"""A name under which no person signs. People have no version in their name."""
ROLE = re.compile(
    r"(?:an? |the |my )?(?:(?:first|second|third|blind|human|domain) )*"
    r"(?:assistant|author|expert|judge|person|rater|reader|reviewer|somebody|user|writer)"
    r"(?: (?:\d+|[a-z]))?",
    re.I,
)
"""What somebody does, and not what they are called."""
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")
"""Alphabets whose letters look alike."""


def compared(name: str) -> str:
    """A name as it is compared: Ada  Bell and ada bell are one, in letters of any width."""
    return plain(name).casefold()


def plain(name: str) -> str:
    """In usual letters, single blanks between words."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def no_name(who: str) -> str:
    """Why nobody at all, of whatever kind, signs so; empty: they may."""
    if any(unicodedata.category(letter) in ("Cc", "Cf") for letter in who):
        return "the name holds characters that nobody sees: write it without"
    if any(_alphabets(word) > 1 for word in who.split()):
        return f"{who} has letters of two alphabets in one word: write it in one"
    return ""


def no_person(who: str, kind: str) -> str:
    """Why this is no name of a person; empty: it may be one."""
    name = plain(who)
    if MODEL.search(name):
        return (
            f"{who} is the name of a model, and a model is no {kind}: it decides "
            "with --kind model, where a gate lets models decide; a person signs with the full name"
        )
    if ROLE.fullmatch(name) or not any(letter.isalpha() for letter in name):
        return f"{who} is nobody's name: a person signs with the full name"
    return ""


def _alphabets(word: str) -> int:
    names = [unicodedata.name(letter, "") for letter in word if letter.isalpha()]
    return sum(any(name.startswith(script) for name in names) for script in SCRIPTS)
