/**
 * Small words that several parts of the terminal say alike.
 */

import { inDollars } from "../kit/money.js";
import { named } from "../kit/names.js";
import { t } from "../kit/words.js";

/** What a round is called here: a key by which the catalogue chooses its words. */
export const wordOf = ({ table }) => (table.game === "baccarat" ? "hand" : "round");

/** "Hand 12", "Round 12". @param {any} view @param {number | string} number */
export const roundWords = (view, number) => t("round-number", { word: wordOf(view), number });

/** Odds as the felt says them, in the language in use: "8 to 1", "1 to 1 less 5%". @param {string} odds */
export const oddsWords = (odds) =>
  odds
    .replaceAll(/(\d+) to (\d+)/g, (_, pays, stake) => t("odds-to", { pays, stake }))
    .replaceAll(/ less (\d+)%/g, (_, part) => t("odds-less", { part }));

/** A sentence of its own: with a capital and a full stop. @param {string} text */
export const sentence = (text) => t("sentence", { text: text.charAt(0).toUpperCase() + text.slice(1) });

/**
 * A reason of the table for people: without the key of the wager before it, which was said already, with words for
 * other keys, and amounts in dollars.
 * @param {string} [reason]
 */
export const plain = (reason) =>
  inDollars((reason ?? "").replace(/^[\w:-]+: /, "")).replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (key) =>
    named("wager", key).toLowerCase(),
  );
