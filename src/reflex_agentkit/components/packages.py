"""Every npm package that the kit uses, pinned. What Reflex brings itself (React, Radix) is not listed."""

from __future__ import annotations

STREAMDOWN = "streamdown@2.7.1"
STICK_TO_BOTTOM = "use-stick-to-bottom@1.1.6"
JSONC_PARSER = "jsonc-parser@3.3.1"
FORM = "@rjsf/core@6.11.1"
FORM_UTILS = "@rjsf/utils@6.11.1"

ALL: tuple[str, ...] = (STREAMDOWN, STICK_TO_BOTTOM, JSONC_PARSER, FORM, FORM_UTILS)
"""The modules import each other, so each component asks for all; what is heavy is fetched when needed."""
