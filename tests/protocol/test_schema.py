"""A JSON Schema as a check, with places and words; hostile schemas and values have limits."""

from __future__ import annotations

import socket
from decimal import Decimal
from typing import Any

import pytest

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.schema import MAX_PROBLEMS, check, check_args


def first(value: Any, schema: Any) -> tuple[str, str]:
    problem = check(value, schema)[0]
    return problem.path, problem.message


@pytest.mark.parametrize(
    ("value", "schema", "path", "words"),
    [
        ("5", {"type": "integer"}, "", 'Must be a whole number, not "5".'),
        ({"n": True}, {"properties": {"n": {"type": "number"}}}, "/n", "n: must be a number, not true."),
        ({}, {"required": ["to"]}, "/to", "to: is missing."),
        ({"a": 1}, {"additionalProperties": False}, "/a", "a: is not one of the fields."),
        (11, {"maximum": 10}, "", "Must be 10 or less, not 11."),
        (0, {"exclusiveMinimum": 0}, "", "Must be more than 0, not 0."),
        ("red", {"enum": ["blue", "green"]}, "", 'Must be one of "blue", "green".'),
        ("", {"minLength": 1}, "", "Must have at least 1 characters, not 0."),
        ([1, 1], {"uniqueItems": True}, "", "Must not hold the same entry twice."),
        ("x", {"pattern": "^[0-9]+$"}, "", "Does not match '^[0-9]+$'."),
        (
            [{"d": "no"}],
            {"items": {"properties": {"d": {"format": "date"}}}},
            "/0/d",
            "0.d: must be a valid date",
        ),
        ({"a/b": 1}, {"properties": {"a/b": {"type": "string"}}}, "/a~1b", "a/b: must be a text, not 1."),
        (3, {"const": 4}, "", "Must be 4."),
    ],
)
def test_a_problem_has_a_place_and_words(value: Any, schema: Any, path: str, words: str) -> None:
    found = first(value, schema)
    assert found[0] == path
    assert found[1].startswith(words)


def test_of_several_forms_only_the_one_that_was_meant_is_told() -> None:
    maybe = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}
    assert check(None, maybe) == []
    assert first(0, maybe)[1] == "Must be 1 or more, not 0."
    assert first("x", maybe)[1] == 'Must be a whole number or null, not "x".'


def test_every_problem_is_named_but_not_more_than_twenty() -> None:
    schema = {"items": {"type": "integer"}}
    assert [problem.path for problem in check(["a", 1, "b"], schema)] == ["/0", "/2"]
    assert len(check(["x"] * 100, schema)) == MAX_PROBLEMS


@pytest.mark.parametrize(
    ("format_", "good", "bad"),
    [
        ("date", ["2026-02-28"], ["2026-02-30", "20260228", "tomorrow", "2026-W09-6"]),
        (
            "time",
            ["10:00", "10:00:00", "23:59:59.5+01:00", "10:00:00z"],
            ["24:00", "9:00", "10", "1000", "noon", "10:00 +01:00"],
        ),
        (
            "date-time",
            ["2026-02-28T10:00:00Z", "2026-02-28t10:00:00.5+01:00"],
            ["2026-02-28T10:00:00", "2026-02-28", "now"],
        ),
        ("email", ["ann@example.test", "a.b+c@x.example.test"], ["ann", "a@", "@b", "a b@c.test", "a@b@c"]),
        (
            "uri",
            ["https://x.test/a?b=c#d", "mailto:a@x.test"],
            ["/a", "x.test", "http://a b", "http://[", ""],
        ),
    ],
)
def test_formats_are_checked(format_: str, good: list[str], bad: list[str]) -> None:
    schema = {"type": "string", "format": format_}
    assert [text for text in good if check(text, schema)] == []
    assert [text for text in bad if not check(text, schema)] == []


class TestNumbers:
    def test_exact_numbers_are_numbers(self) -> None:
        value = json_text.read("[12345678901234567.89, 9007199254740993, 1.0, 1e30]")
        assert check(value, {"items": {"type": "number"}}) == []
        assert [p.path for p in check(value, {"items": {"type": "integer"}})] == ["/0"]
        assert check(Decimal("12345678901234567890.0"), {"type": "integer"}) == []
        assert check(Decimal("12345678901234567.89"), {"type": "string"}) != []

    @pytest.mark.parametrize(
        ("value", "step", "fits"),
        [
            (Decimal("12345678901234567.89"), 0.01, True),
            (Decimal("12345678901234567.891"), 0.01, False),
            (0.3, 0.1, True),
            (0.35, 0.1, False),
            (9007199254740993, 2, False),
            (7, 3.5, True),
        ],
    )
    def test_multiples_are_exact(self, value: Any, step: Any, fits: bool) -> None:
        assert (check(value, {"multipleOf": step}) == []) is fits

    def test_limits_are_compared_exactly(self) -> None:
        assert check(9007199254740993, {"maximum": 9007199254740992}) != []
        assert check(Decimal("12345678901234567.89"), {"maximum": 12345678901234567}) != []

    def test_a_number_with_a_monstrous_exponent_is_refused(self) -> None:
        assert "exponent" in first(Decimal("1e-999999999"), {"multipleOf": 1})[1]

    def test_a_yes_is_not_a_one(self) -> None:
        assert check(True, {"enum": [1]}) != []
        assert check(1, {"const": True}) != []


class TestHostile:
    """S13: nothing is fetched, limits hold, and what cannot be checked is refused."""

    @pytest.mark.parametrize(
        "ref",
        ["https://evil.test/schema.json", "file:///etc/passwd", "other.json", "#/$defs/missing", "urn:x:y"],
    )
    def test_s13_a_reference_elsewhere_is_not_followed(
        self, ref: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_network(*_: Any, **__: Any) -> Any:
            raise AssertionError("something was fetched")

        monkeypatch.setattr(socket, "create_connection", no_network)
        monkeypatch.setattr("urllib.request.urlopen", no_network)
        [problem] = check({"a": 1}, {"properties": {"a": {"$ref": ref}}})
        assert "cannot be checked" in problem.message

    def test_s13_a_schema_that_leads_back_to_itself(self) -> None:
        tree = {"$ref": "#/$defs/T", "$defs": {"T": {"properties": {"t": {"$ref": "#/$defs/T"}}}}}
        assert check({"t": {"t": {}}}, tree) == []
        [problem] = check(1, {"$ref": "#"})
        assert "cannot be checked" in problem.message

    @pytest.mark.parametrize(
        "schema",
        [
            {"pattern": "^(a|aa)+$"},
            {"patternProperties": {"^(a|aa)+$": {}}},
            {"patternProperties": {"^(a|aa)+$": {}}, "additionalProperties": False},
            {"properties": {}, "patternProperties": {"^(a|aa)+$": {}}, "unevaluatedProperties": False},
        ],
    )
    def test_s13_a_pattern_that_takes_for_ever(self, schema: Any) -> None:
        text = "a" * 40 + "!"
        [problem] = check(text if "pattern" in schema else {text: 1}, schema)
        assert "cannot be checked" in problem.message

    def test_s13_a_pattern_of_forty_letters_answers_at_once(self) -> None:
        assert first("a" * 40 + "!", {"pattern": "^(a+)+$"})[1].startswith("Does not match")

    @pytest.mark.parametrize("pattern", ["(", "x" * 2_001, "[z-a]"])
    def test_a_pattern_that_is_none_refuses(self, pattern: str) -> None:
        assert "cannot be checked" in check("x", {"pattern": pattern})[0].message

    @pytest.mark.parametrize(
        "schema",
        [{"type": "sandwich"}, {"type": 5}, {"minimum": "1"}, {"properties": []}, [], None, "x", {"$ref": 5}],
    )
    def test_a_schema_that_is_none_refuses(self, schema: Any) -> None:
        assert "cannot be checked" in check(1, schema)[0].message

    def test_s13_five_thousand_fields(self) -> None:
        schema = {"properties": {f"f{n}": {"type": "integer"} for n in range(5_000)}}
        assert check({f"f{n}": n for n in range(5_000)}, schema) == []

    @pytest.mark.parametrize(
        ("value", "limit"),
        [
            ("x" * 2_000_001, "2,000,000"),
            (list(range(100_001)), "100,000"),
            ({"k" * 2_000_001: 1}, "2,000,000"),
        ],
    )
    def test_what_is_too_large_is_refused_with_the_limit(self, value: Any, limit: str) -> None:
        assert limit in first(value, True)[1]


class TestArguments:
    SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}}

    @pytest.mark.parametrize("value", [None, [], "x", 5, True])
    def test_arguments_are_an_object(self, value: Any) -> None:
        [problem] = check_args(value, self.SCHEMA)
        assert "object" in problem.message

    @pytest.mark.parametrize(
        "schema",
        [
            SCHEMA,
            {"$ref": "#/$defs/A", "$defs": {"A": SCHEMA}},
            {"allOf": [SCHEMA]},
            {"anyOf": [SCHEMA, {"type": "null"}]},
            {**SCHEMA, "additionalProperties": False},
            {**SCHEMA, "$schema": "http://json-schema.org/draft-07/schema#"},
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "$ref": "#/definitions/A",
                "definitions": {"A": SCHEMA},
            },
            {**SCHEMA, "patternProperties": {"^x-": {}}},
        ],
    )
    @pytest.mark.parametrize("extra", ["is_admin", "__proto__", "constructor", ""])
    def test_a_field_that_the_tool_does_not_have_is_refused(self, schema: Any, extra: str) -> None:
        assert check_args({"to": "Ann"}, schema) == []
        problems = check_args({"to": "Ann", extra: 1}, schema)
        assert [problem.path for problem in problems] == [f"/{extra}"]
        assert "not one of the fields" in problems[0].message

    @pytest.mark.parametrize("allowed", [True, {}, {"type": "integer"}])
    def test_further_fields_pass_where_the_root_allows_them(self, allowed: Any) -> None:
        assert check_args({"to": "Ann", "n": 1}, {**self.SCHEMA, "additionalProperties": allowed}) == []

    def test_fields_of_an_inner_object_are_its_own_matter(self) -> None:
        schema = {"properties": {"who": {"type": "object", "properties": {"name": {}}}}}
        assert check_args({"who": {"name": "Ann", "age": 4}}, schema) == []
