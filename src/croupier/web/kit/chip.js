/**
 * One chip in SVG, 64 by 68, and a pile of chips of one kind.
 *
 * Every kind is told apart three ways: by its figure, its colour and the number of spots on its edge.  A kind that has
 * no colour of its own, since a house has a smallest chip of its own, wears that of the next smaller kind.
 */

import { svg } from "./cards.js";

/** Values in cents, and how many spots each has on its edge. */
const SPOTS = { 25: 3, 100: 4, 500: 5, 2500: 6, 10000: 8, 50000: 10, 100000: 12 };
const RIM = 28.5;
const RISE = 5;
const MOST = 7;

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
