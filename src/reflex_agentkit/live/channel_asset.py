"""The page's end of the live channel: `thread_sync(state)` keeps a state in step with its thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import reflex as rx

CHANNEL_LIBRARY: str = rx.asset("channel.jsx", shared=True).importable_path
"""Where JavaScript of other components imports `useLiveText(id)` from."""


class ThreadSync(rx.NoSSRComponent):
    """Draws nothing: follows the thread of one state and tells the state what to do.

    `channel` is the state's full name, `revision` what the state shows already. `address` is what stands in
    the page's address under `param`: a thread id, an empty text for none, `None` to leave the address alone.
    """

    library = CHANNEL_LIBRARY
    tag = "ThreadSync"
    alias = "AgentKitThreadSync"

    channel: rx.Var[str]
    thread_id: rx.Var[str]
    revision: rx.Var[int]
    address: rx.Var[str | None]
    param: rx.Var[str]
    on_sync: rx.EventHandler[rx.event.passthrough_event_spec(int)]
    on_connect: rx.EventHandler[rx.event.no_args_event_spec]


def thread_sync(state: Any) -> rx.Component:
    """What a page needs once for each `AgentState` class that it shows, wherever on the page."""
    create: Callable[..., rx.Component] = cast("Any", ThreadSync).create
    return create(
        channel=state.get_full_name(),
        thread_id=state.thread_id,
        revision=state.revision,
        address=state.address,
        param=state.thread_param,
        on_sync=state.sync,
        on_connect=state.attach,
    )
