/**
 * Something went wrong: choose what happened, give its facts, see the ruling.
 *
 * The closed list comes from the table, and so do the facts that each entry needs.  The panel asks for those and no
 * others and shows what would be ruled, under which rule, with the layout before and after; only then is it carried
 * out. Where somebody higher must order it, it is ruled on at once and shown afterwards.  The panel never covers what
 * is due.
 */

import { cardFront } from "../kit/cards.js";
import { capital } from "../kit/names.js";
import { ruleTag, summaryOf } from "../kit/rules.js";
import { LADDER } from "../kit/view.js";
import { cardWords, h, icon, plain } from "../kit/staff.js";
import { inlineAll } from "../kit/story.js";
import { radios } from "./parts.js";

const CARD = /^(10|[2-9AJQK])[hdsc]$/;
/** Places in the words of the table: how the field is named that asks for one, and how it is written. */
const PLACES = {
  "the box": ["Which box", "2"],
  "the hand": ["Which hand", "box 2"],
  "box n": ["Which box", "box 2"],
  "box n or dealer": ["Whose hand", "box 2, or dealer"],
};

/**
 * What an entry of the list asks for, in its own words.  Without cards on the layout none is asked for.
 * @param {{words: string, card: boolean, disclosed: boolean, found: boolean,
 *          to: {says: string, options: string[]} | null, call: {says: string, options: string[]} | null} | undefined}
 * entry
 */
export function needs(entry, { cards }) {
  const { words = "", card = false, disclosed = false, found = false, to = null, call = null } = entry ?? {};
  return {
    what: capital(words),
    card: cards && card,
    seen: cards && disclosed,
    to,
    call,
    found: cards && found,
  };
}

const PRINTED = /^(\w+(?:-[IVX]+)?)-(\d+(?:\.\d+)*)/;
const parted = (rule) => PRINTED.exec(rule)?.slice(1) ?? [rule, ""];

/**
 * The printed numbers of rules, each once; one of another document than most of the list with the name of that.
 * @param {string[]} rules @param {Record<string, {rules: string[]}>} all
 */
function printedNumbers(rules, all) {
  const documents = Object.values(all).flatMap((each) => each.rules.map((rule) => parted(rule)[0]));
  const count = (document) => documents.filter((each) => each === document).length;
  const usual = documents.reduce((most, each) => (count(each) > count(most) ? each : most), documents[0]);
  const said = ([document, number]) => (document === usual ? number : `${document} ${number}`);
  const numbers = rules.map((rule) => said(parted(rule)));
  return [...new Set(numbers)].join(", ");
}

/**
 * The panel.  `send(fact, official)` answers with the Answer of the table, `ruling()` with the last ruling of the
 * story. `preview(fact, official)` says what would be ruled without recording it, or null where it cannot look ahead.
 * @param {{send: (fact: object, official: {role: string, name: string}) => Promise<any>,
 *          ruling: () => Promise<{event: any, rule: string} | null>, onClose: () => void,
 *          preview?: (fact: object, official: {role: string, name: string}) => Promise<any>,
 *          demo: () => boolean}} given
 * `demo`: nobody has an account here, so an official is asked for a name; elsewhere they show name and password.
 */
export function irregularityPanel({ send, ruling, onClose, preview = async () => null, demo }) {
  const root = h("aside.panel.irr", { hidden: true, "aria-label": "Irregularity" });
  let view = null;
  let chosen = "";
  let card = "";

  function open(now, lastCard = "") {
    view = now;
    chosen = "";
    card = lastCard;
    root.classList.remove("ruled");
    root.hidden = false;
    draw();
    /** @type {HTMLElement | null} */ (root.querySelector("input"))?.focus();
  }

  function close() {
    root.hidden = true;
    onClose();
  }

  function draw() {
    const facts = h("div.step.facts-step");
    const result = h("div.result", { "aria-live": "polite" });
    const list = h(
      "fieldset.choices",
      h("legend.sr", "What happened"),
      Object.entries(view.irregularities).map(choice),
    );
    list.addEventListener("change", (event) => {
      chosen = /** @type {HTMLInputElement} */ (event.target).value;
      drawFacts(facts, result);
    });
    const shut = h("button.btn.bare", { type: "button", onclick: close }, "Close");
    const header = h("header", icon("alert", "icon warn"), h("h2", "Irregularity"), h("span.end", shut));
    root.replaceChildren(
      header,
      h("div.scroll", h("div.step", h("h3", h("i", "1"), "What happened?"), list), facts, result),
    );
  }

  function choice([name, entry]) {
    const asked = needs(entry, { cards: true });
    const numbers = printedNumbers(entry.rules, view.irregularities);
    const rules = numbers ? h("small.code", numbers) : h("small", "no rule of its own");
    const button = h("input", { type: "radio", name: "circumstance", value: name });
    return h("label.choice", button, h("span", asked.what), rules);
  }

  function drawFacts(place, result) {
    const cards = Object.keys(view.layout.cards).length > 0;
    const asked = needs(view.irregularities[chosen], { cards });
    const form = h("form.facts");
    const rows = [
      asked.card && field("Card", cardField()),
      asked.seen && field("Was it seen?", radios("disclosed", [["no", "No"], ["yes", "Yes"]])),
      asked.to && field(wanted(asked.to, "Where it went"), choiceOrText("to", asked.to)),
      asked.call && field(wanted(asked.call, "Call"), choiceOrText("call", asked.call, { none: true })),
      asked.found && field("Found, in the right order", textField("found", "Cards in their right order", "2h Kd 4c")),
      field("Ordered by", officials({ named: demo() })),
    ];
    const main = h("button", { type: "submit", className: "btn main big" }, icon("check"), "Rule on it");
    form.append(...rows.filter(Boolean).flat(), h("div.send", main));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sent(form, result, main);
    });
    place.replaceChildren(h("h3", h("i", "2"), "The facts"), form);
    result.replaceChildren();
    place.scrollIntoView({ block: "nearest" });
  }

  function field(name, control) {
    return [h("span.dt", name), h("span.dd", control)];
  }

  function cardField() {
    const shown = h("span.cardfact");
    const input = h("input.input.short", {
      name: "card",
      value: card,
      maxLength: 3,
      "aria-label": "Card, rank then suit",
    });
    const paint = () => {
      const value = tidy(input.value);
      shown.replaceChildren(...(CARD.test(value) ? [cardFront(value), cardWords(value)] : ["rank, then suit: 9d"]));
    };
    input.addEventListener("input", paint);
    paint();
    return [input, shown];
  }

  async function sent(form, result, main) {
    const given = Object.fromEntries(new FormData(form));
    const fact = { irregular: chosen };
    if (given.card) fact.card = tidy(given.card);
    if (given.disclosed === "yes") fact.disclosed = true;
    if (given.to) fact.to = given.to;
    if (given.call) fact.call = given.call;
    if (given.found) fact.found = given.found.trim().split(/[\s,]+/).map(tidy);
    if (given.by !== LADDER[0]) fact.by = given.by;
    const official = { role: given.by, name: given.official || "" };
    main.disabled = true;
    const seen = await preview(fact, official);
    if (seen) look(fact, official, seen, result);
    else await carryOut(fact, official, result);
    main.disabled = false;
  }

  /** The ruling before it is carried out. */
  function look(fact, official, seen, result) {
    if (!seen.lawful) return tell(result, refusal(seen, fact));
    const waits = seen.events.find((each) => each.type === "OrderAwaited");
    if (waits) return tell(result, called(fact, official, waits, result));
    const found = seen.events.find((each) => each.type === "Ruled");
    const carry = h(
      "button.btn.main.big",
      { type: "button", onclick: () => carryOut(fact, official, result, { quietly: true }) },
      icon("check"),
      "Carry it out",
    );
    const back = h("button.btn.big", { type: "button", onclick: () => again(result) }, "Change the facts");
    show(result, ruled(found, seen.before.layout, seen.after.layout, [carry, back]));
  }

  /** What somebody higher orders: who, under which rule, and the call for that official. */
  function called(fact, asker, { event: { official }, rule }, result) {
    const call = h(
      "button.btn.big",
      { type: "button", onclick: () => carryOut(fact, asker, result, { quietly: true }) },
      `Call the ${official}`,
    );
    return h(
      "div.ruling.no",
      h("p.caps", "Not yours to order"),
      h("p.say", `The ${official} orders this, here or on a page of their own.`),
      h("p.cite", ruleTag(rule)),
      h("div.choose", call),
    );
  }

  function again(result) {
    root.classList.remove("ruled");
    result.replaceChildren();
    /** @type {HTMLElement | null} */ (root.querySelector("form .btn"))?.focus();
  }

  /** Carry it out; `quietly`: the ruling was shown before, so there is nothing more to show. */
  async function carryOut(fact, official, result, { quietly = false } = {}) {
    const before = view.layout;
    const answer = await send(fact, official);
    if (!answer.done) return tell(result, refusal(answer, fact));
    if (quietly) return close();
    const on = h("button.btn.big", { type: "button", onclick: close }, "Carry on");
    show(result, ruled(await ruling(), before, view.layout, [on]));
  }

  function show(result, made) {
    root.classList.add("ruled");
    tell(result, made);
    /** @type {HTMLElement} */ (result.querySelector(".btn")).focus({ preventScroll: true });
  }

  /** Say it where it is seen: below the button that was pressed, the panel may have no room left. */
  function tell(result, made) {
    result.replaceChildren(made);
    made.scrollIntoView({ block: "nearest" });
  }

  /** Why it was not ruled on; where an official's call may be what is missing, which calls there are. */
  function refusal(answer, { call = "" }) {
    const calls = (!call && view.irregularities[chosen]?.call?.options) || [];
    const none = `No call was chosen. There is: ${calls.map(plain).join(", ").toLowerCase()}.`;
    return h(
      "div.ruling.no",
      h("p.caps", "Not ruled on"),
      h("p.say", capital(answer.reason)),
      calls.length > 0 && h("p.quiet", none),
      h("p.cite", ruleTag(answer.rule)),
    );
  }

  /** A ruling as the journal has it, or would have it. */
  function ruled(ruling, before, after, buttons) {
    const { circumstance = "", remedy = "", official = "" } = ruling?.event ?? {};
    return h("div.ruling",
      h("p.caps", "Ruling"),
      h("p.say", placed(before, after) || plain(remedy || "done")),
      h("p.cite", ruleTag(ruling?.rule ?? "", "strong"), h("span.quiet", `${remedy}, ordered by the ${official}`)),
      h("p.quiet", summaryOf(ruling?.rule ?? "") || plain(circumstance)),
      compared(before, after),
      h("div.choose", buttons),
    );
  }

  return { root, open, close, update: (now) => (view = now) };
}

/** A card as it is written: the rank in capitals, the suit small. */
function tidy(text) {
  const card = text.trim().replace(/^0|^T/i, "10");
  return card.slice(0, -1).toUpperCase() + card.slice(-1).toLowerCase();
}

/** The name of a field: what it asks for, where anything may be written; what it is, where there is a choice. */
function wanted({ says, options }, otherwise) {
  if (options.length === 0) return PLACES[says]?.[0] ?? capital(says);
  return options.every((each) => /^\d+$/.test(each)) ? "How many" : otherwise;
}

const textField = (name, label, placeholder) =>
  h("input.input", { name, placeholder, autocomplete: "off", "aria-label": label });

function choiceOrText(name, { says, options }, { none = false } = {}) {
  const listed = options.map((each) => [each, plain(each)]);
  if (options.length === 0) return textField(name, PLACES[says]?.[0] ?? capital(says), PLACES[says]?.[1] ?? "");
  if (none) listed.unshift(["", "None"]);
  return radios(name, listed);
}

function officials({ named }) {
  const name = h("input.input.short", {
    name: "official",
    value: "Sue",
    hidden: true,
    "aria-label": "Name of the official",
  });
  const options = LADDER.map((each) => h("option", { value: each }, plain(each)));
  const select = h("select.input", { name: "by", "aria-label": "Ordered by" }, options);
  select.addEventListener("change", () => (name.hidden = !named || select.value === LADDER[0]));
  return [select, name];
}

/** Where the ruling put a card, in a sentence; nothing if it put none. */
function placed(before, after) {
  const moved = Object.keys(before.cards).filter(
    (place) => (after.cards[place]?.length ?? 0) > before.cards[place].length,
  );
  if (moved.length !== 1) return "";
  return `The ${cardWords(after.cards[moved[0]].at(-1))} is the ${plain(moved[0])}’s card.`;
}

/** The hands on the felt before and after a ruling. */
function compared(before, after) {
  const places = Object.keys(before.cards);
  if (!places.length) return null;
  const cell = (layout, place) =>
    h("td", h("b", layout[place] ?? "–"), " ", inlineAll(layout.cards[place] ?? []));
  const row = (name, layout) => h("tr", h("th", { scope: "row" }, name), places.map((place) => cell(layout, place)));
  const heads = h("tr", h("td"), places.map((place) => h("th", { scope: "col" }, plain(place))));
  return h("table.ba", h("thead", heads), h("tbody", row("On the felt", before), row("After the ruling", after)));
}
