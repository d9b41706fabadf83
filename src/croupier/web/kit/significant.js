/**
 * The significant events of the house, as the pages of staff show them: how many wait, and the way to their page.
 *
 * @typedef {{number: number, kind: string, says: string, at_ms: number, table: string, practice: boolean, device:
 * string, person: string, round: number, cents: number, said: string, rule: string, summary: string, event: number,
 * for_role: string, mine: boolean, acknowledged: {person: string, role: string, at_ms: number, note: string} | null}}
 * SignificantEvent
 * @typedef {{open: SignificantEvent[], acknowledged: SignificantEvent[],
 * kinds: {kind: string, says: string, declared: boolean}[]}} SignificantList
 */

import { h, icon } from "./staff.js";

const EVERY_MS = 5000;
/** How often it is tried until somebody has entered. */
const FIRST_MS = 500;

/** @param {string} ticket @returns {Promise<SignificantList>} */
export async function significant(ticket) {
  const answer = await fetch("/api/significant", { headers: { Authorization: `Ticket ${ticket}` } });
  const reply = await answer.json();
  if (!answer.ok) throw new Error(reply.reason);
  return reply;
}

/**
 * Keep a way to the page of the events up to date.
 * @param {HTMLElement} place
 * @param {() => {table: string, role: string, name: string, ticket: string} | null} whoever
 */
export function watchSignificant(place, whoever) {
  let drawn = "";
  const look = async () => {
    const who = whoever();
    if (!who?.ticket) return;
    // Without an answer, what was seen last stays.
    const waiting = await significant(who.ticket).then(({ open }) => open.length, () => null);
    const seen = JSON.stringify([waiting, who.table, who.role]);
    if (waiting === null || seen === drawn) return;
    drawn = seen;
    const href = `/significant?${new URLSearchParams({ table: who.table, role: who.role, name: who.name })}`;
    const words = `${waiting} significant ${waiting === 1 ? "event waits" : "events wait"}`;
    const count = h("span", { className: `pill ${waiting ? "wait" : ""}` }, icon("bell"), String(waiting));
    place.replaceChildren(h("a.btn.bare.events", { href, "aria-label": words, title: words }, count));
  };
  const again = () => look().finally(() => setTimeout(again, drawn ? EVERY_MS : FIRST_MS));
  again();
}
