/**
 * The boxes of blackjack: who has one, its hands and their totals, and on which box the next bet goes.
 */

import { cardFront } from "./cards.js";

/**
 * @param {{count: number, onPick: (box: number) => void}} how
 * @returns {{element: HTMLElement, show: (view: any, chosen: number) => void}}
 */
export function boxStrip({ count, onPick }) {
  const element = Object.assign(document.createElement("div"), { className: "seats" });
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", "Boxes");
  const tiles = Array.from({ length: count }, (_, index) => tile(index + 1, onPick));
  element.append(...tiles);
  return { element, show: (view, chosen) => tiles.forEach((button, index) => showTile(button, view, { number: index + 1, chosen })) };
}

function tile(number, onPick) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "seat" });
  button.dataset.box = String(number);
  button.addEventListener("click", () => onPick(number));
  return button;
}

function showTile(button, view, { number, chosen }) {
  const box = view.layout.boxes.find((each) => each.number === number);
  const mine = view.me.boxes?.some((each) => each.number === number) || view.me.seat === number;
  const turn = view.due.box === number ? view.due.hand : 0;
  const key = JSON.stringify([box, mine, turn, chosen === number]);
  if (button.dataset.key === key) return;
  button.dataset.key = key;
  button.className = `seat${mine ? " mine" : ""}${turn ? " turn" : ""}`;
  button.setAttribute("aria-pressed", String(chosen === number));
  const whose = mine ? "You" : box ? "Taken" : "Free";
  const title = span("title", `Box ${number}`);
  button.replaceChildren(title, span("whose", whose), ...(box ? box.hands.map((cards, index) => handOf(box, { cards, index, turn })) : []));
}

function handOf(box, { cards, index, turn }) {
  const figures = box.figures?.hands?.[index] ?? {};
  const shown = span("cards", "");
  shown.append(...cards.map((card) => cardFront(card)));
  const hand = span(`mini${turn === (figures.hand ?? index + 1) ? " now" : ""}`, "");
  hand.append(shown, span("total", cards.length ? `${figures.total ?? ""}${figures.state ? ` ${figures.state}` : ""}` : ""));
  return hand;
}

const span = (kind, text) => Object.assign(document.createElement("span"), { className: kind, textContent: text });
