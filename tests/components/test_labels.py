"""Labels: complete, and wrong ones are named when a page is built."""

from __future__ import annotations

import pytest

from reflex_agentkit.components import words
from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.labels.catalog import catalog, pick
from reflex_agentkit.labels.english import ENGLISH
from reflex_agentkit.protocol.conversation import CallStatus, RunStatus, Verdict


def test_without_overrides_the_catalog_is_english():
    assert catalog() == dict(ENGLISH)


def test_an_override_replaces_one_label_and_leaves_the_rest():
    made = catalog({"approval.approve": "Ja"})
    assert made["approval.approve"] == "Ja"
    assert made["approval.reject"] == ENGLISH["approval.reject"]


def test_an_unknown_key_is_refused_and_near_ones_are_named():
    with pytest.raises(ConfigurationError, match=r"'approval\.aprove'.*did you mean 'approval\.approve'"):
        catalog({"approval.aprove": "Ja"})


def test_a_value_that_the_label_does_not_get_is_refused():
    with pytest.raises(ConfigurationError, match=r"uses {count}.*its values: position, total"):
        catalog({"pause.position": "{position} / {count}"})


def test_a_text_that_cannot_be_filled_in_is_refused():
    with pytest.raises(ConfigurationError, match="cannot be filled in"):
        catalog({"pause.position": "{position of"})


@pytest.mark.parametrize(
    ("group", "names"),
    [("status", CallStatus), ("verdict", Verdict), ("run", RunStatus)],
)
def test_every_status_and_verdict_has_its_word(group, names):
    assert {key.partition(".")[2] for key in pick(ENGLISH, group) if key != "locale"} == set(names.__args__)


def test_a_component_gets_its_groups_and_the_locale_only():
    assert {key.split(".")[0] for key in words.Words().of("composer")} == {"locale", "composer"}
