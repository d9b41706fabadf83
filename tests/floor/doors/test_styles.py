"""The styles of the pages: their colours can be read, and they ask for nothing from elsewhere."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

WEB = Path(str(files("croupier") / "web"))


def test_styles_ask_for_nothing_from_elsewhere() -> None:
    styles = sorted(WEB.rglob("*.css"))
    assert len(styles) > 10
    for path in styles:
        assert not re.search(r"url\(|@import|://", path.read_text(encoding="utf-8")), path


def _tokens(theme: str) -> dict[str, str]:
    text = (WEB / "kit" / "tokens.css").read_text(encoding="utf-8")
    block = re.search(rf'\[data-theme="{theme}"\] \{{(.*?)\n\}}', text, re.DOTALL)
    assert block is not None
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block.group(1)))


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["room", "desk"])
def test_texts_have_a_contrast_of_four_and_a_half(theme: str) -> None:
    colours = _tokens(theme)
    grounds = ("ground", "surface", "surface-2", "surface-3")
    texts = ("ink", "ink-2", "ink-3", "player", "banker", "tie", "ok", "wait", "stop", "practice")
    roles = [name for name in colours if name.startswith("role-")]
    assert len(roles) == 6
    pairs = [(text, ground) for text in texts for ground in grounds]
    pairs += [(role, ground) for role in roles for ground in grounds[:3]] + [("on-accent", role) for role in roles]
    pairs += [(name, f"{name}-wash") for name in ("ok", "wait", "stop", "practice")]
    pairs += [("felt-ink", "felt"), ("felt-ink-2", "felt")]
    low = {pair: _contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: value for pair, value in low.items() if value < 4.5} == {}
