/**
 * The proofs at the inspector's desk: what each shows, what it said here and when, and a button that starts a short one
 * on a copy of the books.  While one runs the list is read again every few seconds, as long as it is shown.
 *
 * @typedef {{name: string, says: string, proved: boolean | null, at_ms: number, by: string, seconds: number, source:
 *            string, lines: string[]}} Proof
 * @typedef {(path: string, method?: string, body?: unknown) => Promise<Response>} Ask
 */

import { capital } from "../kit/names.js";
import { h, plain } from "../kit/staff.js";

const PATH = "/api/inspect/proofs";
const AGAIN_MS = 3000;
const at = (id) => /** @type {any} */ (document.getElementById(id));

/** @param {Ask} ask */
export async function proofs(ask) {
  await draw(ask, () => ask(PATH));
}

/** @param {Ask} ask @param {() => Promise<Response>} asked */
async function draw(ask, asked) {
  try {
    /** @type {{proofs: Proof[], running: string}} */
    const reply = await (await asked()).json();
    const none = h("li.quiet", "This house was started without its proofs.");
    const listed = reply.proofs.map((each) => proof(ask, each, reply.running));
    at("proofs").replaceChildren(...(listed.length ? listed : [none]));
    if (reply.running && !at("proofs-panel").hidden) setTimeout(() => proofs(ask), AGAIN_MS);
  } catch (error) {
    at("proofs").replaceChildren(h("li", `${capital(error.message)}.`));
  }
}

/** @param {Ask} ask @param {Proof} each @param {string} running */
function proof(ask, each, running) {
  const start = () => draw(ask, () => ask(PATH, "POST", { name: each.name }));
  const words = running === each.name ? "Running …" : "Run it";
  const label = `${words}: ${plain(each.name)}`;
  const given = { type: "button", disabled: Boolean(running), onclick: start, "aria-label": label };
  const run = h("button.btn", given, words);
  const when = each.at_ms
    ? new Date(each.at_ms).toLocaleString("en-NZ", { dateStyle: "short", timeStyle: "short" })
    : "never run here";
  const held = each.proved === null ? null : each.proved ? h("span.pill", "Held") : h("span.pill.stop", "Did not hold");
  const head = h("p", h("b", plain(each.name)), held, h("span.faint", when), run);
  const said = each.lines.map((line) => h("p.quiet", line));
  const by = each.at_ms ? `${each.by}, ${each.seconds} s, ${each.source}` : "";
  return h("li", head, h("p", `${plain(each.says)}.`), said, by && h("p.quiet", by));
}
