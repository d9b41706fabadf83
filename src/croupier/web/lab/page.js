/**
 * The odds lab: choose the rules, read what every wager is worth, compare, disturb the shoe, and let it be played.
 *
 * The whole view is in the address, so a link shows the same to somebody else.  Every change goes through `change`: it
 * writes the address, draws the controls, and asks the server again for what depends on it.
 */

import { chooser, found, readingsOf } from "./choose.js";
import { nameOf, playOf } from "./figures.js";
import { becauseOf, edgePlot, sheetTable, workingOf } from "./sheet.js";
import { play } from "./play.js";
import { shoe } from "./shoe.js";
import { trial } from "./trial.js";
import { EDITIONS, capital, editionWords, words } from "../kit/names.js";
import { learn, openTags, ruleTag } from "../kit/rules.js";
import { study } from "../kit/session.js";
import { brand, h, icon, plain, themeButton } from "../kit/staff.js";

/** @typedef {import("./choose.js").View} View */

const at = (id) => /** @type {any} */ (document.getElementById(id));
const HEAD_PX = 40;
const page = {
  games: [],
  ranks: [],
  view: /** @type {View} */ ({}),
  sheet: null,
  compared: null,
  arriving: true,
  asking: new AbortController(),
};

// ---------------------------------------------------------------- the address

const pairs = (given) =>
  Object.fromEntries(
    given.map((each) =>
      each.includes("=") ? [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)] : [each, "true"],
    ),
  );
const listed = (chosen) =>
  Object.entries(chosen)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${value}`);

/** @returns {View} */
function viewOf(search) {
  const asked = new URLSearchParams(search);
  const elect = pairs(asked.getAll("elect"));
  if (asked.get("decks")) elect.decks = asked.get("decks");
  const [named, ...second] = (asked.get("with") ?? "").split(",");
  const [edition, version = ""] = named.split("/");
  const word = (name) => asked.get(name) ?? "";
  return {
    game: word("game"),
    edition: word("edition"),
    version: word("version"),
    elect,
    reading: pairs(asked.getAll("reading")),
    pool: word("pool"),
    stake: word("stake"),
    other: edition ? { edition, version, elect: pairs(second) } : null,
    ranks: word("ranks"),
    why: word("why"),
    rounds: word("rounds"),
    seed: word("seed"),
  };
}

/** What the server is asked: the rules alone, or with the shoe. @param {View} view */
function queryOf(view) {
  const query = new URLSearchParams({ game: view.game, edition: view.edition, version: view.version });
  for (const each of listed(view.elect)) query.append("elect", each);
  for (const each of listed(view.reading)) query.append("reading", each);
  if (view.pool) query.set("pool", view.pool);
  if (view.stake) query.set("stake", view.stake);
  return query;
}

/** @param {View} view */
function addressOf(view) {
  const query = queryOf(view);
  if (view.other) query.set("with", withText(view.other));
  for (const name of ["ranks", "why", "rounds", "seed"]) if (view[name]) query.set(name, view[name]);
  return `/lab?${query.toString().replaceAll("%2C", ",").replaceAll("%3D", "=").replaceAll("%2F", "/")}`;
}

const withText = ({ edition, version, elect }) =>
  [version ? `${edition}/${version}` : edition, ...listed(elect)].join(",");

/** A view of which everything is named; a reading that only other rules rest on is left behind. @param {View} view */
function whole(view) {
  const { game, edition, version } = found(page.games, view);
  const offered = readingsOf(page.games, view).map(({ name }) => name);
  const elsewhere = game.readings.map(({ name }) => name).filter((name) => !offered.includes(name));
  return {
    ...view,
    game: view.game || game.game,
    edition: view.edition || edition.edition,
    version: view.version || version.version,
    reading: Object.fromEntries(Object.entries(view.reading).filter(([name]) => !elsewhere.includes(name))),
  };
}

// ---------------------------------------------------------------- changing

/** @param {Partial<View>} change */
function change(change, { ask = true, quietly = false } = {}) {
  page.view = whole({ ...page.view, ...change });
  history[quietly ? "replaceState" : "pushState"](null, "", addressOf(page.view));
  show(ask);
}

function show(ask) {
  const focused =
    document.activeElement instanceof HTMLElement && at("choose").contains(document.activeElement)
      ? nameIn(document.activeElement)
      : "";
  at("choose").replaceChildren(...chooser(page.games, page.view, (part) => change(part)));
  if (focused)
    [...at("choose").querySelectorAll("button, select, input")].find((each) => nameIn(each) === focused)?.focus();
  at("par").href = `/api/lab/par?${queryOf(page.view)}`;
  if (ask) {
    simulation.clear();
    load();
  }
}

const nameIn = (control) =>
  control.getAttribute("aria-label") ?? control.closest("label")?.textContent?.slice(0, 40) + control.textContent;

// ---------------------------------------------------------------- asking

async function asked(path, query, signal = page.asking.signal) {
  const waits = (words) => path === "sheet" && say(words, "wait");
  const reply = await study(`/api/lab/${path}?${query}`, { signal, waits });
  learn(reply.says ?? {});
  return reply;
}

/** The sheet: first what takes a moment, then, where there is more, the whole of it. */
async function load() {
  page.asking.abort();
  page.asking = new AbortController();
  const { signal } = page.asking;
  const query = queryOf(page.view);
  say("Reckoning", "wait");
  try {
    for (const quick of [true, false]) {
      const asking = new URLSearchParams(query);
      if (quick) asking.set("quick", "1");
      const [sheet, compared] = await Promise.all([
        asked("sheet", asking, signal),
        page.view.other ? asked("compare", withOther(asking), signal) : null,
      ]);
      Object.assign(page, { sheet, compared });
      draw();
      if (!(compared ?? sheet).more) break;
      say("Reckoning the rest", "wait");
    }
    say(methods(), "");
    problem(null);
  } catch (error) {
    if (signal.aborted) return;
    say("No figures", "stop");
    problem(error);
  }
}

function withOther(query) {
  const asking = new URLSearchParams(query);
  asking.set("with", withText(/** @type {any} */ (page.view.other)));
  return asking;
}

function methods() {
  const found = [...new Set(page.sheet.wagers.map((row) => row.method))];
  return found.length ? found.join(", ") : "No wager has a figure";
}

function say(text, kind) {
  at("state").textContent = plain(text);
  at("state").className = `pill ${kind}`;
}

function problem(error) {
  at("problem").hidden = !error;
  if (!error) return;
  if (!page.sheet) for (const id of ["sheet", "plot"]) at(id).replaceChildren();
  const back = h(
    "button.btn",
    {
      type: "button",
      onclick: () => change({ elect: {}, reading: {}, ranks: "", other: null, pool: "", stake: "" }),
    },
    "Back to the edition’s own rules",
  );
  const { message, rule = "" } = error;
  at("problem").replaceChildren(icon("alert"), h("span", capital(message)), ruleTag(rule) ?? "", back);
}

// ---------------------------------------------------------------- drawing

const sideName = ({ edition, version, decks }) =>
  [EDITIONS[edition] ?? edition, version === page.view.game ? "" : words(version), decks ? `${decks} decks` : ""]
    .filter(Boolean)
    .join(", ");

function draw() {
  const { sheet, compared, view } = page;
  at("lab").classList.toggle("two", Boolean(compared));
  drawSheet();
  const changes = compared?.wagers ?? sheet.wagers.map((row) => ({ ...row, before: row, after: null }));
  const rows = changes.map((each) => ({
    name: [nameOf(each.wager), playOf(each)].filter(Boolean).join(", "),
    a: each.before?.edge_percent ?? null,
    b: each.after?.edge_percent ?? null,
  }));
  const plotted = rows.filter(({ a, b }) => a !== null || b !== null);
  at("plot").replaceChildren(plotted.length ? edgePlot(plotted, Boolean(compared)) : h("p.note", "Nothing to draw."));
  at("legend").replaceChildren(
    ...(compared
      ? [
          h("span.key", h("i.sw"), EDITIONS[compared.before.edition]),
          h("span.key", h("i.sw.b"), EDITIONS[compared.after.edition]),
        ]
      : []),
  );
  at("warnings").replaceChildren(...(compared ?? sheet).warned.map(warning));
  const { game } = found(page.games, view);
  at("shoe-panel").hidden = !game.cards;
  at("lab").classList.toggle("no-shoe", !game.cards);
  if (game.cards)
    theShoe.show({ ranks: page.ranks, each: 4 * sheet.decks, counts: countsOf(view, sheet), rows: sheet.wagers });
  at("lab").classList.toggle("played", game.played);
  bestPlay.show({ played: game.played, key: queryOf(view).toString(), counts: countsOf(view, sheet) });
}

function countsOf(view, sheet) {
  const counts = view.ranks.split(",").map(Number);
  return counts.length === page.ranks.length && counts.every((count) => count >= 0 && count <= 4 * sheet.decks)
    ? counts
    : null;
}

function drawSheet() {
  const { sheet, compared, view } = page;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.wager : "";
  const names = compared ? [sideName(compared.before), sideName(compared.after)] : ["", ""];
  at("sheet").replaceChildren(
    ...sheetTable({
      rows: sheet.wagers,
      changes: compared?.wagers ?? null,
      left: sheet.left_out,
      first: names[0],
      second: names[1],
      open: view.why,
      ask: (wager) => change({ why: wager }, { ask: false }) || drawSheet(),
    }),
  );
  if (focused) at("sheet").querySelector(`[data-wager="${CSS.escape(focused)}"]`)?.focus();
  if (view.why && at("working")) explain();
}

async function explain() {
  const { why } = page.view;
  const query = queryOf(page.view);
  query.set("wager", why);
  const place = at("working");
  const changes = (page.compared?.wagers ?? []).filter((each) => each.wager === why).map(becauseOf).filter(Boolean);
  try {
    const offered = page.sheet.wagers.some((row) => row.wager === why);
    const shown = offered
      ? workingOf(await asked("why", query))
      : [h("p", "The first rule set does not offer this wager.")];
    place.replaceChildren(...shown, ...changes);
    // Who comes by a link sees what it is about.
    const top = place.closest("tr")?.previousElementSibling?.offsetTop ?? 0;
    if (page.arriving && top > at("sheet").clientHeight / 2) at("sheet").scrollTop = top - HEAD_PX;
    page.arriving = false;
  } catch (error) {
    if (!page.asking.signal.aborted) place.replaceChildren(h("p", capital(/** @type {Error} */ (error).message)));
  }
}

/** @param {{says: string, rule: string, edition?: string, version?: string}} warned */
function warning({ says, rule, edition, version }) {
  const warned = edition ? `${editionWords(edition)}, ${words(version ?? "")}: ${says}` : plain(says);
  return h("p.warn", { role: "note" }, icon("alert"), h("span", `${warned}.`), ruleTag(rule));
}

// ---------------------------------------------------------------- the other rooms of the page

const theShoe = shoe({
  place: at("shoe"),
  changed: (counts) => {
    change({ ranks: counts ? counts.join(",") : "" }, { ask: false, quietly: true });
    const { game } = found(page.games, page.view);
    bestPlay.show({ played: game.played, key: queryOf(page.view).toString(), counts });
  },
  price: (counts) => {
    const query = queryOf(page.view);
    query.set("ranks", counts.join(","));
    query.set("quick", "1");
    return asked("sheet", query);
  },
});

const bestPlay = play({
  panel: at("play-panel"),
  place: at("play"),
  quiet: at("play-quiet"),
  button: at("play-now"),
  ask: (counts) => {
    const query = queryOf(page.view);
    if (counts) query.set("ranks", counts.join(","));
    return asked("strategy", query);
  },
});

const simulation = trial({
  place: at("sim"),
  state: at("sim-state"),
  address: (rounds, seed) => {
    const query = queryOf(page.view);
    query.set("rounds", rounds);
    query.set("seed", seed);
    return `/api/lab/simulation?${query}`;
  },
  chosen: (rounds, seed) => change({ rounds, seed }, { ask: false, quietly: true }),
});

/** The sheet of a rule opens below what cites it, and leads to the rule book. */
openTags(document.body, at("rulesheet"), (tag, sheet) => {
  sheet
    .querySelector(".text")
    ?.append(
      h("a", { href: `/rulebook?rule=${encodeURIComponent(tag.dataset.rule ?? "")}` }, "Open in the rule book"),
    );
  const row = tag.closest("tr");
  const near = tag.closest(".warn, .election, .problem, .because li");
  if (row) row.querySelector("td:last-child")?.append(sheet);
  else if (near) near.append(sheet);
});

async function start() {
  at("brand").replaceWith(brand());
  at("par").after(themeButton());
  at("full").addEventListener("click", () => theShoe.full());
  at("choose").addEventListener("submit", (event) => event.preventDefault());
  at("link").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    at("link").textContent = "Copied";
    setTimeout(() => (at("link").textContent = "Copy link"), 2000);
  });
  const choices = await study("/api/lab/choices");
  Object.assign(page, { games: choices.games, ranks: choices.ranks });
  learn(choices.says);
  const arrive = () => {
    page.view = whole(viewOf(location.search));
    simulation.set(page.view.rounds, page.view.seed);
    show(true);
  };
  addEventListener("popstate", arrive);
  arrive();
}

start().catch((error) => problem(error));
