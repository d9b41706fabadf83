/**
 * What the pages of staff share: small elements, plain words, and the story of a round as data.
 *
 * The story of a round is told by the server as text, one line for each entry of the journal, the money it moved below
 * it, and the rules at the end.  `readStory` takes it apart again, so that every rule becomes a tag and every wager a
 * row.  All words that a table uses as names (`wrong_third_card`, `perfect_pairs`) are made plain here.
 *
 * @typedef {{text: string, rule: string}} Moved
 * @typedef {{line: number, who: string, role: string, text: string, rule: string, moved: Moved[]}} Told
 * @typedef {{lines: Told[], rules: Record<string, string>}} Story
 */

import { cardFront, cardPlace, cardWords, pip, svg } from "./cards.js";
import { wagerWords } from "./names.js";
import { themed } from "./theme.js";

const ICONS = {
  check: ["M5 12.500l4.500 4.500L19 7.500"],
  alert: ["M12 4L21 19.500H3Z", "M12 10v4.500M12 17v.2"],
  undo: ["M8 5L4 9l4 4", "M4 9h10a5 5 0 0 1 0 10h-4"],
  clear: ["M6 6l12 12M18 6L6 18"],
  arrow: ["M5 12h14M13 6l6 6-6 6"],
  off: ["M3 3l18 18", "M5 10a11 11 0 0 1 4-2.400M19 10a11 11 0 0 0-6-2.900M8 14a6 6 0 0 1 6-1M12 18v.2"],
  seat: ["M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8", "M4.500 20a7.500 7.500 0 0 1 15 0"],
  moon: ["M19 14.500A8 8 0 0 1 9.500 5 8 8 0 1 0 19 14.500Z"],
};
const MARK = "M24.800 23.400A11.500 11.500 0 1 1 24.800 8.600";
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

/** The key that does the same, beside the words of a button; readers need not hear it. */
export const kbd = (key) => h("kbd", { "aria-hidden": "true" }, key);

/** A table: its heads (those with a unit stand over figures), its rows, and perhaps a foot. */
export function listTable(heads, rows, foot = null) {
  const head = (name) => h("th", { scope: "col", className: /\$/.test(name) ? "num" : "" }, name);
  return h("table.list", h("thead", h("tr", heads.map(head))), h("tbody", rows), foot && h("tfoot", foot));
}

/** A line drawing of 24 by 24. */
export function icon(name, kind = "icon") {
  return svg("svg", { class: kind, viewBox: "0 0 24 24", "aria-hidden": "true" }, ...ICONS[name].map((d) => svg("path", { d })));
}

/** The name of the house with its mark, leading back to the lobby. */
export function brand() {
  const ring = svg("path", { d: MARK, fill: "none", stroke: "currentColor", "stroke-width": 5.5 });
  const dot = svg("circle", { cx: 16, cy: 16, r: 4, fill: "currentColor" });
  return h("a.brand", { href: "/" }, svg("svg", { class: "mark", viewBox: "0 0 32 32", "aria-hidden": "true" }, ring, dot), "croupier");
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

/** A name or a sentence of the table in plain words: `wrong_third_card` is Wrong third card. */
export function plain(name) {
  const words = String(name).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a wager is on, with its letter where it has a colour of its own. */
export function outcome(on) {
  const letter = LETTERS[on];
  const sign = letter ? h("span", { className: `side ${letter}`, "aria-hidden": "true" }, letter) : h("i.dot");
  return [sign, wagerWords(on)];
}

/** Text in which cards are drawn as rank and suit. */
export function withCards(text) {
  return text.split(/\b((?:10|[2-9AJQK])[hdsc])\b/).map((part, at) => {
    if (at % 2 === 0) return part;
    return h("b.incard", part.slice(0, -1), pip(part.slice(-1)));
  });
}

// ---------------------------------------------------------------- the story

const ENTRY = /^ *(\d+) {2}(.*?): (.*?) {2}\[([^\]]*)\]$/;
const MOVED = /^ {9}(.*?) {2}\[([^\]]*)\]$/;

/**
 * The story of a round, taken apart.
 * @param {string} text
 * @returns {Story}
 */
export function readStory(text) {
  const [told, , book = ""] = text.split(/\n\n(Rules)\n/);
  const lines = [];
  for (const row of told.split("\n")) {
    const moved = MOVED.exec(row);
    const entry = ENTRY.exec(row);
    if (moved) lines.at(-1)?.moved.push({ text: moved[1], rule: moved[2] });
    else if (entry) lines.push({ line: Number(entry[1]), ...who(entry[2]), text: entry[3], rule: entry[4], moved: [] });
  }
  const rules = Object.fromEntries([...book.matchAll(/^ {2}(\S+): (.*)$/gm)].map((each) => [each[1], each[2]]));
  return { lines, rules };
}

function who(text) {
  const named = /^(.*) \((.*)\)$/.exec(text);
  return named ? { who: named[1], role: named[2] } : { who: text, role: text };
}

/** Fetch the story of a round, with the ticket of who wants to read it. */
export async function fetchStory(table, round, ticket = "") {
  const headers = { Authorization: `Ticket ${ticket}` };
  const answer = await fetch(`/api/tables/${encodeURIComponent(table)}/rounds/${round}`, { headers });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.reason);
  return readStory(told.story);
}

/**
 * One line of a story in plain words: what kind it is, a heading, and what there is to add.
 * @param {Told} told
 */
export function tellLine(told) {
  const fact = /^(.*) \(due: (.*)\)$/.exec(told.text);
  const back = /^(.*) is taken back: (.*)$/.exec(told.text);
  const settled = /^wager (\d+) of (.*) on (\S+): (\w+), pays (\S+), (\S+) returned$/.exec(told.text);
  const said = /^"(.*)"$/.exec(told.text);
  const ruled = /^(.*), ordered by the (.*)$/.exec(told.text);
  const placed = /^(.*) puts (\S+) on ([^\s,]+)(.*)$/.exec(told.text);
  if (settled) return { kind: "settled", head: `${settled[2]}, ${wagerWords(settled[3])}: ${settled[4]}`, more: `$${settled[6]} returned` };
  if (said) return { kind: "said", head: `“${said[1]}”`, more: "announced" };
  if (back) return { kind: "back", head: `Taken back: ${factWords(back[1])}`, more: back[2] };
  if (ruled) return { kind: "ruled", head: plain(ruled[1]), more: `ordered by the ${ruled[2]}` };
  if (fact && fact[1].includes("irregular ")) return { kind: "irregular", head: factWords(fact[1]), more: `due was: ${fact[2]}` };
  if (fact) return { kind: "fact", head: factWords(fact[1], fact[2]), more: "" };
  if (placed) return { kind: "wager", head: `${placed[1]}: $${placed[2]} on ${wagerWords(placed[3])}`, more: placed[4].trim() };
  if (told.text.startsWith("the round is over")) return { kind: "over", head: "Round over", more: told.text.slice(19) };
  return { kind: "other", ...eventWords(told.text) };
}

/** Any other event: its name in words, and its parts without what only programs read. */
function eventWords(text) {
  const [name, ...rest] = text.split(": ");
  // The story writes dollars.
  const money = (whole, word, written) => `${word} ${dollars(Math.round(Number(written) * 100))}`;
  const parts = rest.join(": ").replace(/,? ?\w+ \{.*\}/g, "").replace(/\b(amount|minimum|maximum|chip|cash|cheque|value) (\d+(?:\.\d+)?)/g, money);
  return { head: plain(name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()), more: parts };
}

/** A fact as the story writes it, in plain words. */
function factWords(text, due = "") {
  const parts = Object.fromEntries(text.split(", ").map((each) => [each.split(" ")[0], each.split(" ").slice(1).join(" ")]));
  if (parts.irregular) return `Irregular: ${parts.irregular.replaceAll("_", " ")}${parts.card ? `, ${parts.card}` : ""}`;
  if (parts.perform) return `${plain(parts.perform)}${parts.detail ? `: ${parts.detail}` : ""}`;
  if (parts.choose) return `${plain(parts.by ?? "somebody")}: ${parts.choose}`;
  if (due.startsWith("deal ")) return `${plain(due.slice(5))}: ${text}`;
  return plain(text);
}

// ---------------------------------------------------------------- the felt

/**
 * The hands of a layout: two for baccarat, the dealer's and the boxes' for the other card games.
 * @param {any} layout
 * @param {string} due the hand that a card is due to, if one is
 */
export function felt(layout, due = "") {
  const lies = "banker" in layout.cards;
  const placed = (name, cards) => hand(name, cards, { count: layout[name], due: due === name, lies });
  const places = Object.entries(layout.cards).map(([name, cards]) => placed(name, cards));
  const boxes = (layout.boxes ?? []).flatMap((box) => box.hands.map((cards, hand) => placed(box.hands.length > 1 ? `box ${box.number} hand ${hand + 1}` : `box ${box.number}`, cards)));
  return places.length + boxes.length ? h("div.hands", [...places, ...boxes]) : figures(layout);
}

function hand(name, cards, { count, due, lies }) {
  const shown = cards.map((card, at) => cardFront(card, { lying: lies && at === 2 }));
  if (due) shown.push(h("span.want", cardPlace({ lying: lies && cards.length === 2 }), h("span.pill", "due")));
  else if (!cards.length) shown.push(cardPlace(), cardPlace());
  const number = typeof count === "number" && cards.length ? h("b", count) : null;
  return h("div", { className: `box ${name}` }, h("h3", h("span", name.toUpperCase()), number), h("div.hand", shown));
}

/** The figures of a game without cards, each with its name. */
function figures(layout) {
  const known = Object.entries(layout).filter(([name, value]) => !["cards", "boxes"].includes(name) && value !== null && value !== false);
  const words = (value) => (Array.isArray(value) ? value.join(" – ") : value === true ? "yes" : String(value));
  const rows = known.map(([name, value]) => h("div", h("dt", plain(name)), h("dd", words(value))));
  return rows.length ? h("dl.figures", rows) : h("p.waiting", "Nothing has fallen yet.");
}

/**
 * The cards of a story, hand by hand.  A ruling that gives a card to the hand that was due one is followed; after one that
 * rebuilds the hands the story alone does not say how they lie, and the answer is empty.
 * @param {Story} story
 * @returns {Record<string, string[]>}
 */
export function storyCards(story) {
  const cards = {};
  let declared = null;
  for (const { text } of story.lines) {
    const fact = /^(\S+) \(due: deal (.*)\)$/.exec(text);
    const back = /^(\S+) is taken back: /.exec(text);
    const given = /^card (\S+), .*\(due: deal (.*)\)$/.exec(text);
    if (fact) (cards[fact[2]] ??= []).push(fact[1]);
    if (back) Object.values(cards).forEach((each) => each.at(-1) === back[1] && each.pop());
    if (given) declared = given;
    if (declared && /: (reassign|use as dealt), ordered by/.test(text)) (cards[declared[2]] ??= []).push(declared[1]);
    if (/: (reconstruct|redeal|replace|restart|void round), ordered by/.test(text)) return {};
    if (/, ordered by the /.test(text)) declared = null;
  }
  return cards;
}

export { cardWords };
