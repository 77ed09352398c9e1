"""`scripts/demo`: an environment, then the demo of the package in it."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from reflex_agentkit.cli.demo import add_options
from reflex_agentkit.cli.steps import guarded
from steps.environment import ROOT, make

FOLDER = ROOT / ".venv-demo"
OWN_EXTRAS = frozenset(
    {
        "anthropic",
        "bedrock",
        "cerebras",
        "cohere",
        "google",
        "groq",
        "huggingface",
        "mistral",
        "openrouter",
        "xai",
    }
)


def main(arguments: Sequence[str]) -> int:
    """Set the demo up and run it; gives the exit code."""
    options = argparse.ArgumentParser(
        prog="scripts/demo",
        description="Build the page of a travel agent that asks before it books, serve it and open it.",
    )
    add_options(options)
    chosen = options.parse_args(arguments)
    return guarded(lambda: _run(arguments, chosen.model))


def _run(arguments: Sequence[str], model: str | None) -> int:
    python = make(FOLDER, extras=["build", "pydantic-ai"], more=provider_packages(model))
    program = [str(python), "-m", "reflex_agentkit.cli.demo", "--folder", str(FOLDER / "page"), *arguments]
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(program[0], program)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(program, check=False).returncode


def provider_packages(model: str | None) -> list[str]:
    """What a model's provider needs beside the demo; most others speak OpenAI's language."""
    if not model:
        return []
    provider = model.partition(":")[0].removeprefix("gateway/").partition("-")[0]
    return [f"pydantic-ai-slim[{provider if provider in OWN_EXTRAS else 'openai'}]"]
