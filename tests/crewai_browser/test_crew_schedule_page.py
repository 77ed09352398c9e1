"""The time picker of a CrewAI flow, used by a person: chosen, cancelled, and found again after a reload."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.person import button, press, say, transcript

# CrewAI loads its store of memories with the first flow of a process.
FIRST = 60_000


def picture(page: Page, name: str) -> None:
    folder = os.environ.get("PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


def test_a_time_is_chosen_and_confirmed(page: Page) -> None:
    say(page, "A call with Ann")
    expect(page.get_by_text("Choose a meeting time or cancel the request.", exact=True)).to_be_visible(
        timeout=FIRST
    )
    picture(page, "crew-picker")
    press(page, "Tomorrow 2:00 PM")
    expect(transcript(page)).to_contain_text("Booked: Tomorrow 2:00 PM.")
    expect(button(page, "Monday 9:00 AM")).to_have_count(0)
    picture(page, "crew-chosen")


def test_none_of_the_times_is_cancelled_and_the_thread_goes_on(page: Page) -> None:
    say(page, "A call with Ann")
    press(page, "None of these")
    expect(transcript(page)).to_contain_text("Cancelled; nothing is booked.")
    picture(page, "crew-cancelled")
    # What is written while the agent still works is not sent.
    expect(button(page, "Stop")).to_have_count(0)
    say(page, "Then with Bob")
    press(page, "Monday 9:00 AM")
    expect(transcript(page)).to_contain_text("Booked: Monday 9:00 AM.")


def test_the_picker_is_there_after_a_reload_and_can_be_answered(page: Page) -> None:
    say(page, "A call with Ann")
    expect(button(page, "Tomorrow 10:00 AM")).to_be_visible(timeout=FIRST)
    page.reload()
    press(page, "Tomorrow 10:00 AM")
    expect(transcript(page)).to_contain_text("Booked: Tomorrow 10:00 AM.")
    page.reload()
    expect(transcript(page)).to_contain_text("Booked: Tomorrow 10:00 AM.")
    picture(page, "crew-after-reload")
