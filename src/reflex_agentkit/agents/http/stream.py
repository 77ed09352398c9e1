"""An event stream, read: bytes to events, with a limit on what one event may be."""

from __future__ import annotations

import codecs
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

import httpx
from ag_ui.core import BaseEvent
from httpx_sse import EventSource

from reflex_agentkit.agents.http.faults import of_transport
from reflex_agentkit.errors import InvalidJSONError, MalformedEventError, ProtocolError
from reflex_agentkit.protocol.wire import read_event

MAX_EVENT: Final = 16 * 1024 * 1024
"""Bytes of one event. A longer one ends the run, before it fills the memory."""

_BLANK: Final = (b"\n\n", b"\n\r\n", b"\r\r")
"""What ends an event: an empty line."""


async def events_in(response: httpx.Response, where: str) -> AsyncGenerator[BaseEvent]:
    """The events of an answer, each as it comes. Comments and unknown types are left out.

    Raises:
        ProtocolError: something in it is not an AG-UI event; the message says which.
        RemoteFaultError: the connection broke off or was silent for too long.
    """
    number = 0
    async with aclosing(EventSource(_checked(response)).aiter_sse()) as found:
        try:
            async for one in found:
                if not one.data:
                    continue
                number += 1
                event = _read(one.data, number, where)
                if event is not None:
                    yield event
        except httpx.HTTPError as error:
            raise of_transport(error, where, answered=True) from error


def _read(data: str, number: int, where: str) -> BaseEvent | None:
    try:
        return read_event(data)
    except InvalidJSONError as error:
        raise InvalidJSONError(f"event {number} from {where} is not JSON: {error}") from None
    except MalformedEventError as error:
        raise MalformedEventError(
            f"event {number} from {where}: {error}", path=error.path, index=number - 1
        ) from None


def _checked(response: httpx.Response) -> httpx.Response:
    """The same answer as the UTF-8 that an event stream always is, whatever its header says."""
    headers = {"Content-Type": "text/event-stream; charset=utf-8"}
    return httpx.Response(200, headers=headers, stream=_CheckedBytes(response))


class _CheckedBytes(httpx.AsyncByteStream):
    """Lets the bytes through and stops at what is not UTF-8, or at an event without an end."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        decoder = codecs.getincrementaldecoder("utf-8")("strict")
        size, tail = 0, b""
        async for chunk in _without_bom(self._response.aiter_bytes()):
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                # What came before it in the same piece is still read.
                yield chunk[: max(0, error.start - len(error.object) + len(chunk))]
                raise ProtocolError("the stream is not UTF-8") from None
            joined = tail + chunk
            end = max(joined.rfind(blank) for blank in _BLANK)
            size = size + len(chunk) if end < 0 else len(joined) - end
            if size > MAX_EVENT:
                raise ProtocolError(f"one event is larger than {MAX_EVENT // 1024 // 1024} MB")
            tail = joined[-2:]
            yield chunk


async def _without_bom(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes without the mark that a stream may begin with, however it is cut."""
    head: bytes | None = b""
    async for chunk in chunks:
        if head is None:
            yield chunk
            continue
        head += chunk
        if len(head) >= len(codecs.BOM_UTF8) or not codecs.BOM_UTF8.startswith(head):
            yield head.removeprefix(codecs.BOM_UTF8)
            head = None
