/**
 * The supervisor console: the sign and its notices, players and seats, terminals and cases, corrections, disputes.
 *
 * The page shows what the table tells and knows no rule.  One banner says what needs the supervisor most, with the
 * one thing to do about it; everything else rests in its panel until it is wanted.  Clocks run on the server's time,
 * which comes with every view.  Every request is looked at before it is made (`supervisor/ask.js`), so that a refusal
 * comes with its rule before anything is written, and a dangerous act says what it will do.
 */

import { admitted, connect, enter, remember } from "../kit/connection.js";
import { dueWhy, dueWords, isPlain } from "../dealer/due.js";
import { segments, statusLine } from "../kit/form.js";
import { capital, editionWords, gameWords } from "../kit/names.js";
import { range, short } from "../kit/money.js";
import { learn, openTags, ruleTag, summaryOf } from "../kit/rules.js";
import { floorBands } from "../kit/floor.js";
import { watchSignificant } from "../kit/significant.js";
import { brand, felt, h, kept, lineBand, lineShown, plain, themeButton } from "../kit/staff.js";
import { asking } from "./ask.js";
import { correctPanel } from "./correct.js";
import { inPlay } from "./parts.js";
import { peoplePanel } from "./people.js";
import { reviewPanel } from "./review.js";
import { signPanels } from "./sign.js";
import { terminalsPanel } from "./terminals.js";
import { LADDER } from "../kit/view.js";

const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/**
 * `ahead`: how many milliseconds the server's clock is ahead of this one; `quiet`: what waits for the end of a round.
 */
const page = { who: null, view: null, table: null, ahead: 0, quiet: /** @type {(() => void)[]} */ ([]) };
const theme = themeButton();
const ask = asking({ page, dialog: /** @type {HTMLDialogElement} */ (at("ask")) });
const given = { at, page, ask };
const sign = signPanels(given);
const people = peoplePanel(given);
const terminals = terminalsPanel(given);
const correct = correctPanel(given);
const review = reviewPanel(given);
/** Which of the two panels of an electronic table is open: they share a place. */
let middle = "";
const keepAttention = kept(at("attention"));
/** Why what was pressed in the banner was refused: it is said there.  What is done leaves the banner by itself. */
const refusedHere = statusLine();
const said = { ...refusedHere, yes: refusedHere.empty };
const keepBands = kept(at("bands"));
const keepFelt = kept(at("felt"));
const keepDue = kept(at("felt-end"));

// ---------------------------------------------------------------- what needs the supervisor

/** @typedef {{title: string, says: string, rule?: string, act: string, go: () => void}} Need */

const goTo = (panel) => () => {
  at(panel).scrollIntoView({ block: "nearest" });
  at(panel).focus();
};

/** All that needs the supervisor, the most pressing first. @returns {Need[]} */
function needs(view) {
  return [
    ...orderNeeds(view),
    ...dueNeeds(view),
    ...caseNeeds(view),
    ...slipNeeds(view),
    ...clockNeeds(view),
    ...disputeNeeds(view),
    ...seatNeeds(view),
  ];
}

function caseNeeds({ electronic }) {
  const open = electronic?.cases.filter((each) => !each.closed) ?? [];
  return open.map(({ terminal, fault, duties }) => {
    const left = duties.filter((each) => !each.done);
    const says = left.length
      ? `${plain(fault)}. ${left.length} of ${duties.length} duties are open.`
      : `${plain(fault)}. All duties are done: the case can be closed.`;
    return {
      title: `${terminal || "The game system"} is locked`,
      says,
      rule: (left[0] ?? duties.at(-1)).rule,
      act: "Open the case",
      go: () => (turn("terminals"), goTo("terminals-panel")()),
    };
  });
}

function slipNeeds({ electronic }) {
  return (electronic?.unconfirmed ?? []).map((name) => ({
    title: `${name} has not confirmed`,
    says: "No card is dealt until it confirms its wagers, or they are returned.",
    act: "Return its wagers",
    go: () => (turn("terminals"), terminals.giveBack(name)),
  }));
}

function clockNeeds({ limits, closing, table }) {
  const found = [];
  if (sign.isLawful(limits.notice)) {
    const words = range(limits.notice.minimum, limits.notice.maximum);
    found.push({
      title: `${words} may be put up now`,
      says: "The notice stood long enough.",
      rule: limits.rule,
      act: `Change to ${words}`,
      go: () => sign.change(limits.notice),
    });
  }
  if (table.open && sign.isLawful(closing)) {
    found.push({
      title: "The table may close now",
      says: closing.in_play ? "Wagers are in play: the round ends first." : "The closing notice stood long enough.",
      rule: closing.rule,
      act: "Close the table",
      go: () => sign.close(),
    });
  }
  return found;
}

/** Orders that the dealer asked for and that this official may give. */
function orderNeeds({ awaited }) {
  const mine = awaited.filter(({ roles }) => roles.includes(page.who.role));
  return mine.flatMap((each) => {
    const what = plain(each.what);
    const says = `Asked for by ${each.person} as ${each.role}: it waits for the ${each.official}.`;
    return [
      {
        title: `${what}: your order is wanted`,
        says,
        rule: each.rule,
        act: "Confirm it",
        go: () => review.confirm(each, said),
      },
      {
        title: `Decline: ${what.toLowerCase()}`,
        says,
        rule: each.rule,
        act: "Decline it",
        go: () => review.decline(each, said),
      },
    ];
  });
}

/**
 * The act that is due, where it is this official's own; one that the dealer has called for stands among the orders, and
 * one that is told with a number or a card is done at the dealer's keys.
 */
function dueNeeds({ due, layout, betting, table, awaited }) {
  const own = due.kind === "perform" && due.official === page.who.role && isPlain(due);
  if (!table.open || !own || awaited.some(({ what }) => what === due.act)) return [];
  return [
    {
      title: dueWords(due, layout),
      says: `Due now. ${dueWhy({ due, layout, betting })}`,
      rule: due.rule,
      act: "Done",
      go: () => review.perform(due, said),
    },
  ];
}

function disputeNeeds({ disputes }) {
  const open = disputes.filter((each) => !each.resolved && each.roles.includes(page.who.role));
  return open.map(({ complainant, about, rule }) => ({
    title: `${complainant} disputes something`,
    says: about,
    rule,
    act: "Decide it",
    go: () => (review.turn("disputes"), goTo("review-panel")()),
  }));
}

function seatNeeds({ players, seating }) {
  const idle = players.filter((each) => each.seat && !each.terminal && each.idle >= seating.idle_rounds);
  return idle.map(({ name, seat, idle: rounds }) => ({
    title: `${name} has not wagered for ${rounds} rounds`,
    says: `Seat ${seat}, and all seats are taken.`,
    rule: seating.idle_rule,
    act: `Ask ${name} to leave`,
    go: () => (turn("people"), people.askToLeave(name)),
  }));
}

function drawAttention() {
  const { view } = page;
  const all = needs(view);
  const [first, ...rest] = all;
  const rests = first ? "" : [view.due, view.layout, view.betting, view.table.open];
  const key = [all.map(({ title, says }) => [title, says]), rests];
  keepAttention(key, () => {
    said.empty();
    return first ? pressing(first, rest) : [resting(view)];
  });
}

function pressing({ title, says, rule, act, go }, rest) {
  const words = h(
    "div.words",
    { "aria-live": "polite" },
    h("p.caps", "Needs you"),
    h("p.what", title),
    h("p.why", says),
    said.root,
  );
  const main = h("button", { type: "button", className: "btn main big", onclick: go }, act);
  const more = rest.slice(0, 4).map((each) => h("button.btn", { type: "button", onclick: each.go }, each.title));
  return [
    words,
    h(
      "div.end",
      h("div.first", main, ruleTag(rule ?? "")),
      more.length ? h("div.also", { role: "group", "aria-label": "Also waiting" }, more) : "",
    ),
  ];
}

/** What is due, within a sentence; who decides keeps the capital of the name. */
const within = ({ kind }, what) => (kind === "choose" ? what : what.charAt(0).toLowerCase() + what.slice(1));

function resting({ due, layout, betting, table }) {
  const now = table.open
    ? `Due at the table: ${within(due, dueWords(due, layout))}. ${dueWhy({ due, layout, betting })}`
    : "The table is closed.";
  return h("div.words", h("p.caps", "All quiet"), h("p.what", "Nothing needs you"), h("p.why", now));
}

// ---------------------------------------------------------------- the page

function drawBar({ table, round, me }) {
  at("where").replaceChildren(
    h("b", `Table ${table.name}`),
    h("span", `${gameWords(table)} · ${editionWords(table.edition)}`),
    h("b", `Round ${round}`),
  );
  at("who").replaceChildren(h("span.live", "Live"), h("span", me.name), theme);
  document.title = `Supervisor, ${table.name} · croupier`;
}

/**
 * An electronic table has players at the layout and terminals; one of the two lists is shown, with a way to the
 * other.
 */
function drawMiddle({ electronic }) {
  middle ||= electronic?.terminals.length ? "terminals" : "people";
  const shown = electronic ? middle : "people";
  for (const name of ["people", "terminals"]) at(`${name}-panel`).hidden = name !== shown;
  const options = /** @type {[string, string][]} */ ([["people", "Players"], ["terminals", "Terminals"]]);
  const place = at(`${shown}-panel`).querySelector(".tabs");
  if (electronic && place?.getAttribute("data-of") !== shown) {
    place?.setAttribute("data-of", shown);
    place?.replaceChildren(segments({ label: "Which list", options, value: shown, pick: turn }));
  }
}

function turn(name) {
  middle = name;
  drawMiddle(page.view);
  /** @type {HTMLElement | null} */ (at(`${name}-panel`).querySelector(".tabs [aria-pressed=true]"))?.focus();
}

/** The round as it lies on the felt, and what is due in it. */
function drawFelt({ due, layout, wagers }) {
  const staked = wagers.reduce((sum, each) => sum + each.stake, 0);
  keepDue([due, layout, staked], () =>
    [h("span.quiet", dueWords(due, layout)), ruleTag(due.rule), h("span.pill", `${short(staked)} at stake`)].filter(
      Boolean,
    ),
  );
  keepFelt([layout, due.to], () => [felt(layout, due.to ?? "")]);
}

function drawBands(state, reason) {
  lineShown(at("who"), state);
  const practice = page.view?.table.practice && h("p.practice-band", "PRACTICE: no money is at stake at this table");
  const seen = "What you see is what was confirmed last; trying to reconnect.";
  const lost = state !== "open" && lineBand(state, reason, seen);
  const key = [state, reason, Boolean(practice), page.view?.calls, page.view?.table.deals];
  keepBands(key, () => [practice, lost, ...floorBands(page.view, page.who)].filter(Boolean));
}

function onView(view) {
  if (!view.limits) return absent(new Error(`this room is for supervisors, not for the ${page.who.role}`));
  page.view = view;
  page.ahead = view.at_ms - Date.now();
  learn({ [view.due.rule]: view.due.summary });
  drawBar(view);
  for (const panel of [sign, people, terminals, correct, review]) panel.show(view);
  drawMiddle(view);
  drawFelt(view);
  drawAttention();
  drawBands("open", "");
  if (!inPlay(view)) page.quiet.splice(0).forEach((go) => go());
}

/** What a rule says is asked for when its tag is opened for the first time. */
function learnFirst(event) {
  const tag = event.target instanceof Element ? event.target.closest(".tag") : null;
  const rule = /** @type {HTMLElement | null} */ (tag)?.dataset.rule ?? "";
  if (!rule || summaryOf(rule)) return;
  event.stopPropagation();
  fetch(`/api/rules/${encodeURIComponent(rule)}`)
    .then((answer) => answer.json())
    .then(({ summary = "The house does not know this rule." }) => learn({ [rule]: summary }))
    .catch(() => learn({ [rule]: "The house does not answer: try again." }))
    .then(() => /** @type {HTMLElement} */ (tag).click());
}

const SUPERVISORS = LADDER.slice(1);

/**
 * Come to the table; a ticket of a house that was started anew is good for nothing, so a new one is asked for, once.
 */
async function start({ anew = false } = {}) {
  const who = admitted("game supervisor");
  who.table ||= "B-4";
  who.name ||= "Sue";
  page.who = who;
  at("role").textContent = who.role === SUPERVISORS[0] ? "Supervisor" : plain(who.role);
  if (!SUPERVISORS.includes(who.role))
    throw new Error(`this room is for the game supervisor and those above, not for the ${who.role}`);
  if (!who.ticket || anew) {
    who.ticket = await enter(who);
    remember(who);
  }
  const onState = (state, reason) => {
    if (state === "ended" && !page.view && !anew) start({ anew: true }).catch(absent);
    else if (state === "ended" && !page.view) absent(new Error(reason));
    else if (state !== "open") drawBands(state, reason);
  };
  page.table = connect({ table: who.table, ticket: who.ticket, onView, onState });
}

function absent(error) {
  page.table?.close();
  document.body.classList.add("away");
  const back = h("p.why", h("a", { href: "/" }, "Enter again through the lobby"));
  at("attention").replaceChildren(
    h("div.words", h("p.caps", "Not at the table"), h("p.what", capital(error.message)), back),
  );
}

at("brand").replaceWith(brand());
document.body.addEventListener("click", learnFirst, { capture: true });
openTags(document.body, at("sheet"), (tag, sheet) =>
  (tag.closest("dialog") ?? document.querySelector("main"))?.append(sheet),
);
setInterval(() => {
  if (!page.view) return;
  sign.tick();
  drawAttention();
}, 1000);
watchSignificant(at("significant"), () => (page.view ? page.who : null));
start().catch(absent);
