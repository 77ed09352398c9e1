"""What a tool gets for a number that a float cannot hold, approved plainly and edited."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from pydantic_ai import Agent

from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.adapters.pydantic_ai.numbers import exact
from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from tests.adapters.talk import Script, Talk, approved


class Stay(BaseModel):
    model_config = ConfigDict(strict=True)
    day: date


CASES: list[tuple[Any, str, Any]] = [
    (int, "9007199254740993", 9007199254740993),
    (Any, "9007199254740993", 9007199254740993),
    (Decimal, "9007199254740993", Decimal("9007199254740993")),
    (float, "1.0", 1.0),
    (Any, "1.0", 1.0),
    (Decimal, "12345678901234567.89", Decimal("12345678901234567.89")),
    (Any, "12345678901234567.89", Decimal("12345678901234567.89")),
    (float, "12345678901234567.89", 12345678901234567.89),
    (dict[str, Any], '{"a": [12345678901234567.89, 2]}', {"a": [Decimal("12345678901234567.89"), 2]}),
]


@pytest.mark.parametrize(("kind", "written", "wanted"), CASES)
@pytest.mark.parametrize("how", ["plain", "edited"])
async def test_the_tool_gets_the_number_that_was_decided_on(
    kind: Any, written: str, wanted: Any, how: str
) -> None:
    before = f'{{"value": {written}, "note": "a"}}'
    script = Script([("take", before)])
    agent = Agent(script.model())
    got: list[Any] = []

    async def take(value: Any, note: str) -> str:
        got.append(value)
        return note

    take.__annotations__["value"] = kind
    agent.tool_plain(take, requires_approval=True)
    talk = Talk(PydanticAIAgent(agent))
    assert (await talk.send("Take")).outcome.type == "interrupt"
    edited = json_text.read(f'{{"value": {written}, "note": "b"}}')
    run = await talk.go(approved(editedArgs=edited) if how == "edited" else approved())
    assert (got, type(got[0])) == ([wanted], type(wanted))
    if how == "edited":
        assert json_text.write(edited) in run.results["call-1a"]
    else:
        assert run.results == {"call-1a": "a"}


async def test_a_strict_model_takes_edited_dates_as_it_takes_them_from_the_model() -> None:
    script = Script([("stay", {"stay": {"day": "2030-01-02"}, "note": "a"})])
    agent = Agent(script.model())
    got: list[date] = []

    @agent.tool_plain(requires_approval=True)
    def stay(stay: Stay, note: str) -> str:
        """Stay."""
        got.append(stay.day)
        return note

    talk = Talk(PydanticAIAgent(agent))
    assert (await talk.send("Stay")).outcome.type == "interrupt"
    await talk.go(approved(editedArgs={"stay": {"day": "2030-01-03"}, "note": "a"}))
    assert got == [date(2030, 1, 3)]


def test_arguments_without_an_exact_number_stay_as_the_model_wrote_them() -> None:
    assert exact('{"a":  1}') == '{"a":  1}'
    assert exact("") == exact(None) == "{}"
    assert exact({"a": 1.0}) == '{"a": 1.0}'


@pytest.mark.parametrize("written", ["[]", "1", '{"a": 1', '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": 1e999}'])
def test_arguments_whose_value_cannot_be_kept_are_refused(written: str) -> None:
    with pytest.raises(InvalidJSONError):
        exact(written)
