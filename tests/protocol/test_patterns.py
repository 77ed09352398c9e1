"""Patterns mean what JSON Schema says, on both sides; what only one side could read is refused."""

from __future__ import annotations

import pytest

from reflex_agentkit.protocol.patterns import PatternError, matches, translated
from reflex_agentkit.protocol.schema import check


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        (r"^\d+$", ["12"], ["٣", "12\n", ""]),
        (r"^\w+$", ["a_1"], ["é", "a b"]),
        (r"\s", ["a b", "a\u00a0b", "\ufeff"], ["ab", "\u200b", "\x1c"]),
        ("^a.b$", ["axb", "a\u0085b"], ["a\nb", "a\u2028b", "a\rb"]),
        (r"^\p{Lu}\p{L}*$", ["Élan"], ["élan", "A1"]),
        ("^(?:ab|c){2,3}$", ["abc", "ccc"], ["ab", "cccc"]),
        ("^(?=.*[0-9])(?!x).+$", ["a1"], ["xa1", "ab"]),
        (r"\bfoo\b", ["a foo b"], ["food", "éfoo_"]),
        (r"^[^\d\-\]]+$", ["ab"], ["a1", "a-b", "a]"]),
        (r"^\u00e9\x41\u{1F600}$", ["éA😀"], ["eA"]),
        ("(?P<year>[0-9]{4})", ["in 2026"], ["26"]),
        (r"\Aab\Z", ["ab"], ["ab\n", "xab"]),
        ("^[a-]{1,}$", ["a-a"], ["b"]),
        ("^{x}$", ["{x}"], ["x"]),
    ],
)
def test_a_pattern_means_what_javascript_means_by_it(pattern: str, yes: list[str], no: list[str]) -> None:
    assert [text for text in yes if not matches(pattern, text)] == []
    assert [text for text in no if matches(pattern, text)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "a**",
        "a++",
        "*a",
        "^*",
        "(?=a)+",
        r"(a)\1",
        r"(?P<x>a)(?P=x)",
        "(?<=a)b",
        "(?i)a",
        "[]",
        "[z-a]",
        r"[\d-z]",
        r"\q",
        r"\u12",
        r"\ud83d",
        r"\p{Greek}",
        r"\p{IsAlpha}",
        "x{3,1}",
        "a" * 2001,
        "(" * 60 + ")" * 60,
        "(a{100}){1000}",
        "\\",
    ],
)
def test_what_one_side_alone_could_read_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        translated(pattern)
    [problem] = check("a", {"pattern": pattern})
    assert "cannot be checked" in problem.message


def test_a_pattern_of_a_field_that_is_not_there_is_looked_at_too() -> None:
    [problem] = check({}, {"properties": {"a": {"pattern": "("}}})
    assert "cannot be checked" in problem.message
