/**
 * The scoreboard: five roads and the figures of the shoe for baccarat, a list of results for the other games.
 *
 * `<croupier-scoreboard>` is given the history of a view and draws nothing when it has not changed.  Readers get a line
 * of words for each road.  It is a record of what was, and says so.
 */

import { svg } from "./cards.js";
import { resultWords } from "./names.js";
import { ROWS, bead, bigRoad, derived } from "./roads.js";

const SIDES = { player: "P", banker: "B", tie: "T" };
const NAMES = { P: "Player", B: "Banker", T: "Tie" };

/**
 * A road: a grid of cells with marks, the oldest columns scrolled off to the left.
 * @param {string} name
 * @param {{column: number, row: number}[]} cells
 * @param {{columns: number, size: number, says: string, mark: (cell: any, x: number, y: number, size: number) => Node[]}} how
 */
function road(name, cells, { columns, size, says, mark }) {
  const shift = Math.max(0, Math.max(-1, ...cells.map(({ column }) => column)) + 1 - columns);
  const [wide, high] = [columns * size, ROWS * size];
  const lines = Array.from({ length: columns - 1 }, (_, i) => `M${(i + 1) * size} 0V${high}`).join("");
  const rows = Array.from({ length: ROWS - 1 }, (_, i) => `M0 ${(i + 1) * size}H${wide}`).join("");
  const drawn = svg("svg", { class: "road", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${name}: ${says}` });
  drawn.append(svg("path", { class: "grid", d: lines + rows }));
  for (const cell of cells.filter(({ column }) => column >= shift)) {
    drawn.append(...mark(cell, (cell.column - shift + 0.5) * size, (cell.row + 0.5) * size, size));
  }
  return drawn;
}

const dot = (kind, x, y, r) => svg("circle", { class: kind, cx: x, cy: y, r });
const slash = (x, y, reach) => svg("path", { class: "slash", d: `M${x - reach} ${y + reach}L${x + reach} ${y - reach}` });

function pairs(hand, x, y, size) {
  const off = size * 0.32;
  const found = [];
  if (hand.banker_pair) found.push(dot("bp", x - off, y - off, size * 0.14));
  if (hand.player_pair) found.push(dot("pp", x + off, y + off, size * 0.14));
  return found;
}

const beadMark = (hands) => (cell, x, y, size) => {
  const disc = svg("g", { class: cell.side }, dot("disc", x, y, size * 0.43));
  if (hands[cell.hand].natural) disc.append(dot("nat", x, y, size * 0.33));
  disc.append(svg("text", { x, y: y + 4.3 }, cell.side));
  return [disc, ...pairs(hands[cell.hand], x, y, size)];
};

const bigMark = (hands, last) => (cell, x, y, size) => {
  const marks = [svg("g", { class: cell.side }, dot("o", x, y, size * 0.36))];
  if (cell.ties) marks.push(svg("g", { class: "T" }, slash(x, y, size * 0.3)));
  if (cell.ties > 1) marks.push(svg("text", { class: "count", x, y: y + 4 }, String(cell.ties)));
  marks.push(...pairs(hands[cell.hand], x, y, size));
  if (cell === last()) marks.push(svg("rect", { class: "last", x: x - size / 2 + 1, y: y - size / 2 + 1, width: size - 2, height: size - 2, rx: 2 }));
  return marks;
};

const ring = (cell, x, y, size) => [svg("g", { class: cell.colour }, dot("o thin", x, y, size * 0.31))];
const full = (cell, x, y, size) => [svg("g", { class: cell.colour }, dot("disc", x, y, size * 0.38))];
const line = (cell, x, y, size) => [svg("g", { class: cell.colour }, slash(x, y, size * 0.3))];

/**
 * The big road alone, for a card of the lobby.
 * @param {any[]} history
 * @param {{columns: number, size: number}} how
 */
export function bigRoadOf(history, { columns, size }) {
  const hands = history.filter(({ winner }) => winner in SIDES);
  const cells = bigRoad(hands.map(({ winner }) => SIDES[winner]));
  return road("Big road", cells, { columns, size, says: tally(hands), mark: bigMark(hands, () => cells.at(-1)) });
}

const count = (hands, winner) => hands.filter((hand) => hand.winner === winner).length;
const tally = (hands) => `${hands.length} hands, Player ${count(hands, "player")}, Banker ${count(hands, "banker")}, Tie ${count(hands, "tie")}`;

function element(tag, kind, ...children) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...children);
  return made;
}

const titled = (title, drawn) => element("section", "", element("h2", "", title), drawn);

function figures(hands) {
  const list = element("dl", "shoe");
  const row = (term, value) => list.append(element("dt", "", term), element("dd", "", String(value)));
  const side = (letter) => {
    const mark = element("span", `side ${letter}`, letter);
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", NAMES[letter]);
    return mark;
  };
  row("Hands", hands.length);
  for (const [winner, letter] of Object.entries(SIDES)) row(side(letter), count(hands, winner));
  row("Naturals", hands.filter(({ natural }) => natural).length);
  if (hands.some((hand) => "player_pair" in hand)) {
    row("P pairs", hands.filter((hand) => hand.player_pair).length);
    row("B pairs", hands.filter((hand) => hand.banker_pair).length);
  }
  return list;
}

function baccarat(history) {
  const hands = history.filter(({ winner }) => winner in SIDES);
  const sides = hands.map(({ winner }) => SIDES[winner]);
  const says = tally(hands);
  const small = (name, back, mark) => {
    const cells = derived(sides, back);
    const red = cells.filter(({ colour }) => colour === "red").length;
    return titled(name, road(name, cells, { columns: 31, size: 12, says: `${red} red, ${cells.length - red} blue`, mark }));
  };
  const plate = road("Bead plate", bead(sides), { columns: 9, size: 24, says: `${says}; last ${sides.slice(-6).join(" ")}`, mark: beadMark(hands) });
  const cells = bigRoad(sides);
  const big = road("Big road", cells, { columns: 21, size: 18, says, mark: bigMark(hands, () => cells.at(-1)) });
  return [
    element("section", "bead", element("div", "", element("h2", "", "Bead plate"), plate), figures(hands)),
    titled("Big road", big),
    small("Big eye boy", 1, ring),
    small("Small road", 2, full),
    small("Cockroach road", 3, line),
    element("p", "note", "A record of past hands, not a forecast."),
  ];
}

const SHOWN = 40;

function listed(game, history) {
  const list = element("ol", "results");
  for (const outcome of history.slice(-SHOWN).reverse()) {
    const { text, tone, says } = resultWords(game, outcome);
    list.append(element("li", "", element("span", `n ${tone}`, text), element("span", "says", says), element("span", "round", `${outcome.round}`)));
  }
  if (!history.length) list.append(element("li", "none", "No round yet."));
  return [titled("Last results", list), element("p", "note", "A record of past rounds, not a forecast.")];
}

export class Scoreboard extends HTMLElement {
  #drawn = "";

  /**
   * @param {string} game
   * @param {any[]} history
   */
  show(game, history) {
    // A corrected round changes a result that is not the last, so the whole history is compared.
    const key = game + JSON.stringify(history);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.replaceChildren(...(game === "baccarat" ? baccarat(history) : listed(game, history)));
  }
}

customElements.define("croupier-scoreboard", Scoreboard);
