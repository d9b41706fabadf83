/**
 * Entering what fell: cards in a grid of 13 by 4, dice by their faces, a wheel by its places.
 *
 * Everything can be tapped, and typed: a card in two strokes (rank, then suit; ten is 0), dice one face after
 * another, a pocket by its number and Enter.  A key whose fact was refused keeps a ring until something else is done.
 *
 * @typedef {"cards" | "dice" | "pockets" | "symbols"} Kind
 */

import { pip } from "../kit/cards.js";
import { wagerKey } from "../kit/names.js";
import { cardWords, h } from "../kit/staff.js";

const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const FACES = ["1", "2", "3", "4", "5", "6"];
const DICE = { craps: 2, tai_sai: 3 };
const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

/**
 * How facts of a game are entered, from what the table shows.
 * @param {any} view
 * @returns {Kind}
 */
export function kindOf(view) {
  if (view.table.game in DICE) return "dice";
  if (view.offers.some((on) => wagerKey(on)[0] === "straight")) return "pockets";
  return Object.keys(view.layout.cards).length ? "cards" : "symbols";
}

/**
 * A keypad; `tell` gets the fact in the notation of the table.
 * @param {{tell: (fact: string) => void}} given
 */
export function keypad({ tell }) {
  const keys = h("div.keys");
  const typed = h("span.typed", { role: "status" });
  const hint = h("span.quiet.hint");
  let strokes = "";
  let kind = /** @type {Kind | ""} */ ("");
  let dice = 2;

  const type = (text) => {
    strokes = text;
    typed.textContent = text ? `${kind === "cards" && text === "0" ? "10" : text} …` : "";
  };
  const enter = (fact) => {
    type("");
    tell(fact);
  };
  const face = (value) => {
    const thrown = strokes ? `${strokes}-${value}` : value;
    if (thrown.split("-").length === dice) enter(thrown);
    else type(thrown);
  };

  /** Draw the keys for a game, once. */
  function show(view) {
    if (kind === kindOf(view)) return;
    kind = kindOf(view);
    dice = DICE[view.table.game] ?? 2;
    const draw = { cards: cardKeys, dice: diceKeys, pockets: pocketKeys, symbols: symbolKeys };
    keys.replaceChildren(...draw[kind](kind === "dice" ? face : enter, view));
    keys.dataset.kind = kind;
    hint.replaceChildren(...hints(kind, dice));
  }

  const strokesOf = {
    cards: (key) => {
      const rank = key === "0" ? "10" : key.toUpperCase();
      if (strokes && key.toLowerCase() in SUITS)
        enter((strokes === "0" ? "10" : strokes.toUpperCase()) + key.toLowerCase());
      else if (RANKS.includes(rank) && key !== "1") type(key.toUpperCase());
      else return false;
      return true;
    },
    dice: (key) => FACES.includes(key) && (face(key), true),
    pockets: (key) => {
      const digit = key >= "0" && key <= "9" && key.length === 1;
      // A number to which no digit can be added is whole: it needs no Enter.
      if (digit && Number(strokes + key) <= 36)
        strokes || Number(key) > 3 ? enter(String(Number(strokes + key))) : type(key);
      else if (key === "Enter" && strokes) enter(String(Number(strokes)));
      else return false;
      return true;
    },
    symbols: (key) => {
      const found = [...keys.querySelectorAll("button")].find((each) => each.dataset.fact === key.toUpperCase());
      if (found) enter(key.toUpperCase());
      return Boolean(found);
    },
  };

  /** Take a stroke of the keyboard; answers whether it meant something here. */
  function stroke(key) {
    if (key === "Escape" && strokes) {
      type("");
      return true;
    }
    return kind !== "" && strokesOf[kind](key);
  }

  /** Ring the key of a refused fact; without one, no key. */
  function mark(fact) {
    for (const key of keys.querySelectorAll(".on")) key.classList.remove("on");
    if (fact) keys.querySelector(`[data-fact="${CSS.escape(fact)}"]`)?.classList.add("on");
  }

  return { keys, typed, hint, show, stroke, mark, kind: () => kind, empty: () => type("") };
}

function key(fact, name, { kind = "", press, children }) {
  const made = h("button", { type: "button", className: `key ${kind}`, "aria-label": name }, children);
  made.dataset.fact = fact;
  // A key that was clicked gives the focus back, so that Enter goes on meaning what is due.
  made.addEventListener("click", (event) => {
    press(fact);
    if (event.detail) made.blur();
  });
  return made;
}

function cardKeys(press) {
  return Object.entries(SUITS).map(([suit, name]) => {
    const lead = h("span.lead", { "aria-hidden": "true" }, pip(suit), h("kbd", suit.toUpperCase()));
    const colour = "hd".includes(suit) ? "red" : "black";
    const cards = RANKS.map((rank) => {
      const sign = pip(suit);
      sign.setAttribute("aria-hidden", "true");
      return key(rank + suit, cardWords(rank + suit), { kind: colour, press, children: [h("b", rank), sign] });
    });
    return h("div.suit", { role: "group", "aria-label": name }, lead, cards);
  });
}

function diceKeys(press) {
  const face = (value) => key(value, `A die shows ${value}`, { kind: "black", press, children: [h("b", value)] });
  return [h("div.faces", { role: "group", "aria-label": "A die, one after another" }, FACES.map(face))];
}

function pocketKeys(press, view) {
  const numbers = view.offers.filter((on) => wagerKey(on)[0] === "straight").map((on) => wagerKey(on)[1]);
  const colour = (number) => (number === "0" ? "zero" : RED.has(Number(number)) ? "red" : "black");
  const pocket = (number) =>
    key(number, `${number}, ${colour(number)}`, { kind: colour(number), press, children: [h("b", number)] });
  return [h("div.pockets", { role: "group", "aria-label": "The pocket" }, numbers.map(pocket))];
}

function symbolKeys(press, view) {
  const symbol = (on) => key(on, `The wheel stopped at ${on}`, { kind: "black", press, children: [h("b", on)] });
  return [h("div.pockets", { role: "group", "aria-label": "Where the wheel stopped" }, view.offers.map(symbol))];
}

function hints(kind, dice) {
  const kbd = (text) => h("kbd", text);
  const words = {
    cards: ["Rank, then suit: ", kbd("9"), " ", kbd("D"), ". Ten is ", kbd("0"), "."],
    dice: [`Type the ${dice === 3 ? "three" : "two"} faces one after another: `, kbd("3"), " ", kbd("4"), "."],
    pockets: ["Type the number; after a single ", kbd("0"), " to ", kbd("3"), " press ", kbd("Enter"), "."],
    symbols: ["Type the symbol."],
  };
  return words[kind];
}
