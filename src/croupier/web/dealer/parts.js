/** Small parts of the dealer's console: how far a round is, steps of several, a tile a player, one choice of some. */

import { dollars, h, icon } from "../kit/staff.js";

/** How far the round is: prepare, bets, play or settle. */
export function phase({ due, layout }) {
  const played = Object.values(layout.cards ?? {}).some((cards) => cards.length) || layout.boxes?.length > 0;
  const fallen = Boolean(layout.winner ?? layout.number ?? layout.dice ?? layout.symbol ?? layout.total);
  if (due.closes_betting) return 1;
  if (["deal", "roll", "spin"].includes(due.kind)) return 2;
  if (fallen || due.settles?.length) return 3;
  return played ? 2 : 0;
}

/** A step of several: done, now, or still to come. */
export function step(words, kind) {
  const given = { className: kind, "aria-current": kind === "now" ? "step" : undefined };
  return h("li", given, kind === "done" && icon("check"), h("span", words));
}

/** A player or terminal: the seat, what is staked, and the chips. */
export function tile({ name, seat, chips, staked, owes }, terminal = 0) {
  // The number says it already; only a reader hears the word besides.
  const head = h(
    "span",
    h("b", seat || terminal || "–"),
    h(terminal ? "span.sr" : "span.name", name),
    staked ? icon("check") : null,
  );
  const stake = h("small", staked ? dollars(staked) : "no bet", owes ? ` · owes ${dollars(owes)}` : "");
  return h(
    "li",
    { className: `t ${staked ? "ok" : "none"}` },
    head,
    stake,
    h("small.faint", `${dollars(chips)} chips`),
  );
}

/**
 * One choice of some; the first, if none is named.
 * @param {string} name
 * @param {string[][]} options what each is called, and its words
 * @param {string} [chosen]
 */
export function radios(name, options, chosen = options[0]?.[0]) {
  const radio = (value) => h("input", { type: "radio", name, value, checked: value === chosen });
  return h("span.radios", options.map(([value, words]) => h("label", radio(value), h("span", words))));
}

/** What the keys tell: a card, dice, a ball or a wheel. @param {string} kind @param {object} layout */
export function entryTitle(kind, layout) {
  const spun = "number" in layout ? "Ball fell" : "Wheel stopped";
  return { cards: "Card seen", dice: "Dice fell" }[kind] ?? spun;
}
