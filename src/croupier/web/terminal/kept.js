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
 * The own results of the session, newest first; those of a round that is still to come here were another house's.
 * @returns {{began: number, rows: {round: number, outcome: any, net: number, stake: number}[]}}
 */
export function resultsOf(view) {
  const kept = read(keyOf(view, "session"));
  if (kept && !(kept.rows[0]?.round >= view.round)) return kept;
  return { began: (view.me.chips ?? 0) + (view.me.staked ?? 0), rows: [] };
}

/** What the last round brought, as it is known now. */
function lastOf(view) {
  const outcome = view.history.at(-1);
  const lines = view.me.last ?? [];
  const [stake, returned] = [sum(lines, "stake"), sum(lines, "returned")];
  return outcome && lines.length ? { round: outcome.round, outcome, net: returned - stake, stake } : null;
}

const keep = (view, kept) => sessionStorage.setItem(keyOf(view, "session"), JSON.stringify(kept));

export function rememberResult(view) {
  const last = lastOf(view);
  const kept = resultsOf(view);
  if (!last || kept.rows[0]?.round >= last.round) return;
  if (!kept.rows.length) kept.began = (view.me.chips ?? 0) + (view.me.staked ?? 0) - last.net;
  keep(view, { ...kept, rows: [last, ...kept.rows].slice(0, MOST) });
}

/** The newest result, where it was corrected since. */
export function mendResult(view) {
  const last = lastOf(view);
  const kept = resultsOf(view);
  if (!last || kept.rows[0]?.round !== last.round || JSON.stringify(kept.rows[0]) === JSON.stringify(last)) return;
  keep(view, { ...kept, rows: [last, ...kept.rows.slice(1)] });
}
