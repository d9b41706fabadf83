/**
 * Tournaments: what is due next and why, who plays where, places, conditions and prizes.
 *
 * Everybody reads; who was let in as staff also acts.  Everything shown comes from the house every two seconds.  A command
 * carries an id made here; if the line breaks, the same id is asked again, so nothing is entered or drawn twice.  What the
 * rules refuse is said with the rule, in the dialog that asked or above the page.
 */

import { admitted, enter, newId, remember } from "./connection.js";
import { me } from "./session.js";
import { learn, openTags, refusal, ruleTag, summaryOf } from "./rules.js";
import { brand, dollars, h, icon, plain, themeButton } from "./staff.js";
import { check, clock, conditions, journal, moment, pill, places, players, tableChecks, tables, whole } from "./tournament-parts.js";
import { groups, read } from "./tournament-terms.js";

const at = (id) => /** @type {any} */ (document.getElementById(id));
const EVERY_MS = 2000;
const WAITS_MS = [250, 500, 1000, 2000, 4000];
const TABS = { places: "Places", conditions: "Conditions", journal: "Journal", desk: "Desk" };
const CHANGING = "VIC2002-12.2.2";
const LADDER = ["dealer", "game supervisor", "casino supervisor", "shift manager", "casino manager"];
const BELOW = ["RecordHand", "TakeSeat", "EndTable", "Enter"];
const BUTTONS = {
  PublishConditions: "State the conditions",
  RecordApproval: "Record the approval",
  Enter: "Enter a player",
  Brief: "The players are briefed",
  SignConditions: "Signed",
  DesignateTables: "Designate tables",
  DrawSeats: "Draw the seats",
  CheckIn: "The director is here",
  StartRound: "Start the round",
  TakeSeat: "Seat",
  RecordHand: "Record the hand",
  EndTable: "End the round here",
  EndRound: "End the round",
  AwardPrizes: "Award the prizes",
};
const WORDS = {
  lost: "The house does not answer; trying again",
  none: "No tournament yet",
  steps: [
    ["The operator appoints a director, who is responsible for the tournament", "VIC2002-12.1.2a"],
    ["The operator states the conditions: fee, chips, wagers, rounds, prizes and the rest", "VIC2002-12.2.1"],
    ["The conditions are approved in writing", "VIC2002-12.1.3"],
    ["Players enter, and the director briefs them", "VIC2002-12.2.3"],
    ["The director designates the tables, which then serve nobody else during a round", "VIC2002-12.3.1"],
    ["The house draws the seats, so that all have an equal chance", "VIC2002-12.1.1"],
    ["Rounds are played while the director is there; the most chips go on", "VIC2002-12.2.5"],
    ["The prizes are awarded", "VIC2002-12.2.1k"],
  ],
  beginHow: "Begin one: give it a name and appoint the person who is responsible for it. Then state the conditions.",
  askHow: "A casino supervisor begins one: choose above as whom you are here. Conditions, draw and places are then shown to everybody.",
  reading: "a reader",
  guest: "Guest",
  over: "The tournament is over",
  overWhy: "The prizes are awarded; the places are final.",
  by: { operator: "The operator", director: "The director", dealer: "The dealer", player: "The players" },
  briefed: "They were told the conditions, and the director is satisfied that they understand them.",
  prizes: "The places are then final, and the tournament is over.",
  draw: "The house draws by chance, once.",
  hand: "What each player staked in tournament chips, and all that came back.",
  early: "Before its hands are played a round ends at a table only if it is decided who goes on; where chips become cash, all at the table must agree.",
};
const page = { who: null, ticket: "", list: null, view: null, chosen: "", tab: "places", drawn: "", side: "", turn: 0, newest: Promise.resolve() };
/** What is asked before the house has let this page in waits for it. */
const entered = admitFirst();

// ---------------------------------------------------------------- asking the house

async function admitFirst() {
  const { role, name, table, ticket } = admitted("");
  page.who = { name, role, table };
  page.ticket = ticket;
  page.chosen = new URLSearchParams(location.search).get("tournament") ?? "";
  if (role && !ticket) await admit();
}

async function admit() {
  page.ticket = await enter(page.who);
  remember({ ...page.who, ticket: page.ticket });
}

/** Whether this page may ask for what is due from somebody. @param {string} by */
function may(by) {
  const rank = LADDER.indexOf(page.who?.role ?? "");
  if (by === "operator") return rank >= 2;
  return by === "dealer" ? rank >= 0 || page.who?.role === "stickperson" : rank >= 1;
}

/** A command, asked again under the same id until there is an answer. */
async function ask(path, asked) {
  await entered;
  const body = JSON.stringify({ id: newId(), ...asked });
  for (const wait of [0, ...WAITS_MS]) {
    if (wait) await new Promise((done) => setTimeout(done, wait));
    try {
      const headers = { Authorization: `Ticket ${page.ticket}`, "Content-Type": "application/json" };
      const answer = await fetch(path, { method: "POST", headers, body });
      const told = await answer.json();
      if (answer.status === 403 && /ticket/.test(told.reason) && wait < 500) await admit();
      else if (answer.status !== 503) return answer.ok ? told : { done: false, ...told };
    } catch {
      showState(false, WORDS.lost);
    }
  }
  return { done: false, reason: "the house does not answer: look at what is due before asking again" };
}

const command = (asked) => ask(`/api/tournaments/${encodeURIComponent(page.chosen)}/commands`, { command: asked });

/** A command of a button: what was refused is said above the page, what was done is shown at once. */
async function act(asked) {
  const told = await command(asked);
  await learned(told.rule);
  at("refused").replaceChildren(...(told.done ? [] : refusal(told)));
  await refresh();
  return told;
}

async function learned(rule) {
  if (!rule || summaryOf(rule)) return;
  const answer = await fetch(`/api/rules/${encodeURIComponent(rule)}`);
  if (answer.ok) learn({ [rule]: (await answer.json()).summary });
}

async function fetched(path) {
  const answer = await fetch(path);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.reason);
  return told;
}

/** Draw the newest; whoever asked before waits for it too, and no older answer is drawn over it. */
function refresh() {
  page.newest = look(++page.turn);
  return page.newest;
}

async function look(turn) {
  try {
    const list = await fetched("/api/tournaments");
    const names = list.tournaments.map(({ name }) => name);
    if (!names.includes(page.chosen)) page.chosen = names.at(-1) ?? "";
    const view = page.chosen ? await fetched(`/api/tournaments/${encodeURIComponent(page.chosen)}`) : null;
    if (turn !== page.turn) return page.newest;
    Object.assign(page, { list, view });
    learn(list.rules);
    learn(page.view?.rules ?? {});
    showState(true);
    draw();
  } catch (error) {
    showState(false, error instanceof TypeError ? WORDS.lost : plain(error.message));
  }
}

function showState(good, words = "") {
  at("state").replaceChildren(good ? h("span.live", "Live") : h("span.pill.stop", icon("off"), words));
}

// ---------------------------------------------------------------- drawing

function draw() {
  const { list, view } = page;
  at("practice").hidden = !list.demo;
  at("where").replaceChildren(...(page.who.role ? [h("b", page.who.name), h("span", plain(page.who.role))] : [h("span", "Reading")]));
  const told = JSON.stringify([list.tournaments, { ...view, at_ms: 0 }]);
  if (told === page.drawn) return;
  page.drawn = told;
  drawHead(list, view);
  at("contest").classList.toggle("none", !view);
  at("contest").classList.toggle("over", Boolean(view?.over));
  at("next").replaceChildren(...(view ? next(view) : nothing()));
  if (!view) return;
  at("players").replaceChildren(players(view.entrants, { playing: view.state === "playing" || view.state === "paused", acts: rowActs }));
  at("players-acts").replaceChildren(...(may("director") && view.state === "entries open" ? [button(BUTTONS.Enter, () => entry())] : []));
  at("tables").replaceChildren(tables(view.tables, tableActs));
  at("tables-acts").replaceChildren(...(may("director") && ["entries open", "between rounds"].includes(view.state) ? [button(BUTTONS.DesignateTables, () => designate())] : []));
  drawSide();
}

function drawHead(list, view) {
  const option = ({ name }) => h("option", { value: name, selected: name === page.chosen }, name);
  at("choosing").hidden = !list.tournaments.length;
  at("choose").replaceChildren(...list.tournaments.map(option));
  at("pills").replaceChildren(...(view ? standing(view) : []));
  at("begin").replaceChildren(...(view && may("operator") ? [button("New tournament", () => beginDialog())] : []));
}

/** Where the tournament is, and who conducts it. */
function standing(view) {
  const kind = { playing: "ok", paused: "stop", over: "" }[view.state] ?? "wait";
  const rounds = view.rounds && !view.over ? `Round ${view.round} of ${view.rounds}: ${view.state}` : plain(view.state);
  const there = view.present.length && !view.over ? pill("ok", icon("check"), `${view.present.join(", ")} conducts it`) : pill("", `Director ${view.director}${view.over ? "" : ", not there"}`);
  return [pill(kind, rounds), there];
}

/** The page before there is any tournament: what to do, step by step. */
function nothing() {
  const steps = h("ol.steps.panel", WORDS.steps.map(([words, rule]) => h("li", h("span", words), ruleTag(rule))));
  const words = h("div", h("p.what", WORDS.none), h("p.why", may("operator") ? WORDS.beginHow : WORDS.askHow));
  return [h("div.due", words, may("operator") && h("div.end", button("Begin a tournament", () => beginDialog(), "btn main big"))), steps];
}

/** What is due, the first of it large. */
function next(view) {
  const [first, ...more] = view.due;
  if (!first) return [h("div.due", h("div", h("p.what", WORDS.over), h("p.why", WORDS.overWhy)))];
  const from = first.from_ms ? ` Not before ${moment(first.from_ms)}.` : "";
  const why = h("p.why", `${WORDS.by[first.by]}.${from} ${short(summaryOf(first.rule))}`);
  const main = first.command && may(first.by) ? button(BUTTONS[first.command], () => doDue(first), "btn main big") : null;
  // Hands, seats and tables have their buttons where they are shown.
  const others = more.filter((each) => !BELOW.includes(each.command)).slice(0, 6).map((each) => (each.command && may(each.by) ? button(each.what, () => doDue(each)) : pill("", each.what)));
  return [h("div.due", h("div", h("p.what", first.what), why), h("div.end", main, ruleTag(first.rule))), others.length ? h("div.more", { role: "group", "aria-label": "Also due" }, others) : ""].filter(Boolean);
}

const short = (text) => (text.length > 150 ? `${text.slice(0, text.lastIndexOf(" ", 147))} …` : text);
const button = (words, onclick, className = "btn") => h("button", { type: "button", className, onclick }, words);

function rowActs(entrant) {
  const waits = entrant.table && !entrant.person && !page.view.over;
  const seat = waits && may("dealer") ? h("button.btn", { type: "button", "aria-label": `Seat ${entrant.name}`, onclick: () => seated(entrant) }, BUTTONS.TakeSeat) : null;
  const left = !["in", "out"].includes(entrant.status) || page.view.over;
  const rule = may("director") && !left ? h("button.btn", { type: "button", "aria-label": `Rule on ${entrant.name}`, onclick: () => ruleOn(entrant) }, "Rule") : null;
  return h("span.acts", seat, rule);
}

function tableActs(place) {
  if (!place.exclusive || place.ended || !place.players.length) return [];
  const hand = may("dealer") && !place.used_up ? h("button.btn", { type: "button", "aria-label": `Record a hand at ${place.name}`, onclick: () => hands(place.name) }, "Hand") : null;
  const end = may("director") ? h("button.btn", { type: "button", "aria-label": `End the round at ${place.name}`, onclick: () => endTable(place.name) }, "End") : null;
  return [hand, end];
}

function drawSide() {
  const view = page.view;
  const shown = { places, conditions, journal, desk }[page.tab];
  at("side-title").textContent = TABS[page.tab];
  const told = JSON.stringify([page.tab, page.drawn]);
  // Half-typed forms must not vanish because something else moved.
  if (told === page.side || (page.side && at("side").querySelector("input:focus, select:focus"))) return;
  page.side = told;
  at("side").replaceChildren(...[shown(view)].flat().filter(Boolean));
}

// ---------------------------------------------------------------- doing what is due

function doDue(one) {
  const told = {
    PublishConditions: terms,
    RecordApproval: approval,
    Enter: entry,
    Brief: briefing,
    SignConditions: () => act({ type: "SignConditions", player: one.about }),
    DesignateTables: designate,
    DrawSeats: () => sure(`Draw the seats of round ${page.view.round}?`, WORDS.draw, BUTTONS.DrawSeats, { type: "DrawSeats", seats: {} }),
    CheckIn: () => act({ type: "CheckIn", person: conductor() }),
    StartRound: () => act({ type: "StartRound" }),
    TakeSeat: () => seated(page.view.entrants.find(({ name }) => name === one.about)),
    RecordHand: () => hands(one.about),
    EndTable: () => endTable(one.about),
    EndRound: () => act({ type: "EndRound" }),
    AwardPrizes: () => sure("Award the prizes?", WORDS.prizes, BUTTONS.AwardPrizes, { type: "AwardPrizes" }),
  }[one.command];
  return told?.();
}

/** Who comes: whoever acts here, if that is the director or a deputy, and otherwise the director. */
function conductor() {
  const { director, deputies } = page.view;
  return [director, ...deputies].includes(page.who.name) ? page.who.name : director;
}

const seated = (entrant) => act({ type: "TakeSeat", player: entrant.name, person: entrant.substitute || entrant.name });

const field = (label, name, more = {}) => h("label.field", h("span", label), h("input.input", { name, autocomplete: "off", maxLength: 200, ...more }));
const select = (label, name, options) => h("label.field", h("span", label), h("select.input", { name }, options.map((each) => h("option", { value: each }, plain(each)))));

/**
 * A question with a form; it stays until the house has said yes, and says why not.
 * @param {{title: string, says?: string, children?: any[], words: string, wide?: boolean, given: (form: FormData) => Promise<any>}} asked
 */
function question({ title, says = "", children = [], words, wide = false, given }) {
  const dialog = at("ask");
  const no = h("p.refused", { role: "alert" });
  const send = h("button.btn.main.big", { type: "submit" }, words);
  const back = button("Back", () => dialog.close(), "btn big");
  const form = h("form", h("h2", { id: "ask-title" }, title), says && h("p.quiet", says), h("div.body", children), no, h("div.go", back, send));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // One question is asked once, however often it is pressed.
    /** @type {any} */ (send).disabled = true;
    const told = await given(new FormData(/** @type {HTMLFormElement} */ (form))).finally(() => (/** @type {any} */ (send).disabled = false));
    await learned(told.rule);
    no.replaceChildren(...(told.done ? [] : refusal(told)));
    if (told.done) at("refused").replaceChildren();
    // Behind the question stands what was done, before anything else can be pressed there.
    await refresh();
    if (told.done) dialog.close();
  });
  dialog.classList.toggle("wide", wide);
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
}

const sure = (title, says, words, asked) => question({ title, says, words, given: () => command(asked) });
const text = (form, name) => String(form.get(name) ?? "").trim();

function beginDialog() {
  const director = field("Director", "director", { required: true, value: page.who.name, maxLength: 40 });
  const office = page.list.demo ? select("Qualified as", "office", page.list.offices) : null;
  const children = [field("Name of the tournament", "name", { required: true, maxLength: 40 }), director, office, h("p.law", ruleTag("VIC2002-12.1.2a"))];
  const given = async (form) => {
    const told = await ask("/api/tournaments", { name: text(form, "name"), director: text(form, "director"), qualified_as: text(form, "office") });
    if (told.done) page.chosen = text(form, "name");
    return told;
  };
  question({ title: "Begin a tournament", says: WORDS.beginHow, children, words: "Begin", given });
}

/** The form of the conditions; another number of rounds makes it anew. */
function terms(rounds = 2) {
  const many = h("select.input", { onchange: (event) => terms(Number(event.target.value)) }, [1, 2, 3, 4, 5].map((each) => h("option", { value: String(each), selected: each === rounds }, String(each))));
  const given = (form) => command({ type: "PublishConditions", conditions: read(Object.fromEntries(form), rounds) });
  const children = [h("label.field.short", h("span", "Rounds"), many), ...groups({ asked: page.list.asked, rounds, now: page.view.at_ms, changed: CHANGING })];
  question({ title: "The conditions", says: "Every item must be stated before the conditions can be approved.", children, words: BUTTONS.PublishConditions, wide: true, given });
}

function approval() {
  const given = (form) => command({ type: "RecordApproval", approver: page.list.approver, reference: text(form, "reference") });
  const again = h("p", button("State other conditions", () => terms()));
  const says = `The ${page.list.approver} approves the conditions in writing.`;
  question({ title: "The approval", says, children: [field("Reference of the letter", "reference", { required: true }), again], words: BUTTONS.RecordApproval, given });
}

function entry() {
  const { eligibility, entry_fee: fee } = page.view.conditions;
  const criteria = eligibility.criteria_apply ? eligibility.criteria : [];
  const checks = [check("May enter the casino and gamble", "entitled", { checked: true }), check("Application form filed", "form", { checked: true }), ...criteria.map((each) => check(each, "meets", { value: each }))];
  const given = (form) => command({ type: "Enter", player: text(form, "player"), entitled: form.has("entitled"), form_filed: form.has("form"), meets: form.getAll("meets") });
  const says = fee ? `The entry fee is ${dollars(fee)}.` : "There is no entry fee.";
  question({ title: BUTTONS.Enter, says, children: [field("Player", "player", { required: true, maxLength: 40 }), ...checks], words: "Enter", given });
}

function briefing() {
  const names = page.view.entrants.filter((each) => each.due && !each.briefed).map(({ name }) => name);
  sure(`Brief ${names.length} players?`, `${names.join(", ")}. ${WORDS.briefed}`, "They are briefed", { type: "Brief", players: names });
}

function designate() {
  const chosen = page.view.tables.map(({ name }) => name);
  const given = (form) => command({ type: "DesignateTables", tables: form.getAll("table") });
  question({ title: "Designate tables", says: "While a round is played they serve the tournament only.", children: [...tableChecks(page.view, chosen), h("p.law", ruleTag("VIC2002-12.3.2"))], words: "Designate", given });
}

function hands(table) {
  const place = page.view.tables.find(({ name }) => name === table);
  const { wager, secret_wagers: secret } = page.view.conditions;
  const there = page.view.entrants.filter((each) => place.players.includes(each.name) && each.person);
  const least = (chips) => String(Math.min(wager.minimum, chips));
  const figure = (label, name, value) => h("input.input", { name, value, inputMode: "numeric", pattern: "[0-9]{1,12}", required: true, autocomplete: "off", "aria-label": label });
  const row = ({ name, chips }) => h("tr", h("td", h("b", name), h("span.faint", ` ${whole(chips)}`), secret.each_round > 0 && check("Secret", `secret ${name}`, { "aria-label": `Secret wager of ${name}` })), h("td", figure(`${name} staked`, `stake ${name}`, least(chips))), h("td", figure(`Came back to ${name}`, `back ${name}`, "0")));
  const heads = ["Player and chips", "Staked", "Came back"].map((each) => h("th", { scope: "col" }, each));
  const given = (form) => {
    const played = Object.fromEntries(there.map(({ name }) => [name, [Number(form.get(`stake ${name}`)), Number(form.get(`back ${name}`)), form.has(`secret ${name}`)]]));
    return command({ type: "RecordHand", table, played });
  };
  const body = there.length ? h("table.list.stakes", h("thead", h("tr", heads)), h("tbody", there.map(row))) : h("p", "Nobody is seated there yet.");
  question({ title: `Hand ${place.hands + 1} at ${table}`, says: WORDS.hand, children: [body], words: BUTTONS.RecordHand, given });
}

function endTable(table) {
  const place = page.view.tables.find(({ name }) => name === table);
  if (place.used_up) return act({ type: "EndTable", table });
  const agreed = place.players.map((name) => check(`${name} agrees`, "agreed", { value: name }));
  const given = (form) => command({ type: "EndTable", table, agreed: form.getAll("agreed") });
  return question({ title: `End the round at ${table} early?`, says: WORDS.early, children: agreed, words: "End it early", given });
}

/** What can be ruled on one player. */
function ruleOn(entrant) {
  const player = entrant.name;
  const terms = page.view.conditions;
  const one = (words, asked, kind = "btn") => button(words, async () => {
    at("ask").close();
    await act({ player, ...asked });
  }, kind);
  const ground = select("Ground", "ground", terms.leaving.grounds);
  const substitute = field("Substitute", "substitute", { maxLength: 40, value: entrant.nominated });
  const value = (label) => label.querySelector("input, select").value;
  const acts = [
    !entrant.table && page.view.round === 1 && one("Withdraw", { type: "Withdraw" }),
    terms.leaving.retirement && one("Retire", { type: "Retire" }),
    page.view.signatures && !entrant.signed && one("Signed the conditions", { type: "SignConditions" }),
    entrant.status === "out" && one("Buy back", { type: "BuyBack" }),
    entrant.nominated && !entrant.substitute && one(`Approve ${entrant.nominated}`, { type: "ApproveSubstitute" }),
  ].filter(Boolean);
  const nominate = terms.substitutes && h("div.row", substitute, button("Nominate", async () => {
    at("ask").close();
    await act({ type: "NominateSubstitute", player, substitute: value(substitute).trim() });
  }));
  const given = () => command({ type: "Disqualify", player, ground: value(ground) });
  question({ title: player, children: [h("div.row", acts), nominate, ground, h("p.law", ruleTag("VIC2002-12.2.1i"))], words: "Disqualify", given });
}

// ---------------------------------------------------------------- the desk

/** What the director and the operator do besides: presence, deputies, signatures, another start, rulings. */
function desk(view) {
  const form = (title, rule, children, words, command) => {
    const made = h("form.desk", h("h3", title, ruleTag(rule)), h("div.row", children, h("button.btn", { type: "submit" }, words)));
    made.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = new FormData(/** @type {HTMLFormElement} */ (made));
      /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
      act(command(given));
    });
    return made;
  };
  const there = view.present.includes(conductor());
  const later = view.state === "entries open" || view.state === "between rounds" || view.state === "drawn";
  const told = view.entrants.filter((each) => each.due).map(({ name }) => name);
  const changes = (view.conditions?.modifications ?? []).map(({ rule }) => rule);
  return [
    form("The director", "VIC2002-12.2.5", [h("p", there ? `${conductor()} is there.` : `${conductor()} is not there.`)], there ? "Goes away" : "Is here", () => ({ type: there ? "CheckOut" : "CheckIn", person: conductor() })),
    may("operator") && form("A deputy", "VIC2002-12.1.2b", [field("Name", "person", { required: true, maxLength: 40 }), page.list.demo && select("Qualified as", "office", page.list.offices)], "Name", (given) => ({ type: "NameDeputy", person: text(given, "person"), qualified_as: text(given, "office") })),
    view.approval && !view.signatures && form("Signatures", "VIC2002-12.2.4", [h("p", "Each player then signs the conditions before the draw.")], "Require", () => ({ type: "RequireSignatures" })),
    view.approval && later && form("Another start", "VIC2002-12.3.4", [field(`Round ${view.round} starts`, "starts", { type: "datetime-local", required: true }), h("p.faint", "All who play must have been told.")], "Alter", (given) => ({ type: "AlterStart", round: view.round, starts_ms: new Date(text(given, "starts")).getTime(), told })),
    may("operator") && view.state === "entries open" && form("Refuse an entry", "VIC2002-12.2.1g.ii", [field("Name", "player", { required: true, maxLength: 40 })], "Refuse", (given) => ({ type: "RefuseEntry", player: text(given, "player") })),
    changes.length > 0 && form("Rely on a change", CHANGING, [select("Rule", "rule", changes)], "Apply", (given) => ({ type: "ApplyModification", rule: text(given, "rule") })),
  ];
}

// ---------------------------------------------------------------- start

function dressTabs() {
  const names = Object.entries(TABS).filter(([key]) => key !== "desk" || may("director"));
  const made = names.map(([key, words]) => {
    const press = h("button", { type: "button", "aria-pressed": String(key === page.tab) }, words);
    press.addEventListener("click", () => {
      page.tab = key;
      [...at("tabs").children].forEach((each) => each.setAttribute("aria-pressed", String(each === press)));
      if (page.view) drawSide();
    });
    return press;
  });
  at("tabs").replaceChildren(...made);
}

/** As whom somebody is here: a reader, or in a role of the account; in the demonstration in any that has work here. */
async function dressAs() {
  const { demo, name, roles = [] } = await me();
  const known = [...LADDER, "player"].filter((role) => role === page.who.role || (demo ? role !== "player" : role !== "player" && roles.includes(role)));
  const options = ["", ...known].map((role) => h("option", { value: role, selected: role === page.who.role }, role ? `a ${role}` : WORDS.reading));
  at("as").replaceChildren(...options);
  at("as").addEventListener("change", () => {
    const role = at("as").value;
    const guest = localStorage.getItem("croupier name") ?? WORDS.guest;
    const who = { role, name: demo ? `${guest}, ${role}`.slice(0, 40) : name };
    location.assign(`/tournament?${new URLSearchParams({ ...(role ? who : {}), ...(page.chosen ? { tournament: page.chosen } : {}) })}`);
  });
}

function dress() {
  at("brand").replaceWith(brand());
  at("who").after(themeButton());
  at("choose").addEventListener("change", async () => {
    page.chosen = at("choose").value;
    at("refused").replaceChildren();
    await refresh();
  });
}

async function start() {
  await entered;
  dressTabs();
  await Promise.all([refresh(), dressAs()]);
  setInterval(refresh, EVERY_MS);
}

// A question lies above everything else, so the sheet of a rule that it names must lie within it.
openTags(document.body, at("sheet"), (tag, sheet) => (tag.closest("dialog") ?? at("contest")).append(sheet));
dress();
start().catch((error) => showState(false, plain(error.message)));
