/**
 * The inspector's desk: find a round, read its story with the rule of every step, see where each cent went, and decide
 * disputes.
 *
 * The story comes from the journal alone (`round.js` draws it).  The list of rounds and the disputes come with the
 * views of the table.  An address names table and round, and the line of the journal where one is meant, so that it
 * can be sent to somebody else.
 */

import { admitted, connect, enter, remember } from "../kit/connection.js";
import { desk } from "./desk.js";
import { EDITIONS, capital, gameWords, resultWords } from "../kit/names.js";
import { learn, openTags, refusal, ruleTag } from "../kit/rules.js";
import { bands, ends, owed, posted, steps, wagerTable } from "./round.js";
import { short } from "../kit/money.js";
import { watchSignificant } from "../kit/significant.js";
import { brand, h, icon, plain, themeButton } from "../kit/staff.js";
import { count, fetchStory } from "../kit/story.js";

const at = (id) => /** @type {any} */ (document.getElementById(id));
/** An address that means no line: lines are counted from nothing. */
const NO_LINE = -1;
const page = {
  who: null,
  view: null,
  round: 0,
  line: NO_LINE,
  listed: "",
  disputed: "",
  table: null,
  story: null,
  filter: "all",
  shows: "both",
  all: false,
  noted: "",
  enters: () => {},
};
/** What is asked before the table lets this page in waits for it. */
const entered = new Promise((enters) => (page.enters = enters));
/** The badges of a round: the note that it stands for, its kind, its icon, its word. */
const BADGES = [
  ["irregular", "wait", "alert", "Irregular"],
  ["corrected", "corr", "undo", "Corrected"],
  ["disputed", "stop", "bell", "Disputed"],
];

// ---------------------------------------------------------------- the list of rounds

function drawRounds(view) {
  const listed = JSON.stringify([view.table.name, view.history, view.notes, page.round, page.filter]);
  if (listed === page.listed) return;
  page.listed = listed;
  const notes = new Map(view.notes.map((note) => [note.round, note]));
  const rows = [...view.history].reverse().map((each) => ({ each, note: notes.get(each.round) }));
  // The list holds the latest rounds alone; so its figures say of how many they are.
  const older = (rows.at(-1)?.each.round ?? 1) > 1;
  at("count").textContent = older ? `the last ${count(rows.length, "round")}` : count(rows.length, "round");
  drawFilter(rows);
  const shown = rows.filter(({ note }) => page.filter === "all" || note?.[page.filter]);
  const further = older ? ` among the last ${rows.length}; older ones are read by their number` : "";
  const none = h("tr", h("td.quiet", { colSpan: 6 }, `No round of this kind${further}.`));
  at("rounds").replaceChildren(
    ...(shown.length ? shown.map((row) => roundRow(view.table.game, row)) : rows.length ? [none] : []),
  );
}

/** Which rounds are listed, and how many there are of each kind. */
function drawFilter(rows) {
  const many = (name) => rows.filter(({ note }) => name === "all" || note?.[name]).length;
  const button = ([name, words]) => {
    const pick = () => ((page.filter = name), drawRounds(page.view));
    const given = { type: "button", "aria-pressed": String(page.filter === name), onclick: pick };
    return h("button", given, words, " ", h("small", many(name)));
  };
  at("filter").replaceChildren(...[["all", "All"], ...BADGES.map(([name, , , words]) => [name, words])].map(button));
}

const clock = (ms) => new Date(ms).toLocaleTimeString("en-NZ", { hour: "2-digit", minute: "2-digit", hour12: false });

function badges(note) {
  return BADGES.filter(([name]) => note?.[name]).map(([, kind, sign, words]) =>
    h("span", { className: `pill ${kind}`, title: words }, icon(sign), h("span.word", words)),
  );
}

/** A result in the width of the list: the points of a coup, the higher first; what other games say is short enough. */
function brief(game, outcome) {
  const points = [outcome.player, outcome.banker].filter(Number.isInteger);
  if (game === "baccarat" && points.length === 2) return points.sort((one, other) => other - one).join("\u2060–\u2060");
  return resultWords(game, outcome).says;
}

function roundRow(game, { each, note }) {
  const { text, tone, says } = resultWords(game, each);
  const current = each.round === page.round;
  const name = `Read round ${each.round}`;
  const go = h(
    "button.btn.bare",
    { type: "button", onclick: () => read(each.round), "aria-label": name },
    icon("arrow"),
  );
  const before = each.was && h("s.faint", brief(game, each.was));
  const side = h("span", { className: `side ${tone}`, "aria-hidden": "true" }, text);
  const result = h("span.res", { title: says }, side, h("span", before, before ? " " : "", brief(game, each)));
  const cells = [
    h("td.num", each.round),
    h("td.faint", note ? clock(note.at_ms) : ""),
    h("td", result),
    h("td.num", note?.staked ? short(note.staked) : "–"),
    h("td.badges", badges(note)),
    h("td", go),
  ];
  // The whole row is a target for the finger; readers and keys have the button.
  const given = { className: current ? "on" : "", "aria-current": current ? "true" : undefined };
  return h("tr", { ...given, onclick: (event) => event.target.closest("button") || read(each.round) }, cells);
}

// ---------------------------------------------------------------- a round

async function read(number) {
  if (number !== page.round) page.line = NO_LINE;
  if (number !== page.story?.number) page.noted = "";
  page.round = number;
  at("number").value = String(number);
  history.replaceState(null, "", addressOf(number, page.line));
  try {
    const story = await fetchStory(page.who.table, number, page.who.ticket);
    learn(story.rules);
    drawRound(number, story);
  } catch (error) {
    notice(`${capital(error.message)}.`);
  }
  if (page.view) drawRounds(page.view);
}

/** The address of a round, and of one line in it. */
function addressOf(round, line = 0) {
  const named = { table: page.who.table, round: String(round), ...(line === NO_LINE ? {} : { line: String(line) }) };
  return `?${new URLSearchParams(named)}`;
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
  page.story = { number, ...story };
  const { settled, corrections } = ends(story);
  const when = settled ? `, ${new Date(settled.at_ms).toLocaleString("en-NZ", DAY)}` : "";
  at("title").textContent = `Round ${number}`;
  at("subtitle").textContent = `Table ${page.who.table}${when}`;
  at("link").hidden = false;
  at("paper").hidden = !story.lines.length;
  shut();
  const last = page.view?.history.at(-1)?.round ?? "none";
  notice(
    story.lines.length
      ? ""
      : `Table ${page.who.table} has no round ${number} yet. Its last finished round is ${last}.`,
  );
  const badge = h("span.pill.corr", icon("undo"), corrections.length === 1 ? "Corrected once" : "Corrected");
  at("marks").replaceChildren(...(corrections.length ? [badge, choice()] : []));
  drawFelt();
  drawSteps();
  const rows = [wagerTable(story.wagers), ...owed(story.lines, page.view?.electronic?.due ?? {}), posted(story.lines)];
  at("wagers-count").textContent = count(story.wagers.length, "wager");
  at("ledger").replaceChildren(...rows);
  at("steps").querySelector(".meant")?.scrollIntoView({ block: "center" });
}

const DAY = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short", hour12: false });

/** Which of the two settlements of a corrected round is shown. */
function choice() {
  const button = ([name, words]) => {
    const pick = () => ((page.shows = name), drawRound(page.story.number, page.story));
    return h("button", { type: "button", "aria-pressed": String(page.shows === name), onclick: pick }, words);
  };
  const options = [["both", "Both"], ["settled", "Settled"], ["corrected", "Corrected"]];
  return h("span.segments", { role: "group", "aria-label": "Which settlement" }, options.map(button));
}

function drawFelt() {
  const { story } = page;
  const found = page.view && story.felt ? bands(story, { game: page.view.table.game, shows: page.shows }) : [];
  at("felt").hidden = !found.length;
  at("felt").replaceChildren(...found.filter(Boolean));
}

function drawSteps() {
  const { story } = page;
  const how = { meant: page.line, all: page.all, link: (line) => addressOf(story.number, line) };
  at("unfold").hidden = !story.lines.length;
  at("unfold").setAttribute("aria-pressed", String(page.all));
  at("steps").replaceChildren(...steps(story, how));
}

// ---------------------------------------------------------------- disputes

function drawDisputes(view) {
  const key = JSON.stringify([view.disputes, view.awaited]);
  if (key === page.disputed) return;
  page.disputed = key;
  const open = view.disputes.filter((each) => !each.resolved).length;
  at("disputes-count").replaceChildren(h("span", { className: `pill ${open ? "wait" : ""}` }, `${open} open`));
  const orders = view.awaited.filter(({ roles }) => roles.includes("inspector")).map(order);
  const listed = [...orders, ...view.disputes.map(dispute).reverse()];
  at("disputes").replaceChildren(...(listed.length ? listed : [h("li.quiet", "No dispute was raised at this table.")]));
}

/** What only an inspector can order, and somebody at the table asked for. */
function order({ order: number, what, person, role }) {
  const answer = (type, words) =>
    h("button.btn", { type: "button", onclick: () => ask({ type, order: number }) }, words);
  return h(
    "li",
    h("p", h("b", plain(what)), h("span.pill.wait", "waits for you")),
    h("p.quiet", `Asked for by ${person}, the ${role}.`),
    answer("ConfirmOrder", "Confirm it"),
    answer("DeclineOrder", "Decline it"),
  );
}

function dispute(each) {
  const mark = each.resolved ? h("span.pill.ok", "decided") : h("span.pill.wait", "open");
  const head = h("p", h("b", each.complainant), mark);
  if (each.resolved) return h("li", head, h("p.quiet", `${each.about}. Decided: ${each.decision}`), reviewing(each));
  if (!each.roles.includes("inspector"))
    return h("li", head, h("p.quiet", `${each.about}. It is before the ${each.before}.`, ruleTag(each.rule)));
  const name = `Decision on the dispute of ${each.complainant}`;
  const decision = h("input.input", {
    required: true,
    maxLength: 200,
    placeholder: "The decision",
    "aria-label": name,
  });
  const form = h("form.decide", decision, h("button", { type: "submit", className: "btn" }, "Decide"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask({ type: "DecideDispute", dispute: each.number, decision: /** @type {HTMLInputElement} */ (decision).value });
  });
  return h("li", head, h("p.quiet", each.about), form);
}

/** A review that the complainant may ask for, where somebody reviews it. */
function reviewing({ number, complainant, review }) {
  if (!review) return null;
  const words = `${complainant} asks the ${review} for a review`;
  return h("button.btn", { type: "button", onclick: () => ask({ type: "AskReview", dispute: number }) }, words);
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
  at("where").replaceChildren(
    h("b", `Table ${view.table.name}`),
    h("span", `${gameWords(view.table)} · ${EDITIONS[view.table.edition] ?? view.table.edition}`),
  );
  at("practice").hidden = !view.table.practice;
  at("who").textContent = view.me.name;
  at("state").replaceChildren(h("span.live", "Live"));
  drawRounds(view);
  drawDisputes(view);
  if (first && page.round) read(page.round);
  else if (page.story && corrected(view)) read(page.story.number);
}

/** Whether the round that is open was corrected or disputed since it was read. */
function corrected(view) {
  const note = view.notes.find(({ round }) => round === page.story.number);
  const now = JSON.stringify([note?.corrected, note?.disputed]);
  const changed = page.noted !== "" && page.noted !== now;
  page.noted = now;
  return changed;
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
    else if (state === "lost") showState("Reconnecting");
    else if (state === "ended") {
      showState("Not connected");
      notice(`${capital(reason)}.`);
    }
  };
  page.table = connect({ table, ticket: good, onView, onState });
  page.enters();
}

const showState = (words) => at("state").replaceChildren(h("span.pill.stop", icon("off"), words));
const failed = (error) => notice(`${capital(error.message)}. Enter again through the lobby.`);

async function start() {
  const asked = new URLSearchParams(location.search);
  const known = await (await fetch("/api/tables")).json();
  const { table, name, ticket } = admitted("inspector");
  page.who = { name: name || "Ina", role: "inspector", table: table || known.tables[0].name };
  page.round = Number(asked.get("round")) || 0;
  page.line = asked.has("line") ? Number(asked.get("line")) : NO_LINE;
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
  at("unfold").addEventListener("click", () => {
    page.all = !page.all;
    drawSteps();
  });
  at("raise").addEventListener("submit", async (event) => {
    event.preventDefault();
    const raised = await ask({
      type: "RaiseDispute",
      complainant: at("complainant").value.trim(),
      about: at("about").value.trim(),
      round: page.story?.lines.length ? page.story.number : 0,
    });
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
desk({
  round: () => page.round,
  ticket: () => page.who?.ticket ?? "",
  table: () => page.who?.table ?? "",
  entered,
  read: goTo,
});
watchSignificant(at("significant"), () => (page.view ? page.who : null));
start().catch(failed);
