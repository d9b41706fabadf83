/**
 * The rule book: find a rule, read it with all that hangs on it, and see what changed between two editions.
 *
 * Searching is done by the server, a page of rows at a time.  The address holds what was searched for and which rule is
 * open, or which editions are compared, so every rule has a link of its own.
 */

import { EDITIONS, GAMES, capital, words } from "../kit/names.js";
import { brand, h, icon, plain, themeButton } from "../kit/staff.js";
import { study } from "../kit/session.js";

const at = (id) => /** @type {any} */ (document.getElementById(id));
const REST_MS = 200;
const SHOWN = 12;
const ALL = "All";
const NAMES = { edition: "Edition", game: "Game", kind: "Kind", software: "Software must", standing: "How far it is" };
const FILTERS = Object.keys(NAMES);
const DUTIES = {
  compute: "computes it",
  enforce: "enforces it",
  guide: "guides through it",
  record: "records it",
  describe: "only describes it",
};
const page = {
  shelf: null,
  asking: new AbortController(),
  reading: new AbortController(),
  typed: 0,
  shown: 0,
  total: 0,
  list: "?",
};

const waits = (words) => (at("count").textContent = words);
const asked = (path, signal) => study(`/api/rulebook/${path}`, { signal, waits });

// ---------------------------------------------------------------- the address

const query = () => new URLSearchParams(location.search);

/** Change parts of the address; what is empty leaves it. @param {Record<string, string>} parts */
function addressWith(parts) {
  const now = query();
  for (const [name, value] of Object.entries(parts)) {
    if (value) now.set(name, value);
    else now.delete(name);
  }
  const text = now.toString();
  return text ? `/rulebook?${text}` : "/rulebook";
}

function go(address, { quietly = false } = {}) {
  history[quietly ? "replaceState" : "pushState"](null, "", address);
  arrive();
}

const toRule = (id) => addressWith({ rule: id, before: "", after: "", game: "" });

/** Links of this page change it without loading it again. */
function followed(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (
    !link ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    link.pathname !== "/rulebook" ||
    link.closest(".tabs")
  )
    return;
  event.preventDefault();
  go(link.pathname + link.search);
  if (matchMedia("(max-width: 900px)").matches) at("title").scrollIntoView();
}

// ---------------------------------------------------------------- finding

function drawFilters() {
  const now = query();
  const box = h("input.input", {
    type: "search",
    id: "words",
    value: now.get("words") ?? "",
    maxLength: 200,
    autocomplete: "off",
    spellcheck: false,
    placeholder: "commission, NZD5-5.10b …",
  });
  box.addEventListener("input", () => {
    clearTimeout(page.typed);
    page.typed = setTimeout(() => go(addressWith({ words: box.value.trim() }), { quietly: true }), REST_MS);
  });
  const options = (name) => (name === "edition" ? page.shelf.editions : page.shelf[name]);
  const fields = FILTERS.filter((name) => options(name).length).map((name) =>
    filter(name, options(name), now.get(name) ?? ""),
  );
  at("filters").replaceChildren(
    h("label.field.wide", h("span", "Words or number"), box),
    ...fields,
    h(
      "a.btn.wide",
      { href: addressWith({ before: "nz1998", after: "nzd5", game: "baccarat", rule: "" }) },
      "What changed between two editions",
    ),
  );
}

function filter(name, options, now) {
  const title = (value) => (name === "edition" ? EDITIONS[value] : words(value));
  const box = h(
    "select.input",
    { onchange: () => go(addressWith({ [name]: box.value })) },
    h("option", { value: "" }, ALL),
    options.map(({ value, rules }) => h("option", { value, selected: value === now }, `${title(value)} (${rules})`)),
  );
  return h("label.field", h("span", NAMES[name]), box);
}

async function search({ more = false } = {}) {
  const now = query();
  const wanted = new URLSearchParams(
    ["words", ...FILTERS].flatMap((name) => (now.get(name) ? [[name, now.get(name)]] : [])),
  );
  const key = wanted.toString();
  if (key === page.list && !more) return mark();
  page.list = key;
  if (!more) page.asking.abort();
  page.asking = new AbortController();
  const { signal } = page.asking;
  if (more) wanted.set("from", String(page.shown));
  try {
    const found = await asked(`search?${wanted}`, signal);
    const rows = found.rows.map((row) => listRow(row, (now.get("words") ?? "").split(/\s+/).filter(Boolean)));
    if (more) at("rows").append(...rows);
    else
      at("rows").replaceChildren(
        ...(rows.length ? rows : [h("li.none", "No rule has all of these words. Try fewer, or another edition.")]),
      );
    if (!more) at("list").scrollTop = 0;
    page.shown = (more ? page.shown : 0) + rows.length;
    page.total = found.total;
    at("count").textContent =
      found.total === page.shelf.rules
        ? `${found.total.toLocaleString("en-NZ")} rules`
        : `${found.total.toLocaleString("en-NZ")} of ${page.shelf.rules.toLocaleString("en-NZ")}`;
    at("more").hidden = page.shown >= page.total;
    mark();
  } catch (error) {
    if (!signal.aborted) at("rows").replaceChildren(h("li.none", capital(/** @type {Error} */ (error).message)));
  }
}

function listRow(row, sought) {
  const link = h(
    "a",
    { href: toRule(row.id) },
    h("span.id", ...marked(row.id, sought)),
    h("b", ...marked(plain(row.topic), sought)),
    h("span.sum", ...marked(row.summary, sought)),
  );
  link.dataset.rule = row.id;
  return h("li", link);
}

/** A text with the words sought marked in it. */
function marked(text, sought) {
  if (!sought.length) return [text];
  const pattern = new RegExp(`(${sought.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return text.split(pattern).map((part, n) => (n % 2 ? h("mark", part) : part));
}

/** The row of the rule that is open; links keep what is searched for. */
function mark() {
  const open = query().get("rule");
  for (const link of at("rows").querySelectorAll("a")) {
    link.href = toRule(link.dataset.rule);
    if (link.dataset.rule === open) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// ---------------------------------------------------------------- one rule

const tag = (id) => h("a.tag", { href: toRule(id), "aria-label": `Rule ${id}` }, id);

async function readRule(id) {
  page.reading.abort();
  page.reading = new AbortController();
  const { signal } = page.reading;
  try {
    const rule = await asked(`rule/${encodeURIComponent(id)}`, signal);
    problem("");
    drawRule(rule);
    at("places").replaceChildren(h("p.quiet", "Looking through the code …"));
    drawPlaces(await asked(`places/${encodeURIComponent(rule.id)}`, signal));
  } catch (error) {
    if (signal.aborted) return;
    const { message, missing } = /** @type {Error & {missing?: boolean}} */ (error);
    if (at("title").textContent === id) at("places").replaceChildren(h("p.quiet", capital(message)));
    else problem(message, missing ? "No such rule" : "Not now");
  }
}

function problem(text, title = "Not now") {
  at("problem").hidden = !text;
  at("problem").replaceChildren(icon("alert"), h("span", plain(text)));
  if (!text) return;
  at("title").textContent = title;
  at("subtitle").textContent = "";
  at("rule").replaceChildren();
  at("places").replaceChildren();
  at("steps").replaceChildren();
}

function drawRule(rule) {
  at("title").textContent = rule.id;
  at("subtitle").textContent = EDITIONS[rule.edition] ?? rule.title;
  document.title = `${rule.id} · croupier`;
  const step = (id, name) => (id ? h("a.btn", { href: toRule(id), "aria-label": `${name}: ${id}` }, name) : "");
  at("steps").replaceChildren(step(rule.before, "Previous"), step(rule.after, "Next"));
  const also = rule.others.map((row) =>
    h("li", h("div", h("b", EDITIONS[row.edition]), tag(row.id)), h("p", h("b", plain(row.topic)), row.summary)),
  );
  const readings = rule.readings.map((each) =>
    h(
      "div.reading",
      h("p", h("b", `${each.id}, ${words(each.name).toLowerCase()}`)),
      h("p.q", each.question),
      h("p", each.says),
      h("p.q", each.reason),
    ),
  );
  at("rule").replaceChildren(
    ...rule.rows.map((row) => part(row, rule.rows.length > 1)),
    ...group("How it is read", readings),
    ...group("How other editions say it", also.length ? [h("ul.others", also)] : []),
    ...group("Printed below it", rule.below.length ? [h("div.tags", rule.below.map((row) => tag(row.id)))] : []),
    ...group("Rests on", rule.depends.length ? [h("div.tags", rule.depends.map((row) => tag(row.id)))] : []),
  );
  at("rule").scrollTop = 0;
}

const group = (title, children) => (children.length ? [h("div.group", h("h3", title), children)] : []);

function part(row, several) {
  const far = row.software === "describe" ? null : h(row.cases.length ? "span.pill" : "span.pill.wait", row.standing);
  const pills = h(
    "div.pills",
    h("span.pill", words(row.kind)),
    h("span.pill", `Software ${DUTIES[row.software] ?? row.software}`),
    far,
  );
  return h(
    "div.part",
    several ? h("p.code.quiet", row.id) : null,
    h("h2", plain(row.topic)),
    h("p.summary", row.summary),
    pills,
    row.parameters ? h("p.note", "Values: ", h("span.code", row.parameters)) : null,
    row.note ? h("p.note", row.note) : null,
    row.why_not ? h("p.note", row.why_not) : null,
    row.cases.map(tried),
  );
}

/** A case, one tap away: what was done at a door, what the product answered, and where that was decided. */
function tried(made) {
  const step = ({ done, answers }) =>
    h(
      "li",
      done,
      answers.length
        ? h(
            "ul",
            answers.map((answer) => h("li", answer)),
          )
        : null,
    );
  const where = made.where.length ? h("p.note", "Decided in ", h("span.code", made.where.join(", "))) : null;
  return h(
    "details.case",
    h("summary", `Case at the door “${made.door}”, ${made.laws.join(", ")}`),
    made.title ? h("p", made.title) : null,
    h("ol", made.steps.map(step)),
    where,
  );
}

function drawPlaces({ lines, names, tests }) {
  const code = lines.length
    ? list(lines.map((line) => `src/croupier/${line}`))
    : h("p.note", "No value of the code cites it.");
  const tested = tests.length ? list(tests) : h("p.note", "No case carries it out yet.");
  at("places").replaceChildren(
    h("div.part", h("h3", `Code, ${counted(lines.length, "line")}`), code),
    names.length ? h("div.part", h("h3", "In force as"), list(names)) : "",
    h("div.part", h("h3", `Cases, ${tests.length}`), tested),
  );
}

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function list(items) {
  const rows = items.map((item) => h("li", item));
  if (items.length <= SHOWN) return h("ul", rows);
  return h(
    "div",
    h("ul", rows.slice(0, SHOWN)),
    h("details", h("summary", `${items.length - SHOWN} more`), h("ul", rows.slice(SHOWN))),
  );
}

// ---------------------------------------------------------------- two editions

async function readDifference(now) {
  page.reading.abort();
  page.reading = new AbortController();
  const { signal } = page.reading;
  at("title").textContent = "What changed";
  at("subtitle").textContent = "Law by law, as the engine holds it";
  at("steps").replaceChildren();
  at("problem").hidden = true;
  document.title = "What changed · croupier";
  const wanted = new URLSearchParams({
    before: now.get("before") ?? "",
    after: now.get("after") ?? "",
    game: now.get("game") ?? "",
  });
  at("rule").replaceChildren(picker(now));
  try {
    const changes = await asked(`diff?${wanted}`, signal);
    const games = changes.games.map((game) => comparison(changes, game));
    at("rule").replaceChildren(picker(now), ...games, ...alone(changes));
  } catch (error) {
    if (!signal.aborted)
      at("rule").replaceChildren(picker(now), h("p.note", capital(/** @type {Error} */ (error).message)));
  }
}

function picker(now) {
  const choose = (title, name, options) => {
    const box = h(
      "select.input",
      { onchange: () => go(addressWith({ [name]: box.value })) },
      options.map(([value, words]) => h("option", { value, selected: value === (now.get(name) ?? "") }, words)),
    );
    return h("label.field", h("span", title), box);
  };
  const editions = page.shelf.editions.map(({ value }) => [value, EDITIONS[value]]);
  const games = [["", "All games"], ...Object.entries(GAMES)];
  return h(
    "div.pick",
    choose("From", "before", editions),
    choose("To", "after", editions),
    choose("Game", "game", games),
    h("a.btn", { href: addressWith({ before: "", after: "", game: "" }) }, "Close"),
  );
}

function comparison(changes, game) {
  const [one, other] = game.versions.map(
    (version, n) => `${EDITIONS[n ? changes.after.split("/")[0] : changes.before.split("/")[0]]}, ${words(version)}`,
  );
  const side = (each, name) => {
    const cell = each ? h("td", h("p", each.value), each.rules.map(tag)) : h("td.gone", "nothing of the kind");
    cell.dataset.side = name;
    return cell;
  };
  const row = (change) =>
    h("tr", h("td", words(change.path.replaceAll(".", ", "))), side(change.before, one), side(change.after, other));
  const heads = h("thead", h("tr", ["What", one, other].map((name) => h("th", { scope: "col" }, name))));
  const changed = counted(game.changes.length, "change");
  const summary = `${changed}, ${game.renumbered.length} renumbered, ${game.same} the same.`;
  return h(
    "section.diff",
    h("h2", GAMES[game.game] ?? words(game.game), ": ", one, " → ", other),
    h("p.quiet", summary),
    h("div.wide", h("table.list", heads, h("tbody", game.changes.map(row)))),
  );
}

function alone(changes) {
  if (!changes.alone.length) return [];
  const named = changes.alone.map(
    ({ edition, game, version }) =>
      `${GAMES[game]} ${version === game ? "" : words(version).toLowerCase()} (${EDITIONS[edition]})`,
  );
  return [h("p.note", `Only one of the two knows: ${named.join(", ")}.`)];
}

// ---------------------------------------------------------------- start

function arrive() {
  const now = query();
  const differs = now.has("before") || now.has("after");
  const rule = now.get("rule");
  at("book").classList.toggle("differences", differs);
  at("book").classList.toggle("reads", differs || Boolean(rule));
  search();
  if (differs) readDifference(now);
  else if (rule) readRule(rule);
  else welcome();
}

function welcome() {
  at("title").textContent = "Choose a rule";
  at("subtitle").textContent = "";
  at("problem").hidden = true;
  const each = ({ value, title, rules }) =>
    h(
      "li",
      h("div", h("b", EDITIONS[value]), h("p", title)),
      h("a.btn", { href: addressWith({ edition: value, words: "" }) }, `${rules.toLocaleString("en-NZ")} rules`),
    );
  at("rule").replaceChildren(
    h(
      "p.summary",
      "Every rule of the five documents in our own words; the gazettes decide. Search on the left, or take a document:",
    ),
    h("ul.others.shelf", page.shelf.editions.map(each)),
  );
  at("places").replaceChildren(
    h("p.quiet", "When a rule is open: the lines of code that cite it, and the cases that carry it out."),
  );
}

async function start() {
  at("brand").replaceWith(brand());
  at("link").after(themeButton());
  page.shelf = await asked("shelf");
  drawFilters();
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("more").addEventListener("click", () => search({ more: true }));
  at("link").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    at("link").textContent = "Copied";
    setTimeout(() => (at("link").textContent = "Copy link"), 2000);
  });
  document.body.addEventListener("click", followed);
  addEventListener("popstate", () => {
    drawFilters();
    arrive();
  });
  arrive();
}

start().catch((error) => problem(error.message));
