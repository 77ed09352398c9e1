"""The pull: a thread of the kit becomes the vars of one tab. A tab is a copy; the kit has the truth."""

from __future__ import annotations

import inspect
import logging
from dataclasses import replace
from typing import Any, ClassVar, cast

import reflex as rx

from reflex_agentkit.errors import InvalidAnswerError, RefusedError, StoreError
from reflex_agentkit.ids import RandomIds
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.live.grants import GRANTS
from reflex_agentkit.live.room import live_id
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.records.principal import LOCAL_USER
from reflex_agentkit.state.client_tools import ClientTool, client_tools
from reflex_agentkit.state.declare import (
    AgentStateMeta,
    OwnKit,
    bind_answers,
    declared_mixin,
    drop_setters,
    has_own_agents,
    kit_of,
)
from reflex_agentkit.state.owner import Owner, owner
from reflex_agentkit.state.present import (
    error_view,
    interrupt_views,
    step_views,
    transcript,
    usage_view,
)
from reflex_agentkit.state.shared import read_shared
from reflex_agentkit.state.views import (
    InterruptView,
    LiveView,
    MessageView,
    NoticeView,
    StepView,
    ThreadView,
    UsageView,
)

log = logging.getLogger("reflex_agentkit.state")

WINDOW = 50
"""Messages that a tab is sent at first, and that `load_earlier` adds. A list var is always sent whole."""

MAX_WINDOW = 2_000
"""Messages that a tab can hold at most."""

NOT_HERE = "That conversation is not here (any more). This is a new one."
NO_CHANNEL = (
    "reflex_agentkit: the live channel is not open, so pages do not see what happens. "
    "Add AgentKitPlugin() to the plugins in rxconfig.py."
)
_SAID: set[str] = set()
"""What was logged already and is not worth saying twice."""

NOT_SIGNED_IN = "Sign in to use this conversation."


class ThreadState(rx.State, mixin=True, metaclass=AgentStateMeta):
    """The vars of a tab and how they are filled. `AgentState` adds what a person can do."""

    agent: ClassVar[Any] = None
    kit: ClassVar[Any] = OwnKit()
    shared_state_model: ClassVar[Any] = None
    thread_param: ClassVar[str] = "thread"
    __agentkit_base__ = True

    thread_id: str = ""
    address: str | None = None
    revision: int = -1
    messages: list[MessageView] = []
    live: list[LiveView] = []
    earlier: int = 0
    run_status: str = "idle"
    error: NoticeView = NoticeView()
    notice: NoticeView = NoticeView()
    pending_interrupt: InterruptView | None = None
    pending_interrupts: list[InterruptView] = []
    dialog_open: bool = False
    shared_state: dict[str, Any] = {}
    steps: list[StepView] = []
    usage: UsageView = UsageView()
    threads: list[ThreadView] = []
    durable: bool = True
    accepted: int = 0

    _window: int = WINDOW
    _dismissed: str = ""
    _user: str | None = None
    _fresh: bool = True

    def __init_subclass__(cls, **options: Any) -> None:
        # Reflex takes a class whose bases are all mixins for a mixin; here only one that says so is.
        mixin = declared_mixin(cls)
        type.__setattr__(cls, "_mixin", mixin)
        super().__init_subclass__(**options)  # pyright: ignore[reportUnknownMemberType]
        if not mixin:
            drop_setters(cls, ThreadState.__annotations__)
            bind_answers(cls)

    def get_user(self) -> Any:
        """Who uses this page: a text, a `Principal`, or `None` for nobody. It may be async."""
        return LOCAL_USER

    def get_agent(self) -> Any:
        """The agent for this person, where each has one of their own. It may be async."""
        return None

    # The handlers below are private: every public method of a state can be called by any browser.

    @classmethod
    def _kit(cls) -> AgentKit:
        return kit_of(cls)

    @classmethod
    def _client_tools(cls) -> dict[str, ClientTool]:
        return client_tools(cls)

    async def _owner(self) -> Owner | None:
        named = self.get_user()
        return owner(await named if inspect.isawaitable(named) else named, type(self).__name__)

    async def _own_agent(self) -> Any:
        if not has_own_agents(type(self)):
            return None
        made = self.get_agent()
        return await made if inspect.isawaitable(made) else made

    async def _enter(self) -> Owner | None:
        """Who acts, if the thread that this tab has open is theirs; else say so and open another."""
        who = await self._owner()
        if who is None:
            self._leave(NoticeView(code="not_signed_in", text=NOT_SIGNED_IN))
            return None
        if not self.thread_id:
            await self._open_address(who)
        elif self._user != who.user:
            # Somebody else sits here now: what was shown, and what they answered, belonged to another.
            await self._open_default(who)
            self._grant()
            self._tell(NoticeView(code="unknown_thread", text=NOT_HERE))
            return None
        return who

    async def _open_address(self, who: Owner) -> None:
        """Open what the page's address names, or the latest thread."""
        wanted = self.router.url.query_parameters.get(self.thread_param, "") if self.thread_param else ""
        if wanted:
            await self._open(wanted, who)
        elif not (self._fresh and self.thread_id and self._user == who.user):
            await self._open_default(who)

    async def _open_default(self, who: Owner) -> None:
        theirs = await self._kit().threads(who.user)
        self._show_thread(theirs[0].id if theirs else "", who)

    async def _open(self, thread_id: str, who: Owner) -> None:
        """Open a thread that is theirs. Another's is as unknown as one that never was."""
        record = await self._kit().thread(thread_id)
        if record is not None and who.owns(record.user):
            if self.thread_id != thread_id or self._user != who.user:
                self._show_thread(thread_id, who)
            return
        log.warning(
            "%r asked for thread %.80r, which is not theirs or is not there", who.principal.id, thread_id
        )
        self._show_thread("", who)
        self._tell(NoticeView(code="unknown_thread", text=NOT_HERE))

    def _show_thread(self, thread_id: str, who: Owner) -> None:
        """Turn to a thread; without an id, to a new one that exists once something is said in it."""
        self._clear()
        if self._user != who.user:
            self.threads = []
        self._fresh = not thread_id
        self._user = who.user
        self.thread_id = thread_id or RandomIds().new("thread")
        self.address = thread_id

    def _leave(self, notice: NoticeView) -> None:
        self._clear()
        self._user, self._fresh, self.thread_id, self.threads = None, True, "", []
        self._tell(notice)
        GRANTS.revoke(self._token(), self.get_full_name(), self._kit())

    def _clear(self) -> None:
        self.messages, self.live, self.earlier = [], [], 0
        self.pending_interrupt, self.pending_interrupts, self.dialog_open = None, [], False
        self.error, self.run_status = NoticeView(), "idle"
        self._tell(NoticeView())
        self.steps, self.usage = [], UsageView()
        self.shared_state = self._fresh_shared()
        self._window, self._dismissed, self.revision = WINDOW, "", -1

    def _fresh_shared(self) -> Any:
        return read_shared(self.shared_state_model, None)

    def _grant(self) -> None:
        if not GRANTS.heard and NO_CHANNEL not in _SAID:
            _SAID.add(NO_CHANNEL)
            log.error(NO_CHANNEL)
        GRANTS.grant(self._token(), self.get_full_name(), self.thread_id, self._kit())

    def _token(self) -> str:
        return self.router.session.client_token

    async def _pull(self) -> Any:
        """Copy the thread into the vars. Gives the event that runs waiting client tools, if there are any."""
        kit = self._kit()
        conversation = await kit.conversation(self.thread_id)
        pending = await kit.pending(self.thread_id)
        self._put("durable", kit.durable)
        shown = transcript(
            conversation,
            window=self._window,
            live_prefix=live_id(self.get_full_name(), self.thread_id, ""),
        )
        self._put("messages", shown.messages)
        self._put("live", shown.live)
        self._put("earlier", shown.earlier)
        self._put("run_status", conversation.run_status)
        self._put("error", error_view(conversation))
        self._put("steps", step_views(conversation))
        self._put("usage", usage_view(conversation))
        if not self._fresh:
            self._pull_shared(conversation.state)
        self._put("revision", conversation.revision)
        tools = self._client_tools()
        for_people = [one for one in pending if not _for_app(one, tools)]
        self._show_pending(interrupt_views(for_people))
        # `AgentState` has the event that runs the app's own tools; this mixin only fills the vars.
        return cast("Any", type(self)).run_client_tools if len(for_people) < len(pending) else None

    def _pull_shared(self, value: Any) -> None:
        try:
            self._put("shared_state", read_shared(self.shared_state_model, value))
        except InvalidAnswerError as problem:
            log.warning("thread %r: the agent's state was not shown. %s", self.thread_id, problem)

    def _show_pending(self, views: list[InterruptView]) -> None:
        """What is open, and the one to show: the one on the screen stays there until it is decided."""
        self._put("pending_interrupts", views)
        current = self.pending_interrupt.id if self.pending_interrupt else ""
        shown = next((view for view in views if view.id == current), views[0] if views else None)
        self._put("pending_interrupt", shown)
        self._put("dialog_open", shown is not None and shown.id != self._dismissed)

    def _put(self, name: str, value: Any) -> None:
        """Set a var if it differs: a var that is set is sent."""
        if getattr(self, name) != value:
            setattr(self, name, value)

    def _tell(self, notice: NoticeView) -> None:
        """Say something to the person; an empty notice takes back what was said."""
        self.notice = replace(notice, number=self.notice.number + 1)

    def _refuse(self, problem: Exception, interrupt_id: str = "") -> None:
        """Say to the person why nothing happened."""
        match problem:
            case InvalidAnswerError():
                notice = NoticeView(code=problem.code, text=str(problem), path=problem.path)
            case RefusedError():
                notice = NoticeView(code=problem.code, text=str(problem))
            case StoreError():
                log.error("a change of thread %r could not be stored", self.thread_id, exc_info=problem)
                notice = NoticeView(
                    code="not_stored",
                    text="This could not be saved, so nothing was changed. Try again in a moment.",
                )
            case _:
                raise problem
        self._tell(replace(notice, interrupt_id=interrupt_id))


def _for_app(pending: PendingInterrupt, tools: dict[str, ClientTool]) -> bool:
    """Whether the app's own code answers this: a call of a client tool that no person is asked about."""
    tool = tools.get(pending.tool_name or "")
    return tool is not None and not tool.ask and bool(pending.metadata.get("client_tool"))
