/**
 * Significant events: what happened that a person must have looked at, and the few words with which one says so.
 *
 * The list comes from the house every few seconds; a note that is half typed stays.  A note goes out under an id that
 * is made once for its event, so that what is sent twice counts once.  The house says who may acknowledge what; for
 * others the row says whom it waits for.
 */

import { admitted, enter, newId, remember } from "../kit/connection.js";
import { capital } from "../kit/names.js";
import { learn, openTags, refusal, ruleTag } from "../kit/rules.js";
import { significant } from "../kit/significant.js";
import { brand, dollars, h, icon, plain, themeButton } from "../kit/staff.js";
import { LADDER } from "../kit/view.js";

const EVERY_MS = 3000;
const at = (id) => /** @type {any} */ (document.getElementById(id));
const page = { who: admitted("game supervisor"), drawn: { open: "", done: "" }, ids: new Map() };

const WHEN = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "medium", hour12: false });
const moment = (ms) => new Date(ms).toLocaleString("en-NZ", WHEN);

async function post(path, body) {
  const headers = { "Content-Type": "application/json", Authorization: `Ticket ${page.who.ticket}` };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const reply = await answer.json();
  return answer.ok ? reply : { done: false, reason: reply.reason };
}

// ---------------------------------------------------------------- the rows

/**
 * Where it happened, and everything that was said of it.
 * @param {import("../kit/significant.js").SignificantEvent} each
 */
function about({ table, device, round, cents, said, person }) {
  const where = [table ? `Table ${table}` : "The house", device, round ? `round ${round}` : ""];
  const what = [where.filter(Boolean).join(", "), cents ? dollars(cents) : "", said && plain(said)];
  return h("p", `${what.filter(Boolean).join(": ")}.`, h("span.quiet", person ? ` Caused by ${person}.` : ""));
}

/** @param {import("../kit/significant.js").SignificantEvent} each */
function head(each) {
  const practice = each.practice ? h("span.pill.practice", "Practice") : null;
  return h(
    "p.head",
    h("b", each.says),
    h("span.pill", plain(each.kind)),
    practice,
    h("span.faint", `${moment(each.at_ms)}, no. ${each.number}`),
    ruleTag(each.rule),
  );
}

/** @param {import("../kit/significant.js").SignificantEvent} each */
function waits(each) {
  const row = h("li", head(each), about(each));
  row.dataset.number = String(each.number);
  row.append(each.mine ? form(each) : h("p.quiet", `It waits for the ${each.for_role}, or somebody above.`));
  return row;
}

/** @param {import("../kit/significant.js").SignificantEvent} each */
function form({ number }) {
  const given = { required: true, maxLength: 300, autocomplete: "off", "aria-label": `Note on event ${number}` };
  const note = /** @type {HTMLInputElement} */ (h("input.input", given));
  const no = h("p.refused", { role: "alert" });
  const label = h("label.field", h("span", "What you found or did"), note);
  const made = h("form", label, h("button.btn.main", { type: "submit" }, "Acknowledge"), no);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = note.value.trim();
    const key = `${number} ${said}`;
    if (!page.ids.has(key)) page.ids.set(key, newId());
    const body = { id: page.ids.get(key), note: said };
    const answer = await post(`/api/significant/${number}`, body).catch(lost);
    no.replaceChildren(...(answer.done ? [] : refusal(answer)));
    if (answer.done) note.value = "";
    await refresh();
  });
  return made;
}

const lost = () => ({ done: false, reason: "the house did not answer: try again" });

/** @param {import("../kit/significant.js").SignificantEvent} each */
function done(each) {
  const by = each.acknowledged;
  const who = by && h("p.quiet", `${by.person}, the ${by.role}, ${moment(by.at_ms)}: ${by.note}`);
  return h("li", head(each), about(each), who);
}

// ---------------------------------------------------------------- the page

function draw(list) {
  learn(Object.fromEntries([...list.open, ...list.acknowledged].map(({ rule, summary }) => [rule, summary])));
  const many = list.open.length;
  at("open-count").replaceChildren(h("span", { className: `pill ${many ? "wait" : "ok"}` }, `${many} open`));
  at("done-count").textContent = `${list.acknowledged.length} shown`;
  drawOpen(list.open);
  const key = JSON.stringify(list.acknowledged);
  if (key !== page.drawn.done) {
    page.drawn.done = key;
    at("done").replaceChildren(...(list.acknowledged.length ? list.acknowledged.map(done) : [none("Nothing yet.")]));
  }
}

const none = (words) => h("li.quiet", words);

/** Rows that are there stay as they are, with what is typed in them. */
function drawOpen(open) {
  const key = JSON.stringify(open);
  if (key === page.drawn.open) return;
  page.drawn.open = key;
  const there = new Map([...at("open").children].map((row) => [row.dataset.number, row]));
  const rows = open.map((each) => there.get(String(each.number)) ?? waits(each));
  at("open").replaceChildren(...(rows.length ? rows : [none("Nothing waits for a person.")]));
}

async function refresh() {
  try {
    draw(await significant(page.who.ticket));
    at("state").replaceChildren(h("span.live", "Live"));
  } catch (error) {
    at("state").replaceChildren(h("span.pill.stop", icon("off"), capital(error.message)));
  }
}

function declaring(kinds) {
  at("declare-panel").hidden = !LADDER.slice(1).includes(page.who.role);
  const declared = kinds.filter((each) => each.declared);
  at("kind").replaceChildren(...declared.map(({ kind, says }) => h("option", { value: kind }, says)));
  let id = newId();
  at("declare").addEventListener("submit", async (event) => {
    event.preventDefault();
    const what = { kind: at("kind").value, device: at("device").value.trim(), said: at("said").value.trim() };
    const answer = await post("/api/significant", { id, table: page.who.table, ...what }).catch(lost);
    at("refused").replaceChildren(...(answer.done ? [] : refusal(answer)));
    // Only what the house has answered is another declaration when it is sent again.
    if (answer.line !== undefined) id = newId();
    if (answer.done) event.target.reset();
    await refresh();
  });
}

async function start() {
  const { who } = page;
  who.name ||= "Sue";
  if (!who.ticket) {
    who.ticket = await enter(who);
    remember(who);
  }
  document.documentElement.dataset.role = who.role === "inspector" ? "inspector" : "supervisor";
  at("role").textContent = plain(who.role);
  at("where").replaceChildren(h("b", who.table ? `Table ${who.table}` : "The house"), h("span", "Significant events"));
  at("who").replaceChildren(who.name, themeButton());
  const list = await significant(who.ticket);
  declaring(list.kinds);
  draw(list);
  at("state").replaceChildren(h("span.live", "Live"));
  setInterval(refresh, EVERY_MS);
}

at("brand").replaceWith(brand());
openTags(document.body, at("sheet"), (tag, sheet) => tag.closest("li")?.append(sheet));
start().catch((error) => {
  const back = h("a", { href: "/" }, "Enter again through the lobby");
  at("open").replaceChildren(h("li", h("p", `${capital(error.message)}.`), h("p.quiet", back)));
});
