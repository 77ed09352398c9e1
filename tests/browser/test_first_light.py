"""The first page of the documentation, driven by a person: approve, edit, reject, refresh, a second tab."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import button, editor, press, reject, request, say


def edit(page: Page, old: str, new: str) -> None:
    text = editor(page).input_value()
    assert old in text
    editor(page).fill(text.replace(old, new))


def test_approve_runs_the_tool_once(open_page, served):
    page = open_page.new("/")
    before = len(served.noted("book_hotel"))
    say(page, "A hotel in Lisbon")
    dialog = request(page)
    expect(dialog).to_contain_text("book_hotel")
    expect(dialog).to_contain_text("Lisbon")
    assert len(served.noted("book_hotel")) == before
    press(dialog, "Approve")
    expect(page.get_by_text("The answer was: Booked 2 nights in Lisbon.")).to_be_visible()
    expect(dialog).to_be_hidden()
    assert served.noted("book_hotel")[before:] == [{"kind": "book_hotel", "city": "Lisbon", "nights": 2}]


def test_edit_runs_with_the_persons_arguments_and_the_model_is_told(open_page, served):
    page = open_page.new("/")
    before = len(served.noted("book_hotel"))
    say(page, "A hotel in Lisbon")
    edit(page, '"nights": 2', '"nights": 3')
    press(request(page), "Approve with changes")
    expect(page.get_by_text("The answer was: Booked 3 nights in Lisbon.")).to_be_visible()
    assert served.noted("book_hotel")[before:] == [{"kind": "book_hotel", "city": "Lisbon", "nights": 3}]
    [told] = served.noted("model")[-1]["results"]
    assert "the user edited this tool call's arguments before approving it" in told
    assert '{"city": "Lisbon", "nights": 3}' in told


def test_reject_runs_nothing_and_the_reason_is_the_tools_result(open_page, served):
    page = open_page.new("/")
    before = len(served.noted("book_hotel"))
    say(page, "A hotel in Lisbon")
    reject(page, "too expensive")
    expect(page.get_by_text(re.compile("The answer was: .*too expensive"))).to_be_visible()
    assert len(served.noted("book_hotel")) == before
    assert "too expensive" in served.noted("model")[-1]["results"][0]


def test_f01_f02_refresh_brings_the_dialog_back_and_a_second_tab_shows_the_same(open_page, served):
    page = open_page.new("/")
    before = len(served.noted("book_hotel"))
    say(page, "A hotel in Lisbon")
    expect(request(page)).to_contain_text("Lisbon")
    page.reload()
    expect(request(page)).to_contain_text("Lisbon")
    second = open_page("/?" + page.url.partition("?")[2], context=page.context)
    expect(request(second)).to_contain_text("Lisbon")
    fresh = open_page("/?" + page.url.partition("?")[2])
    expect(request(fresh)).to_contain_text("Lisbon")
    press(request(second), "Approve")
    for tab in (page, second, fresh):
        expect(tab.get_by_text("The answer was: Booked 2 nights in Lisbon.")).to_be_visible()
        expect(request(tab)).to_be_hidden()
    assert len(served.noted("book_hotel")) == before + 1


def test_f14_f15_three_at_once_are_answered_approve_edit_reject(open_page, served):
    page = open_page.new("/")
    before, runs = len(served.noted("book_hotel")), len(served.noted("model"))
    say(page, "three hotels please")
    expect(request(page)).to_contain_text("1 of 3")
    expect(request(page)).to_contain_text("Rome")
    press(request(page), "Approve")
    expect(request(page)).to_contain_text("2 of 3")
    page.reload()
    expect(request(page)).to_contain_text("2 of 3")
    expect(request(page)).to_contain_text("Oslo")
    edit(page, '"nights": 2', '"nights": 5')
    press(request(page), "Approve with changes")
    expect(request(page)).to_contain_text("3 of 3")
    expect(request(page)).to_contain_text("Bonn")
    reject(page, "not there")
    expect(page.get_by_text(re.compile("The answer was: .*Booked 2 nights in Rome"))).to_be_visible()
    ran = [(note["city"], note["nights"]) for note in served.noted("book_hotel")[before:]]
    assert sorted(ran) == [("Oslo", 5), ("Rome", 2)]
    [told] = [n["results"] for n in served.noted("model")[runs:]]
    assert len(told) == 3
    assert "not there" in told[2]


def test_f08_two_clicks_within_50_ms_are_one_decision(open_page, served):
    page = open_page.new("/")
    before = len(served.noted("book_hotel"))
    say(page, "A hotel in Lisbon")
    button(request(page), "Approve").dblclick(delay=5)
    expect(page.get_by_text("The answer was: Booked 2 nights in Lisbon.")).to_be_visible()
    assert len(served.noted("book_hotel")) == before + 1


def test_f03_decided_stays_decided_after_a_reload(open_page):
    page = open_page.new("/")
    say(page, "A hotel in Lisbon")
    press(request(page), "Approve")
    expect(page.get_by_text("The answer was: Booked 2 nights in Lisbon.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("The answer was: Booked 2 nights in Lisbon.")).to_be_visible()
    expect(page.get_by_text(re.compile("approved", re.IGNORECASE)).first).to_be_visible()
    expect(request(page)).to_be_hidden()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)


@pytest.mark.parametrize("placement", ["/inline"])
def test_the_request_can_stand_in_the_transcript(open_page, placement):
    page = open_page.new(placement)
    say(page, "A hotel in Lisbon")
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    press(page, "Approve")
    expect(page.get_by_text("The answer was: Booked 2 nights in Lisbon.")).to_be_visible()
