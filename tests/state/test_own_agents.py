"""One agent per user, and people with names."""

from __future__ import annotations

from typing import Any

from reflex_agentkit import AgentKit, AgentState, Principal
from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.testing.streams import pauses, question, says

AGENTS: dict[str, ScriptedAgent] = {}


class OwnState(AgentState):
    async def get_user(self) -> Principal:
        token = self.router.session.client_token
        return Principal(token, token.upper())

    async def get_agent(self) -> Any:
        user = await self.get_user()
        return AGENTS.setdefault(
            user.id, ScriptedAgent(pauses(question("q")), says("m", f"Bye {user.name}."))
        )


async def test_each_person_has_an_agent_and_answers_in_their_name(page):
    AGENTS.clear()
    async with AgentKit(store="memory:") as kit:
        OwnState.kit = kit
        for tab in ("anna", "bob"):
            await page.fire(OwnState.send_message("Hi"), tab)
            thread_id = (await page.show(OwnState, tab)).thread_id
            await kit.wait(thread_id)
            await page.fire(OwnState.sync(0), tab)
            await page.fire(OwnState.respond_to_interrupt("3"), tab)
            await kit.wait(thread_id)
            await page.fire(OwnState.sync(0), tab)
            state = await page.show(OwnState, tab)
            assert state.messages[-1].text == f"Bye {tab.upper()}."
            assert [m.decision.by for m in state.messages if m.role == "decision"] == [tab.upper()]
            assert (await kit.thread(thread_id)).user == tab
    assert [len(agent.inputs) for agent in AGENTS.values()] == [2, 2]
