"""A LangChain chat model that says its lines, and graphs around it, for the tests of the adapter."""

from __future__ import annotations

import operator
import string
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

from ag_ui.core import AssistantMessage, BaseEvent, MessagesSnapshotEvent, ToolCallStartEvent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Send, interrupt

from reflex_agentkit.adapters.langgraph import ApprovalDecision, LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.agents.gate import CurrentAnswer, current_answer
from reflex_agentkit.protocol import json_text
from tests.adapters.talk import Talk


class GraphTalk(Talk):
    """A thread with a graph: a call may hang on a message that was never opened, and snapshots count."""

    def take(self, event: BaseEvent) -> None:
        if isinstance(event, ToolCallStartEvent):
            known = {message.id for message in self.messages}
            if event.parent_message_id not in known:
                self.messages.append(AssistantMessage(id=event.parent_message_id or event.tool_call_id))
        if isinstance(event, MessagesSnapshotEvent):
            self.messages = [message.model_copy(deep=True) for message in event.messages]
            return
        super().take(event)


class ScriptedChat(BaseChatModel):
    """Says its lines in order: a text, calls, or an error. The number of its messages says which is next."""

    lines: list[Any] = []
    saw: list[list[BaseMessage]] = []
    streams: bool = True
    one_chunk: bool = False
    prefix: str = "call"

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _line(self, messages: Sequence[BaseMessage]) -> tuple[str, list[dict[str, Any]]]:
        self.saw.append(list(messages))
        said = sum(isinstance(message, AIMessage) for message in messages)
        line = self.lines[said] if said < len(self.lines) else "Done."
        if isinstance(line, Exception):
            self.lines[said] = "Done."
            raise line
        if isinstance(line, str):
            return line, []
        letters = string.ascii_lowercase
        return "", [
            {"id": f"{self.prefix}-{said + 1}{letters[at]}", "name": name, "args": args}
            for at, (name, args) in enumerate(line)
        ]

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
        text, calls = self._line(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=text, tool_calls=calls))])

    def _stream(
        self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any
    ) -> Iterator[ChatGenerationChunk]:
        text, calls = self._line(messages)
        for at, call in enumerate(calls):
            args = json_text.write(call["args"])
            yield _chunk(id=call["id"], name=call["name"], args=args if self.one_chunk else "", index=at)
            if not self.one_chunk:
                yield _chunk(id=None, name=None, args=args, index=at)
        if text:
            for piece in (text[:4], text[4:]):
                yield ChatGenerationChunk(message=AIMessageChunk(content=piece))

    def _should_stream(self, *args: Any, **kwargs: Any) -> bool:
        return self.streams and super()._should_stream(*args, **kwargs)

    @property
    def told(self) -> list[str]:
        """The results at the end of what the model saw last."""
        found: list[str] = []
        for message in reversed(self.saw[-1]):
            if not isinstance(message, ToolMessage):
                break
            found.insert(0, str(message.content))
        return found

    @property
    def kinds(self) -> list[str]:
        """The kinds of the messages that the model saw last."""
        return [message.type for message in self.saw[-1]]


def _chunk(**call: Any) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[call]))


def model_of(*lines: Any, **options: Any) -> ScriptedChat:
    return ScriptedChat(lines=list(lines), saw=[], **options)


class Act(MessagesState):
    call: dict[str, Any]


class Hotel:
    """Seed 000's graph: a model, and a node that asks about each call before it books."""

    def __init__(
        self, *lines: Any, saver: Any = None, cut: str = "nodes", sync: bool = False, **model: Any
    ) -> None:
        self.booked: list[dict[str, Any]] = []
        self.started = 0
        self.decisions: list[ApprovalDecision] = []
        self.answers: list[CurrentAnswer | None] = []
        self.raises: list[Exception] = []
        self.model = model_of(*lines, **model)
        self._cut = cut
        builder = StateGraph(MessagesState)
        builder.add_node("agent", self.agent_sync if sync else self.agent_node)
        builder.add_node("act", self.act if sync else self.act_async)
        builder.add_edge(START, "agent")
        builder.add_conditional_edges("agent", self.route, ["act", END])
        builder.add_edge("act", "agent" if cut == "nodes" else END)
        self.graph = builder.compile(checkpointer=saver or InMemorySaver())
        self.agent = LangGraphAGUIAgent(self.graph)
        self.talk = GraphTalk(self.agent)

    async def agent_node(self, state: Any) -> Any:
        return {"messages": [await self.model.ainvoke(state["messages"])]}

    def agent_sync(self, state: Any) -> Any:
        return {"messages": [self.model.invoke(state["messages"])]}

    def route(self, state: Any) -> Any:
        calls = state["messages"][-1].tool_calls
        return [Send("act", {"call": call, "messages": state["messages"]}) for call in calls] or END

    async def act_async(self, state: Any) -> Any:
        found = self.act(state)
        if self._cut == "same":
            found["messages"].append(await self.model.ainvoke([*state["messages"], *found["messages"]]))
        return found

    def act(self, state: Any) -> Any:
        call = state["call"]
        self.started += 1
        decision = request_tool_approval(str(call["id"]), call["name"], call["args"])
        self.decisions.append(decision)
        if decision.approved:
            self.answers.append(current_answer())
            self.booked.append(decision.args)
            if self.raises:
                raise self.raises.pop(0)
            result = f"Booked {decision.args['nights']} nights in {decision.args['city']}."
        else:
            result = f"Rejected: {decision.reason or 'no reason given'}"
        return {"messages": [ToolMessage(content=decision.tool_result(result), tool_call_id=call["id"])]}


class Asked(MessagesState):
    nights: int
    answers: Annotated[list[Any], operator.add]


class Question:
    """A graph with one node for each question; each keeps what it was answered."""

    def __init__(
        self,
        *questions: Any,
        take: Callable[[Any], Any] = lambda answer: answer,
        saver: Any = None,
        schema: Any = None,
        legacy: bool = False,
    ) -> None:
        self.got: dict[str, Any] = {}
        self.before = 0
        builder = StateGraph(Asked)

        def asker(name: str, question: Any) -> Any:
            def ask(state: Any) -> Any:
                answer = interrupt(question, response_schema=schema)
                self.got[name] = answer
                return {"answers": [take(answer)]}

            return ask

        def first(state: Any) -> Any:
            self.before += 1
            return {}

        builder.add_node("first", first)
        builder.add_edge(START, "first")
        for place, question in enumerate(questions):
            builder.add_node(f"ask{place}", asker(f"ask{place}", question))
            builder.add_edge("first", f"ask{place}")
            builder.add_edge(f"ask{place}", END)
        self.graph = builder.compile(checkpointer=saver or InMemorySaver())
        self.agent = LangGraphAGUIAgent(self.graph, legacy_interrupts=legacy)
        self.talk = GraphTalk(self.agent)

    async def values(self, thread_id: str = "thread-1") -> Any:
        return (await self.graph.aget_state({"configurable": {"thread_id": thread_id}})).values


ROME, OSLO, BONN = (
    ("book_hotel", {"city": city, "nights": nights})
    for city, nights in (("Rome", 2), ("Oslo", 1), ("Bonn", 3))
)


def whole(events: Sequence[BaseEvent]) -> list[MessagesSnapshotEvent]:
    return [event for event in events if isinstance(event, MessagesSnapshotEvent)]


def assert_answered(messages: Sequence[BaseMessage]) -> None:
    """A conversation that every provider takes: behind the calls of a message their results, no others."""
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            assert message.tool_call_id in waiting, f"a result without its call: {message.content}"
            waiting.remove(message.tool_call_id)
            continue
        assert not waiting, f"{waiting} have no result before {message.type}: {message.content}"
        waiting = [str(call["id"]) for call in getattr(message, "tool_calls", ())]
    assert not waiting, f"{waiting} have no result"
