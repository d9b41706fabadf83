/**
 * The other half of the inspector's desk: the journal verified live, its signed export, and the reports of all tables.
 *
 * Verifying is told by the server table by table, as lines of JSON; the last line is the verdict.  An export is a
 * file that proves itself without the house (`croupier verify --export`).  Reports are read again whenever they are
 * shown.
 *
 * @typedef {{ticket: () => string, table: () => string, entered: Promise<unknown>, read: (table: string, round:
 * number) => void, round: () => number}} Page
 * @typedef {import("../kit/story.js").Line & {table: string, practice: boolean, round: number, kind: string,
 *            summary: string}} Report
 */

import { EDITIONS, capital } from "../kit/names.js";
import { learn, ruleTag } from "../kit/rules.js";
import { proofs } from "./proofs.js";
import { h, icon, plain } from "../kit/staff.js";
import { tellLine } from "../kit/story.js";

const at = (id) => /** @type {any} */ (document.getElementById(id));
/** The sheet of a rule: it moves about the page, so it is held here. */
const sheet = at("sheet");
const shown = { reports: "" };
const PANELS = ["disputes", "reports", "proofs"];
const SAYS =
  "Every line of every table, the signed heads, the money and every settlement, checked again while the house runs.";

/** @param {Page} page */
export function desk(page) {
  at("verify").addEventListener("click", () => verify(page));
  at("export").addEventListener("click", () => save(page));
  at("paper").addEventListener("click", () => save(page, page.round()));
  for (const name of PANELS) at(`show-${name}`).addEventListener("click", () => turn(page, name));
  page.entered.then(() => reports(page)).catch(() => {});
  document.body.addEventListener("click", (event) => {
    const tag = event.target instanceof Element ? event.target.closest(".tag.open") : null;
    if (tag) others(/** @type {HTMLElement} */ (tag).dataset.rule ?? "");
  });
}

/** How other editions say what a rule says, below its summary in the open sheet. @param {string} rule */
async function others(rule) {
  const answer = await fetch(`/api/rules/${encodeURIComponent(rule)}`);
  if (!answer.ok || sheet.hidden || sheet.querySelector("h3")?.textContent !== rule) return;
  const reply = await answer.json();
  const rows = reply.others.map((each) =>
    h("li", h("b", EDITIONS[each.edition] ?? each.edition), h("span.code", each.id), h("span", each.summary)),
  );
  const link = h("a.more", { href: `/rulebook?${new URLSearchParams({ rule })}` }, "Open it in the rule book");
  const list = rows.length
    ? [h("h4", "Other editions"), h("ul.others", rows)]
    : [h("p.quiet", "No other edition has a rule like it.")];
  sheet.querySelector(".text")?.append(...list, link);
}

/** @param {Page} page @param {string} path @param {string} [method] @param {unknown} [said] */
async function asked(page, path, method = "GET", said = undefined) {
  await page.entered;
  const body = said === undefined ? undefined : JSON.stringify(said);
  const answer = await fetch(path, { method, body, headers: { Authorization: `Ticket ${page.ticket()}` } });
  if (!answer.ok) throw new Error((await answer.json()).reason);
  return answer;
}

// ---------------------------------------------------------------- verifying

/** @param {Page} page */
async function verify(page) {
  at("verify").disabled = true;
  at("progress").hidden = false;
  at("progress").removeAttribute("value");
  verdict("quiet", null, "Reading the journals …");
  try {
    const answer = await asked(page, "/api/inspect/verify", "POST");
    for await (const row of rows(answer.body)) {
      if (row.over) over(row);
      else step(row);
    }
  } catch (error) {
    verdict("bad", "alert", `${capital(error.message)}.`);
  }
  at("verify").disabled = false;
  at("progress").hidden = true;
}

/** Lines of JSON as they come. */
async function* rows(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value = "", done } = await reader.read();
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line);
    if (done) return;
  }
}

function step({ table, at: number, of, lines }) {
  at("progress").max = of;
  at("progress").value = number;
  verdict("quiet", null, `${table}: sound. Table ${number} of ${of}, ${count(lines)} lines so far.`);
}

function over({ fault, tables, lines, heads, settlements, at_ms }) {
  const when = new Date(at_ms).toLocaleTimeString("en-NZ");
  if (fault)
    return verdict(
      "bad",
      "alert",
      h("b", "A fault was found. "),
      `${plain(fault)}. Stop the table and keep the database as it is.`,
    );
  const books = `${count(lines)} lines of ${tables} journals, ${count(heads)} signed heads`;
  const found = `${books}, ${count(settlements)} settlements; at ${when}.`;
  return verdict("good", "check", h("b", "No fault. "), found);
}

const count = (number) => Number(number).toLocaleString("en-NZ");

function verdict(kind, sign, ...words) {
  at("verified").className = kind;
  at("verified").replaceChildren(...(sign ? [icon(sign)] : []), h("span", words.length ? words : SAYS));
}

// ---------------------------------------------------------------- the export

/**
 * The journal of the table, or one round of it alone, as a page to print.
 * @param {Page} page
 * @param {number} [round]
 */
export async function save(page, round = 0) {
  const table = page.table();
  at("export").disabled = true;
  try {
    const query = new URLSearchParams({ table, ...(round ? { round: String(round) } : {}) });
    const answer = await asked(page, `/api/inspect/${round ? "round" : "export"}?${query}`);
    const address = URL.createObjectURL(await answer.blob());
    const name = `croupier-${encodeURIComponent(table)}${round ? `-round-${round}.html` : ".jsonl"}`;
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    verdict(
      "good",
      "check",
      h("b", `${name} is saved. `),
      "It proves itself: ",
      h("span.code", `croupier verify --export ${name}`),
    );
  } catch (error) {
    verdict("bad", "alert", `${capital(error.message)}.`);
  }
  at("export").disabled = false;
}

// ---------------------------------------------------------------- reports

function turn(page, name) {
  for (const each of PANELS) {
    at(`${each}-panel`).hidden = each !== name;
    at(`show-${each}`).setAttribute("aria-pressed", String(each === name));
  }
  if (name === "reports") reports(page);
  if (name === "proofs") proofs((path, method, body) => asked(page, path, method, body));
}

/** @param {Page} page */
async function reports(page) {
  try {
    /** @type {{reports: Report[]}} */
    const reply = await (await asked(page, "/api/inspect/reports")).json();
    const now = JSON.stringify(reply.reports);
    if (now === shown.reports) return;
    shown.reports = now;
    learn(Object.fromEntries(reply.reports.map(({ rule, summary }) => [rule, summary])));
    at("reports-count").replaceChildren(
      h("span.pill", reply.reports.length === 1 ? "1 report" : `${reply.reports.length} reports`),
    );
    const listed = reply.reports.map((each) => report(page, each));
    at("reports").replaceChildren(...(listed.length ? listed : [h("li.quiet", "Nothing was reported at any table.")]));
  } catch (error) {
    at("reports").replaceChildren(h("li", `${capital(error.message)}.`));
  }
}

/** @param {Page} page @param {Report} each */
function report(page, each) {
  const when = new Date(each.at_ms).toLocaleString("en-NZ", { dateStyle: "short", timeStyle: "short" });
  const who = each.by === each.role ? each.by : `${each.by}, ${each.role}`;
  const go = h(
    "button.btn.bare",
    { type: "button", onclick: () => page.read(each.table, each.round) },
    `Round ${each.round}`,
    icon("arrow"),
  );
  const practice = each.practice ? h("span.pill.practice", "Practice") : null;
  const head = h("p", h("b", `Table ${each.table}`), h("span.pill", each.kind), practice, h("span.faint", when));
  const { head: title, more } = tellLine(each);
  const says = more ? [...title, ": ", more] : title;
  return h("li", head, h("p", says), h("p.foot", h("span.quiet", `${who}, line ${each.line}`), ruleTag(each.rule), go));
}
