/**
 * Small words that several parts of the terminal say alike.
 */

import { capital } from "../kit/names.js";
import { t } from "../kit/words.js";

/** What a round is called here: a key by which the catalogue chooses its words. */
export const wordOf = ({ table }) => (table.game === "baccarat" ? "hand" : "round");

/** "Hand 12", "Round 12". @param {any} view @param {number | string} number */
export const roundWords = (view, number) => t("round-number", { word: wordOf(view), number });

/**
 * Odds as the felt says them, in the language in use: "8 to 1", "1 to 1 less 5%".
 * @param {[number, number, string][]} [odds]
 */
export const oddsWords = (odds = []) =>
  odds
    .map(([pays, stake, part]) => t("odds-to", { pays, stake }) + (part === "0" ? "" : t("odds-less", { part })))
    .join(", ");

/**
 * The odds of a wager where there is room for what each of them is paid for: the table tells those of Perfect Pairs
 * from mixed to perfect.
 * @param {Record<string, [number, number, string][]>} all @param {string} on
 */
export function fullOdds(all, on) {
  const each = all[on] ?? [];
  const whole = each.every(([, stake, part]) => stake === 1 && part === "0");
  if (on !== "perfect_pairs" || each.length !== 3 || !whole) return oddsWords(each);
  const [mixed, coloured, perfect] = each.map(([pays]) => pays);
  return t("pairs-odds", { mixed, coloured, perfect });
}

/** A sentence of its own: with a capital and a full stop. @param {string} text */
export const sentence = (text) => t("sentence", { text: capital(text) });

/** The time of day at the table, as a clock shows it. @param {number} ms */
export function timeOf(ms) {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes()].map((each) => String(each).padStart(2, "0")).join(":");
}
