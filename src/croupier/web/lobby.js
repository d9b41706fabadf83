/**
 * The lobby: the floor at a glance, and a door for every role.
 *
 * The list of tables is asked for every two seconds.  A card is made once and then only changed, so that focus and
 * place stay.  In the demonstration a tap is enough: the name is filled in, the ticket is fetched, and the page opens.
 * In a house with accounts somebody signs in first, and finds the doors of the account's roles.
 */

import { account } from "./account.js";
import { svg } from "./cards.js";
import { enter, remember } from "./connection.js";
import { dollars, range } from "./money.js";
import { EDITIONS, gameWords, resultWords } from "./names.js";
import { people } from "./people.js";
import { bigRoadOf } from "./scoreboard.js";
import { themed } from "./theme.js";

const EVERY_MS = 2000;
const NAME = "croupier name";
const DOORS = [
  { role: "dealer", page: "dealer", title: "Dealer", says: "What is due, card by card", kind: "dealer" },
  { role: "game supervisor", page: "supervisor", title: "Supervisor", says: "Limits, notices, cases", kind: "supervisor" },
  { role: "inspector", page: "inspector", title: "Inspector", says: "Any round, explained", kind: "inspector" },
  { role: "cashier", page: "cage", title: "Cashier", says: "Chips, cash and vouchers", kind: "cage" },
];
const STUDY = [
  { href: "/tournament", title: "Tournaments", says: "Draw, places, desk" },
  { href: "/lab", title: "Odds lab", says: "Exact and simulated" },
  { href: "/rulebook", title: "Rule book", says: "Every rule, searchable" },
  { href: "/training", title: "Training", says: "Planted mistakes to find" },
];
const ABOVE = ["game supervisor", "casino supervisor", "shift manager", "casino manager"];

const PAGES = { inspector: ["inspector", "inspector"], cashier: ["cage", "cage"], dealer: ["dealer", "dealer"], stickperson: ["dealer", "dealer"] };
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

const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));

// ---------------------------------------------------------------- entering

async function go({ role, page, table }) {
  const typed = at("name").value.trim();
  const name = !who.demo ? who.name : role === "player" ? typed : `${typed}, ${role}`.slice(0, 40);
  try {
    if (!name || (who.demo && !typed)) throw new Error("enter your name first");
    const ticket = await enter({ name, role, table });
    if (who.demo) localStorage.setItem(NAME, typed);
    remember({ name, role, table, ticket });
    location.assign(`/${page}?${new URLSearchParams({ table, role, name })}`);
  } catch (error) {
    toast(`You cannot enter ${table || "here"}: ${error.message}`);
  }
}

// ---------------------------------------------------------------- the tables

function newCard(table) {
  const title = made("h3", "", table.name);
  title.id = `table-${table.name}`;
  const head = made("header", "", title, made("span", "g", gameWords(table)));
  const state = made("span", "pill state");
  head.append(made("span", "end", ...(table.practice ? [made("span", "pill practice", "Practice")] : []), state));
  const facts = made("dl", "facts-of");
  for (const [name, key] of [["Limits", "limits"], ["Playing", "players"], ["Round", "round"], ["Jackpot", "pool"]]) {
    const value = made("dd");
    value.dataset.key = key;
    facts.append(made("div", "", made("dt", "", name), value));
  }
  const sit = made("button", "btn main", table.practice ? "Practise" : "Take a terminal", icon("arrow"));
  sit.type = "button";
  sit.setAttribute("aria-label", `${sit.textContent} at ${table.name}, ${gameWords(table)}`);
  sit.addEventListener("click", () => go({ role: "player", page: "terminal", table: table.name }));
  const foot = made("footer", "", made("span", "law", `Rules: ${EDITIONS[table.edition] ?? table.edition}`), sit);
  const card = made("li", table.practice ? "panel tb pr" : "panel tb", head, made("div", "row", facts, made("div", "results")), foot);
  card.setAttribute("aria-labelledby", title.id);
  return card;
}

function showCard(card, table, now) {
  const set = (key, text) => (card.querySelector(`[data-key="${key}"]`).textContent = text);
  set("limits", range(table.minimum, table.maximum));
  set("players", String(table.players));
  set("round", String(table.round));
  set("pool", dollars(table.pool ?? 0));
  card.querySelector('[data-key="pool"]').parentElement.hidden = typeof table.pool !== "number";
  card.querySelector(".btn.main").hidden = !who.demo && !roles().includes("player");
  showState(card.querySelector(".state"), table, now);
  showResults(card.querySelector(".results"), table);
}

function showState(pill, table, now) {
  const left = Math.ceil((table.closes_ms - now) / 1000);
  const [kind, mark, text] = !table.open
    ? ["", "wait", "Closed"]
    : left > 0
      ? ["ok", "clock", `Bets open, ${left} s`]
      : table.closes_ms
        ? ["wait", "lock", "Dealing"]
        : ["ok", "clock", "Open"];
  pill.className = `pill state ${kind}`;
  pill.replaceChildren(icon(mark), text);
}

/** The last results, where the house tells them: the big road for baccarat, figures for the other games. */
function showResults(place, table) {
  const history = table.history ?? [];
  const key = `${history.length} ${history.at(-1)?.round ?? 0}`;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  if (!("history" in table)) return;
  if (table.game === "baccarat") return place.replaceChildren(bigRoadOf(history, { columns: 26, size: 13 }));
  const figures = history.slice(-9).map((outcome) => {
    const { text, tone } = resultWords(table.game, outcome);
    return made("span", `n ${tone}`, text);
  });
  place.replaceChildren(made("span", "lab", "Last results"), made("span", "strip", ...(figures.length ? figures : [made("span", "none", "None yet")])));
}

async function refresh() {
  try {
    const [listed, health] = await Promise.all([fetch("/api/tables"), fetch("/health")]);
    if (!listed.ok || !health.ok) throw new Error(String(listed.status));
    const [{ tables }, { at_ms: now }] = await Promise.all([listed.json(), health.json()]);
    showFloor(tables, now);
    live("All systems live", true);
  } catch {
    live("The house does not answer; trying again", false);
  }
  setTimeout(refresh, EVERY_MS);
}

function live(text, good) {
  at("live").textContent = text;
  at("live").classList.toggle("off", !good);
}

const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** @type {[any[], number] | null} */
let floor = null;

function showFloor(tables, now) {
  floor = [tables, now];
  for (const table of tables) {
    if (!cards.has(table.name)) {
      cards.set(table.name, newCard(table));
      at("tables").append(cards.get(table.name));
    }
    showCard(cards.get(table.name), table, now);
  }
  const practice = tables.filter((table) => table.practice).length;
  const playing = tables.reduce((sum, { players }) => sum + players, 0);
  const kinds = practice === tables.length ? `${practice} tables, all for practice` : `${counted(tables.length - practice, "live table")}${practice ? `, ${practice} for practice` : ""}`;
  at("summary").textContent = tables.length ? `${kinds}. ${playing} ${playing === 1 ? "person" : "people"} playing.` : "No table is planned yet.";
  showDoors(tables.map(({ name }) => name));
}

// ---------------------------------------------------------------- the doors

/** The roles that whoever is signed in may enter in; none before a password of one's own is set. */
const roles = () => (who.must_change ? [] : who.roles ?? []);

/** The doors of an account: one for each role of its staff. */
function ownDoors(names) {
  const doors = roles().filter((role) => role !== "player").map((role) => {
    const [page, kind] = PAGES[role] ?? ["supervisor", "supervisor"];
    return { role, page, title: role.charAt(0).toUpperCase() + role.slice(1), says: page === "cage" ? "Chips, cash and vouchers" : "At the table chosen here", kind };
  });
  return doors.filter(({ page }) => names.length || page === "cage");
}

/** Staff doors open at one table: the one chosen beside them. */
function showDoors(names) {
  const doors = who.demo ? DOORS : ownDoors(names);
  const key = `${names.join(" ")}: ${doors.map(({ role }) => role).join(", ")}`;
  if (at("doors").dataset.names === key) return;
  at("doors").dataset.names = key;
  at("doors").hidden = !doors.length;
  chosen = names.includes(chosen) ? chosen : names[0] ?? "";
  const select = made("select", "input", ...names.map((name) => Object.assign(made("option", "", name), { value: name })));
  select.value = chosen;
  select.addEventListener("change", () => (chosen = select.value));
  const label = made("label", "field", made("span", "", "Staff work at"), select);
  at("doors").replaceChildren(at("doors").querySelector("h2"), made("div", "door-table", label, ...(who.demo ? [ranks()] : [])), ...doors.map(door), ...STUDY.map(study));
}

/** In the demonstration one door is everybody's above the dealer: who is entering is chosen beside it. */
function ranks() {
  const select = made("select", "input", ...ABOVE.map((role) => Object.assign(made("option", "", role), { value: role })));
  select.value = above;
  select.addEventListener("change", () => (above = select.value));
  return made("label", "field", made("span", "", "The supervisor is a"), select);
}

function study({ href, title, says }) {
  const link = made("a", "door study", made("b", "", title, icon("arrow")), made("span", "", says));
  link.href = href;
  return link;
}

function door({ role, page, title, says, kind }) {
  const button = made("button", `door ${kind}`, made("b", "", title, icon("arrow")), made("span", "", says));
  button.type = "button";
  const entering = () => (who.demo && role === ABOVE[0] ? above : role);
  button.addEventListener("click", () => go({ role: entering(), page, table: page === "cage" ? "" : chosen }));
  return button;
}

// ---------------------------------------------------------------- the day

function clock() {
  const now = new Date();
  at("date").textContent = now.toLocaleDateString("en-NZ", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
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
at("name").value = localStorage.getItem(NAME) ?? `Guest ${100 + Math.floor(Math.random() * 900)}`;
clock();
setInterval(clock, 10_000);
account({ place: at("account"), onChange: changed }).then(refresh, refresh);
