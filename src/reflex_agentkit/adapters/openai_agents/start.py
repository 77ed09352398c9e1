"""What a run starts with: the conversation, or a pause that was answered."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ag_ui.core import Message, ResumeEntry, RunAgentInput, ToolMessage
from agents import (
    Agent,
    Handoff,
    ModelBehaviorError,
    RunContextWrapper,
    RunResultStreaming,
    RunState,
    UserError,
)
from agents.run import DEFAULT_MAX_TURNS

from reflex_agentkit.adapters._notice import interruption, named
from reflex_agentkit.adapters.openai_agents.answers import Answers, Asked, entries_by_call, read_answers
from reflex_agentkit.adapters.openai_agents.binding import Binding
from reflex_agentkit.adapters.openai_agents.content import text_of
from reflex_agentkit.adapters.openai_agents.history import (
    Call,
    Past,
    calls_of,
    closed,
    items_of,
    own,
    past_of,
    unanswered,
)
from reflex_agentkit.adapters.openai_agents.internals import forget_nested_runs, target_of
from reflex_agentkit.adapters.openai_agents.nested import NestedRuns
from reflex_agentkit.adapters.openai_agents.pause import asked_of
from reflex_agentkit.adapters.openai_agents.records import Record, read_record
from reflex_agentkit.adapters.openai_agents.replay import Pause, paused_state
from reflex_agentkit.adapters.openai_agents.setup import Setup
from reflex_agentkit.agents.gate import current_gate
from reflex_agentkit.errors import ConfigurationError, InvalidAnswerError, InvalidJSONError
from reflex_agentkit.protocol import json_text

log = logging.getLogger("reflex_agentkit.adapters.openai_agents")

Items = list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What goes into the SDK's runner.

    `told` are results that no tool of the SDK gives, by call id; `then` is what is said once the run came to
    its end, where the SDK cannot take it with the answers.
    """

    agent: Agent[Any]
    input: Items | RunState[Any, Agent[Any]]
    context: RunContextWrapper[Any]
    told: Mapping[str, str] = field(default_factory=dict[str, str])
    then: Items = field(default_factory=list[dict[str, Any]])

    def after(self, result: RunResultStreaming) -> Start:
        """The start of the run that takes what is said after the answers."""
        said: Any = [*result.to_input_list(), *self.then]
        return replace(self, agent=result.last_agent, input=said, context=result.context_wrapper, then=[])


async def start_of(setup: Setup, run_input: RunAgentInput, binding: Binding, nested: NestedRuns) -> Start:
    """What a run's input starts.

    Raises:
        InvalidAnswerError: the resume does not answer what waits, all of it and clearly.
    """
    messages = own(run_input.messages)
    root = binding.agent(setup.agent)
    past = past_of(messages)
    entries = entries_by_call(run_input.resume or (), _known(messages, past))
    context = await setup.context(run_input)
    if not past.open or not run_input.resume:
        agent = _in_charge(root, messages)
        return Start(agent=agent, input=items_of(closed(messages)), context=context)
    opening = _Opening(setup, binding, nested, context, run_input.thread_id)
    try:
        return await opening.start(_in_charge(root, past.before), past, entries)
    except BaseException:
        forget_nested_runs(context)
        raise


class _Opening:
    """Opens a pause again and puts the answers in."""

    def __init__(
        self,
        setup: Setup,
        binding: Binding,
        nested: NestedRuns,
        context: RunContextWrapper[Any],
        thread_id: str,
    ) -> None:
        self._max_turns: int | None = setup.options.get("max_turns", DEFAULT_MAX_TURNS)
        self._binding = binding
        self._nested = nested
        self._context = context
        self._thread_id = thread_id

    async def start(self, agent: Agent[Any], past: Past, entries: Mapping[str, ResumeEntry]) -> Start:
        records = {
            call.id: record
            for call in past.open.values()
            if (record := read_record(call.record)) is not None and record.open()
        }
        self._nested.restore(records)
        self._nested.said_outside({call.id for call in past.turn})
        try:
            state = await paused_state(
                agent, Pause(past=past, records=records), self._context, self._max_turns
            )
        except (ConfigurationError, ModelBehaviorError) as error:
            return self._closed(agent, past, entries, error)
        asked = asked_of(state.get_interruptions(), self._binding, _makers(past, self._nested))
        answers = read_answers(
            asked,
            entries,
            self._thread_id,
            lost=self._lost(asked, entries),
            final=current_gate() is not None,
        )
        self._put(state, answers, records)
        said = items_of(past.said)
        try:
            if said:
                state.add_input(cast("Any", said))
                said = []
        except UserError:
            pass  # a tool's result may end the run: what is said goes into one after it
        return Start(agent=agent, input=state, context=self._context, then=said)

    def _put(self, state: RunState[Any, Agent[Any]], answers: Answers, records: Mapping[str, Record]) -> None:
        for item in state.get_interruptions():
            call_id = item.call_id or ""
            if call_id in answers.yes:
                state.approve(item)
            else:
                state.reject(item, rejection_message=answers.no[call_id])
        self._binding.fence.failed.update(answers.unfit)
        self._binding.fence.approved.update(answers.yes)
        self._binding.fence.going_on.update(_holding(records))

    def _lost(self, asked: Sequence[Asked], entries: Mapping[str, ResumeEntry]) -> Mapping[str, str]:
        """Nested calls that an earlier run of this pause took before it broke off, and what is told of them.

        What they gave is lost with their nested run. Only a server knows that; a client must answer them all.
        """
        if current_gate() is None:
            return {}
        inside = [call.id for call in asked if self._nested.holders(call.id)]
        return {call_id: interruption() for call_id in inside if call_id not in entries}

    def _closed(
        self, agent: Agent[Any], past: Past, entries: Mapping[str, ResumeEntry], error: Exception
    ) -> Start:
        """Go on past a pause that cannot be opened any more, a tool that is gone say. Nothing of it runs."""
        log.warning("the pause of thread %s is gone on past, nothing of it runs: %s", self._thread_id, error)
        told = {call.id: self._refused(call, entries.get(call.id)) for call in past.open.values()}
        for call_id, no in list(told.items()):
            if no is None:
                told[call_id] = self._binding.fence.failed[call_id] = f"The tool was not run: {named(error)}"
        results: dict[str, Any] = {**past.results, **told}
        items = [
            *items_of(past.before),
            *(
                {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.args_text}
                for call in past.turn
            ),
            *items_of(
                ToolMessage(id=call_id, tool_call_id=call_id, content=content)
                for call_id, content in results.items()
            ),
            *items_of(past.said),
        ]
        return Start(agent=agent, input=items, context=self._context, told=cast("dict[str, str]", told))

    def _refused(self, call: Call, entry: ResumeEntry | None) -> str | None:
        """The words of a no to a call; `None` for anything else."""
        if entry is None:
            return None
        asked = Asked(id=call.id, name=call.name, args_text=call.args_text, message_id=call.message_id)
        with suppress(InvalidAnswerError):
            return read_answers([asked], {call.id: entry}, self._thread_id).no.get(call.id)
        return None


def _known(messages: Sequence[Message], past: Past) -> dict[str, bool | None]:
    """The calls of the thread, those inside of agent tools too: whether each waits, `None` for no longer."""
    known: dict[str, bool | None] = {}
    for call in (call for message in messages for call in calls_of(message)):
        known[call.id] = False
        known |= dict.fromkeys(_inside(call), False)
    for _, call in unanswered(messages):
        waits = True if call.id in past.open else None
        known |= dict.fromkeys((call.id, *_inside(call)), waits)
    return known


def _inside(call: Call) -> list[str]:
    record = read_record(call.record)
    return list(record.calls()) if record is not None else []


def _makers(past: Past, nested: NestedRuns) -> dict[str, str]:
    """The message of each call that may wait; for a call inside of an agent tool the outermost one's."""
    made = {call.id: call.message_id for call in past.turn}
    for call in past.turn:
        for inner in _inside(call):
            if nested.holders(inner):
                made.setdefault(inner, call.message_id)
    return made


def _holding(records: Mapping[str, Record]) -> dict[str, dict[str, Any] | None]:
    """The calls whose nested runs go on, with the arguments that a person gave them."""
    held: dict[str, dict[str, Any] | None] = {}
    for call_id, record in records.items():
        held |= {call_id: record.edited, **_holding(record.nested)}
    return held


def _in_charge(root: Agent[Any], messages: Sequence[Message]) -> Agent[Any]:
    """The agent that the conversation was handed to last."""
    agent = root
    targets = _handoffs(agent)
    offered: dict[str, Agent[Any]] = {}
    for message in messages:
        offered |= {call.id: to for call in calls_of(message) if (to := targets.get(call.name)) is not None}
        if not isinstance(message, ToolMessage):
            continue
        # One that failed, or came second, has another result.
        to = offered.pop(message.tool_call_id, None)
        if to is not None and _handed_to(to, message):
            agent = to
            targets, offered = _handoffs(agent), {}
    return agent


def _handed_to(agent: Agent[Any], result: ToolMessage) -> bool:
    """Whether a result is the SDK's own for a handoff to this agent."""
    try:
        return json_text.read(text_of(result.content)) == {"assistant": agent.name}
    except InvalidJSONError:
        return False


def _handoffs(agent: Agent[Any]) -> dict[str, Agent[Any] | None]:
    """Where the tools lead by which an agent hands the conversation on."""
    found: dict[str, Agent[Any] | None] = {}
    for one in agent.handoffs:
        if isinstance(one, Handoff):
            found[one.tool_name] = target_of(one)
        else:
            found[Handoff.default_tool_name(one)] = one
    return found
