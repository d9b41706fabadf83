/**
 * The layouts of the other games, as data: tabs of rows of groups of wagers, and the board of roulette.
 *
 * A plan only says where a wager lies.  What may be backed, at which odds and within which limits is the table's to say;
 * a wager that no plan names comes last, so that a new one is plain but never missing.
 */

import { spotButton, showSpot, holdable } from "./felt.js";
import { kindOf, kindWords } from "./names.js";

/** @typedef {{title: string, offers: string[]}} Group @typedef {{name: string, board?: boolean, rows: Group[][]}} Tab */

const PLANS = {
  roulette: [
    ["Numbers", [[["Straight up", "straight", "column", "dozen", "low", "even", "red", "black", "odd", "high"]]], true],
    ["Splits", [[["Split", "split"]]]],
    ["Streets and lines", [[["Street", "street"]], [["Six line", "six_line"]]]],
    ["Corners", [[["Corner", "corner"]]]],
  ],
  tai_sai: [
    ["All", [[["Bets", "small", "any_triple", "big"], ["Double", "double"]], [["Triple", "triple"], ["One face", "face"]], [["Total", "total"]], [["Two faces", "combination"]]]],
  ],
  craps: [
    ["Line and odds", [[["Line", "pass", "dont_pass", "come", "dont_come", "field", "big_six", "big_eight"]], [["Pass odds", "pass_odds"], ["Don't pass odds", "dont_pass_behind"]], [["Come odds", "come_odds"], ["Don't come odds", "dont_come_behind"]]]],
    ["Numbers and one roll", [[["Place", "place"], ["Buy", "buy"]], [["Lay", "lay"], ["Hard way", "hardway"]], [["One roll", "any_seven", "any_craps", "craps_two", "craps_three", "craps_twelve", "eleven", "horn", "world", "c_and_e"], ["Horn high", "horn_high"]]]],
  ],
};

/**
 * Where every offer of a game lies.
 * @param {string} game
 * @param {string[]} offers
 * @returns {Tab[]}
 */
export function planOf(game, offers) {
  const group = ([title, ...kinds]) => ({ title, offers: kinds.flatMap((kind) => offers.filter((on) => kindOf(on) === kind).sort(byPlace)) });
  const tabs = (PLANS[game] ?? []).map(([name, rows, board = false]) => ({ name, board, rows: rows.map((row) => row.map(group)) }));
  const placed = new Set(tabs.flatMap(({ rows }) => rows.flat().flatMap((each) => each.offers)));
  const rest = offers.filter((on) => !placed.has(on));
  if (rest.length) tabs.push({ name: "Bets", board: false, rows: [[{ title: "Bets", offers: rest }]] });
  return tabs;
}

/** By the first number, then by the next, as they lie. */
function byPlace(one, other) {
  const [left, right] = [one, other].map((on) => (on.split(":")[1] ?? "").split("-").map(Number));
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : left[at] - right[at];
}

export const isPlanned = (game) => game in PLANS;

/**
 * The layout of a game with a plan.
 * @param {string} game
 * @param {string[]} offers
 * @param {{reds?: number[], onTap: (on: string) => void, onHold: (on: string) => void}} how
 * @returns {import("./felt.js").Felt}
 */
export function plannedFelt(game, offers, { reds = [], onTap, onHold }) {
  const element = made("div", "planned");
  const buttons = new Map();
  const groups = [];
  const tabs = planOf(game, offers);
  const panels = tabs.map((tab) => {
    const panel = made("div", tab.board ? "panel-of board-of" : "panel-of");
    panel.setAttribute("role", "group");
    panel.setAttribute("aria-label", tab.name);
    for (const row of tab.rows) {
      panel.append(made("div", "row", ...row.map((group) => drawGroup(group, { reds, buttons, groups, onTap, onHold }))));
    }
    return panel;
  });
  if (tabs.length > 1) element.append(tabBar(tabs, panels));
  element.append(...panels);
  return { element, show: (spots) => showAll(buttons, groups, spots) };
}

function made(tag, kind, ...children) {
  const element = document.createElement(tag);
  element.className = kind;
  element.append(...children);
  return element;
}

function tabBar(tabs, panels) {
  const bar = made("div", "segments");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Parts of the layout");
  const pick = (chosen) => {
    panels.forEach((panel, index) => (panel.hidden = index !== chosen));
    [...bar.children].forEach((button, index) => button.setAttribute("aria-pressed", String(index === chosen)));
  };
  bar.append(
    ...tabs.map(({ name }, index) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      button.addEventListener("click", () => pick(index));
      return button;
    }),
  );
  pick(0);
  return bar;
}

function drawGroup(group, { reds, buttons, groups, onTap, onHold }) {
  const grid = made("div", group.offers.length > 15 ? "grid wraps" : "grid");
  for (const on of group.offers) {
    const button = spotButton(on, nameOf(on));
    button.dataset.place = placeOf(on, reds);
    button.addEventListener("click", () => onTap(on));
    holdable(button, () => onHold(on));
    buttons.set(on, button);
    grid.append(button);
  }
  const title = made("h2", "", group.title);
  const section = made("section", `group w${group.offers.length}`, title, grid);
  groups.push({ section, title, group });
  return section;
}

/** The name on a spot: its place where its group says the kind, else the kind. */
function nameOf(on) {
  const [kind, place] = on.split(":");
  if (place === undefined) return kindWords(kind);
  const numbers = place.split("-");
  if (kind === "column" || kind === "dozen") return `${kindWords(kind)} ${place}`;
  return kind === "six_line" ? `${numbers[0]}–${numbers.at(-1)}` : numbers.join(" ");
}

/** Where a number lies on the board of roulette (`r2 c5`), and its colour. */
function placeOf(on, reds) {
  const [kind, place] = on.split(":");
  const number = Number(place);
  if (kind !== "straight") return `${kind} ${place ?? ""}`.trim();
  if (number === 0) return "zero";
  return `r${3 - ((number - 1) % 3)} c${Math.ceil(number / 3) + 1} ${reds.includes(number) ? "red-number" : "black-number"}`;
}

function showAll(buttons, groups, spots) {
  buttons.forEach((button, on) => showSpot(button, spots.get(on)));
  for (const { section, title, group } of groups) {
    const odds = new Set(group.offers.map((on) => spots.get(on)?.odds));
    const same = group.offers.length > 1 && odds.size === 1;
    section.classList.toggle("same", same);
    const said = same || group.offers[0]?.startsWith("straight") ? spots.get(group.offers[0])?.odds : "";
    title.textContent = [group.title, said].filter(Boolean).join(", ");
  }
}
