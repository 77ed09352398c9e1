"""The store in memory keeps the contract of all stores."""

from __future__ import annotations

import pytest

from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.store.memory import MemoryStore
from reflex_agentkit.store.opening import open_store
from reflex_agentkit.testing.contracts import StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    async def store(self):
        made = MemoryStore()
        await made.start()
        yield made
        await made.stop()


def test_no_store_named_is_memory_and_the_log_says_what_that_means(caplog):
    assert open_store(None).durable is False
    assert "a restart loses them" in caplog.text


def test_a_store_that_does_not_exist_is_refused_with_what_does():
    with pytest.raises(ConfigurationError, match="memory:"):
        open_store("postgresql://somewhere")
