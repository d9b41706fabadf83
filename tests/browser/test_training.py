"""The training room and the inspector's desk in a real Chromium, against a real house."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from croupier.floor.audit.export import verify_export
from croupier.house.training.lesson import LENGTH, lesson, truth
from croupier.rulesets import ruleset
from tests.helpers.browser import (
    DESK,
    PHONE,
    ROOM,
    chromium,
    needs_chromium,
    overflow,
    page_at,
    quiet_house,
    small,
    unnamed,
)

pytestmark = needs_chromium
LONG_MS = 60_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> str:
    return quiet_house(pytestconfig, tmp_path_factory).address


def in_order(page: Page) -> None:
    """Nothing without a name, nothing too small (tags carry their area around them), nothing beside the window."""
    assert unnamed(page) == []
    assert [each for each in small(page) if "Rule " not in each] == []
    assert overflow(page) <= 0


def test_a_lesson_by_the_keyboard_alone_and_back_by_its_address(browser: Browser, house: str) -> None:
    questions = lesson(ruleset("nzd5", version="midi"), 7).questions
    right = [question.options.index(truth(question)) for question in questions]
    with page_at(browser, f"{house}/training?game=baccarat&edition=nzd5&version=midi&seed=7", size=DESK) as page:
        expect(page.locator("#asks")).to_be_focused()
        expect(page.get_by_role("button", name=questions[0].options[0])).to_be_visible()
        page.keyboard.press(str(right[0] + 1))
        expect(page.locator("#verdict")).to_contain_text("Right.")
        expect(page.locator("#verdict .tag")).to_have_text(questions[0].rule)
        expect(page.locator("#next")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#dots .on")).to_have_text("2")
        page.keyboard.press(str((right[1] + 1) % len(questions[1].options) + 1))
        expect(page.locator("#verdict")).to_contain_text("Not so.")
        expect(page.locator(".option.right")).to_contain_text("This was right")
        expect(page.locator("#tally")).to_have_text("1 of 2 right")
        in_order(page)
        page.locator("#verdict .tag").press("Enter")
        expect(page.locator("#sheet")).to_contain_text(questions[1].rule)
        page.keyboard.press("Escape")
        link = page.url
        assert parse_qs(urlsplit(link).query)["seed"] == ["7"]
    with page_at(browser, link, size=DESK) as page:
        expect(page.locator("#tally")).to_have_text("1 of 2 right")
        expect(page.locator("#dots .on")).to_have_text("3")


@pytest.mark.parametrize("size", [ROOM, PHONE])
def test_the_score_by_rule_at_the_end(browser: Browser, house: str, size: tuple[int, int]) -> None:
    answers = ",".join(["0"] * (LENGTH - 1))
    with page_at(browser, f"{house}/training?game=craps&seed=2&answers={answers}", size=size) as page:
        expect(page.locator("#dots .on")).to_have_text(str(LENGTH))
        page.locator(".option").nth(1).click()
        page.get_by_role("button", name="See the score").click()
        expect(page.locator("#ended h2")).to_contain_text(f"of {LENGTH} right")
        expect(page.locator(".rules .tag").first).to_contain_text("NZ1996-X-")
        in_order(page)
        page.get_by_role("button", name="Dark theme").click()
        in_order(page)
        page.get_by_label("Game").select_option("caribbean_stud")
        expect(page.locator("#where")).to_contain_text("Caribbean stud")
        expect(page.locator("#tally")).to_have_text("Nothing answered yet.")


def test_the_inspector_verifies_exports_and_reads_reports(browser: Browser, house: str, tmp_path: Path) -> None:
    with page_at(browser, f"{house}/inspector?table=EB-1", size=PHONE) as page:
        page.get_by_role("button", name="Verify now").click()
        expect(page.locator("#verified")).to_contain_text("No fault.", timeout=LONG_MS)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Signed export").click()
        saved.value.save_as(tmp_path / "export.jsonl")
        expect(page.locator("#verified")).to_contain_text("croupier verify --export croupier-EB-1.jsonl")
        assert verify_export(tmp_path / "export.jsonl").found.fault == ""
        page.get_by_role("button", name="Reports").click()
        row = page.locator("#reports > li").filter(has_text="Table EB-1").last
        row.locator(".tag").press("Enter")
        expect(page.locator("#sheet")).to_contain_text("edition")
        for width, height in (PHONE, DESK, ROOM):
            page.set_viewport_size({"width": width, "height": height})
            in_order(page)
        # One round alone, for a dispute: a page that proves itself too.
        page.get_by_label("Round", exact=True).fill("1")
        page.get_by_role("button", name="Read it").click()
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.get_by_role("button", name="All lines").click()
        expect(page.locator(".steps > li > .line").first).to_be_visible()
        in_order(page)
        box = page.locator(".steps > li > div").first.bounding_box()
        assert box is not None
        assert box["width"] > PHONE[0] / 2
        with page.expect_download() as saved:
            page.get_by_role("button", name="Export this round").click()
        saved.value.save_as(tmp_path / "round.html")
        assert verify_export(tmp_path / "round.html").found.fault == ""


def test_a_house_that_is_busy_is_asked_again_by_itself(browser: Browser, house: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    tries: list[str] = []

    def busy_at_first(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            route.fulfill(status=429, json={"reason": "others are asking"})
        else:
            route.continue_()

    page.route("**/api/training/choices", busy_at_first)
    page.goto(f"{house}/training")
    expect(page.locator("#problem")).to_contain_text("this one waits")
    expect(page.locator(".option").first).to_be_visible(timeout=60_000)
    expect(page.locator("#problem")).to_be_hidden()
    assert len(tries) == 2
    context.close()
