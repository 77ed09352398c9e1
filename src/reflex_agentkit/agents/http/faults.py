"""What can go wrong between us and a remote agent, in words, and whether its run may have begun."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, cast

import httpx

from reflex_agentkit.agents.http.endpoint import shown
from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text

MAX_PAGE: Final = 64 * 1024
"""Bytes of an error page that are looked at."""

MAX_DETAIL: Final = 300
"""Characters of an error page that are shown."""


PAGE_SECONDS: Final = 5.0
"""How long an error page may take to come."""


class RemoteFaultError(Exception):
    """A run went wrong on the way; it becomes the run's RUN_ERROR.

    `code` is stable: `unreachable`, `refused`, `remote_error`, `not_agui`, `broken_off`, `silent` or
    `several_legacy`. `unseen` says that the remote agent cannot have begun with the run.
    """

    def __init__(self, code: str, message: str, *, unseen: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.unseen = unseen


def of_transport(error: httpx.HTTPError, where: str, *, answered: bool) -> RemoteFaultError:
    """A connection that failed; `answered` says that an answer had begun."""
    said = str(error) or type(error).__name__
    match error:
        case httpx.ConnectError() | httpx.ConnectTimeout() | httpx.PoolTimeout() | httpx.ProxyError():
            why = "it took too long to connect" if isinstance(error, httpx.TimeoutException) else said
            message = f"The agent at {where} could not be reached: {why}. Nothing was sent."
            return RemoteFaultError("unreachable", message, unseen=True)
        case httpx.ReadTimeout() | httpx.WriteTimeout():
            message = f"The agent at {where} was silent for too long; the connection was closed."
            return RemoteFaultError("silent", message)
        case httpx.LocalProtocolError():
            # What it says holds the value, which may be a secret.
            message = f"The request to {where} is not valid HTTP; look at the headers of the client."
            return RemoteFaultError("broken_off", message)
        case httpx.DecodingError():
            return RemoteFaultError("not_agui", f"What {where} sent could not be unpacked: {said}.")
        case _ if answered:
            message = f"The connection to {where} broke off in the middle of the answer: {said}."
            return RemoteFaultError("broken_off", message)
        case _:
            message = f"The connection to {where} broke off before an answer came: {said}."
            return RemoteFaultError("broken_off", message)


async def of_response(response: httpx.Response, where: str) -> RemoteFaultError:
    """An answer that is no event stream: a status that refuses, or a page of some other kind."""
    status, kind = response.status_code, content_type(response)
    named = f"{status} {response.reason_phrase}".strip()
    if response.is_success:
        what = kind or "something without a content type"
        return RemoteFaultError(
            "not_agui",
            f"{where} answered {named} with {what}, not with an event stream (text/event-stream). "
            "Is it the address of an AG-UI endpoint?",
        )
    detail = await _detail(response, kind)
    said = f"The agent at {where} refused the request with {named}{detail}"
    if status >= 500:
        # A gateway answers like this too, when the agent behind it is at work.
        return RemoteFaultError("remote_error", said.replace("refused the request", "answered"))
    return RemoteFaultError("refused", f"{said} The run did not begin.", unseen=True)


def of_redirect(status: int, url: httpx.URL, target: httpx.URL) -> RemoteFaultError:
    """A redirect that is not followed."""
    return RemoteFaultError(
        "refused",
        f"{shown(url)} sends on to {shown(target)} (status {status}). Credentials and answers go to no "
        "address that was not named: give HttpAgent that address if it is the right one.",
        unseen=True,
    )


def content_type(response: httpx.Response) -> str:
    """The media type of an answer, without its parameters."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _detail(response: httpx.Response, kind: str) -> str:
    """What an error page says, in one short line; nothing of a page that is made for a browser."""
    if "html" in kind:
        return " and an HTML page."
    page = bytearray()
    with suppress(httpx.HTTPError, TimeoutError):
        async with asyncio.timeout(PAGE_SECONDS):
            async for piece in response.aiter_bytes():
                page += piece
                if len(page) >= MAX_PAGE:
                    break
    text = bytes(page[:MAX_PAGE]).decode("utf-8", errors="replace")
    if "json" in kind:
        with suppress(InvalidJSONError):
            text = "; ".join(_said(json_text.read(text))) or text
    line = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    if not line:
        return "."
    return f": {line if len(line) <= MAX_DETAIL else line[:MAX_DETAIL] + ' [...]'}."


def _said(value: Any) -> Iterator[str]:
    """The sentences in an error object, in the shapes that servers commonly give."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in cast("list[Any]", value)[:3]:
            yield from _said(item)
    elif isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        place = found.get("loc")
        if isinstance(place, list) and isinstance(found.get("msg"), str):
            yield f"{'.'.join(str(part) for part in cast('list[Any]', place))}: {found['msg']}"
            return
        for name in ("detail", "message", "error", "title", "msg"):
            if found.get(name):
                yield from _said(found[name])
                return
