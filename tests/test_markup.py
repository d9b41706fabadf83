"""The writer of pages: every text and every attribute is escaped, and only its own results pass as they are."""

from __future__ import annotations

from croupier.markup import el, join


def test_elements_escape_texts_and_attributes() -> None:
    assert el("p", "<b>", el("i", 7), None, cls='a"b').text == '<p class="a&quot;b">&lt;b&gt;<i>7</i></p>'
    assert join(("&", el("link", href="/a?b&c"), 3)).text == '&amp;<link href="/a?b&amp;c">3'


def test_names_and_coordinates() -> None:
    assert el("use", stroke_width=5.5, x=1.0, y=2.345, cls="").text == '<use stroke-width="5.5" x="1" y="2.35"></use>'
