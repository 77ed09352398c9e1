"""The fixtures of other tests that these use too."""

from tests.state.conftest import chat, page

__all__ = ["chat", "page"]
