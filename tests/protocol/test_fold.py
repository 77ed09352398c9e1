"""What a thread shows after its events."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    AssistantMessage,
    BaseEvent,
    CustomEvent,
    FunctionCall,
    MessagesSnapshotEvent,
    RawEvent,
    ReasoningEncryptedValueEvent,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunAgentInput,
    RunFinishedCancelledOutcome,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    SubagentStartedEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
    TokenUsage,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)

from reflex_agentkit.errors import ProtocolError
from reflex_agentkit.protocol.conversation import RunFault, Step, Usage
from reflex_agentkit.protocol.fold.dispatch import Fold
from reflex_agentkit.protocol.notes import status_event
from tests.protocol.made import (
    approval,
    begins,
    calls,
    decided,
    ends,
    fails,
    fold,
    gives,
    leaves,
    only_call,
    pauses,
    says,
    shown,
)


def add(path: str, value: Any) -> Any:
    return {"op": "add", "path": path, "value": value}


def said(*messages: Any, **more: Any) -> BaseEvent:
    return begins(input=RunAgentInput(thread_id="t", run_id="r", messages=list(messages), **more))


def snapshot(*messages: Any) -> MessagesSnapshotEvent:
    return MessagesSnapshotEvent(messages=list(messages))


def stated(call: str, args: str = "{}", name: str = "pay") -> ToolCall:
    return ToolCall(id=call, function=FunctionCall(name=name, arguments=args))


class TestText:
    def test_pieces_are_one_text(self) -> None:
        conversation = shown(begins(), says("m", "Hel", "", "lo"), ends())
        [message] = conversation.messages
        assert (message.text, message.role, message.streaming, message.run_id) == (
            "Hello",
            "assistant",
            False,
            "r",
        )

    def test_a_message_opened_again_goes_on(self) -> None:
        conversation = shown(begins(), says("m", "a"), says("m", "b"), ends())
        assert [message.text for message in conversation.messages] == ["ab"]

    def test_what_is_being_written_is_listed_in_order_and_read_from_any_place(self) -> None:
        folded = fold(
            begins(),
            TextMessageStartEvent(message_id="m", role="assistant"),
            ReasoningMessageStartEvent(message_id="z", role="reasoning"),
            *(TextMessageContentEvent(message_id="m", delta=piece) for piece in ("Grüß", "e 👋", "!")),
        )
        assert dict(folded.streaming) == {"m": "assistant", "z": "reasoning"}
        whole = "Grüße 👋!"
        for offset in range(len(whole) + 2):
            assert folded.text_since("m", offset) == whole[offset:]
        assert folded.text_since("nobody", 0) == ""

    def test_text_leaves_the_revision_alone_and_everything_else_moves_it(self) -> None:
        folded = fold(begins(), TextMessageStartEvent(message_id="m", role="assistant"))
        before = folded.revision
        folded.apply(TextMessageContentEvent(message_id="m", delta="x"))
        folded.apply(RawEvent(event=1))
        folded.apply(CustomEvent(name="theirs", value=1))
        assert folded.revision == before
        assert folded.conversation().messages[0].text == "x"
        folded.apply(TextMessageContentEvent(message_id="m", delta="", metadata={"finish": "stop"}))
        assert folded.revision == before + 1
        assert folded.conversation().messages[0].metadata["finish"] == "stop"

    def test_messages_that_did_not_change_are_the_same_objects(self) -> None:
        folded = fold(begins(), says("a", "1"), says("b", "2"))
        first = folded.conversation()
        assert folded.conversation() is first
        folded.apply(TextMessageContentEvent(message_id="b", delta="!"))
        second = folded.conversation()
        assert second.messages[0] is first.messages[0]
        assert first.messages[1].text == "2"
        assert second.messages[1].text == "2!"

    def test_a_thought_and_a_text_with_one_id_are_two_messages(self) -> None:
        conversation = shown(
            begins(),
            ReasoningMessageStartEvent(message_id="m", role="reasoning"),
            ReasoningMessageContentEvent(message_id="m", delta="hm"),
            ReasoningMessageEndEvent(message_id="m"),
            says("m", "Yes"),
            ends(),
        )
        assert [(m.role, m.text) for m in conversation.messages] == [
            ("reasoning", "hm"),
            ("assistant", "Yes"),
        ]
        assert len({m.id for m in conversation.messages}) == 2

    def test_a_chunk_must_be_spelled_out_before(self) -> None:
        with pytest.raises(ProtocolError, match="StreamOrder"):
            Fold().apply(TextMessageChunkEvent(message_id="m", delta="x"))


class TestWords:
    def test_what_a_person_said_comes_with_the_run_and_only_once(self) -> None:
        hello = UserMessage(id="u", content="Hello")
        conversation = shown(said(hello), ends(), said(hello, UserMessage(id="v", content="Again")), ends())
        assert [(m.id, m.role, m.text) for m in conversation.messages] == [
            ("u", "user", "Hello"),
            ("v", "user", "Again"),
        ]

    def test_parts_of_a_message_are_kept_beside_what_can_be_read(self) -> None:
        parts = [
            {"type": "text", "text": "look: "},
            {"type": "image", "source": {"type": "url", "value": "https://x.test/a.png"}},
        ]
        message = UserMessage.model_validate({"id": "u", "content": parts})
        [shown_message] = shown(said(message)).messages
        assert (shown_message.text, shown_message.content) == ("look: ", parts)

    def test_the_state_of_an_input_is_a_beginning_and_replaces_nothing(self) -> None:
        assert shown(said(state={"a": 1})).state == {"a": 1}
        assert shown(StateSnapshotEvent(snapshot={"b": 2}), said(state={"a": 1})).state == {"b": 2}


class TestCalls:
    def test_a_call_runs_and_is_done(self) -> None:
        events = [begins(), calls("c", args='{"a": 1}')]
        assert only_call(shown(*events)).status == "running"
        call = only_call(shown(*events, gives("c", "paid"), ends()))
        assert (call.name, call.args_text, call.status, call.result) == ("pay", '{"a": 1}', "done", "paid")

    def test_a_call_belongs_to_its_message_or_to_the_last_one_of_the_run(self) -> None:
        named = shown(begins(), says("m", "x"), says("n", "y"), calls("c", parent="m"))
        assert [len(message.tool_calls) for message in named.messages] == [1, 0]
        unnamed = shown(begins(), says("m", "x"), calls("c"))
        assert [len(message.tool_calls) for message in unnamed.messages] == [1]
        later = shown(begins("a"), says("m", "x"), ends("a"), begins("b"), calls("c"))
        assert [len(message.tool_calls) for message in later.messages] == [0, 1]

    def test_arguments_grow_and_move_the_revision(self) -> None:
        folded = fold(begins(), ToolCallStartEvent(tool_call_id="c", tool_call_name="pay"))
        before = folded.revision
        folded.apply(ToolCallArgsEvent(tool_call_id="c", delta='{"a"'))
        assert folded.revision == before + 1
        assert only_call(folded.conversation()).args_text == '{"a"'

    def test_a_used_id_is_a_new_call_and_results_go_to_the_latest(self) -> None:
        conversation = shown(
            begins(),
            calls("c", args='{"n": 1}'),
            gives("c", "one"),
            calls("c", args='{"n": 2}'),
            gives("c", "two"),
            ends(),
        )
        found = [call for message in conversation.messages for call in message.tool_calls]
        assert [(call.args_text, call.result) for call in found] == [('{"n": 1}', "one"), ('{"n": 2}', "two")]

    def test_an_unanswered_call_that_is_said_again_stays_one_call(self) -> None:
        again = [
            begins(),
            calls("c", args='{"n": 2}'),
            pauses(approval()),
            decided("edited", before_text='{"n": 2}', after_text='{"n": 5}'),
            begins(),
        ]
        for text in ('{"n":2}', '{"n":5}', ""):
            call = only_call(shown(*again, calls("c", args=text), gives("c", "ok"), ends()))
            assert (call.args_text, call.status, call.result) == ('{"n": 2}', "done", "ok")

    def test_other_arguments_do_not_hide_behind_a_decision(self) -> None:
        conversation = shown(
            begins(),
            calls("c", args='{"n": 2}'),
            pauses(approval()),
            decided("approved", before_text='{"n": 2}', after_text='{"n": 2}'),
            begins(),
            calls("c", args='{"n": 999}'),
            gives("c", "ok"),
            ends(),
        )
        found = [call for message in conversation.messages for call in message.tool_calls]
        assert [(call.args_text, call.decision is None) for call in found] == [
            ('{"n": 2}', False),
            ('{"n": 999}', True),
        ]

    def test_a_call_opened_again_is_written_on(self) -> None:
        call = only_call(shown(begins(), calls("c", args='{"a": '), calls("c", args="1}"), ends()))
        assert call.args_text == '{"a": 1}'

    def test_a_result_without_its_call_is_shown_by_itself(self) -> None:
        [message] = shown(begins(), gives("gone", "found")).messages
        assert (message.role, message.text, message.metadata["toolCallId"]) == ("tool", "found", "gone")

    def test_a_result_of_parts_keeps_them(self) -> None:
        parts = [
            {"type": "text", "text": "Invoice"},
            {"type": "document", "source": {"type": "url", "value": "https://x.test/i.pdf"}},
        ]
        call = only_call(shown(begins(), calls("c"), gives("c", parts)))
        assert (call.result, call.result_content) == ("Invoice", parts)

    def test_a_result_that_is_a_failure_is_shown_as_one(self) -> None:
        call = only_call(
            shown(begins(), calls("c"), gives("c", "it broke", metadata={"error": "ValueError"}))
        )
        assert (call.status, call.error, call.result) == ("failed", "ValueError", "it broke")


class TestPauses:
    PAUSED = (begins(), calls("c", args='{"n": 2}'), pauses(approval()))

    def test_an_approval_and_a_question_make_their_calls_wait(self) -> None:
        assert only_call(shown(*self.PAUSED)).status == "pending_approval"
        question = approval(reason="input_required", response_schema={"type": "string"})
        conversation = shown(begins(), calls("c"), pauses(question))
        assert only_call(conversation).status == "pending_input"
        assert conversation.run_status == "awaiting_input"

    def test_calls_left_for_the_application_wait_for_input(self) -> None:
        conversation = shown(begins(), calls("c"), leaves("c"))
        assert (only_call(conversation).status, conversation.run_status) == (
            "pending_input",
            "awaiting_input",
        )
        mixed = shown(
            begins(),
            calls("c"),
            calls("d"),
            pauses(approval("d"), metadata={"pendingToolCallIds": ["c"]}),
        )
        statuses = [call.status for call in mixed.messages[0].tool_calls]
        assert statuses == ["pending_input", "pending_approval"]

    @pytest.mark.parametrize(
        ("verdict", "then", "after_a_result"),
        [
            ("approved", "approved", "done"),
            ("edited", "approved", "done"),
            ("rejected", "rejected", "rejected"),
            ("responded", "responded", "responded"),
            ("cancelled", "cancelled", "cancelled"),
            ("expired", "expired", "expired"),
            ("answered", "running", "done"),
        ],
    )
    def test_a_decision_is_kept_with_the_call(self, verdict: Any, then: str, after_a_result: str) -> None:
        """F03: decided stays decided, whatever result comes."""
        call = only_call(shown(*self.PAUSED, decided(verdict, by="Ann", at="2026-01-01T00:00:00Z")))
        assert call.status == then
        assert call.decision is not None
        assert (call.decision.by, call.decision.verdict) == ("Ann", verdict)
        later = only_call(shown(*self.PAUSED, decided(verdict), begins("s"), gives("c", "said"), ends("s")))
        assert (later.status, later.result) == (after_a_result, "said")

    def test_a_decision_about_no_call_is_an_entry_of_its_own_and_comes_once(self) -> None:
        conversation = shown(
            begins(),
            decided("answered", call="", after_text="3"),
            decided("answered", call="", after_text="3"),
        )
        [entry] = conversation.messages
        assert entry.role == "decision"
        assert entry.decision is not None
        assert entry.decision.after_text == "3"

    def test_a_note_says_where_the_thread_stands(self) -> None:
        assert shown(*self.PAUSED, status_event("cancelled")).run_status == "cancelled"
        after = shown(begins(), fails(), status_event("idle"))
        assert (after.run_status, after.fault) == ("idle", None)


class TestEnds:
    def test_a_failure_settles_what_was_open_and_keeps_what_was_said(self) -> None:
        folded = fold(
            begins(),
            TextMessageStartEvent(message_id="m", role="assistant"),
            TextMessageContentEvent(message_id="m", delta="half"),
            calls("c"),
            ToolCallStartEvent(tool_call_id="d", tool_call_name="pay"),
            fails("no connection", code="503"),
        )
        conversation = folded.conversation()
        assert conversation.run_status == "error"
        assert conversation.fault == RunFault(message="no connection", code="503")
        assert not folded.streaming
        [message] = conversation.messages
        assert (message.text, message.streaming) == ("half", False)
        assert [call.status for call in message.tool_calls] == ["failed", "failed"]

    def test_a_failed_resume_keeps_the_yes_and_the_next_run_ends_it(self) -> None:
        """F29: the decision is still there after a failure."""
        events = [
            begins("a"),
            calls("c"),
            pauses(approval(), run="a"),
            decided("approved"),
            begins("b"),
            fails(),
        ]
        call = only_call(shown(*events))
        assert call.status == "approved"
        assert call.decision is not None
        later = shown(*events, begins("c"), gives("c", "paid"), ends("c"))
        assert only_call(later).status == "done"
        assert later.fault is None

    def test_a_stopped_run_is_neither_a_success_nor_a_failure(self) -> None:
        conversation = shown(begins(), calls("c"), ends(outcome=RunFinishedCancelledOutcome()))
        assert (conversation.run_status, conversation.fault) == ("cancelled", None)
        assert only_call(conversation).status == "failed"

    def test_a_run_that_succeeds_without_telling_a_result_leaves_no_call_running(self) -> None:
        call = only_call(shown(begins(), calls("c"), says("m", "Done"), ends()))
        assert (call.status, call.result) == ("done", None)

    def test_a_failure_after_the_end_is_a_failure(self) -> None:
        assert shown(begins(), ends(), fails()).run_status == "error"

    def test_usage_is_summed_over_providers_and_runs(self) -> None:
        usage = [
            TokenUsage(input_tokens=10, output_tokens=5, reasoning_tokens=2, cached_input_tokens=4),
            TokenUsage(input_tokens=1, output_tokens=1, total_tokens=2),
        ]
        conversation = shown(begins(), ends(usage=usage), begins(), fails(usage=[TokenUsage(input_tokens=3)]))
        assert conversation.usage == Usage(
            input_tokens=14,
            output_tokens=6,
            total_tokens=20,
            reasoning_tokens=2,
            cached_input_tokens=4,
        )

    def test_steps_are_those_of_the_last_run(self) -> None:
        conversation = shown(
            begins("a"),
            StepStartedEvent(step_name="old"),
            fails(),
            begins("b"),
            StepStartedEvent(step_name="plan"),
            StepFinishedEvent(step_name="plan"),
            StepStartedEvent(step_name="act"),
        )
        assert conversation.steps == (
            Step(name="plan", status="done", run_id="b"),
            Step(name="act", status="running", run_id="b"),
        )


class TestSnapshots:
    def test_a_snapshot_adds_and_corrects_and_takes_nothing_away(self) -> None:
        conversation = shown(
            said(UserMessage(id="u", content="Go")),
            says("m", "Helo"),
            says("gone", "not in the snapshot"),
            snapshot(
                UserMessage(id="u", content="Go"),
                AssistantMessage(id="m", content="Hello"),
                AssistantMessage(id="new", content="More"),
            ),
        )
        assert [(m.id, m.text) for m in conversation.messages] == [
            ("u", "Go"),
            ("m", "Hello"),
            ("gone", "not in the snapshot"),
            ("new", "More"),
        ]

    def test_an_empty_content_does_not_take_the_text_away(self) -> None:
        [message] = shown(
            begins(), says("m", "Hello"), snapshot(AssistantMessage(id="m", content=""))
        ).messages
        assert message.text == "Hello"

    def test_results_are_found_by_the_call_whatever_their_own_id(self) -> None:
        conversation = shown(
            begins(),
            calls("c", parent="m"),
            gives("c", "streamed", message="c"),
            snapshot(
                AssistantMessage(id="m", tool_calls=[stated("c")]),
                ToolMessage(id="other", tool_call_id="c", content="as saved"),
            ),
        )
        [message] = conversation.messages
        assert [(call.status, call.result) for call in message.tool_calls] == [("done", "as saved")]

    def test_a_message_with_another_id_that_holds_the_same_call_is_the_same_message(self) -> None:
        conversation = shown(
            begins(),
            calls("c"),
            snapshot(AssistantMessage(id="saved-id", content="", tool_calls=[stated("c")])),
        )
        assert len(conversation.messages) == 1
        assert only_call(conversation).status == "running"

    def test_what_a_snapshot_says_of_an_older_call_of_an_id_is_not_said_of_the_latest(self) -> None:
        state = shown(
            begins(),
            calls("c", args='{"n": 1}', parent="a"),
            gives("c", "first"),
            calls("c", args='{"n": 2}', parent="b"),
            snapshot(
                AssistantMessage(id="a", tool_calls=[stated("c", '{"n": 1}')]),
                ToolMessage(id="r", tool_call_id="c", content="first"),
                AssistantMessage(id="b", tool_calls=[stated("c", '{"n": 2}')]),
            ),
        )
        first, second = (call for message in state.messages for call in message.tool_calls)
        assert (first.args_text, first.result) == ('{"n": 1}', "first")
        assert (second.args_text, second.result) == ('{"n": 2}', None)

    def test_arguments_that_were_not_streamed_come_from_the_snapshot(self) -> None:
        events = [begins(), calls("c", args="", parent="m")]
        state = snapshot(AssistantMessage(id="m", tool_calls=[stated("c", '{"n": 2}')]))
        assert only_call(shown(*events, state)).args_text == '{"n": 2}'

    def test_a_decided_call_keeps_what_was_proposed(self) -> None:
        conversation = shown(
            begins(),
            calls("c", args='{"n": 2}', parent="m"),
            pauses(approval()),
            decided("edited", before_text='{"n": 2}', after_text='{"n": 5}'),
            begins(),
            snapshot(AssistantMessage(id="m", tool_calls=[stated("c", '{"n": 5}')])),
        )
        call = only_call(conversation)
        assert call.args_text == '{"n": 2}'
        assert call.decision is not None
        assert call.decision.after_text == '{"n": 5}'

    def test_a_result_with_an_error_is_a_failed_call(self) -> None:
        result = ToolMessage(id="x", tool_call_id="c", content="", error="timed out")
        call = only_call(shown(begins(), calls("c"), snapshot(result)))
        assert (call.status, call.error) == ("failed", "timed out")


class TestState:
    def test_a_patch_changes_the_state_and_leaves_the_old_one_alone(self) -> None:
        first: dict[str, Any] = {"items": [1]}
        folded = fold(StateSnapshotEvent(snapshot=first))
        folded.apply(StateDeltaEvent(delta=[add("/items/-", 2)]))
        assert folded.conversation().state == {"items": [1, 2]}
        assert first == {"items": [1]}

    def test_without_a_state_a_patch_starts_from_an_empty_object(self) -> None:
        assert shown(begins(), StateDeltaEvent(delta=[add("/a", 1)])).state == {"a": 1}

    def test_a_patch_that_does_not_apply_is_an_error_and_changes_nothing(self) -> None:
        folded = fold(StateSnapshotEvent(snapshot={"a": 1}))
        before = folded.conversation()
        delta = [add("/b", 2), {"op": "remove", "path": "/missing"}]
        with pytest.raises(ProtocolError, match="operation 1 is 'remove' at '/missing'"):
            folded.apply(StateDeltaEvent(delta=delta))
        assert folded.conversation() == before

    def test_an_activity_is_replaced_kept_and_changed(self) -> None:
        def activity(found: int, **more: Any) -> ActivitySnapshotEvent:
            return ActivitySnapshotEvent(
                message_id="a", activity_type="search", content={"found": found}, **more
            )

        events = [begins(), activity(1), activity(9, replace=False)]
        assert shown(*events).messages[0].content == {"found": 1}
        delta = ActivityDeltaEvent(message_id="a", activity_type="done", patch=[add("/found", 3)])
        [entry] = shown(*events, activity(2), delta).messages
        assert (entry.role, entry.activity_type, entry.content) == ("activity", "done", {"found": 3})

    def test_a_change_of_an_activity_that_nobody_knows_is_skipped(self) -> None:
        delta = ActivityDeltaEvent(message_id="a", activity_type="x", patch=[])
        assert shown(begins(), delta).messages == ()

    def test_an_activity_stays_an_object(self) -> None:
        folded = fold(begins(), ActivitySnapshotEvent(message_id="a", activity_type="x", content={}))
        with pytest.raises(ProtocolError, match="object"):
            folded.apply(ActivityDeltaEvent(message_id="a", activity_type="x", patch=[add("", 1)]))


class TestSecrets:
    @staticmethod
    def secret(kind: Any, name: str) -> ReasoningEncryptedValueEvent:
        return ReasoningEncryptedValueEvent(subtype=kind, entity_id=name, encrypted_value=f"<{name}>")

    def test_a_value_is_kept_with_the_call_the_result_or_the_message(self) -> None:
        conversation = shown(
            begins(),
            says("m", "x"),
            self.secret("message", "m"),
            calls("c"),
            self.secret("tool-call", "c"),
            gives("c", "no", message="res"),
            self.secret("message", "res"),
        )
        [message] = conversation.messages
        [call] = message.tool_calls
        assert (message.encrypted_value, call.encrypted_value, call.result_encrypted_value) == (
            "<m>",
            "<c>",
            "<res>",
        )

    def test_a_value_may_come_before_what_it_belongs_to(self) -> None:
        [message] = shown(begins(), self.secret("message", "m"), says("m", "x")).messages
        assert message.encrypted_value == "<m>"

    def test_a_thought_without_words_keeps_its_place_and_its_value(self) -> None:
        span = [
            ReasoningStartEvent(message_id="z"),
            self.secret("message", "z"),
            ReasoningEndEvent(message_id="z"),
        ]
        messages = shown(begins(), says("a", "x"), *span, says("b", "y"), ends()).messages
        assert [(m.role, m.text, m.encrypted_value) for m in messages] == [
            ("assistant", "x", None),
            ("reasoning", "", "<z>"),
            ("assistant", "y", None),
        ]

    def test_a_value_for_nothing_ends_nothing(self) -> None:
        assert shown(begins(), self.secret("tool-call", "nobody")).messages == ()


def test_a_sub_agent_is_named_by_its_announcement_or_its_id() -> None:
    conversation = shown(
        begins(),
        SubagentStartedEvent(subagent_run_id="s", name="scout"),
        says("m", "x", subagent_run_id="s"),
        says("n", "y", subagent_run_id="quiet"),
    )
    assert [message.subagent for message in conversation.messages] == ["scout", "quiet"]


def test_ten_thousand_messages_fold_and_one_more_makes_one_more() -> None:
    folded = fold(begins(), *(says(f"m{n}", "a", "b") for n in range(10_000)))
    before = folded.conversation()
    folded.apply(TextMessageStartEvent(message_id="last", role="assistant"))
    folded.apply(TextMessageContentEvent(message_id="last", delta="x"))
    after = folded.conversation()
    assert len(after.messages) == 10_001
    assert all(old is new for old, new in zip(before.messages, after.messages, strict=False))
