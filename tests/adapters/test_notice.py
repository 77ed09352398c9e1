"""The words that a model is told about a person's decision."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from reflex_agentkit.adapters._notice import edit_notice, failure, named, rejection, with_notice

ARGS = {"city": "Zürich", "price": Decimal("12345678901234567.89"), "n": 1.0}


def test_the_edit_notice_holds_the_arguments_as_exact_json() -> None:
    assert edit_notice(ARGS).startswith(
        "Note: the user edited this tool call's arguments before approving it, so the tool ran with: "
        '{"city": "Zürich", "price": 12345678901234567.89, "n": 1.0}. '
        "These are the arguments the user wants: "
    )


@pytest.mark.parametrize("value", [{"a": 1}, [1, 2], 0, False, 1.5])
def test_a_result_that_is_no_text_keeps_its_value_beside_the_note(value: Any) -> None:
    assert with_notice(value, ARGS) == {"result": value, "note": edit_notice(ARGS)}


def test_the_notice_follows_a_text_and_stands_alone_without_one() -> None:
    assert with_notice("Booked.", ARGS) == f"Booked.\n\n{edit_notice(ARGS)}"
    assert with_notice(None, ARGS) == with_notice("", ARGS) == edit_notice(ARGS)


def test_a_rejection_carries_the_reason_and_says_not_to_retry() -> None:
    assert "Too expensive" in rejection("Too expensive")
    assert rejection(" ") == rejection(None)
    for text in (rejection(), rejection("x")):
        assert "did not run" in text
        assert "unless the user asks" in text


def test_a_failure_names_type_and_message() -> None:
    assert "RuntimeError: card service down" in failure(RuntimeError("card service down"))
    assert named(KeyError()) == "KeyError"
