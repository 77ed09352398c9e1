"""Forms: cards that an agent brings, and forms made from a schema. What is seen, and what is sent."""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import HERE, PICTURES, Served, free_port
from tests.browser.person import press, request, say, transcript

Open = Callable[..., Page]
PERSONS = itertools.count(1)

LOOKS = [("light", 1440, 900), ("dark", 360, 740), ("dark", 1440, 900), ("light", 360, 740)]
SCENES = ["flight", "refund", "everything", "schema", "rich", "nothing"]


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("forms") / "forms"
    shutil.copytree(HERE / "forms", folder, ignore=shutil.ignore_patterns(".web", "__pycache__", ".states"))
    app = Served(folder, free_port())
    try:
        app.start()
        yield app
    finally:
        app.stop()


@pytest.fixture
def ask(browser: Browser, forms: Served) -> Iterator[Open]:
    """A function that opens a page as somebody new and names a scene; a page that raises fails the test."""
    contexts, errors = [], []

    def open_(scene: str, path: str = "/", *, init: str = "", **options) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 1600}} | options))
        contexts.append(context)
        if init:
            context.add_init_script(init)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{forms.url}{path}?user=person-{next(PERSONS)}")
        say(page, scene)
        page.locator("[data-interrupt], .ak-custom").first.wait_for()
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors, errors


def field(page: Page, label: str) -> Locator:
    return request(page).get_by_label(re.compile(rf"^{re.escape(label)}(\s*required)?$"))


def answered(page: Page, forms: Served, button: str) -> str:
    """Press the button; what the agent was given."""
    before = len(forms.noted("resume"))
    press(request(page), button)
    expect(page.get_by_text(re.compile(r"^Got (resolved|cancelled)\.$"))).to_be_visible()
    [got] = forms.noted("resume")[before:]
    return got["payload"]


def refused(page: Page, forms: Served, button: str) -> None:
    """Press the button; nothing goes out."""
    before = len(forms.noted("resume"))
    press(request(page), button)
    expect(request(page).locator(".ak-problem, .ak-problems li").first).to_be_visible()
    expect(request(page)).to_be_visible()
    assert len(forms.noted("resume")) == before


def as_json(page: Page, button: str = "Answer as JSON") -> Locator:
    press(request(page), button)
    return request(page).get_by_role("textbox", name=re.compile("as JSON$"))


def test_the_flight_card_of_the_seed_is_answered_and_stays_after_a_reload(ask, forms):
    page = ask("flight")
    expect(request(page)).to_contain_text("Confirm flight booking")
    expect(request(page)).to_contain_text("book_flight")
    expect(request(page)).to_contain_text("Zürich")
    expect(field(page, "Seat class")).to_have_value(re.compile("Economy"))
    field(page, "Seat class").select_option(label="Business")
    field(page, "Add trip insurance").check()
    got = answered(page, forms, "Approve")
    assert got == "{'approved': True, 'values': {'seatClass': 'Business', 'insurance': True}}"
    for _ in range(2):
        card = transcript(page).get_by_role("region", name="A decided request")
        expect(card).to_contain_text("Confirm flight booking")
        expect(card).to_contain_text("Lisbon")
        expect(card.locator("dl").last).to_have_text(
            re.compile(r"Seat class\s*Business\s*Add trip insurance\s*Yes")
        )
        expect(card).to_contain_text(re.compile(r"Approved\s*by person-"))
        expect(card.locator("time")).to_have_count(1)
        assert card.locator("button, input, select, textarea").count() == 0
        page.reload()
    expect(request(page)).to_have_count(0)


def test_a_card_that_nobody_touches_is_answered_with_its_defaults(ask, forms):
    page = ask("flight")
    got = answered(page, forms, "Approve")
    assert got == "{'approved': True, 'values': {'seatClass': 'Economy', 'insurance': False}}"
    expect(transcript(page).get_by_role("region")).to_contain_text("No")


def test_declining_a_card_needs_no_values_and_is_seen_after_a_reload(ask, forms):
    page = ask("refund")
    assert answered(page, forms, "Keep the money") == "{'approved': False}"
    page.reload()
    card = transcript(page).get_by_role("region", name="A decided request")
    expect(card).to_contain_text("Declined")
    expect(card).to_contain_text("Ada Lovelace")
    expect(card).not_to_contain_text("Amount")


def test_a_cancelled_card_stays_too(ask, forms):
    page = ask("refund")
    assert answered(page, forms, "Cancel request") == "None"
    expect(transcript(page).get_by_role("region", name="A decided request")).to_contain_text("Cancelled")


def test_numbers_of_a_card_are_exact_and_choices_keep_their_type(ask, forms):
    page = ask("refund")
    expect(request(page)).to_contain_text("“Refund it” is a yes, “Keep the money” is a no.")
    field(page, "Amount").fill("12345678901234567.88")
    field(page, "A voucher").check()
    field(page, "Note to the customer").fill("Sorry!\nReally.")
    got = answered(page, forms, "Refund it")
    assert "'amount': Decimal('12345678901234567.88')" in got
    assert "'method': 7" in got
    assert "'note': 'Sorry!\\nReally.'" in got
    card = transcript(page).get_by_role("region")
    expect(card).to_contain_text("12345678901234567.88 EUR")
    expect(card).to_contain_text("A voucher")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("many", "This is not a number"),
        ("1,5", "This is not a number"),
        ("1e999", "too large"),
        ("-1", "at least 0"),
        ("22345678901234567", "at most"),
        ("", "This is needed"),
    ],
)
def test_f17_a_wrong_number_of_a_card_is_refused_at_its_field(ask, forms, typed, why):
    page = ask("refund")
    field(page, "The card").check()
    field(page, "Amount").fill(typed)
    refused(page, forms, "Refund it")
    expect(field(page, "Amount")).to_be_focused()
    expect(field(page, "Amount")).to_have_attribute("aria-invalid", "true")
    expect(field(page, "Amount")).to_have_accessible_description(re.compile(why))
    field(page, "Amount").fill(" 007.50 ")
    assert "'amount': 7.5" in answered(page, forms, "Refund it")


def test_numbers_that_javascript_cannot_tell_apart_are_told_apart_at_the_field(ask, forms):
    page = ask("refund")
    field(page, "The card").check()
    field(page, "Amount").fill("12345678901234567.90")
    refused(page, forms, "Refund it")
    expect(field(page, "Amount")).to_have_accessible_description(re.compile("at most 12345678901234567.89"))
    expect(field(page, "Amount")).to_have_value("12345678901234567.90")


def test_f17_f19_untouched_fields_are_absent_and_no_zero_and_nothing_are_values(ask, forms):
    page = ask("everything")
    assert answered(page, forms, "Approve") == "{'approved': True, 'values': {'code': 'A-1', 'count': 0}}"
    page = ask("everything")
    field(page, "Code").fill("")
    field(page, "Count").fill("")
    field(page, "Agree").check()
    field(page, "Agree").uncheck()
    field(page, "Monday").check()
    field(page, "Monday").uncheck()
    got = answered(page, forms, "Approve")
    assert got == "{'approved': True, 'values': {'code': '', 'days': [], 'agree': False}}"


def test_every_kind_of_field_gives_its_value(ask, forms):
    page = ask("everything")
    field(page, "Count").fill("9007199254740993")
    field(page, "Day").fill("2026-12-24")
    field(page, "At").fill("18:30")
    field(page, "Tuesday").check()
    field(page, "Monday").check()
    field(page, "Agree").check()
    field(page, "Colour").fill("teal")
    field(page, "Builder").fill("Bob")
    got = answered(page, forms, "Approve")
    assert got == (
        "{'approved': True, 'values': {'code': 'A-1', 'count': 9007199254740993, 'day': '2026-12-24', "
        "'at': '18:30', 'days': ['mo', 'tu'], 'agree': True, 'colour': 'teal', 'constructor': 'Bob'}}"
    )
    expect(transcript(page).get_by_role("region")).to_contain_text("Monday, Tuesday")


def test_a_day_out_of_bounds_is_refused_at_its_field(ask, forms):
    page = ask("everything")
    field(page, "Day").fill("2027-01-01")
    refused(page, forms, "Approve")
    expect(field(page, "Day")).to_have_accessible_description(re.compile("not be after 2026-12-31"))


def test_form_and_json_hold_the_same_values(ask, forms):
    page = ask("everything")
    field(page, "Count").fill("1.10")
    box = as_json(page, "Fill in as JSON")
    expect(box).to_have_value('{\n  "code": "A-1",\n  "count": 1.10\n}')
    box.fill('{"count": 2, "colour": {"red": 255}, ')
    expect(request(page).get_by_role("button", name="Back to the form")).to_be_disabled()
    refused(page, forms, "Approve")
    box.fill('{"count": 2.50, "colour": {"red": 255}, "code": "B"}')
    expect(request(page)).not_to_contain_text("Line")
    press(request(page), "Back to the form")
    expect(field(page, "Count")).to_have_value("2.50")
    expect(field(page, "Code")).to_have_value("B")


def test_f08_enter_in_a_field_approves_nothing_and_two_clicks_are_one_decision(ask, forms):
    page = ask("refund")
    before = len(forms.noted("resume"))
    field(page, "The card").check()
    field(page, "Amount").fill("5")
    field(page, "Amount").press("Enter")
    expect(request(page).get_by_role("button", name="Refund it")).to_be_enabled()
    request(page).get_by_role("button", name="Refund it").dblclick(delay=5)
    expect(page.get_by_text("Got resolved.")).to_be_visible()
    expect(request(page)).to_have_count(0)
    assert len(forms.noted("resume")) == before + 1


def inert(page: Page, asked: list[str]) -> None:
    assert page.title() != "pwned"
    assert page.locator("[data-interrupt] img, [data-interrupt] b:text('bold')").count() == 0
    assert not [url for url in asked if "invalid" in url]


def test_s03_what_stands_on_a_card_is_text(ask, forms):
    page = ask("hostile card")
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    expect(request(page)).to_contain_text("<b>bold</b>")
    expect(request(page)).to_contain_text("U+202E")
    expect(request(page).get_by_role("button", name="Approve")).to_be_visible()
    field(page, "To string").select_option(label="safe")
    inert(page, asked)
    assert answered(page, forms, "Approve") == "{'approved': True, 'values': {'toString': 'safe'}}"
    expect(transcript(page).get_by_role("region", name="A decided request")).to_contain_text("<b>bold</b>")
    inert(page, asked)


def test_s03_what_stands_in_a_schema_is_text_and_nothing_is_fetched(ask, forms):
    page = ask("hostile schema")
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    expect(request(page)).to_contain_text("<b>bold</b>")
    field_or_json = field(page, "Ok").or_(request(page).get_by_role("textbox", name=re.compile("JSON")))
    expect(field_or_json).to_be_visible()
    inert(page, asked)
    press(request(page), "Cancel request")
    expect(page.get_by_text("Got cancelled.")).to_be_visible()


def test_what_was_filled_in_outlives_a_hidden_dialog(ask):
    page = ask("refund")
    field(page, "Amount").fill("12.")
    field(page, "A voucher").check()
    page.keyboard.press("Escape")
    expect(request(page)).to_have_count(0)
    press(page, "Review")
    expect(field(page, "Amount")).to_have_value("12.")
    expect(field(page, "A voucher")).to_be_checked()


def test_a_card_that_cannot_be_read_is_answered_as_json(ask, forms):
    page = ask("broken")
    expect(request(page)).to_contain_text("Details")
    box = as_json(page)
    box.fill('{"approved": true, "values": {"x": 1.0}}')
    assert answered(page, forms, "Send answer") == "{'approved': True, 'values': {'x': 1.0}}"


def test_a_renderer_of_the_apps_own_stands_in_place_of_the_card_and_its_text_becomes_a_number(ask, forms):
    page = ask("refund", "/own")
    expect(request(page)).to_contain_text("Refund order 4711?")
    request(page).get_by_label("Refund of your own").fill("12345678901234567.88")
    got = answered(page, forms, "Refund it")
    assert "'amount': Decimal('12345678901234567.88')" in got


def test_a_card_can_stand_in_the_transcript(ask):
    page = ask("flight", "/inline")
    expect(page.get_by_role("log")).to_contain_text("Your decision is needed")
    page.get_by_label("Seat class").select_option(label="Business")
    press(page, "Approve")
    expect(page.get_by_role("region", name="A decided request")).to_contain_text("Business")


def test_f17_untouched_optional_fields_are_absent_and_the_default_is_shown(ask, forms):
    page = ask("schema")
    expect(field(page, "Nights")).to_have_value("3")
    field(page, "Room").select_option(label="Suite with a view")
    got = answered(page, forms, "Send answer")
    assert got in (
        "{'room': 'x', 'nights': 3, 'voucher': None}",
        "{'nights': 3, 'voucher': None, 'room': 'x'}",
    )


def test_f17_every_field_of_the_schema_can_be_filled_in(ask, forms):
    page = ask("schema")
    field(page, "Breakfast").check()
    field(page, "Breakfast").uncheck()
    field(page, "Room").select_option(label="Double room")
    field(page, "Floor").select_option(label="2")
    field(page, "Nights").fill("10")
    field(page, "Arrival").fill("2026-12-05")
    field(page, "Wishes").fill("Quiet")
    field(page, "name").fill("Ada")
    field(page, "age").fill("36")
    field(page, "Voucher").fill("XMAS")
    got = eval(answered(page, forms, "Send answer"))
    assert got == {
        "breakfast": False,
        "room": "d",
        "floor": 2,
        "nights": 10,
        "arrival": "2026-12-05",
        "wishes": "Quiet",
        "guest": {"name": "Ada", "age": 36},
        "voucher": "XMAS",
    }


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("11", "at most 10"),
        ("0", "at least 1"),
        ("1e999", "too large"),
        ("2.5", "a whole number"),
        ("three", "not a number"),
        ("", "This is needed"),
    ],
)
def test_f17_a_wrong_number_is_refused_at_its_field(ask, forms, typed, why):
    page = ask("schema")
    field(page, "Room").select_option(label="Single room")
    field(page, "Nights").fill(typed)
    refused(page, forms, "Send answer")
    expect(field(page, "Nights")).to_be_focused()
    expect(field(page, "Nights")).to_have_accessible_description(re.compile(why))
    field(page, "Nights").fill("4")
    assert "'nights': 4" in answered(page, forms, "Send answer")


def test_f17_what_is_missing_in_a_nested_object_is_told_at_its_field(ask, forms):
    page = ask("schema")
    field(page, "Room").select_option(label="Single room")
    field(page, "age").fill("36")
    refused(page, forms, "Send answer")
    expect(field(page, "name")).to_be_focused()
    field(page, "age").fill("")
    assert "guest" not in answered(page, forms, "Send answer")


def test_f17_text_or_null_can_be_either(ask, forms):
    page = ask("schema")
    field(page, "Room").select_option(label="Single room")
    expect(field(page, "No value")).to_be_checked()
    field(page, "Voucher").fill("A")
    expect(field(page, "No value")).not_to_be_checked()
    field(page, "No value").check()
    assert "'voucher': None" in answered(page, forms, "Send answer")


def test_f17_what_the_form_cannot_say_is_given_as_json(ask, forms):
    page = ask("schema")
    field(page, "Nights").fill("5")
    box = as_json(page)
    expect(box).to_have_value(re.compile('"nights": 5'))
    box.fill('{"room": "s", "nights": 11}')
    refused(page, forms, "Send answer")
    box.fill('{"room": "s", "nights": 6, "guest": {"name": "Bo", "more": [1.0]}, "voucher": ""}')
    expect(field(page, "Nights")).to_have_value("6")
    expect(field(page, "name")).to_have_value("Bo")
    field(page, "Wishes").fill("Quiet")
    got = answered(page, forms, "Send answer")
    assert "'guest': {'name': 'Bo', 'more': [1.0]}" in got
    assert "'voucher': ''" in got
    assert "'wishes': 'Quiet'" in got


def test_numbers_of_a_schema_form_stay_as_they_were_typed(ask, forms):
    page = ask("rich")
    expect(field(page, "Price")).to_have_value("12345678901234567.89")
    got = answered(page, forms, "Send answer")
    assert "'price': Decimal('12345678901234567.89')" in got


def test_lists_unions_and_values_of_any_shape(ask, forms):
    page = ask("rich")
    request(page).get_by_role("button", name="Add").click()
    request(page).get_by_role("button", name="Add").click()
    request(page).get_by_label("Tags-1").or_(request(page).get_by_role("textbox").nth(0)).first.fill("one")
    request(page).get_by_role("textbox").nth(1).fill("two")
    request(page).get_by_role("button", name="Move up").last.click()
    field(page, "Price").fill("0.10")
    field(page, "Extra").fill('{"a": [1.0, null')
    field(page, "Payment").select_option(label="Cash")
    field(page, "drawer").fill("7")
    refused(page, forms, "Send answer")
    expect(field(page, "Extra")).to_be_focused()
    field(page, "Extra").fill('{"a": [1.0, null]}')
    got = eval(answered(page, forms, "Send answer"))
    assert got["tags"] == ["two", "one"]
    assert got["extra"] == {"a": [1.0, None]}
    assert got["pay"] == {"drawer": 7}
    assert got["price"] == 0.1


def test_f17_a_schema_without_properties_can_be_answered(ask, forms):
    page = ask("nothing")
    expect(request(page)).to_contain_text("There is nothing to fill in.")
    assert answered(page, forms, "Send answer") == "{}"


@pytest.mark.parametrize("text", ["null", "0", "false", '""', "{}", "[]", "3.5", '"a text"'])
def test_f19_no_zero_and_nothing_are_answers(ask, forms, text):
    page = ask("anything")
    as_json(page).fill(text)
    given = {"null": "None", "false": "False", '""': "''", '"a text"': "'a text'"}
    assert answered(page, forms, "Send answer") == given.get(text, text)


def test_a_single_date_has_its_field(ask, forms):
    page = ask("date")
    request(page).locator("input[type=date]").fill("2026-12-24")
    assert answered(page, forms, "Send answer") == "'2026-12-24'"


WATCH = """
window.__made = [];
const told = (target, args) => { window.__made.push(String(args)); };
window.Function = new Proxy(Function, {
  construct(target, args) { told(target, args); return Reflect.construct(target, args); },
  apply(target, self, args) { told(target, args); return Reflect.apply(target, self, args); },
});
window.eval = new Proxy(eval, {
  apply(target, self, args) { told(target, args); return Reflect.apply(target, self, args); },
});
"""


def test_no_schema_is_made_into_code(ask, forms):
    page = ask("schema", init=WATCH)
    field(page, "Nights").fill("11")
    refused(page, forms, "Send answer")
    expect(field(page, "Nights")).to_have_accessible_description(re.compile("at most 10"))
    # What reads the list is the only text that became code.
    assert page.evaluate("window.__made") == ["window.__made"]


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize(("scheme", "width", "height"), LOOKS)
def test_f26_a_form_has_no_serious_accessibility_fault_and_fits(ask, forms, scene, scheme, width, height):
    page = ask(
        scene, viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    expect(page.locator(".ak-form-waiting")).to_have_count(0)
    look(page, forms, f"form-{scene}-{scheme}-{width}")
    page.locator(".ak-card-body").evaluate("body => body.scrollTo(0, body.scrollHeight)")
    submit = page.locator("[data-interrupt] .ak-primary")
    expect(submit).to_be_enabled()
    submit.click()
    page.mouse.move(0, 0)
    expect(page.locator("[data-verdict], .ak-problem").first).to_be_visible()
    expect(page.locator(".ak-busy:not(:empty)")).to_have_count(0)
    look(page, forms, f"form-{scene}-{scheme}-{width}-sent")


def look(page: Page, forms: Served, name: str) -> None:
    """A picture, and what axe says of the page."""
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.add_script_tag(path=forms.folder / ".web/node_modules/axe-core/axe.min.js")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    serious = [
        (one["id"], [node["html"][:160] for node in one["nodes"]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
