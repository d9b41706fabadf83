/**
 * Cards and chips in SVG: fronts, backs and empty places of cards, all 100 by 140; one chip, 64 by 68, and a pile of
 * chips of one kind.
 *
 * A card is named as the table names it: rank, then suit (`10h`, `Kc`).  The suits are paths of our own, never letters
 * of a font, so that they look the same everywhere.  Every kind of chip is told apart three ways: by its figure, its
 * colour and the number of spots on its edge.  A kind that has no colour of its own, since a house has a smallest chip
 * of its own, wears that of the next smaller kind.  The colours come from `kit/kit.css`.
 */

import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const SUITS = {
  h: [
    "hearts",
    "red",
    "M12 21.800C5 16.300 1.800 12.500 1.800 8.200A5.400 5.400 0 0 1 12 6a5.400 5.400 0 0 1 10.200 2.200C22.200 " +
    "12.500 19 16.300 12 21.800Z",
  ],
  d: [
    "diamonds",
    "red",
    "M12 1.200C14 5.600 17 9.200 20.800 12 17 14.800 14 18.400 12 22.800 10 18.400 7 14.800 3.200 12 7 9.200 " +
    "10 5.600 12 1.200Z",
  ],
  s: [
    "spades",
    "black",
    "M12 1.200C9.200 5.800 1.800 9.400 1.800 14.400a4.700 4.700 0 0 0 9 2c-.2 2.500-1.200 4.600-2.800 " +
    "6.200h8c-1.600-1.600-2.600-3.700-2.800-6.200a4.700 4.700 0 0 0 9-2C22.200 9.400 14.800 5.800 12 1.200Z",
  ],
  c: [
    "clubs",
    "black",
    "M17 6.300a5 5 0 1 1-10 0a5 5 0 1 1 10 0ZM11.300 13.700a5 5 0 1 1-10 0a5 5 0 1 1 10 0ZM22.700 13.700a5 5 0 " +
    "1 1-10 0a5 5 0 1 1 10 0ZM11 11h2c0 5 1 9 3 11.600H8c2-2.600 3-6.600 3-11.600Z",
  ],
};
const CROWN = "M3 18L2 7l6 5 4-8 4 8 6-5-1 11Z";
/** Values in cents, and how many spots each has on its edge. */
const SPOTS = { 25: 3, 100: 4, 500: 5, 2500: 6, 10000: 8, 50000: 10, 100000: 12 };
const RIM = 28.5;
const RISE = 5;
const MOST = 7;

/**
 * An SVG element with attributes and children.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * The name of a card in words: "Ace of hearts".
 * @param {string} card
 */
export function cardWords(card) {
  const rank = card.slice(0, -1).toUpperCase();
  const name = "AJQK".includes(rank) ? t(`rank-${rank}`) : rank;
  return t("card", { rank: name, suit: t(`suit-${SUITS[card.slice(-1)][0]}`) });
}

/** A suit on its own, in the text: `pip("h")`. */
export function pip(suit) {
  const [name, colour, path] = SUITS[suit];
  return svg(
    "svg",
    { class: `pip ${colour}`, viewBox: "0 0 24 24", role: "img", "aria-label": t(`suit-${name}`) },
    svg("path", { d: path }),
  );
}

/**
 * The front of a card, lying on its side if it is a third card.
 * @param {string} card
 * @param {{lying?: boolean}} [how]
 * @returns {SVGElement}
 */
export function cardFront(card, { lying = false } = {}) {
  const rank = card.slice(0, -1).toUpperCase();
  const [, colour, path] = SUITS[card.slice(-1)];
  const place = (x, y, size, d) =>
    svg("path", { class: colour, d, transform: `translate(${x} ${y}) scale(${size / 24})` });
  const parts = [
    svg("rect", { class: "face", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    svg("text", { class: colour, x: rank.length > 1 ? 7 : 9, y: 42 }, rank),
    place(11, 50, 23, path),
    place(36, 75, 54, path),
  ];
  if ("JQK".includes(rank)) parts.push(place(64, 12, 25, CROWN));
  return drawn("card", parts, { lying, label: cardWords(card) });
}

/** The back of a card. */
export function cardBack({ lying = false } = {}) {
  const lines = Array.from(
    { length: 15 },
    (_, i) => `M${i * 17 - 134} 132L${i * 17} -2M${i * 17 - 134} 8L${i * 17} 142`,
  ).join("");
  const clip = svg(
    "svg",
    { x: 8, y: 8, width: 84, height: 124, viewBox: "0 0 84 124" },
    svg("path", { class: "lattice", d: lines }),
  );
  const mark = svg("path", {
    d: "M61 78.500A16 16 0 1 1 61 61.500",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 7,
  });
  const parts = [
    svg("rect", { class: "back", x: 1, y: 1, width: 98, height: 138, rx: 9, "stroke-width": 5 }),
    clip,
    mark,
  ];
  return drawn("card face-down", parts, { lying, label: t("card-face-down") });
}

/** Where a card may come: a dashed outline, silent to readers. */
export function cardPlace({ lying = false } = {}) {
  return drawn("card empty", [svg("rect", { class: "place", x: 2, y: 2, width: 96, height: 136, rx: 9 })], {
    lying,
    label: "",
  });
}

function drawn(kind, parts, { lying, label }) {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  if (!lying) return svg("svg", { class: kind, viewBox: "0 0 100 140", ...named }, ...parts);
  const turned = svg("g", { transform: "translate(140 0) rotate(90)" }, ...parts);
  return svg("svg", { class: `${kind} lying`, viewBox: "0 0 140 100", ...named }, turned);
}

// ---------------------------------------------------------------- chips

/** The figure on a chip. @param {number} value */
const figure = (value) =>
  value >= 100_000 && value % 100_000 === 0 ? `${value / 100_000}k` : value < 100 ? `${value}c` : String(value / 100);

/** The kind whose looks a value has: itself, or the next smaller one. @param {number} value */
const looksLike = (value) => Number(Object.keys(SPOTS).findLast((kind) => Number(kind) <= value) ?? 25);

/** The class that gives a chip its colours. @param {number} value */
export const chipClass = (value) => `chip c-${String(looksLike(value) / 100).replace(".", "")}`;

/**
 * The parts of a chip.
 * @param {number} value
 * @param {{figured?: boolean}} [how]
 */
export function chipParts(value, { figured = true } = {}) {
  const spots = SPOTS[looksLike(value)];
  const step = (2 * Math.PI * RIM) / spots;
  const dashes = `${(step * 0.38).toFixed(2)} ${(step * 0.62).toFixed(2)}`;
  const turn = `rotate(${(-68.4 / spots).toFixed(1)} 32 32)`;
  return [
    svg("circle", { class: "edge", cx: 32, cy: 35, r: 32 }),
    svg("circle", { class: "body", cx: 32, cy: 32, r: 32 }),
    svg("circle", { class: "rim", cx: 32, cy: 32, r: RIM, "stroke-dasharray": dashes, transform: turn }),
    svg("circle", { class: "well", cx: 32, cy: 32, r: 21.5 }),
    svg("circle", { class: "ring", cx: 32, cy: 32, r: 31.5 }),
    ...(figured ? [svg("text", { x: 32, y: 39 }, figure(value))] : []),
  ];
}

/** A chip on its own. @param {number} value */
export function chip(value) {
  return svg("svg", { class: chipClass(value), viewBox: "0 0 64 68", "aria-hidden": "true" }, ...chipParts(value));
}

/**
 * Chips of one kind on each other, seven at most: the number beside a pile is the truth, the pile its picture.
 * @param {number} value
 * @param {number} many
 */
export function chipPile(value, many) {
  const drawn = Math.min(many, MOST);
  const low = (drawn - 1) * RISE;
  const chips = Array.from({ length: drawn }, (_, index) =>
    svg(
      "g",
      { class: chipClass(value), transform: `translate(0 ${low - index * RISE})` },
      ...chipParts(value, { figured: index === drawn - 1 }),
    ),
  );
  return svg("svg", { class: "pile", viewBox: `0 0 64 ${68 + low}`, "aria-hidden": "true" }, ...chips);
}
