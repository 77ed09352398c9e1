"""Find cities and nights in what a person typed."""

import re

KNOWN = (
    "Amsterdam", "Athens", "Berlin", "Faro", "Kyoto", "Lisbon", "London", "Madrid", "New York", "Oslo",
    "Paris", "Porto", "Prague", "Rome", "Tokyo", "Vienna", "Zurich",
)  # fmt: skip
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def cities_in(text: str) -> list[str]:
    """The cities that a text names, in its order: well known ones, and any name after "in" or "to"."""
    found = {
        place.start(): city for city in KNOWN for place in re.finditer(rf"\b{city}\b", text, re.IGNORECASE)
    }
    for place in re.finditer(r"\b(?:in|to)\s+([^\W\d_a-z][\w'-]*(?:\s[^\W\d_a-z][\w'-]*)*)", text):
        found.setdefault(place.start(1), place.group(1))
    return list(dict.fromkeys(found[start] for start in sorted(found)))


def nights_in(text: str) -> int | None:
    """How many nights a text asks for, in figures or in words."""
    place = re.search(r"\b(\d{1,3}|\w+)\s+nights?\b", text, re.IGNORECASE)
    if place is None:
        return None
    word = place.group(1).casefold()
    if word.isdecimal():
        return int(word)
    return 1 if word in {"a", "an"} else NUMBERS.index(word) if word in NUMBERS else None
