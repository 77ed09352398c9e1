"""Where a remote agent is and how to talk to it: address, headers, time limits, checked when given."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

import httpx

from reflex_agentkit.errors import ConfigurationError

CONNECT_SECONDS: Final = 10.0
"""How long a connection may take."""

IDLE_SECONDS: Final = 300.0
"""How long a remote agent may send nothing at all, not even a comment that keeps the connection alive."""

WRITE_SECONDS: Final = 60.0
"""How long it may refuse to take a piece of the request."""

HeaderSource: TypeAlias = (
    Mapping[str, str] | Callable[[], Mapping[str, str] | Awaitable[Mapping[str, str]]] | None
)
"""Headers of every request, or a function that gives them anew for each; it may be async."""

_OURS: Final = frozenset(
    {"accept", "cache-control", "connection", "content-length", "content-type", "host", "transfer-encoding"}
)

_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE: Final = re.compile(r"(?:[!-~](?:[ -~\t]*[!-~])?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One remote agent's address, and what every request to it carries."""

    url: httpx.URL
    headers: HeaderSource = field(repr=False)
    timeout: httpx.Timeout

    @property
    def shown(self) -> str:
        """The address for a message: without user, password, query and fragment, which may hold secrets."""
        return shown(self.url)

    async def fresh_headers(self) -> Mapping[str, str]:
        """The headers of the next request.

        Raises:
            ConfigurationError: the function gave something else than names and texts.
        """
        given: Any = self.headers
        if callable(given):
            given = given()
            if inspect.isawaitable(given):
                given = await given
            if given is None:
                raise ConfigurationError("the function for the headers gave None; it must give a mapping")
        return checked_headers(given)


def endpoint(url: Any, headers: Any, timeout: Any) -> Endpoint:
    """An endpoint from what a caller gave.

    Raises:
        ConfigurationError: with what is wrong and what is right.
    """
    source: HeaderSource = cast("Any", headers) if callable(headers) else checked_headers(headers)
    return Endpoint(url=_url(url), headers=source, timeout=_timeout(timeout))


def shown(url: httpx.URL) -> str:
    """An address without what may be secret in it."""
    return str(url.copy_with(username="", password="", query=None, fragment=None))


def origin(url: httpx.URL) -> tuple[str, str, int | None]:
    """Scheme, host and port: two addresses of one origin are one server."""
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)


def checked_headers(given: Any) -> Mapping[str, str]:
    """Headers that can be sent; a value that is wrong is never shown, since it may be a secret.

    Raises:
        ConfigurationError: not a mapping of text to text, or a header that belongs to the protocol.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ConfigurationError(
            f"headers must be a mapping of names to texts, or a function that gives one, "
            f"not {type(given).__name__}"
        )
    headers = cast("Mapping[Any, Any]", given)
    for name, value in headers.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise ConfigurationError(f"the header {name!r} is not a text with a text as its value")
        if not _NAME.fullmatch(name):
            raise ConfigurationError(f"{name!r} cannot be the name of a header")
        if not _VALUE.fullmatch(value):
            raise ConfigurationError(
                f"the value of the header {name!r} cannot be sent: it begins or ends with a space, or holds "
                "a line break or another character that is not printable ASCII"
            )
        if name.lower() in _OURS:
            raise ConfigurationError(f"HttpAgent sets the header {name!r} by itself; leave it out")
    return dict(headers)


def _url(given: Any) -> httpx.URL:
    if not isinstance(given, str | httpx.URL):
        raise ConfigurationError(f"url must be a text, not {type(given).__name__}")
    try:
        url = httpx.URL(given)
    except httpx.InvalidURL as error:
        # With a password in it, what cannot be read may be a piece of that.
        why = "a mark in the user or password may need %-encoding" if "@" in str(given) else error
        raise ConfigurationError(f"url is not an address: {why}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigurationError(
            f"url must be a whole http or https address like 'https://agents.example/travel', "
            f"not {shown(url)!r}"
        )
    return url


def _timeout(given: Any) -> httpx.Timeout:
    if isinstance(given, httpx.Timeout):
        return given
    idle = IDLE_SECONDS if given is None else given
    if isinstance(idle, bool) or not isinstance(idle, int | float) or not 0 < idle < math.inf:
        raise ConfigurationError(
            f"timeout must be the seconds that the agent may be silent (a number above 0) "
            f"or an httpx.Timeout, not {given!r}"
        )
    return httpx.Timeout(connect=CONNECT_SECONDS, read=idle, write=WRITE_SECONDS, pool=CONNECT_SECONDS)
