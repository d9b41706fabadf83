/**
 * What the page of the cage knows of the house: who is here, what was fetched last, and how commands are asked.
 */

import { admitted, enter, newId, remember } from "../kit/connection.js";
import { capital } from "../kit/names.js";
import { learn, refusal } from "../kit/rules.js";
import { h, icon } from "../kit/staff.js";
import { LADDER } from "../kit/view.js";

export const at = (id) => /** @type {any} */ (document.getElementById(id));
const WAITS_MS = [250, 500, 1000, 2000, 4000];
export const WORDS = {
  hint: "The number stands below the barcode. A figure that is mistyped is noticed.",
  once: "Payable at its credit value, once.",
  sure: "It is then paid for good. Look at the paper: the amount printed on it must be this one.",
  lost: "The house does not answer; trying again",
};
export const SENIORS = LADDER.slice(2);
export const page = {
  who: null,
  ticket: "",
  state: null,
  voucher: null,
  tab: "shift",
  filter: "all",
  drawn: "",
  /** What draws the newest; the page sets it. */
  draw: () => {},
};
/** What is asked before the house has let this page in waits for it. */
export const entered = admitFirst();

// ---------------------------------------------------------------- asking the house

/** Ask with the ticket; a ticket of a house that was started anew is renewed once. */
export async function fetched(path, options = {}, again = true) {
  await entered;
  const answer = await fetch(path, {
    ...options,
    headers: { Authorization: `Ticket ${page.ticket}`, "Content-Type": "application/json" },
  });
  if (answer.status !== 403 || !again) return answer;
  await admit();
  return fetched(path, options, false);
}

async function admit() {
  page.ticket = await enter(page.who);
  remember({ ...page.who, ticket: page.ticket });
}

async function admitFirst() {
  const { role, name, ticket } = admitted("cashier");
  page.who = { name: name || "Lee", role, table: "" };
  page.ticket = ticket;
  if (!ticket) await admit();
}

/** A command, asked again under the same id until there is an answer. */
export async function ask(command) {
  const body = JSON.stringify({ id: newId(), command });
  for (const wait of [0, ...WAITS_MS]) {
    if (wait) await new Promise((done) => setTimeout(done, wait));
    try {
      const answer = await fetched("/api/cage/commands", { method: "POST", body });
      const reply = await answer.json();
      if (answer.status !== 503) return answer.ok ? reply : { done: false, ...reply };
    } catch {
      showState(false, WORDS.lost);
    }
  }
  return { done: false, reason: "the house does not answer: look the voucher up again before paying anything" };
}

/** A command of a form: what was refused is said above the panel, what was done is shown at once. */
export async function act(command, form = null) {
  const reply = await ask(command);
  at("refused").replaceChildren(...(reply.done ? [] : refusal(reply)));
  if (reply.done) form?.reset();
  await learned(reply.rule);
  await refresh();
  return reply;
}

export async function learned(rule) {
  if (!rule) return;
  const answer = await fetch(`/api/rules/${encodeURIComponent(rule)}`);
  if (answer.ok) learn({ [rule]: (await answer.json()).summary });
}


export async function refresh() {
  try {
    const answer = await fetched("/api/cage/state");
    const reply = await answer.json();
    if (answer.status === 403) throw new Error(`this room is not for the ${page.who.role}`);
    if (!answer.ok) throw new Error(reply.reason);
    page.state = reply;
    showState(true);
    page.draw();
  } catch (error) {
    showState(false, error instanceof TypeError ? WORDS.lost : capital(error.message));
  }
}

export function showState(good, words = "") {
  at("state").replaceChildren(good ? h("span.live", "Live") : h("span.pill.stop", icon("off"), words));
  // Who never came in is told so where the work would be, with the way out.
  if (!good && !page.state)
    at("found").replaceChildren(h("p.strong", words), h("a.btn", { href: "/" }, "Enter again through the lobby"));
}
