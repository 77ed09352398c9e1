"""`OpenAIAgentsAGUIAgent`: an agent of the OpenAI Agents SDK as an AG-UI agent that can wait for people."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from ag_ui.core import BaseEvent, RunAgentInput
from agents import Agent

from reflex_agentkit.adapters.openai_agents.setup import ContextFactory, Setup, check_agent, check_options
from reflex_agentkit.adapters.openai_agents.turn import Turn
from reflex_agentkit.errors import ConfigurationError


class OpenAIAgentsAGUIAgent:
    """Runs an agent of the OpenAI Agents SDK in process.

    A tool with `needs_approval` pauses the run as an approval, also inside of an agent that runs as a tool; a
    `question_tool` pauses it as a question. An interrupt's id is the id of its call. Nothing of a pause is
    kept here: it is made again from the conversation, so it survives a restart.

    Args:
        agent: the `agents.Agent`. One object serves every session at the same time.
        name: the agent's name; its own where it is left out.
        context_factory: makes the SDK's context of a run from the run's input; may be async.
        notify_edited_args: tell the model in the tool's result when a person changed the arguments.
        run_kwargs: options of the SDK's runner, such as `max_turns`, `run_config` or `hooks`.

    Raises:
        ConfigurationError: not an `agents.Agent`, a tool that asks in a way that cannot be decided here, an
            option that is unknown, or one of the SDK's own memories (`session`, `conversation_id`).
    """

    def __init__(
        self,
        agent: Agent[Any],
        *,
        name: str | None = None,
        context_factory: ContextFactory | None = None,
        notify_edited_args: bool = True,
        **run_kwargs: Any,
    ) -> None:
        check_agent(agent)
        check_options(run_kwargs)
        if context_factory is not None and not callable(context_factory):
            raise ConfigurationError(
                f"context_factory must be a function of the run input; it is {context_factory!r}"
            )
        self.agent = agent
        self.name = name or agent.name
        self._setup = Setup(
            agent=agent,
            context_factory=context_factory,
            notify_edited_args=notify_edited_args,
            options=run_kwargs,
        )

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        """The events of a run."""
        async with aclosing(self.run_streamed(run_input)) as events:
            async for event in events:
                yield event

    async def run_streamed(self, input: RunAgentInput) -> AsyncGenerator[BaseEvent]:
        """The events of a run, to be overridden by a class that wants to see its input and events.

        Whatever it sets in a `ContextVar` before it asks for the first event is seen by the tools.
        """
        async with aclosing(Turn(self._setup, input).events()) as events:
            async for event in events:
                yield event
