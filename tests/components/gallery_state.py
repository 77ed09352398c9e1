"""A state with the vars and events that components read, without a kit behind it."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit.state.views import (
    InterruptView,
    LiveView,
    MessageView,
    NoticeView,
    StepView,
    ThreadView,
    UsageView,
)


class GalleryState(rx.State):
    """What a page shows; nothing happens when a person acts."""

    thread_id: str = ""
    address: str | None = None
    thread_param: str = ""
    revision: int = 0
    messages: list[MessageView] = []
    live: list[LiveView] = []
    earlier: int = 0
    run_status: str = "idle"
    error: NoticeView = NoticeView()
    notice: NoticeView = NoticeView()
    pending_interrupt: InterruptView | None = None
    pending_interrupts: list[InterruptView] = []
    dialog_open: bool = False
    steps: list[StepView] = []
    usage: UsageView = UsageView()
    threads: list[ThreadView] = []
    durable: bool = True
    accepted: int = 0

    @rx.event
    def send_message(self, message: Any): ...

    @rx.event
    def cancel_and_send(self, message: Any): ...

    @rx.event
    def cancel_run(self): ...

    @rx.event
    def retry(self): ...

    @rx.event
    def new_thread(self): ...

    @rx.event
    def open_thread(self, thread_id: Any): ...

    @rx.event
    def load_threads(self): ...

    @rx.event
    def load_earlier(self): ...

    @rx.event
    def attach(self): ...

    @rx.event
    def sync(self, revision: Any): ...

    @rx.event
    def dismiss(self, interrupt_id: Any): ...

    @rx.event
    def review(self, interrupt_id: Any): ...

    @rx.event
    def decide(self, interrupt_id: Any, digest: Any, decision: Any, text: Any): ...

    @rx.event
    def respond_to_interrupt(self, answer: Any, interrupt_id: Any = None): ...
