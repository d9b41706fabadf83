/**
 * Chips on the felt: piles in SVG, and the amounts beside them.
 *
 * The amount is the truth and the pile its picture, so a pile shows seven chips at most, of the largest kinds.  What
 * lies on a place is a list of bets, each with its state; `LAID` knows how such a list is laid where there is little
 * room (a marker), some (beside), or enough (deep).
 *
 * @typedef {{cents: number, state: string, text?: string}} Bet
 * @typedef {{x: number, y: number, r: number, gap?: number, dx?: number, high?: number, edge?: number, won?: number,
 * how?: "marker" | "beside" | "deep" | "high"}} Place what lies at `edge` or beyond is outside the drawing; `won` is
 * how far aside winnings stand as a pile of their own, where something else stands on what won
 */

import { chipClass, chipParts, svg } from "../kit/cards.js";
import { short } from "../kit/money.js";

export const VALUES = [500, 2500, 10000, 50000, 100000];
const MOST = 7;

/** A number as short as it can be written. @param {number} value */
export const n = (value) => Number(value.toFixed(2));

/**
 * The chips of an amount, largest first; a rest below the smallest chip is not drawn.
 * @param {number} cents
 * @param {number} [most]
 * @returns {number[]}
 */
export function chipsOf(cents, most = MOST) {
  const found = [];
  for (const value of [...VALUES].reverse().concat(100)) {
    for (; cents >= value && found.length < most; cents -= value) found.push(value);
  }
  return found;
}

/**
 * A pile whose lowest chip has its middle at (x, y); the largest chip lies on top, where it is read first.
 * @param {number} cents
 * @param {{x: number, y: number, r: number, state: string, most?: number, figured?: boolean}} how
 */
export function pile(cents, { x, y, r, state, most = MOST, figured = true }) {
  const found = chipsOf(cents, most).reverse();
  const rise = r * (found.length > 4 ? 0.125 : 0.19);
  const drawn = found.map((value, index) => {
    const at = `translate(${n(x - r)} ${n(y - r - index * rise)}) scale(${n(r / 32)})`;
    return svg("g", { class: chipClass(value), transform: at }, ...chipParts(value, { figured }));
  });
  const middle = y - (Math.max(0, found.length - 1) * rise) / 2;
  return svg(
    "g",
    { class: `stack ${state}` },
    ...drawn,
    svg("circle", { class: "halo", cx: n(x), cy: n(middle), r: r + 4 }),
  );
}

const wide = (text, high) => text.length * high * 0.37 + high * 0.75;

/**
 * An amount in a pill with its middle at (x, y).
 * @param {string} text
 * @param {{x: number, y: number, state?: string, high?: number}} how
 */
export function stake(text, { x, y, state = "confirmed", high = 24 }) {
  const across = wide(text, high);
  const kind = high <= 16 ? "mini" : `h${high}`;
  return svg(
    "g",
    { class: `stake ${kind} ${state}` },
    svg("rect", { x: n(x - across / 2), y: n(y - high / 2), width: n(across), height: high, rx: high / 2 }),
    svg("text", { x: n(x), y: n(y + high * (high <= 16 ? 0.3 : 0.27)) }, text),
  );
}

const said = ({ text, cents }) => text ?? short(cents);
const isWin = ({ state }) => state === "win";

/** A small pile for lines, crossings and narrow cells: the amount on its lower edge, winnings under it or aside. */
function marker(bets, { x, y, r, edge = Infinity, won: aside = 0, high: tall = 16 }) {
  const [won] = bets.filter(isWin);
  const laid = bets.filter((bet) => !isWin(bet));
  const up = won && !aside ? r * 0.5 : 0;
  const drawn = laid.flatMap((bet, index) => {
    const at = x + index * r * 1.25 - (laid.length - 1) * r * 0.62;
    const body = pile(bet.cents, { x: at, y: y - up, r, state: bet.state, most: 3, figured: false });
    const middle = Math.min(at, edge - wide(said(bet), 16) / 2);
    return [body, stake(said(bet), { x: middle, y: y - up + r - 6, state: bet.state, high: 16 })];
  });
  if (!won) return drawn;
  if (!aside) return [...drawn, stake(said(won), { x, y: y - up + r + 10, state: "win", high: 16 })];
  const away = { x: x + aside, state: "win" };
  return [
    ...drawn,
    pile(won.cents, { ...away, y, r: r * 1.15 }),
    stake(said(won), { ...away, y: y + r * 1.15 + tall * 0.6, high: tall }),
  ];
}

/** Where it is shallow, one pile is the picture of all, and the amounts stand beside it. */
function beside(bets, { x, y, r, dx = r + 18, high = 22 }) {
  const top = -((bets.length - 1) * (high - 1)) / 2;
  return bets.flatMap((bet, index) => {
    const pill = stake(said(bet), {
      x: x + Math.max(dx, r + 4 + wide(said(bet), high) / 2),
      y: y + top + index * (high - 1),
      state: bet.state,
      high,
    });
    return index ? [pill] : [pile(bet.cents, { x, y, r, state: bet.state }), pill];
  });
}

/** Where an area is deep, piles stand side by side over their amounts. */
function deep(bets, { x, y, r, gap = r * 2.4, high = 24 }) {
  const left = x - ((bets.length - 1) * gap) / 2;
  const small = bets.length > 1 ? Math.min(r, gap * 0.42) : r;
  return bets.flatMap((bet, index) => {
    const at = left + index * gap;
    return [
      pile(bet.cents, { x: at, y, r: small, state: bet.state }),
      stake(said(bet), { x: at, y: y + r + high * 0.4, state: bet.state, high }),
    ];
  });
}

/** Where an area is high and narrow, one pile is the picture of all, and the amounts stand below each other. */
function high(bets, { x, y, r, high: tall = 24 }) {
  return bets.flatMap((bet, index) => {
    const pill = stake(said(bet), { x, y: y + r + tall * 0.4 + index * (tall + 5), state: bet.state, high: tall });
    return index ? [pill] : [pile(bet.cents, { x, y, r, state: bet.state }), pill];
  });
}

const LAID = { marker, beside, deep, high };

/**
 * What lies on a place, drawn.
 * @param {Bet[]} bets
 * @param {Place} place
 * @returns {SVGElement[]}
 */
export const laid = (bets, place) => LAID[place.how ?? "marker"](bets, place);
