"""Barcodes of figures: Code 128, set C, drawn as SVG.

Theory of operation.  Set C writes two figures as one symbol; a symbol is three bars and three gaps, 11 modules wide,
told here by their six widths.  A code begins with the start of set C, ends with a sum of the symbols weighted by their
places, modulo 103, and the stop sign of 13 modules.  On both sides ten modules stay white, so that a scanner finds the
beginning.  The widths are those of the standard, ISO/IEC 15417.
"""

from __future__ import annotations

from typing import Final

QUIET: Final = 10
START_C: Final = 105
STOP: Final = 106
_SUM: Final = 103

WIDTHS: Final = (
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213", "221312",
    "231212", "112232", "122132", "122231", "113222", "123122", "123221", "223211", "221132", "221231", "213212",
    "223112", "312131", "311222", "321122", "321221", "312212", "322112", "322211", "212123", "212321", "232121",
    "111323", "131123", "131321", "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331",
    "132131", "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131", "311123",
    "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111", "111224", "111422", "121124",
    "121421", "141122", "141221", "112214", "112412", "122114", "122411", "142112", "142211", "241211", "221114",
    "413111", "241112", "134111", "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112",
    "421211", "212141", "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
    "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112",
)  # fmt: skip


def symbols(figures: str) -> tuple[int, ...]:
    """The symbols of an even number of figures, with start, sum and stop."""
    if not figures.isascii() or not figures.isdecimal() or len(figures) % 2:
        raise ValueError(f"a barcode of set C has an even number of figures: {figures!r:.60}")
    pairs = [int(figures[at : at + 2]) for at in range(0, len(figures), 2)]
    weighted = START_C + sum(place * pair for place, pair in enumerate(pairs, 1))
    return (START_C, *pairs, weighted % _SUM, STOP)


def bars(figures: str) -> tuple[tuple[int, int], ...]:
    """The bars from left to right: where each begins, and how wide it is, in modules."""
    found, at = [], QUIET
    for symbol in symbols(figures):
        for place, width in enumerate(map(int, WIDTHS[symbol])):
            if place % 2 == 0:
                found.append((at, width))
            at += width
    return tuple(found)


def modules(figures: str) -> int:
    """The width of the whole code with its white edges."""
    start, width = bars(figures)[-1]
    return start + width + QUIET


def svg(figures: str, *, height: int = 54, name: str = "") -> str:
    """The code as an SVG element; the drawing stretches to its place, since only the ratios of the widths count."""
    drawn = "".join(f'<rect x="{at}" width="{width}" height="{height}"/>' for at, width in bars(figures))
    box = f'viewBox="0 0 {modules(figures)} {height}" preserveAspectRatio="none" shape-rendering="crispEdges"'
    named = f'role="img" aria-label="{name}"' if name else 'aria-hidden="true"'
    return f'<svg class="codebar" {box} {named}>{drawn}</svg>'
