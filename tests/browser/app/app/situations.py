"""An agent that plays what a person names.

`numbers`, `hostile`, `huge`, `long`, ... An unknown word is said back.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    Interrupt,
    MessagesSnapshotEvent,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    UserMessage,
)

from app.hotel import note
from reflex_agentkit.testing.streams import approval, calls, gives, pauses, question, says

EVIL = (
    "<img src=x onerror=\"document.title='pwned'\"> "
    '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>'
    '"><svg onload="window.__pwned=2"> </pre><button>Approve</button> '
    "<style>*{display:none}</style> "
    "[a](javascript:window.__pwned=3) [b](data:text/html,x) [good](https://example.invalid/page) "
    "![pixel](https://attacker.invalid/p.png) ![ref][r]\n\n[r]: https://attacker.invalid/r.png\n"
)

NUMBERS = '{"big": 9007199254740993, "one": 1.0, "exact": 12345678901234567.89, "note": "as it is"}'

NUMBERS_SCHEMA = {
    "type": "object",
    "properties": {
        "big": {"type": "integer"},
        "one": {"type": "number"},
        "exact": {"type": "number"},
        "note": {"type": "string", "maxLength": 40},
    },
    "required": ["big", "one", "exact"],
    "additionalProperties": False,
}


def fresh(name: str) -> str:
    return f"{name}-{uuid4().hex[:8]}"


def asks(name: str, args: str, *, schema: dict | None = None, **more) -> list[BaseEvent]:
    call = fresh("call")
    return [*calls(call, name, args), *pauses(approval(call, args_schema=schema, **more))]


def reasons(text: str) -> list[BaseEvent]:
    block, message = fresh("block"), fresh("thought")
    return [
        ReasoningStartEvent(message_id=block),
        ReasoningMessageStartEvent(message_id=message, role="reasoning"),
        ReasoningMessageContentEvent(message_id=message, delta=text),
        ReasoningMessageEndEvent(message_id=message),
        ReasoningEndEvent(message_id=block),
    ]


async def numbers(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for event in asks("transfer", NUMBERS, schema=NUMBERS_SCHEMA):
        yield event


async def hostile(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for event in says(fresh("m"), EVIL):
        yield event
    args = '{"text": "<img src=x onerror=\\"document.title=\'pwned\'\\">", "<b>key</b>": "a\\u202eb\\u200bc"}'
    for event in asks("<i>delete</i>_files", args, message="# Only **lists** files <b>really</b>"):
        yield event


async def huge(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for event in asks("store", '{"text": "' + "x" * 1_000_000 + '", "last": "the end"}'):
        yield event


async def no_arguments(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for event in asks("ping", "{}"):
        yield event


async def unreadable(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for event in asks("ping", '{"a": '):
        yield event


async def asking(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    schema = {"type": "integer", "minimum": 1, "maximum": 10}
    asked = question(fresh("q"), "How many nights?", response_schema=schema, reason="nights")
    for event in pauses(asked):
        yield event


async def custom(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for event in pauses(Interrupt(id=fresh("q"), reason="question", message="What name?")):
        yield event


async def below(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    asked = question(fresh("q"), "Which room?", reason="room", metadata={"path": ["travel", "hotel", "ask"]})
    for event in pauses(asked):
        yield event


async def long_thread(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    messages = [
        UserMessage(id=f"u{i}", content=f"Question {i}")
        if i % 2 == 0
        else AssistantMessage(id=f"a{i}", content=f"Answer {i}: " + "word " * 20)
        for i in range(10_000)
    ]
    yield MessagesSnapshotEvent(messages=messages)


async def slow(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    events = says(fresh("m"), *(f"piece{i} " for i in range(200)))
    for event in events:
        yield event
        if isinstance(event, TextMessageContentEvent):
            await asyncio.sleep(0.02)
    for event in asks("book", '{"city": "Rome"}'):
        yield event


async def thinking(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    yield StepStartedEvent(step_name="search")
    for event in reasons("Let me think about hotels."):
        yield event
    yield StepFinishedEvent(step_name="search")
    call = fresh("call")
    for event in [
        *calls(call, "weather", '{"city": "Rome"}'),
        *gives(call, "Sunny"),
        *says(fresh("m"), "Sunny."),
    ]:
        yield event


async def raising(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for event in says(fresh("m"), "Half a")[:2]:
        yield event
    raise RuntimeError("the service is down")


async def malformed(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    yield {"type": "NONSENSE"}  # type: ignore[misc]


async def endless(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for event in says(fresh("m"), "Still here ")[:2]:
        yield event
    await asyncio.Event().wait()


async def reported(_: RunAgentInput) -> AsyncIterator[BaseEvent]:
    yield RunErrorEvent(message="quota used up", code="quota")


SITUATIONS: dict[str, Callable[[RunAgentInput], AsyncIterator[BaseEvent]]] = {
    "numbers": numbers,
    "hostile": hostile,
    "huge": huge,
    "no arguments": no_arguments,
    "unreadable": unreadable,
    "asking": asking,
    "custom": custom,
    "below": below,
    "long": long_thread,
    "slow": slow,
    "thinking": thinking,
    "raising": raising,
    "malformed": malformed,
    "endless": endless,
    "reported": reported,
}


class Situations:
    """Plays a situation; says what a resume brought."""

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        ids = {"thread_id": run_input.thread_id, "run_id": run_input.run_id}
        yield RunStartedEvent(**ids)
        ended = False
        async for event in self._events(run_input):
            if isinstance(event, RunFinishedEvent):
                event = event.model_copy(update=ids)
            ended = ended or isinstance(event, RunFinishedEvent | RunErrorEvent)
            yield event
        if not ended:
            yield RunFinishedEvent(**ids, outcome=RunFinishedSuccessOutcome())

    async def _events(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        if run_input.resume:
            for entry in run_input.resume:
                note("resume", status=entry.status, payload=repr(entry.payload))
                call = entry.interrupt_id.removeprefix("int-")
                if call != entry.interrupt_id:
                    for event in gives(call, f"{entry.status}: {entry.payload!r}"):
                        yield event
            words = f"Got {run_input.resume[0].payload!r}."
            for event in says(fresh("m"), words):
                yield event
            return
        said = str(run_input.messages[-1].content)
        played = SITUATIONS.get(said)
        if played is None:
            for event in says(fresh("m"), f"You said: {said}"):
                yield event
            return
        async for event in played(run_input):
            yield event
