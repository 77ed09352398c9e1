"""What a flow must be like to be run here, and how each run gets its own copy."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeAlias, cast

from crewai.flow import Flow
from crewai.flow.persistence import FlowPersistence
from crewai.flow.persistence.factory import default_flow_persistence
from pydantic import BaseModel

from reflex_agentkit.errors import ConfigurationError

FlowSource: TypeAlias = "type[Flow[Any]] | Callable[[], Flow[Any]] | Flow[Any]"
Maker: TypeAlias = Callable[[FlowPersistence], Any]


def maker_of(source: FlowSource) -> Maker:
    """A function that makes a fresh copy of the flow around a persistence.

    Raises:
        ConfigurationError: it is no flow, or an instance that cannot be made again.
    """
    if isinstance(source, type):
        if not issubclass(source, Flow):
            raise ConfigurationError(f"{source.__name__} is not a CrewAI Flow. {_GIVE}")
        kind = cast("Any", source)
        return lambda persistence: kind(persistence=persistence)
    if isinstance(source, Flow):
        return _maker_of_instance(cast("Any", source))
    if callable(source):
        return _maker_of_factory(source)
    raise ConfigurationError(f"CrewAIFlowAGUIAgent got {type(source).__name__}. {_GIVE}")


def definition_of(source: FlowSource, make: Maker) -> Any:
    """What CrewAI knows of the flow: its methods, and whether it is kept. Finds what cannot work.

    A class is not made for that: a flow opens a store of memories, which a server had better not carry into
    the processes that it forks.

    Raises:
        ConfigurationError: a flow that cannot be made, or a factory that gives the same one twice.
    """
    if isinstance(source, type):
        kind = cast("Any", source)
        if needed := [name for name, field in kind.model_fields.items() if field.is_required()]:
            raise ConfigurationError(
                f"{source.__name__} needs {', '.join(needed)} to be made. Give a function that makes it: "
                f"lambda: {source.__name__}({needed[0]}=...)."
            )
        return _made(kind.flow_definition)
    nowhere = _Nowhere()
    flow, other = (_made(lambda: make(nowhere)) for _ in range(2))
    if flow is other:
        raise ConfigurationError(
            "The factory gives the same flow every time, and runs of two threads would be mixed up. Make a "
            "new flow in it: lambda: MyFlow()."
        )
    return flow._definition


def persistence_of(source: FlowSource, definition: Any, given: object) -> FlowPersistence:
    """Where the flow's pauses and states are kept: as given, else the flow's own, else CrewAI's default.

    Raises:
        ConfigurationError: it is none, or it does not keep pauses.
    """
    found: object = given
    if found is None and isinstance(source, Flow):
        found = cast("Any", source).persistence
    if found is None and (not isinstance(source, type) or definition.persist is not None):
        found = None if isinstance(source, Flow) else _made(cast("Any", source)).persistence
    if found is None:
        found = default_flow_persistence()
    if not isinstance(found, FlowPersistence):
        raise ConfigurationError(
            f"persistence is {type(found).__name__}, not a FlowPersistence of CrewAI. Give "
            "SQLiteFlowPersistence('flows.db'), or leave it out."
        )
    if type(found).load_pending_feedback is FlowPersistence.load_pending_feedback:
        raise ConfigurationError(
            f"{type(found).__name__} does not keep pauses, so no flow could go on. Implement "
            "save_pending_feedback, load_pending_feedback and clear_pending_feedback, or use "
            "SQLiteFlowPersistence."
        )
    return found


def _made(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except ConfigurationError:
        raise
    except Exception as error:
        raise ConfigurationError(f"The flow cannot be made: {type(error).__name__}: {error}") from error


def _maker_of_factory(factory: Callable[[], Any]) -> Maker:
    def make(persistence: FlowPersistence) -> Any:
        flow = factory()
        if not isinstance(flow, Flow):
            raise ConfigurationError(f"The factory gave {type(flow).__name__}, not a CrewAI Flow. {_GIVE}")
        flow.persistence = persistence
        return cast("Any", flow)

    return make


def _maker_of_instance(flow: Any) -> Maker:
    kind = cast("Any", type(flow))
    if kind is Flow:
        raise ConfigurationError(
            "A flow that was built from a declaration cannot be copied. Give a factory: "
            "lambda: Flow.from_declaration(...)."
        )
    fields = {name: getattr(flow, name) for name in flow.model_fields_set if name != "persistence"}
    attributes = cast("dict[str, Any]", vars(flow))
    more = {name: value for name, value in attributes.items() if name not in kind.model_fields}

    def make(persistence: FlowPersistence) -> Any:
        given = {name: _own(name, value) for name, value in fields.items()}
        made = kind(**given, persistence=persistence)
        for name, value in more.items():
            if name not in vars(made):
                setattr(made, name, value)
        return made

    return make


def _own(name: str, value: Any) -> Any:
    """Only the state belongs to one run; a model, a memory or a client is shared by all."""
    if name != "initial_state" or isinstance(value, type):
        return value
    return value.model_copy(deep=True) if isinstance(value, BaseModel) else copy.deepcopy(value)


class _Nowhere(FlowPersistence):
    """For a flow that is made to be looked at."""

    def init_db(self) -> None:
        """Nothing."""

    def save_state(self, flow_uuid: str, method_name: str, state_data: Any) -> None:
        """Nothing."""

    def load_state(self, flow_uuid: str) -> None:
        """Nothing is kept."""


_GIVE = "Give a Flow class, a function that makes a flow, or a flow."
