/**
 * The inspector's desk: find a round, read its story with the rule of every step, see where each cent went, and decide
 * disputes.
 *
 * The story comes from the journal alone; this page takes it apart and shows it, and knows nothing else about the round.
 * The list of rounds and the disputes come with the views of the table.  An address names table and round, and the line of
 * the journal where one is meant, so that it can be sent to somebody else.
 */

import { admitted, connect, enter, remember } from "./connection.js";
import { desk } from "./inspector-desk.js";
import { EDITIONS, gameWords, resultWords } from "./names.js";
import { learn, openTags, refusal, ruleTag } from "./rules.js";
import { brand, dollars, felt, fetchStory, h, icon, listTable, outcome, plain, storyCards, tellLine, themeButton, withCards } from "./staff.js";

const at = (id) => /** @type {any} */ (document.getElementById(id));
const page = { who: null, view: null, round: 0, line: 0, listed: "", disputed: "", table: null, enters: () => {} };
/** What is asked before the table lets this page in waits for it. */
const entered = new Promise((enters) => (page.enters = enters));
const SETTLED = /^wager (\d+) of (.*) on (\S+): (\w+), pays (\S+), (\S+) returned$/;
const PLACED = /^(.*) (?:puts|adds) (\S+) (?:on|for) ([^\s,]+).*\(wager (\d+)\)$/;
const MONEY = /^(\S+) from (.*) to (.*)$/;

// ---------------------------------------------------------------- the list of rounds

function drawRounds(view) {
  const listed = JSON.stringify([view.table.name, view.history.at(-1)?.round ?? 0, page.round]);
  if (listed === page.listed) return;
  page.listed = listed;
  at("count").textContent = view.history.length === 1 ? "1 round" : `${view.history.length} rounds`;
  at("rounds").replaceChildren(...[...view.history].reverse().map((each) => roundRow(view.table.game, each)));
}

function roundRow(game, each) {
  const { text, tone, says } = resultWords(game, each);
  const current = each.round === page.round;
  const name = `Read round ${each.round}`;
  const go = h("button.btn.bare", { type: "button", onclick: () => read(each.round), "aria-label": name }, icon("arrow"));
  const result = h("span.res", h("span", { className: `side ${tone}`, "aria-hidden": "true" }, text), says);
  const cells = [h("td.num", each.round), h("td", result), h("td", go)];
  return h("tr", { className: current ? "on" : "", "aria-current": current ? "true" : undefined }, cells);
}

// ---------------------------------------------------------------- a round

async function read(number) {
  if (number !== page.round) page.line = 0;
  page.round = number;
  at("number").value = String(number);
  history.replaceState(null, "", addressOf(number, page.line));
  try {
    const story = await fetchStory(page.who.table, number, page.who.ticket);
    learn(story.rules);
    drawRound(number, story);
  } catch (error) {
    notice(`${plain(error.message)}.`);
  }
  if (page.view) drawRounds(page.view);
}

/** The address of a round, and of one line in it. */
function addressOf(round, line = 0) {
  return `?${new URLSearchParams({ table: page.who.table, round: String(round), ...(line ? { line: String(line) } : {}) })}`;
}

/** Read a round of this table or of another one. */
async function goTo(table, number) {
  if (table !== page.who.table) {
    at("table").value = table;
    page.round = number;
    await watch(table).catch(failed);
  } else await read(number);
}

function notice(text) {
  at("notice").textContent = text;
  at("notice").hidden = !text;
}

function drawRound(number, story) {
  at("title").textContent = `Round ${number}`;
  at("subtitle").textContent = `Table ${page.who.table}`;
  at("link").hidden = false;
  shut();
  const last = page.view?.history.at(-1)?.round ?? "none";
  notice(story.lines.length ? "" : `Table ${page.who.table} has no round ${number} yet. Its last finished round is ${last}.`);
  at("steps").replaceChildren(...story.lines.map((told, index) => step(told, index + 1)));
  drawFelt(number, story);
  drawLedger(story);
  at("steps").querySelector(".meant")?.scrollIntoView({ block: "center" });
}

function step(told, number) {
  const { kind, head, more } = tellLine(told);
  const who = told.who === told.role ? plain(told.role) : `${told.who}, ${told.role}`;
  const money = told.moved.map((each) => h("p.money", moneyWords(each.text), ruleTag(each.rule)));
  const words = h("div", h("b", withCards(head)), h("p", [who, more].filter(Boolean).join(" · ")), money);
  const line = h("a.line.num", { href: addressOf(page.round, told.line), title: "A link to this line of the journal", "aria-label": `A link to line ${told.line} of the journal` }, told.line);
  const meant = told.line === page.line;
  return h("li", { className: meant ? `${kind} meant` : kind, "aria-current": meant ? "true" : undefined }, h("i", number), line, words, h("span.tags", ruleTag(told.rule)));
}

function moneyWords(text) {
  const [, sum, from, to] = MONEY.exec(text) ?? [];
  return sum ? `$${sum} from ${account(from)} to ${account(to)}` : text;
}

const account = (name) => (name.includes(":") ? `${name.split(":")[0]} of ${name.split(":")[1]}` : name);

function drawFelt(number, story) {
  const figures = page.view?.history.find((each) => each.round === number) ?? {};
  const ruled = story.lines.some((told) => tellLine(told).kind === "ruled");
  const cards = storyCards(story);
  at("felt").hidden = Object.keys(cards).length === 0 && !figures.round;
  const { round, ...rest } = figures;
  const verdict = round ? resultWords(page.view.table.game, figures) : null;
  const sign = verdict && h("span", { className: `side ${verdict.tone}`, "aria-hidden": "true" }, verdict.text);
  const irregular = ruled && h("span.pill.wait", icon("alert"), "Irregular");
  const middle = h("div.verdict", sign, h("b", verdict ? verdict.says : "In hand"), irregular);
  at("felt").replaceChildren(felt({ ...rest, cards, boxes: [] }), middle);
}

// ---------------------------------------------------------------- the money

function drawLedger(story) {
  const stakes = new Map(story.lines.map((told) => PLACED.exec(told.text)).filter(Boolean).map((found) => [found[4], found[2]]));
  const settled = story.lines.map((told) => ({ told, found: SETTLED.exec(told.text) })).filter((each) => each.found);
  at("wagers-count").textContent = settled.length === 1 ? "1 wager" : `${settled.length} wagers`;
  const rows = settled.map(({ told, found: [, number, player, on, result, , returned] }) => {
    const cells = [h("td", player), h("td", h("span.res", outcome(on))), h("td.num", stakes.get(number) ?? "–")];
    return h("tr", cells, h("td", state(result)), h("td.num", returned), h("td", ruleTag(told.rule)));
  });
  const heads = ["Player", "On", "Stake $", "Result", "Returned $", "Rule"];
  const wagers = rows.length ? listTable(heads, rows) : h("p.pad.quiet", "Nothing is settled in this round.");
  at("ledger").replaceChildren(wagers, posted(story));
}

function state(result) {
  const won = result === "won";
  return h("span", { className: `state ${result}` }, won || result === "lost" ? icon(won ? "check" : "clear") : null, result);
}

/** Every account that moved: what went out of it and what came in; both sides must be the same. */
function posted(story) {
  const sums = new Map();
  const add = (name, side, cents) => {
    const kind = name.split(":")[0];
    const row = sums.get(kind) ?? { debit: 0, credit: 0 };
    row[side] += cents;
    sums.set(kind, row);
  };
  for (const { text } of story.lines.flatMap((told) => told.moved)) {
    const [, sum, from, to] = MONEY.exec(text) ?? [];
    if (!sum) continue;
    add(from, "debit", inCents(sum));
    add(to, "credit", inCents(sum));
  }
  if (!sums.size) return h("p.pad.quiet", "No money moved.");
  const cells = ({ debit, credit }) => [debit, credit].map((cents) => h("td.num", cents ? dollars(cents).replace("$", "") : ""));
  const all = (side) => [...sums.values()].reduce((sum, each) => sum + each[side], 0);
  const total = { debit: all("debit"), credit: all("credit") };
  const even = total.debit === total.credit;
  const rows = [...sums].map(([name, row]) => h("tr", h("td", plain(name)), cells(row)));
  const foot = h("tr", h("td", icon(even ? "check" : "alert"), even ? " Balanced" : " Not balanced"), cells(total));
  return h("div.post", h("h3", "Accounts, whole round"), listTable(["Account", "Out $", "In $"], rows, foot));
}

/** Dollars as the story writes them, in whole cents. */
function inCents(text) {
  const [whole, part = ""] = text.replaceAll(",", "").split(".");
  return Number(whole) * 100 + Number(part.padEnd(2, "0").slice(0, 2) || 0);
}

// ---------------------------------------------------------------- disputes

function drawDisputes(view) {
  const told = JSON.stringify(view.disputes);
  if (told === page.disputed) return;
  page.disputed = told;
  const open = view.disputes.filter((each) => !each.resolved).length;
  at("disputes-count").replaceChildren(h("span", { className: `pill ${open ? "wait" : ""}` }, `${open} open`));
  const listed = view.disputes.map(dispute).reverse();
  at("disputes").replaceChildren(...(listed.length ? listed : [h("li.quiet", "No dispute was raised at this table.")]));
}

function dispute(each) {
  const mark = each.resolved ? h("span.pill.ok", "decided") : h("span.pill.wait", "open");
  const head = h("p", h("b", each.complainant), mark);
  if (each.resolved) return h("li", head, h("p.quiet", `${each.about}. Decided: ${each.decision}`));
  const name = `Decision on the dispute of ${each.complainant}`;
  const decision = h("input.input", { required: true, maxLength: 200, placeholder: "The decision", "aria-label": name });
  const form = h("form.decide", decision, h("button", { type: "submit", className: "btn" }, "Decide"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask({ type: "DecideDispute", dispute: each.number, decision: /** @type {HTMLInputElement} */ (decision).value });
  });
  return h("li", head, h("p.quiet", each.about), form);
}

async function ask(command) {
  await entered;
  const answer = await page.table.do(command);
  at("refused").replaceChildren(...(answer.done ? [] : refusal(answer)));
  return answer.done;
}

// ---------------------------------------------------------------- start

function onView(view) {
  const first = page.view === null;
  page.view = view;
  learn({ [view.due.rule]: view.due.summary });
  at("where").replaceChildren(h("b", `Table ${view.table.name}`), h("span", `${gameWords(view.table)} · ${EDITIONS[view.table.edition] ?? view.table.edition}`));
  at("practice").hidden = !view.table.practice;
  at("who").textContent = view.me.name.split(",")[0];
  at("state").replaceChildren(h("span.live", "Live"));
  drawRounds(view);
  drawDisputes(view);
  if (first && page.round) read(page.round);
}

async function watch(table, ticket = "") {
  page.table?.close();
  page.who = { ...page.who, table };
  page.view = null;
  page.listed = page.disputed = "";
  const good = ticket || (await enter(page.who));
  page.who = { ...page.who, ticket: good };
  remember(page.who);
  const onState = (state, reason) => {
    // A ticket of a house that was started anew is good for nothing: a new one is asked for.
    if (state === "ended" && ticket && !page.view) watch(table).catch(failed);
    else if (state !== "open") showState(state === "lost" ? "Reconnecting" : plain(reason));
  };
  page.table = connect({ table, ticket: good, onView, onState });
  page.enters();
}

const showState = (words) => at("state").replaceChildren(h("span.pill.stop", icon("off"), words));
const failed = (error) => notice(`${plain(error.message)}. Enter again through the lobby.`);

async function start() {
  const asked = new URLSearchParams(location.search);
  const known = await (await fetch("/api/tables")).json();
  const { table, name, ticket } = admitted("inspector");
  page.who = { name: name || "Ina", role: "inspector", table: table || known.tables[0].name };
  page.round = Number(asked.get("round")) || 0;
  page.line = Number(asked.get("line")) || 0;
  const option = (each) => h("option", { value: each.name }, `${each.name} · ${gameWords(each)}`);
  at("table").append(...known.tables.map(option));
  at("table").value = page.who.table;
  await watch(page.who.table, ticket);
}

function dress() {
  at("brand").replaceWith(brand());
  at("who").after(themeButton());
  at("find").addEventListener("submit", (event) => {
    event.preventDefault();
    read(Number(at("number").value));
  });
  at("table").addEventListener("change", () => {
    page.round = 0;
    watch(at("table").value).catch(failed);
  });
  at("link").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    at("link").textContent = "Copied";
  });
  at("raise").addEventListener("submit", async (event) => {
    event.preventDefault();
    const raised = await ask({ type: "RaiseDispute", complainant: at("complainant").value.trim(), about: at("about").value.trim() });
    if (raised) event.target.reset();
  });
}

/** The sheet of a rule opens below the step that cites it, and below the table elsewhere. */
const shut = openTags(document.body, at("sheet"), (tag, sheet) => {
  const line = tag.closest(".steps > li, #reports > li, .refused") ?? tag.closest("table");
  if (line?.matches("li")) line.append(sheet);
  else line?.after(sheet);
});

dress();
desk({ ticket: () => page.who?.ticket ?? "", table: () => page.who?.table ?? "", entered, read: goTo });
start().catch(failed);
