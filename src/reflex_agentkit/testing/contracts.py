"""The suite that every store passes. Subclass it, give a fixture `store`, and run it with pytest:

    class TestMyStore(StoreContract):
        @pytest.fixture
        async def store(self):
            made = MyStore(...)
            await made.start()
            yield made
            await made.stop()

It asks for pytest with pytest-asyncio in its automatic mode.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from ag_ui.core import BaseEvent, CustomEvent

from reflex_agentkit.errors import StoreError
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.records.decision import Decision, InterruptRecord
from reflex_agentkit.records.thread import RunRecord, ThreadRecord
from reflex_agentkit.store.base import Change, Move, MoveLostError, Store

T0 = datetime(2030, 1, 1, 10, 0, tzinfo=UTC)


def thread(thread_id: str, user: str = "ann", at: datetime = T0) -> ThreadRecord:
    """A thread to store."""
    return ThreadRecord(id=thread_id, user=user, title="", created_at=at, updated_at=at)


def event(name: str) -> BaseEvent:
    """An event to store; its value holds numbers that must not change."""
    return CustomEvent(name=name, value={"big": 9007199254740993, "one": 1.0})


def interrupt(interrupt_id: str, thread_id: str = "t1") -> InterruptRecord:
    """An open interrupt to store."""
    pending = PendingInterrupt(id=interrupt_id, kind="question", thread_id=thread_id, run_id="r1")
    return InterruptRecord(pending=pending, wire_id=f"wire-{interrupt_id}", digest="d")


def decided(record: InterruptRecord, by: str) -> InterruptRecord:
    """The same interrupt, answered."""
    decision = Decision(
        verdict="answered", status="resolved", payload={"by": by}, payload_text=by, by=by, at=T0
    )
    return replace(record, state="decided", decision=decision)


class StoreContract:
    """What any store must do; see the module."""

    @pytest.fixture
    async def store(self) -> Store:
        """The store under test, started and empty."""
        raise NotImplementedError("give your store here")

    async def test_a_thread_is_made_once_and_the_first_one_stays(self, store: Store) -> None:
        first = await store.create_thread(thread("t1", "ann"))
        second = await store.create_thread(thread("t1", "bob"))
        assert first.user == second.user == "ann"
        assert await store.thread("t1") == first
        assert await store.thread("t2") is None

    async def test_threads_are_listed_by_their_owner_with_the_latest_first(self, store: Store) -> None:
        for place, (name, user) in enumerate([("t1", "ann"), ("t2", "bob"), ("t3", "ann")]):
            await store.create_thread(thread(name, user, T0 + timedelta(minutes=place)))
        await store.commit(Change(thread_id="t1", events=[event("x")]), at=T0 + timedelta(hours=1))
        assert [t.id for t in await store.threads("ann")] == ["t1", "t3"]
        assert [t.id for t in await store.threads()] == ["t1", "t3", "t2"]
        assert [t.id for t in await store.threads(limit=1)] == ["t1"]

    async def test_events_get_numbers_from_one_without_gaps(self, store: Store) -> None:
        await store.create_thread(thread("t1"))
        first = await store.commit(Change(thread_id="t1", events=[event("a"), event("b")]), at=T0)
        second = await store.commit(Change(thread_id="t1", events=[event("c")]), at=T0)
        assert [item.number for item in [*first, *second]] == [1, 2, 3]
        assert [item.number for item in await store.events("t1")] == [1, 2, 3]
        assert [item.number for item in await store.events("t1", after=1)] == [2, 3]
        assert [item.number for item in await store.events("t1", after=1, limit=1)] == [2]
        assert await store.events("t1", after=3) == []
        assert await store.events("nowhere") == []

    async def test_an_event_comes_back_as_it_was(self, store: Store) -> None:
        await store.create_thread(thread("t1"))
        await store.commit(Change(thread_id="t1", events=[event("a")]), at=T0)
        found = (await store.events("t1"))[0].event
        assert isinstance(found, CustomEvent)
        assert found.value == {"big": 9007199254740993, "one": 1.0}
        assert type(found.value["one"]) is float

    async def test_numbers_stay_whole_when_many_write_at_once(self, store: Store) -> None:
        await store.create_thread(thread("t1"))
        await asyncio.gather(
            *(store.commit(Change(thread_id="t1", events=[event(str(i))]), at=T0) for i in range(20))
        )
        assert [item.number for item in await store.events("t1")] == list(range(1, 21))

    async def test_a_run_is_kept_and_replaced_by_its_id(self, store: Store) -> None:
        await store.create_thread(thread("t1"))
        run = RunRecord(id="r1", thread_id="t1", state="running", started_at=T0)
        await store.commit(Change(thread_id="t1", run=run), at=T0)
        ended = replace(run, state="finished", ended_at=T0)
        await store.commit(Change(thread_id="t1", run=ended), at=T0)
        later = replace(run, id="r2")
        await store.commit(Change(thread_id="t1", run=later), at=T0)
        assert await store.runs("t1") == [ended, later]

    async def test_a_change_of_an_unknown_thread_is_refused(self, store: Store) -> None:
        with pytest.raises(StoreError):
            await store.commit(Change(thread_id="t1", events=[event("a")]), at=T0)

    async def test_interrupts_are_found_by_id_thread_and_state(self, store: Store) -> None:
        for name in ("t1", "t2"):
            await store.create_thread(thread(name))
        one, two, other = interrupt("i1"), interrupt("i2"), interrupt("i3", "t2")
        await store.commit(Change(thread_id="t1", opened=[one, two]), at=T0)
        await store.commit(Change(thread_id="t2", opened=[other]), at=T0)
        move = Move(to=decided(one, "ann"), expected={"open"})
        await store.commit(Change(thread_id="t1", moves=[move]), at=T0)
        assert await store.interrupt("i2") == two
        assert await store.interrupt("nothing") is None
        assert [r.id for r in await store.interrupts("t1")] == ["i1", "i2"]
        assert [r.id for r in await store.interrupts("t1", states={"open"})] == ["i2"]
        assert [r.id for r in await store.interrupts(states={"open"})] == ["i2", "i3"]

    async def test_an_interrupt_id_is_taken_once_over_all_threads(self, store: Store) -> None:
        for name in ("t1", "t2"):
            await store.create_thread(thread(name))
        await store.commit(Change(thread_id="t1", opened=[interrupt("i1")]), at=T0)
        with pytest.raises(StoreError):
            await store.commit(
                Change(thread_id="t2", opened=[interrupt("i1", "t2")], events=[event("a")]), at=T0
            )
        assert await store.events("t2") == []

    async def test_of_many_answers_at_once_exactly_one_is_stored(self, store: Store) -> None:
        await store.create_thread(thread("t1"))
        record = interrupt("i1")
        await store.commit(Change(thread_id="t1", opened=[record]), at=T0)

        async def answer(by: str) -> str | None:
            move = Move(to=decided(record, by), expected={"open"})
            try:
                await store.commit(Change(thread_id="t1", moves=[move], events=[event(by)]), at=T0)
            except MoveLostError as lost:
                losers.append(lost.current)
                return None
            return by

        losers: list[InterruptRecord | None] = []
        won = [by for by in await asyncio.gather(*(answer(f"p{i}") for i in range(20))) if by]
        assert len(won) == 1
        assert all(r and r.decision and r.decision.by == won[0] for r in losers)
        stored = await store.interrupt("i1")
        assert stored is not None
        assert stored.decision is not None
        assert stored.decision.by == won[0]
        assert len(await store.events("t1")) == 1

    async def test_a_lost_move_leaves_nothing_of_its_change(self, store: Store) -> None:
        await store.create_thread(thread("t1"))
        one, two = interrupt("i1"), interrupt("i2")
        await store.commit(Change(thread_id="t1", opened=[one, two]), at=T0)
        change = Change(
            thread_id="t1",
            events=[event("a")],
            opened=[interrupt("i3")],
            moves=[
                Move(to=decided(one, "ann"), expected={"open"}),
                Move(to=decided(two, "ann"), expected={"sent"}),
            ],
            title="lost",
        )
        with pytest.raises(MoveLostError) as caught:
            await store.commit(change, at=T0)
        assert caught.value.interrupt_id == "i2"
        assert await store.interrupt("i1") == one
        assert await store.interrupt("i3") is None
        assert await store.events("t1") == []
        kept = await store.thread("t1")
        assert kept is not None
        assert kept.title == ""

    async def test_an_interrupt_does_not_move_in_another_threads_change(self, store: Store) -> None:
        for name in ("t1", "t2"):
            await store.create_thread(thread(name))
        record = interrupt("i1")
        await store.commit(Change(thread_id="t1", opened=[record]), at=T0)
        with pytest.raises(MoveLostError):
            await store.commit(
                Change(thread_id="t2", moves=[Move(to=decided(record, "ann"), expected={"open"})]), at=T0
            )
        assert await store.interrupt("i1") == record
