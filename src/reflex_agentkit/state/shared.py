"""The shared state, typed: between the JSON that an agent sends and the model that a state class names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, cast, is_typeddict

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_jsonable_python

from reflex_agentkit.errors import ConfigurationError, InvalidAnswerError


def check_model(model: Any, state_name: str) -> Callable[[], Any]:
    """The function that makes the shared state of a fresh thread.

    Raises:
        ConfigurationError: the model is none of the three kinds, or a field of it has no default.
    """
    if is_typeddict(model):
        return dict
    if not isinstance(model, type) or not (is_dataclass(cast("Any", model)) or issubclass(model, BaseModel)):
        raise ConfigurationError(
            f"{state_name}.shared_state_model is {model!r}; "
            "it must be a pydantic model, a TypedDict or a dataclass"
        )
    try:
        made = cast("Callable[[], Any]", model)
        made()
    except (TypeError, ValidationError) as error:
        raise ConfigurationError(
            f"{state_name}.shared_state_model: {model.__name__}() must work without arguments, so that a new "
            f"thread has a shared state. Give every field a default. ({str(error).splitlines()[0]})"
        ) from None
    return made


def read_shared(model: Any, value: Any) -> Any:
    """The shared state as the model; without one the object as it is, and nothing for what is no object.

    Raises:
        InvalidAnswerError: the value does not fit; `path` is the first place.
    """
    if model is None:
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    try:
        return TypeAdapter[Any](model).validate_python(value if value is not None else {})
    except ValidationError as error:
        first = error.errors()[0]
        path = "".join(f"/{part}" for part in first["loc"])
        raise InvalidAnswerError(
            f"The shared state does not fit at {path or '/'}: {first['msg']}.", path=path
        ) from None


def plain_shared(value: Any) -> Any:
    """The shared state as the JSON that the agent gets.

    Raises:
        InvalidAnswerError: it holds something that is not JSON.
    """
    try:
        return to_jsonable_python(value, by_alias=True)
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        raise InvalidAnswerError(f"The shared state cannot be sent: {error}.") from None
