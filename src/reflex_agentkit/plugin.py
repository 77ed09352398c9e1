"""`AgentKitPlugin`: the one line in `rxconfig.py`.

    config = rx.Config(app_name="app", plugins=[AgentKitPlugin()])

`rxconfig.py` is imported before any state or component may exist, so this module imports none.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import reflex as rx
from reflex_base.config import get_config

if TYPE_CHECKING:
    from reflex_agentkit.kit import AgentKit

log = logging.getLogger("reflex_agentkit")


class AgentKitPlugin(rx.plugins.Plugin):
    """Opens the live channel in every worker and keeps the kits of all `AgentState` classes running."""

    def post_compile(self, **context: Any) -> None:
        """Called in every worker, before it serves.

        Raises:
            ConfigurationError: an `AgentState` class names no agent.
        """
        from reflex_agentkit.live.channel import Live

        app = context["app"]
        if app.sio is None:
            log.error("reflex_agentkit: this app has no state, so the live channel cannot be opened")
            return
        kits = _kits()
        live = Live(app)
        app.sio.register_namespace(live)
        _warn_of_foreign_pages()

        @asynccontextmanager
        async def agentkit() -> AsyncGenerator[None, None]:
            async with AsyncExitStack() as stack:
                for kit in kits:
                    await stack.enter_async_context(kit)
                stack.push_async_callback(live.close)
                yield

        app.register_lifespan_task(agentkit)


def _kits() -> list[AgentKit]:
    """The kits of all state classes, each once."""
    from reflex_agentkit.state.classes import state_classes
    from reflex_agentkit.state.declare import kit_of

    return list({id(kit): kit for kit in map(kit_of, state_classes())}.values())


def _warn_of_foreign_pages() -> None:
    from reflex.utils.exec import is_prod_mode

    if is_prod_mode() and "*" in tuple(get_config().cors_allowed_origins):
        log.warning(
            "reflex_agentkit: this app accepts websockets from pages of every origin. If your users are "
            "known by a cookie, a foreign page could decide in their name: set cors_allowed_origins in "
            "rxconfig.py to your own address."
        )
