"""One request and its answer: sent at most once, to one origin only."""

from __future__ import annotations

import asyncio
import functools
import logging
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

import httpx

from reflex_agentkit.agents.http.endpoint import Endpoint, origin
from reflex_agentkit.agents.http.faults import (
    RemoteFaultError,
    content_type,
    of_redirect,
    of_response,
    of_transport,
)

log = logging.getLogger("reflex_agentkit.agents.http")

CONNECT_TRIES: Final = 2
"""How often a connection is tried for a run that carries no answers, before anything was sent."""

MAX_REDIRECTS: Final = 3

_KEEP_METHOD: Final = (307, 308)
"""Redirects after which the same request goes to the new place; the others make a GET of it."""


class Body(httpx.AsyncByteStream):
    """The request's body. `leaving` is awaited just before its first byte leaves, once."""

    def __init__(self, text: str, leaving: Callable[[], Awaitable[None]]) -> None:
        self._bytes = text.encode()
        self._leaving = leaving
        self.left = False

    @property
    def size(self) -> int:
        return len(self._bytes)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if not self.left:
            # Only now: where the connection failed nothing was sent, and the answers still stand.
            await self._leaving()
            self.left = True
        yield self._bytes


async def own_client() -> httpx.AsyncClient:
    """A client for one run. Reading the certificates takes long, so it is done once, and beside the loop."""
    return httpx.AsyncClient(verify=await asyncio.to_thread(_trusted))


@functools.cache
def _trusted() -> ssl.SSLContext:
    return httpx.create_ssl_context()


@asynccontextmanager
async def answer_to(
    body: Body, endpoint: Endpoint, client: httpx.AsyncClient, *, tries: int
) -> AsyncGenerator[httpx.Response]:
    """The answer to one request: an event stream that has begun. It is closed with the block.

    The request is sent once; `tries` counts the connections that are tried before. A redirect is followed
    inside the origin only.

    Raises:
        RemoteFaultError: there is no such answer.
        ConfigurationError: the function for the headers gave something wrong.
    """
    headers = {
        "Accept": "text/event-stream",
        "Cache-Control": "no-store",
        "Content-Length": str(body.size),
        "Content-Type": "application/json",
        **await endpoint.fresh_headers(),
    }
    url = endpoint.url
    for _ in range(MAX_REDIRECTS + 1):
        request = client.build_request("POST", url, headers=headers, content=body, timeout=endpoint.timeout)
        _only_named_cookies(request, {**client.headers, **httpx.Headers(headers)})
        response = await _sent(client, request, endpoint.shown, tries)
        try:
            target = _redirected(response, url)
            if target is None:
                if not response.is_success or content_type(response) != "text/event-stream":
                    raise await of_response(response, endpoint.shown)
                yield response
                return
            url = target
        finally:
            await response.aclose()
    message = f"{endpoint.shown} sends the request on and on, more than {MAX_REDIRECTS} times."
    raise RemoteFaultError("refused", message, unseen=True)


def _only_named_cookies(request: httpx.Request, named: Mapping[str, str]) -> None:
    """Leave out the cookies of earlier answers: those may have been another user's."""
    request.headers.pop("cookie", None)
    if "cookie" in named:
        request.headers["cookie"] = named["cookie"]


async def _sent(client: httpx.AsyncClient, request: httpx.Request, where: str, tries: int) -> httpx.Response:
    if client.is_closed:
        message = f"The agent at {where} could not be reached: the client given to HttpAgent is closed."
        raise RemoteFaultError("unreachable", message, unseen=True)
    while True:
        try:
            return await client.send(request, stream=True, follow_redirects=False)
        except httpx.HTTPError as error:
            fault = of_transport(error, where, answered=False)
            tries -= 1
            if fault.code != "unreachable" or tries < 1:
                raise fault from error
            log.info("%s Trying again.", fault)


def _redirected(response: httpx.Response, url: httpx.URL) -> httpx.URL | None:
    """Where the same request may go instead; `None` for any other answer."""
    if not response.has_redirect_location:
        return None
    try:
        target = url.join(response.headers["location"])
    except httpx.InvalidURL:
        target = None
    if target is None:
        message = f"The answer {response.status_code} sends on to something that is no address."
        raise RemoteFaultError("refused", message, unseen=True)
    if response.status_code not in _KEEP_METHOD or origin(target) != origin(url):
        raise of_redirect(response.status_code, url, target)
    return target.copy_with(userinfo=url.userinfo)
