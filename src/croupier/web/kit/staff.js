/**
 * What the pages of staff share: small elements, plain words, and the hands of a layout.
 *
 * All words that a table uses as names (`wrong_third_card`, `perfect_pairs`) are made plain here.
 *
 * @typedef {{figure?: number | string, state?: string, words?: string}} Worth
 */

import { cardFront, cardPlace, cardWords, svg } from "./cards.js";
import { capital, wagerWords, words } from "./names.js";
import { themed } from "./theme.js";

const ICONS = {
  check: ["M5 12.500l4.500 4.500L19 7.500"],
  alert: ["M12 4L21 19.500H3Z", "M12 10v4.500M12 17v.2"],
  undo: ["M8 5L4 9l4 4", "M4 9h10a5 5 0 0 1 0 10h-4"],
  clear: ["M6 6l12 12M18 6L6 18"],
  arrow: ["M5 12h14M13 6l6 6-6 6"],
  off: ["M3 3l18 18", "M5 10a11 11 0 0 1 4-2.400M19 10a11 11 0 0 0-6-2.900M8 14a6 6 0 0 1 6-1M12 18v.2"],
  seat: ["M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8", "M4.500 20a7.500 7.500 0 0 1 15 0"],
  bell: ["M6 16V11a6 6 0 0 1 12 0v5l2 2H4z", "M10 21h4"],
  down: ["M12 4v12M6 11l6 6 6-6M5 21h14"],
  moon: ["M19 14.500A8 8 0 0 1 9.500 5 8 8 0 1 0 19 14.500Z"],
};
const MARK = "M24.800 23.400A11.500 11.500 0 1 1 24.800 8.600";
const HELD_MS = 120;
/** A figure in more letters than these is words, and stands smaller. */
const LONG = 12;
const LETTERS = { player: "P", banker: "B", tie: "T" };

/**
 * An element: its tag with its classes (`td.num`), properties and attributes if there are any, and its children; those
 * that are nothing are left out.
 * @param {string} named
 * @param {...any} rest
 * @returns {HTMLElement}
 */
export function h(named, ...rest) {
  const [tag, ...classes] = named.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  const given = rest[0]?.constructor === Object ? rest.shift() : {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || ["role", "for", "list"].includes(name)) made.setAttribute(name, String(value));
    else made[name] = value;
  }
  made.append(...rest.flat().filter((child) => child || child === 0));
  return made;
}

/**
 * An element whose children are drawn anew only when `key` has changed; what had the focus in it has it again.  While a
 * button in it is held down the drawing waits, so that no press is lost because a wager came in.
 */
export function kept(root) {
  let last = "";
  let waiting = 0;
  const draw = (key, make) => {
    clearTimeout(waiting);
    const now = JSON.stringify(key);
    if (now === last) return;
    if (root.querySelector("button:active")) return void (waiting = setTimeout(() => draw(key, make), HELD_MS));
    last = now;
    const had = root.contains(document.activeElement) ? nameOf(document.activeElement) : "";
    root.replaceChildren(...make());
    // Where somebody is on the page is theirs: the focus comes back without the page moving to it.
    const same = had && [...root.querySelectorAll("button, input, select")].find((each) => nameOf(each) === had);
    if (same) same.focus({ preventScroll: true });
  };
  return draw;
}

/** What a control is called when it is drawn again. */
const nameOf = (each) => `${each.tagName} ${each.dataset.keep ?? (each.name || each.textContent)}`;

/** Whether the table is heard, in the bar beside whoever is here. @param {string} state as the connection tells it */
export function lineShown(bar, state) {
  const live = bar.querySelector(".live");
  if (!live) return;
  live.textContent = state === "open" ? "Live" : "Offline";
  live.classList.toggle("off", state !== "open");
}

/**
 * The bar that says that the table is not heard: trying again by itself, or over, with the way to come in again.
 * @param {string} state @param {string} reason @param {string} meanwhile what holds until the line is back
 */
export function lineBand(state, reason, meanwhile) {
  const lost = state === "lost";
  const words = lost ? `Not connected: ${reason}. ${meanwhile}` : capital(reason);
  const again = lost ? "" : h("a.btn", { href: "/" }, "To the lobby");
  return h("p.offline", { role: "status" }, icon("off"), h("span", words), again);
}

/** The key that does the same, beside the words of a button; readers need not hear it. */
export const kbd = (key) => h("kbd", { "aria-hidden": "true" }, key);

/** The head of a column of figures. @param {string} name */
export const numHead = (name) => h("th.num", { scope: "col" }, name);

/** A table: its heads (words, or what `numHead` makes), its rows, and perhaps a foot. */
export function listTable(heads, rows, foot = null) {
  const head = (each) => (typeof each === "string" ? h("th", { scope: "col" }, each) : each);
  return h("table.list", h("thead", h("tr", heads.map(head))), h("tbody", rows), foot && h("tfoot", foot));
}

/** A line drawing of 24 by 24. */
export function icon(name, kind = "icon") {
  return svg(
    "svg",
    { class: kind, viewBox: "0 0 24 24", "aria-hidden": "true" },
    ...ICONS[name].map((d) => svg("path", { d })),
  );
}

/** The name of the house with its mark, leading back to the lobby. */
export function brand() {
  const ring = svg("path", { d: MARK, fill: "none", stroke: "currentColor", "stroke-width": 5.5 });
  const dot = svg("circle", { cx: 16, cy: 16, r: 4, fill: "currentColor" });
  return h(
    "a.brand",
    { href: "/" },
    svg("svg", { class: "mark", viewBox: "0 0 32 32", "aria-hidden": "true" }, ring, dot),
    "croupier",
  );
}

/** The button for the light and the dark room. */
export function themeButton() {
  const button = h("button", { type: "button", className: "btn square" }, icon("moon"));
  themed(button);
  return button;
}

/** Cents as dollars: `$1,234.50`. */
export function dollars(cents) {
  const whole = (Math.abs(cents) / 100).toLocaleString("en-NZ", { minimumFractionDigits: 2 });
  return `${cents < 0 ? "−" : ""}$${whole}`;
}

/** What the table names by key, in plain words. */
export const plain = (name) => words(String(name));

/** What a wager is on, with its letter where it has a colour of its own. */
export function outcome(on) {
  const letter = LETTERS[on];
  const sign = letter ? h("span", { className: `side ${letter}`, "aria-hidden": "true" }, letter) : h("i.dot");
  return [sign, wagerWords(on)];
}

// ---------------------------------------------------------------- the felt

/**
 * The hands of a layout: two for baccarat, the dealer's and the boxes' for the other card games.
 * @param {any} layout
 * @param {string} due the hand that a card is due to, if one is
 */
export function felt(layout, due = "") {
  const lies = "banker" in layout.cards;
  const placed = (name, cards) => hand(name, cards, { makes: counted(layout[name]), due: due === name, lies });
  const places = Object.entries(layout.cards).map(([name, cards]) => placed(name, cards));
  const boxes = (layout.boxes ?? []).flatMap((box) =>
    box.hands.map((cards, at) => {
      const name = box.hands.length > 1 ? `box ${box.number} hand ${at + 1}` : `box ${box.number}`;
      return hand(name, cards, { makes: worth(box.figures, at), due: due === name, lies });
    }),
  );
  return places.length + boxes.length ? h("div.hands", [...places, ...boxes]) : figures(layout);
}

/**
 * What a hand of a box makes: its total, or the name of the hand; and what became of it.
 * @returns {Worth}
 */
export function worth(figures, at) {
  const of = figures?.hands?.[at];
  if (of) return of.state === "blackjack" ? { figure: "BJ" } : { figure: of.total, state: of.state };
  return { words: [figures?.hand, figures?.result].filter(Boolean).join(", ") };
}

/** What a hand without a box makes: a count, or the name of the hand. @returns {Worth} */
function counted(of) {
  return typeof of === "number" ? { figure: of } : { words: typeof of === "string" ? of : "" };
}

/** What a hand makes, in a line. @param {Worth} makes */
export const worthWords = ({ figure, state, words }) => words ?? (state ? `${figure} ${state}` : String(figure));

/** What a hand makes, at the head of it: a figure large, with a word beside it, and words on a line of their own. */
function headed({ figure, state, words }) {
  if (figure !== undefined) return [h("b", figure), state && h("em", state)];
  return words ? h("em.words", plain(words)) : null;
}

function hand(name, cards, { makes, due, lies }) {
  const shown = cards.map((card, at) => cardFront(card, { lying: lies && at === 2 }));
  if (due) shown.push(h("span.want", cardPlace({ lying: lies && cards.length === 2 }), h("span.pill", "due")));
  else if (!cards.length) shown.push(cardPlace(), cardPlace());
  const number = cards.length ? headed(makes) : null;
  return h("div", { className: `box ${name}` }, h("h3", h("span", name.toUpperCase()), number), h("div.hand", shown));
}

/** The figures of a game without cards, each with its name. */
function figures(layout) {
  const known = Object.entries(layout).filter(
    ([name, value]) => !["cards", "boxes"].includes(name) && value !== null && value !== false,
  );
  const rows = known
    .map(([name, value]) => [name, figureWords(value)])
    .filter(([, words]) => words)
    .map(([name, words]) => {
      const kind = { className: words.length > LONG ? "long" : "" };
      return h("div", kind, h("dt", plain(name)), h("dd", words));
    });
  return rows.length ? h("dl.figures", rows) : h("p.nothing", "Nothing has fallen yet.");
}

/**
 * A figure in words: numbers in their order, areas that are lit, the colours of a rack with their values and owners.
 * @returns {string} nothing where there is nothing to say
 */
function figureWords(value) {
  if (Array.isArray(value)) return value.join(" – ");
  if (value === true) return "yes";
  if (typeof value !== "object") return String(value);
  if (value.numbers) return value.numbers.join(" ");
  if (value.areas) return value.areas.map(wagerWords).join(", ");
  const rack = ([colour, { value: cents, by, chips }]) => `${chips} ${colour} ${dollars(cents)} ${by}`;
  return Object.entries(value).map(rack).join(", ");
}

export { cardWords };
