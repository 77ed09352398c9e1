"""Each component with canned views: what is seen, what a person can do, and what is sent then."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import PICTURES
from tests.browser.person import button, did, request

SCENES = [
    "empty",
    "talk",
    "working",
    "cards",
    "records",
    "approval",
    "letter",
    "huge",
    "many",
    "hostile",
    "no_arguments",
    "unreadable",
    "several",
    "question",
    "number",
    "choice",
    "form",
    "custom",
    "hidden",
    "inline",
    "both",
    "failed",
    "long",
    "foreign",
]
REQUESTS = ("approval", "letter", "question", "form", "custom", "inline")
LOOKS = [("light", 1440, 900), ("dark", 360, 740)]


def editor(dialog: Locator) -> Locator:
    button(dialog, "Edit").click()
    button(dialog, "Show as JSON").click()
    return dialog.get_by_role("textbox", name="Arguments as JSON")


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(("scheme", "width", "height"), LOOKS)
def test_f26_a_page_has_no_serious_accessibility_fault_and_fits(name, scheme, width, height, scene, gallery):
    page = scene(name, width, height, scheme)
    if name in REQUESTS:
        page.locator("[data-interrupt], .ak-custom").first.wait_for()
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}-{scheme}-{width}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.add_script_tag(path=gallery.folder / ".web/node_modules/axe-core/axe.min.js")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    serious = [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found]
    assert [
        one for one, rule in zip(serious, found, strict=True) if rule["impact"] in ("serious", "critical")
    ] == []


def test_approving_is_one_click_and_f08_two_clicks_are_one_decision(scene):
    page = scene("approval")
    button(request(page), "Approve").dblclick(delay=5)
    expect(request(page)).to_be_hidden()
    assert did(page) == [["decide", "i1", "digest-i1", "approve", ""]]


def test_f26_the_dialog_says_what_will_run_and_keeps_the_keyboard(scene):
    page = scene("approval")
    expect(page.get_by_role("heading", name="Your approval is needed")).to_be_focused()
    expect(request(page)).to_have_accessible_description(re.compile(r'book_hotel.*"nights": 2', re.DOTALL))
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("!!document.activeElement.closest('[role=alertdialog]')")
    assert did(page, 0) == []


def test_f26_escape_and_a_click_beside_decide_nothing_and_the_draft_stays(scene):
    page = scene("approval")
    editor(request(page)).fill('{"a": 1}')
    page.mouse.click(5, 400)
    expect(request(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(request(page)).to_be_hidden()
    assert did(page) == [["dismiss", "i1"]]
    button(page, "Review").click()
    expect(request(page).get_by_role("textbox", name="Arguments as JSON")).to_have_value('{"a": 1}')


def test_an_edit_is_sent_in_the_letters_it_was_typed_in(scene):
    page = scene("approval")
    text = '{"city": "Lisbon", "nights": 3,   "guest": {"name": "A", "age": 9007199254740993}}'
    editor(request(page)).fill(text)
    button(request(page), "Approve with changes").click()
    assert did(page) == [["decide", "i1", "digest-i1", "edit", text]]


def test_an_edit_that_changes_nothing_is_a_plain_approval(scene):
    page = scene("approval")
    editor(request(page)).fill('{"nights":2,   "city":"Lisbon"}')
    expect(request(page).get_by_role("button", name="Book with changes")).to_have_count(0)
    request(page).get_by_role("button", name="Book hotel").click()
    assert did(page)[0][3:] == ["approve", ""]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"city": "Lisbon", "nights": 20}', "must be at most 14"),
        ('{"city": "Lisbon", "nights": 1, "board": "x"}', "must be one of: none, half, full"),
        ('{"city": "Lisbon", "nights": 1, "guest": {}}', "is missing: name"),
        ('{"city": "Lisbon", "nights": 1, "zz": 1}', "is not known here"),
        ('{"city": "Lisbon",\n "nights": "a"}', "Line 2"),
        ('{"city": "Lisbon", "nights": ', "a value is expected here"),
        ('{"city": "Lisbon", "nights": 1e999}', "this number is too large"),
        ('{"city": "Lisbon", "city": "x", "nights": 1}', "the key city is given twice"),
    ],
)
def test_f18_f20_what_is_wrong_with_an_edit_is_said_while_it_is_typed(text, said, scene):
    page = scene("approval")
    editor(request(page)).fill(text)
    expect(request(page).locator(".ak-problems")).to_contain_text(said)
    expect(button(request(page), "Approve with changes")).to_be_disabled()


def test_f18_typing_is_not_disturbed_by_the_rest_of_the_page(scene):
    page = scene("approval")
    box = editor(request(page))
    page.locator("#shake").evaluate("button => button.click()")
    box.fill("")
    box.press_sequentially('{"city": "Lisbon", "nights": 14, ', delay=20)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("9")
    expect(box).to_have_value('{"city": "Lisbon", "nights": 149, ')
    assert page.locator("[data-role=assistant]").last.text_content() != ""


def test_a_rejection_takes_a_reason_and_enter(scene):
    page = scene("approval")
    button(request(page), "Reject").click()
    box = request(page).get_by_role("textbox", name=re.compile("Reason"))
    expect(box).to_be_focused()
    box.fill("too expensive")
    box.press("Enter")
    assert did(page)[0][3:] == ["reject", "too expensive"]


def test_only_what_is_allowed_is_offered(scene):
    expect(button(request(scene("approval")), "Respond instead")).to_have_count(0)
    page = scene("letter")
    button(request(page), "Respond instead").click()
    request(page).get_by_role("textbox").fill("Sent by hand.")
    button(request(page), "Send as result").click()
    assert did(page)[0][3:] == ["respond", "Sent by hand."]


def test_a_refused_answer_is_shown_with_its_place_and_frees_the_buttons(scene):
    page = scene("approval")
    button(request(page), "Reject").click()
    request(page).get_by_role("textbox").fill("refuse")
    button(request(page), "Reject").click()
    expect(request(page).get_by_text("Your decision is being recorded")).to_be_visible()
    expect(request(page).get_by_role("alert")).to_contain_text("/nights")
    expect(button(request(page), "Reject")).to_be_enabled()
    expect(request(page).get_by_role("textbox")).to_have_value("refuse")


def test_f14_several_come_one_after_the_other_and_say_how_many(scene):
    page = scene("several")
    expect(request(page)).to_contain_text("1 of 3")
    button(request(page), "Approve").click()
    expect(request(page)).to_contain_text("Oslo")
    button(request(page), "Cancel request").click()
    request(page).get_by_role("textbox", name="Your answer").fill('a "word"')
    button(request(page), "Send answer").click()
    expect(request(page)).to_be_hidden()
    assert [one[3:] for one in did(page, 3)] == [
        ["approve", ""],
        ["cancel", ""],
        ["answer", '"a \\"word\\""'],
    ]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
def test_f24_s04_nothing_is_approved_that_was_not_in_view(width, height, scene):
    page = scene("hostile", width, height)
    dialog, approve = request(page), button(request(page), "Approve")
    for words in ("⟨2,000 line breaks⟩", "rm -rf", "⟨20,000 blanks⟩", "⟨50 blanks⟩", "⟨U+202E⟩", "⟨U+200B⟩"):
        expect(dialog).to_contain_text(words)
    expect(dialog).to_contain_text("below")
    expect(approve).to_be_disabled()
    expect(approve).to_be_in_viewport()
    dialog.get_by_role("group", name="What will run").focus()
    page.keyboard.press("End")
    expect(approve).to_be_enabled()


def test_s04_a_key_after_many_others_has_to_be_opened_first(scene):
    page = scene("many")
    dialog, approve = request(page), button(request(page), "Approve")
    expect(dialog).to_contain_text("151 more values")
    expect(dialog).not_to_contain_text("run_as_root")
    expect(approve).to_be_disabled()
    button(dialog, "Edit").click()
    expect(approve).to_be_disabled()
    button(dialog, "Back").click()
    button(dialog, "Show all").click()
    expect(dialog).to_contain_text("run_as_root")
    dialog.get_by_role("group", name="What will run").focus()
    page.keyboard.press("End")
    expect(approve).to_be_enabled()


def test_s03_markup_in_what_is_decided_on_is_shown_letter_for_letter(scene):
    page = scene("hostile")
    for words in ("<img src=x onerror", "</pre><button>Approve</button>", "<style>*{display:none}</style>"):
        expect(request(page)).to_contain_text(words)
    assert request(page).locator("img, style, iframe").count() == 0
    assert button(request(page), "Approve").count() == 1
    assert page.title() == "Gallery hostile"


def test_s01_the_tool_and_its_arguments_come_before_the_agents_words(scene):
    text = request(scene("approval")).locator("[data-interrupt]").inner_text()
    assert (
        text.index("book_hotel")
        < text.index("Lisbon")
        < text.index("The agent says")
        < text.index("I would like")
    )


def test_f25_little_to_show_is_said_and_what_cannot_be_read_cannot_be_approved(scene):
    expect(request(scene("no_arguments"))).to_contain_text("No arguments.")
    page = scene("unreadable")
    expect(request(page)).to_contain_text('{"city": "Lis')
    expect(button(request(page), "Approve")).to_have_count(0)
    button(request(page), "Cancel request").click()
    assert did(page)[0][3] == "cancel"


def test_s03_s05_markdown_of_the_agent_cannot_act(scene):
    page = scene("hostile_talk")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.reload()
    text = page.locator(".ak-md:not(.ak-plain)")
    for words in ("<b>bold</b>", '<img src=x onerror="window.__ran=1">', "</pre><button>Approve</button>"):
        expect(text).to_contain_text(words)
    assert text.locator("img, script, style, iframe, form, button").count() == 0
    assert page.evaluate("window.__ran ?? null") is None
    assert not [url for url in asked if "attacker" in url]
    links = text.locator("a").evaluate_all("l => l.map(a => [a.getAttribute('href'), a.rel, a.textContent])")
    assert [href for href, _, _ in links] == [
        "https://example.com/",
        "https://attacker.example/x.png",
        "https://attacker.example/reference.png",
        "https://attacker.example/login",
        "https://bank.example@attacker.example/",
    ]
    assert {rel for _, rel, _ in links} == {"noopener noreferrer nofollow"}
    assert links[3][2] == "https://bank.example (attacker.example)"
    assert links[4][2] == "https://bank.example@attacker.example/ (attacker.example)"


@pytest.mark.parametrize(("wrong", "said"), [("11", "must be at most 10"), ("1x", "This is not a number.")])
def test_f17_a_number_is_checked_while_it_is_typed(wrong, said, scene):
    page = scene("number")
    box = request(page).get_by_role("textbox", name="Your answer")
    box.fill(wrong)
    expect(request(page)).to_contain_text(said)
    button(request(page), "Send answer").click()
    box.fill("7")
    button(request(page), "Send answer").click()
    assert did(page) == [["decide", "q1", "digest-q1", "answer", "7"]]


def test_a_choice_is_sent_as_its_value(scene):
    page = scene("choice")
    request(page).get_by_role("radio", name="aisle").check()
    button(request(page), "Send answer").click()
    assert did(page)[0][3:] == ["answer", '"aisle"']


def test_f17_a_form_starts_with_its_defaults_and_says_what_is_missing(scene):
    page = scene("form")
    expect(request(page).get_by_label("guests")).to_have_value("3")
    button(request(page), "Send answer").click()
    name = request(page).get_by_label("name")
    expect(name).to_have_accessible_description("This is needed.")
    name.fill("Anna")
    button(request(page), "Answer as JSON").click()
    box = request(page).get_by_role("textbox", name="Your answer as JSON")
    assert json.loads(box.input_value()) == {"name": "Anna", "guests": 3}
    button(request(page), "Send answer").click()
    assert json.loads(did(page)[0][4]) == {"name": "Anna", "guests": 3}


@pytest.mark.parametrize("value", ["false", "0", '""', "[]", "3.5", "null"])
def test_f19_every_json_value_is_an_answer(value, scene):
    page = scene("question")
    button(request(page), "Answer as JSON").click()
    request(page).get_by_role("textbox", name="Your answer as JSON").fill(value)
    button(request(page), "Send answer").click()
    assert did(page)[0][3:] == ["answer", value]


def test_a_renderer_of_the_app_answers_by_itself(scene):
    page = scene("custom")
    request(page).get_by_label("Your answer").fill("3")
    button(request(page), "Send answer").click()
    assert did(page) == [["respond_to_interrupt", "3"]]


def test_a_message_is_kept_until_it_is_accepted(scene):
    page = scene("empty")
    box = page.get_by_role("textbox", name="Message")
    box.fill("please refuse")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("still answering")
    expect(box).to_have_value("please refuse")
    box.fill("one")
    box.press("Shift+Enter")
    box.press_sequentially("two")
    box.press("Enter")
    expect(page.locator("[data-role=user]")).to_contain_text("one\ntwo")
    expect(box).to_have_value("")


def test_f23_while_a_request_is_open_sending_says_why_not_and_offers_to_cancel(scene):
    page = scene("hidden")
    box = page.get_by_role("textbox", name="Message")
    box.fill("No, Porto")
    box.press("Enter")
    expect(page.get_by_text("Answer the open request first")).to_be_visible()
    expect(box).to_have_value("No, Porto")
    button(page, "Cancel request and send").click()
    expect(box).to_have_value("")
    assert did(page) == [["cancel_and_send", "No, Porto"]]


def test_a_run_can_be_stopped_and_a_failed_one_tried_again(scene):
    page = scene("working")
    expect(page.get_by_text("ask the weather")).to_be_visible()
    button(page, "Stop").click()
    assert did(page) == [["cancel_run"]]
    page = scene("failed")
    expect(page.get_by_role("alert")).to_contain_text("Connection refused.")
    button(page.get_by_role("alert"), "Retry").click()
    assert did(page) == [["retry"]]


def test_what_is_typed_right_after_new_conversation_is_meant_for_the_new_one(scene):
    page = scene("hidden")
    box = page.get_by_role("textbox", name="Message")
    box.fill("a draft of the old one")
    button(page, "New conversation").click()
    box.fill("hello")
    box.press("Enter")
    assert did(page, 2) == [["new_thread"], ["send", "hello"]]
    expect(box).to_have_value("")


def test_conversations_open_from_the_header(scene):
    page = scene("talk")
    button(page, "Conversations").click()
    page.get_by_role("button", name=re.compile("flights to Tokyo")).click()
    expect(page.get_by_role("navigation")).to_have_count(0)
    assert did(page) == [["open_thread", "t2"]]


def test_earlier_messages_come_on_demand_and_the_latest_is_one_click_away(scene):
    page = scene("talk", height=500)
    page.get_by_role("log").evaluate("log => log.scrollTop = 0")
    button(page, "Show 20 earlier messages").click()
    expect(page.get_by_text("Earlier 3", exact=True)).to_be_attached()
    button(page, "Jump to latest").click()
    expect(page.get_by_text("Take the second one.")).to_be_in_viewport()


def test_f03_f16_a_decision_is_a_record_with_both_versions_and_no_buttons(scene):
    log = scene("records").get_by_role("log")
    for words in (
        "Approved with changes",
        "anna",
        "12345678901234567.89",
        "12345678901234567.88",
        "guest.vip",
    ):
        expect(log).to_contain_text(words)
    assert log.get_by_role("button").count() == 0


def test_a_request_stands_in_the_transcript_or_in_both_places(scene):
    page = scene("inline")
    button(page, "Approve").click()
    assert did(page)[0][3] == "approve"
    page = scene("both")
    expect(page.locator("[data-interrupt]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(button(page.get_by_role("log"), "Approve")).to_be_visible()
