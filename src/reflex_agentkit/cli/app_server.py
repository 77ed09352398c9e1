"""Serve a Reflex app from its folder, on one port of this machine, for as long as it is wanted."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from reflex_agentkit.cli.steps import Step, StepFailedError, failure

HOST = "127.0.0.1"
FIRST_PORT = 8000
PORTS = 50
SECONDS_TO_START = 600.0
SECONDS_TO_STOP = 8.0
NO_NETWORK = (
    "ConnectionRefused",
    "FailedToOpenSocket",
    "ENOTFOUND",
    "Unable to connect",
    "Could not resolve",
)


def environment() -> dict[str, str]:
    """The variables for a server: the tool chain of this Python's own environment, and no word home.

    Raises:
        StepFailedError: the tool chain is not installed.
    """
    tools = Path(sys.executable).absolute().parent
    bun = shutil.which("bun", path=str(tools))
    if bun is None:
        raise StepFailedError(
            "The front-end tool chain is missing from this environment.\n"
            'Install it with: pip install "reflex-agentkit[build,pydantic-ai]"'
        )
    env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
    env |= {"REFLEX_BUN_PATH": bun, "REFLEX_TELEMETRY_ENABLED": "false"}
    env |= {"REFLEX_CHECK_LATEST_VERSION": "false", "PYTHONUNBUFFERED": "1"}
    env.pop("REFLEX_BACKEND_ONLY", None)
    return env


def choose_port(wanted: int | None = None) -> int:
    """The wanted port if it is free; without a wish the first free one from 8000 on.

    Raises:
        StepFailedError: the wanted port is taken.
    """
    if wanted is not None:
        if not _is_free(wanted):
            raise StepFailedError(
                f"Port {wanted} is taken. Choose another with --port, or leave --port away."
            )
        return wanted
    free = next((port for port in range(FIRST_PORT, FIRST_PORT + PORTS) if _is_free(port)), None)
    if free is None:
        raise StepFailedError(
            f"Ports {FIRST_PORT} to {FIRST_PORT + PORTS - 1} are all taken. Choose one with --port."
        )
    return free


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError):
            return False
    return True


@contextmanager
def served(folder: Path, port: int, env: Mapping[str, str]) -> Generator[str]:
    """Build the app and serve it while the block runs; gives its address. Only its own pages may talk to it.

    Raises:
        StepFailedError: it could not be built, or did not answer in time.
    """
    log = folder / "server.log"
    url = f"http://{HOST}:{port}"
    own_pages = {"REFLEX_CORS_ALLOWED_ORIGINS": f"{url},http://localhost:{port}"}
    known = (folder / ".web" / "node_modules").is_dir()
    title = "Building the page and starting the server"
    with log.open("wb") as output:
        process = subprocess.Popen(
            _command(port),
            cwd=folder,
            env={**env, **own_pages},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            with Step(title if known else f"{title} (the first time may take a minute)") as step:
                _wait_until_it_answers(process, url, log, step)
            yield url
        finally:
            with Step("Stopping the server"):
                stop(process)


def _command(port: int) -> list[str]:
    run = [sys.executable, "-m", "reflex", "run", "--env", "prod", "--single-port", "--backend-host", HOST]
    return [*run, "--backend-port", str(port), "--frontend-port", str(port)]


def _wait_until_it_answers(process: subprocess.Popen[bytes], url: str, log: Path, step: Step) -> None:
    while True:
        if process.poll() is not None or step.seconds > SECONDS_TO_START:
            said = log.read_text(encoding="utf-8", errors="replace")
            raise StepFailedError(failure("Starting the server", said, log, _advice(said)))
        try:
            page(url)
            return
        except OSError:
            step.tick()
            time.sleep(0.2)


def page(url: str) -> str:
    """The page as HTML, as a browser gets it first."""
    with urllib.request.urlopen(url, timeout=5) as answer:
        return answer.read().decode("utf-8", "replace")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and all that it started, kindly first."""
    for how in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        try:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, how)
            else:
                process.send_signal(how)
            process.wait(SECONDS_TO_STOP)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def _advice(output: str) -> str:
    if any(sign in output for sign in NO_NETWORK):
        return "JavaScript packages could not be fetched. Check the network or the proxy, then try again."
    if "address already in use" in output.casefold():
        return "The port was taken in the meantime. Start again, or choose another with --port."
    return ""
