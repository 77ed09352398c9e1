"""What a person does on the page, by role and name."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


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
    button(where, name).click()


def editor(page: Page) -> Locator:
    """The JSON editor of the open request, opened where it is not."""
    found = request(page).get_by_role("textbox", name=re.compile("JSON"))
    expect(request(page).locator("[data-interrupt]")).to_be_visible()
    if found.count() == 0:
        edit, show = button(request(page), "Edit"), button(request(page), "Show as JSON")
        if edit.count():
            edit.click()
        expect(found.or_(show)).to_be_visible()
        if found.count() == 0:
            show.click()
    return found


def reject(page: Page, reason: str) -> None:
    """Say no, with a reason."""
    press(request(page), "Reject")
    request(page).get_by_role("textbox", name=re.compile("Reason")).fill(reason)
    press(request(page), "Reject")


def button(where: Page | Locator, name: str) -> Locator:
    """The button of this name."""
    if name in ("Approve", "Approve with changes"):
        # Our own cards name the button by what the tool does.
        return where.get_by_role("button", name=name, exact=True).or_(where.locator("[data-decides=approve]"))
    return where.get_by_role("button", name=name, exact=True)


def field(page: Page, label: str) -> Locator:
    """The field of this label in the open request."""
    return request(page).get_by_label(re.compile(rf"^{re.escape(label)}(\s*required)?$"))


def did(page: Page, count: int = 1) -> list[list[str]]:
    """What reached the state of a page of the gallery."""
    expect(page.locator("#did > li")).to_have_count(count)
    return page.locator("#did > li").evaluate_all("l => l.map(x => [...x.children].map(c => c.textContent))")
