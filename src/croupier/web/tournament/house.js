/**
 * What the page of the tournaments knows of the house: who is here, what was fetched last, and how commands are asked.
 */

import { admitted, enter, newId, remember } from "../kit/connection.js";
import { capital } from "../kit/names.js";
import { learn, refusal, summaryOf } from "../kit/rules.js";
import { h, icon } from "../kit/staff.js";
import { LADDER } from "../kit/view.js";

export const at = (id) => /** @type {any} */ (document.getElementById(id));
const WAITS_MS = [250, 500, 1000, 2000, 4000];
export const WORDS = {
  lost: "The house does not answer; trying again",
  none: "No tournament yet",
  steps: [
    ["The operator appoints a director, who is responsible for the tournament", "VIC2002-12.1.2a"],
    ["The operator states the conditions: fee, chips, wagers, rounds, prizes and the rest", "VIC2002-12.2.1"],
    ["The conditions are approved in writing", "VIC2002-12.1.3"],
    ["Players enter, and the director briefs them", "VIC2002-12.2.3"],
    ["The director designates the tables, which then serve nobody else during a round", "VIC2002-12.3.1"],
    ["The house draws the seats, so that all have an equal chance", "VIC2002-12.1.1"],
    ["Rounds are played while the director is there; the most chips go on", "VIC2002-12.2.5"],
    ["The prizes are awarded", "VIC2002-12.2.1k"],
  ],
  beginHow: "Begin one: give it a name and appoint the person who is responsible for it. Then state the conditions.",
  askHow:
    "A casino supervisor begins one: choose above as whom you are here. Conditions, draw and places are then " +
    "shown to everybody.",
  reading: "a reader",
  guest: "Guest",
  over: "The tournament is over",
  overWhy: "The prizes are awarded; the places are final.",
  by: { operator: "By the operator", director: "By the director", dealer: "By the dealer", player: "By the players" },
  briefed: "They were told the conditions, and the director is satisfied that they understand them.",
  prizes: "The places are then final, and the tournament is over.",
  draw: "The house draws by chance, once.",
  hand: "What each player staked in tournament chips, and the cards: what comes back, the rules of the table say.",
  early:
    "Before its hands are played a round ends at a table only if it is decided who goes on; where chips become " +
    "cash, all at the table must agree.",
};
export const page = {
  who: null,
  ticket: "",
  list: null,
  view: null,
  chosen: "",
  tab: "places",
  drawn: "",
  side: "",
  turn: 0,
  newest: Promise.resolve(),
  /** What draws the newest; the page sets it. */
  draw: () => {},
};
/** What is asked before the house has let this page in waits for it. */
export const entered = admitFirst();

// ---------------------------------------------------------------- asking the house

async function admitFirst() {
  const { role, name, table, ticket } = admitted("");
  page.who = { name, role, table };
  page.ticket = ticket;
  page.chosen = new URLSearchParams(location.search).get("tournament") ?? "";
  if (role && !ticket) await admit();
}

async function admit() {
  page.ticket = await enter(page.who);
  remember({ ...page.who, ticket: page.ticket });
}

/** Whether this page may ask for what is due from somebody. @param {string} by */
export function may(by) {
  const rank = LADDER.indexOf(page.who?.role ?? "");
  if (by === "operator") return rank >= 2;
  return by === "dealer" ? rank >= 0 || page.who?.role === "stickperson" : rank >= 1;
}

/** A command, asked again under the same id until there is an answer. */
export async function ask(path, asked) {
  await entered;
  const body = JSON.stringify({ id: newId(), ...asked });
  for (const wait of [0, ...WAITS_MS]) {
    if (wait) await new Promise((done) => setTimeout(done, wait));
    try {
      const headers = { Authorization: `Ticket ${page.ticket}`, "Content-Type": "application/json" };
      const answer = await fetch(path, { method: "POST", headers, body });
      const reply = await answer.json();
      if (answer.status === 403 && wait === 0) await admit();
      else if (answer.status !== 503) return answer.ok ? reply : { done: false, ...reply };
    } catch {
      showState(false, WORDS.lost);
    }
  }
  return { done: false, reason: "the house does not answer: look at what is due before asking again" };
}

export const command = (asked) =>
  ask(`/api/tournaments/${encodeURIComponent(page.chosen)}/commands`, { command: asked });

/** A command of a button: what was refused is said above the page, what was done is shown at once. */
export async function act(asked) {
  const reply = await command(asked);
  await learned(reply.rule);
  at("refused").replaceChildren(...(reply.done ? [] : refusal(reply)));
  await refresh();
  return reply;
}

export async function learned(rule) {
  if (!rule || summaryOf(rule)) return;
  const answer = await fetch(`/api/rules/${encodeURIComponent(rule)}`);
  if (answer.ok) learn({ [rule]: (await answer.json()).summary });
}

async function fetched(path) {
  const answer = await fetch(path);
  const reply = await answer.json();
  if (!answer.ok) throw new Error(reply.reason);
  return reply;
}

/** Draw the newest; whoever asked before waits for it too, and no older answer is drawn over it. */
export function refresh() {
  page.newest = look(++page.turn);
  return page.newest;
}

async function look(turn) {
  try {
    const list = await fetched("/api/tournaments");
    const names = list.tournaments.map(({ name }) => name);
    if (!names.includes(page.chosen)) page.chosen = names.at(-1) ?? "";
    const view = page.chosen ? await fetched(`/api/tournaments/${encodeURIComponent(page.chosen)}`) : null;
    if (turn !== page.turn) return page.newest;
    Object.assign(page, { list, view });
    learn(list.rules);
    learn(page.view?.rules ?? {});
    showState(true);
    page.draw();
  } catch (error) {
    showState(false, error instanceof TypeError ? WORDS.lost : capital(error.message));
  }
}

export function showState(good, words = "") {
  at("state").replaceChildren(good ? h("span.live", "Live") : h("span.pill.stop", icon("off"), words));
}
