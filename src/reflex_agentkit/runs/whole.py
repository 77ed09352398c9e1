"""Acts that come to their end although whoever asked for them is gone.

A closed tab or a timeout cancels the task that called. Half an act must not be the result: a decision without
its resume, a run that is stored as begun and that nobody drives.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import logging
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

log = logging.getLogger("reflex_agentkit.runs")

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def whole(
    act: Callable[_Given, Coroutine[Any, Any, _Result]],
) -> Callable[_Given, Coroutine[Any, Any, _Result]]:
    """Run the act in a task of its own, which a cancelled caller leaves behind."""

    @functools.wraps(act)
    async def shielded(*args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
        # In a context of its own: an act must not hold on to the tab that asked for it.
        task = asyncio.create_task(act(*args, **kwargs), context=contextvars.Context())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_told)
            raise

    return shielded


def _told(task: asyncio.Task[Any]) -> None:
    """Nobody waits for this act any more: the log is told where it went wrong."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.warning("an act whose caller was gone ended with %r", error)
