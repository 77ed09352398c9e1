"""What `HttpAgent` refuses when it is built."""

from __future__ import annotations

import httpx
import pytest

import reflex_agentkit.agents
from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.errors import ConfigurationError

URL = "http://agents.example/travel"


@pytest.mark.parametrize(
    "url", ["", "agents.example/travel", "ftp://agents.example", "http://", "/travel", 7, None]
)
def test_an_address_that_is_none_is_refused_when_the_agent_is_built(url):
    with pytest.raises(ConfigurationError, match="url"):
        HttpAgent(url)


def test_an_address_that_is_refused_is_shown_without_its_password():
    with pytest.raises(ConfigurationError) as refused:
        HttpAgent("ftp://ann:secret@agents.example/x?key=hidden")
    assert "agents.example/x" in str(refused.value)
    assert "secret" not in str(refused.value)
    assert "hidden" not in str(refused.value)


def test_an_address_that_cannot_be_read_is_refused_without_a_piece_of_its_password():
    with pytest.raises(ConfigurationError, match="%-encoding") as refused:
        HttpAgent("http://ann:sec/ret@agents.example")
    assert "sec" not in str(refused.value)
    with pytest.raises(ConfigurationError, match="port"):
        HttpAgent("http://agents.example:http")


@pytest.mark.parametrize(
    "headers",
    [
        {"X": "a "}, {"X": " a"}, {"X": "é"}, {"X": "\x01"}, {"X Y": "a"}, {"Ключ": "a"},
        "Bearer x", 7, {"X": 1}, {7: "x"}, {"": "x"}, {"X": "a\r\nY: b"}, {"X\n": "a"},
        {"content-type": "text/plain"}, {"Content-Length": "3"}, {"Accept": "*/*"}, {"Host": "elsewhere"},
    ],
)  # fmt: skip
def test_headers_that_cannot_be_sent_are_refused_when_the_agent_is_built(headers):
    with pytest.raises(ConfigurationError, match="header"):
        HttpAgent(URL, headers=headers)


@pytest.mark.parametrize("value", ["", "a", "Bearer x", "a\tb", "!~"])
def test_headers_that_can_be_sent_are_taken(value):
    HttpAgent(URL, headers={"X-Key_1": value})


@pytest.mark.parametrize("end", ["\n", " ", "\t", "é"])
def test_a_header_that_is_refused_is_shown_without_its_value(end):
    with pytest.raises(ConfigurationError) as refused:
        HttpAgent(URL, headers={"Authorization": f"Bearer secret{end}"})
    assert "Authorization" in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("timeout", [0, -1, True, "5", float("inf"), float("nan")])
def test_a_time_limit_that_is_none_is_refused_when_the_agent_is_built(timeout):
    with pytest.raises(ConfigurationError, match="timeout"):
        HttpAgent(URL, timeout=timeout)


def test_a_client_for_threads_is_refused_when_the_agent_is_built():
    with httpx.Client() as client, pytest.raises(ConfigurationError, match="AsyncClient"):
        HttpAgent(URL, client=client)


def test_the_face_of_the_agents_gives_those_that_need_no_framework():
    assert dir(reflex_agentkit.agents) == ["HttpAgent", "ScriptedAgent"]
    with pytest.raises(AttributeError, match="Htp"):
        reflex_agentkit.agents.Htp  # noqa: B018
