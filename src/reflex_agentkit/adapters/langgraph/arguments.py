"""The argument schema of a tool, from whatever describes its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import TypeAdapter

from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.protocol.plain import plain

ArgsSchema: TypeAlias = BaseTool | Callable[..., Any] | Mapping[str, Any]
"""A tool, a function or a type whose fields are the arguments, or a JSON Schema."""


def tool_schema(tool: BaseTool) -> dict[str, Any]:
    """The JSON Schema of what a model gives to a tool; what LangGraph injects is no part of it."""
    found: Any = convert_to_openai_tool(tool)["function"].get("parameters")
    return found or {"type": "object", "properties": {}}


def schema_of(given: ArgsSchema) -> dict[str, Any]:
    """The JSON Schema that an `args_schema` stands for.

    Raises:
        ConfigurationError: it describes no named arguments.
    """
    try:
        schema = _schema(given)
    except Exception as error:
        raise _unusable(repr(cast("Any", given)), str(error)) from error
    if schema.get("type", "object") != "object":
        raise _unusable(repr(cast("Any", given)), f"it is about {schema['type']!r}, not about an object")
    return schema


def _schema(given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return plain(given, "args_schema")
    return tool_schema(given) if isinstance(given, BaseTool) else TypeAdapter(given).json_schema()


def _unusable(given: str, why: str) -> ConfigurationError:
    return ConfigurationError(
        f"args_schema={given} gives no schema of arguments: {why}. Give the tool, its function, a model or "
        "typed dict with its arguments, or a JSON Schema of an object."
    )
