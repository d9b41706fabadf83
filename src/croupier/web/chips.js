/**
 * Chips in SVG: one in the tray, a stack on the felt, and the amount beside it.
 *
 * The amount is the truth and the stack its picture, so a stack shows seven chips at most, of the largest kinds.
 */

import { svg } from "./cards.js";
import { short } from "./money.js";

/** Values in cents, and how many spots tell each from the others besides its colour and figure. */
const SPOTS = { 100: 4, 500: 5, 2500: 6, 10000: 8, 50000: 10, 100000: 12 };
export const VALUES = [500, 2500, 10000, 50000, 100000];
const MOST = 7;
const RIM = 28.5;

/** The figure on a chip. @param {number} value */
export const figure = (value) => (value === 100000 ? "1k" : String(value / 100));

function parts(value) {
  const step = (2 * Math.PI * RIM) / SPOTS[value];
  const dashes = `${(step * 0.38).toFixed(2)} ${(step * 0.62).toFixed(2)}`;
  const turn = `rotate(${(-68.4 / SPOTS[value]).toFixed(1)} 32 32)`;
  return [
    svg("circle", { class: "edge", cx: 32, cy: 35, r: 32 }),
    svg("circle", { class: "body", cx: 32, cy: 32, r: 32 }),
    svg("circle", { class: "rim", cx: 32, cy: 32, r: RIM, "stroke-dasharray": dashes, transform: turn }),
    svg("circle", { class: "well", cx: 32, cy: 32, r: 21.5 }),
    svg("circle", { class: "ring", cx: 32, cy: 32, r: 31.5 }),
    svg("text", { x: 32, y: 39 }, figure(value)),
  ];
}

/** A chip on its own, for the tray. @param {number} value */
export function chip(value) {
  return svg("svg", { class: `chip c-${value / 100}`, viewBox: "0 0 64 68", "aria-hidden": "true" }, ...parts(value));
}

/**
 * The chips of an amount, largest first; a rest below the smallest chip is not drawn.
 * @param {number} cents
 * @returns {number[]}
 */
export function chipsOf(cents) {
  const found = [];
  for (const value of [...VALUES].reverse().concat(100)) {
    for (; cents >= value && found.length < MOST; cents -= value) found.push(value);
  }
  return found;
}

/**
 * A stack with its foot at (x, y), and its amount below it or beside it.
 * @param {number} cents
 * @param {{x: number, y: number, radius?: number, state?: string, text?: string, beside?: boolean, drop?: number, drawn?: boolean}} how
 *   `drop`: how much lower an amount beside the stack stands; `drawn`: whether the chips are, or the amount alone
 * @returns {SVGElement}
 */
export function stack(cents, { x, y, radius = 32, state = "confirmed", text = short(cents), beside = false, drop = 0, drawn = true }) {
  const found = drawn ? chipsOf(cents) : [];
  const step = found.length >= 5 ? 4 : 6;
  const scale = radius / 32;
  const group = svg("g", { class: `stack ${state}` });
  found.reverse();
  // The largest chip lies on top of the picture, where it is read first.
  found.forEach((value, index) => {
    const at = `translate(${x - radius} ${y - radius - index * step}) scale(${scale})`;
    group.append(svg("g", { class: `chip c-${value / 100}`, transform: at }, ...parts(value)));
  });
  const top = y - Math.max(0, found.length - 1) * step;
  if (drawn) group.append(svg("circle", { class: "halo", cx: x, cy: top, r: radius + 5 }));
  const place = beside ? { x: x + radius + 12 + width(text) / 2, y: y - 2 + drop } : { x, y: y + radius + 22 };
  return svg("g", { class: "bet", "aria-hidden": "true" }, group, stake(text, { ...place, state }));
}

const width = (text) => text.length * 10 + 24;

/**
 * An amount in a pill, centred at (x, y).
 * @param {string} text
 * @param {{x: number, y: number, state?: string}} how
 */
export function stake(text, { x, y, state = "confirmed" }) {
  const wide = width(text);
  return svg(
    "g",
    { class: `stake ${state}` },
    svg("rect", { x: x - wide / 2, y: y - 15, width: wide, height: 30, rx: 15 }),
    svg("text", { x, y: y + 7 }, text),
  );
}
