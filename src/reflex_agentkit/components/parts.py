"""The JavaScript components as Reflex components: names and props only."""

from __future__ import annotations

from typing import Any, cast

import reflex as rx

from reflex_agentkit.components.bundle import PARTS_LIBRARY
from reflex_agentkit.components.packages import ALL

# The live message imports this module by its path, so it has to be made known to Reflex too.
from reflex_agentkit.live.channel_asset import CHANNEL_LIBRARY as CHANNEL_LIBRARY

_spec: Any = rx.event.passthrough_event_spec
_TEXT: Any = _spec(str)
_DECISION: Any = _spec(str, str, str, str)
_NOTHING = rx.event.no_args_event_spec


class _Light(rx.Component):
    """What all have in common: one module and its packages."""

    library = PARTS_LIBRARY
    lib_dependencies: list[str] = list(ALL)

    @classmethod
    def create(cls, *children: Any, **props: Any) -> Any:
        """A component with these children and props."""
        parent = cast("Any", super())
        return parent.create(*children, **props)


class _Part(_Light):
    """One that shows words."""

    labels: rx.Var[dict[str, str]]


class Announcer(_Part):
    """A live region that says once that a request waits."""

    tag = "Announcer"
    alias = "AgentKitAnnouncer"
    pending: rx.Var[Any]


class ApprovalCard(_Part):
    """An approval; `on_decide` gets interrupt id, digest, decision and text."""

    tag = "ApprovalCard"
    alias = "AgentKitApprovalCard"
    pending: rx.Var[Any]
    notice: rx.Var[Any]
    on_decide: rx.EventHandler[_DECISION]


class Composer(_Part):
    """Where a person writes; it clears when `accepted` grows."""

    tag = "Composer"
    alias = "AgentKitComposer"
    status: rx.Var[str]
    thread_id: rx.Var[str]
    accepted: rx.Var[int]
    notice: rx.Var[Any]
    placeholder: rx.Var[str]
    on_send: rx.EventHandler[_TEXT]
    on_stop: rx.EventHandler[_NOTHING]
    on_cancel_and_send: rx.EventHandler[_TEXT]


class Decision(_Part):
    """A decision in the transcript."""

    tag = "Decision"
    alias = "AgentKitDecision"
    decision: rx.Var[Any]


class Failed(_Part):
    """Why the last run ended badly, with a way to try again; draws nothing where there is no error."""

    tag = "Failed"
    alias = "AgentKitFailed"
    error: rx.Var[Any]
    on_retry: rx.EventHandler[_NOTHING]
    on_new: rx.EventHandler[_NOTHING]


class Icon(_Light):
    """A sign of `icons.jsx`, by its name there."""

    tag = "Icon"
    alias = "AgentKitIcon"
    name: rx.Var[str]
    size: rx.Var[int]


class LiveMessage(_Part):
    """A message that is being written; its text comes over the live channel."""

    tag = "LiveMessage"
    alias = "AgentKitLiveMessage"
    message_id: rx.Var[str]
    role: rx.Var[str]


class Markdown(_Part):
    """Text with Markdown that cannot act: no raw HTML, no pictures, no hidden link targets."""

    tag = "Markdown"
    alias = "AgentKitMarkdown"
    text: rx.Var[str]
    streaming: rx.Var[bool]


class Meant(_Light):
    """Around a request that the app draws: a click that was on its way before it came does nothing."""

    tag = "Meant"
    alias = "AgentKitMeant"


class NewThread(_Part):
    """The button that begins a conversation."""

    tag = "NewThread"
    alias = "AgentKitNewThread"
    current: rx.Var[str]
    on_new: rx.EventHandler[_NOTHING]


class PauseDialog(_Part):
    """The alert dialog around what is asked; hiding it decides nothing."""

    tag = "PauseDialog"
    alias = "AgentKitPauseDialog"
    open: rx.Var[bool]
    pending: rx.Var[Any]
    on_dismiss: rx.EventHandler[_TEXT]


class Position(_Part):
    """Which of several open requests this is: "2 of 3"."""

    tag = "Position"
    alias = "AgentKitPosition"
    pending: rx.Var[Any]


class QuestionForm(_Part):
    """A question; `on_decide` as with an approval, the text is the answer's JSON."""

    tag = "QuestionForm"
    alias = "AgentKitQuestionForm"
    pending: rx.Var[Any]
    notice: rx.Var[Any]
    on_decide: rx.EventHandler[_DECISION]


class Reasoning(_Part):
    """What the agent thought, folded."""

    tag = "Reasoning"
    alias = "AgentKitReasoning"
    text: rx.Var[str]


class Refusal(_Part):
    """Why something was refused; draws nothing where there is no notice."""

    tag = "Refusal"
    alias = "AgentKitRefusal"
    notice: rx.Var[Any]
    tone: rx.Var[str]


class ThreadList(_Part):
    """The conversations of a person."""

    tag = "ThreadList"
    alias = "AgentKitThreadList"
    threads: rx.Var[Any]
    current: rx.Var[str]
    on_open: rx.EventHandler[_TEXT]
    on_new: rx.EventHandler[_NOTHING]


class ThreadMenu(ThreadList):
    """The same behind a button."""

    tag = "ThreadMenu"
    alias = "AgentKitThreadMenu"
    on_load: rx.EventHandler[_NOTHING]


class ToolCard(_Part):
    """One call of a tool."""

    tag = "ToolCard"
    alias = "AgentKitToolCard"
    call: rx.Var[Any]


class Transcript(_Part):
    """The scrolling part; `on_earlier` asks for older messages."""

    tag = "Transcript"
    alias = "AgentKitTranscript"
    earlier: rx.Var[int]
    on_earlier: rx.EventHandler[_NOTHING]


class Usage(_Part):
    """Tokens so far."""

    tag = "Usage"
    alias = "AgentKitUsage"
    total: rx.Var[int]


class WaitingBar(_Part):
    """The line that brings a hidden request back."""

    tag = "WaitingBar"
    alias = "AgentKitWaitingBar"
    pending: rx.Var[Any]
    on_review: rx.EventHandler[_TEXT]


class Working(_Part):
    """That a run goes on."""

    tag = "Working"
    alias = "AgentKitWorking"
    steps: rx.Var[Any]
    live: rx.Var[int]
