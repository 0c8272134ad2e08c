"""Pictures and heads on the wire, in both dialects."""

from base64 import b64encode

from msgspec.structs import replace

from bythebook.models import anthropic_messages, chat
from bythebook.models.types import Answer, Call, Image, Message, Request
from tests.models.wiring import hello

PNG = Image("image/png", b"\x89PNG not really")
DATA = b64encode(PNG.data).decode()
CALLED = Message("assistant", calls=(Call("view_page", {"page": 1}, "c1"),))
SHOWN = Message("user", answers=(Answer("c1", "Page 1 is shown.", images=(PNG,)),))
CACHE = {"cache_control": {"type": "ephemeral"}}


def test_anthropic_shows_a_picture_inside_the_answer() -> None:
    sent = anthropic_messages.encode_request(hello(Message("user", "a"), CALLED, SHOWN))
    (answer,) = sent["messages"][2]["content"]
    assert answer["content"] == [
        {"type": "text", "text": "Page 1 is shown."},
        {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": DATA},
        },
    ]


def test_chat_completions_shows_it_in_a_turn_after_the_answers() -> None:
    sent = chat.encode_request(hello(Message("user", "a"), CALLED, SHOWN))
    assert sent["messages"][2:] == [
        {"role": "tool", "tool_call_id": "c1", "content": "Page 1 is shown."},
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}}
            ],
        },
    ]


def test_a_picture_beside_words_comes_back_as_it_went() -> None:
    asked = hello(Message("user", "What is it?", images=(PNG,)))
    for dialect in (chat, anthropic_messages):
        assert dialect.decode_request(dialect.encode_request(asked)) == asked


def test_a_picture_in_an_answer_comes_back_in_it_where_the_dialect_has_the_place() -> None:
    asked = hello(Message("user", "a"), SHOWN)
    read = anthropic_messages.decode_request(anthropic_messages.encode_request(asked))
    assert read.messages[0].answers == SHOWN.answers


def test_a_picture_that_only_an_address_leads_to_is_left_out() -> None:
    part = {"type": "image_url", "image_url": {"url": "https://a.example/x.png"}}
    words = {"type": "text", "text": "hello"}
    body = {"model": "m", "messages": [{"role": "user", "content": [part, words]}]}
    assert chat.decode_request(body).messages == (Message("user", "hello"),)


def headed(text: str) -> Request:
    return hello(Message("user", text, head="The same for all."))


def test_a_head_is_a_block_of_its_own_to_be_cached_where_the_provider_must_be_told() -> None:
    sent = anthropic_messages.encode_request(headed("Item 1."))
    assert sent["messages"][0]["content"] == [
        {"type": "text", "text": "The same for all."} | CACHE,
        {"type": "text", "text": "Item 1."} | CACHE,
    ]


def test_a_head_stands_before_the_words_where_the_provider_finds_it_by_itself() -> None:
    (message,) = chat.encode_request(headed("Item 1."))["messages"]
    assert message["content"] == "The same for all.\n\nItem 1."


def test_a_turn_with_only_a_picture_or_a_head_is_not_empty() -> None:
    assert not replace(Message("user"), images=(PNG,)).empty
    assert not replace(Message("user"), head="x").empty
