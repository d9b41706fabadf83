/**
 * The betting layout: drawn in SVG for baccarat, made from the list of offers for the other games (see `layouts.js`).
 *
 * Both answer to the same things: what is offered, which bets lie where, a tap, and a long press (or the right button),
 * which takes back.  A bet is `{cents, state, text}`; its state is one of the kit's words.
 *
 * @typedef {{cents: number, state: string, text?: string}} Bet
 * @typedef {{bets: Bet[], label: string, odds: string, open: boolean, shut: boolean, tone: string}} Spot
 * @typedef {{element: Element, show: (spots: Map<string, Spot>) => void}} Felt
 */

import { svg } from "./cards.js";
import { stack } from "./chips.js";
import { short } from "./money.js";
import { kindOf, kindWords } from "./names.js";

const WIDE = {
  box: "0 0 848 306",
  radius: 32,
  areas: {
    perfect_pairs: { kind: "pairs", d: "M4 58Q4 46 16 42Q424 -34 832 42Q844 46 844 58V110Q844 120 832 115Q424 38 16 115Q4 120 4 110Z", title: "PERFECT PAIRS", arc: true, x: 84, y: 64, radius: 24, beside: true },
    player: { kind: "player", d: "M4 140Q4 128 16 124Q152 99.800 288 87.500Q300 91.500 300 103.500V290Q300 302 288 302H16Q4 302 4 290Z", title: "PLAYER", tx: 152, ty: 141, x: 152, y: 231, gap: 124 },
    tie: { kind: "tie", d: "M310 102.900Q310 90.900 322 86.900Q424 85.100 526 86.900Q538 90.900 538 102.900V290Q538 302 526 302H322Q310 302 310 290Z", title: "TIE", tx: 424, ty: 128, x: 424, y: 231, gap: 104 },
    banker: { kind: "banker", d: "M548 103.500Q548 91.500 560 87.500Q696 99.800 832 124Q844 128 844 140V290Q844 302 832 302H560Q548 302 548 290Z", title: "BANKER", tx: 696, ty: 141, x: 696, y: 231, gap: 124 },
  },
};
const PHONE = {
  box: "0 0 374 292",
  radius: 26,
  areas: {
    perfect_pairs: { kind: "pairs", d: rounded(2, 2, 181, 122), title: "PERFECT PAIRS", tx: 92, ty: 30, x: 36, y: 90, beside: true, radius: 21 },
    tie: { kind: "tie", d: rounded(191, 2, 181, 122), title: "TIE", tx: 281, ty: 30, x: 225, y: 90, beside: true, radius: 21 },
    player: { kind: "player", d: rounded(2, 132, 181, 158), title: "PLAYER", tx: 92, ty: 156, x: 92, y: 228, gap: 86, radius: 24 },
    banker: { kind: "banker", d: rounded(191, 132, 181, 158), title: "BANKER", tx: 281, ty: 156, x: 281, y: 228, gap: 86, radius: 24 },
  },
};

function rounded(x, y, wide, high, r = 12) {
  return `M${x + r} ${y}h${wide - 2 * r}q${r} 0 ${r} ${r}v${high - 2 * r}q0 ${r} ${-r} ${r}h${2 * r - wide}q${-r} 0 ${-r} ${-r}v${2 * r - high}q0 ${-r} ${r} ${-r}Z`;
}

/**
 * The layout of baccarat.
 * @param {string[]} offers
 * @param {{phone: boolean, onTap: (on: string) => void, onHold: (on: string) => void}} how
 * @returns {Felt}
 */
export function drawnFelt(offers, { phone, onTap, onHold }) {
  const plan = phone ? PHONE : WIDE;
  const element = svg("svg", { class: phone ? "layout phone" : "layout", viewBox: plan.box, role: "group", "aria-label": "Betting layout" });
  element.append(svg("defs", {}, svg("path", { id: "arc1", d: "M4 77Q424 -3 844 77" }), svg("path", { id: "arc2", d: "M4 102Q424 22 844 102" })));
  const areas = new Map();
  for (const [on, drawing] of Object.entries(plan.areas)) {
    if (!offers.includes(on)) continue;
    const area = drawArea(on, drawing);
    tappable(area, () => onTap(on));
    holdable(area, () => onHold(on));
    areas.set(on, { area, drawing });
    element.append(area);
  }
  return { element, show: (spots) => areas.forEach(({ area, drawing }, on) => showArea(area, drawing, spots.get(on), plan.radius)) };
}

function drawArea(on, drawing) {
  const title = drawing.arc
    ? svg("text", { class: "t2" }, svg("textPath", { href: "#arc1", startOffset: "50%" }, drawing.title))
    : svg("text", { class: "t1", x: drawing.tx, y: drawing.ty }, drawing.title);
  const bets = svg("g", { class: "bets" });
  return svg("g", { class: "area", role: "button", tabindex: 0, "data-on": on }, svg("path", { class: "shape", d: drawing.d }), title, oddsLine(drawing), bets);
}

function oddsLine(drawing) {
  if (drawing.arc) return svg("text", { class: "t3 odds" }, svg("textPath", { href: "#arc2", startOffset: "50%" }));
  return svg("text", { class: "t4 odds", x: drawing.tx, y: drawing.ty + 24 });
}

function tappable(area, tap) {
  area.addEventListener("click", tap);
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    tap();
  });
}

/** A long press arrives as a request for the menu, as the right button does. */
export function holdable(area, hold) {
  area.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    hold();
  });
}

function showArea(area, drawing, spot, radius) {
  area.setAttribute("class", `area ${drawing.kind} ${spot.tone}`);
  area.setAttribute("aria-label", spot.label);
  area.setAttribute("aria-disabled", String(!spot.open));
  const odds = area.querySelector(".odds");
  (odds.querySelector("textPath") ?? odds).textContent = spot.odds;
  area.querySelector(".bets").replaceChildren(...(drawing.beside ? shallow : deep)(spot.bets, drawing, drawing.radius ?? radius));
}

const AMOUNT_HIGH = 29;
const amount = ({ text, cents }) => text ?? short(cents);

/** Where an area is deep, stacks stand side by side over their amounts. */
function deep(bets, { x, y, gap }, radius) {
  const left = x - ((bets.length - 1) * gap) / 2;
  return bets.map((bet, index) => stack(bet.cents, { x: left + index * gap, y, radius, state: bet.state, text: amount(bet) }));
}

/** Where it is shallow, one stack is the picture of all, and the amounts stand beside it, one over the other. */
function shallow(bets, { x, y }, radius) {
  const top = -((bets.length - 1) * AMOUNT_HIGH) / 2;
  return bets.map((bet, index) =>
    stack(bet.cents, { x, y, radius, state: bet.state, text: amount(bet), beside: true, drop: top + index * AMOUNT_HIGH, drawn: index === 0 }),
  );
}

/**
 * The layout of any game from its offers: a button for each, grouped by kind.
 * @param {string[]} offers
 * @param {{onTap: (on: string) => void, onHold: (on: string) => void}} how
 * @returns {Felt}
 */
export function listedFelt(offers, { onTap, onHold }) {
  const element = document.createElement("div");
  element.className = offers.length <= 8 ? "spots few" : "spots";
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", "Betting layout");
  const buttons = new Map();
  for (const [title, members] of groups(offers)) {
    const group = document.createElement("section");
    group.className = members.length > 3 && members.every((on) => on.includes(":")) ? "kind many" : "kind";
    const grid = document.createElement("div");
    for (const on of members) {
      const button = spotButton(on, title === "Bets" ? kindWords(on) : on.split(":")[1].replaceAll("-", " "));
      button.addEventListener("click", () => onTap(on));
      holdable(button, () => onHold(on));
      buttons.set(on, button);
      grid.append(button);
    }
    group.append(Object.assign(document.createElement("h2"), { textContent: title }), grid);
    element.append(group);
  }
  return { element, show: (spots) => buttons.forEach((button, on) => showSpot(button, spots.get(on))) };
}

/** Wagers without a place of their own come first, together; then each kind with its places. */
function groups(offers) {
  const found = new Map();
  for (const on of offers) {
    const title = on.includes(":") ? kindWords(kindOf(on)) : "Bets";
    found.set(title, [...(found.get(title) ?? []), on]);
  }
  return [...found].sort(([one], [other]) => Number(other === "Bets") - Number(one === "Bets"));
}

export function spotButton(on, name) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "spot";
  button.dataset.on = on;
  for (const [kind, text] of [["name", name], ["odds", ""], ["put", ""]]) {
    button.append(Object.assign(document.createElement("span"), { className: kind, textContent: text }));
  }
  return button;
}

export function showSpot(button, spot) {
  button.className = `spot ${spot.tone}${spot.shut ? " shut" : ""}`;
  button.setAttribute("aria-label", spot.label);
  button.setAttribute("aria-disabled", String(!spot.open));
  const put = button.querySelector(".put");
  button.querySelector(".odds").textContent = spot.odds;
  put.textContent = spot.bets.map((bet) => bet.text ?? short(bet.cents)).join("  ");
  put.className = `put ${spot.bets.at(-1)?.state ?? ""}`;
}
