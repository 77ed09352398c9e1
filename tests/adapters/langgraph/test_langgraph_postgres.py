"""Checkpoints in PostgreSQL: a server of this test's own, on the loopback address."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg.rows import dict_row

from tests.adapters.langgraph.scripted import OSLO, ROME, Hotel
from tests.adapters.langgraph.test_langgraph_setup import exercise

NEWEST = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


def program(name: str) -> str:
    found = shutil.which(name) or next((str(one / name) for one in reversed(NEWEST)), None)
    assert found, f"{name} is missing: install PostgreSQL's server (Debian: apt-get install postgresql)"
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    place = tmp_path_factory.mktemp("postgres")
    # The server refuses to be run by root.
    user = "postgres" if os.geteuid() == 0 else getpass.getuser()
    as_user: dict[str, Any] = {"user": user} if os.geteuid() == 0 else {}
    for part in (place, *place.parents[:2]):
        part.chmod(0o755)
    if as_user:
        shutil.chown(place, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = place / "data"
    run: dict[str, Any] = {"check": True, "capture_output": True, "cwd": place, **as_user}
    subprocess.run([program("initdb"), "-D", data, "-A", "trust", "-U", "kit", "--no-sync"], **run)
    options = f"-h 127.0.0.1 -p {port} -k {place} -c fsync=off"
    control = [program("pg_ctl"), "-D", str(data), "-w", "-l", str(place / "log")]
    subprocess.run([*control, "-o", options, "start"], **run)
    yield f"postgresql://kit@127.0.0.1:{port}/postgres"
    subprocess.run([*control, "-m", "immediate", "stop"], **run)


@pytest.mark.parametrize("sync", [False, True])
async def test_checkpoints_in_postgres_by_its_asynchronous_saver(server: str, sync: bool) -> None:
    async with AsyncPostgresSaver.from_conn_string(server) as saver:
        await saver.setup()
        await saver.adelete_thread("thread-1")
        await exercise(Hotel([ROME], [OSLO], saver=saver, sync=sync))


async def test_checkpoints_in_postgres_by_its_synchronous_saver(server: str) -> None:
    with psycopg.connect(server, autocommit=True, prepare_threshold=0, row_factory=dict_row) as connection:
        saver = PostgresSaver(connection)
        saver.setup()
        saver.delete_thread("thread-1")
        await exercise(Hotel([ROME], [OSLO], saver=saver))
