/**
 * The scoreboard: five roads and the figures of the shoe for baccarat.
 *
 * `<croupier-scoreboard>` is given the history of a shoe and draws nothing when it has not changed.  Readers get a line
 * of words for each road.  It is a record of what was, and says so.
 */

import { svg } from "../cards.js";
import { letterOf, named } from "../names.js";
import { ROWS, bead, bigRoad, derived } from "./roads.js";
import { language, t } from "../words.js";

const SIDES = { player: "P", banker: "B", tie: "T" };

/**
 * A road: a grid of cells with marks, the oldest columns scrolled off to the left.
 * @param {string} name
 * @param {{column: number, row: number}[]} cells
 * @param {{columns: number, size: number, says: string, mark: (cell: any, x: number, y: number, size: number) =>
 * Node[]}} how
 */
function road(name, cells, { columns, size, says, mark }) {
  const shift = Math.max(0, Math.max(-1, ...cells.map(({ column }) => column)) + 1 - columns);
  const [wide, high] = [columns * size, ROWS * size];
  const lines = Array.from({ length: columns - 1 }, (_, i) => `M${(i + 1) * size} 0V${high}`).join("");
  const rows = Array.from({ length: ROWS - 1 }, (_, i) => `M0 ${(i + 1) * size}H${wide}`).join("");
  const drawn = svg("svg", {
    class: "road",
    viewBox: `0 0 ${wide} ${high}`,
    role: "img",
    "aria-label": `${name}: ${says}`,
  });
  drawn.append(svg("path", { class: "grid", d: lines + rows }));
  for (const cell of cells.filter(({ column }) => column >= shift)) {
    drawn.append(...mark(cell, (cell.column - shift + 0.5) * size, (cell.row + 0.5) * size, size));
  }
  return drawn;
}

const dot = (kind, x, y, r) => svg("circle", { class: kind, cx: x, cy: y, r });
const slash = (x, y, reach) =>
  svg("path", { class: "slash", d: `M${x - reach} ${y + reach}L${x + reach} ${y - reach}` });

function pairs(hand, x, y, size) {
  const off = size * 0.32;
  const found = [];
  if (hand.banker_pair) found.push(dot("bp", x - off, y - off, size * 0.14));
  if (hand.player_pair) found.push(dot("pp", x + off, y + off, size * 0.14));
  return found;
}

const beadMark = (hands) => (cell, x, y, size) => {
  const disc = svg("g", { class: cell.side }, dot("disc", x, y, size * 0.43));
  // A character is wider than a letter, so the ring of a natural goes further out.
  if (hands[cell.hand].natural) disc.append(dot("nat", x, y, size * (language().startsWith("zh") ? 0.38 : 0.33)));
  disc.append(svg("text", { x, y: y + 4.3 }, letterOf(cell.side)));
  return [disc, ...pairs(hands[cell.hand], x, y, size)];
};

const bigMark = (hands, last) => (cell, x, y, size) => {
  const marks = [svg("g", { class: cell.side }, dot("o", x, y, size * 0.36))];
  if (cell.ties) marks.push(svg("g", { class: "T" }, slash(x, y, size * 0.3)));
  if (cell.ties > 1) marks.push(svg("text", { class: "count", x, y: y + 4 }, String(cell.ties)));
  marks.push(...pairs(hands[cell.hand], x, y, size));
  if (cell === last())
    marks.push(
      svg("rect", {
        class: "last",
        x: x - size / 2 + 1,
        y: y - size / 2 + 1,
        width: size - 2,
        height: size - 2,
        rx: 2,
      }),
    );
  return marks;
};

const ring = (cell, x, y, size) => [svg("g", { class: cell.colour }, dot("o thin", x, y, size * 0.31))];
const full = (cell, x, y, size) => [svg("g", { class: cell.colour }, dot("disc", x, y, size * 0.38))];
const line = (cell, x, y, size) => [svg("g", { class: cell.colour }, slash(x, y, size * 0.3))];
const DERIVED = [["big-eye-boy", 1, ring], ["small-road", 2, full], ["cockroach-road", 3, line]];

/** The hands of a history that make entries. @param {any[]} history */
export const handsOf = (history) => history.filter(({ winner }) => winner in SIDES);
const sidesOf = (hands) => hands.map(({ winner }) => SIDES[winner]);

/**
 * The big road alone, for a card of the lobby.
 * @param {any[]} history
 * @param {{columns: number, size: number}} how
 */
export function bigRoadOf(history, { columns, size }) {
  const hands = handsOf(history);
  const cells = bigRoad(sidesOf(hands));
  return road(t("big-road"), cells, { columns, size, says: tally(hands), mark: bigMark(hands, () => cells.at(-1)) });
}

/** The bead plate alone. @param {any[]} hands @param {{columns: number, size: number}} how */
export function beadPlateOf(hands, { columns, size }) {
  const sides = sidesOf(hands);
  const says = t("bead-says", { tally: tally(hands), last: sides.slice(-6).map(letterOf).join(" ") });
  return road(t("bead-plate"), bead(sides), { columns, size, says, mark: beadMark(hands) });
}

/** The three derived roads, each with its name. @param {any[]} hands @param {{columns: number, size: number}} how */
export function derivedOf(hands, { columns, size }) {
  return DERIVED.map(([id, back, mark]) => {
    const cells = derived(sidesOf(hands), back);
    const red = cells.filter(({ colour }) => colour === "red").length;
    return [t(id), road(t(id), cells, { columns, size, says: t("red-blue", { red, blue: cells.length - red }), mark })];
  });
}

const count = (hands, winner) => hands.filter((hand) => hand.winner === winner).length;
const tally = (hands) =>
  [
    t("hands-count", { count: hands.length }),
    ...Object.keys(SIDES).map((side) => `${named("wager", side)} ${count(hands, side)}`),
  ].join(", ");

/**
 * The figures of a shoe: what is counted, in words or as the mark of a side, and how often.
 * @param {any[]} hands
 * @param {any} [shoe] its number and the cards left, where they are known
 * @returns {[string, string, number][]} the mark if there is one, the words, the count
 */
export function figuresOf(hands, shoe = {}) {
  const rows = [["", t("hands"), hands.length]];
  for (const [winner, letter] of Object.entries(SIDES))
    rows.push([letter, named("wager", winner), count(hands, winner)]);
  rows.push(["", t("naturals"), hands.filter(({ natural }) => natural).length]);
  if (hands.some((hand) => "player_pair" in hand)) {
    rows.push(["", t("player-pairs"), hands.filter((hand) => hand.player_pair).length]);
    rows.push(["", t("banker-pairs"), hands.filter((hand) => hand.banker_pair).length]);
  }
  if (typeof shoe.left === "number") rows.push(["", t("cards-left"), shoe.left]);
  return rows;
}

function element(tag, kind, ...children) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...children);
  return made;
}

const titled = (title, drawn) => element("section", "", element("h2", "", title), drawn);

/** The mark of a side, for a list. @param {string} letter */
export function sideMark(letter, words) {
  const mark = element("span", `side ${letter}`, letterOf(letter));
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", words);
  return mark;
}

function figures(hands, shoe) {
  const list = element("dl", "shoe");
  for (const [letter, words, value] of figuresOf(hands, shoe))
    list.append(element("dt", "", letter ? sideMark(letter, words) : words), element("dd", "", String(value)));
  return list;
}

export class Scoreboard extends HTMLElement {
  #drawn = "";

  /**
   * @param {any[]} history of the shoe
   * @param {any} [shoe]
   */
  show(history, shoe = {}) {
    // A corrected round changes a result that is not the last, so the whole history is compared.
    const key = JSON.stringify([language(), shoe.number, shoe.left, history]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const hands = handsOf(history);
    const plate = shoe.number ? t("bead-plate-shoe", { number: shoe.number }) : t("bead-plate");
    this.replaceChildren(
      element(
        "section",
        "bead",
        element("div", "", element("h2", "", plate), beadPlateOf(hands, { columns: 9, size: 24 })),
        figures(hands, shoe),
      ),
      titled(t("big-road"), bigRoadOf(history, { columns: 21, size: 18 })),
      ...derivedOf(hands, { columns: 31, size: 12 }).map(([name, drawn]) => titled(name, drawn)),
      element("p", "note", t("record-hands")),
    );
  }
}

customElements.define("croupier-scoreboard", Scoreboard);
