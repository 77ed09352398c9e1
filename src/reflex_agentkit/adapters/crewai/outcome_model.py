"""The model that CrewAI asks which router outcome an answer means, where the person chose one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from crewai.flow.human_feedback import _resolve_llm_instance  # pyright: ignore[reportPrivateUsage]
from crewai.llms.base_llm import BaseLLM
from pydantic import PrivateAttr

from reflex_agentkit.adapters.crewai.scene import unseen
from reflex_agentkit.protocol import json_text


class OutcomeModel(BaseLLM):
    """Answers with the outcome that the person chose; any other answer goes to the flow's own model.

    An answer chooses where it is one of the outcomes, or an object whose `outcome` is one.
    """

    _chosen: str | None = PrivateAttr(default=None)
    _own: Any = PrivateAttr(default=None)

    @classmethod
    def choosing(cls, chosen: str | None, own: Any) -> OutcomeModel:
        """One for an answer that chose `chosen`; `own` is the flow's own model as CrewAI stored it."""
        made = cls(model="reflex-agentkit/outcome")
        made._chosen, made._own = chosen, own
        return made

    def call(self, messages: Any, *args: Any, response_model: Any = None, **kwargs: Any) -> Any:
        """The outcome as CrewAI asks for it; for anything else, lessons say, the flow's own model."""
        asks_outcome = response_model is not None and "outcome" in response_model.model_fields
        if asks_outcome and self._chosen is not None:
            return json_text.write({"outcome": self._chosen})
        with unseen():
            return _resolve_llm_instance(self._own).call(
                messages, *args, response_model=response_model, **kwargs
            )


def chosen_outcome(emit: Sequence[str], payload: Any) -> str | None:
    """The outcome that an answer names."""
    named = cast("dict[str, Any]", payload).get("outcome") if isinstance(payload, dict) else payload
    return named if isinstance(named, str) and named in emit else None
