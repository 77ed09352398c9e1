"""The SDK's own models, fed with what their services send, told as AG-UI events."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from ag_ui.core import ReasoningMessageContentEvent, TextMessageContentEvent, ToolCallArgsEvent
from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel
from openai import AsyncOpenAI

from tests.adapters.openai_agents.scripted import ROME, Hotel, talk
from tests.adapters.talk import approved


class Service:
    """Answers each request with the next of its streams, and keeps what it was sent."""

    def __init__(self, *streams: list[dict[str, Any]]) -> None:
        self.streams = list(streams)
        self.sent: list[dict[str, Any]] = []

    def client(self) -> AsyncOpenAI:
        transport = httpx.MockTransport(self._answer)
        return AsyncOpenAI(
            api_key="none", base_url="http://service", http_client=httpx.AsyncClient(transport=transport)
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(json.loads(request.content))
        lines = [f"event: {e.get('type', 'chunk')}\ndata: {json.dumps(e)}\n\n" for e in self.streams.pop(0)]
        if not lines[0].startswith("event: response"):
            lines = [line.partition("\n")[2] for line in lines] + ["data: [DONE]\n\n"]
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, text="".join(lines))


def chunk(delta: dict[str, Any], finish: str | None = None, usage: Any = None) -> dict[str, Any]:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    common = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**common, "choices": choices, **({"usage": usage} if usage else {})}


def call_chunk(index: int, text: str, **more: Any) -> dict[str, Any]:
    function = {"arguments": text, **({"name": more["name"]} if "name" in more else {})}
    start = {"id": more["id"], "type": "function"} if "id" in more else {}
    return chunk({"tool_calls": [{"index": index, **start, "function": function}]})


CHAT = [
    [
        chunk({"role": "assistant", "content": "I will "}),
        chunk({"content": "book both."}),
        call_chunk(0, "", id="call-a", name="book"),
        call_chunk(0, '{"city": "Ro'),
        call_chunk(0, 'me", "nights": 2}'),
        call_chunk(1, '{"city": "Oslo", "nights": 1}', id="call-b", name="book"),
        chunk({}, "tool_calls"),
        chunk({}, None, {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}),
    ],
    [chunk({"role": "assistant", "content": "Done."}), chunk({}, "stop")],
]


async def test_a_chat_completions_stream_pauses_and_goes_on() -> None:
    hotel, service = Hotel(), Service(*CHAT)
    agent = hotel.agent(model=OpenAIChatCompletionsModel("m", service.client()))
    thread = talk(agent)
    run = await thread.send("Hi")
    assert "".join(event.delta for event in run.of(TextMessageContentEvent)) == "I will book both."
    args: dict[str, str] = {}
    for event in run.of(ToolCallArgsEvent):
        args[event.tool_call_id] = args.get(event.tool_call_id, "") + event.delta
    assert args == {"call-a": json.dumps(ROME[1]), "call-b": '{"city": "Oslo", "nights": 1}'}
    assert [one.id for one in run.interrupts] == ["call-a", "call-b"]
    run = await thread.go(approved("call-a"), approved("call-b"))
    assert (len(hotel.booked), run.outcome.type) == (2, "success")
    sent = service.sent[-1]["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "assistant", "tool", "tool"]
    assert (sent[1]["content"], len(sent[2]["tool_calls"])) == ("I will book both.", 2)


def response(output: list[dict[str, Any]], status: str = "completed") -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": status,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 5,
            "input_tokens_details": {"cached_tokens": 1, "cache_write_tokens": 0},
            "output_tokens": 2,
            "output_tokens_details": {"reasoning_tokens": 1},
            "total_tokens": 7,
        },
    }


THOUGHT = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "Think."}],
    "encrypted_content": "sealed",
}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call-a",
    "name": "book",
    "arguments": json.dumps(ROME[1]),
    "status": "completed",
}
TEXT = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Done.", "annotations": []}],
}


def numbered(*events: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**event, "sequence_number": at} for at, event in enumerate(events)]


RESPONSES = [
    numbered(
        {"type": "response.created", "response": response([], "in_progress")},
        {"type": "response.output_item.added", "output_index": 0, "item": {**THOUGHT, "summary": []}},
        {
            "type": "response.reasoning_summary_part.added",
            "item_id": "rs_1",
            "output_index": 0,
            "summary_index": 0,
            "part": {"type": "summary_text", "text": ""},
        },
        {
            "type": "response.reasoning_summary_text.delta",
            "item_id": "rs_1",
            "output_index": 0,
            "summary_index": 0,
            "delta": "Think.",
        },
        {"type": "response.output_item.done", "output_index": 0, "item": THOUGHT},
        {"type": "response.output_item.added", "output_index": 1, "item": {**CALL, "arguments": ""}},
        {
            "type": "response.function_call_arguments.delta",
            "item_id": "fc_1",
            "output_index": 1,
            "delta": CALL["arguments"][:9],
        },
        {
            "type": "response.function_call_arguments.delta",
            "item_id": "fc_1",
            "output_index": 1,
            "delta": CALL["arguments"][9:],
        },
        {"type": "response.output_item.done", "output_index": 1, "item": CALL},
        {"type": "response.completed", "response": response([THOUGHT, CALL])},
    ),
    # A service that tells nothing but the whole.
    numbered(
        {"type": "response.created", "response": response([], "in_progress")},
        {"type": "response.completed", "response": response([TEXT])},
    ),
]


async def test_a_responses_stream_pauses_and_goes_on_with_its_sealed_thought() -> None:
    hotel, service = Hotel(), Service(*RESPONSES)
    agent = hotel.agent(model=OpenAIResponsesModel("m", service.client()))
    thread = talk(agent)
    run = await thread.send("Hi")
    assert [event.delta for event in run.of(ReasoningMessageContentEvent)] == ["Think."]
    assert [event.delta for event in run.of(ToolCallArgsEvent)] == [
        CALL["arguments"][:9],
        CALL["arguments"][9:],
    ]
    [usage] = run.events[-1].usage
    assert (usage.total_tokens, usage.cached_input_tokens, usage.reasoning_tokens) == (7, 1, 1)
    run = await thread.go(approved("call-a"))
    assert (hotel.booked, run.outcome.type) == ([ROME[1]], "success")
    assert [event.delta for event in run.of(TextMessageContentEvent)] == ["Done."]
    kinds = [item.get("type", item.get("role")) for item in service.sent[-1]["input"]]
    assert kinds == ["user", "reasoning", "function_call", "function_call_output"]
    # Ids that the service gave to items of its own are not made up for others.
    assert "id" not in service.sent[-1]["input"][2]


@pytest.mark.parametrize("status", [400, 500])
async def test_a_service_that_refuses_ends_the_run_in_an_error(status: int) -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(status, json={"error": {"message": "no"}}))
    client = AsyncOpenAI(
        api_key="none",
        base_url="http://service",
        max_retries=0,
        http_client=httpx.AsyncClient(transport=transport),
    )
    agent = Agent(name="a", model=OpenAIResponsesModel("m", client))
    run = await talk(agent).send("Hi")
    assert str(status) in run.error.message
