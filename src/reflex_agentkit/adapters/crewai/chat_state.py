"""A flow's state and AG-UI: what a run puts into it, and what of it is shared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from ag_ui.core import (
    AssistantMessage,
    DeveloperMessage,
    Message,
    RunAgentInput,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from crewai.flow.runtime import FlowState
from pydantic import BaseModel, Field

from reflex_agentkit.adapters._notice import interruption
from reflex_agentkit.errors import MalformedEventError
from reflex_agentkit.protocol.plain import plain

NOT_SHARED: Final = frozenset({"id", "messages", "tools", "context", "copilotkit", "ag-ui"})
"""Keys of a flow's state that AG-UI carries in another way."""


class AGUIFlowState(FlowState):
    """A state for flows that chat. Any state whose model has one of these fields is given it too.

    `messages` is the whole conversation in the form that chat models take (`role`, `content`, `tool_calls`,
    `tool_call_id`), `tools` the tools of the page in the same form, `context` what the client sent along.
    """

    messages: list[Any] = Field(default_factory=list[Any])
    tools: list[Any] = Field(default_factory=list[Any])
    context: list[Any] = Field(default_factory=list[Any])


def inputs_for(flow: Any, run_input: RunAgentInput, messages: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a run gives to a flow's state: the shared state, and what the state has a field for."""
    tools = [tool.model_dump(exclude_none=True) for tool in run_input.tools or ()]
    given: dict[str, Any] = {
        **without(run_input.state),
        "messages": list(messages),
        "tools": [{"type": "function", "function": tool} for tool in tools],
        "context": [one.model_dump() for one in run_input.context or ()],
    }
    return fitting(flow, given)


def fitting(flow: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a flow's state has room for."""
    state: Any = flow.state
    if not isinstance(state, BaseModel) or type(state).model_config.get("extra") == "allow":
        return dict(values)
    fields = type(state).model_fields
    names = set(fields) | {field.alias for field in fields.values() if field.alias}
    return {key: value for key, value in values.items() if key in names}


def dumped(flow: Any) -> dict[str, Any]:
    """A flow's state as plain JSON.

    Raises:
        MalformedEventError: it holds something that is not JSON.
    """
    state: Any = flow.state
    value = state.model_dump(mode="json") if isinstance(state, BaseModel) else state
    return cast("dict[str, Any]", plain(value, "the flow's state"))


def snapshot(flow: Any) -> dict[str, Any] | None:
    """What of a flow's state is shared; `None` where it is not JSON."""
    try:
        return without(dumped(flow))
    except (MalformedEventError, ValueError, TypeError):
        return None


def without(state: Any) -> dict[str, Any]:
    """A state without what AG-UI carries in another way."""
    given = cast("dict[str, Any]", state) if isinstance(state, dict) else {}
    return {key: value for key, value in given.items() if key not in NOT_SHARED}


def user_ids(messages: Iterable[Message]) -> list[str]:
    """The ids of what the person said."""
    return [one.id for one in messages if isinstance(one, UserMessage)]


def chat_messages(messages: Iterable[Message], results: Mapping[str, str]) -> list[dict[str, Any]]:
    """A conversation as chat models take it: behind every call its one result, `results` first.

    A call that an earlier run left without a result gets one that says so, since a model's provider refuses
    a conversation without it.
    """
    given = list(messages)
    told = _told(given, results)
    return [turned for at, one in enumerate(given) for turned in _turned(one, at, told)]


def _told(messages: Sequence[Message], results: Mapping[str, str]) -> dict[tuple[int, str], Any]:
    """What calls gave, by the place of their message and their id: a flow may use an id again."""
    latest: dict[str, int] = {}
    found: dict[tuple[int, str], Any] = {}
    for at, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            latest |= {call.id: at for call in message.tool_calls or ()}
        elif isinstance(message, ToolMessage) and message.tool_call_id in latest:
            found[latest[message.tool_call_id], message.tool_call_id] = message.content
    return found | {(latest[one], one): text for one, text in results.items() if one in latest}


def _turned(message: Message, at: int, told: Mapping[tuple[int, str], Any]) -> Iterator[dict[str, Any]]:
    match message:
        case UserMessage():
            yield {"role": "user", "content": _content(message.content)}
        case SystemMessage() | DeveloperMessage():
            yield {"role": "system", "content": message.content}
        case AssistantMessage():
            calls = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.function.name, "arguments": call.function.arguments},
                }
                for call in message.tool_calls or ()
            ]
            if not calls and not message.content:
                return
            said: dict[str, Any] = {"role": "assistant", "content": message.content}
            yield said | {"tool_calls": calls} if calls else said
            for call in message.tool_calls or ():
                content = _content(told.get((at, call.id), interruption()))
                yield {"role": "tool", "tool_call_id": call.id, "content": content}
        case _:
            return


def _content(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    parts = [cast("BaseModel", part).model_dump(by_alias=True) for part in cast("list[Any]", content)]
    return [_part(part) for part in parts]


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") == "text":
        return {"type": "text", "text": part.get("text")}
    source: dict[str, Any] = part.get("source") or {}
    where = source.get("value") or part.get("url")
    data = source.get("value") if source.get("type") == "data" else part.get("data")
    if data:
        kind = source.get("mimeType") or part.get("mimeType") or "application/octet-stream"
        where = f"data:{kind};base64,{data}"
    if part.get("type") in ("image", "binary") and where:
        return {"type": "image_url", "image_url": {"url": where}}
    # Chat models have no one form for the rest; the flow gets it as the person sent it.
    return part
