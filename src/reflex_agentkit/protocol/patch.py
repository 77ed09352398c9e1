"""JSON Patch (RFC 6902): the whole patch, or nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import jsonpatch  # pyright: ignore[reportMissingTypeStubs]
from jsonpointer import JsonPointerException  # pyright: ignore[reportMissingTypeStubs]
from pydantic import BaseModel

from reflex_agentkit.errors import ProtocolError


def apply(document: Any, operations: Sequence[Any]) -> Any:
    """A new document with the operations applied in order; `document` itself stays as it was.

    Operations are the SDK's operation models or plain dicts.

    Raises:
        ProtocolError: an operation does not fit the document; the message says which and why.
    """
    plain = [_plain(operation) for operation in operations]
    try:
        return _patched(document, plain)
    except _BREAKS as error:
        raise ProtocolError(f"the patch does not apply: {error}; {_first_break(document, plain)}") from None


_BREAKS = (jsonpatch.JsonPatchException, JsonPointerException, LookupError, TypeError, ValueError)


def _patched(document: Any, operations: list[dict[str, Any]]) -> Any:
    patch: Any = jsonpatch.JsonPatch(operations)
    return patch.apply(document)


def _first_break(document: Any, operations: list[dict[str, Any]]) -> str:
    # Only reached after a failure, so going through the operations once more costs nothing that matters.
    for place, operation in enumerate(operations):
        try:
            document = _patched(document, [operation])
        except _BREAKS:
            return f"operation {place} is {operation.get('op')!r} at {operation.get('path')!r}"
    return "the operations apply one by one, but not together"


def _plain(operation: Any) -> dict[str, Any]:
    if isinstance(operation, BaseModel):
        return operation.model_dump(by_alias=True)
    return cast("dict[str, Any]", operation)
