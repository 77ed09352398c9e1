"""`AgentState`: the door between a page and the kit."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

import reflex as rx
from ag_ui.core import Tool

from reflex_agentkit.errors import AgentKitError
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.protocol.verdicts import Answer, Refused
from reflex_agentkit.state.answering import AnswerState
from reflex_agentkit.state.answers import check_value
from reflex_agentkit.state.client_tools import APP
from reflex_agentkit.state.declare import AgentStateMeta
from reflex_agentkit.state.owner import Owner
from reflex_agentkit.state.shared import plain_shared, read_shared
from reflex_agentkit.state.sync import MAX_WINDOW, WINDOW, NoticeView
from reflex_agentkit.state.views import ThreadView

log = logging.getLogger("reflex_agentkit.state")

MAX_MESSAGE = 200_000
"""Characters of a message."""

_CLAIMED: set[str] = set()
"""Interrupts whose client tool runs in this process: two tabs see the same call, and it runs once."""


class AgentState(AnswerState, mixin=True, metaclass=AgentStateMeta):
    """The state of a chat with an agent. Subclass it and name the agent; each subclass has vars of its own.

    Declare one of `agent` (an `AGUIAgent`), `get_agent(self)` (one agent per user) or `kit` (an `AgentKit`
    that is shared with other doors). `shared_state_model` types `shared_state`: a pydantic model, a TypedDict
    or a dataclass with a default for every field. `get_user(self)` names the person, who owns their threads.
    `thread_param` is the query parameter of the page's address that holds the thread's id; give it another
    name on the second of two states on one page, or "" for none.

    A page needs `live.channel_asset.thread_sync(state)` once; `agent_chat` has it.
    """

    @rx.event
    async def attach(self) -> Any:
        """Open the thread that the address names, else the latest; the page calls it when it (re)connects."""
        who = await self._owner()
        if who is None:
            await self._enter()
            return None
        await self._open_address(who)
        return await self._pull_granted()

    @rx.event
    async def sync(self, revision: Any = None) -> Any:  # noqa: ARG002 - what the page has seen proves nothing
        """Pull what is new; the page calls it when the channel says that the thread changed."""
        if not self.thread_id or await self._enter() is None:
            return None
        if (await self._kit().conversation(self.thread_id)).revision == self.revision:
            return None
        return await self._pull()

    @rx.event
    async def send_message(self, message: Any = None) -> Any:
        """Say something: a text, or a form's data with `text` or `message`."""
        return await self._say(message, self._kit().send)

    @rx.event
    async def cancel_and_send(self, message: Any = None) -> Any:
        """Cancel what is open and say something instead."""

        async def send(*args: Any, **options: Any) -> str:
            owner = await self._owner()
            return await self._kit().cancel_and_send(*args, by=cast("Owner", owner).principal, **options)

        return await self._say(message, send)

    @rx.event
    async def cancel_run(self) -> Any:
        """Stop the run; while it waits, reject the approvals and cancel the questions."""
        return await self._act(lambda who: self._kit().cancel(self.thread_id, by=who.principal))

    @rx.event
    async def retry(self) -> Any:
        """Run again what ended badly."""

        async def again(_: Owner) -> None:
            await self._kit().retry(self.thread_id, agent=await self._own_agent())

        return await self._act(again)

    @rx.event
    async def set_shared_state(self, value: Any = None) -> Any:
        """Replace the shared state; the agent gets it with the next run."""

        async def replace(who: Owner) -> None:
            plain = check_value(plain_shared(read_shared(self.shared_state_model, value)))
            await self._kit().set_state(self.thread_id, plain, user=who.user or None)
            self._begun()

        return await self._act(replace)

    @rx.event
    async def new_thread(self) -> Any:
        """Turn to a new conversation; it is kept once something is said in it."""
        who = await self._owner()
        if who is not None:
            self._show_thread("", who)
            return await self._pull_granted()
        return None

    @rx.event
    async def open_thread(self, thread_id: Any = None) -> Any:
        """Turn to another conversation of this person."""
        who = await self._owner()
        if who is not None:
            await self._open(thread_id if isinstance(thread_id, str) else "", who)
            return await self._pull_granted()
        return None

    @rx.event
    async def load_threads(self) -> Any:
        """Fill `threads` with this person's conversations, the latest first."""
        who = await self._owner()
        if who is not None:
            self.threads = [
                ThreadView(id=one.id, title=one.title, updated_at=one.updated_at.isoformat())
                for one in await self._kit().threads(who.user)
            ]

    @rx.event
    async def load_earlier(self) -> Any:
        """Show older messages too."""
        if self.thread_id and await self._enter() is not None:
            self._window = min(self._window + WINDOW, MAX_WINDOW)
            return await self._pull()
        return None

    @rx.event
    async def run_client_tools(self) -> Any:
        """Run the client tools that the agent waits for. A browser that calls this runs nothing else."""
        who = await self._enter()
        if who is None:
            return None
        tools, ran = self._client_tools(), False
        for one in await self._kit().pending(self.thread_id):
            tool = tools.get(one.tool_name or "")
            if tool is None or tool.ask or not one.metadata.get("client_tool") or one.id in _CLAIMED:
                continue
            _CLAIMED.add(one.id)
            try:
                # Looked at again: while an earlier call ran here, another tab may have run this one.
                if any(one.id == still.id for still in await self._kit().pending(self.thread_id)):
                    ran = True
                    await self._give(one, await tool.run(self, one))
            finally:
                _CLAIMED.discard(one.id)
        more = await self._pull()
        # What another tab runs at the moment is waited for by the channel, not by asking again at once.
        return more if ran else None

    async def _give(self, call: PendingInterrupt, result: Any) -> None:
        """Give a client tool's result. It ran, so where its result cannot be given the agent is told that."""
        given = Answer(result)
        for _ in range(2):
            outcome = await self._kit().answer(
                call.id, given, by=APP, thread_id=self.thread_id, agent=await self._own_agent()
            )
            if not isinstance(outcome, Refused) or outcome.code != "invalid_answer":
                return
            log.error("the result of client tool %r cannot be given: %s", call.tool_name, outcome.message)
            given = Answer(f"Error: {call.tool_name} ran, but its result cannot be given: {outcome.message}")

    async def _say(self, message: Any, send: Callable[..., Awaitable[str]]) -> Any:
        text = _text_of(message)

        async def say(who: Owner) -> None:
            tools, asking = self._tools()
            await send(
                self.thread_id,
                text,
                user=who.user or None,
                agent=await self._own_agent(),
                tools=tools,
                asking=asking,
            )
            self._begun()
            self.accepted += 1

        if isinstance(text, NoticeView):
            self._tell(text)
            return None
        return await self._act(say)

    async def _act(self, act: Callable[[Owner], Awaitable[None]]) -> Any:
        """Do something in the open thread, if it is theirs, and show what came of it."""
        who = await self._enter()
        if who is None:
            return None
        self._tell(NoticeView())
        try:
            await act(who)
        except AgentKitError as problem:
            self._refuse(problem)
        return await self._pull_granted()

    async def _pull_granted(self) -> Any:
        self._grant()
        return await self._pull()

    def _begun(self) -> None:
        """The thread exists now, so the address may name it."""
        self._fresh = False
        self._put("address", self.thread_id)

    def _tools(self) -> tuple[list[Tool], list[str]]:
        tools = self._client_tools().values()
        return [one.tool() for one in tools], [one.name for one in tools if one.ask]


def _text_of(message: object) -> str | NoticeView:
    """The text of a message, or why there is none."""
    if isinstance(message, dict):
        form = cast("dict[object, object]", message)
        message = form.get("text", form.get("message"))
    if not isinstance(message, str) or not message.strip():
        return NoticeView(code="empty", text="Write something first.")
    if len(message) > MAX_MESSAGE:
        return NoticeView(
            code="too_long",
            text=f"The message is {len(message):,} characters long; at most {MAX_MESSAGE:,} can be sent.",
        )
    return message
