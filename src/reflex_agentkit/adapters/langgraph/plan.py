"""What a run is to do, from its input and from where the graph stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ag_ui.core import Interrupt, Message, ResumeEntry, RunAgentInput
from langchain_core.messages import ToolMessage as GraphToolMessage
from langgraph.types import Interrupt as GraphInterrupt

from reflex_agentkit.adapters._notice import left_out
from reflex_agentkit.adapters.langgraph.afresh import Afresh
from reflex_agentkit.adapters.langgraph.asked import Scene
from reflex_agentkit.adapters.langgraph.native import Begin, GoOn, Step
from reflex_agentkit.adapters.langgraph.news import Held, results_of, stands_in, stored_results
from reflex_agentkit.adapters.langgraph.past import asked_about, proposed_calls
from reflex_agentkit.adapters.langgraph.places import Place
from reflex_agentkit.adapters.langgraph.resume import Answers, read_answers, wire_ids_of
from reflex_agentkit.adapters.langgraph.thread import Standing, Thread
from reflex_agentkit.adapters.langgraph.values import changed
from reflex_agentkit.adapters.langgraph.waiting import waiting
from reflex_agentkit.errors import InvalidAnswerError

BROKE_OFF: Final = "the run ended before the step did"


@dataclass(slots=True, kw_only=True)
class Plan:
    """The first thing that a run does. Without a `step` it only tells what is open, or that nothing is.

    `legacy` is the answer to an interrupt of the older kind, which the graph knows nothing of. `spent` are
    the calls that were asked about before and have no yes left, `asking` the tasks that wait for an answer,
    `stored` the results that the graph holds,
    `broke_off` what to say of interrupts that were answered in a run that told nothing more.
    """

    step: Step | None
    answers: Answers = field(default_factory=Answers)
    legacy: list[ResumeEntry] = field(default_factory=list[ResumeEntry])
    dangling: frozenset[str] = frozenset()
    stored: Mapping[str, GraphToolMessage] = field(default_factory=dict[str, GraphToolMessage])
    spent: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    broke_off: Mapping[str, str] = field(default_factory=dict[str, str])


class Planner:
    """Reads one run's input against its thread. `gated`: somebody else notes which calls have begun."""

    def __init__(
        self,
        run_input: RunAgentInput,
        thread: Thread,
        schemas: Mapping[str, dict[str, Any]],
        *,
        has_messages: bool,
        legacy: bool,
        gated: bool,
    ) -> None:
        self._input = run_input
        self._thread = thread
        self._schemas = schemas
        self._has_messages = has_messages
        self._legacy = legacy
        self._gated = gated
        self._results = results_of(run_input.messages)
        self._afresh = Afresh(run_input, self._results)

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
        if self._has_messages:
            self._afresh.wait_with(await waiting(self._thread, standing, self._input.messages))
        entries = _by_id(self._input.resume or ())
        scene = self.scene(standing, places)
        answers = read_answers(standing.open, entries, scene)
        questions = wire_ids_of(standing.open, scene)
        open_ids = {one.id for asked_as in questions.values() for one in asked_as}
        others = {one: entry for one, entry in entries.items() if one not in open_ids}
        legacy = await self._read_others(standing, others, answers, scene)
        spent = await self._spent(standing, questions, answers)
        if standing.open:
            step = self._answered(standing, places, questions, answers, scene)
        elif self._goes_on(standing, answers, spent):
            step = GoOn()
        else:
            step = self._from_the_start(standing)
        return Plan(
            step=step,
            answers=answers,
            legacy=legacy,
            dangling=frozenset(Held.of(standing.messages).dangling),
            stored=stored_results(standing.messages),
            spent=spent if isinstance(step, GoOn) else frozenset(),
            asking=standing.asking,
            broke_off={one: BROKE_OFF for one, place in places.items() if place.broke_off},
        )

    async def next(self) -> Step | None:
        """What is left to do after the graph came to an end: what the person said meanwhile."""
        return self._afresh.begin(await self._thread.standing()) if self._has_messages else None

    async def instead(self, texts: Mapping[str, str]) -> Step | None:
        """Begin again where what the graph was about to do must not be done; `None` where nothing is to say.

        `texts` are what is known of calls by id.
        """
        if not self._has_messages:
            return None
        return self._afresh.begin(await self._thread.standing(), texts, forced=True)

    def undelivered(self, standing: Standing) -> list[Message]:
        """What the person said that the graph has not been told."""
        return [one for one in self._afresh.words(Held.of(standing.messages)) if one.role == "user"]

    async def left_out(self, standing: Standing) -> list[str]:
        """Calls that the graph went on without, although nobody was asked about them."""
        held = Held.of(standing.messages)
        ours = {tool.name for tool in self._input.tools or ()}
        calls = [one for one, name in held.dangling.items() if one in held.passed and name not in ours]
        asked = await asked_about(self._thread, standing, calls) if calls else ()
        return [one for one in calls if one not in asked]

    def scene(self, standing: Standing, places: Mapping[str, Place], **more: Any) -> Scene:
        """What is known around what is open."""
        paths = {one_id: place.path for one_id, place in places.items()}
        held = [standing.messages, *(place.messages for place in places.values())]
        proposed = proposed_calls(held, self._input.messages, self._schemas)
        return Scene(proposed=proposed, schemas=self._schemas, paths=paths, **more)

    def _goes_on(self, standing: Standing, answers: Answers, spent: Collection[str]) -> bool:
        """Whether the unfinished step is to be done: nothing in it has a result, or must not begin again."""
        if not standing.unfinished or not self._has_messages:
            return standing.unfinished
        waiting = Held.of(standing.messages).dangling.keys()
        if any(one.call_id in waiting and one.call_id not in self._results for one in answers.approved):
            return True
        if any(one in spent or one in self._results for one in waiting):
            return False
        return bool(self._input.resume) or not self._afresh.since(Held.of(standing.messages))

    def _from_the_start(self, standing: Standing) -> Step | None:
        change = changed(self._input.state, standing.values)
        if self._has_messages:
            forced = standing.unfinished or standing.edited
            return self._afresh.begin(standing, change=change, forced=forced)
        # A graph without messages cannot be asked whether it was told: a resume is no message.
        return None if self._input.resume else Begin(messages=self._input.messages, changed=change)

    def _answered(
        self,
        standing: Standing,
        places: Mapping[str, Place],
        questions: Mapping[str, list[Interrupt]],
        answers: Answers,
        scene: Scene,
    ) -> Step | None:
        """The answers to all that is open; `None` where none of it is answered: then it is asked again."""
        closed = self._closed_by_results(questions, answers.values, places)
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
        change = changed(self._input.state, standing.values)
        if closed and not answers.values and self._broke_off(standing, places, closed):
            return self._afresh.begin(standing, change=change, forced=True)
        if closed:
            open_ones = {one: standing.open[one] for one in closed}
            told = read_answers(open_ones, _refusals(closed), scene, trusted=True)
            answers.values.update(told.values)
            answers.refused.update(told.refused)
            answers.kept_back.update(told.kept_back)
        return GoOn(answers=answers.values, changed=change)

    def _broke_off(
        self,
        standing: Standing,
        places: Mapping[str, Place],
        closed: Mapping[str, Sequence[tuple[Interrupt, str]]],
    ) -> bool:
        """Whether all that is open was released before: then a refusal would be no true word about it."""
        waiting = Held.of(standing.messages).dangling
        calls = [str(one.tool_call_id) for found in closed.values() for one, _ in found]
        return all(one in waiting for one in calls) and all(
            one in places and places[one].released for one in closed
        )

    def _closed_by_results(
        self,
        questions: Mapping[str, list[Interrupt]],
        answered: Collection[str],
        places: Mapping[str, Place],
    ) -> dict[str, list[tuple[Interrupt, str]]]:
        """Approvals that nobody can answer any more, since the conversation holds a result of their calls.

        A call that broke off is one: it does not get a second yes, and the graph is told what is known.
        """
        closed: dict[str, list[tuple[Interrupt, str]]] = {}
        for one_id, found in questions.items():
            if one_id not in answered and all(one.tool_call_id in self._results for one in found):
                waited = one_id in places and not places[one_id].released
                closed[one_id] = [(one, self._known(str(one.tool_call_id), waited)) for one in found]
        return closed

    def _known(self, call_id: str, waited: bool) -> str:
        """What is known of a call; one that still waited for its answer did not run."""
        result = self._results[call_id]
        return left_out() if waited and stands_in(result) else str(result.content)

    async def _read_others(
        self, standing: Standing, others: Mapping[str, ResumeEntry], answers: Answers, scene: Scene
    ) -> list[ResumeEntry]:
        """Entries about nothing that is open: answered before, or of the older kind, or unknown."""
        if not others:
            return []
        before, all_of_it = await self._thread.asked_before(standing, {one.split("#")[0] for one in others})
        left = {one: entry for one, entry in others.items() if one.split("#")[0] not in before}
        if self._gated and not all_of_it:
            left = {}  # who holds the gate knows what was asked, however long ago
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
        """A run that failed after the graph took an answer: a tool that LangChain runs may still be due.

        Only a gate can know that it has not begun; without one the answer is spent, as it is where there is a
        result.
        """
        told = read_answers(before, others, scene, trusted=True)
        if self._gated:
            due = (one for one in told.approved if one.call_id not in self._results)
            answers.approved.extend(one for one in due if not one.handed_out)
        answers.refused.update(told.refused)
        answers.kept_back.update(told.kept_back)

    async def _spent(
        self, standing: Standing, questions: Mapping[str, list[Interrupt]], answers: Answers
    ) -> frozenset[str]:
        """The calls that were asked about before and have no yes left: none may begin by itself."""
        known = {one.tool_call_id for found in questions.values() for one in found}
        known |= {one.call_id for one in answers.approved}
        left = [one for one in Held.of(standing.messages).dangling if one not in known]
        if not left or not standing.unfinished:
            return frozenset()
        return frozenset(await asked_about(self._thread, standing, left))


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
