"""What a run is to do, from its input and from where the graph stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ag_ui.core import Interrupt, ResumeEntry, RunAgentInput, ToolMessage
from langgraph.types import Interrupt as GraphInterrupt

from reflex_agentkit.adapters._notice import interruption
from reflex_agentkit.adapters.langgraph.asked import Scene
from reflex_agentkit.adapters.langgraph.middleware import ProposedCall
from reflex_agentkit.adapters.langgraph.native import Begin, GoOn, Step
from reflex_agentkit.adapters.langgraph.news import Held, news_for
from reflex_agentkit.adapters.langgraph.resume import Answers, read_answers, wire_ids_of
from reflex_agentkit.adapters.langgraph.thread import Place, Standing, Thread
from reflex_agentkit.adapters.langgraph.values import changed
from reflex_agentkit.errors import InvalidAnswerError, InvalidJSONError
from reflex_agentkit.protocol import json_text


@dataclass(slots=True, kw_only=True)
class Plan:
    """The first thing that a run does. Without a `step` it only tells what is open, or that nothing is.

    `legacy` is the answer to an interrupt of the older kind, which the graph knows nothing of.
    """

    step: Step | None
    answers: Answers = field(default_factory=Answers)
    legacy: list[ResumeEntry] = field(default_factory=list[ResumeEntry])
    dangling: frozenset[str] = frozenset()


class Planner:
    """Reads one run's input against its thread."""

    def __init__(
        self,
        run_input: RunAgentInput,
        thread: Thread,
        schemas: Mapping[str, dict[str, Any]],
        *,
        has_messages: bool,
        legacy: bool,
    ) -> None:
        self._input = run_input
        self._thread = thread
        self._schemas = schemas
        self._has_messages = has_messages
        self._legacy = legacy

    async def plan(self) -> Plan:
        """What to do first.

        Raises:
            InvalidAnswerError: an entry that answers nothing of this thread, one that is unclear, or a resume
                that leaves something open unanswered. Nothing has run then.
        """
        standing = await self._thread.standing()
        places: Mapping[str, Place] = {}
        if standing.open:
            # A node that broke off may have left an answer behind, which would count as the next one.
            places = await self._thread.places(standing)
            await self._thread.forget(places)
        entries = _by_id(self._input.resume or ())
        scene = self.scene(standing, places)
        answers = read_answers(standing.open, entries, scene)
        questions = wire_ids_of(standing.open, scene)
        open_ids = {one.id for asked_as in questions.values() for one in asked_as}
        others = {one: entry for one, entry in entries.items() if one not in open_ids}
        legacy = await self._read_others(others, answers, scene)
        if standing.open:
            step = self._answered(standing, questions, answers, scene)
        elif self._input.resume and standing.unfinished and self._is_due(standing):
            step = GoOn()
        else:
            step = self._begin(standing)
        dangling = Held.of(standing.messages).dangling
        return Plan(step=step, answers=answers, legacy=legacy, dangling=dangling)

    async def next(self) -> Step | None:
        """What is left to do after the graph came to an end: what the person said meanwhile."""
        news = self.news(await self._thread.standing())
        return Begin(messages=news, changed={}) if news and self._has_messages else None

    def news(self, standing: Standing) -> list[Any]:
        """The messages of the input that the graph has not been told."""
        return news_for(self._input.messages, Held.of(standing.messages))

    def scene(self, standing: Standing, places: Mapping[str, Place], **more: Any) -> Scene:
        """What is known around what is open."""
        paths = {one_id: place.path for one_id, place in places.items()}
        proposed = self._proposed(standing, places)
        return Scene(proposed=proposed, schemas=self._schemas, paths=paths, **more)

    async def instead(self, texts: Mapping[str, str]) -> Begin | None:
        """Begin again with results for the calls that did not run; `None` where no call waits for one.

        `texts` are what is known of them by call id.
        """
        standing = await self._thread.standing()
        dangling = Held.of(standing.messages).dangling
        waiting = [
            str(call["id"])
            for message in standing.messages
            for call in getattr(message, "tool_calls", None) or ()
            if str(call["id"]) in dangling
        ]
        results = [
            ToolMessage(id=f"result-{one}", tool_call_id=one, content=texts.get(one, interruption()))
            for one in waiting
        ]
        said = [one for one in self.news(standing) if one.role == "user"]
        return Begin(messages=[*results, *said], changed={}) if results else None

    def _is_due(self, standing: Standing) -> bool:
        """Whether a call still waits for its tool, or none waits: a known result is not made again."""
        dangling = Held.of(standing.messages).dangling
        return not dangling or dangling > {
            one.tool_call_id for one in self.news(standing) if isinstance(one, ToolMessage)
        }

    def _begin(self, standing: Standing) -> Step | None:
        change = changed(self._input.state, standing.values)
        if self._has_messages:
            news = self.news(standing)
            if news:
                return Begin(messages=news, changed=change)
            return GoOn() if standing.unfinished else None
        if standing.unfinished:
            return GoOn()
        # A graph without messages cannot be asked whether it was told: a resume is no message.
        return None if self._input.resume else Begin(messages=self._input.messages, changed=change)

    def _answered(
        self, standing: Standing, questions: Mapping[str, list[Interrupt]], answers: Answers, scene: Scene
    ) -> Step | None:
        """The answers to all that is open; `None` where none of it is answered: then it is asked again."""
        closed = self._closed_by_results(questions, answers.values)
        left = [one.id for at, found in questions.items() if at not in closed for one in found]
        left = [one for one in left if one.split("#")[0] not in answers.values]
        if left:
            if answers.values:
                raise InvalidAnswerError(
                    f"The resume leaves {', '.join(map(repr, left))} without an answer; answer or cancel "
                    "every one.",
                    code="incomplete",
                )
            return None
        if closed:
            told = read_answers({one: standing.open[one] for one in closed}, _refusals(closed), scene)
            answers.values.update(told.values)
            answers.refused.update(told.refused)
        return GoOn(answers=answers.values, changed=changed(self._input.state, standing.values))

    def _closed_by_results(
        self, questions: Mapping[str, list[Interrupt]], answered: Collection[str]
    ) -> dict[str, list[tuple[Interrupt, str]]]:
        """Approvals that nobody can answer any more, since the conversation holds a result of their calls.

        A call that broke off is one: it does not get a second yes, and the graph is told what is known.
        """
        results = {
            one.tool_call_id: one.content for one in self._input.messages if isinstance(one, ToolMessage)
        }
        closed: dict[str, list[tuple[Interrupt, str]]] = {}
        for one_id, found in questions.items():
            told = [(one, str(results[one.tool_call_id])) for one in found if one.tool_call_id in results]
            if one_id not in answered and len(told) == len(found):
                closed[one_id] = told
        return closed

    async def _read_others(
        self, others: Mapping[str, ResumeEntry], answers: Answers, scene: Scene
    ) -> list[ResumeEntry]:
        """Entries about nothing that is open: answered before, or of the older kind, or unknown."""
        if not others:
            return []
        before = await self._thread.asked_before({one.split("#")[0] for one in others})
        left = {one: entry for one, entry in others.items() if one.split("#")[0] not in before}
        if left and not self._legacy:
            raise InvalidAnswerError(
                f"Nothing was asked in this thread under {', '.join(map(repr, left))}; nothing was taken.",
                code="unknown_interrupt",
            )
        self._taken_before(before, others, answers, scene)
        return list(left.values())

    def _taken_before(
        self,
        before: Mapping[str, GraphInterrupt],
        others: Mapping[str, ResumeEntry],
        answers: Answers,
        scene: Scene,
    ) -> None:
        """A run that failed after the graph took an answer: a tool that LangChain runs may still be due."""
        told = read_answers(before, others, scene)
        answers.approved.extend(one for one in told.approved if not one.handed_out)
        answers.refused.update(told.refused)

    def _proposed(self, standing: Standing, places: Mapping[str, Place]) -> list[ProposedCall]:
        """The calls without a result: of the graph, of those below it that asked, of the conversation."""
        calls: dict[str, tuple[str, dict[str, Any]]] = {}
        for messages in (standing.messages, *(place.messages for place in places.values())):
            dangling = Held.of(messages).dangling
            for message in messages:
                for call in getattr(message, "tool_calls", None) or ():
                    if str(call["id"]) in dangling:
                        calls[str(call["id"])] = str(call["name"]), cast("dict[str, Any]", call["args"])
        answered = {one.tool_call_id for one in self._input.messages if isinstance(one, ToolMessage)}
        for message in self._input.messages:
            for call in getattr(message, "tool_calls", None) or ():
                args = _read(call.function.arguments)
                if args is not None and call.id not in answered and call.id not in calls:
                    calls[call.id] = call.function.name, args
        return [
            ProposedCall(id=call_id, name=name, args=args, args_schema=self._schemas.get(name))
            for call_id, (name, args) in calls.items()
        ]


def _by_id(entries: Collection[ResumeEntry]) -> dict[str, ResumeEntry]:
    found: dict[str, ResumeEntry] = {}
    for entry in entries:
        if entry.interrupt_id in found:
            raise InvalidAnswerError(f"The resume answers {entry.interrupt_id!r} twice; nothing was taken.")
        found[entry.interrupt_id] = entry
    return found


def _refusals(closed: Mapping[str, list[tuple[Interrupt, str]]]) -> dict[str, ResumeEntry]:
    return {
        one.id: ResumeEntry(
            interrupt_id=one.id, status="resolved", payload={"approved": False, "reason": reason}
        )
        for found in closed.values()
        for one, reason in found
    }


def _read(text: str) -> dict[str, Any] | None:
    try:
        value = json_text.read(text or "{}")
    except InvalidJSONError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
