"""Client tools: methods of a state that the agent may call, run by the app or answered by a person."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import logging
import typing
from collections.abc import Callable
from typing import Any, TypeVar, overload

from ag_ui.core import Tool
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_jsonable_python

from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.records.principal import Principal

log = logging.getLogger("reflex_agentkit.state")

APP = Principal("app", "the app")
"""Who gave the result of a client tool that the app's own code ran."""

_Method = TypeVar("_Method", bound=Callable[..., Any])


class ClientTool:
    """A method that the agent may call. On an instance it is the method; it is no event of the browser."""

    def __init__(self, method: Callable[..., Any], *, ask: bool) -> None:
        self.method = method
        self.ask = ask
        self.name = method.__name__
        self.__doc__ = method.__doc__
        self._arguments: TypeAdapter[Any] | None = None

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else self.method.__get__(instance, owner)

    def tool(self) -> Tool:
        """The tool as the model is told about it."""
        schema = self._adapter().json_schema()
        schema.pop("title", None)
        return Tool(name=self.name, description=inspect.getdoc(self.method) or "", parameters=schema)

    async def run(self, state: Any, pending: PendingInterrupt) -> Any:
        """What the method gives for this call, as JSON; or a text that tells the model what went wrong."""
        if pending.args is None:
            return f"Error: the arguments of {self.name} are not a JSON object."
        try:
            arguments = self._adapter().validate_python(pending.args)
        except ValidationError as error:
            return f"Error: wrong arguments for {self.name}: {_problems(error)}"
        try:
            given = {field.name: getattr(arguments, field.name) for field in dataclasses.fields(arguments)}
            result = self.method(state, **given)
            if inspect.isawaitable(result):
                result = await result
            return to_jsonable_python(result)
        except PydanticSerializationError as error:
            log.exception("client tool %r gave what is not JSON", self.name)
            return f"Error: the result of {self.name} is not JSON ({error})."
        except Exception as error:
            # The agent's run must not hang on the app's mistake, and the model can react to one.
            log.exception("client tool %r failed", self.name)
            return f"Error: {self.name} failed: {type(error).__name__}: {error}"

    def _adapter(self) -> TypeAdapter[Any]:
        if self._arguments is None:
            self._arguments = TypeAdapter(_arguments_of(self.method))
        return self._arguments


@overload
def client_tool(method: _Method, /) -> _Method: ...
@overload
def client_tool(*, ask: bool = ...) -> Callable[[_Method], _Method]: ...
def client_tool(method: Callable[..., Any] | None = None, /, *, ask: bool = False) -> Any:
    """Let the agent call this method of an `AgentState`.

    The name, the docstring and the type hints are what the model is told. The method runs in the app's
    process, with `self` at hand, when a page that has the thread open sees the call; it may be async. What it
    returns is the tool's result. With `ask=True` it needs no body: a person is asked, and their answer is the
    result.

    Raises:
        ConfigurationError: the parameters cannot be given by name, or a name starts with an underscore.
    """
    if method is not None:
        return client_tool_of(method, ask=False)

    def mark(marked: Callable[..., Any]) -> ClientTool:
        return client_tool_of(marked, ask=ask)

    return mark


def client_tool_of(method: Callable[..., Any], *, ask: bool) -> ClientTool:
    """The marked method, checked."""
    if method.__name__.startswith("_"):
        raise ConfigurationError(f"client tool {method.__name__!r} must not start with an underscore")
    for parameter in _parameters(method):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ConfigurationError(
                f"client tool {method.__name__!r}: the model gives arguments by name, "
                f"so {str(parameter)!r} is not possible"
            )
        if parameter.name.startswith("_"):
            raise ConfigurationError(
                f"client tool {method.__name__!r}: the parameter {parameter.name!r} must not start "
                "with an underscore"
            )
    return ClientTool(method, ask=ask)


def client_tools(state_class: type) -> dict[str, ClientTool]:
    """The client tools of a state class, by name, those of its bases included."""
    found: dict[str, ClientTool] = {}
    for base in reversed(state_class.__mro__):
        for name, value in vars(base).items():
            found.pop(name, None)
            if isinstance(value, ClientTool):
                found[name] = value
    return found


def _parameters(method: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(method).parameters.values())[1:]


def _arguments_of(method: Callable[..., Any]) -> type:
    """The arguments of a method as a dataclass: names are free, defaults are kept, nothing extra is taken."""
    hints = typing.get_type_hints(method, include_extras=True)
    fields: list[Any] = []
    for parameter in _parameters(method):
        hint = hints.get(parameter.name, Any)
        if parameter.default is parameter.empty:
            fields.append((parameter.name, hint))
        else:
            fields.append((parameter.name, hint, _default(parameter.default)))
    made = dataclasses.make_dataclass(
        method.__name__, fields, kw_only=True, namespace={"__pydantic_config__": ConfigDict(extra="forbid")}
    )
    made.__doc__ = None
    return made


def _default(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return dataclasses.field(default_factory=lambda: copy.deepcopy(value))
    return dataclasses.field(default=value)


def _problems(error: ValidationError) -> str:
    return "; ".join(
        f"{'/'.join(str(part) for part in one['loc']) or 'arguments'}: {one['msg']}"
        for one in error.errors()[:5]
    )
