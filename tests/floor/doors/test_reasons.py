"""Who opens an address and is refused gets a page that says why and leads back; everything else gets JSON."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from croupier.floor.app import create_app
from croupier.floor.doors.reasons import html
from croupier.floor.keeping.house import open_house

HERE = "http://127.0.0.1"
BROWSER = {"Sec-Fetch-Dest": "document"}


def got(folder: Path, path: str, headers: dict[str, str]) -> httpx.Response:
    async def asked() -> httpx.Response:
        house = open_house(f"sqlite:///{folder}/house.db", folder / "house.key", demo=True)
        app = create_app(house)
        async with app.router.lifespan_context(app), httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            return await client.get(HERE + path, headers=headers)

    return asyncio.run(asked())


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nowhere", 404, "Nothing here under &#x27;nowhere&#x27;."),
        ("/voucher?id=12", 404, "28 figures"),
        ("/api/cage/report.html", 403, "ticket"),
    ],
)
def test_a_browser_gets_a_page_and_a_program_gets_json(tmp_path: Path, path: str, status: int, words: str) -> None:
    page = got(tmp_path, path, BROWSER)
    assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert words in page.text
    assert 'href="/"' in page.text
    assert int(page.headers["content-length"]) == len(page.content)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    plain = got(tmp_path, path, {})
    assert (plain.status_code, plain.headers["content-type"]) == (status, "application/json")
    assert set(plain.json()) == {"reason"}


def test_what_is_no_reason_is_sent_as_it_is(tmp_path: Path) -> None:
    assert got(tmp_path, "/health", BROWSER).json()["alive"] is True
    assert "<title>" in got(tmp_path, "/", BROWSER).text


def test_a_reason_cannot_bring_its_own_markup() -> None:
    assert "<script>" not in html(404, "<script>")
