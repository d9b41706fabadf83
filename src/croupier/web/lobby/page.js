/**
 * The lobby: the floor at a glance, and a door for every role.
 *
 * The list of tables is asked for every two seconds.  A card is made once and then only changed, so that focus and
 * place stay.  In the demonstration a tap is enough: the name is filled in, the ticket is fetched, and the page opens.
 * In a house with accounts somebody signs in first, and finds the doors of the account's roles.
 */

import { account } from "./account.js";
import { svg } from "../kit/cards.js";
import { enter, remember } from "../kit/connection.js";
import { dollars, range } from "../kit/money.js";
import { editionWords, gameWords, named, resultWords } from "../kit/names.js";
import { people } from "./people.js";
import { language, languages, t } from "../kit/words.js";
import { bigRoadOf } from "../kit/scoreboard/scoreboard.js";
import { themed } from "../kit/theme.js";
import { LADDER } from "../kit/view.js";

const EVERY_MS = 2000;
const NAME = "croupier name";
const SAT = "croupier table";
const DOORS = [
  { role: "dealer", page: "dealer", kind: "dealer" },
  { role: "game supervisor", page: "supervisor", kind: "supervisor" },
  { role: "inspector", page: "inspector", kind: "inspector" },
  { role: "cashier", page: "cage", kind: "cage" },
];
const STUDY = ["lab", "rulebook", "training", "tournament"];
const ABOVE = LADDER.slice(1);

const PAGES = {
  inspector: ["inspector", "inspector"],
  cashier: ["cage", "cage"],
  dealer: ["dealer", "dealer"],
  stickperson: ["dealer", "dealer"],
};
const MANAGER = "casino manager";

/** @param {string} id @returns {any} */
const at = (id) => document.getElementById(id);
/** @type {Map<string, HTMLElement>} */
const cards = new Map();
let chosen = "";
let above = ABOVE[0];
let who = { demo: true, name: "", roles: [], must_change: false };

function made(tag, kind, ...children) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.append(...children);
  return element;
}

const icon = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));

// ---------------------------------------------------------------- entering

async function go({ role, page, table }) {
  const typed = at("name").value.trim();
  const name = !who.demo ? who.name : role === "player" ? typed : `${typed}, ${role}`.slice(0, 40);
  at("toast").hidden = true;
  try {
    if (!name || (who.demo && !typed)) throw new Error(t("name-first"));
    const ticket = await enter({ name, role, table });
    if (who.demo) localStorage.setItem(NAME, typed);
    remember({ name, role, table, ticket });
    if (role === "player") localStorage.setItem(SAT, table);
    location.assign(`/${page}?${new URLSearchParams({ table, role, name })}`);
  } catch (error) {
    toast(t("cannot-go", { table: table || t("in-here"), reason: error.message }));
  }
}

// ---------------------------------------------------------------- the tables

function newCard(table) {
  const game = gameWords(table);
  const title = made("h3", "", game.charAt(0).toUpperCase() + game.slice(1));
  title.id = `table-${table.name}`;
  const name = made("span", "g", table.name);
  name.translate = false;
  const head = made("header", "", title, name);
  const facts = made("dl", "facts-of");
  for (const key of ["limits", "playing", "jackpot"]) {
    const value = made("dd");
    value.dataset.key = key;
    facts.append(made("dt", "", t(key)), value);
  }
  const law = made("p", "law", editionWords(table.edition));
  law.translate = false;
  const sit = made("button", "btn sit", t("sit-down"));
  sit.type = "button";
  const place = { table: table.name, game };
  sit.setAttribute("aria-label", t(table.practice ? "practise-at" : "sit-at", place));
  sit.addEventListener("click", () => go({ role: "player", page: "terminal", table: table.name }));
  const deal = made("button", "btn deal", t("deal-it"));
  deal.type = "button";
  deal.setAttribute("aria-label", t("deal-at", { table: table.name }));
  deal.addEventListener("click", () => go({ role: "dealer", page: "dealer", table: table.name }));
  const label = made("p", "lab2", made("span", "", t("last-results")), made("span", "st"));
  const card = made(
    "li",
    "panel t2 tb",
    head,
    law,
    made("p", "deals"),
    made("div", "lastr", label, made("div", "results"), made("p", "hint2")),
    made("footer", "", facts, made("span", "acts", deal, sit)),
  );
  card.setAttribute("aria-labelledby", title.id);
  return card;
}

/** Who deals a table, in words: nobody is a way to begin. */
function dealsWords({ deals, dealer }) {
  if (deals === "virtual" || deals === "paused") return t(`deals-${deals}`);
  if (dealer) return t("deals-person", { name: dealer });
  return t(deals ? "deals-somebody" : "deals-nobody");
}

function showCard(card, table, now) {
  const set = (key, text) => (card.querySelector(`[data-key="${key}"]`).textContent = text);
  set("limits", range(table.minimum, table.maximum));
  set("playing", String(table.players));
  set("jackpot", dollars(table.pool ?? 0));
  const pool = card.querySelector('[data-key="jackpot"]');
  pool.hidden = pool.previousElementSibling.hidden = typeof table.pool !== "number";
  const nobody = !table.deals;
  const mayDeal = who.demo || roles().includes("dealer");
  card.classList.toggle("byhand", byHand(table));
  card.querySelector(".deals").replaceChildren(icon(byHand(table) ? "hand" : "robot"), dealsWords(table));
  card.querySelector(".deal").hidden = !nobody || !mayDeal || !table.open;
  card.querySelector(".sit").hidden = !who.demo && !roles().includes("player");
  const hint = mayDeal ? "cards-come-only" : "cards-come-when";
  card.querySelector(".hint2").textContent = nobody && table.open ? t(hint) : "";
  showState(card.querySelector(".st"), table, now);
  showResults(card.querySelector(".results"), table);
}

const byHand = ({ deals }) => deals !== "virtual" && deals !== "paused";

function showState(pill, table, now) {
  const left = Math.ceil((table.closes_ms - now) / 1000);
  const [kind, mark, text] = !table.open
    ? ["idle", "wait", t("closed")]
    : left > 0
      ? ["ok", "clock", t("bets-open-for", { seconds: left })]
      : table.betting
        ? ["ok", "clock", t("open")]
        : ["wait", "lock", t("dealing")];
  pill.className = `st ${kind}`;
  pill.replaceChildren(icon(mark), text);
}

/** The last results, where the house tells them: the big road for baccarat, figures for the other games. */
function showResults(place, table) {
  const history = table.history ?? [];
  const key = `${language()} ${history.length} ${history.at(-1)?.round ?? 0}`;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  if (table.game === "baccarat" && history.length)
    return place.replaceChildren(bigRoadOf(history, { columns: 24, size: 13 }));
  const figures = history.slice(-7).map((outcome) => {
    const { text, tone, brief } = resultWords(table.game, outcome);
    return made("span", `n ${tone}`, brief ?? text);
  });
  place.replaceChildren(made("span", "strip", ...(figures.length ? figures : [made("span", "none", t("none-yet"))])));
}

async function refresh() {
  try {
    const [listed, health] = await Promise.all([fetch("/api/tables"), fetch("/health")]);
    if (!listed.ok || !health.ok) throw new Error(String(listed.status));
    const [{ tables }, { at_ms: now }] = await Promise.all([listed.json(), health.json()]);
    showFloor(tables, now);
    live(t("line-open"), true);
  } catch {
    live(t("house-silent"), false);
  }
  setTimeout(refresh, EVERY_MS);
}

function live(text, good) {
  at("live").textContent = text;
  at("live").classList.toggle("off", !good);
}

/** @type {[any[], number] | null} */
let floor = null;

/** The one table that the page leads to: where one sat last, else one that deals itself and takes bets. */
function first(tables) {
  const open = tables.filter(({ open }) => open);
  const last = localStorage.getItem(SAT);
  return open.find(({ name }) => name === last) ?? open.find((table) => !byHand(table)) ?? open[0];
}

function showHello(tables) {
  const table = first(tables);
  const player = who.demo || roles().includes("player");
  at("play").hidden = !table || !player;
  if (!table) return (at("summary").textContent = t("no-table"));
  const game = gameWords(table);
  at("hello").textContent = t("play-game", { game: game.charAt(0).toLowerCase() + game.slice(1) });
  const sat = localStorage.getItem(SAT) === table.name;
  at("summary").textContent = t(sat ? "sat-last" : byHand(table) ? "first-by-hand" : "first-visit", {
    table: table.name,
    open: table.betting ? "yes" : "no",
  });
  at("play").replaceChildren(t("sit-down-at", { table: table.name }), icon("arrow"));
  at("play").onclick = () => go({ role: "player", page: "terminal", table: table.name });
}

function showFloor(tables, now) {
  floor = [tables, now];
  // A house that was started with other tables has no cards of the old ones.
  for (const [name, card] of cards) if (!tables.some((table) => table.name === name)) cards.delete(name), card.remove();
  for (const table of tables) {
    if (!cards.has(table.name)) cards.set(table.name, newCard(table));
    const card = cards.get(table.name);
    const place = at(byHand(table) ? "by-hand" : "by-itself");
    if (card.parentElement !== place) place.append(card);
    showCard(card, table, now);
  }
  for (const [id, test] of [["by-itself", (table) => !byHand(table)], ["by-hand", byHand]]) {
    const count = tables.filter(test).length;
    at(id).closest("section").hidden = !count;
    at(`${id}-count`).textContent = t("tables-count", { count });
  }
  at("practice").hidden = !tables.length || !tables.every(({ practice }) => practice);
  showHello(tables);
  showDoors(tables.map(({ name }) => name));
}

// ---------------------------------------------------------------- the doors

/** The roles that whoever is signed in may enter in; none before a password of one's own is set. */
const roles = () => (who.must_change ? [] : who.roles ?? []);

/** The doors of an account: one for each role of its staff. */
function ownDoors(names) {
  const doors = roles().filter((role) => role !== "player").map((role) => {
    const [page, kind] = PAGES[role] ?? ["supervisor", "supervisor"];
    return { role, page, kind };
  });
  return doors.filter(({ page }) => names.length || page === "cage");
}

const choices = (all, value, pick) => {
  const option = ([key, words]) => Object.assign(made("option", "", words), { value: key });
  const select = made("select", "input", ...all.map(option));
  select.value = value;
  select.addEventListener("change", () => pick(select.value));
  return select;
};

/** Staff doors open at one table: the one chosen beside them. */
function showDoors(names) {
  const doors = who.demo ? DOORS : ownDoors(names);
  const key = `${language()} ${names.join(" ")}: ${doors.map(({ role }) => role).join(", ")}`;
  if (at("doors").dataset.names === key) return;
  at("doors").dataset.names = key;
  chosen = names.includes(chosen) ? chosen : names[0] ?? "";
  const table = choices(names.map((name) => [name, name]), chosen, (value) => (chosen = value));
  table.translate = false;
  const where = made("label", "field", made("span", "", t("staff-work-at")), table);
  const staff = made("div", "", made("h2", "", t("staff")), where, ...(who.demo ? [ranks()] : []), ...doors.map(door));
  staff.hidden = !doors.length;
  at("doors").replaceChildren(
    at("doors").querySelector("h2"),
    staff,
    made("div", "", made("h2", "", t("study")), ...STUDY.map(study)),
  );
}

/** In the demonstration one door is everybody's above the dealer: who is entering is chosen beside it. */
function ranks() {
  const select = choices(ABOVE.map((role) => [role, named("role", role)]), above, (value) => (above = value));
  return made("label", "field", made("span", "", t("supervisor-is")), select);
}

function study(page) {
  const link = made("a", "d2 study", made("i"), t(`study-${page}`));
  link.href = `/${page}`;
  return link;
}

function door({ role, page, kind }) {
  const words = who.demo && page === "supervisor" ? t("role-supervisor") : named("role", role);
  const button = made("button", `d2 ${kind}`, made("i"), words);
  button.type = "button";
  const entering = () => (who.demo && role === ABOVE[0] ? above : role);
  button.addEventListener("click", () => go({ role: entering(), page, table: page === "cage" ? "" : chosen }));
  return button;
}

// ---------------------------------------------------------------- the day

function clock() {
  const now = new Date();
  const spoken = language() === "en" ? "en-NZ" : language();
  const words = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
  // A browser that has no names of days in a language would write them in its own: then figures say it.
  const named = Intl.DateTimeFormat.supportedLocalesOf(spoken).length > 0;
  at("date").textContent = now.toLocaleDateString(named ? spoken : "en-NZ", named ? words : {});
  at("clock").textContent = now.toLocaleTimeString("en-NZ", { hour: "2-digit", minute: "2-digit", hour12: false });
}

/** Somebody signed in or out: other doors, and the people for their manager. */
function changed(now) {
  who = now;
  document.querySelector(".field.name").hidden = true;
  at("doors").dataset.names = "-";
  at("people").hidden = true;
  if (floor) showFloor(...floor);
  if (roles().includes(MANAGER)) people({ place: at("people"), role: MANAGER }).catch((error) => toast(error.message));
}

function toast(words) {
  at("toast").textContent = words;
  at("toast").hidden = false;
}

themed(at("theme"));
at("name").value = localStorage.getItem(NAME) ?? t("guest", { number: 100 + Math.floor(Math.random() * 900) });
at("theme").before(languages());
addEventListener("language", () => {
  for (const card of cards.values()) card.remove();
  cards.clear();
  clock();
  if (floor) showFloor(...floor);
});
clock();
setInterval(clock, 10_000);
account({ place: at("account"), onChange: changed }).then(refresh, refresh);
