/**
 * Tournaments: what is due next and why, who plays where, places, conditions and prizes.
 *
 * Everybody reads; who was let in as staff also acts.  Everything shown comes from the house every two seconds.  A
 * command carries an id made here; if the line breaks, the same id is asked again, so nothing is entered or drawn
 * twice. What the rules refuse is said with the rule, in the dialog that asked or above the page.
 */

import { capital } from "../kit/names.js";
import { me } from "../kit/session.js";
import { openTags, ruleTag, summaryOf } from "../kit/rules.js";
import { brand, h, icon, plain, themeButton } from "../kit/staff.js";
import { conditions, journal, moment, pill, places, players, tables } from "./parts.js";
import { LADDER } from "../kit/view.js";
import { WORDS, at, entered, may, page, refresh, showState } from "./house.js";
import {
  BUTTONS,
  beginDialog,
  button,
  designate,
  desk,
  doDue,
  endTable,
  entry,
  hands,
  ruleOn,
  seated,
} from "./doing.js";

const EVERY_MS = 2000;
const TABS = { places: "Places", conditions: "Conditions", journal: "Journal", desk: "Desk" };
const BELOW = ["RecordHand", "TakeSeat", "EndTable", "Enter"];

// ---------------------------------------------------------------- drawing

function draw() {
  const { list, view } = page;
  at("practice").hidden = !list.demo;
  at("where").replaceChildren(
    ...(page.who.role ? [h("b", page.who.name), h("span", plain(page.who.role))] : [h("span", "Reading")]),
  );
  const key = JSON.stringify([list.tournaments, { ...view, at_ms: 0 }]);
  if (key === page.drawn) return;
  page.drawn = key;
  drawHead(list, view);
  at("contest").classList.toggle("none", !view);
  at("contest").classList.toggle("over", Boolean(view?.over));
  at("next").replaceChildren(...(view ? next(view) : nothing()));
  if (!view) return;
  at("players").replaceChildren(
    players(view.entrants, { playing: view.state === "playing" || view.state === "paused", acts: rowActs }),
  );
  at("players-acts").replaceChildren(
    ...(may("director") && view.state === "entries open" ? [button(BUTTONS.Enter, () => entry())] : []),
  );
  at("tables").replaceChildren(tables(view.tables, tableActs));
  at("tables-acts").replaceChildren(
    ...(may("director") && ["entries open", "between rounds"].includes(view.state)
      ? [button(BUTTONS.DesignateTables, () => designate())]
      : []),
  );
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
  const there =
    view.present.length && !view.over
      ? pill("ok", icon("check"), `${view.present.join(", ")} conducts it`)
      : pill("", `Director ${view.director}${view.over ? "" : ", not there"}`);
  return [pill(kind, rounds), there];
}

/** The page before there is any tournament: what to do, step by step. */
function nothing() {
  const steps = h("ol.steps.panel", WORDS.steps.map(([words, rule]) => h("li", h("span", words), ruleTag(rule))));
  const words = h("div", h("p.what", WORDS.none), h("p.why", may("operator") ? WORDS.beginHow : WORDS.askHow));
  return [
    h(
      "div.due",
      words,
      may("operator") &&
        h(
          "div.end",
          button("Begin a tournament", () => beginDialog(), "btn main big"),
        ),
    ),
    steps,
  ];
}

/** What is due, the first of it large. */
function next(view) {
  const [first, ...more] = view.due;
  if (!first) return [h("div.due", h("div", h("p.what", WORDS.over), h("p.why", WORDS.overWhy)))];
  const from = first.from_ms ? ` Not before ${moment(first.from_ms)}.` : "";
  const why = h("p.why", `${WORDS.by[first.by]}.${from} ${short(summaryOf(first.rule))}`);
  const main =
    first.command && may(first.by) ? button(BUTTONS[first.command], () => doDue(first), "btn main big") : null;
  // Hands, seats and tables have their buttons where they are shown.
  const others = more
    .filter((each) => !BELOW.includes(each.command))
    .slice(0, 6)
    .map((each) => (each.command && may(each.by) ? button(each.what, () => doDue(each)) : pill("", each.what)));
  return [
    h("div.due", h("div", h("p.what", first.what), why), h("div.end", main, ruleTag(first.rule))),
    others.length ? h("div.more", { role: "group", "aria-label": "Also due" }, others) : "",
  ].filter(Boolean);
}

const short = (text) => (text.length > 150 ? `${text.slice(0, text.lastIndexOf(" ", 147))} …` : text);

function rowActs(entrant) {
  const waits = entrant.table && !entrant.person && !page.view.over;
  const seat =
    waits && may("dealer")
      ? h(
          "button.btn",
          { type: "button", "aria-label": `Seat ${entrant.name}`, onclick: () => seated(entrant) },
          BUTTONS.TakeSeat,
        )
      : null;
  const left = !["in", "out"].includes(entrant.status) || page.view.over;
  const rule =
    may("director") && !left
      ? h(
          "button.btn",
          { type: "button", "aria-label": `Rule on ${entrant.name}`, onclick: () => ruleOn(entrant) },
          "Rule",
        )
      : null;
  return h("span.acts", seat, rule);
}

function tableActs(place) {
  if (!place.exclusive || place.ended || !place.players.length) return [];
  const hand =
    may("dealer") && !place.used_up
      ? h(
          "button.btn",
          { type: "button", "aria-label": `Record a hand at ${place.name}`, onclick: () => hands(place.name) },
          "Hand",
        )
      : null;
  const anew =
    may("director") && place.hands > 0
      ? h(
          "button.btn",
          {
            type: "button",
            "aria-label": `Correct the last hand at ${place.name}`,
            onclick: () => hands(place.name, true),
          },
          "Correct",
        )
      : null;
  const end = may("director")
    ? h(
        "button.btn",
        { type: "button", "aria-label": `End the round at ${place.name}`, onclick: () => endTable(place.name) },
        "End",
      )
    : null;
  return [hand, anew, end];
}

function drawSide() {
  const view = page.view;
  const shown = { places, conditions, journal, desk }[page.tab];
  at("side-title").textContent = TABS[page.tab];
  const key = JSON.stringify([page.tab, page.drawn]);
  // Half-typed forms must not vanish because something else moved.
  if (key === page.side || (page.side && at("side").querySelector("input:focus, select:focus"))) return;
  page.side = key;
  at("side").replaceChildren(...[shown(view)].flat().filter(Boolean));
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
  const known = [...LADDER, "player"].filter(
    (role) => role === page.who.role || (demo ? role !== "player" : role !== "player" && roles.includes(role)),
  );
  const options = ["", ...known].map((role) =>
    h("option", { value: role, selected: role === page.who.role }, role ? `a ${role}` : WORDS.reading),
  );
  at("as").replaceChildren(...options);
  at("as").addEventListener("change", () => {
    const role = at("as").value;
    const guest = localStorage.getItem("croupier name") ?? WORDS.guest;
    const who = { role, name: demo ? `${guest}, ${role}`.slice(0, 40) : name };
    const chosen = page.chosen ? { tournament: page.chosen } : {};
    location.assign(`/tournament?${new URLSearchParams({ ...(role ? who : {}), ...chosen })}`);
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
page.draw = draw;
dress();
start().catch((error) => showState(false, capital(error.message)));
