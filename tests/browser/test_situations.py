"""What goes wrong or is out of the ordinary, seen by a person in a browser."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import expect

from tests.browser.person import button, editor, press, reject, request, say, transcript


@pytest.fixture
def page(open_page):
    return open_page.new("/other")


def last_resume(served) -> str:
    return served.noted("resume")[-1]["payload"]


def test_numbers_keep_their_value_when_they_are_approved(page, served):
    say(page, "numbers")
    for number in ("9007199254740993", "1.0", "12345678901234567.89"):
        expect(request(page)).to_contain_text(number)
    press(request(page), "Approve")
    expect(page.get_by_text("Got {'approved': True}.")).to_be_visible()


def test_numbers_keep_their_value_when_something_beside_them_is_edited(page, served):
    say(page, "numbers")
    text = editor(page).input_value()
    editor(page).fill(text.replace("as it is", "changed"))
    press(request(page), "Approve with changes")
    expect(page.get_by_text(re.compile("^Got "))).to_be_visible()
    got = last_resume(served)
    assert "'big': 9007199254740993" in got
    assert "'one': 1.0" in got
    assert "Decimal('12345678901234567.89')" in got
    assert "'note': 'changed'" in got


def test_f18_f20_a_wrong_edit_is_marked_beside_its_place_and_cannot_be_sent(page, served):
    before = len(served.noted("resume"))
    say(page, "numbers")
    text = editor(page).input_value()
    editor(page).fill(text.replace("9007199254740993", '"many"'))
    expect(request(page)).to_contain_text(re.compile("big"))
    expect(button(request(page), "Approve with changes")).to_be_disabled()
    editor(page).fill('{"big": 1, ')
    expect(button(request(page), "Approve with changes")).to_be_disabled()
    expect(editor(page)).to_have_value('{"big": 1, ')
    assert len(served.noted("resume")) == before


def test_s03_s05_what_an_agent_says_is_inert(page):
    asked = []
    page.on("request", lambda sent: asked.append(sent.url))
    say(page, "hostile")
    expect(request(page)).to_contain_text("<img src=x onerror=")
    expect(request(page)).to_contain_text("<i>delete</i>_files")
    expect(request(page)).to_contain_text("<b>key</b>")
    expect(request(page)).to_contain_text("# Only **lists** files <b>really</b>")
    expect(request(page)).to_contain_text("U+202E")
    reject(page, "<style>*{display:none}</style>")
    expect(page.get_by_text(re.compile("^Got "))).to_be_visible()
    log = page.get_by_role("log")
    expect(log).to_contain_text("<img src=x onerror=")
    assert page.title() != "pwned"
    assert page.evaluate("window.__pwned ?? null") is None
    assert log.locator("iframe, img, svg[onload], style").count() == 0
    assert log.get_by_role("button", name="Approve").count() == 0
    assert not [url for url in asked if "invalid" in url]
    links = log.locator("a").evaluate_all("all => all.map(a => [a.protocol, a.target, a.rel])")
    assert links
    assert all(protocol in ("http:", "https:", "mailto:") for protocol, _, _ in links)
    assert all(target == "_blank" and "noopener" in rel for _, target, rel in links)


def test_f24_an_argument_of_a_megabyte_can_be_read_and_decided(page):
    say(page, "huge")
    expect(request(page)).to_contain_text("store", timeout=20_000)
    expect(request(page)).to_contain_text("the end")
    reject(page, "too large")
    expect(page.get_by_text(re.compile("^Got .*too large"))).to_be_visible(timeout=20_000)


def test_f25_no_arguments_are_said_to_be_none(page):
    say(page, "no arguments")
    expect(request(page)).to_contain_text("No arguments")
    press(request(page), "Approve")
    expect(page.get_by_text("Got {'approved': True}.")).to_be_visible()


def test_f25_what_cannot_be_read_is_not_offered_for_approval(page):
    say(page, "unreadable")
    expect(request(page)).to_contain_text('{"a":')
    expect(request(page).get_by_role("button", name=re.compile("^Approve"))).to_have_count(0)
    press(request(page), "Cancel request")
    expect(page.get_by_text("Got None.")).to_be_visible()


def test_a_question_is_answered_as_json_and_checked(page, served):
    before = len(served.noted("resume"))
    say(page, "asking")
    expect(request(page)).to_contain_text("How many nights?")
    as_json = request(page).get_by_role("button", name="Answer as JSON")
    if as_json.count():
        as_json.click()
    box = request(page).get_by_role("textbox", name=re.compile("JSON"))
    box.fill("11")
    expect(request(page)).to_contain_text("10")
    press(request(page), "Send answer")
    expect(box).to_have_value("11")
    assert len(served.noted("resume")) == before
    box.fill("3")
    press(request(page), "Send answer")
    expect(page.get_by_text("Got 3.")).to_be_visible()
    assert last_resume(served) == "3"


def test_a_question_from_below_says_where_it_comes_from(page):
    say(page, "below")
    expect(request(page)).to_contain_text(re.compile("travel . hotel . ask"))
    press(request(page), "Cancel request")
    expect(page.get_by_text("Got None.")).to_be_visible()


def test_a_renderer_of_the_apps_own_answers_by_itself(page, served):
    say(page, "custom")
    request(page).get_by_label("Your answer").fill("Lisbon")
    press(request(page), "Send answer")
    expect(page.get_by_text("Got 'Lisbon'.")).to_be_visible()
    assert last_resume(served) == "'Lisbon'"


def test_f05_reload_in_the_middle_of_a_stream_loses_nothing(page):
    say(page, "slow")
    expect(page.get_by_role("log")).to_contain_text("piece20 ")
    page.reload()
    expect(request(page)).to_be_visible(timeout=15_000)
    text = transcript(page).inner_text()
    assert all(f"piece{i}" in text for i in range(200))


def test_a_second_tab_sees_the_run_go_on(page, open_page):
    say(page, "slow")
    expect(page.get_by_role("log")).to_contain_text("piece10 ")
    second = open_page("/other?" + page.url.partition("?")[2])
    expect(transcript(second)).to_contain_text("piece199", timeout=15_000)
    expect(request(second)).to_be_visible()


def test_stop_ends_an_agent_that_never_ends(page):
    say(page, "endless")
    expect(page.get_by_role("log")).to_contain_text("Still here")
    press(page, "Stop")
    expect(page.get_by_role("status").filter(has_text="Stopped")).to_be_visible()
    say(page, "hello")
    expect(page.get_by_text("You said: hello")).to_be_visible()


@pytest.mark.parametrize(
    ("words", "error"),
    [("raising", "the service is down"), ("malformed", "could not be read"), ("reported", "quota used up")],
)
def test_a_run_that_fails_says_why_and_the_next_one_works(page, words, error):
    say(page, words)
    expect(page.get_by_role("alert").filter(has_text=error)).to_be_visible()
    expect(page.get_by_role("button", name="Retry")).to_be_visible()
    say(page, "hello")
    expect(page.get_by_text("You said: hello")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text=error)).to_have_count(0)


def test_reasoning_steps_and_a_tool_renderer_are_shown(page):
    say(page, "thinking")
    expect(page.get_by_text("Weather in Rome")).to_be_visible()
    expect(page.get_by_text("Reasoning")).to_be_visible()


def test_ten_thousand_messages_are_a_window_and_the_next_run_works(page):
    say(page, "long")
    expect(page.get_by_text(re.compile(r"Show [\d,]+ earlier messages"))).to_be_visible(timeout=30_000)
    say(page, "hello")
    expect(page.get_by_text("You said: hello")).to_be_visible(timeout=15_000)
    page.reload()
    expect(page.get_by_text("You said: hello")).to_be_visible(timeout=15_000)


def test_f23_a_message_while_waiting_is_kept_and_can_take_the_requests_place(page):
    say(page, "numbers")
    expect(request(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(request(page)).to_have_count(0)
    box = page.get_by_role("textbox", name="Message")
    box.fill("never mind")
    box.press("Enter")
    expect(box).to_have_value("never mind")
    expect(page.get_by_text("Answer the open request first. Your text is kept.")).to_be_visible()
    press(page, "Cancel request and send")
    expect(page.get_by_text("Got None.")).to_be_visible()
    expect(box).to_have_value("")


def test_f26_escape_decides_nothing_and_the_request_can_be_reviewed_again(page, served):
    before = len(served.noted("resume"))
    say(page, "numbers")
    expect(request(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(request(page)).to_have_count(0)
    press(page, "Review")
    expect(request(page)).to_be_visible()
    assert len(served.noted("resume")) == before


def test_f22_stop_while_waiting_frees_the_page(page):
    say(page, "numbers")
    expect(request(page)).to_be_visible()
    page.keyboard.press("Escape")
    press(page, "Stop")
    expect(page.get_by_role("button", name="Review")).to_have_count(0)
    say(page, "hello")
    expect(page.get_by_text("Got None.")).to_be_visible()


def test_s10_another_user_sees_nothing_of_a_thread(page, open_page):
    say(page, "numbers")
    expect(request(page)).to_be_visible()
    thread = re.search(r"thread=([\w-]+)", page.url).group(1)
    other = open_page(f"/other?user=eve&thread={thread}")
    expect(other.get_by_text(re.compile("not here"))).to_be_visible()
    expect(request(other)).to_have_count(0)
    assert "numbers" not in other.get_by_role("log").inner_text()


def test_two_states_of_one_app_share_nothing(page, open_page):
    say(page, "numbers")
    expect(request(page)).to_be_visible()
    user = re.search(r"user=([\w-]+)", page.url).group(1)
    other = open_page(f"/?user={user}")
    expect(request(other)).to_have_count(0)
    expect(other.get_by_text("What can I do for you?")).to_be_visible()


def test_f06_a_new_conversation_leaves_the_waiting_one_as_it_is(page):
    say(page, "numbers")
    expect(request(page)).to_be_visible()
    page.keyboard.press("Escape")
    press(page, "New conversation")
    say(page, "hello")
    expect(page.get_by_text("You said: hello")).to_be_visible()
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name=re.compile("^numbers")).click()
    expect(request(page)).to_be_visible()


def test_f04_after_a_restart_the_page_says_what_is_gone(page, served):
    say(page, "numbers")
    expect(request(page)).to_be_visible()
    served.stop(signal.SIGKILL)
    served.start()
    expect(page.get_by_text(re.compile("not here"))).to_be_visible(timeout=30_000)
    expect(request(page)).to_have_count(0)
    say(page, "hello")
    expect(page.get_by_text("You said: hello")).to_be_visible()
