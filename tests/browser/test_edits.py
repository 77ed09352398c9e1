"""Arguments changed in a form and as JSON, and the changes shown, all of it under `script-src 'self'`."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import HERE, PICTURES, Served, free_port
from tests.browser.person import field, press, request, say, transcript

Open = Callable[..., Page]
PERSONS = itertools.count(1)
TOOLS = HERE.parent / "components" / "tool_schemas.json"
BATCH = 17
LOOKS = [("light", 1440, 900), ("dark", 360, 740), ("dark", 1440, 900), ("light", 360, 740)]


@pytest.fixture(scope="module")
def edits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("edits") / "edits"
    shutil.copytree(HERE / "edits", folder, ignore=shutil.ignore_patterns(".web", "__pycache__", ".states"))
    os.environ["AGENTKIT_TEST_SCHEMAS"] = str(TOOLS)
    app = Served(folder, free_port())
    try:
        app.start()
        yield app
    finally:
        app.stop()


@pytest.fixture
def visit(browser: Browser, edits: Served) -> Iterator[Open]:
    """A function that opens a page; one that raises, or that its security policy stops, fails the test."""
    contexts, errors = [], []

    def open_(path: str = "/", **options) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 1700}} | options))
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: "Content Security" in said.text and errors.append(said.text))
        policy = page.goto(f"{edits.url}{path}").header_value("content-security-policy")
        assert policy.startswith("script-src 'self'")
        assert "unsafe" not in policy
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors, errors


@pytest.fixture
def propose(visit: Open) -> Open:
    """A function that names a scene, as somebody new, and opens the editing of what is proposed."""

    def open_(scene: str, *, edit: bool = True, **options) -> Page:
        page = visit(f"/?user=person-{next(PERSONS)}", **options)
        say(page, scene)
        expect(request(page)).to_be_visible()
        if edit:
            press(request(page), "Edit")
            expect(changes(page)).to_be_visible()
            expect(page.locator(".ak-form-waiting")).to_have_count(0)
        return page

    return open_


def changes(page: Page) -> Locator:
    return request(page).get_by_role("region", name="Your changes")


def json_box(page: Page) -> Locator:
    show = request(page).get_by_role("button", name="Show as JSON")
    if show.count():
        show.click()
    return request(page).get_by_role("textbox", name="Arguments as JSON")


def got(page: Page, edits: Served, button: str) -> dict:
    """Press the button; the payload that the agent was given."""
    before = len(edits.noted("resume"))
    press(request(page), button)
    expect(page.get_by_text(re.compile(r"^Got (resolved|cancelled)\.$"))).to_be_visible()
    [note] = edits.noted("resume")[before:]
    return eval(note["payload"], {"Decimal": Decimal})


def seen_whole(page: Page) -> None:
    """Go back, see all of the proposal, and edit again."""
    press(request(page), "Back")
    every = request(page).get_by_role("button", name="Show all")
    if every.count():
        every.click()
    request(page).get_by_role("group", name="What will run").focus()
    page.keyboard.press("End")
    expect(request(page).locator("[data-decides]")).to_be_enabled()
    press(request(page), "Edit")


def test_f16_arguments_are_changed_in_a_form_and_the_changes_stay_in_the_transcript(propose, edits):
    page = propose("hotel")
    expect(request(page).get_by_role("button", name="Book hotel")).to_be_visible()
    field(page, "City").fill("Porto")
    field(page, "Nights").fill("3")
    field(page, "Board").select_option(label="full")
    expect(changes(page)).to_contain_text(re.compile(r"nights\s*before:\s*2.*after:\s*3", re.DOTALL))
    args = got(page, edits, "Book with changes")["editedArgs"]
    assert args["city"] == "Porto"
    assert args["nights"] == 3
    assert args["board"] == "full"
    assert args["price"] == Decimal("12345678901234567.89")
    assert args["voucher"] is None
    assert args["guests"] == [{"name": "Ada", "age": None}, {"name": "Bob", "age": 41}]
    for _ in range(2):
        kept = transcript(page).get_by_label("Changes", exact=True)
        expect(kept).to_contain_text(re.compile(r"Lisbon.*Porto.*2.*3.*half.*full", re.DOTALL))
        assert kept.get_by_role("button").count() == 0
        page.reload()


def test_what_was_changed_and_changed_back_is_a_plain_approval(propose, edits):
    page = propose("hotel")
    field(page, "Nights").fill("3")
    expect(request(page).get_by_role("button", name="Book with changes")).to_be_visible()
    field(page, "Nights").fill("2")
    expect(changes(page)).to_contain_text("Nothing is changed yet.")
    assert got(page, edits, "Book hotel") == {"approved": True}


def test_one_change_is_taken_back_or_all(propose):
    page = propose("hotel")
    field(page, "City").fill("Porto")
    field(page, "Nights").fill("3")
    press(request(page), "Reset nights")
    expect(field(page, "Nights")).to_have_value("2")
    expect(changes(page)).not_to_contain_text("nights")
    expect(changes(page)).to_contain_text("Porto")
    press(request(page), "Reset all")
    expect(field(page, "City")).to_have_value("Lisbon")
    expect(changes(page)).to_contain_text("Nothing is changed yet.")
    expect(request(page).get_by_role("button", name="Book hotel")).to_be_enabled()


def test_form_and_json_are_always_the_same_value(propose):
    page = propose("hotel")
    box = json_box(page)
    field(page, "City").fill("Porto")
    expect(box).to_have_value(re.compile('"city": "Porto"'))
    text = box.input_value()
    box.fill(text.replace('"nights": 2', '"nights":   5'))
    expect(field(page, "Nights")).to_have_value("5")
    expect(box).to_have_value(re.compile('"nights":   5'))
    expect(changes(page)).to_contain_text(re.compile("city.*nights", re.DOTALL))


def test_f18_a_broken_json_text_keeps_the_form_and_says_where(propose):
    page = propose("hotel")
    field(page, "City").fill("Porto")
    box = json_box(page)
    broken = box.input_value().replace('"nights": 2', '"nights": ')
    box.fill(broken)
    expect(request(page)).to_contain_text("Line 3")
    expect(request(page)).to_contain_text("The form keeps what it last said.")
    expect(field(page, "City")).to_have_value("Porto")
    expect(field(page, "City")).to_be_disabled()
    expect(request(page).locator("[data-decides]")).to_be_disabled()
    expect(box).to_have_value(broken)
    press(request(page), "Undo the JSON")
    expect(field(page, "City")).to_be_enabled()
    expect(box).to_have_value(re.compile('"nights": 2'))


def test_f19_an_emptied_field_is_null_or_left_out_as_it_was_proposed(propose):
    page = propose("hotel")
    field(page, "Voucher").fill("XMAS")
    expect(changes(page)).to_contain_text("voucher")
    field(page, "Voucher").fill("")
    expect(changes(page)).to_contain_text("Nothing is changed yet.")
    field(page, "Late Until").fill("18:30:00")
    expect(changes(page)).to_contain_text(re.compile("late_until.*added", re.DOTALL))
    field(page, "Late Until").fill("")
    expect(changes(page)).to_contain_text("Nothing is changed yet.")


def test_another_form_of_several_brings_its_own_fields_and_mark(propose, edits):
    page = propose("hotel")
    expect(field(page, "Number")).to_have_value("1234 5678")
    field(page, "Payment").select_option(label="Invoice")
    expect(field(page, "Number")).to_have_count(0)
    field(page, "To").fill("The office")
    args = got(page, edits, "Book with changes")["editedArgs"]
    assert args["payment"] == {"kind": "invoice", "to": "The office"}


def test_entries_come_and_go_and_come_back(propose, edits):
    page = propose("hotel")
    request(page).get_by_role("button", name="Remove").first.click()
    expect(changes(page)).to_contain_text(re.compile(r"guests\[0\]\s*removed"))
    press(request(page), "Reset guests[0]")
    expect(changes(page)).to_contain_text("Nothing is changed yet.")
    request(page).get_by_role("button", name="Remove").first.click()
    request(page).get_by_role("button", name="Add").last.click()
    request(page).get_by_role("textbox", name="Name").last.fill("lift")
    request(page).get_by_role("textbox", name="Name").last.press("Tab")
    field(page, "lift").fill("yes")
    args = got(page, edits, "Book with changes")["editedArgs"]
    assert args["guests"] == [{"name": "Bob", "age": 41}]
    assert args["notes"] == {"floor": "high", "lift": "yes"}


def test_numbers_of_any_length_are_edited_without_loss(propose, edits):
    page = propose("everything")
    expect(field(page, "Big")).to_have_value("9007199254740993")
    field(page, "Big").fill("90071992547409930000001")
    field(page, "At").fill("2026-12-06T08:15:30")
    field(page, "Time zone").fill("-05:00")
    field(page, "blue").check()
    field(page, "Size").select_option(label="A whole number")
    expect(field(page, "Id")).to_be_disabled()
    request(page).get_by_label("A whole number").fill("12345678901234567890")
    args = got(page, edits, "Set with changes")["editedArgs"]
    assert args["big"] == 90071992547409930000001
    assert args["at"] == "2026-12-06T08:15:30-05:00"
    assert args["tags"] == ["red", "blue"]
    assert args["size"] == 12345678901234567890
    assert args["anything"] == {"a": [1.0, None]}
    assert args["free"] == {"x": 1.5}


@pytest.mark.parametrize(
    ("scene", "label", "typed", "why"),
    [
        ("hotel", "Nights", "20", "must be at most 14"),
        ("hotel", "Nights", "2.5", "must be a whole number"),
        ("hotel", "Nights", "many", "not a number"),
        ("hotel", "Nights", "", "This is needed"),
        ("hotel", "City", "L", "needs at least 2 characters"),
        ("hotel", "Number", "12345678", "does not match the pattern"),
        ("everything", "Mail", "nobody", "not a valid email"),
        ("everything", "Link", "nowhere", "not a valid uri"),
        ("everything", "Ratio", "0.35", "must be a multiple of 0.1"),
        ("everything", "Time zone", "one", "not a valid date-time"),
    ],
)
def test_f20_what_is_wrong_is_told_at_its_field_while_it_is_typed(propose, scene, label, typed, why):
    page = propose(scene)
    field(page, label).fill(typed)
    expect(request(page).locator(".ak-problem")).to_contain_text([re.compile(why, re.IGNORECASE)])
    expect(request(page).locator("[data-decides]")).to_be_disabled()
    press(request(page), "Reset all")
    expect(request(page).locator(".ak-problem")).to_have_count(0)


def test_f08_f26_enter_approves_nothing_escape_decides_nothing_and_the_draft_stays(propose, edits):
    page = propose("hotel")
    before = len(edits.noted("resume"))
    for label in ("City", "Nights", "Arrival", "Board", "Voucher"):
        field(page, label).press("Enter")
        expect(request(page)).to_be_visible()
    field(page, "City").fill("Porto")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(request(page)).to_have_count(0)
    press(page, "Review")
    expect(field(page, "City")).to_have_value("Porto")
    expect(changes(page)).to_contain_text("Porto")
    assert len(edits.noted("resume")) == before


def test_f26_all_is_done_with_the_keyboard_in_the_order_of_the_page(propose, edits):
    page = propose("letter", edit=False)
    edit = request(page).get_by_role("button", name="Edit")
    edit.click(trial=True)
    edit.focus()
    page.keyboard.press("Enter")
    expect(changes(page)).to_be_visible()
    order = []
    for _ in range(14):
        page.keyboard.press("Tab")
        order.append(
            page.evaluate(
                "document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText.trim()"
            )
        )
        if order[-1].startswith("To"):
            page.keyboard.press("ControlOrMeta+A")
            page.keyboard.type("Bob")
        if order[-1] == "Send with changes":
            break
    names = [name.split("\n")[0] for name in order]
    assert [name for name in names if name in ("Show as JSON", "To", "Body", "Send with changes")] == [
        "Show as JSON",
        "To",
        "Body",
        "Send with changes",
    ]
    before = len(edits.noted("resume"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Got resolved.")).to_be_visible()
    [note] = edits.noted("resume")[before:]
    assert "'to': 'Bob'" in note["payload"]


def test_a_change_in_a_long_text_is_shown_word_by_word(propose):
    page = propose("letter")
    body = field(page, "Body")
    body.fill(body.input_value().replace("12 chairs", "14 tables").replace("Monday", "Friday"))
    shown = changes(page).locator("del, ins")
    expect(shown).to_have_text(["before: 12 chairs", "after: 14 tables", "before: Monday", "after: Friday"])
    expect(changes(page)).to_contain_text("thank you for your order of")


def test_s01_a_tool_cannot_be_named_like_a_button_of_ours(propose, edits):
    page = propose("cancel", edit=False)
    expect(request(page).get_by_role("button", name="Cancel booking", exact=True)).to_have_count(0)
    assert got(page, edits, "Approve: Cancel booking") == {"approved": True}


def test_without_a_schema_arguments_are_changed_as_json(propose, edits):
    page = propose("no schema")
    box = json_box(page)
    expect(box).to_be_focused()
    box.fill('{"command": "ls -l"}')
    assert got(page, edits, "Run with changes")["editedArgs"] == {"command": "ls -l"}


def test_two_thousand_fields_are_changed_as_json(propose, edits):
    page = propose("many")
    expect(request(page)).to_contain_text("too many fields for a form")
    seen_whole(page)
    box = json_box(page)
    box.fill(box.input_value().replace('"field_1999": 1999', '"field_1999": 5'))
    args = got(page, edits, "Set with changes")["editedArgs"]
    assert len(args) == 2000
    assert args["field_1999"] == 5


def test_a_text_of_a_megabyte_can_be_approved_and_a_change_of_it_is_refused_with_the_reason(propose, edits):
    page = propose("huge")
    expect(field(page, "Body")).to_have_value("end")
    field(page, "Body").fill("the end")
    json_box(page)
    expect(request(page)).to_contain_text("too long to be sent from a page")
    expect(request(page).locator("[data-decides]")).to_be_disabled()
    field(page, "To").fill("Ada")
    press(request(page), "Back")
    expect(request(page).locator("[data-decides]")).to_be_disabled()
    expect(request(page).get_by_role("button", name="Show all")).to_be_visible()
    press(request(page), "Edit")
    seen_whole(page)
    assert got(page, edits, "Store with changes")["editedArgs"] == {"to": "Ada", "body": "the end"}


def test_what_is_nested_deep_is_changed_at_its_outermost_level_or_as_json(propose, edits):
    page = propose("deep")
    seen_whole(page)
    request(page).get_by_label(re.compile("^Name")).first.fill("the top")
    args = got(page, edits, "Plant with changes")["editedArgs"]
    assert args["name"] == "the top"
    for _ in range(60):
        [args] = args["children"]
    assert args == {"name": "leaf"}


def test_a_value_of_any_shape_and_depth_is_changed_as_json(propose, edits):
    page = propose("deep free")
    seen_whole(page)
    field(page, "value").fill('{"a": [1.0, 12345678901234567.89]}')
    args = got(page, edits, "Store with changes")["editedArgs"]
    assert args == {"value": {"a": [1.0, Decimal("12345678901234567.89")]}}


def test_s13_a_schema_that_leads_in_circles_can_be_approved_but_not_changed(propose, edits):
    page = propose("loop")
    json_box(page).fill('{"a": 2}')
    expect(request(page)).to_contain_text("to be checked, so it is not sent")
    expect(request(page).locator("[data-decides]")).to_be_disabled()
    press(request(page), "Reset all")
    assert got(page, edits, "Chase tail") == {"approved": True}


def test_a_call_without_arguments_says_so(propose, edits):
    page = propose("nothing")
    expect(request(page)).to_contain_text("There is nothing to fill in.")
    json_box(page).fill('{"x": 1}')
    expect(request(page)).to_contain_text("is not known here")
    press(request(page), "Reset all")
    assert got(page, edits, "Ping") == {"approved": True}


def test_a_text_that_looks_like_a_mark_of_the_form_stays_the_text_it_is(propose, edits):
    page = propose("mark")
    field(page, "n").fill("2")
    args = got(page, edits, "Store with changes")["editedArgs"]
    assert args == {"text": "\0number:5", "n": 2}


@pytest.mark.parametrize("first", range(0, len(json.loads(TOOLS.read_text())), BATCH))
def test_the_schemas_of_real_tools_are_drawn_as_forms_that_change_nothing(visit, first):
    page = visit("/schemas", viewport={"width": 900, "height": 1400})
    tools = json.loads(TOOLS.read_text())[first : first + BATCH]
    page.get_by_label("First of the batch").fill(str(first))
    page.get_by_role("button", name="Show batch").click()
    cards = page.get_by_role("region", name="Your approval is needed")
    expect(cards).to_have_count(len(tools))
    for place, tool in enumerate(tools):
        card = cards.nth(place)
        expect(card).to_contain_text(tool["name"])
        card.get_by_role("button", name="Edit", exact=True).click()
        expect(card.get_by_role("region", name="Your changes")).to_contain_text("Nothing is changed yet.")
        expect(card.get_by_role("button", name="Show as JSON")).to_be_visible()
        expect(card.locator(".ak-form-waiting")).to_have_count(0)
        expect(
            card.get_by_role("textbox")
            .or_(card.get_by_role("combobox"))
            .or_(card.get_by_role("checkbox"))
            .or_(card.get_by_role("button", name="Add"))
            .first
        ).to_be_visible()
        assert card.locator(".ak-problem").count() == 0, tool["from"]


@pytest.mark.parametrize("scene", ["hotel", "everything", "letter"])
@pytest.mark.parametrize(("scheme", "width", "height"), LOOKS)
def test_f26_editing_has_no_serious_accessibility_fault_and_fits(
    propose, edits, scene, scheme, width, height
):
    page = propose(
        scene, viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    look(page, edits, f"edit-{scene}-{scheme}-{width}")
    first = {"hotel": "Nights", "everything": "Ratio", "letter": "Body"}[scene]
    field(page, first).fill("a much longer text than the one before, so that it is shown word by word")
    json_box(page)
    look(page, edits, f"edit-{scene}-{scheme}-{width}-json")
    changes(page).scroll_into_view_if_needed()
    look(page, edits, f"edit-{scene}-{scheme}-{width}-changes")


def look(page: Page, edits: Served, name: str) -> None:
    """A picture, and what axe says of the page."""
    PICTURES.mkdir(exist_ok=True)
    page.mouse.move(0, 0)
    page.screenshot(path=PICTURES / f"{name}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # By the browser's own hand: the page's policy lets no other script in.
    page.evaluate(Path(edits.folder / ".web/node_modules/axe-core/axe.min.js").read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    serious = [
        (one["id"], [node["html"][:160] for node in one["nodes"]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
