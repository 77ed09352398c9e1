"""Tools of MCP servers: those that ask wait, and run behind the fence as they were approved."""

from __future__ import annotations

from typing import Any

from agents import Agent
from agents.mcp import MCPServer
from mcp.types import CallToolResult, GetPromptResult, ListPromptsResult, TextContent
from mcp.types import Tool as MCPTool

from reflex_agentkit.ids import RandomIds
from reflex_agentkit.protocol.verdicts import Approve
from reflex_agentkit.store.memory import MemoryStore
from tests.adapters.openai_agents.scripted import model, run_of, talk, told
from tests.adapters.talk import CountingGate, approved, refused

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


class Files(MCPServer):
    """A server in this process with one tool that asks and one that does not."""

    def __init__(self, deleted: list[str]) -> None:
        super().__init__(require_approval={"delete": "always", "stat": "never"})
        self.deleted = deleted

    @property
    def name(self) -> str:
        return "files"

    async def connect(self) -> None: ...

    async def cleanup(self) -> None: ...

    async def list_tools(self, run_context: Any = None, agent: Any = None) -> list[MCPTool]:
        return [MCPTool(name=name, description=name, inputSchema=SCHEMA) for name in ("delete", "stat")]

    async def call_tool(self, tool_name: str, arguments: Any, meta: Any = None) -> CallToolResult:
        if tool_name == "delete":
            self.deleted.append(arguments["path"])
        return CallToolResult(content=[TextContent(type="text", text=f"{tool_name} {arguments['path']}")])

    async def list_prompts(self) -> ListPromptsResult:
        return ListPromptsResult(prompts=[])

    async def get_prompt(self, name: str, arguments: Any = None) -> GetPromptResult:
        raise NotImplementedError


CALLS = [("delete", {"path": "/a"}), ("stat", {"path": "/b"})]


def agent_of(deleted: list[str], *lines: Any) -> Agent:
    return Agent(name="files", model=model(*lines), mcp_servers=[Files(deleted)])


async def test_a_tool_of_a_server_waits_and_runs_as_it_was_approved(gate: CountingGate) -> None:
    deleted: list[str] = []
    thread = talk(agent_of(deleted, CALLS, "Done."))
    run = await thread.send("Hi")
    [asked] = run.interrupts
    assert (asked.metadata["toolName"], run.results) == ("delete", {"call-1b": "stat /b"})
    assert asked.response_schema["properties"]["editedArgs"]["required"] == ["path"]
    run = await thread.go(approved(asked.id, editedArgs={"path": "/c"}))
    assert (deleted, gate.begun) == (["/c"], [("call-1a", "delete", {"path": "/c"})])
    assert run.results["call-1a"].startswith("delete /c\n\nNote: ")


async def test_a_refused_tool_of_a_server_is_not_called() -> None:
    deleted: list[str] = []
    agent = agent_of(deleted, CALLS, "Done.")
    thread = talk(agent)
    await thread.send("Hi")
    await thread.go(refused("call-1a", reason="keep it"))
    assert deleted == []
    assert "keep it" in told(agent)["call-1a"]


async def test_another_process_calls_it_with_a_server_of_its_own(make_kit: Any) -> None:
    deleted: list[str] = []
    store = MemoryStore()
    first = await make_kit(run_of(agent_of([], CALLS)), store=store)
    await first.send("t", "Hi")
    await first.wait("t")
    second = await make_kit(run_of(agent_of(deleted, "Done.")), store=store, ids=RandomIds())
    [asked] = await second.pending("t")
    await second.answer(asked.id, Approve(), by="ann")
    assert (await second.wait("t"), deleted) == ("idle", ["/a"])
