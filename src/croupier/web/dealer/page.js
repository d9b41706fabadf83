/**
 * The dealer console: what is due now, and the shortest way to say that it happened.
 *
 * The page shows what the table tells and asks it for every step; it knows no rule.  What is due fills the banner,
 * with one main button for an act as it is usually done, a button for each choice, or the keys for what falls.  A
 * fact that the rules refuse keeps its key marked, with the reason and the rule, until something else is done.  Views
 * come whenever anybody bets, so the banner is drawn anew only when what is due has changed: nothing moves under a
 * finger.
 */

import { admitted, connect, enter, newId, remember } from "../kit/connection.js";
import { controls, dueWhy, dueWords, isPlain, needsCard, sayings } from "./due.js";
import { irregularityPanel } from "./irregularity.js";
import { keypad } from "./keypad.js";
import { capital, editionWords, gameWords, resultWords } from "../kit/names.js";
import { learn, openTags, refusal, ruleTag } from "../kit/rules.js";
import { floorBands } from "../kit/floor.js";
import { lend, me } from "../kit/session.js";
import { entryTitle, phase, step, tile } from "./parts.js";
import { ordersPanel } from "./orders.js";
import { payPanel } from "./pay.js";
import { slipsPanel } from "./slips.js";
import { takingBack } from "./back.js";
import { trayDialog } from "./tray.js";
import { isAbove } from "../kit/view.js";
import { brand, dollars, felt, h, icon, kbd, kept, lineBand, lineShown } from "../kit/staff.js";
import { listTable, numHead, outcome, plain, themeButton } from "../kit/staff.js";
import { fetchStory, inline, tellLine, time } from "../kit/story.js";

const PHASES = ["Prepare", "Bets", "Play", "Settle"];
const LOG_LINES = 40;
const STORY_PAUSE_MS = 250;

const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const page = { who: null, demo: true, view: null, line: 0, due: "", story: null, read: 0, refused: null, refusals: 0 };
const typing = { lastCard: "", telling: Promise.resolve() };

const keys = keypad({ tell: (fact) => fell(fact) });
const panel = irregularityPanel({
  send: declare,
  ruling: lastRuling,
  preview: foreseen,
  demo: () => page.demo,
  onClose: () => at("right").classList.remove("opened"),
});
const theme = themeButton();
const cutting = h("button.btn", { type: "button", hidden: true, onclick: cuttingCard }, "Cutting card", kbd("X"));
const slips = slipsPanel({
  band: at("slips"),
  place: at("right"),
  ask,
  lent,
  above: (role) => above(role),
  who: () => page.who,
});
const pay = payPanel({ place: at("pay"), changed: () => drawDue() });
const orders = ordersPanel({ root: at("orders"), above: (role) => above(role), tell: (fact, how) => tell(fact, how) });
const tray = trayDialog({ ask, above: (role) => above(role), settled: settledLately });
const keepBands = kept(at("bands"));
const takeBack = takingBack({ dialog: /** @type {HTMLDialogElement} */ (at("back")), ask, preview: previewed });
let table = null;

/** Whether somebody above this page's own role must do it. */
const above = (role) => isAbove(role, page.who.role);

// ---------------------------------------------------------------- telling the table

/** Ask the table for something; whoever must order it lends the role for this one command. */
async function ask(command, official = null) {
  if (!official) return table.do(command);
  const id = newId();
  try {
    const ticket = await lent(official, id);
    const body = JSON.stringify({ id, ticket, command });
    const answer = await fetch(`/api/tables/${encodeURIComponent(page.who.table)}/commands`, { method: "POST", body });
    return await answer.json();
  } catch (error) {
    return { done: false, reason: `${error.message}: the ${official.role} does this at a screen of their own` };
  }
}

/** The ticket of an official: in a house with accounts, one who shows a password at this screen. */
async function lent({ role, name }, id) {
  if (!page.demo) return lend({ role, name: "" }, page.who.table, id);
  return enter({ name: name || plain(role), role, table: page.who.table });
}

/**
 * Tell a fact after those told before it; what was typed behind a refused fact was meant for another table, and is
 * dropped.
 */
function tell(fact, how = {}) {
  const refusals = page.refusals;
  typing.telling = typing.telling.then(() => (page.refusals === refusals ? tellFact(fact, how) : undefined));
}

async function tellFact(fact, { official = null, marks = "", words = "" }) {
  const answer = await ask({ type: "Tell", fact }, official);
  if (answer.done) settleRefusal();
  else refuse(answer, { marks, words, act: fact.perform });
}

/** What fell: the card that an act needs, or a fact of its own. */
function fell(fact) {
  typing.lastCard = keys.kind() === "cards" ? fact : "";
  if (page.view && needsCard(page.view.due)) perform(fact);
  else tell(fact, { marks: fact, words: fact });
}

function perform(detail = "") {
  const { act, by, official } = page.view.due;
  const number = /^\d+$/.test(detail) ? Number(detail) : detail;
  const fact = detail === "" ? { perform: act, by } : { perform: act, by, detail: number };
  const name = /** @type {HTMLInputElement | null} */ (document.getElementById("official"))?.value ?? "";
  tell(fact, { official: above(official) ? { role: official, name } : null, marks: String(detail), words: plain(act) });
}

/**
 * Do what is due and what follows it, as it is usually done, up to the next thing that somebody has to see, say, take
 * or pay; each is told for itself.
 */
function runOn() {
  typing.telling = typing.telling.then(async () => {
    for (let first = true; page.view.due.kind === "perform"; first = false) {
      const { due } = page.view;
      const stops = due.closes_betting || due.settles.length > 0;
      if (!isPlain(due) || above(due.official) || (stops && !first)) return;
      const usual = due.usual === "" ? {} : { detail: due.usual };
      const answer = await ask({ type: "Tell", fact: { perform: due.act, by: due.by, ...usual } });
      if (!answer.done) return refuse(answer, { marks: "", words: plain(due.act), act: due.act });
      settleRefusal();
      await seen(answer.line);
    }
  });
}

/** Call the official who must do what is due: it waits until they confirm it, on their own page or here. */
function call() {
  const { act, by } = page.view.due;
  tell({ perform: act, by }, { words: plain(act) });
}

/** An order that waits: who must come, and the two ways out. */
function waiting({ order, what, official, least, rule }) {
  const higher = above(least) ? { role: least, name: plain(least) } : null;
  const confirm = () => answer({ type: "ConfirmOrder", order }, higher);
  const withdraw = () => answer({ type: "DeclineOrder", order, reason: "withdrawn" });
  return h(
    "p.offline.awaited",
    { role: "status" },
    icon("alert", "icon warn"),
    h("span", `The ${official} is awaited: ${plain(what).toLowerCase()}.`),
    ruleTag(rule),
    h("button.btn", { type: "button", onclick: confirm }, "Confirm here"),
    h("button.btn", { type: "button", onclick: withdraw }, "Withdraw"),
  );
}

async function answer(command, official = null) {
  const reply = await ask(command, official);
  if (reply.done) settleRefusal();
  else refuse(reply, { marks: "", words: "The order" });
}

/** The cutting card came out of the shoe: it may come at any time, so it is never due. */
function cuttingCard() {
  tell({ perform: "cutting card", by: "dealer" }, { words: "Cutting card" });
}

const choose = ({ fact, words }) => tell(fact, { words });

async function declare(fact, official) {
  const answer = await ask({ type: "Tell", fact }, above(official.role) ? official : null);
  if (answer.done) {
    settleRefusal();
    await seen(answer.line);
  }
  return answer;
}

/** What the table would rule, without recording it; what somebody higher orders is not foreseen here. */
async function foreseen(fact, official) {
  return above(official.role) ? null : previewed({ type: "Tell", fact });
}

/** What the table would answer to a command, without recording it; null where it cannot look ahead. */
async function previewed(command) {
  const body = JSON.stringify({ ticket: page.who.ticket, command });
  const answer = await fetch(`/api/tables/${encodeURIComponent(page.who.table)}/preview`, { method: "POST", body });
  if (!answer.ok) return null;
  const seen = await answer.json();
  learn(seen.rules);
  return seen;
}

/** Wait until the page has seen a line of the journal; the view of it is on its way already. */
async function seen(line) {
  for (let tries = 0; page.line < line && tries < 100; tries++) await new Promise((go) => setTimeout(go, 20));
}

/** The last ruling of the round; one that ended its round is in the story of the round before. */
async function lastRuling() {
  for (const round of [page.view.round, page.view.round - 1]) {
    const story = await fetchStory(page.who.table, round, page.who.ticket);
    learn(story.rules);
    const found = story.lines.filter((each) => each.type === "Ruled").at(-1);
    if (found) return found;
  }
  return null;
}

/** The wagers that were settled in this round and the one before. */
async function settledLately() {
  const rounds = [page.view.round, page.view.round - 1].filter((round) => round > 0);
  const read = await Promise.all(rounds.map((round) => fetchStory(page.who.table, round, page.who.ticket)));
  return read.flatMap(({ lines }, index) =>
    lines.filter(({ type }) => type === "WagerSettled").map(({ event }) => ({ ...event, round: rounds[index] })),
  );
}

function refuse(answer, { marks, words, act = "" }) {
  page.refused = answer;
  page.refusals += 1;
  keys.mark(marks);
  const what = h("b", marks && keys.kind() === "cards" ? inline(marks) : words);
  // An act is refused in the banner, where its button was pressed; what was keyed in, under the keys.
  const due = act === page.view.due.act && act !== "";
  at("refused").replaceChildren(...(due ? [] : refusal(answer, what, " refused: ")));
  if (due || at("due").querySelector(".refused")) drawDue({ asked: due });
}

function settleRefusal() {
  page.refused = null;
  keys.mark("");
  at("refused").replaceChildren();
  if (at("due").querySelector(".refused")) drawDue();
}

// ---------------------------------------------------------------- what is due

function drawDue({ asked = false } = {}) {
  const { due, layout } = page.view;
  if (!page.view.table.open) return drawClosed();
  const desk = {
    refused: page.refused,
    demo: page.demo,
    called: page.view.awaited.some(({ what }) => what === due.act),
    above,
    says: sayings(page.view),
    choose,
    perform,
    call,
    runOn,
    paying: Boolean(pay.words()),
  };
  const { what, why } = pay.words() ?? { what: dueWords(due, layout), why: dueWhy(page.view) };
  const said = asked && page.refused && h("p.refused", { role: "alert" }, refusal(page.refused, "Not done: "));
  const words = [h("p.caps", "Due now"), h("p.what", what), said || h("p.why", why)];
  const end = h("div.end", controls(due, { asked, desk }), ruleTag(due.rule));
  at("due").replaceChildren(h("div.words", { "aria-live": "polite" }, words), end);
  const field = /** @type {HTMLInputElement | null} */ (at("due").querySelector("input.detail"));
  if (field && !isPlain(due) && matchMedia("(pointer: fine)").matches && !busyElsewhere()) field.select();
}

/** At a closed table nothing is due, whatever lay there last. */
function drawClosed() {
  const words = [
    h("p.caps", "Nothing is due"),
    h("p.what", "This table is closed"),
    h("p.why", "A supervisor opens it again."),
  ];
  at("due").replaceChildren(h("div.words", { "aria-live": "polite" }, words));
}

/** Whether somebody types in another form, which must keep the focus. */
function busyElsewhere() {
  const active = document.activeElement;
  return Boolean(active && !at("due").contains(active) && active.closest("form, dialog"));
}

// ---------------------------------------------------------------- the rest of the page

function drawBar(view) {
  const { table: here, me } = view;
  const rules = h("span", `${gameWords(here)} · ${editionWords(here.edition)}`);
  at("where").replaceChildren(h("b", `Table ${here.name}`), rules, h("b", `Round ${view.round}`));
  const now = phase(view);
  at("phases").replaceChildren(
    ...PHASES.map((name, index) => step(name, index < now ? "done" : index === now ? "now" : "")),
  );
  at("who").replaceChildren(h("span.live", "Live"), h("span", me.name), theme);
  document.title = `Dealer, ${here.name} · croupier`;
}

function drawBands(state, reason) {
  lineShown(at("who"), state);
  const practice = page.view?.table.practice && h("p.practice-band", "PRACTICE: no money is at stake at this table");
  const kept = "What you entered is kept and sent again; trying to reconnect.";
  const lost = state !== "open" && lineBand(state, reason, kept);
  const orders = page.view?.awaited.map(waiting) ?? [];
  const key = [state, reason, Boolean(practice), page.view?.calls, page.view?.table.deals, page.view?.awaited];
  keepBands(key, () => [practice, lost, ...floorBands(page.view, page.who), ...orders].filter(Boolean));
}

function drawSeats(view) {
  const staked = view.players.filter((player) => player.staked).length;
  const pill = (kind, name, words) => h("span", { className: `pill ${kind}` }, icon(name), words);
  at("seats-state").replaceChildren(
    pill("ok", "check", `${staked} in`),
    pill("", "seat", `${view.players.length - staked} no bet`),
  );
  const number = (name) => view.electronic?.terminals.find((each) => each.name === name)?.number;
  at("tiles").replaceChildren(...view.players.map((player) => tile(player, number(player.name))));
  const rows = view.wagers.map(({ by, on, stake }) =>
    h("tr", h("td", by), h("td", h("span.on", outcome(on))), h("td.num", dollars(stake).slice(1))),
  );
  at("wagers").replaceChildren(
    rows.length ? listTable(["Player", "On", numHead("Stake $")], rows) : h("p.faint.pad", "No wagers on the table."),
  );
  const totals = new Map();
  for (const { on, stake } of view.wagers) totals.set(on, (totals.get(on) ?? 0) + stake);
  at("sum").replaceChildren(...[...totals].flatMap(([on, cents]) => [h("dt", outcome(on)), h("dd", dollars(cents))]));
}

function drawFelt(view) {
  const toWhom = view.due.to ?? "";
  const opening = phase(view) === 0 && page.story ? steps(page.story, view.due) : null;
  at("felt").replaceChildren(opening ?? felt(view.layout, toWhom));
}

/** The opening, step by step: what was done, and what is due. */
function steps(story, due) {
  const done = story.lines.map(tellLine).filter((each) => each.kind === "fact");
  const now = step(dueWords(due, page.view.layout), "now");
  now.prepend(icon("arrow"));
  const list = h("ol", done.map((each) => step(each.head, "done")), now);
  return h("div.opening", h("h3", page.view.round === 1 ? "OPENING" : "STEP BY STEP"), list);
}

function drawLog(story) {
  const newest = story.lines.filter((each) => each.line >= 0).slice(-LOG_LINES).reverse();
  at("log").replaceChildren(...newest.map((each) => {
    const { kind, head, more } = tellLine(each);
    const words = h("span", h("b", head), more && kind !== "said" ? ` ${more}` : "");
    return h("li", { className: kind }, h("time.num.faint", time(each.at_ms)), words, ruleTag(each.rule));
  }));
}

function drawResults(view) {
  const result = (each) => {
    const { text, tone, says } = resultWords(view.table.game, each);
    const sign = h("span", { className: `side ${tone}`, "aria-hidden": "true" }, text);
    return h("li", h("span.num.faint", each.round), sign, h("span", says, each.natural ? ", natural" : ""));
  };
  at("results-count").textContent = view.history.length === 1 ? "1 round" : `${view.history.length} rounds`;
  at("results").replaceChildren(...view.history.slice(-60).reverse().map(result));
  const said = view.said.map((text) => h("li", `“${text}”`)).reverse();
  at("said").replaceChildren(...(said.length ? said : [h("li.faint", "Nothing yet.")]));
}

/** The story is read after a view, one reading at a time: many views in a row need only the last. */
async function readStory() {
  if (page.read === -1 || page.read === page.line) return;
  const line = page.line;
  page.read = -1;
  try {
    page.story = await fetchStory(page.who.table, page.view.round, page.who.ticket);
    learn(page.story.rules);
    drawLog(page.story);
    drawFelt(page.view);
    await new Promise((go) => setTimeout(go, STORY_PAUSE_MS));
  } finally {
    page.read = line;
  }
  if (line !== page.line) await readStory();
}

function onView(view, line) {
  const before = page.view;
  page.view = view;
  page.line = line;
  learn({ [view.due.rule]: view.due.summary });
  panel.update(view);
  keys.show(view);
  drawBar(view);
  drawSeats(view);
  slips.show(view);
  pay.show(view);
  orders.show(view);
  tray.show(view);
  drawFelt(view);
  drawResults(view);
  const paying = !at("pay").hidden;
  at("keys").hidden = paying;
  at("entry-hint").hidden = paying;
  at("entry-title").textContent = paying ? "Take and pay" : entryTitle(keys.kind(), view.layout);
  cutting.hidden = keys.kind() !== "cards";
  at("keys").classList.toggle("rests", !["deal", "roll", "spin"].includes(view.due.kind) && !needsCard(view.due));
  const { betting, due: asked, layout, may, awaited } = view;
  const due = JSON.stringify([view.table.open, view.round, asked, layout, may, awaited, betting.taken_back]);
  if (due !== page.due) {
    page.due = due;
    if (before) settleRefusal();
    drawDue();
  }
  drawBands("open", "");
  // A story that cannot be had now is read with the next view; the bar above says that the line is lost.
  readStory().catch(() => {});
}

// ---------------------------------------------------------------- keyboard, start

function openIrregularity() {
  if (!page.view) return;
  at("right").classList.add("opened");
  panel.open(page.view, typing.lastCard);
}

function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  // A key that is held down means what it meant once.
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || !page.view) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && !panel.root.hidden) return panel.close();
  if (target.closest("input, select, textarea, .irr")) return;
  if (["Enter", " "].includes(event.key) && target.closest("button, a, summary")) return;
  if (pressed(event.key)) event.preventDefault();
}

/** What a key means now; choices come before keys, for they ask for a number too. */
function pressed(key) {
  const { due } = page.view;
  const option = due.kind === "choose" && sayings(page.view)[Number(key) - 1];
  const main = key === "Enter" && document.getElementById("main");
  if (option) choose(option);
  else if (pay.stroke(key)) return true;
  else if (key === " " && document.getElementById("run-on")) runOn();
  else if (keys.stroke(key)) return true;
  else if (main) main.click();
  else if (key === "Backspace") takeBack();
  else if (key.toLowerCase() === "x" && !cutting.hidden) cuttingCard();
  else if (key.toLowerCase() === "i") openIrregularity();
  else if (key.toLowerCase() === "w") tray.open();
  else return false;
  return true;
}

/**
 * Come to the table; a ticket of a house that was started anew is good for nothing, so a new one is asked for, once.
 */
async function start({ anew = false } = {}) {
  const who = admitted("dealer");
  who.table ||= "B-4";
  who.name ||= "Dan";
  page.who = who;
  page.demo = (await me()).demo;
  at("role").textContent = who.role === "dealer" ? "Dealer" : plain(who.role);
  document.documentElement.dataset.role = who.role === "dealer" ? "dealer" : "supervisor";
  if (!who.ticket || anew) {
    who.ticket = await enter(who);
    remember(who);
  }
  const onState = (state, reason) => {
    if (state === "ended" && !page.view && !anew) start({ anew: true }).catch(absent);
    else if (state === "ended" && !page.view) absent(new Error(reason));
    else if (state !== "open") drawBands(state, reason);
  };
  table = connect({ table: who.table, ticket: who.ticket, onView, onState });
}

function absent(error) {
  const back = h("p.why", h("a", { href: "/" }, "Enter again through the lobby"));
  at("due").replaceChildren(h("div", h("p.caps", "Not at the table"), h("p.what", capital(error.message)), back));
}

function dress() {
  at("brand").replaceWith(brand());
  at("entry-hint").append(keys.hint, keys.typed);
  at("keys").append(keys.keys);
  at("entry-end").append(
    h("button.btn", { type: "button", onclick: tray.open }, "Chips and wagers", kbd("W")),
    cutting,
    h("button.btn", { type: "button", onclick: takeBack }, icon("undo"), "Correct last", kbd("⌫")),
  );
  const asks = "Something was dealt, thrown or paid wrongly? Say what happened: the table rules on it.";
  const open = { type: "button", onclick: openIrregularity };
  const wrong = h("button.btn.wide.big", open, icon("alert", "icon warn"), "Something went wrong", kbd("I"));
  at("trouble-pad").append(h("p.quiet", asks), wrong);
  at("right").prepend(panel.root);
  document.addEventListener("keydown", onKey);
  openTags(document.body, at("sheet"), (tag, sheet) =>
    (tag.closest("dialog") ?? document.querySelector("main"))?.append(sheet),
  );
}

dress();
start().catch(absent);
