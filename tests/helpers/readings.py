"""The page `docs/readings.md`, made from the readings that the product has.

python -m tests.helpers.readings      writes it again, after a change of `src/croupier/law/readings.toml`
"""

from __future__ import annotations

from croupier.law.readings import ALL_GAMES, Reading, all_readings
from tests.helpers.places import DOCS

PAGE = DOCS / "readings.md"
TITLES = {
    ALL_GAMES: "General rules",
    "baccarat": "Baccarat",
    "blackjack": "Blackjack",
    "roulette": "Roulette",
    "tai_sai": "Tai-sai",
    "money_wheel": "Money wheel",
    "caribbean_stud": "Caribbean stud",
    "craps": "Craps",
}


def markdown() -> str:
    """The text of docs/readings.md."""
    lines = [
        "# Readings",
        "",
        "The gazettes leave questions open: they contradict themselves, refer to pages that are lost, or say nothing.",
        "Each answer chosen here has a number and a name. Where more than one key is listed the first is the default,",
        "and another is chosen with `--reading NAME=KEY`. The first rule listed is the one to cite.",
        "",
        "This page is made from `src/croupier/law/readings.toml`.",
    ]
    for game, title in TITLES.items():
        lines += _section(title, tuple(each for each in all_readings() if game in each.games))
    return "\n".join(lines) + "\n"


def _section(title: str, readings: tuple[Reading, ...]) -> list[str]:
    return [
        "",
        f"## {title}",
        "",
        "| no. | name and keys | open question | reading | reason | rules |",
        "|---|---|---|---|---|---|",
        *(_row(each) for each in readings),
    ]


def _row(each: Reading) -> str:
    keys = ", ".join(f"`{option}`" for option in each.options)
    says = " ".join((each.says, *(f"`{key}`: {text}" for key, text in each.others.items())))
    cells = (each.id, f"**{each.name}** {keys}", each.question, says, each.reason, ", ".join(each.rules))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(markdown(), encoding="utf-8")
