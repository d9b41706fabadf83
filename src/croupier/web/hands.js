/**
 * The cards at the top of a terminal: two hands with the cut-off ring between them.
 *
 * A card that has just come is dealt in with a movement; the others stay as they are, so that nothing moves twice.
 * Between rounds the table has no cards, and the hands of the round before stay, with its number.
 */

import { cardBack, cardFront, cardPlace, cardWords } from "./cards.js";
import { resultWords } from "./names.js";

/**
 * @typedef {{title: string, kind: string, count: string, won: boolean, hands: string[][], places: number, note: string,
 *            lie: "left" | "right" | ""}} Shown one side of the table
 */

/**
 * Put one side of the table into its box.
 * @param {HTMLElement} box
 * @param {Shown} shown
 */
export function showBox(box, shown) {
  box.className = `box ${shown.kind}`;
  if (!box.firstChild) box.innerHTML = `<h2><span class="title"></span><b></b><span class="won" hidden>won</span></h2><div class="hand"></div><p></p>`;
  box.querySelector(".title").textContent = shown.title;
  box.querySelector("b").textContent = shown.count;
  box.querySelector(".won").hidden = !shown.won;
  box.querySelector("p").textContent = shown.note;
  showCards(box.querySelector(".hand"), shown);
}

function showCards(hand, { hands, places, lie }) {
  const wanted = hands.flatMap((cards, index) => [...(index ? ["gap"] : []), ...cards]);
  for (let missing = places - wanted.length; missing > 0; missing -= 1) wanted.push("place");
  const before = (hand.dataset.cards ?? "").split(" ");
  if (before.join(" ") === wanted.join(" ")) return;
  hand.dataset.cards = wanted.join(" ");
  hand.classList.toggle("many", wanted.length > 3);
  hand.classList.toggle("most", wanted.length > 6);
  const drawn = wanted.map((card, index) => {
    const lying = Boolean(lie) && index === 2;
    if (card === "gap") return Object.assign(document.createElement("span"), { className: "gap" });
    const made = card === "place" ? cardPlace({ lying }) : card === "back" ? cardBack() : cardFront(card, { lying });
    if (card !== "place" && before[index] !== card) made.classList.add("dealt");
    return made;
  });
  // The third card of the left hand lies on the outside, like that of the right one.
  hand.replaceChildren(...(lie === "left" ? [...drawn.slice(2), ...drawn.slice(0, 2)] : drawn));
}

/**
 * Both sides for the game of this view; `past` is the last layout with cards, and its round.
 * @param {any} view
 * @param {{round: number, layout: any, boxes: any[]} | null} past
 * @returns {[Shown, Shown]}
 */
export function sidesOf(view, past) {
  if (view.table.game === "baccarat") return baccarat(view, past);
  if (view.layout.cards.dealer) return dealt(view, past);
  return called(view);
}

function baccarat(view, past) {
  const dealing = view.layout.cards.player.length > 0;
  const last = view.history.at(-1);
  const earlier = past && past.round === last?.round ? past.layout : { ...last, cards: { player: [], banker: [] } };
  const layout = dealing ? view.layout : earlier;
  return /** @type {[Shown, Shown]} */ (
    ["player", "banker"].map((side) => {
      const cards = layout.cards[side] ?? [];
      const known = dealing ? cards.length > 0 : last !== undefined;
      return {
        title: side.toUpperCase(),
        kind: side,
        count: known ? String(layout[side]) : "",
        won: layout.winner === side,
        hands: [cards],
        places: 3,
        note: dealing ? drawnWords(layout, cards, layout[side]) : last ? `Previous hand ${last.round}` : "",
        lie: side === "player" ? "left" : "right",
      };
    })
  );
}

function drawnWords(layout, cards, total) {
  if (cards.length > 2) return `Drew the ${cardWords(cards[2])}`;
  if (!layout.winner) return "\u00a0";
  return layout.natural && total >= 8 ? `Natural ${total}` : `Stands on ${total}`;
}

function dealt(view, past) {
  const dealing = view.layout.cards.dealer.length > 0 || view.layout.boxes.some(({ hands }) => hands[0]?.length);
  const layout = dealing ? view.layout : past?.layout ?? view.layout;
  const mine = (dealing ? view.me.boxes : past?.boxes) ?? [];
  const stud = view.table.game === "caribbean_stud";
  const places = stud ? 5 : 2;
  const note = dealing || !past ? "\u00a0" : `Previous round ${past.round}`;
  const dealer = stud ? covered(layout) : layout.cards.dealer;
  const box = { kind: "", count: "", won: false, places, note, lie: /** @type {""} */ ("") };
  const hands = mine.flatMap((each) => each.hands);
  const own = hands.length ? hands : [[]];
  const said = stud ? mine.map(({ figures }) => (figures?.result ? figures.hand : "")) : mine.flatMap(totals);
  return [
    { ...box, title: "DEALER", count: stud ? layout.dealer ?? "" : String(layout.dealer || ""), hands: [dealer] },
    { ...box, title: own.length > 1 ? "YOUR HANDS" : "YOUR HAND", count: said.filter(Boolean).join(", "), hands: own },
  ];
}

const totals = ({ figures }) => (figures?.hands ?? []).map(({ total, state }) => (total ? state ?? String(total) : ""));

/** The dealer's hand at stud lies face down, but for one card, until it is turned over. */
function covered(layout) {
  if (layout.dealer) return layout.cards.dealer;
  return layout.cards.dealer.map((card) => (card === layout.up_card ? card : "back"));
}

function called(view) {
  const { game } = view.table;
  const now = resultWords(game, view.layout);
  const last = view.history.at(-1);
  const shown = now.text !== "–" || !last ? now : resultWords(game, last);
  const fresh = now.text !== "–";
  const point = view.layout.puck ? `Puck ${view.layout.puck.toLowerCase()}` : "";
  const box = { kind: "called", won: false, hands: [[]], places: 0, lie: /** @type {""} */ ("") };
  return [
    { ...box, title: fresh ? "RESULT" : "LAST RESULT", count: shown.text, note: shown.says },
    { ...box, title: point ? "TABLE" : "CALLED", count: point, note: view.said.at(-1) ? `“${view.said.at(-1)}”` : "Nothing yet" },
  ];
}
