/**
 * The shoe: thirteen ranks, each with a button to take a card out and one to put it back, and how the odds move.
 *
 * Buttons answer at once; the server is asked when the hand rests, and never about two shoes at the same time.
 */

import { svg } from "../kit/cards.js";
import { figure, keyOf, nameOf, percent, policyOf } from "./figures.js";
import { h, outcome } from "../kit/staff.js";

const REST_MS = 250;
const NAMES = { A: "aces", J: "jacks", Q: "queens", K: "kings" };
const rankName = (rank) => NAMES[rank] ?? `${rank}s`;

/**
 * @param {{place: HTMLElement, changed: (counts: number[] | null) => void, price: (counts: number[]) =>
 * Promise<any>}} given
 */
export function shoe({ place, changed, price }) {
  /**
   * @type {{ranks: string[], each: number, counts: number[], rows: any[], now: any, asked: boolean, timer: number,
   * problem: string}}
   */
  const state = { ranks: [], each: 0, counts: [], rows: [], now: null, asked: false, timer: 0, problem: "" };
  const left = h("div.left", { role: "status" });
  const list = h("ul.ranks");
  const moves = h("div.moves");
  place.replaceChildren(left, list, moves);

  const isFull = () => state.counts.every((count) => count === state.each);

  function step(at, by) {
    const count = state.counts[at] + by;
    if (count < 0 || count > state.each || (by < 0 && total() === 1)) return;
    state.counts[at] = count;
    drawRank(at);
    drawLeft();
    changed(isFull() ? null : state.counts);
    clearTimeout(state.timer);
    state.timer = setTimeout(ask, REST_MS);
  }

  const total = () => state.counts.reduce((sum, count) => sum + count, 0);

  async function ask() {
    if (state.asked) return;
    if (isFull()) {
      state.now = null;
      return drawMoves();
    }
    state.asked = true;
    const counts = [...state.counts];
    drawMoves();
    try {
      const priced = await price(counts);
      state.now = priced;
      state.problem = "";
    } catch (error) {
      state.now = null;
      state.problem = /** @type {Error} */ (error).message;
    }
    state.asked = false;
    drawMoves();
    // The hand went on while the server reckoned.
    if (String(counts) !== String(state.counts)) ask();
  }

  function drawLeft() {
    const full = state.each * state.ranks.length;
    const out = full - total();
    left.replaceChildren(
      h("b", String(total())),
      h("span", `of ${full} cards left`, h("br"), out ? `${out} taken out` : "none taken out"),
    );
  }

  function drawRank(at) {
    const count = state.counts[at];
    const item = list.children[at];
    item.classList.toggle("cut", count < state.each);
    item.querySelector(".fg")?.setAttribute("width", String((100 * count) / state.each));
    /** @type {HTMLElement} */ (item.querySelector(".num")).textContent = String(count);
    const [minus, plus] = /** @type {NodeListOf<HTMLButtonElement>} */ (item.querySelectorAll("button"));
    minus.disabled = count === 0;
    plus.disabled = count === state.each;
  }

  function newRank(rank, at) {
    const bar = svg(
      "svg",
      { class: "fill", viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "bg", width: 100, height: 14 }),
      svg("rect", { class: "fg", width: 100, height: 14 }),
    );
    const button = (sign, by, words) =>
      h("button.btn.square", { type: "button", "aria-label": words, onclick: () => step(at, by) }, sign);
    return h(
      "li",
      { role: "group", "aria-label": rankName(rank) },
      h("b", rank),
      button("−", -1, `Take one of the ${rankName(rank)} out`),
      bar,
      h("span.num"),
      button("+", 1, `Put one of the ${rankName(rank)} back`),
    );
  }

  function drawMoves() {
    const now = new Map((state.now?.wagers ?? []).map((row) => [keyOf(row), row]));
    const rows = state.rows.filter((row) => row.edge_percent !== null && (!state.now || now.has(keyOf(row))));
    const lines = rows.map((row) => moved(row, now.get(keyOf(row))));
    const heads = ["Edge, %", "Full", "Now", "Change"].map((name, at) =>
      h("th", { scope: "col", className: at ? "num" : "" }, name),
    );
    moves.replaceChildren(
      h("table.list", h("thead", h("tr", heads)), h("tbody", lines)),
      h("p.note", { role: "status" }, note()),
    );
  }

  function moved(row, now) {
    const [sign] = outcome(row.wager);
    const more = policyOf(row);
    const name = h(
      "th",
      { scope: "row" },
      h("span.wg", sign, h("span", nameOf(row.wager), more ? h("small", more) : null)),
    );
    if (!now)
      return h(
        "tr",
        name,
        h("td.num", figure(row.edge_percent, 4)),
        h("td.num.faint", state.asked ? "…" : "–"),
        h("td.num.faint", "–"),
      );
    const by = now.edge_percent - row.edge_percent;
    const change = Math.abs(by) < 0.00005 ? "same" : `${by > 0 ? "▲" : "▼"} ${Math.abs(by).toFixed(4)}`;
    const line = h(
      "tr",
      name,
      h("td.num", figure(row.edge_percent, 4)),
      h("td.num.strong", figure(now.edge_percent, 4)),
      h("td.num.delta", change),
    );
    const [full, left] = [percent(row.edge_percent), percent(now.edge_percent)];
    line.title = `${nameOf(row.wager)}: ${full} from a full shoe, ${left} now`;
    return line;
  }

  function note() {
    if (state.problem) return `No figures: ${state.problem}`;
    if (state.asked) return "Reckoning …";
    if (!state.now) return "Take cards out, and see how the odds move.";
    const out = [...new Set(state.now.left_out.map((each) => each.reason))];
    if (state.now.suits_in_turn) return "Suits go out in turn: clubs, diamonds, hearts, spades.";
    return out.length
      ? "Wagers that need suits, or several coups, are left out."
      : "Exact for the cards that are left.";
  }

  return {
    /**
     * Show a shoe: full, or as it was.
     * @param {{ranks: string[], each: number, counts: number[] | null, rows: any[]}} shoe
     */
    show({ ranks, each, counts, rows }) {
      const same = state.each === each && state.ranks.length === ranks.length;
      Object.assign(state, { ranks, each, rows, counts: counts ?? ranks.map(() => each), now: null, problem: "" });
      if (!same || !list.children.length) list.replaceChildren(...ranks.map(newRank));
      ranks.forEach((_, at) => drawRank(at));
      drawLeft();
      drawMoves();
      clearTimeout(state.timer);
      if (!isFull()) state.timer = setTimeout(ask, 0);
    },
    full() {
      state.counts = state.ranks.map(() => state.each);
      state.ranks.forEach((_, at) => drawRank(at));
      drawLeft();
      changed(null);
      ask();
    },
  };
}
