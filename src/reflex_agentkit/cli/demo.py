"""The demo: build the travel agent's page, serve it on this machine, open it.

`python -m reflex_agentkit.cli.demo` needs the extras `build` and `pydantic-ai`: no Node, no key, no account.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from reflex_agentkit.cli.app_server import FIRST_PORT, choose_port, environment, page, served
from reflex_agentkit.cli.steps import StepFailedError, guarded, run, shown

MODEL_VARIABLE = "AGENTKIT_DEMO_MODEL"
TITLE = "Travel desk"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo until Ctrl-C; gives the exit code."""
    options = parser().parse_args(arguments)
    return guarded(lambda: _demo(options))


def parser() -> argparse.ArgumentParser:
    """The options of the demo."""
    options = argparse.ArgumentParser(
        prog="demo", description="Talk to a travel agent that asks before it books."
    )
    add_options(options)
    options.add_argument(
        "--folder",
        type=Path,
        default=Path("reflex-agentkit-demo"),
        help="where the page is built (default: %(default)s)",
    )
    return options


def add_options(options: argparse.ArgumentParser) -> None:
    """What a person may choose, here and in `scripts/demo`."""
    options.add_argument(
        "--port", type=int, help=f"the port to serve on (default: {FIRST_PORT}, or the next free one)"
    )
    options.add_argument("--no-browser", action="store_true", help="do not open the page in a browser")
    options.add_argument(
        "--model", help="use a real model: a name as pydantic-ai has it, like openai:gpt-5-mini"
    )
    options.add_argument("--check", action="store_true", help="start, ask for the page once, and stop")


def _demo(options: argparse.Namespace) -> int:
    folder: Path = options.folder.absolute()
    env = environment()
    port = choose_port(options.port)
    if options.port is None and port != FIRST_PORT:
        print(f"• Port {FIRST_PORT} is taken, so the page will be on {port}", flush=True)
    if options.model:
        env[MODEL_VARIABLE] = options.model
        title = f"Checking that {options.model} can be used"
        run(
            title,
            _try_model(options.model),
            log=folder / "model.log",
            env=env,
            advice=lambda _: "Do what it says, then start again.",
        )
    lay_out(folder)
    with served(folder, port, env) as url:
        html = page(url)
        if TITLE not in html:
            raise StepFailedError(f"{url} answers, but not with the demo's page. Look into {shown(folder)}.")
        if options.check:
            print(f"• The page is there, {len(html):,} characters long; --check asks for no more", flush=True)
            return 0
        print(f"\n  The travel agent is at {url}\n  Stop it with Ctrl-C.\n", flush=True)
        if not options.no_browser and not webbrowser.open(url):
            print("  No browser could be opened from here: open the address yourself.\n", flush=True)
        while not threading.Event().wait(1):  # Windows hears Ctrl-C between two waits alone
            pass
    return 0


def source() -> Path:
    """Where the app's files are: inside an installed package, or in the repository."""
    inside = Path(__file__).parent / "travel"
    return inside if inside.is_dir() else Path(__file__).parents[3] / "examples" / "travel"


def lay_out(folder: Path) -> None:
    """Copy the app into the folder where it is built, beside what an earlier build left there."""
    ignored = shutil.ignore_patterns(".web", ".states", "__pycache__", "external", "*.log")
    shutil.copytree(source(), folder, dirs_exist_ok=True, ignore=ignored)


def _try_model(model: str) -> list[str]:
    program = (
        "import sys\n"
        "from pydantic_ai.models import infer_model\n"
        "try:\n    infer_model(sys.argv[1])\n"
        "except Exception as error:\n    sys.exit(str(error))"
    )
    return [sys.executable, "-c", program, model]


if __name__ == "__main__":
    sys.exit(main())
