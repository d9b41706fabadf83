/**
 * What this tab remembers of the table: the cards of the last round, so that a reload keeps them, and the player's own
 * results of the session.
 */

import { sum } from "./desk.js";

const MOST = 200;
const keyOf = (view, what) => `croupier ${what} ${view.table.name} ${view.me.name}`;
const read = (key) => JSON.parse(sessionStorage.getItem(key) ?? "null");

/** The layout of a round with cards, dice or a number on it, kept; nothing if there is none. */
export function keepRound(view) {
  const { cards, boxes, dice, number, symbol } = view.layout;
  const dealt = Object.values(cards).some((hand) => hand.length) || boxes.some(({ hands }) => hands[0]?.length);
  const fell = [dice, number, symbol].some((each) => each !== null && each !== undefined);
  if (!dealt && !fell) return null;
  const kept = { round: view.round, layout: view.layout, boxes: view.me.boxes };
  sessionStorage.setItem(keyOf(view, "round"), JSON.stringify(kept));
  return kept;
}

/** The round that was kept before this page was loaded, if the table is still in it or just after it. */
export function recallRound(view) {
  const kept = read(keyOf(view, "round"));
  return kept && kept.round <= view.round && kept.round >= view.round - 1 ? kept : null;
}

/**
 * The own results of the session, newest first.
 * @returns {{began: number, rows: {round: number, outcome: any, net: number, stake: number}[]}}
 */
export function resultsOf(view) {
  return read(keyOf(view, "session")) ?? { began: (view.me.chips ?? 0) + (view.me.staked ?? 0), rows: [] };
}

export function rememberResult(view) {
  const last = view.history.at(-1);
  const lines = view.me.last ?? [];
  const kept = resultsOf(view);
  if (!last || !lines.length || kept.rows[0]?.round >= last.round) return;
  const [stake, returned] = [sum(lines, "stake"), sum(lines, "returned")];
  if (!kept.rows.length) kept.began = (view.me.chips ?? 0) + (view.me.staked ?? 0) - (returned - stake);
  kept.rows = [{ round: last.round, outcome: last, net: returned - stake, stake }, ...kept.rows].slice(0, MOST);
  sessionStorage.setItem(keyOf(view, "session"), JSON.stringify(kept));
}
