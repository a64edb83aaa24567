"""What is wrong with a launch is said once, where it belongs."""

import pytest
from playwright.sync_api import expect
from tests.browser.looking import settled

pytestmark = pytest.mark.xdist_group("browser")

REFUSED = "422 (Unprocessable"
"""What the browser itself says of a request that was refused."""


@pytest.mark.parametrize(
    ("label", "field", "wrong", "right", "told"),
    [
        ("Function", "function", "nobody", "sort", "has no function 'nobody'"),
        ("Objective", "objective", "beauty", "speed", "no objective 'beauty'"),
    ],
)
def test_a_refusal_about_a_field_stands_beside_it_and_nowhere_else(look, label, field, wrong, right, told):
    with look(forgiven=(REFUSED,)) as page:
        page.goto("/launch?domain=programs")
        settled(page)
        page.get_by_label(label).fill(wrong)
        page.get_by_role("button", name="Launch").click()
        expect(page.get_by_text(told)).to_have_count(1)
        expect(page.locator(f"[data-field='{field}']")).to_contain_text(told)
        page.get_by_label(label).fill(right)
        expect(page.get_by_text(told)).to_have_count(0)


def test_a_refusal_about_no_field_stands_in_one_box(look):
    with look(forgiven=(REFUSED,)) as page:
        page.goto("/launch?domain=programs")
        settled(page)
        page.get_by_label("Source").fill("def f(x):\n    return x\n")
        page.get_by_label("Function").fill("f")
        page.get_by_role("button", name="Launch").click()
        expect(page.get_by_text("type hint")).to_have_count(1)
        expect(page.locator("[data-banner='refused']")).to_contain_text("type hint")
