"""CrewAI kept to itself: no calls to its maker's servers, nothing printed by the runs of an agent.

Only what is unset is set, so an app that wants CrewAI's telemetry says so in its environment.
"""

from __future__ import annotations

import os
from typing import Final

DEFAULTS: Final = {
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_DISABLE_VERSION_CHECK": "true",
    # LiteLLM, where it is installed, fetches a list of prices when it is imported.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}


def keep_to_itself() -> None:
    """Set what is unset. CrewAI reads it when it would send, so also after it was imported."""
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
