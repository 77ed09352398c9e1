"""A time picker in place of the usual approval: chosen, refused, and read only after a reload."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PICTURES
from tests.browser.person import press, say, transcript

CHOSEN = {"approved": True, "chosen_time": "2030-01-02T15:00:00+00:00", "chosen_label": "Wednesday 15:00"}
_PERSONS = itertools.count(1)


@pytest.fixture
def open_picker(browser: Browser, picker) -> Iterator[Callable[..., Page]]:
    contexts, errors = [], []

    def open_(width: int = 1280, scheme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{picker.url}/?user=person-{next(_PERSONS)}")
        page.get_by_role("textbox", name="Message", include_hidden=True).wait_for()
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors, errors


def times(page: Page):
    return page.get_by_role("group", name="Pick a time")


def test_the_time_that_is_picked_reaches_the_tool_and_the_card_stays_read_only(open_picker, picker):
    page = open_picker()
    say(page, "Roadmap")
    expect(times(page)).to_contain_text("Roadmap")
    expect(times(page)).to_contain_text("with Ann")
    before = len(picker.noted("scheduled"))
    press(times(page), "Wednesday 15:00")
    answer = page.get_by_text("The tool said: Meeting with Ann scheduled for Wednesday 15:00: Roadmap")
    expect(answer).to_be_visible()
    [fact] = picker.noted("scheduled")[before:]
    assert (fact["answer"], fact["current"]) == (CHOSEN, CHOSEN)
    for _ in range(2):
        expect(times(page)).to_have_count(0)
        expect(page.get_by_role("button", name="Wednesday 15:00")).to_have_count(0)
        expect(transcript(page)).to_contain_text("schedule_meeting")
        page.reload()
        expect(answer).to_be_visible()
    assert len(picker.noted("scheduled")) == before + 1


def test_when_no_time_suits_the_tool_does_not_run_and_the_agent_is_told(open_picker, picker):
    page = open_picker()
    before = len(picker.noted("scheduled"))
    say(page, "Roadmap")
    press(times(page), "No time suits")
    expect(page.get_by_text("The tool said: The user refused this tool call").first).to_be_visible()
    expect(times(page)).to_have_count(0)
    assert len(picker.noted("scheduled")) == before


def test_the_open_picker_is_there_again_after_a_reload(open_picker, picker):
    page = open_picker()
    say(page, "Budget")
    expect(times(page)).to_be_visible()
    page.reload()
    expect(times(page)).to_contain_text("Budget")
    press(times(page), "Thursday 10:00")
    expect(page.get_by_text("scheduled for Thursday 10:00: Budget").first).to_be_visible()


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picker_fits_and_is_drawn_in_both_schemes(open_picker, width, scheme):
    page = open_picker(width, scheme)
    say(page, "Roadmap")
    expect(times(page)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for button in times(page).get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / f"picker-{scheme}-{width}.png")
    press(times(page), "Wednesday 10:00")
    expect(page.get_by_text("scheduled for Wednesday 10:00: Roadmap").first).to_be_visible()
    page.screenshot(path=PICTURES / f"picker-{scheme}-{width}-picked.png")
