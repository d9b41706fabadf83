/**
 * What a board shows of past rounds where a terminal has less room: plain counts in the shape of the layout, the last
 * results in a row, and what the cloth and the pay table say.
 *
 * Every count is in the same ink: nothing is hot, cold or shaded by how often it came.
 */

import { svg } from "../kit/cards.js";
import { named, resultWords } from "../kit/names.js";
import { BOARDS } from "../terminal/boards.js";
import { html, rect } from "../terminal/cloth.js";
import { payTable } from "../terminal/rounds.js";
import { t } from "../kit/words.js";

const section = (kind, title, ...children) => html("section", kind, html("h2", "", title), ...children);
/** The numbers as they lie on the layout: three rows of twelve. */
const ROWS = [3, 2, 1].map((first) => Array.from({ length: 12 }, (_, index) => first + 3 * index));
/** Pairs of even chances, and which of the two a number belongs to. */
const PAIRS = [
  ["red", "black", (number, reds) => reds.includes(number)],
  ["odd", "even", (number) => number % 2 === 1],
  ["low", "high", (number) => number < 19],
];

/** How often each number came, number over count. */
function numbers(spins, reds) {
  const cell = (number) => {
    const kind = number === 0 ? "n-z" : reds.includes(number) ? "n-r" : "n-k";
    const came = spins.filter((each) => each.number === number).length;
    return html("li", kind, html("b", "", String(number)), html("span", "", String(came)));
  };
  const laid = html("div", "lay", html("ul", "zero", cell(0)), html("ul", "nums", ...ROWS.flat().map(cell)));
  return section("r-count", t("numbers-came", { count: spins.length }), laid);
}

/** Two chances that share all numbers but zero, which is the gap between them. */
function evens(spins, reds) {
  const rows = PAIRS.map(([one, other, is]) => {
    const some = spins.filter(({ number }) => number > 0);
    const first = some.filter(({ number }) => is(number, reds)).length;
    const part = (count) => (200 * count) / Math.max(1, spins.length);
    const bar = svg(
      "svg",
      { viewBox: "0 0 200 16", preserveAspectRatio: "none", "aria-hidden": "true" },
      rect("z1", [0, 0, part(first), 16]),
      rect("z2", [200 - part(some.length - first), 0, part(some.length - first), 16]),
    );
    return html(
      "tr",
      "",
      html("th", "", named("wager", one)),
      html("td", "", String(first)),
      html("td", "bar2", bar),
      html("td", "", String(some.length - first)),
      html("th", "e", named("wager", other)),
    );
  });
  return section("r-even", t("even-chances"), html("table", "", html("tbody", "", ...rows)));
}

/** The dealer's last hands in a row, the newest first. */
function dealt(view, history, last) {
  const list = html("ol", "run");
  for (const each of history.slice(-last).reverse())
    list.append(html("li", "tile", html("b", "", resultWords(view.table.game, each).text)));
  return section("", t("last-dealt", { count: last }), list);
}

/** What the law has printed on the cloth, and what each hand pays. */
function printed(view) {
  const words = view.inscriptions.map(({ text }) => Object.assign(html("li", "", text), { translate: false }));
  return [
    ...payTable(view).map(({ title, table }) => section("", title, table)),
    ...(words.length ? [section("", t("on-the-cloth"), html("ul", "cloth-says", ...words))] : []),
  ];
}

/**
 * The record of a game other than baccarat.
 * @param {any} view
 * @param {any[]} history
 * @param {number} last
 * @returns {Element[]}
 */
export function recordOf(view, history, last) {
  const { game } = view.table;
  const made = BOARDS[game]?.(history, view, last) ?? [];
  if (game === "roulette") {
    const spins = history.filter(({ number }) => number !== null && number !== undefined);
    return [made[0], numbers(spins, view.reds), html("div", "pair", evens(spins, view.reds), made[1])];
  }
  const row = game === "blackjack" ? [dealt(view, history, last)] : [];
  return row.length || game === "caribbean_stud" ? [...row, ...made, ...printed(view)] : made;
}
