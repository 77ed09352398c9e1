"""LangGraph and LangChain, driven by a person: a form card, two actions in one request, a tool that asks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.person import editor, press, request, say, transcript


@pytest.fixture
def page(open_page):
    return open_page.new("/graph")


def test_the_flight_form_is_answered_and_stays_read_only_after_a_reload(page, served):
    say(page, "flight")
    expect(request(page)).to_contain_text("Confirm flight booking")
    expect(request(page)).to_contain_text("Zurich")
    request(page).get_by_label("Seat class").select_option("Business")
    request(page).get_by_label("Add trip insurance").check()
    press(request(page), "Approve")
    answer = page.get_by_text("The answer was: Flight booked from Zurich to Lisbon in Business.")
    expect(answer).to_be_visible()
    assert served.noted("book_flight")[-1]["decision"] == {
        "approved": True,
        "values": {"seatClass": "Business", "insurance": True},
    }
    for _ in range(2):
        expect(transcript(page)).to_contain_text("Confirm flight booking")
        expect(transcript(page)).to_contain_text("Business")
        expect(page.get_by_label("Seat class")).to_have_count(0)
        expect(page.get_by_role("button", name="Approve")).to_have_count(0)
        page.reload()
        expect(answer).to_be_visible()


def test_a_request_with_two_actions_is_answered_approve_and_edit(page, served):
    say(page, "two")
    expect(request(page)).to_contain_text("1 of 2")
    expect(request(page)).to_contain_text("send_mail")
    press(request(page), "Approve")
    expect(request(page)).to_contain_text("2 of 2")
    expect(request(page)).to_contain_text("delete_file")
    text = editor(page).input_value()
    editor(page).fill(text.replace("/reports", "/reports/old"))
    press(request(page), "Approve with changes")
    expect(transcript(page)).to_contain_text("Deleted /reports/old.")
    assert [n["subject"] for n in served.noted("send_mail")] == ["Hello"]
    assert [n["path"] for n in served.noted("delete_file")] == ["/reports/old"]


def test_a_tool_that_asks_the_person_is_answered_with_respond(page, served):
    say(page, "ask")
    expect(request(page)).to_contain_text("Which colour?")
    expect(request(page).get_by_role("button", name="Approve")).to_have_count(0)
    press(request(page), "Respond instead")
    request(page).get_by_role("textbox").fill("Blue.")
    press(request(page), "Send as result")
    expect(page.get_by_text("The answer was: Blue.")).to_be_visible()
    assert served.noted("ask_user") == []
