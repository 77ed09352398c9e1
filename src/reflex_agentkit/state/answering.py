"""The events by which a person answers. Each argument may be anything: a browser sends what it likes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import reflex as rx

from reflex_agentkit.errors import AgentKitError
from reflex_agentkit.protocol.verdicts import (
    Answer,
    AnswerValue,
    Approve,
    Cancel,
    Outcome,
    Refused,
    Reject,
    Respond,
)
from reflex_agentkit.state.answers import (
    check_value,
    read_approval,
    read_decision,
    read_edited,
    read_extra,
    read_text,
)
from reflex_agentkit.state.declare import AgentStateMeta
from reflex_agentkit.state.sync import ThreadState
from reflex_agentkit.state.views import InterruptView, NoticeView

log = logging.getLogger("reflex_agentkit.state")

MAX_ID = 200
"""Characters of an interrupt's id or digest."""

NEVER_SHOWN = ""
"""Stands for the digest of something that this tab was not shown; no interrupt has it."""


class AnswerState(ThreadState, mixin=True, metaclass=AgentStateMeta):
    """What a person can answer, by our own cards (`decide`) and by an app's renderers (the others)."""

    @rx.event
    async def decide(
        self, interrupt_id: Any = None, digest: Any = None, decision: Any = None, text: Any = None
    ) -> Any:
        """What the buttons of our own cards call. `digest` is what the card showed, `text` what was typed."""
        return await self._answer(
            lambda _: read_decision(decision, text), interrupt_id or "-", digest or NEVER_SHOWN
        )

    @rx.event
    async def respond_to_interrupt(
        self, answer: Any = None, interrupt_id: Any = None, shown: Any = None
    ) -> Any:
        """Give a question its answer, an approval a payload of the answer table."""

        def read(view: InterruptView | None) -> AnswerValue:
            if view is not None and view.kind == "approval":
                return read_approval(answer)
            return Answer(check_value(answer))

        return await self._answer(read, interrupt_id, shown)

    @rx.event
    async def approve(
        self, edited_args: Any = None, interrupt_id: Any = None, extra: Any = None, shown: Any = None
    ) -> Any:
        """Say yes; with `edited_args`, an object or JSON text of all the arguments, "yes, but so"."""
        return await self._answer(
            lambda _: Approve(read_edited(edited_args), read_extra(extra)), interrupt_id, shown
        )

    @rx.event
    async def reject(self, reason: Any = None, interrupt_id: Any = None, shown: Any = None) -> Any:
        """Say no; the model is told the reason, if there is one."""
        return await self._answer(lambda _: Reject(read_text(reason) or None), interrupt_id, shown)

    @rx.event
    async def respond(self, text: Any = None, interrupt_id: Any = None, shown: Any = None) -> Any:
        """Give the tool's result in its place."""
        return await self._answer(lambda _: Respond(read_text(text)), interrupt_id, shown)

    @rx.event
    async def cancel_interrupt(self, interrupt_id: Any = None, shown: Any = None) -> Any:
        """Give no answer: the agent is told that the request was cancelled."""
        return await self._answer(lambda _: Cancel(), interrupt_id, shown)

    @rx.event
    async def dismiss(self, interrupt_id: Any = None) -> Any:
        """Hide the dialog; nothing is decided."""
        current = self.pending_interrupt
        if current is not None and interrupt_id in (None, "", current.id):
            self._dismissed = current.id
            self.dialog_open = False

    @rx.event
    async def review(self, interrupt_id: Any = None) -> Any:
        """Show an open interrupt again, or another one."""
        wanted = interrupt_id or (self.pending_interrupt.id if self.pending_interrupt else "")
        found = next((view for view in self.pending_interrupts if view.id == wanted), None)
        if found is not None:
            self._dismissed = ""
            self._put("pending_interrupt", found)
            self.dialog_open = True

    async def _answer(
        self, read: Callable[[InterruptView | None], AnswerValue], interrupt_id: Any, shown: Any
    ) -> Any:
        """Answer one interrupt of the open thread, and show what came of it."""
        who = await self._enter()
        if who is None:
            return None
        target = self._target(interrupt_id, shown)
        if target is None:
            self._tell(NoticeView(code="changed", text="There is nothing to answer here any more."))
            return await self._pull()
        view = next((view for view in self.pending_interrupts if view.id == target[0]), None)
        try:
            outcome = await self._kit().answer(
                target[0],
                read(view),
                by=who.principal,
                seen=target[1],
                thread_id=self.thread_id,
                agent=await self._own_agent(),
            )
        except AgentKitError as problem:
            self._refuse(problem, target[0])
        else:
            self._tell(_notice(outcome))
        return await self._pull()

    def _target(self, interrupt_id: Any, shown: Any) -> tuple[str, str] | None:
        """What an answer is for, and the digest of what was shown. In doubt of nothing, so it is refused."""
        current = self.pending_interrupt
        if interrupt_id is None:
            return (current.id, current.digest) if current is not None else None
        if not isinstance(interrupt_id, str) or len(interrupt_id) > MAX_ID:
            log.warning("an answer came for %.80r, which is no interrupt's id", interrupt_id)
            return ("-", NEVER_SHOWN)
        if shown is not None:
            return (interrupt_id, shown if isinstance(shown, str) else NEVER_SHOWN)
        view = next((view for view in self.pending_interrupts if view.id == interrupt_id), None)
        return (interrupt_id, view.digest if view is not None else NEVER_SHOWN)


def _notice(outcome: Outcome) -> NoticeView:
    if isinstance(outcome, Refused):
        return NoticeView(
            code=outcome.code, text=outcome.message, path=outcome.path, interrupt_id=outcome.interrupt_id
        )
    return NoticeView()
