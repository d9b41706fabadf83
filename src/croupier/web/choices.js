/**
 * The choices of a hand, as buttons: what is due from this player, and what may be chosen beside it (to insure, to take
 * even money, to join a double).  Every button names the box and the hand that it was shown for, so that a late tap is
 * never taken for another hand.  There is no advice here: the buttons are what the rules leave open, in their order.
 */

import { words } from "./names.js";

const WORDS = { insure: "Insurance", even_money: "Even money", ride: "Ride on hand" };

/**
 * All that this player may choose now: words for the button, and the fact that it tells.
 * @param {any} view
 * @returns {{label: string, fact: Record<string, unknown>}[]}
 */
export function choicesOf({ due, me, layout }) {
  const where = due.box ? { box: due.box, hand: due.hand } : {};
  const found = [];
  for (const option of me.asked ? due.options : []) {
    const parted = layout.boxes.find(({ asked }) => asked)?.asked ?? [];
    if (option === "ride") found.push(...parted.map((hand) => made(option, { hand, box: due.box }, ` ${hand}`)));
    else found.push(made(option, parted.length ? { box: due.box } : where));
  }
  const several = new Set((me.may ?? []).map(({ box }) => box)).size > 1;
  for (const { choose, box } of me.may ?? []) found.push(made(choose, { box }, several ? `, box ${box}` : ""));
  return found.map(({ label, fact }) => ({ label, fact: { ...fact, by: me.name } }));
}

const made = (option, where, more = "") => ({ label: `${WORDS[option] ?? words(option)}${more}`, fact: { choose: option, ...where } });

/**
 * Show them in their place; answers with whether there are any.
 * @param {HTMLElement} place
 * @param {any} view
 * @param {(fact: object, label: string) => Promise<void>} tell
 */
export function showChoices(place, view, tell) {
  const found = choicesOf(view);
  const key = found.length ? JSON.stringify([view.round, view.layout.boxes, found]) : "";
  place.hidden = !found.length;
  if (place.dataset.key === key) return found;
  place.dataset.key = key;
  place.replaceChildren(...found.map((each) => button(place, each, tell)));
  return found;
}

function button(place, { label, fact }, tell) {
  const drawn = Object.assign(document.createElement("button"), { type: "button", className: "btn", textContent: label });
  drawn.addEventListener("click", async () => {
    for (const each of place.children) each.disabled = true;
    await tell(fact, label);
    for (const each of place.children) each.disabled = false;
  });
  return drawn;
}
