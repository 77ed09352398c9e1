"""Everything that can go wrong, in one tree.

    AgentKitError
    ├── ConfigurationError          a part was set up wrongly; raised when it is built
    ├── AdapterNotInstalledError    an adapter's extra is missing (also an ImportError)
    ├── ProtocolError               something is not AG-UI
    │   ├── InvalidJSONError        a text is not JSON that we can keep the value of
    │   ├── MalformedEventError     one event or run input has a wrong shape
    │   └── EventOrderError         an event came where it may not come
    ├── InvalidAnswerError          an answer does not fit what was asked
    ├── RefusedError                an act is not possible now; carries a stable code
    ├── GateError                   a tool must not run: what was approved is not what would run
    └── StoreError                  facts could not be kept or read

Errors that a person or a program acts on carry facts as attributes beside the sentence.
"""

from __future__ import annotations


class AgentKitError(Exception):
    """The root of all errors that this library raises on purpose."""


class ConfigurationError(AgentKitError):
    """A part was set up in a way that cannot work. Raised when the object is built."""


class AdapterNotInstalledError(AgentKitError, ImportError):
    """The framework behind an adapter is not installed; the message is the line that installs it."""


class ProtocolError(AgentKitError):
    """A stream or an input is not AG-UI."""


class InvalidJSONError(ProtocolError):
    """A text is not JSON, or holds a number whose value could not be kept.

    `line` and `column` count from 1 and are 0 where no place is known.
    """

    def __init__(self, message: str, *, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class MalformedEventError(ProtocolError):
    """One event or run input has a known type and a wrong shape. `path` is where, as a JSON pointer."""

    def __init__(self, message: str, *, path: str = "", index: int | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.index = index


class EventOrderError(ProtocolError):
    """An event came where it may not come. `index` counts the events of the stream from 0."""

    def __init__(self, message: str, *, index: int) -> None:
        super().__init__(message)
        self.index = index


class InvalidAnswerError(AgentKitError):
    """An answer does not fit what was asked.

    `code` is stable (`invalid_answer` or `not_allowed`), `path` is the place as a JSON pointer
    inside the answer, `problems` lists every place that is wrong.
    """

    def __init__(
        self, message: str, *, code: str = "invalid_answer", path: str = "", problems: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.problems = problems or (message,)


class RefusedError(AgentKitError):
    """An act is not possible now, and nothing was changed. `code` is stable, the message is for a person."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class GateError(AgentKitError):
    """A tool was stopped at the gate: no decision covers the call, or it differs from what was approved."""


class StoreError(AgentKitError):
    """Facts could not be kept or read."""
