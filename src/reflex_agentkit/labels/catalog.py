"""The words of one chat: English, with what an app says in its own way."""

from __future__ import annotations

import difflib
import string
from collections.abc import Mapping

from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.labels.english import ENGLISH


def catalog(overrides: Mapping[str, str] | None = None) -> dict[str, str]:
    """All labels by key, English where `overrides` has nothing else.

    Raises:
        ConfigurationError: a key that does not exist (near ones are named), or a text with a `{value}` that
            this label does not have.
    """
    words = dict(ENGLISH)
    for key, text in (overrides or {}).items():
        if key not in ENGLISH:
            raise ConfigurationError(_unknown(key))
        strange = _values(text) - _values(ENGLISH[key])
        if strange:
            known = ", ".join(sorted(_values(ENGLISH[key]))) or "none"
            raise ConfigurationError(
                f"the label {key!r} uses {{{sorted(strange)[0]}}}, which it does not get; its values: {known}"
            )
        words[key] = text
    return words


def pick(words: Mapping[str, str], *groups: str) -> dict[str, str]:
    """The labels of some groups (`approval` for `approval.approve`), with the locale."""
    return {key: text for key, text in words.items() if key == "locale" or key.split(".", 1)[0] in groups}


def _unknown(key: str) -> str:
    near = difflib.get_close_matches(key, ENGLISH, n=3, cutoff=0.5)
    hint = f"; did you mean {', '.join(map(repr, near))}?" if near else ""
    return f"there is no label {key!r}{hint} (all keys: reflex_agentkit.labels.english.ENGLISH)"


def _values(text: str) -> set[str]:
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}
    except ValueError as error:
        raise ConfigurationError(f"the label text {text!r} cannot be filled in: {error}") from None
