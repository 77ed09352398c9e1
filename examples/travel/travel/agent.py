"""A travel agent that looks things up freely and asks before it books.

Set `AGENTKIT_DEMO_MODEL` to a model name of pydantic-ai (`openai:gpt-5-mini`, ...) to have a real model use
the same tools. Without it a script plays the model, so that the demo needs no key and no network.
"""

import os
from typing import Annotated, Literal

from pydantic import Field
from pydantic_ai import Agent, CallDeferred
from pydantic_ai.models.function import FunctionModel

from travel.script import play

Room = Literal["standard", "sea view", "suite"]

travel_agent = Agent(
    os.environ.get("AGENTKIT_DEMO_MODEL") or FunctionModel(stream_function=play, model_name="scripted"),
    instructions=(
        "You are a friendly travel agent. Book hotels with book_hotel, one call for each hotel. "
        "The traveller approves each booking before it happens, so do not ask for permission yourself. "
        "When it is not clear which room they want, use choose_room. Answer in short Markdown."
    ),
)


@travel_agent.tool_plain(requires_approval=True)
def book_hotel(city: str, nights: Annotated[int, Field(ge=1, le=30)], room: Room = "standard") -> str:
    """Book a hotel room."""
    extra = "" if room == "standard" else f" Room: {room}."
    return f"Booked {nights} {'night' if nights == 1 else 'nights'} in {city}.{extra}"


@travel_agent.tool_plain(requires_approval=True)
def cancel_booking(city: str) -> str:
    """Cancel the hotel booking in a city."""
    raise ConnectionError(f"the hotel in {city} does not answer the phone")


@travel_agent.tool_plain
def weather(city: str) -> str:
    """Tell the weather in a city."""
    skies = ("sunny", "partly cloudy", "rainy", "windy", "misty")
    seed = sum(city.casefold().encode())
    return f"{city}: {skies[seed % len(skies)]}, {8 + seed % 19} °C"


@travel_agent.tool_plain
def choose_room(city: str) -> str:
    """Ask the traveller which room they want."""
    raise CallDeferred(
        kind="question",
        metadata={
            "message": f"Which room would you like in {city}?",
            "responseSchema": {"type": "string", "enum": ["standard", "sea view", "suite"]},
        },
    )
