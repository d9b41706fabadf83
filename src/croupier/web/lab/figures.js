/**
 * Figures of the odds lab: exact fractions as the server tells them, and the words in which a page shows them.
 *
 * A fraction is text, `num/den`, often longer than a double can hold, so it is divided as whole numbers first.
 */

import { wagerWords, words } from "../kit/names.js";

const MINUS = "\u2212";
const SCALE = 10n ** 15n;
const PLAYS = {
  main: "by the cards",
  chart: "by the chart",
  draw: "never split",
  split: "always split",
  optimum: "best play",
};
const NAMES = { main: "Main wager", super_sevens: "Super Sevens", insurance: "Insurance" };

/** The value of a fraction. @param {string} ratio */
export function valueOf(ratio) {
  const [top, bottom] = ratio.split("/").map(BigInt);
  return Number((top * SCALE) / bottom) / Number(SCALE);
}

/** A figure with a true minus sign. @param {number} value @param {number} places */
export function figure(value, places) {
  const text = Math.abs(value).toFixed(places);
  return value < 0 && Number(text) ? MINUS + text : text;
}

/** A part of all as a percentage without its sign; nothing is a dash. @param {string} ratio */
export function share(ratio, places = 3) {
  return ratio.startsWith("0/") ? "–" : figure(valueOf(ratio) * 100, places);
}

/** @param {number | null} value */
export const percent = (value, places = 4) =>
  value === null || value === undefined ? "–" : `${figure(value, places)} %`;

/** A difference, always with its sign. @param {number} value */
export function signed(value, places = 4) {
  const text = figure(value, places);
  return text.startsWith(MINUS) || !Number(text) ? text : `+${text}`;
}

/** A fraction as it is written. @param {string} ratio */
export const written = (ratio) => ratio.replace("-", MINUS);

/** Money for 100 dollars placed, from cents. @param {number} cents */
export function moneyChange(cents) {
  if (Math.abs(cents) < 0.005) return "same";
  const dollars = Math.abs(cents) / 100;
  return `${cents < 0 ? MINUS : "+"}$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

/** A whole number, its thousands apart. @param {number | string} count */
export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** The name of a wager. @param {string} wager */
export const nameOf = (wager) => NAMES[wager] ?? wagerWords(wager);

const lastOf = ({ policy }) => policy?.split(":").at(-1) ?? "";

/** The play by its name, where that matters. @param {{policy: string | null}} row */
export const playOf = (row) => PLAYS[lastOf(row)] ?? words(lastOf(row)).toLowerCase();

/** How it is played, in a line, where that matters. @param {{policy: string | null}} row */
export const policyOf = (row) => `${!lastOf(row) || lastOf(row) in PLAYS ? "" : "play: "}${playOf(row)}`;

/** The key by which rows of two answers are matched. */
export const keyOf = ({ wager, policy }) => `${wager} ${policy ?? ""}`;
