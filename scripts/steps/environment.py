"""Make an environment with this package and what it needs, once; the next time it is there."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from reflex_agentkit.cli.steps import StepFailedError, run, shown

ROOT = Path(__file__).resolve().parents[2]
STAMP = "made-for.txt"
NO_NETWORK = (
    "Could not resolve", "Failed to establish a new connection", "Network is unreachable", "No route to host",
    "Name or service not known", "Temporary failure in name resolution", "error sending request", "dns error",
    "Connection refused", "ConnectTimeoutError",
)  # fmt: skip


def make(
    folder: Path, *, extras: Sequence[str], groups: Sequence[str] = (), more: Sequence[str] = ()
) -> Path:
    """Make the environment unless it is there and fits; gives its Python.

    The package is installed in editable form, so a change of its source needs no new environment; a change of
    `pyproject.toml`, of extras or of the Python does. `more` are packages that are added to what is there.

    Raises:
        StepFailedError: no environment could be made, or a package could not be fetched.
    """
    wanted = ["--editable", f"{ROOT}[{','.join(extras)}]", *members(groups)]
    stamp = folder / STAMP
    python = python_of(folder)
    there = stamp.read_text(encoding="utf-8").splitlines() if python.exists() and stamp.is_file() else []
    fits = _fingerprint(wanted)
    if there[:1] == [fits]:
        print(f"• The environment in {shown(folder)} is there and fits", flush=True)
    else:
        stamp.unlink(missing_ok=True)
        make_empty(folder)
        install(folder, wanted, f"Installing the package and what it needs into {shown(folder)}")
        there = [fits]
    missing = [package for package in more if package not in there]
    if missing:
        install(folder, missing, f"Installing {', '.join(missing)}")
    stamp.write_text("\n".join([*there, *missing]), encoding="utf-8")
    return python


def python_of(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_empty(folder: Path) -> None:
    """An environment with nothing in it; what was in the folder goes. By uv where there is one."""
    log = folder.with_name(f"{folder.name}.log")
    title = f"Making an environment in {shown(folder)} with Python {sys.version.split()[0]}"
    uv = shutil.which("uv")
    if uv is None:
        _need_venv()
        command = [sys.executable, "-m", "venv", "--clear", folder]
    else:
        command = [uv, "venv", "--clear", "--python", sys.executable, folder]
    run(title, command, log=log, advice=_advice)
    log.unlink(missing_ok=True)


def install(folder: Path, wanted: Sequence[str], title: str) -> None:
    """Install packages into an environment."""
    uv = shutil.which("uv")
    python = python_of(folder)
    installer = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
    run(title, [*installer, *wanted], log=folder / "install.log", advice=_advice)


def build_wheel(folder: Path, into: Path) -> Path:
    """Build the wheel of this repository with an environment's tools; gives the file."""
    uv = shutil.which("uv")
    wheel = [python_of(folder), "-m", "pip", "wheel", "--no-deps", "--wheel-dir", into, ROOT]
    command = [uv, "build", "--wheel", "--out-dir", into, ROOT] if uv else wheel
    shutil.rmtree(into, ignore_errors=True)
    run("Building the wheel", command, log=folder / "build.log", advice=_advice)
    return next(into.glob("*.whl"))


def _need_venv() -> None:
    """Debian leaves the modules that make environments out of its Python."""
    found = subprocess.run([sys.executable, "-c", "import ensurepip, venv"], capture_output=True, check=False)
    if found.returncode != 0:
        name = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        raise StepFailedError(
            f"{sys.executable} cannot make environments: its venv module is missing.\n"
            f"On Debian and Ubuntu install it with: {'' if is_root() else 'sudo '}apt-get install {name}\n"
            "Elsewhere install a full Python, or uv."
        )


def is_root() -> bool:
    """May this program install packages of the system?"""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def members(groups: Sequence[str]) -> list[str]:
    """The packages of dependency groups; read here, since older installers do not know groups."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    return [str(package) for group in groups for package in known[group]]


def _fingerprint(wanted: Sequence[str]) -> str:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    made_of = [project, sys.version, str(Path(sys.executable).resolve()), *wanted]
    return hashlib.sha256("\n".join(made_of).encode()).hexdigest()


def _advice(output: str) -> str:
    if any(sign in output for sign in NO_NETWORK):
        return "The packages could not be fetched. Check the network or the proxy, then run this again."
    if "No space left" in output:
        return "The disk is full. Make about 1 GB free, then run this again."
    return ""
