"""A page without a browser: tabs that send events through Reflex's own processor."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any
from urllib.parse import urlencode

os.environ.setdefault(
    "REFLEX_BACKEND_ONLY", "true"
)  # rx.asset must not link files into the working directory

import reflex as rx
from reflex_base.event import Event
from reflex_base.event.processor import BaseStateEventProcessor

from reflex_agentkit import AgentState


async def _nothing(_root: Any) -> None:
    """Rehydrating would ask a registered app for its pages."""


class Page:
    """Tabs of one app. `address` is a tab's query; `sent` holds the vars that a tab was sent, newest last."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []
        self.sent: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.address: dict[str, dict[str, str]] = defaultdict(dict)
        self._processor = BaseStateEventProcessor(
            backend_exception_handler=lambda error: self.errors.append(error), graceful_shutdown_timeout=1
        )

    async def __aenter__(self) -> Page:
        self._processor.configure(event_namespace=self)
        self._processor._rehydrate = _nothing
        await self._processor.__aenter__()
        return self

    async def __aexit__(self, *reason: Any) -> None:
        await self._processor.__aexit__(*reason)

    async def emit_update(self, update: Any, token: str) -> None:
        """What the processor sends to a tab."""
        if update.delta:
            self.sent[token].append(update.delta)

    async def fire(self, spec: Any, tab: str = "tab-1") -> None:
        """A tab sends an event; comes back when all that follows from it is done."""
        query = self.address[tab]
        path = f"/?{urlencode(query)}" if query else "/"
        router = {"pathname": "/", "asPath": path, "query": query, "token": tab, "headers": {}}
        router |= {"ip": "127.0.0.1", "session_id": f"sid-{tab}"}
        for event in Event.from_event_type(spec, router_data=router):
            await (await self._processor.enqueue(tab, event)).wait_all()
        if self.errors:
            raise self.errors[0]

    async def show(self, state_class: type[AgentState], tab: str = "tab-1") -> Any:
        """The vars of a tab as they are now."""
        token = rx.BaseStateToken(ident=tab, cls=state_class)
        root = await self._processor._root_context.state_manager.get_state(token)
        return await root.get_state(state_class)

    def vars_sent(self, state_class: type[AgentState], tab: str = "tab-1") -> set[str]:
        """The names of the vars that a tab was sent since the last look."""
        name = state_class.get_full_name()
        found = {key.removesuffix("_rx_state_") for delta in self.sent[tab] for key in delta.get(name, {})}
        self.sent[tab].clear()
        return found
