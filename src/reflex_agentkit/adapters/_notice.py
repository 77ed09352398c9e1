"""What a model is told about a person's decision: one wording for every framework."""

from __future__ import annotations

from typing import Any, Final

from reflex_agentkit.protocol import json_text

NOT_AGAIN: Final = "Do not call the tool again for this unless the user asks for it."
"""Ends every rejection, so that a model does not take the refusal for a fault."""


def edit_notice(args: dict[str, Any]) -> str:
    """Says that a person changed the arguments on purpose, and what they are, as exact JSON.

    Without it a model takes the edited result for a mistake and calls the tool again.
    """
    return (
        "Note: the user edited this tool call's arguments before approving it, so the tool ran with: "
        f"{json_text.write(args)}. These are the arguments the user wants: do not correct them, and do not "
        "call the tool again with other arguments unless the user asks for it."
    )


def with_notice(result: Any, args: dict[str, Any]) -> Any:
    """A tool's result with the edit notice.

    A text gets it appended and nothing becomes the notice alone; any other value is wrapped as
    `{"result": value, "note": notice}`, so that the value keeps its type.
    """
    notice = edit_notice(args)
    if result is None or result == "":
        return notice
    if isinstance(result, str):
        return f"{result}\n\n{notice}"
    return {"result": result, "note": notice}


def rejection(reason: str | None = None) -> str:
    """The result of a call that a person refused, with the reason if there was one."""
    told = (reason or "").strip()
    why = f" The reason given: {told}" if told else " No reason was given."
    return f"The user refused this tool call, so the tool did not run.{why}\n{NOT_AGAIN}"


def cancellation(*, expired: bool = False) -> str:
    """The result of a call or a question that was cancelled, or that nobody answered in time."""
    if expired:
        return (
            "The request expired before anybody answered it, so nothing was done. "
            "Do not repeat it unless the user asks for it."
        )
    return (
        "The user cancelled the request, so nothing was done. Do not repeat it unless the user asks for it."
    )


def failure(error: BaseException) -> str:
    """The result of an approved call whose tool raised: it names the error and says what to make of it."""
    return (
        f"The tool failed with {named(error)}\n"
        "It may have taken effect in part. Do not call it again unless the user asks for it."
    )


def interruption() -> str:
    """The result of a call that an earlier run left without one."""
    return (
        "No result: the run ended before this tool gave one, and it may or may not have taken effect. "
        "Do not repeat the call unless the user asks for it."
    )


def left_out() -> str:
    """The result of a call that nobody decided about and that the agent went on without."""
    return (
        "This call was not run: nobody decided about it, and the agent went on without it. "
        "Ask the user before you make it again."
    )


def named(error: BaseException) -> str:
    """An exception as text: its type, and its message where it has one."""
    name, message = type(error).__name__, str(error).strip()
    return f"{name}: {message}" if message else name
