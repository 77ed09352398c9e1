"""`PydanticAIAgent`: a PydanticAI agent as an AG-UI agent that can wait for people."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, cast

from ag_ui.core import (
    PROTOCOL_VERSION,
    BaseEvent,
    RunAgentInput,
    RunErrorEvent,
    RunStartedEvent,
)
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.ui.ag_ui import AGUIAdapter

from reflex_agentkit.adapters._notice import named
from reflex_agentkit.adapters.pydantic_ai.approvals import read_answers
from reflex_agentkit.adapters.pydantic_ai.fence import Fence
from reflex_agentkit.adapters.pydantic_ai.setup import (
    check_agent,
    check_options,
    client_toolset,
    default_deps,
    own_deps,
    own_state,
    run_output_type,
)
from reflex_agentkit.adapters.pydantic_ai.turn import Turn, code_of
from reflex_agentkit.agents.gate import current_gate
from reflex_agentkit.errors import ConfigurationError


class PydanticAIAgent:
    """Runs a PydanticAI agent in process, through PydanticAI's own AG-UI adapter.

    A tool with `requires_approval=True`, or one that raises `ApprovalRequired`, pauses the run as an
    approval, whatever the agent's `output_type` is. One that raises `CallDeferred` pauses it as a question.
    Client tools reach the model as frontend tools. `deps_type=StateDeps[Model]` gives shared state.

    Args:
        agent: the `pydantic_ai.Agent`. One object serves every session at the same time.
        deps: dependencies for every run. Of a `StateDeps` each run gets a copy of its own.
        deps_factory: makes the dependencies of a run from its input; may be async.
        notify_edited_args: tell the model in the tool's result when a person changed the arguments.
        run_kwargs: options of the run, such as `model_settings` or `usage_limits`.

    Raises:
        ConfigurationError: not a PydanticAI agent, `deps` beside `deps_factory`, an unknown option, or an
            output validator on an agent whose output types leave out `DeferredToolRequests`.
    """

    def __init__(
        self,
        agent: AbstractAgent[Any, Any],
        *,
        deps: Any = None,
        deps_factory: Callable[[RunAgentInput], Any | Awaitable[Any]] | None = None,
        notify_edited_args: bool = True,
        **run_kwargs: Any,
    ) -> None:
        check_agent(agent)
        check_options(run_kwargs)
        if deps is not None and deps_factory is not None:
            raise ConfigurationError("Give either deps or deps_factory, not both.")
        if deps_factory is not None and not callable(deps_factory):
            raise ConfigurationError(
                f"deps_factory must be a function of the run input; it is {deps_factory!r}"
            )
        self.agent = agent
        self._deps = deps
        self._deps_factory = deps_factory
        self._notify = notify_edited_args
        self._run_kwargs = run_kwargs

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        """The events of a run. What cannot start ends in RUN_ERROR, before any tool runs."""
        try:
            turn = await self._turn(run_input)
        except Exception as error:
            yield RunStartedEvent(
                thread_id=run_input.thread_id, run_id=run_input.run_id, protocol_version=PROTOCOL_VERSION
            )
            yield RunErrorEvent(message=str(error).strip() or named(error), code=code_of(error))
            return
        async with aclosing(turn.events()) as events:
            async for event in events:
                yield event

    async def _turn(self, run_input: RunAgentInput) -> Turn:
        output_type = run_output_type(self.agent)
        answers = read_answers(run_input)
        deps = await self._own_deps(run_input)
        fence = Fence(answers.approved, current_gate(), notify_edited_args=self._notify)
        tools = run_input.tools or []
        adapter = AGUIAdapter[Any, Any](
            agent=self.agent,
            # Without tools: PydanticAI would set the output type for them, which an output validator forbids.
            run_input=run_input.model_copy(
                update={
                    "messages": answers.messages,
                    "state": own_state(deps, run_input.state),
                    "tools": [],
                    "resume": None,
                    "protocol_version": PROTOCOL_VERSION,
                }
            ),
            include_usage=True,
        )
        options = dict(self._run_kwargs)
        told = {name: options.pop(name, None) for name in ("on_complete", "on_cancel")}
        options["toolsets"] = [*(options.get("toolsets") or ()), *([client_toolset(tools)] if tools else ())]
        options["capabilities"] = [*(options.get("capabilities") or ()), fence]
        native = adapter.run_stream_native(
            output_type=output_type, deps=deps, deferred_tool_results=answers.results, **options
        )
        turn = Turn(fence=fence, client_tools=frozenset(tool.name for tool in tools))
        turn.stream = cast("AsyncGenerator[BaseEvent]", adapter.transform_stream(turn.watch(native), **told))
        return turn

    async def _own_deps(self, run_input: RunAgentInput) -> Any:
        deps = self._deps
        if self._deps_factory is not None:
            deps = self._deps_factory(run_input)
            if inspect.isawaitable(deps):
                deps = await deps
        return default_deps(self.agent, run_input.state) if deps is None else own_deps(deps)
