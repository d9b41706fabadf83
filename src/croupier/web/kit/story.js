/**
 * The story of a round, from the lines of its journal as the house tells them.
 *
 * Every line comes as data: the event with its parts, who caused it and when, the rule, the money it moved.  What is
 * told here in words is made from those parts, and nothing is read out of a sentence.  A line of which the page knows
 * nothing of its own is told in the words of the house, so that a new event is plain but never missing.
 *
 * @typedef {{debit: string, credit: string, amount: number, rule: string,
 *            debited: [string, string], credited: [string, string]}} Moved
 *   `debited`, `credited`: what the account is for, and whose it is
 * @typedef {{line: number, at_ms: number, by: string, role: string, type: string, name: string, words: string,
 *            rule: string, transfers: Moved[], event: any, to: string, card: boolean,
 *            figures: [string, any, boolean, string][], game?: string}} Line
 *   `figures`: each with its name, whether it is cents, and of a point of time what happens then
 * @typedef {{lines: Line[], rules: Record<string, string>, felt: any, was: any, wagers: any[]}} Story
 *   `felt`: what lies there, or lay at the end; `was`: before a correction
 * @typedef {{kind: string, head: any[], more: string}} Shown `head`: words, and cards as they are drawn
 */

import { pip } from "./cards.js";
import { dollars } from "./money.js";
import { resultWords, wagerWords } from "./names.js";
import { h, plain } from "./staff.js";

/** What a reader wants to see first; all else folds together. */
const WEIGHTY = new Set(["irregular", "ruled", "back", "over", "corrected", "dispute", "flag"]);

/** Fetch the story of a round, with the ticket of who wants to read it. @returns {Promise<Story>} */
export async function fetchStory(table, round, ticket = "") {
  const headers = { Authorization: `Ticket ${ticket}` };
  const answer = await fetch(`/api/tables/${encodeURIComponent(table)}/rounds/${round}`, { headers });
  const reply = await answer.json();
  if (!answer.ok) throw new Error(reply.reason);
  const lines = reply.entries.map((each) => ({ ...each, game: reply.game }));
  return { lines, rules: reply.rules, felt: reply.felt, was: reply.was, wagers: reply.wagers };
}

/** A card in a line of words: its rank and suit. @param {string} card */
export const inline = (card) => h("b.incard", card.slice(0, -1), pip(card.slice(-1)));

/** Cards one after another, as they stand in a line of words. @param {string[]} cards */
export const inlineAll = (cards) => cards.flatMap((card, at) => (at ? [" ", inline(card)] : [inline(card)]));

/** Whether a line belongs to what matters in a round; the rest is ordinary. @param {Shown} line */
export const isWeighty = ({ kind }) => WEIGHTY.has(kind);

/** What a fact is, in words and cards: the card that fell, the act, the choice. */
export function factWords(fact, to = "", isCard = false) {
  if (typeof fact === "string") {
    const shown = isCard ? inline(fact) : plain(fact);
    return to ? [`${plain(to)}: `, shown] : [shown];
  }
  if (fact.irregular) return [`Irregular: ${words(fact.irregular)}`, ...(fact.card ? [", ", inline(fact.card)] : [])];
  if (fact.perform) {
    const said = [fact.detail, fact.to, fact.under].filter((each) => each !== undefined);
    return [plain(fact.perform), said.length ? `: ${said.join(", ")}` : ""];
  }
  if (fact.choose) return [`${plain(fact.by ?? "somebody")}: ${words(fact.choose)}`];
  const [[name, value]] = Object.entries(fact);
  return [`${plain(fact.by ?? "somebody")}: ${words(name)} ${wagerWords(String(value))}`];
}

const words = (name) => String(name).replaceAll("_", " ");

/** How each kind of event is told, by its name. @type {Record<string, (event: any, line: Line) => Shown>} */
const TELLS = {
  WagerPlaced: ({ player, on, stake, voided = 0 }) => ({
    kind: "wager",
    head: [`${player}: ${dollars(stake + voided)} on ${wagerWords(on)}`],
    more: voided ? `${dollars(voided)} of it void` : "",
  }),
  StakeAdded: ({ player, on, stake }) => ({
    kind: "wager",
    head: [`${player}: ${dollars(stake)} more, ${wagerWords(on)}`],
    more: "",
  }),
  WagerReduced: ({ number, stake, returned }) => ({
    kind: "wager",
    head: [`Wager ${number} is now ${dollars(stake)}`],
    more: `${dollars(returned)} goes back`,
  }),
  WagerWithdrawn: ({ number }) => ({ kind: "wager", head: [`Wager ${number} is taken back`], more: "" }),
  WagerSettled: ({ player, on, result, returned = 0 }) => ({
    kind: "settled",
    head: [`${player}, ${wagerWords(on)}: ${resultOf(result)}`],
    more: `${dollars(returned)} returned`,
  }),
  WagerReopened: ({ player, on }) => ({ kind: "back", head: [`${player}, ${wagerWords(on)}: open again`], more: "" }),
  Happened: ({ fact, due }, { to, card }) => ({
    kind: fact.irregular ? "irregular" : "fact",
    head: factWords(fact, to, card),
    more: fact.irregular ? `due was: ${due}` : "",
  }),
  FactTakenBack: ({ fact, reason }, { card }) => ({
    kind: "back",
    head: ["Taken back: ", ...factWords(fact, "", card)],
    more: reason,
  }),
  Announced: ({ text }) => ({ kind: "said", head: [`“${text}”`], more: "announced" }),
  Ruled: ({ circumstance, remedy, official, call = "" }) => ({
    kind: "ruled",
    head: [`${plain(circumstance)}: ${remedy}`],
    more: `ordered by the ${official}${call ? `, called “${words(call)}”` : ""}`,
  }),
  RulingOverruled: ({ ruling, call }) => ({
    kind: "ruled",
    head: [`Ruling ${ruling + 1} is overruled: ${words(call)}`],
    more: "",
  }),
  RoundEnded: ({ outcome }, { game }) => ({ kind: "over", head: ["Round over"], more: outcomeWords(outcome, game) }),
  RoundCorrected: ({ reason, settled = [] }) => ({
    kind: "corrected",
    head: [`Corrected: ${reason}`],
    more: `${count(settled.length, "wager")} settled otherwise`,
  }),
  RoundInvalidated: ({ ground }) => ({ kind: "corrected", head: [`Invalidated: ${ground}`], more: "" }),
  DisputeRaised: ({ complainant, about }) => ({
    kind: "dispute",
    head: [`${complainant} disputes`],
    more: `“${about}”`,
  }),
  DisputeDecided: ({ decision, level, resolved }) => ({
    kind: "dispute",
    head: [resolved ? "Dispute decided" : "Dispute left unresolved"],
    more: `“${decision}”, by the ${level}`,
  }),
  ReviewAsked: ({ level }) => ({ kind: "dispute", head: [`The ${level} is asked for a review`], more: "" }),
  Flagged: ({ about, player = "" }) => ({ kind: "flag", head: [plain(about)], more: player }),
};

/**
 * One line of a story: what kind it is, a heading, and what there is to add.
 * @param {Line} line
 * @returns {Shown}
 */
export function tellLine(line) {
  return TELLS[line.type]?.(line.event, line) ?? named(line);
}

/** Any other event: in the house's own words, or its name and figures where it has none. @param {Line} line */
function named({ name, words: said, figures }) {
  if (!name) return { kind: "other", head: [plain(said)], more: "" };
  return { kind: "other", head: [plain(name)], more: figures.map(figureWords).join(", ") };
}

function figureWords([name, value, cents, moment]) {
  const shown = cents ? dollars(value) : moment ? time(value) : value === true ? "yes" : value;
  return `${words(moment || name)} ${shown}`;
}

/** The time of day of a moment, to the second. @param {number} ms */
export const time = (ms) => new Date(ms).toLocaleTimeString("en-NZ", { hour12: false });

/** How a wager ended, in the words of the gazette. */
export const resultOf = (result) => (result === "standoff" ? "stand off" : result);

/** So many of something. */
export const count = (number, thing) => `${number.toLocaleString("en-NZ")} ${thing}${number === 1 ? "" : "s"}`;

/** An outcome as players are told it; where the game is not known, those of its figures that say something. */
function outcomeWords(outcome, game) {
  if (game) return resultWords(game, outcome).says;
  const tells = (value) => ["string", "number"].includes(typeof value) && value !== "";
  const said = Object.entries(outcome).filter(([, value]) => tells(value));
  return said.map(([name, value]) => `${words(name)} ${value}`).join(", ");
}

/** Whoever did it, in a few words. @param {{by: string, role: string}} line */
export const doneBy = ({ by, role }) => (by === role ? plain(role) : `${by}, ${role}`);

/** An account of the ledger in words: the chips of Gus. @param {[string, string]} account */
export const accountWords = ([kind, whose]) => (whose ? `${kind} of ${whose}` : kind);
