"""Several people, the clock and failures act on one thread at the same time, in hundreds of seeded orders.

Whatever the order: an approved call runs at most once and as it was approved, a refused one never; every
decision and every message is in the log once; the thread can always be gone on with.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest
from ag_ui.core import RunErrorEvent, RunFinishedEvent, RunStartedEvent

from reflex_agentkit.errors import AgentKitError
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.fold.dispatch import Fold
from reflex_agentkit.protocol.notes import DECIDED
from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Refused, Reject
from reflex_agentkit.testing.fakes import CountingIds, FakeClock
from tests.breaking.careless_agent import CarelessAgent
from tests.breaking.slow_store import SlowStore, turns

SEEDS = range(90)
THREAD = "t"
EDITED = 1_000_000
"""An edit adds this to the number of a call."""


class Scene:
    """A kit on a slow store, and people who act at random."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.clock = FakeClock()
        self.store = SlowStore(self.chance)
        self.agent = CarelessAgent(
            self.chance,
            clock=self.clock,
            same_ids=seed % 2 == 0,
            deaf=seed % 5 == 0,
            expires=seed % 3 == 0,
        )
        self.kit = AgentKit(self.agent, store=self.store, clock=self.clock, ids=CountingIds())
        self.fails = seed % 4 == 1
        self.said: list[str] = []
        self.perhaps_said: list[str] = []
        self.answered: set[str] = set()
        self.broken: list[BaseException] = []

    async def person(self, name: str) -> None:
        for number in range(12):
            await turns(self.chance, 30)
            act = asyncio.create_task(self._act(name, f"{name} {number}"))
            if self.chance.random() < 0.2:  # the tab is closed in the middle of it
                await turns(self.chance, 20)
                act.cancel()
            await asyncio.wait({act})
            error = None if act.cancelled() else act.exception()
            if error is not None and not isinstance(error, AgentKitError | ConnectionError):
                self.broken.append(error)

    async def _act(self, name: str, text: str) -> None:
        if self.fails and self.chance.random() < 0.1:
            self.store.fails = self.chance.randrange(1, 3)
        match self.chance.choices(range(6), weights=(12, 4, 4, 8, 8, 64))[0]:
            case 0:
                await self._say(self.kit.send, text)
            case 1:
                await self._say(self.kit.cancel_and_send, text)
            case 2:
                await self.kit.cancel(THREAD, by=name)
            case 3:
                await self.kit.retry(THREAD)
            case 4:
                self.clock.move(1)
                await self.kit.expire_due()
            case _:
                await self._answer(name)

    async def _say(self, send, text: str) -> None:
        self.perhaps_said.append(text)
        await send(THREAD, text)
        self.said.append(text)

    async def _answer(self, name: str) -> None:
        pending = await self.kit.pending(THREAD)
        if not pending:
            await self.kit.wait(THREAD)
            pending = await self.kit.pending(THREAD)
        if not pending:
            return
        one = self.chance.choice(pending)
        if one.kind == "question":
            answer = self.chance.choice([Answer(self.chance.randrange(3)), Cancel()])
        else:
            edited = {"number": one.args["number"] + EDITED}
            answer = self.chance.choice([Approve(), Approve(), Approve(edited), Reject("no")])
        outcome = await self.kit.answer(one.id, answer, by=name)
        if not isinstance(outcome, Refused):
            self.answered.add(one.id)

    async def play(self) -> None:
        async with asyncio.timeout(20):
            await self.kit.send(THREAD, "Hello")
            await asyncio.gather(*(self.person(name) for name in ("ann", "bob", "cid")))
            self.store.fails = 0
            await self.kit.expire_due()
            await self.kit.wait(THREAD)
            for _ in range(200):  # what was left behind by closed tabs comes to its end
                await asyncio.sleep(0)
            await self.kit.wait(THREAD)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("reflex_agentkit.runs.drive.GRACE", 0.01)


async def decided_notes(scene: Scene) -> list[dict]:
    events = [item.event for item in await scene.store.kept.events(THREAD)]
    return [event.value for event in events if getattr(event, "name", "") == DECIDED]


async def check_executions(scene: Scene) -> None:
    ran = Counter(args["number"] % EDITED for args in scene.agent.ran)
    assert all(times == 1 for times in ran.values()), f"ran more than once: {ran}"
    records = await scene.store.kept.interrupts(THREAD)
    approvals = {r.pending.args["number"]: r for r in records if r.pending.kind == "approval"}
    assert set(ran) <= set(approvals), "a call ran that nobody was asked about"
    for args in scene.agent.ran:
        decision = approvals[args["number"] % EDITED].decision
        assert decision is not None
        assert decision.verdict == ("edited" if args["number"] > EDITED else "approved")


async def check_log(scene: Scene) -> None:
    notes = await decided_notes(scene)
    for record in await scene.store.kept.interrupts(THREAD):
        verdicts = [note["verdict"] for note in notes if note["interrupt_id"] == record.id]
        assert len(verdicts) == len(set(verdicts)), f"{record.id} was decided twice: {verdicts}"
        assert verdicts[-1:] == ([record.decision.verdict] if record.decision else [])
        assert len(verdicts) < 2 or verdicts[1:] == ["cancelled"], "only a cancellation takes a decision back"
        assert record.id not in scene.answered or verdicts, "an answer that was taken is not in the log"
    events = [item.event for item in await scene.store.kept.events(THREAD)]
    open_run = ""
    for event in events:
        if isinstance(event, RunStartedEvent):
            assert not open_run, "a run began in another one"
            open_run = event.run_id
        elif isinstance(event, RunFinishedEvent | RunErrorEvent):
            assert open_run, "an end without a run"
            open_run = ""
    assert not open_run, "a run without an end"
    fold = Fold()
    for event in events:
        fold.apply(event)
    assert fold.conversation() == await scene.kit.conversation(THREAD), "a screen shows something else"


async def check_messages(scene: Scene) -> None:
    shown = Counter(m.text for m in (await scene.kit.conversation(THREAD)).messages if m.role == "user")
    assert all(shown[text] == 1 for text in scene.said), "a message that was taken is not there once"
    assert all(shown[text] <= 1 for text in scene.perhaps_said)


async def check_goes_on(scene: Scene) -> None:
    status = (await scene.kit.conversation(THREAD)).run_status
    pending = await scene.kit.pending(THREAD)
    assert status != "running"
    assert (status == "awaiting_input") == bool(pending), f"{status}, and {len(pending)} to answer"
    runs = await scene.store.kept.runs(THREAD)
    assert "running" not in {run.state for run in runs}
    await scene.kit.cancel_and_send(THREAD, "and on")
    assert await scene.kit.wait(THREAD) != "running"


@pytest.mark.parametrize("seed", SEEDS)
async def test_in_whatever_order_nothing_runs_twice_or_unasked_and_nothing_is_lost(seed, quick):
    scene = Scene(seed)
    async with scene.kit:
        await scene.play()
        assert not scene.broken
        await check_executions(scene)
        await check_log(scene)
        await check_messages(scene)
        await check_goes_on(scene)
