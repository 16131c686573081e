from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

from ludometer.core import ImagePart, Message, Request, TextPart, ToolSpec

HELLO = Request((Message("system", "Play."), Message("user", "Your move?")))


def fingerprint(*messages: Message) -> str:
    return Request(messages).fingerprint({})


def test_equal_calls_have_equal_fingerprints() -> None:
    again = Request((Message("system", "Play."), Message("user", "Your move?")))
    assert HELLO.fingerprint({"a": 1, "b": 2}) == again.fingerprint({"b": 2, "a": 1})
    assert fingerprint(Message("user", "x")) == fingerprint(Message("user", (TextPart("x"),)))


def test_everything_that_is_sent_changes_the_fingerprint() -> None:
    tool = ToolSpec("play", "Plays.", {"type": "object"})
    requests = [
        HELLO,
        Request(HELLO.messages[::-1]),
        Request(HELLO.messages[:1]),
        Request((Message("user", "Play."), HELLO.messages[1])),
        replace(HELLO, schema={"type": "object"}),
        replace(HELLO, schema={"type": "object"}, schema_name="move"),
        replace(HELLO, tool=tool),
        replace(HELLO, tool=tool._replace(description="Plays a move.")),
        replace(HELLO, json_object=True),
    ]
    prints = [request.fingerprint({}) for request in requests] + [HELLO.fingerprint({"temperature": 0})]
    assert len(set(prints)) == len(prints)


def test_messages_and_parts_do_not_run_together() -> None:
    text = TextPart
    prints = [
        fingerprint(Message("user", "ab")),
        fingerprint(Message("user", "a"), Message("user", "b")),
        fingerprint(Message("user", (text("a"), text("b")))),
        fingerprint(Message("user", "a"), Message("user", ()), Message("user", "b")),
        fingerprint(Message("user", (text("a"), ImagePart(b"b")))),
        fingerprint(Message("user", (text("a"), ImagePart(b"b", "image/jpeg")))),
        fingerprint(Message("user", "a:user:1:text:1:b")),
    ]
    assert len(set(prints)) == len(prints)


def test_text_that_is_no_unicode_has_a_fingerprint() -> None:
    assert fingerprint(Message("user", "\ud800")) != fingerprint(Message("user", "?"))


def test_the_text_of_a_message_leaves_pictures_out() -> None:
    message = Message("user", (TextPart("The grid:"), ImagePart(b"..."), TextPart("Your move?")))
    assert message.text == "The grid:\nYour move?"
    assert Message("user", "hi").text == "hi"


def test_fingerprints_are_the_same_in_every_process() -> None:
    code = (
        "from ludometer.core import *; "
        "print(Request((Message('user', 'x'),), schema={'b': 1, 'a': 2}).fingerprint({'q': 1, 'p': 2}))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "7")
    }
    assert len(outputs) == 1
