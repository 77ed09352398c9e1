"""A content security policy as strict as a page of Reflex can have: no script but its own files.

The few lines that its framework writes into the page are named by their digests; nothing may be made into
code.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any

INLINE = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)


def policy(page: bytes) -> bytes:
    digests = {base64.b64encode(hashlib.sha256(text).digest()) for text in INLINE.findall(page)}
    named = b"".join(b" 'sha256-%s'" % digest for digest in sorted(digests))
    return b"script-src 'self'%s; object-src 'none'; base-uri 'none'" % named


def strict(app: Any) -> Any:
    """The app with the policy on each of its pages."""

    async def asgi(scope: Any, receive: Any, send: Any) -> None:
        held: list[dict[str, Any]] = []

        async def sending(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                kinds = [value for name, value in message["headers"] if name == b"content-type"]
                if kinds and kinds[0].startswith(b"text/html"):
                    held.append(message)
                    return
            elif held:
                held.append(message)
                if message.get("more_body"):
                    return
                page = b"".join(part.get("body", b"") for part in held[1:])
                held[0]["headers"] = [*held[0]["headers"], (b"content-security-policy", policy(page))]
                await send(held[0])
                message = {"type": "http.response.body", "body": page}
                held.clear()
            await send(message)

        if scope["type"] == "http":
            # The page as it is: no file handed over unread, nothing compressed.
            headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            scope = {**scope, "extensions": {}, "headers": headers}
        await app(scope, receive, sending)

    return asgi
