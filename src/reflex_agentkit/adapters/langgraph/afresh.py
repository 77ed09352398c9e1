"""Beginning a graph from its start: behind a conversation in which every call has its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ag_ui.core import Message, RunAgentInput, ToolMessage

from reflex_agentkit.adapters._notice import interruption
from reflex_agentkit.adapters.langgraph.native import Begin
from reflex_agentkit.adapters.langgraph.news import Held, stands_in, words_for
from reflex_agentkit.adapters.langgraph.thread import Standing


class Afresh:
    """What one run's input holds that a graph has to be told. `results` are those of the latest calls."""

    def __init__(self, run_input: RunAgentInput, results: Mapping[str, ToolMessage]) -> None:
        self._input = run_input
        self._results = results
        self._ours = {tool.name for tool in run_input.tools or ()}
        self._given: set[str] = set()
        self._waiting: Sequence[Message] = ()

    def wait_with(self, messages: Sequence[Message]) -> None:
        """Keep messages that came with a pause and were never given: they go before what came since."""
        self._waiting = messages

    def words(self, held: Held) -> list[Message]:
        """What was said that the graph has not been told, and was not given in this run."""
        since = words_for(self._input.messages, held)
        known = {one.id for one in since} | held.messages
        found = [*(one for one in self._waiting if one.id not in known), *since]
        return [one for one in found if one.id not in self._given]

    def since(self, held: Held) -> list[Message]:
        """What was said after the last thing that the graph holds."""
        return words_for(self._input.messages, held)

    def begin(
        self,
        standing: Standing,
        texts: Mapping[str, str] | None = None,
        *,
        change: Mapping[str, Any] | None = None,
        forced: bool = False,
    ) -> Begin | None:
        """What to begin with; `None` where there is nothing to say.

        A result comes from `texts` by call id, else from the conversation; of a call that neither knows,
        nobody knows whether it took effect. `forced`: results alone are a reason to begin; else there must be
        words, or a result that somebody gave.
        """
        held = Held.of(standing.messages)
        said = self.words(held)
        results = {call_id: self._result(call_id, texts or {}) for call_id in held.dangling}
        at_end = [one for call_id, one in results.items() if call_id not in held.passed]
        given = any(self._is_given(one, held) for one in at_end)
        if not (said or given or (forced and at_end)):
            return None
        # Nothing is given twice in one run: a graph that keeps nothing of it would never come to its end.
        self._given.update(one.id for one in (*at_end, *said))
        return Begin(
            messages=[*at_end, *said],
            changed=dict(change or {}),
            cut=standing.unfinished,
            put_in=[one for call_id, one in results.items() if call_id in held.passed],
        )

    def _result(self, call_id: str, texts: Mapping[str, str]) -> ToolMessage:
        if call_id in texts or call_id not in self._results:
            text = texts.get(call_id, interruption())
            return ToolMessage(id=f"told-{call_id}", tool_call_id=call_id, content=text)
        return self._results[call_id]

    def _is_given(self, result: ToolMessage, held: Held) -> bool:
        """Whether a result is news by itself: of a client's tool, or one that does not stand in for one."""
        call_id = result.tool_call_id
        if self._results.get(call_id) is not result or result.id in self._given:
            return False
        return held.dangling[call_id] in self._ours or not stands_in(result)
