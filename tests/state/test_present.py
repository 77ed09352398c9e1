"""From conversation and interrupts to what a page shows."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import (
    Conversation,
    DecisionNote,
    Message,
    RunFault,
    Step,
    ToolCall,
)
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.state.present import (
    error_view,
    for_browser,
    indented,
    interrupt_views,
    step_views,
    tool_call_view,
    transcript,
)


def said(place: int, **more) -> Message:
    return Message(id=f"m{place}", role=more.pop("role", "assistant"), text=f"{place}", **more)


def test_instructions_and_results_are_no_part_of_the_talk():
    roles = ("system", "user", "developer", "assistant", "tool", "reasoning", "activity", "decision")
    conversation = Conversation(messages=tuple(said(n, role=role) for n, role in enumerate(roles)))
    shown = transcript(conversation, window=50, live_prefix="")
    assert [m.role for m in shown.messages] == ["user", "assistant", "reasoning", "activity", "decision"]


def test_a_thought_that_the_model_keeps_to_itself_is_not_shown():
    hidden, begun = Message(id="h", role="reasoning"), Message(id="b", role="reasoning", streaming=True)
    shown = transcript(Conversation(messages=(said(0), hidden, begun)), window=50, live_prefix="")
    assert ([m.id for m in shown.messages], [m.id for m in shown.live]) == (["m0"], ["b"])


def test_what_is_being_written_is_live_alone_unless_it_holds_tool_calls():
    call = ToolCall(id="c", name="f", args_text="{}", status="running")
    messages = (said(0), said(1, streaming=True), said(2, streaming=True, tool_calls=(call,)))
    shown = transcript(Conversation(messages=messages), window=50, live_prefix="x ")
    assert [(m.id, m.text) for m in shown.messages] == [("m0", "0"), ("m2", "")]
    assert [one.id for one in shown.live] == ["x m1", "x m2"]


@pytest.mark.parametrize(
    ("window", "ids", "earlier"), [(2, ["m3", "m4"], 3), (5, 5, 0), (9, 5, 0), (0, [], 5)]
)
def test_the_window_has_the_newest(window, ids, earlier):
    shown = transcript(Conversation(messages=tuple(said(n) for n in range(5))), window=window, live_prefix="")
    assert len(shown.messages) == ids if isinstance(ids, int) else [m.id for m in shown.messages] == ids
    assert shown.earlier == earlier


@pytest.mark.parametrize(
    ("text", "args", "shown"),
    [
        (
            '{"a":1.0,"b":12345678901234567890}',
            {"a": 1.0, "b": 12345678901234567890},
            '{\n  "a": 1.0,\n  "b": 12345678901234567890\n}',
        ),
        ('{"a": 0.10000000000000000001}', {"a": 0.1}, '{\n  "a": 0.10000000000000000001\n}'),
        ("[1]", {}, "[\n  1\n]"),
        ('{"a": ', {}, '{"a": '),
        ("", {}, ""),
        ('{"a": 1, "a": 2}', {}, '{"a": 1, "a": 2}'),
    ],
)
def test_arguments_are_shown_with_every_digit_or_as_the_text_they_are(text, args, shown):
    view = tool_call_view(ToolCall(id="c", name="f", args_text=text, status="running"))
    assert (view.args, view.args_text) == (args, shown)


def test_arguments_that_are_being_written_wait():
    view = tool_call_view(ToolCall(id="c", name="f", args_text='{"a": 1', status="streaming"))
    assert (view.args_text, view.status) == ("", "streaming")


def test_an_interrupt_is_shown_whole():
    args = json_text.read('{"amount": 12345678901234567.89}')
    pending = PendingInterrupt(
        id="int-1",
        kind="approval",
        tool_name="pay",
        position=2,
        total=3,
        tool_call_id="c",
        args=args,
        args_text="{}",
        payload={"n": Decimal("1.5")},
        args_schema={"type": "object"},
        allowed_decisions=("approve", "reject"),
        opened_at=datetime(2030, 1, 1, tzinfo=UTC),
        metadata={"tool_input": args},
    )
    [first] = interrupt_views([pending])
    assert (first.position, first.total) == (2, 3)
    assert first.args_text == '{\n  "amount": 12345678901234567.89\n}'
    assert first.payload_text == '{\n  "n": 1.5\n}'
    assert (first.readable, len(first.digest), first.allowed_decisions) == (True, 64, ["approve", "reject"])
    assert (first.opened_at, first.expires_at, first.args_schema_text) == (
        "2030-01-01T00:00:00+00:00",
        "",
        '{\n  "type": "object"\n}',
    )
    assert first.payload == {"n": 1.5}


def test_a_decision_stands_on_its_call_with_both_versions():
    note = DecisionNote(
        interrupt_id="i", verdict="edited", by="Anna", before_text='{"a":1}', after_text='{"a":2}'
    )
    view = tool_call_view(ToolCall(id="c", name="f", args_text="{}", status="done", decision=note)).decision
    assert (view.verdict, view.by, view.before_text, view.after_text) == (
        "edited",
        "Anna",
        '{\n  "a": 1\n}',
        '{\n  "a": 2\n}',
    )


def test_steps_are_those_of_the_last_run():
    steps = (Step(name="old", status="done", run_id="r1"), Step(name="new", run_id="r2"))
    shown = step_views(Conversation(run_id="r2", steps=steps))
    assert [(one.name, one.status) for one in shown] == [("new", "running")]


def test_a_fault_has_a_code_and_no_fault_has_none():
    assert error_view(Conversation(fault=RunFault(message="Away."))).code == "error"
    assert error_view(Conversation()).code == ""


def test_what_a_browser_is_sent_is_plain():
    assert for_browser({"a": (Decimal("0.5"), None), 3: True}) == {"a": [0.5, None], "3": True}
    assert indented("no json") == "no json"
