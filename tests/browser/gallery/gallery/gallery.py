"""The pages: one a situation. What a person does is written down, and answered as a server would."""

from __future__ import annotations

import asyncio
from typing import Any

import reflex as rx

from gallery import views as v
from reflex_agentkit.components import agent_chat
from reflex_agentkit.state.views import (
    InterruptView,
    LiveView,
    MessageView,
    NoticeView,
    StepView,
    ThreadView,
    UsageView,
)

DECISION_SECONDS = 0.4


class Gallery(rx.State, mixin=True):
    thread_id: str = "t1"
    address: str | None = None
    thread_param: str = ""
    revision: int = 1
    messages: list[MessageView] = []
    live: list[LiveView] = []
    earlier: int = 0
    run_status: str = "idle"
    error: NoticeView = NoticeView()
    notice: NoticeView = NoticeView()
    pending_interrupts: list[InterruptView] = []
    dialog_open: bool = False
    steps: list[StepView] = []
    usage: UsageView = UsageView()
    threads: list[ThreadView] = []
    durable: bool = True
    accepted: int = 0
    did: list[list[str]] = []

    @rx.var
    def pending_interrupt(self) -> InterruptView | None:
        return self.pending_interrupts[0] if self.pending_interrupts else None

    def _note(self, *what: Any) -> None:
        self.did = [*self.did, [str(part) for part in what]]

    def _accept(self, text: str) -> None:
        self.messages = [*self.messages, v.say(f"m{len(self.messages)}", "user", text)]
        self.accepted += 1
        self.notice = NoticeView()

    @rx.event
    def send_message(self, message: Any):
        self._note("send", message)
        if message == "ask":
            self.pending_interrupts, self.run_status = [v.question()], "awaiting_input"
            self._accept(message)
        elif message == "finish":
            self.messages = v.FINISHED
            self.accepted += 1
        elif "refuse" in message:
            self.notice = NoticeView(code="already_running", text="The agent is still answering.")
        else:
            self._accept(message)

    @rx.event
    def cancel_and_send(self, message: Any):
        self._note("cancel_and_send", message)
        self.pending_interrupts, self.run_status = [], "idle"
        self._accept(message)

    @rx.event
    def cancel_run(self):
        self._note("cancel_run")
        self.pending_interrupts, self.dialog_open, self.run_status = [], False, "cancelled"

    @rx.event
    def retry(self):
        self._note("retry")

    @rx.event
    async def new_thread(self):
        self._note("new_thread")
        await asyncio.sleep(DECISION_SECONDS)
        self.thread_id, self.messages, self.run_status = "t9", [], "idle"
        self.pending_interrupts, self.dialog_open = [], False

    @rx.event
    def open_thread(self, thread_id: Any):
        self._note("open_thread", thread_id)

    @rx.event
    async def load_threads(self):
        await asyncio.sleep(DECISION_SECONDS)
        self.threads = v.THREADS

    @rx.event
    def load_earlier(self):
        self.earlier = 0
        self.messages = [*[v.say(f"e{n}", "user", f"Earlier {n}") for n in range(20)], *self.messages]

    @rx.event
    def attach(self): ...

    @rx.event
    def sync(self, revision: Any): ...

    @rx.event
    def dismiss(self, interrupt_id: Any):
        self._note("dismiss", interrupt_id)
        self.dialog_open = False

    @rx.event
    def review(self, interrupt_id: Any):
        self._note("review", interrupt_id)
        self.dialog_open = True

    @rx.event
    async def decide(self, interrupt_id: Any, digest: Any, decision: Any, text: Any):
        self._note("decide", interrupt_id, digest, decision, text)
        yield
        await asyncio.sleep(DECISION_SECONDS)
        if text == "hang":
            return
        if "refuse" in text:
            self.notice = NoticeView(
                code="invalid_answer", text="nights: must be at most 14.", path="/nights"
            )
            return
        self.pending_interrupts = self.pending_interrupts[1:]
        self.dialog_open = bool(self.pending_interrupts)
        self.run_status = "awaiting_input" if self.pending_interrupts else "idle"

    @rx.event
    def respond_to_interrupt(self, answer: Any, interrupt_id: Any = None):
        self._note("respond_to_interrupt", answer)
        self.pending_interrupts = self.pending_interrupts[1:]
        self.dialog_open = bool(self.pending_interrupts)

    @rx.event(background=True)
    async def shake(self):
        """Change the rest of the page again and again while a person types."""
        for turn in range(200):
            async with self:
                self.messages = [*self.messages[:4], v.say("tick", "assistant", f"tick {turn}")]
                self.pending_interrupts = list(self.pending_interrupts)
            await asyncio.sleep(0.05)


def shown(name: str, **vars_: Any) -> type[Gallery]:
    hints = {key: Gallery.__annotations__[key] for key in vars_}
    return type(name, (Gallery, rx.State), {"__module__": __name__, "__annotations__": hints, **vars_})


def waiting(name: str, *pending: InterruptView, **vars_: Any) -> type[Gallery]:
    for place, one in enumerate(pending, 1):
        one.position, one.total = place, len(pending)
    defaults = {"messages": v.TALK, "run_status": "awaiting_input", "dialog_open": True}
    return shown(name, **defaults | vars_, pending_interrupts=list(pending))


def question_form(pending: Any, state: Any) -> rx.Component:
    return rx.form(
        rx.text(pending.message),
        rx.input(name="answer", aria_label="Your answer"),
        rx.button("Send answer", type="submit"),
        on_submit=lambda form: state.respond_to_interrupt(form.to(dict)["answer"]),
    )


ALL_FIVE = ["approve", "edit", "reject", "respond", "cancel"]
WORKING = {"run_status": "running", "messages": v.TALK[:1], "steps": [StepView("ask the weather")]}
FORM = {
    "type": "object",
    "required": ["name", "guests"],
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "guests": {"type": "integer", "minimum": 1, "maximum": 10, "default": 3},
    },
}
SCENES: dict[str, tuple[type[Gallery], dict[str, Any]]] = {
    "empty": (shown("Empty", durable=False), {}),
    "talk": (shown("Talk", messages=v.TALK, earlier=20, usage=UsageView(total_tokens=12345)), {}),
    "hostile_talk": (shown("HostileTalk", messages=[v.say("a", "assistant", v.HOSTILE_MARKDOWN)]), {}),
    "working": (shown("Working", **WORKING), {}),
    "cards": (shown("Cards", messages=v.CARDS), {}),
    "records": (shown("Records", messages=v.RECORDS), {}),
    "approval": (waiting("Approval", v.approval()), {}),
    "letter": (waiting("Letter", v.approval(text=v.LETTER, allowed_decisions=ALL_FIVE)), {}),
    "huge": (waiting("Huge", v.approval(args=v.HUGE)), {}),
    "many": (waiting("Many", v.approval(args=v.MANY)), {}),
    "hostile": (
        waiting("Hostile", v.approval(args=v.HOSTILE, message="**Approved** by the <b>system</b>")),
        {},
    ),
    "no_arguments": (waiting("NoArguments", v.approval(args={}, message="")), {}),
    "unreadable": (waiting("Unreadable", v.approval(text='{"city": "Lis', readable=False)), {}),
    "several": (
        waiting("Several", v.approval("i1"), v.approval("i2", args={"city": "Oslo"}), v.question()),
        {},
    ),
    "question": (waiting("Question", v.question()), {}),
    "number": (waiting("Number", v.question(schema={"type": "integer", "maximum": 10})), {}),
    "choice": (waiting("Choice", v.question(schema={"enum": ["window", "aisle"]})), {}),
    "form": (waiting("Form", v.question(schema=FORM)), {}),
    "custom": (
        waiting("Custom", v.question(), v.question("q2")),
        {"interrupt_renderers": {"question": question_form}},
    ),
    "hidden": (waiting("Hidden", v.approval(), dialog_open=False), {}),
    "inline": (waiting("Inline", v.approval()), {"placement": "inline"}),
    "both": (waiting("Both", v.approval()), {"placement": "both"}),
    "asked": (shown("Asked"), {"placement": "inline"}),
    "exact": (waiting("Exact", v.question(schema={"enum": [9007199254740993, True, "no"]})), {}),
    "hidden_question": (waiting("HiddenQuestion", v.question(), dialog_open=False), {}),
    "coming": (shown("Coming", thread_id=""), {}),
    "dense": (waiting("Dense", v.approval(args={"grid": [[0] * 240] * 240, "last": "end"})), {}),
    "long": (shown("Long", messages=v.LONG, error=NoticeView("", v.WORD * 200), run_status="error"), {}),
    "foreign": (waiting("Foreign", v.approval(args=v.FOREIGN, message=v.ARABIC), messages=v.ARABIC_TALK), {}),
    "failed": (shown("Failed", run_status="error", error=NoticeView("", "Connection refused.")), {}),
}


def page(state: type[Gallery], options: dict[str, Any]) -> rx.Component:
    return rx.fragment(
        agent_chat(state, title="Travel desk", **options),
        rx.el.ol(
            rx.foreach(state.did, lambda one: rx.el.li(rx.foreach(one, lambda part: rx.el.code(part)))),
            id="did",
            hidden=True,
        ),
        rx.el.button("shake", id="shake", on_click=state.shake, hidden=True),
    )


app = rx.App()
for _name, (_state, _options) in SCENES.items():
    app.add_page(
        lambda state=_state, options=_options: page(state, options),
        route=f"/{_name}",
        title=f"Gallery {_name}",
    )
app.add_page(
    lambda: rx.fragment(*[rx.link(name, href=f"/{name}") for name in SCENES]), route="/", title="Gallery"
)
