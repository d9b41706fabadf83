/**
 * A piece of felt that can be bet on: areas, and over them a layer of chips.
 *
 * A felt draws its areas once and says where chips lie on each; every view then only changes what an area says and what
 * lies on it.  A place is named by its wager, and by its box too where a game has boxes (`main@3`).  A tap bets, a long
 * press or the right button takes back; the arrow keys go from area to area.
 *
 * @typedef {{bets: import("./chips.js").Bet[], label: string, odds: string, open: boolean, shut: boolean, tone:
 * string}} Spot
 * @typedef {{tap: (on: string, box?: number) => void, hold: (on: string, box?: number) => void, chip: () => number}}
 * Hands
 * @typedef {{view: any, layout: any, boxes: any[], settled: boolean, spots: Map<string, Spot>, past: any, moving:
 * boolean,
 *            odds: (on: string) => string, box: number, amount: (on: string) => number}} Scene what is to be shown
 * @typedef {{main: Element[], left?: Element, right?: Element, known: Set<string>, boxes?: boolean,
 *            show: (scene: Scene) => void, perform?: (before: any, view: any) => Promise<void>,
 *            gone?: () => void}} Felt `gone` is called when another felt is laid in its place
 */

import { svg } from "../kit/cards.js";
import { laid } from "./chips.js";

/** The name of a place. @param {string} on @param {number} [box] */
export const placeOf = (on, box = 0) => (box ? `${on}@${box}` : on);

/** Words on the cloth. */
export const words = (text, x, y, kind = "", more = {}) =>
  svg("text", { ...(kind ? { class: kind } : {}), x, y, ...more }, String(text));
export const rect = (kind, [x, y, width, height], more = {}) =>
  svg("rect", { ...(kind ? { class: kind } : {}), x, y, width, height, ...more });
export const path = (kind, d, more = {}) => svg("path", { class: kind, d, ...more });
export const circle = (kind, cx, cy, r, more = {}) => svg("circle", { class: kind, cx, cy, r, ...more });
export const group = (kind, ...children) => svg("g", kind ? { class: kind } : {}, ...children);

/** An element of the page. */
export function html(tag, kind = "", ...children) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * @param {{box: string, label: string, kind?: string, hands: Hands}} how
 */
export function cloth({ box, label, kind = "", hands }) {
  const element = svg("svg", { class: `cloth ${kind}`.trim(), viewBox: box, role: "group", "aria-label": label });
  // Where a layout is printed by the law in its own words, they stay as printed.
  if (kind.includes("craps")) element.setAttribute("translate", "no");
  const [under, chips, over] = ["under", "laid", "over"].map((each) => group(each));
  element.append(under, chips, over);
  /** @type {Map<string, {node: SVGElement, kind: string, chip: any, bets: SVGElement, drawn: string}>} */
  const areas = new Map();

  /**
   * An area for a wager.
   * @param {string} on
   * @param {{kind?: string, parts: Node[], chip: import("./chips.js").Place, number?: number, tabs?: boolean, tag?:
   * string}} how
   */
  function area(on, { kind: sort = "", parts, chip, number = 0, tabs = true }) {
    const node = svg("g", { class: `area ${sort}`, role: "button", tabindex: tabs ? 0 : -1, "data-on": on }, ...parts);
    if (number) node.setAttribute("data-box", String(number));
    press(node, () => hands.tap(on, number), () => hands.hold(on, number));
    const bets = svg("g", { class: "bet", "data-bet": on, "aria-hidden": "true" });
    if (number) bets.setAttribute("data-box", String(number));
    chips.append(bets);
    under.append(node);
    areas.set(placeOf(on, number), { node, kind: sort, chip, bets, drawn: "" });
    return node;
  }

  function show(spots) {
    for (const [name, place] of areas) showArea(place, spots.get(name));
  }

  element.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const from = /** @type {Element} */ (event.target);
    if (!step || !from.matches("[data-on]")) return;
    event.preventDefault();
    /** @type {any} */ (nearest([...element.querySelectorAll("[data-on]")], from, step))?.focus();
  });
  return { element, under, over, chips, areas, area, show };
}

/** The area that comes next in a direction: the nearest, with what lies aside counted double. */
export function nearest(all, from, [right, down]) {
  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const other of all) {
    const [ox, oy] = middle(other);
    const [along, aside] = right ? [(ox - x) * right, Math.abs(oy - y)] : [(oy - y) * down, Math.abs(ox - x)];
    if (other === from || along < 1) continue;
    const far = along + aside * 2;
    if (far < least) [best, least] = [other, far];
  }
  return best;
}

/** A tap, Enter or the space bar; a long press arrives as a request for the menu, as the right button does. */
export function press(node, tap, hold) {
  node.addEventListener("click", tap);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    tap();
  });
  node.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    hold();
  });
}

function showArea(place, spot) {
  const { node, kind, chip, bets } = place;
  if (!spot) return;
  const lies = spot.bets.length ? " bet-on" : "";
  const named = `area ${kind} ${spot.tone}${spot.shut ? " shut" : ""}${spot.late ? " late" : ""}${lies}`;
  const key = JSON.stringify([named, spot.label, spot.open, spot.odds, spot.bets]);
  if (place.drawn === key) return;
  place.drawn = key;
  node.setAttribute("class", named);
  node.setAttribute("aria-label", spot.label);
  node.setAttribute("aria-disabled", String(!spot.open));
  for (const odds of node.querySelectorAll(".odds"))
    (odds.querySelector("textPath") ?? odds).textContent = odds.classList.contains("full") ? spot.full : spot.odds;
  bets.replaceChildren(...(spot.bets.length ? laid(spot.bets, chip) : []));
}
