/**
 * The board beside the felt: what happened so far, and the player's own results of the session.
 *
 * Baccarat has its roads.  The other games have the last twelve results, plain counts and a list; everywhere it is a
 * record of what was, with no colour by outcome, no order by frequency and no share, and it says so.
 */

import { Scoreboard } from "../kit/scoreboard/scoreboard.js";
import { svg } from "../kit/cards.js";
import { html, rect, words } from "./cloth.js";
import { resultsOf } from "./kept.js";
import { signed } from "./ledger.js";
import { dollars } from "../kit/money.js";
import { named, resultWords } from "../kit/names.js";
import { ownWagers, payTable, thisRound } from "./rounds.js";
import { oddsWords, wordOf } from "./said.js";
import { language, t } from "../kit/words.js";
import { faces } from "./felts/dice.js";

const LAST = 12;
const THROWS = 40;

const section = (title, more, ...children) =>
  html("section", "", html("h2", "", title, html("span", "", more)), ...children);
const count = (all, test) => all.filter(test).length;

/** Plain bars: a name, a length, a count. */
function bars(rows, { label, wide }) {
  const most = Math.max(1, ...rows.map(([, each]) => each)) * 1.1;
  const room = wide - label - 34;
  const drawn = svg("svg", {
    class: "bars lying",
    viewBox: `0 0 ${wide} ${rows.length * 25 - 2}`,
    role: "img",
    "aria-label": rows.map((row) => row.join(" ")).join(", "),
  });
  rows.forEach(([name, each], index) => {
    const y = index * 25;
    drawn.append(
      words(name, 0, y + 16, "name"),
      rect("track", [label, y + 5, room, 14], { rx: 3 }),
      rect("bar-of", [label, y + 5, Math.max((room * each) / most, 1), 14], { rx: 3 }),
      words(each, wide, y + 16, "count"),
    );
  });
  return drawn;
}

/** Counts as columns with their figures. */
function columns(rows, newest, high = 86) {
  const step = 376 / rows.length;
  const most = Math.max(1, ...rows.map(([, each]) => each));
  const drawn = svg("svg", {
    class: "bars upright",
    viewBox: `0 0 376 ${high}`,
    role: "img",
    "aria-label": rows.map((row) => row.join(": ")).join(", "),
  });
  rows.forEach(([name, each], index) => {
    const [tall, x] = [((high - 40) * each) / most, index * step + step / 2];
    drawn.append(
      rect(name === newest ? "new" : "", [x - step * 0.3, high - 20 - tall, step * 0.6, Math.max(tall, 1)], {
        rx: 2,
      }),
      words(each, x, high - 25 - tall, "count"),
      words(name, x, high - 4),
    );
  });
  return drawn;
}

function tiles(history, last, tile) {
  const list = html("ol", "run");
  for (const outcome of history.slice(-last).reverse()) {
    const [kind, text, letter] = tile(outcome);
    list.append(html("li", `tile ${kind}`, html("b", "", text), ...(letter ? [html("i", "", letter)] : [])));
  }
  return list;
}

function past(history, cells, most) {
  const body = html("tbody");
  for (const outcome of history.slice(-most).reverse())
    body.append(
      html("tr", "", ...cells(outcome).map((each) => html("td", "", each)), html("td", "num", String(outcome.round))),
    );
  return html("table", "past", body);
}

const colour = ({ number, colour: named }) => (number === 0 ? "zero" : named === "red" ? "red" : "black");
const tile = (kind, text) => html("b", `tile ${kind}`, text);

/** The results since the shoe in use was loaded: a record begins anew with each. */
export const sinceShoe = ({ history, shoe }) =>
  shoe?.began ? history.filter(({ round }) => round >= shoe.began) : history;

/** The records of each game, of its newest results. */
export const BOARDS = {
  roulette(history, _, last = LAST) {
    const spins = history.filter(({ number }) => number !== null && number !== undefined);
    const dozen = (k) => [
      t("dozen-short", { number: k + 1 }),
      count(spins, ({ number }) => number > 12 * k && number <= 12 * k + 12),
    ];
    const column = (k) => [
      t("column-short", { number: k }),
      count(spins, ({ number }) => number > 0 && number % 3 === k % 3),
    ];
    const two = html(
      "div",
      "two",
      bars([0, 1, 2].map(dozen), { label: 50, wide: 180 }),
      bars([1, 2, 3].map(column), { label: 50, wide: 180 }),
    );
    const says = ({ number, colour: its }) =>
      number === 0
        ? t("zero")
        : t("colour-and", {
            colour: named("colour", colour({ number, colour: its })).toLowerCase(),
            kinds: t("number-kinds", { parity: number % 2 ? "odd" : "even", half: number < 19 ? "low" : "high" }),
          });
    return [
      section(
        t("last-numbers", { count: last }),
        "",
        tiles(spins, last, (each) => [colour(each), String(each.number), t(`letter-${colour(each)}`)]),
      ),
      section(
        t("dozens-columns", { count: spins.length }),
        t("zero-count", { count: count(spins, ({ number }) => number === 0) }),
        two,
      ),
      section(
        t("spins"),
        "",
        past(spins, (each) => [tile(colour(each), String(each.number)), says(each)], 5),
      ),
    ];
  },
  tai_sai(history, _, last = LAST) {
    const rolls = history.filter(({ dice }) => dice);
    const size = ({ dice, total }) => (new Set(dice).size === 1 ? "triple" : total < 11 ? "small" : "big");
    const totals = Array.from({ length: 16 }, (_, index) => [
      String(index + 3),
      count(rolls, ({ total }) => total === index + 3),
    ]);
    return [
      section(
        t("last-totals", { count: last }),
        t("size-letters"),
        tiles(rolls, last, (each) => ["", String(each.total), t(`letter-${size(each)}`)]),
      ),
      section(
        t("counts-in-rolls", { count: rolls.length }),
        "",
        bars(
          ["small", "big", "triple"].map((name) => [
            named("wager", name),
            count(rolls, (each) => size(each) === name),
          ]),
          { label: 58, wide: 376 },
        ),
      ),
      section(t("totals"), "", columns(totals, String(rolls.at(-1)?.total ?? ""))),
      section(
        t("rolls"),
        "",
        past(
          rolls,
          (each) => [faces(each.dice, "tiny"), html("b", "", String(each.total)), resultWords("tai_sai", each).says],
          3,
        ),
      ),
    ];
  },
  money_wheel(history, view, last = LAST) {
    const turns = history.filter(({ symbol }) => symbol);
    return [
      section(
        t("last-symbols", { count: last }),
        "",
        tiles(turns, last, ({ symbol }) => [`sy ${symbol}`, symbol, ""]),
      ),
      section(
        t("symbols-in-spins", { count: turns.length }),
        "",
        bars(
          view.offers.map((each) => [each, count(turns, ({ symbol }) => symbol === each)]),
          { label: 24, wide: 376 },
        ),
      ),
      section(
        t("spins"),
        "",
        past(turns, ({ symbol }) => [tile(`sy ${symbol}`, symbol), oddsWords(view.odds[symbol])], 4),
      ),
    ];
  },
  craps(history) {
    const throws = history.filter(({ total }) => total);
    const totals = Array.from({ length: 11 }, (_, index) => [
      String(index + 2),
      count(throws, ({ total }) => total === index + 2),
    ]);
    const list = html("ol", "throws");
    let row = html("li");
    let point = null;
    for (const each of throws.slice(-THROWS)) {
      // A shooter's throws are one row; a seven out ends it.
      if (row.lastElementChild?.className === "out") row = html("li");
      if (!row.firstChild) list.append(row);
      const kind = each.seven_out
        ? "out"
        : point === null && each.point
          ? "pt"
          : point !== null && each.total === point
            ? "made"
            : "";
      row.append(html("i", kind, String(each.total)));
      point = each.point ?? null;
    }
    const keys = html(
      "em",
      "keys",
      html("i", "pt", "6"),
      t("key-point"),
      html("i", "made", "6"),
      t("key-made"),
      html("i", "out", "7"),
      t("key-out"),
    );
    return [
      section(t("throws"), keys, list),
      section(
        t("totals-thrown"),
        t("throws-count", { count: throws.length }),
        columns(totals, String(throws.at(-1)?.total ?? "")),
      ),
    ];
  },
  blackjack(history) {
    const named = ({ dealer, dealer_blackjack: natural }) => 
      natural ? t("short-blackjack") : dealer > 21 ? t("short-bust") : String(dealer);
    const shown = [t("short-bust"), "17", "18", "19", "20", "21", t("short-blackjack")];
    const played = history.filter((each) => shown.includes(named(each)));
    return [
      section(
        t("dealers-hands"),
        t("rounds-count", { count: played.length }),
        columns(
          shown.map((name) => [name, count(played, (each) => named(each) === name)]),
          played.length ? named(played[played.length - 1]) : "",
          110,
        ),
      ),
    ];
  },
  caribbean_stud(history) {
    const kinds = {
      "not-qualified": (each) => each.dealer && each.qualifies === false,
      "kind-pair": ({ dealer }) => dealer === "one pair",
      "kind-two-pairs": ({ dealer }) => dealer === "two pairs",
      "kind-higher": ({ dealer, qualifies }) => qualifies && !["one pair", "two pairs"].includes(dealer),
    };
    const cells = html("dl", "cells");
    for (const [name, test] of Object.entries(kinds))
      cells.append(html("div", "", html("dt", "", t(name)), html("dd", "", String(count(history, test)))));
    return [section(t("dealers-hands"), t("rounds-count", { count: history.length }), cells)];
  },
};

/** The own results of the session, with their total. */
function ownResults(view, most) {
  const { began, rows } = resultsOf(view);
  const body = html("tbody");
  for (const { round, outcome, net } of rows.slice(0, most)) {
    body.append(
      html(
        "tr",
        "",
        html("td", "", String(round)),
        html("td", "", resultWords(view.table.game, outcome).says),
        html("td", net > 0 ? "num up" : "num", signed(net)),
      ),
    );
  }
  if (!rows.length)
    body.append(html("tr", "dim", Object.assign(html("td", "", t("nothing-settled")), { colSpan: 3 })));
  const all = rows.reduce((before, { net }) => before + net, 0);
  const staked = rows.reduce((before, { stake }) => before + stake, 0);
  const foot = html(
    "tfoot",
    "",
    html(
      "tr",
      "",
      Object.assign(
        html(
          "td",
          "",
          t("session-sum", { count: rows.length, word: wordOf(view), amount: dollars(staked) }),
        ),
        { colSpan: 2 },
      ),
      html("td", "num", signed(all)),
    ),
  );
  const table = html("table", "tab tight own", body, ...(rows.length ? [foot] : []));
  return section(t("your-results"), t("began-with", { amount: dollars(began) }), table);
}

const ROWS = { roulette: 4, tai_sai: 3, money_wheel: 4, craps: 4, blackjack: 6, caribbean_stud: 3, baccarat: 3 };

/** What stands first on the board: the hands of this round, the own wagers, or what each hand pays. */
function firstOf(view, settled) {
  const shown =
    { blackjack: thisRound, caribbean_stud: (now) => [...payTable(now), ...thisRound(now)] }[view.table.game]?.(view) ??
    (view.table.game === "craps" ? [ownWagers(view, settled)] : []);
  return shown.map(({ title, more, table }) => section(title, more, table));
}

class Board extends HTMLElement {
  #drawn = "";
  #roads = new Scoreboard();

  /**
   * @param {any} view
   * @param {{settled?: boolean}} [how]
   */
  show(view, { settled = false } = {}) {
    const { game } = view.table;
    const { rows } = resultsOf(view);
    const lies = [view.layout.boxes, settled, view.wagers.map(({ number, stake, at }) => [number, stake, at])];
    const key = game + JSON.stringify([language(), view.history, rows.length, rows[0], view.pool, view.shoe, lies]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const own = ownResults(view, ROWS[game] ?? 6);
    if (game === "baccarat") {
      this.#roads.show(sinceShoe(view), view.shoe);
      return this.replaceChildren(this.#roads, own);
    }
    const made = BOARDS[game]?.(sinceShoe(view), view) ?? [];
    const note = html("p", "note", t("record-rounds"));
    const first = firstOf(view, settled);
    const parts = ["blackjack", "caribbean_stud", "craps"].includes(game) ? [...first, own, ...made] : [...made, own];
    this.replaceChildren(...parts, note);
  }
}

customElements.define("croupier-board", Board);
