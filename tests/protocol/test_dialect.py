"""What of JSON Schema is checked: the part that the page and the server read alike."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.keywords import MOST_REFERENCES
from reflex_agentkit.protocol.schema import check

TREE = {
    "$ref": "#/$defs/T",
    "$defs": {"T": {"properties": {"t": {"$ref": "#/$defs/T"}, "n": {"type": "integer"}}}},
}


@pytest.mark.parametrize(
    "schema",
    [
        {"$dynamicRef": "#x"},
        {"properties": {"a": {"$id": "https://example.test/a"}}},
        {"$ref": "#name", "$defs": {"A": {"$anchor": "name"}}},
        {"$schema": "http://json-schema.org/draft-03/schema#"},
    ],
)
def test_what_the_page_does_not_read_is_refused(schema: dict[str, Any]) -> None:
    [problem] = check({}, schema)
    assert "cannot be checked" in problem.message


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"n": "not a number"}
    for _ in range(levels):
        value = {"t": value}
    return value


def test_a_schema_leads_into_itself_as_often_as_the_page_follows() -> None:
    [problem] = check(nested(MOST_REFERENCES - 1), TREE)
    assert "must be a whole number" in problem.message
    [problem] = check(nested(MOST_REFERENCES), TREE)
    assert "cannot be checked" in problem.message


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        ("0.3", {"minimum": 0.3}, True),
        ("0.29999999999999999", {"minimum": 0.3}, False),
        ("12345678901234567.89", {"enum": [Decimal("12345678901234567.89")]}, True),
        ("12345678901234567.88", {"enum": [Decimal("12345678901234567.89")]}, False),
        ("[0.1, 0.10]", {"uniqueItems": True}, False),
        ("[1, 1.0]", {"uniqueItems": True}, False),
        ("[1, true, [1], [true]]", {"uniqueItems": True}, True),
        ("9007199254740993", {"const": 9007199254740992}, False),
        ('{"a": 1}', {"const": {"a": 1.0}}, True),
    ],
)
def test_numbers_are_compared_by_their_digits(value: str, schema: dict[str, Any], fits: bool) -> None:
    assert (check(json_text.read(value), schema) == []) is fits


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "time",
            ["18:30", "18:30:00", "18:30:00.5+01:00", "00:00Z"],
            ["24:00", "6:30", "18:30:60", "18:30+0100", "18:30\n"],
        ),
        (
            "uuid",
            ["123e4567-E89B-12d3-a456-426614174000"],
            ["123e4567e89b12d3a456426614174000", "{123e4567-e89b}"],
        ),
        (
            "date-time",
            ["2026-02-28 10:00Z"],
            ["2026-W09-6T10:00Z", "2026-02-28T10Z", "2026-02-28T10:00:00+25:00"],
        ),
        (
            "uri",
            ["file:///x", "http://[::1]:80/", "urn:a:b"],
            ["mailto:", "x:?q", "http://a]b", "http://é.test", "//x"],
        ),
        ("email", ["é@ü.test"], ["a@b..c", "a\u200b@b", "a@b\u00a0c"]),
    ],
)
def test_formats_are_those_of_the_page(name: str, good: list[str], bad: list[str]) -> None:
    schema = {"format": name}
    assert [text for text in good if check(text, schema)] == []
    assert [text for text in bad if not check(text, schema)] == []


def test_another_format_is_only_a_hint() -> None:
    assert check("anything", {"format": "ipv4"}) == []
