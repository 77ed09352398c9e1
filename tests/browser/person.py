"""What a person does on the page, by role and name."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page


def say(page: Page, words: str) -> None:
    """Write a message and press Enter."""
    box = page.get_by_role("textbox", name="Message")
    box.fill(words)
    box.press("Enter")


def request(page: Page) -> Locator:
    """The open request, as a dialog."""
    return page.get_by_role("alertdialog")


def transcript(page: Page) -> Locator:
    """The conversation, also while a dialog stands before it."""
    return page.get_by_role("log", include_hidden=True)


def press(where: Page | Locator, name: str) -> None:
    """Press the button of this name."""
    where.get_by_role("button", name=name, exact=True).click()


def editor(page: Page) -> Locator:
    """The JSON editor of the open request, opened where it is not."""
    found = request(page).get_by_role("textbox", name=re.compile("JSON"))
    if found.count() == 0:
        press(request(page), "Edit")
    return found


def reject(page: Page, reason: str) -> None:
    """Say no, with a reason."""
    press(request(page), "Reject")
    request(page).get_by_role("textbox", name=re.compile("Reason")).fill(reason)
    press(request(page), "Reject")
