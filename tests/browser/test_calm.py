"""What a person must never meet: a decision by accident, lost focus, words that jump or are not true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from reflex_agentkit.components import bundle
from tests.browser.person import button, did, request

SECOND = 1000


def ready(page: Page) -> None:
    """Wait until the buttons of what is asked are meant."""
    expect(page.locator(".ak-card-foot:not([inert])")).to_be_visible()


def place(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def test_the_second_of_two_clicks_does_not_decide_the_request_that_comes_next(scene):
    page = scene("several", clock=True)
    approve = button(request(page), "Approve")
    page.clock.run_for(SECOND)
    box = approve.bounding_box()
    at = (box["x"] + 9, box["y"] + 9)
    page.mouse.click(*at)
    expect(request(page)).to_contain_text("Oslo")
    page.mouse.click(*at)
    assert did(page) == [["decide", "i1", "digest-i1", "approve", ""]]
    page.clock.run_for(SECOND)
    page.mouse.click(*at)
    assert did(page, 2)[1] == ["decide", "i2", "digest-i2", "approve", ""]


def test_enter_that_was_meant_for_the_last_request_does_not_answer_the_next(scene):
    page = scene("several", clock=True)
    for decision, next_ in (("Approve", "Oslo"), ("Cancel request", "How many")):
        page.clock.run_for(SECOND)
        button(request(page), decision).click()
        expect(request(page)).to_contain_text(next_)
    request(page).get_by_role("textbox", name="Your answer").fill("3")
    form = request(page).locator("form")
    form.evaluate("form => form.requestSubmit()")
    assert request(page).locator(".ak-busy").inner_text() == ""
    did(page, 2)
    page.clock.run_for(SECOND)
    form.evaluate("form => form.requestSubmit()")
    assert did(page, 3)[2][3:] == ["answer", '"3"']


def test_a_renderer_of_the_app_is_not_clicked_before_it_can_be_seen(scene):
    page = scene("custom", clock=True)
    page.clock.run_for(SECOND)
    request(page).get_by_label("Your answer").fill("3")
    button(request(page), "Send answer").click()
    did(page)
    expect(page.locator(".ak-custom [inert]")).to_have_count(1)
    page.clock.run_for(SECOND)
    expect(page.locator(".ak-custom [inert]")).to_have_count(0)


def test_without_a_connection_the_decision_stands_and_no_other_can_be_sent_after_it(scene):
    page = scene("approval", clock=True)
    page.clock.run_for(SECOND)
    button(request(page), "Reject").click()
    request(page).get_by_role("textbox").fill("hang")
    page.context.set_offline(True)
    button(request(page), "Reject").click()
    expect(request(page)).to_contain_text("The server cannot be reached")
    page.clock.run_for(60 * SECOND)
    expect(button(request(page), "Reject")).to_be_disabled()
    page.context.set_offline(False)
    page.clock.resume()
    assert did(page)[0][3:] == ["reject", "hang"]
    page.clock.fast_forward(60 * SECOND)
    expect(button(request(page), "Reject")).to_be_enabled()


def test_a_settled_message_is_not_drawn_again_for_what_comes_after_it(scene):
    page = scene("talk")
    page.locator(".ak-md table").wait_for()
    page.evaluate("window.kept = [...document.querySelectorAll('.ak-md :is(p, li, table, pre)')]")
    box = page.get_by_role("textbox", name="Message")
    box.fill("One more thing")
    box.press("Enter")
    expect(page.locator(".ak-bubble").last).to_have_text("One more thing")
    assert page.evaluate("window.kept.length > 5 && window.kept.every(part => part.isConnected)")


def test_f26_a_refused_answer_leaves_the_focus_where_it_was(scene):
    page = scene("approval")
    button(request(page), "Reject").click()
    box = request(page).get_by_role("textbox")
    box.fill("refuse")
    box.press("Enter")
    expect(request(page).get_by_role("alert")).to_be_visible()
    expect(box).to_be_focused()
    button(request(page), "Back").press("Enter")
    expect(button(request(page), "Reject")).to_be_focused()


def test_f26_a_button_that_goes_away_hands_the_focus_to_what_it_showed(scene):
    page = scene("many")
    ready(page)
    button(request(page), "Show all").press("Enter")
    more = button(request(page), "Scroll down")
    expect(more).to_be_focused()
    what = request(page).get_by_role("group", name="What will run")
    what.evaluate("part => part.scrollTop = part.scrollHeight")
    expect(more).to_have_count(0)
    expect(what).to_be_focused()


def test_f26_after_a_decision_in_the_transcript_the_focus_is_at_the_composer(scene):
    page = scene("inline")
    approve = button(page, "Approve")
    ready(page)
    approve.press("Enter")
    expect(approve).to_have_count(0)
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()


def test_a_question_that_comes_while_a_person_writes_does_not_take_the_keys(scene):
    page = scene("asked")
    box = page.get_by_role("textbox", name="Message")
    box.fill("ask")
    box.press("Enter")
    expect(page.get_by_role("textbox", name="Your answer")).to_be_visible()
    expect(box).to_be_focused()


def test_earlier_messages_leave_what_is_read_where_it_is(scene):
    page = scene("talk", height=500)
    log = page.get_by_role("log")
    page.locator(".ak-md table").wait_for()
    log.evaluate("log => log.scrollTop = 0")
    words = page.get_by_text("Find me a hotel")
    button_ = button(page, "Show 20 earlier messages")
    offset = place(words) - place(log)
    button_.press("Enter")
    expect(page.get_by_text("Earlier 3", exact=True)).to_be_attached()
    assert place(words) - place(log) == pytest.approx(offset, abs=4)
    expect(log).to_be_focused()


def test_a_part_that_could_not_be_fetched_says_so_and_has_a_way_out(scene):
    for name, part in (("approval", "approval_card"), ("cards", "tool_card")):
        page = scene(name, blocked=part)
        where = request(page) if name == "approval" else page.get_by_role("log")
        expect(where.get_by_role("alert").first).to_contain_text("could not be loaded")
        expect(button(where, "Load the page again").first).to_be_enabled()


def test_s01_the_agents_words_in_our_line_are_marked_as_the_agents(scene):
    expect(scene("hidden_question").locator(".ak-bar")).to_contain_text("The agent asks: How many nights?")


def test_s04_a_screen_reader_is_told_how_much_it_was_not_read(scene):
    expect(request(scene("huge"))).to_have_accessible_description(re.compile(r"… \([\d,]+ more characters\)"))


def test_a_card_that_a_person_opened_stays_open_when_the_call_is_done(scene):
    page = scene("cards")
    card = page.locator("[data-tool-call=s1]")
    card.locator("summary").click()
    box = page.get_by_role("textbox", name="Message")
    box.fill("finish")
    box.press("Enter")
    expect(card).to_have_attribute("data-status", "done")
    expect(card).to_contain_text("2 found")


def test_arguments_that_are_still_written_are_not_said_to_be_none(scene):
    card = scene("cards").locator("[data-tool-call=s0]")
    card.locator("summary").click()
    expect(card).to_contain_text("still being written")
    expect(card).not_to_contain_text("No arguments")


def test_f17_a_large_number_to_choose_is_sent_in_the_letters_of_the_schema(scene):
    page = scene("exact")
    request(page).get_by_role("radio", name="9007199254740993").check()
    button(request(page), "Send answer").click()
    assert did(page)[0][3:] == ["answer", "9007199254740993"]


def test_a_long_error_leaves_the_composer_in_view_and_nothing_wider_than_the_page(scene):
    page = scene("long", 360, 640)
    expect(page.get_by_role("textbox", name="Message")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("alert")).to_contain_text("more characters")
    log = page.get_by_role("log")
    assert log.evaluate("log => log.scrollWidth <= log.clientWidth")
    name = log.locator(".ak-tool-name")
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth + 1")


@pytest.mark.parametrize("name", ["approval", "letter", "question"])
def test_at_four_hundred_percent_zoom_a_request_is_read_and_answered(name, scene):
    page = scene(name, 320, 256)
    first = request(page).locator(".ak-card-tool code, blockquote").first
    expect(first).to_be_in_viewport(ratio=1)
    last = button(request(page), "Cancel request")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    if name != "question":
        expect(button(request(page), "Approve")).to_be_enabled()


def test_s04_at_a_high_zoom_too_nothing_is_approved_that_was_not_in_view(scene):
    page = scene("letter", 320, 256)
    expect(button(request(page), "Approve")).to_be_disabled()
    page = scene("inline", 320, 256)
    expect(button(page, "Approve")).to_be_disabled()


def test_words_that_run_from_right_to_left_do(scene):
    page = scene("foreign")
    page.locator(".ak-md:not(.ak-plain)").wait_for()
    directions = page.locator(".ak-md :is(h4, p, li), blockquote, .ak-bubble").evaluate_all(
        "all => all.map(part => getComputedStyle(part).direction)"
    )
    assert directions == ["rtl", "rtl", "rtl", "rtl", "ltr", "rtl"]


def test_an_emoji_is_one_sign_and_not_a_row_of_codes(scene):
    dialog = request(scene("foreign"))
    expect(dialog).to_contain_text("1️⃣")
    expect(dialog.locator(".ak-chip")).to_have_count(0)


def test_nothing_is_said_about_a_thread_before_it_is_known(scene):
    page = scene("coming")
    expect(page.locator(".ak-status")).to_be_hidden()
    expect(page.get_by_text("What can I do for you?")).to_have_count(0)


def test_the_list_of_conversations_is_not_said_to_be_empty_before_it_is_there(scene):
    page = scene("talk")
    button(page, "Conversations").click()
    assert "No conversations yet." not in page.get_by_role("navigation").inner_text()
    expect(page.get_by_role("button", name=re.compile("flights to Tokyo"))).to_be_visible()


def test_f24_lists_of_lists_do_not_become_more_rows_than_a_page_can_hold(scene):
    dialog = request(scene("dense"))
    expect(dialog).to_contain_text("last")
    assert dialog.locator(".ak-row").count() < 2000
    expect(button(dialog, "Approve")).to_be_disabled()


def test_f16_two_paths_that_look_alike_are_told_apart_in_the_difference(scene):
    difference = scene("records").locator(".ak-difference")
    expect(difference).to_contain_text('["x.y"]')
    expect(difference).to_contain_text("x.y")


def test_while_a_run_goes_on_it_says_why_a_message_waits(scene):
    page = scene("working")
    page.get_by_role("textbox", name="Message").fill("And a car")
    expect(page.get_by_text("You can send this when the agent is done")).to_be_visible()


def test_the_buttons_stay_where_they_are_while_a_decision_is_recorded(scene):
    page = scene("approval")
    approve = button(request(page), "Approve")
    page.evaluate("document.getAnimations().forEach(one => one.finish())")
    before = place(approve)
    approve.click()
    expect(request(page)).to_contain_text("Your decision is being recorded")
    assert place(approve) == pytest.approx(before, abs=1)


def test_drafts_are_kept_and_the_oldest_forgotten(scene):
    source = Path(bundle.__file__).with_name("drafts.js").read_text(encoding="utf-8")
    kept = scene("empty").evaluate(
        """async (source) => {
          const { Drafts } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
          const drafts = new Drafts();
          for (let n = 0; n < 1000; n++) {
            drafts.set(`draft ${n}`, "x");
            drafts.set("first", "words");
          }
          return [drafts.size < 200, drafts.has("draft 0"), drafts.get("draft 999"), drafts.get("first")];
        }""",
        source,
    )
    assert kept == [True, False, "x", "words"]
