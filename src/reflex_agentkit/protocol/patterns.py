"""Patterns of a schema, in the part of regular expressions that a browser and the server read alike.

Patterns come from pydantic, from hand-written schemas and from JavaScript, whose dialects differ in what
`\\d`, `$` and `.` mean. Here they mean what JSON Schema says, which is JavaScript. References back, looking
behind, flags and possessive repeats are refused: the page, which matches in one pass over the text, has none.
`components/pattern.js` is the counterpart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NoReturn, TypeAlias

import regex

SECONDS: Final = 0.1
"""How long one pattern may take on one text."""

LONGEST: Final = 2_000
DEEPEST: Final = 50
MOST_STATES: Final = 20_000

_Range: TypeAlias = tuple[int, int]

_LAST: Final = 0x10FFFF
_SETS: Final[dict[str, tuple[_Range, ...]]] = {
    "d": ((48, 57),),
    "w": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "s": (
        (9, 13), (32, 32), (160, 160), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
        (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
    ),
}  # fmt: skip
_WORD: Final = "[0-9A-Za-z_]"
_EDGE: Final = f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
_INSIDE: Final = f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"
_PLACES: Final = {"b": _EDGE, "B": _INSIDE, "A": r"\A", "Z": r"\Z", "z": r"\Z"}
_CONTROLS: Final = {"n": 10, "r": 13, "t": 9, "v": 11, "f": 12, "0": 0}
_CATEGORY: Final = re.compile(
    r"\{(C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)\}", re.ASCII
)
_NAME: Final = re.compile(r"P?<[A-Za-z_][0-9A-Za-z_]{0,40}>")
_COUNTED: Final = re.compile(r"\{([0-9]{1,4})(?:(,)([0-9]{0,4}))?\}")


class PatternError(ValueError):
    """A text is no pattern, or one that cannot be matched on both sides alike."""


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text.

    Raises:
        PatternError: it is no pattern that can be used, or takes too long.
    """
    try:
        return _compiled(pattern).search(text, timeout=SECONDS) is not None
    except TimeoutError:
        raise PatternError(f"the pattern {pattern[:60]!r} takes too long") from None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(translated(pattern))


@lru_cache(maxsize=512)
def translated(pattern: str) -> str:
    """The pattern for the module `regex`, with every sign spelled out.

    Raises:
        PatternError: it is too long, too large when its repeats are written out, or not a pattern of ours.
    """
    if len(pattern) > LONGEST:
        raise PatternError(f"a pattern of {len(pattern):,} characters")
    reader = _Reader(pattern)
    found, states = reader.choice()
    if reader.at < len(pattern) or states > MOST_STATES:
        reader.fail()
    return found


@dataclass(slots=True)
class _Reader:
    """Reads a pattern from left to right; each part gives its translation and how many states it needs."""

    source: str
    at: int = 0
    deep: int = field(default=0)

    def fail(self) -> NoReturn:
        raise PatternError(f"{self.source[:60]!r} is not a pattern that can be checked")

    def take(self, text: str) -> bool:
        if not self.source.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def next(self) -> str:
        if self.at >= len(self.source):
            self.fail()
        self.at += 1
        return self.source[self.at - 1]

    def choice(self) -> tuple[str, int]:
        ways = [self._row()]
        while self.take("|"):
            ways.append(self._row())
        if len(ways) == 1:
            return ways[0]
        return f"(?:{'|'.join(text for text, _ in ways)})", 1 + sum(states for _, states in ways)

    def _row(self) -> tuple[str, int]:
        parts: list[tuple[str, int]] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            parts.append(self._part())
        return "".join(text for text, _ in parts), sum(states for _, states in parts)

    def _part(self) -> tuple[str, int]:
        text, states, repeatable = self._atom()
        times = self._times()
        if times is None:
            return text, states
        least, most = times
        self.take("?")
        if not repeatable or self._repeats():
            self.fail()
        if most is None:
            return f"(?:{text}){{{least},}}", 1 + states * (1 + least)
        return f"(?:{text}){{{least},{most}}}", states * least + (1 + states) * (most - least)

    def _repeats(self) -> bool:
        return self.source[self.at : self.at + 1] in ("*", "+", "?") or self._counted() is not None

    def _counted(self) -> re.Match[str] | None:
        return _COUNTED.match(self.source, self.at)

    def _times(self) -> tuple[int, int | None] | None:
        for sign, times in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(sign):
                return times
        found = self._counted()
        if found is None:
            return None
        self.at = found.end()
        least = int(found[1])
        most = (int(found[3]) if found[3] else None) if found[2] else least
        if most is not None and most < least:
            self.fail()
        return least, most

    def _atom(self) -> tuple[str, int, bool]:
        if self._repeats():
            self.fail()
        sign = self.next()
        if sign in "^$":
            return (r"\A" if sign == "^" else r"\Z"), 1, False
        if sign == ".":
            return "[^\\n\\r\\u2028\\u2029]", 1, True
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._set(), 1, True
        if sign != "\\":
            return _spelled(ord(sign)), 1, True
        for letter, place in _PLACES.items():
            if self.take(letter):
                return place, 1, False
        escape = self._escape()
        return (_spelled(escape) if isinstance(escape, int) else f"[{escape}]"), 1, True

    def _group(self) -> tuple[str, int, bool]:
        opening = "(?:"
        if self.take("?"):
            if self.take("="):
                opening = "(?="
            elif self.take("!"):
                opening = "(?!"
            elif not self.take(":"):
                self._name()
        self.deep += 1
        if self.deep > DEEPEST:
            self.fail()
        text, states = self.choice()
        self.deep -= 1
        if not self.take(")"):
            self.fail()
        looks = opening != "(?:"
        return f"{opening}{text})", states + looks, not looks

    def _name(self) -> None:
        found = _NAME.match(self.source, self.at)
        if found is None:
            self.fail()
        self.at = found.end()

    def _escape(self) -> int | str:
        """After a backslash: a code point, or what stands for a set inside brackets."""
        sign = self.next()
        lower = sign.lower()
        if lower in _SETS:
            return _ranges(_SETS[lower] if sign == lower else _outside(_SETS[lower]))
        if lower == "p":
            return self._category(sign)
        if sign in _CONTROLS:
            if sign == "0" and "0" <= self.source[self.at : self.at + 1] <= "9":
                self.fail()
            return _CONTROLS[sign]
        if sign == "x":
            return self._hex(2)
        if sign == "u":
            return self._unicode()
        if sign.isalnum() or ord(sign) > 126:
            self.fail()
        return ord(sign)

    def _hex(self, length: int) -> int:
        digits = self.source[self.at : self.at + length]
        self.at += length
        if len(digits) != length or not re.fullmatch("[0-9a-fA-F]+", digits):
            self.fail()
        return int(digits, 16)

    def _unicode(self) -> int:
        if not self.take("{"):
            code = self._hex(4)
        else:
            length = self.source.find("}", self.at) - self.at
            code = self._hex(length) if 0 < length <= 6 else self.fail()
            self.at += 1
        if code > _LAST or 0xD800 <= code <= 0xDFFF:
            self.fail()
        return code

    def _category(self, sign: str) -> str:
        found = _CATEGORY.match(self.source, self.at)
        if found is None:
            self.fail()
        self.at = found.end()
        return f"\\{sign}{found[0]}"

    def _set(self) -> str:
        opening = "[^" if self.take("^") else "["
        if self.source.startswith("]", self.at):
            self.fail()
        parts: list[str] = []
        while not self.take("]"):
            low = self._member()
            is_range = self.source.startswith("-", self.at) and not self.source.startswith("-]", self.at)
            if is_range:
                self.at += 1
            high = self._member() if is_range else low
            if isinstance(low, str) or isinstance(high, str):
                if is_range or not isinstance(low, str):
                    self.fail()
                parts.append(low)
            elif high < low:
                self.fail()
            else:
                parts.append(_ranges(((low, high),)))
        return f"{opening}{''.join(parts)}]"

    def _member(self) -> int | str:
        sign = self.next()
        if sign != "\\":
            return ord(sign)
        return 8 if self.take("b") else self._escape()


def _outside(ranges: tuple[_Range, ...]) -> tuple[_Range, ...]:
    starts = [0, *(high + 1 for _, high in ranges)]
    ends = [*(low - 1 for low, _ in ranges), _LAST]
    return tuple((low, high) for low, high in zip(starts, ends, strict=True) if low <= high)


def _ranges(ranges: tuple[_Range, ...]) -> str:
    return "".join(f"{_spelled(low)}-{_spelled(high)}" for low, high in ranges)


def _spelled(code: int) -> str:
    return f"\\U{code:08x}"
