"""The JavaScript beside the components keeps the promises that no browser is needed to check."""

from __future__ import annotations

import re

import pytest

from reflex_agentkit.components import packages, words
from reflex_agentkit.labels.english import ENGLISH
from tests.components.javascript import MODULES, code, imports, labels, reached

BROUGHT_BY_REFLEX = {"react", "@radix-ui/themes"}
PART_OF = {
    "approval": "approval_card.jsx",
    "composer": "composer.jsx",
    "decision": "decision.jsx",
    "failed": "failed.jsx",
    "live": "live_message.jsx",
    "markdown": "markdown.jsx",
    "question": "form.jsx",
    "threads": "threads.jsx",
    "tool": "tool_card.jsx",
    "usage": "frame.jsx",
}
"""The module that draws what is given a group of labels. The transcript only fetches Markdown early; dialog
and refusal share modules with others."""


def named(key: str) -> bool:
    return (
        any(one.startswith(key.removesuffix("$")) for one in ENGLISH) if key.endswith("$") else key in ENGLISH
    )


@pytest.mark.parametrize("name", MODULES)
def test_every_label_that_a_module_asks_for_exists(name):
    assert [key for key in labels(name) if not named(key)] == []


@pytest.mark.parametrize(("group", "module"), PART_OF.items())
def test_a_component_is_given_every_label_that_its_modules_ask_for(group, module):
    given = {*words.GROUPS[group]}
    asked = {key.split(".")[0] for name in reached(module) for key in labels(name)}
    assert asked - given == set()


@pytest.mark.parametrize(
    ("group", "modules"),
    [("dialog", ("dialog.jsx", "visible.jsx")), ("transcript", ("transcript.jsx",))],
)
def test_a_component_that_carries_others_is_given_the_labels_of_its_own_module(group, modules):
    asked = {key.split(".")[0] for name in modules for key in labels(name)}
    assert asked - set(words.GROUPS[group]) == set()


def test_there_is_no_word_in_the_javascript_itself():
    between_tags = re.compile(r">\s*([A-Za-z][\w ,.…!?']*[a-z]{2}[\w ,.…!?']*)\s*</")
    as_attribute = re.compile(r"""(?:aria-label|title|placeholder|alt)="([^"]*[A-Za-z]{2}[^"]*)\"""")
    found = {
        name: words
        for name in MODULES
        if (words := between_tags.findall(code(name)) + as_attribute.findall(code(name)))
    }
    assert found == {}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_packages_that_are_pinned(name):
    pinned = {pin.rpartition("@")[0] for pin in packages.ALL} | BROUGHT_BY_REFLEX
    # `@rjsf/core/lib/withTheme.js` is a part of a package.
    foreign = {re.sub(r"^(@[^/]+/[^/]+)/.*", r"\1", one) for one in imports(name) if one[0] not in ".$"}
    assert foreign - pinned == set()


def test_every_package_is_pinned_to_one_version():
    assert [pin for pin in packages.ALL if not re.fullmatch(r"@?[\w./-]+@\d+\.\d+\.\d+", pin)] == []


@pytest.mark.parametrize("name", MODULES)
def test_nothing_turns_text_into_markup_or_code(name):
    """S03: markup in whatever the agent says stays text."""
    assert not re.search(
        r"dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|\beval\(|new Function|rehype-raw", code(name)
    )


def test_values_are_never_written_anew_from_what_javascript_read():
    """A number of the agent would change its value on the way through JavaScript."""
    for name in (
        "values.jsx",
        "decision.jsx",
        "approval_card.jsx",
        "json_editor.jsx",
        "decide_bar.jsx",
        "difference.jsx",
        "changes.js",
        "edit_arguments.jsx",
        "card_decided.jsx",
    ):
        assert "JSON." not in code(name), name


def test_heavy_packages_come_only_when_they_are_needed():
    at_once: set[str] = set()
    waiting = ["parts.jsx"]
    while waiting:
        here = waiting.pop()
        if here in at_once or here not in MODULES:
            continue
        at_once.add(here)
        now = re.findall(r"""from ["']([^"']+)["']""", code(here))
        heavy = ("streamdown", "@rjsf/")
        assert not [one for one in now if one.startswith(heavy)], here
        waiting.extend(one.removeprefix("./") for one in now if one.startswith("./"))
    assert (
        not {"markdown.jsx", "form.jsx", "schema_form.jsx", "json_schema.js", "edit_arguments.jsx"} & at_once
    )


def test_a_form_library_comes_only_with_the_first_schema_that_needs_it():
    waiting, at_once = ["form.jsx", "approval_card.jsx"], set[str]()
    while waiting:
        here = waiting.pop()
        if here not in at_once and here in MODULES:
            at_once.add(here)
            now = re.findall(r"""from ["']([^"']+)["']""", code(here))
            waiting.extend(one.removeprefix("./") for one in now if one.startswith("./"))
    assert not [name for name in at_once if any(one.startswith("@rjsf/") for one in imports(name))]
