"""What a run is to do, from its input and from where the thread stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ag_ui.core import AssistantMessage, Message, ResumeEntry, RunAgentInput, ToolMessage, UserMessage
from crewai.flow.async_feedback import PendingFeedbackContext
from crewai.flow.persistence import FlowPersistence

from reflex_agentkit.adapters._notice import cancellation
from reflex_agentkit.adapters.crewai.asked import Given, asked, feedback_of, pause_id, read_answers
from reflex_agentkit.adapters.crewai.journal import SUFFIX, Journal, Shelf
from reflex_agentkit.adapters.crewai.scene import Result
from reflex_agentkit.errors import ConfigurationError, InvalidAnswerError


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Start the flow with the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Go on from a pause. `known` are results of its calls; with `again` its answers were taken before."""

    context: PendingFeedbackContext
    given: Sequence[Given]
    entries: Sequence[ResumeEntry] = ()
    known: Mapping[str, Result] = field(default_factory=dict[str, Result])
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginAgain:
    """Start the flow as the run that broke off did; what had finished does not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """End a flow that is not gone on with; `results` are told of its calls."""

    results: Mapping[str, Result] = field(default_factory=dict[str, Result])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """Only tell what is open; nothing where that is `None`."""

    context: PendingFeedbackContext | None = None


Step: TypeAlias = Begin | Answer | BeginAgain | Drop | Tell


class Planner:
    """Reads one run's input against its thread. `journal` is the thread's record, kept up to date.

    `trusted` where a server put the input together: it may say anew what became of a call in doubt.
    """

    def __init__(
        self,
        run_input: RunAgentInput,
        persistence: FlowPersistence,
        shelf: Shelf,
        methods: Collection[str],
        *,
        trusted: bool,
    ) -> None:
        self.journal = Journal()
        self._trusted = trusted
        self._input = run_input
        self._thread_id = run_input.thread_id
        self._persistence = persistence
        self._shelf = shelf
        self._methods = methods

    def plan(self) -> Step:
        """What to do first. Blocks on the store.

        Raises:
            InvalidAnswerError: an entry that answers nothing of this thread, one that is unclear, or a resume
                that leaves something open unanswered. Nothing has run then.
            ConfigurationError: the thread is paused in another flow, or its id is not possible here.
        """
        if self._thread_id.endswith(SUFFIX):
            raise ConfigurationError(
                f"A thread cannot have the id {self._thread_id!r}: what ends with {SUFFIX!r} is where this "
                "agent keeps the record of another thread. Use another id."
            )
        pending = self._persistence.load_pending_feedback(self._thread_id)
        context = pending[1] if pending else None
        self.journal = self._shelf.load(self._thread_id)
        if context is not None:
            self._check_ours(context)
        if self.journal.open and self.journal.pause != (pause_id(context) if context else ""):
            # The run had come to its end or to the next pause, and the process ended before that was noted.
            self.journal = self.journal.ended()
        entries = _by_id(self._input.resume or ())
        late = [one for one in entries if one in self.journal.taken]
        entries = {one: entry for one, entry in entries.items() if one not in late}
        if self.journal.open:
            return self._after_break(context, entries)
        if context is not None:
            return self._paused(context, entries)
        if entries:
            raise InvalidAnswerError(
                f"Nothing is open in this thread under {', '.join(map(repr, entries))}; nothing was taken.",
                code="unknown_interrupt",
            )
        return Tell() if late and not self.news() else Begin()

    def news(self) -> list[Message]:
        """What the person said that no flow of this thread was given."""
        said: list[Message] = [one for one in self._input.messages if isinstance(one, UserMessage)]
        if not self.journal.told:
            # A flow that was started elsewhere: only what was said last can be news.
            last = self._input.messages[-1:]
            return [one for one in said if one in last]
        return [one for one in said if one.id not in self.journal.told]

    def _paused(self, context: PendingFeedbackContext, entries: Mapping[str, ResumeEntry]) -> Step:
        if not entries:
            return Tell(context=context)
        given = read_answers(context, entries)
        if context.emit and not context.default_outcome and not _says_anything(context, given):
            # CrewAI would take the first outcome, an approval perhaps.
            self.journal = self.journal.ended(one.id for one in given)
            return Drop()
        return Answer(context=context, given=given, entries=list(entries.values()))

    def _after_break(
        self, context: PendingFeedbackContext | None, entries: Mapping[str, ResumeEntry]
    ) -> Step:
        """The last run broke off: go on with it, unless the person wants something else."""
        others = [one for one in entries.values() if not self.journal.carries(one)]
        if context is not None and self._settles_doubts(context, others):
            self.journal.replace(others)
            others = []
        if any(one.status != "cancelled" for one in others):
            known = self.journal.entries()
            unknown = [one.interrupt_id for one in others if one.interrupt_id not in known]
            raise InvalidAnswerError(
                f"Nothing is open in this thread under {', '.join(map(repr, unknown))}; nothing was taken."
                if unknown
                else "These answers were given before in other words, and the flow has begun to act on them.",
                code="unknown_interrupt" if unknown else "already_decided",
            )
        wants_more = not others and (bool(entries) or not self.news())
        if wants_more and not self.journal.unkept:
            return self._go_on(context)
        if wants_more and not self.news():
            raise InvalidAnswerError(cannot_go_on(self.journal), code="cannot_go_on")
        results = self._taken_back(context, others) if context is not None else {}
        self.journal = self.journal.ended(one.interrupt_id for one in others)
        return Drop(results=results)

    def _settles_doubts(self, context: PendingFeedbackContext, others: Sequence[ResumeEntry]) -> bool:
        """Whether other answers than the first ones are about calls that were released and gave nothing."""
        calls = {one.id: one.tool_call_id for one in asked(context)}
        doubts = {*self.journal.released} - {*self.journal.results}
        ids = [calls.get(one.interrupt_id) for one in others if one.status == "resolved"]
        return self._trusted and bool(ids) and all(call_id in doubts for call_id in ids)

    def _go_on(self, context: PendingFeedbackContext | None) -> Step:
        if context is None:
            return BeginAgain() if self.journal.steps else Begin()
        given = read_answers(context, self.journal.entries(), again=True)
        calls = {one.request.tool_call_id for one in given if one.request.kind == "tool"}
        said = {one: result for one, result in self._said_results().items() if one in calls}
        return Answer(
            context=context, given=given, known={**said, **self.journal.known_results()}, again=True
        )

    def _taken_back(
        self, context: PendingFeedbackContext, others: Sequence[ResumeEntry]
    ) -> dict[str, Result]:
        """The calls that a person took back before they were released."""
        ids = {one.interrupt_id for one in others}
        calls = [one.tool_call_id for one in asked(context) if one.id in ids and one.tool_call_id]
        gone = {*self.journal.released, *self.journal.results}
        return {one: Result(text=cancellation(), status="cancelled") for one in calls if one not in gone}

    def _said_results(self) -> dict[str, Result]:
        """The results that came to the conversation since the answers, each behind the latest call of its id.

        A flow may use the id of a call again, and the older call's result is not that of the new one.
        """
        found: dict[str, Result] = {}
        for message in self._input.messages:
            if isinstance(message, AssistantMessage):
                for call in message.tool_calls or ():
                    found.pop(call.id, None)
            elif isinstance(message, ToolMessage) and message.id not in self.journal.before:
                text: Any = message.content
                status = "failed" if message.error else "done"
                found[message.tool_call_id] = Result(text=str(text), status=status, error=message.error)
        return found

    def _check_ours(self, context: PendingFeedbackContext) -> None:
        if context.method_name not in self._methods:
            raise ConfigurationError(
                f"This thread is paused in {context.flow_class}.{context.method_name}, which this agent's "
                "flow does not have. Give it that flow, a thread with an id that no flow has used, or "
                "a persistence of its own: pauses outlive the program there."
            )


def cannot_go_on(journal: Journal) -> str:
    """Why a run that broke off cannot be gone on with."""
    return (
        f"What came of the step {journal.unkept!r} cannot be stored as JSON (its result, or the flow's state "
        "after it), so its flow cannot be gone on with: the steps that finished would run again. Send a "
        "message to start over."
    )


def _says_anything(context: PendingFeedbackContext, given: Sequence[Given]) -> bool:
    return bool(feedback_of(context, given, [one.payload for one in given]).strip())


def _by_id(entries: Sequence[ResumeEntry]) -> dict[str, ResumeEntry]:
    found: dict[str, ResumeEntry] = {}
    for entry in entries:
        if entry.interrupt_id in found:
            raise InvalidAnswerError(f"The resume answers {entry.interrupt_id!r} twice; nothing was taken.")
        found[entry.interrupt_id] = entry
    return found
