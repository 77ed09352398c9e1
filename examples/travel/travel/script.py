"""A model that is played by a script: it reads a few wishes, calls the tools, and types like a model does."""

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall

from travel.texts import GREETING, GUIDE, MENU
from travel.wishes import cities_in, nights_in

SECONDS_A_PIECE = 0.018


@dataclass
class Turn:
    """What the model says next: some thought, some text, then some calls."""

    text: str
    thought: str = ""
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    loses_connection: bool = False


async def play(messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[Any]:
    """Stream the next turn piece by piece, as `FunctionModel(stream_function=...)` wants it."""
    turn = next_turn(messages)
    for piece in _pieces(turn.thought):
        yield {0: DeltaThinkingPart(content=piece)}
        await asyncio.sleep(SECONDS_A_PIECE)
    for piece in _pieces(turn.text):
        yield piece
        await asyncio.sleep(SECONDS_A_PIECE)
    if turn.loses_connection:
        raise ConnectionError("the line to the model was cut (on purpose: try again and it works)")
    for place, (name, args) in enumerate(turn.calls, 1):
        yield {place: DeltaToolCall(name, json.dumps(args), tool_call_id=f"call-{uuid.uuid4().hex[:12]}")}


def next_turn(messages: list[ModelMessage]) -> Turn:
    """Decide by the last request alone: results of tools, or what the person wrote."""
    last = next(message for message in reversed(messages) if isinstance(message, ModelRequest))
    results = [part for part in last.parts if isinstance(part, ToolReturnPart)]
    said = [str(part.content) for part in last.parts if isinstance(part, UserPromptPart)]
    if said:
        return _to_words(said[-1])
    if results:
        return _to_results(results, messages)
    return Turn(GREETING + MENU)


def _to_words(text: str) -> Turn:
    wish = text.casefold()
    cities = cities_in(text)
    city = cities[0] if cities else "Lisbon"
    if "connection" in wish or "fail" in wish:
        return _once_lost(text)
    if "weather" in wish:
        return Turn("Let me look.", calls=[("weather", {"city": place}) for place in cities or [city]])
    if "which room" in wish or "choose" in wish or "room" in wish.split():
        return Turn("There are several rooms.", calls=[("choose_room", {"city": city})])
    if "cancel" in wish:
        return Turn(f"I will call the hotel in {city}.", calls=[("cancel_booking", {"city": city})])
    if "guide" in wish or "long" in wish or "plan" in wish:
        return Turn(GUIDE)
    if any(word in wish for word in ("book", "hotel", "night")):
        return _booking(wish, cities)
    return Turn(GREETING + MENU)


def _booking(wish: str, cities: list[str]) -> Turn:
    nights = nights_in(wish) or 2
    if len(cities) < 2 and re.search(r"\b(three|3) hotels?\b|\bround trip\b", wish):
        cities = ["Lisbon", "Porto", "Faro"]
    places = cities or ["Lisbon"]
    thought = (
        f"The traveller wants {nights} night(s) in {', '.join(places)}. A booking needs their yes first."
    )
    text = "I can book that. Please have a look at the details first."
    return Turn(text, thought, [("book_hotel", {"city": place, "nights": nights}) for place in places])


_lost: set[str] = set()


def _once_lost(text: str) -> Turn:
    """Break off in the middle of the answer, and answer whole when it is tried again."""
    if text in _lost:
        _lost.discard(text)
        return Turn("There I am again. Nothing was lost.")
    _lost.add(text)
    return Turn("One moment, the line is a bit", loses_connection=True)


def _to_results(results: list[ToolReturnPart], messages: list[ModelMessage]) -> Turn:
    room = next((part for part in results if part.tool_name == "choose_room"), None)
    if room is not None and str(room.content) in {"standard", "sea view", "suite"}:
        wanted = {"city": _city_asked(room.tool_call_id, messages), "nights": 2, "room": str(room.content)}
        return Turn(f"A **{room.content}** it is.", calls=[("book_hotel", wanted)])
    return Turn("\n\n".join(_about(part) for part in results) + "\n\nWhat else can I do for you?")


def _city_asked(tool_call_id: str, messages: list[ModelMessage]) -> str:
    for message in messages:
        for part in message.parts:
            if part.part_kind == "tool-call" and part.tool_call_id == tool_call_id:
                return str(part.args_as_dict().get("city", "Lisbon"))
    return "Lisbon"


def _about(part: ToolReturnPart) -> str:
    content = str(part.content).strip()
    if part.tool_name == "weather":
        return content
    if content.startswith("Booked"):
        first, *rest = content.split("\n", 1)
        note = " I kept to the details as you changed them." if rest or "edited" in content else ""
        return f"Done. {first.split(' Note:')[0]}{note}"
    told = content.replace("\n", "  \n> ")
    return f"All right, I left that alone. I was told:\n\n> {told}"


def _pieces(text: str) -> list[str]:
    """A text cut as models cut it: a few characters at a time, blanks before the word."""
    return re.findall(r"\s*\S{1,6}|\s+$", text)
