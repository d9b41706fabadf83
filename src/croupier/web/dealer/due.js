/**
 * What is due, in words and as controls.
 *
 * An act gets one main button that does it as it is usually done, with a field for what must be recorded with it; a
 * choice gets a button for each option; what falls is entered with the keys, so it gets none.  What players may say
 * beside what is due (to insure, to join a double) gets a button with the player's name.  What is usually recorded
 * with an act comes from the table (`due.usual`).
 *
 * @typedef {{words: string, fact: Record<string, unknown>}} Saying
 * @typedef {{refused: any, demo: boolean, called: boolean, above: (role: string) => boolean, says: Saying[],
 *            choose: (said: Saying) => void, perform: (detail: string) => void, call: () => void, runOn: () => void,
 *            paying: boolean}} Desk
 */

import { h, icon, kbd, plain } from "../kit/staff.js";

/** The acts that are told with a number, by their verbs. */
const NUMBERS = { cut: "Cards from the front", insert: "Cards from the back", "burn down": "Cards burned" };

const AGAIN = "What came was taken back: wagers stay as they are until it is entered again.";

const BESIDE = { insure: "insurance", even_money: "even money", double: "joins the double" };

/**
 * All that players can say now: first what is due from one of them, then what others may choose beside it.
 * @param {any} view
 * @returns {Saying[]}
 */
export function sayings({ due, layout, may = [] }) {
  const parted = layout.boxes?.find(({ asked }) => asked)?.asked ?? [];
  const own = (due.kind === "choose" ? due.options : []).flatMap((choose) => {
    if (choose !== "ride") return [{ words: plain(choose), fact: { choose, by: due.by } }];
    return parted.map((hand) => ({ words: `Ride on hand ${hand}`, fact: { choose, by: due.by, box: due.box, hand } }));
  });
  return [
    ...own,
    ...may.map(({ choose, by, box }) => ({ words: `${by}: ${BESIDE[choose] ?? choose}`, fact: { choose, by, box } })),
  ];
}

/** Whether an act is told by the card that was turned. */
export const needsCard = (due) => due.does?.verb === "burn up";

/** Whether an act is done as it usually is, without anything to be seen, typed or counted. */
export const isPlain = (due) => !(due.does?.verb in NUMBERS) && !needsCard(due);

/** A hand in a sentence: the Player, the Dealer, box 3. */
const whom = (place, cards) => (place in cards ? `the ${plain(place)}` : place);

/** What is due, as a heading. */
export function dueWords(due, layout) {
  // The wheel was spun and the dice were shaken by acts of their own: what is due now is to say what fell.
  const rolled = due.by === "dealer" ? "Enter the dice" : "Throw of the dice";
  const spun = "symbol" in layout ? "Enter the symbol" : "Enter the number";
  const names = { roll: rolled, spin: spun, over: "The round is over" };
  const third = layout.cards?.[due.to]?.length === 2 && "banker" in layout.cards;
  if (due.kind === "deal") return `${third ? "Third card" : "Card"} to ${whom(due.to, layout.cards ?? {})}`;
  const on = due.box && due.by !== `box ${due.box}` ? ` on box ${due.box}` : "";
  if (due.kind === "choose") return `${plain(due.by)} decides${on}`;
  return due.kind === "perform" ? plain(due.act) : names[due.kind];
}

/** The hand that somebody decides on, with its total: one player may have several boxes, and a box several hands. */
function inTurn({ box, hand }, { boxes = [] }) {
  const { hands = [] } = boxes.find(({ number }) => number === box)?.figures ?? {};
  const total = hands.find((each) => each.hand === hand)?.total;
  return total === undefined ? "" : `Box ${box}${hands.length > 1 ? `, hand ${hand},` : ""} has ${total}.`;
}

/** What there is to know about it: the counts, and who does it. */
export function dueWhy({ due, layout, betting }) {
  if (betting.taken_back) return `${AGAIN} ${due.kind === "perform" ? whoDoes(due) : ""}`.trim();
  const counts = Object.keys(layout.cards ?? {}).filter(
    (place) => layout.cards[place].length && typeof layout[place] === "number",
  );
  const counted = counts.map((place) => `The ${plain(place)} has ${layout[place]}.`).join(" ");
  const lies = { up: "It lies face up.", down: "It lies face down." }[due.face] ?? "";
  if (due.kind === "deal") return `${counted || "Enter the card as it is drawn."} ${lies}`.trim();
  const asked = `${inTurn(due, layout)} ${counted}`.trim() || due.summary;
  if (due.kind === "choose") return asked || `What does ${due.by} say?`;
  if (due.kind === "over") return "The next round opens with the first wager.";
  if (needsCard(due)) return "Enter the card that was turned.";
  const order = due.places ? `In this order: ${due.places.join(", ")}.` : "";
  if (due.kind !== "perform") return fallen(due, layout);
  return `${counted} ${whoDoes(due)} ${order} ${due.summary ?? ""}`.trim();
}

const whoDoes = ({ official, by }) => `By ${official ? `the ${by}` : whose(by)}.`;

/** Who it is, within a sentence: what has no name of its own is *the* stickperson. */
const whose = (by) => (["game system", "stickperson"].includes(by) ? `the ${by}` : by);

/** Where what is to be entered is seen. */
function fallen(due, layout) {
  if (due.kind === "roll")
    return due.by === "dealer" ? "The faces that lie up." : `By ${whose(due.by)}. Enter what fell.`;
  return "symbol" in layout ? "Where the wheel stopped." : "Where the ball fell.";
}

/**
 * The controls for what is due.
 * @param {any} due
 * @param {{asked: boolean, desk: Desk}} given `asked`: the act was refused, so its detail is asked for
 */
export function controls(due, { asked, desk }) {
  if (due.kind === "choose" || desk.says.length)
    return h(
      "div.do",
      desk.says.map((said, index) => option(said, index, { due, desk })),
    );
  if (due.kind !== "perform" || (needsCard(due) && !asked)) return h("div.do");
  const form = h("form.do", official(due, desk), detail(due, asked), mainButton(due, desk), further(due, desk));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement | null} */ (form.querySelector("input.detail"));
    desk.perform(field?.value.trim() ?? "");
  });
  return form;
}

/** A saying; its number is a key too, unless numbers are cards now. */
function option(said, index, { due, desk }) {
  const key = due.kind === "choose" && index < 9 ? kbd(index + 1) : "";
  return h("button.btn.big", { type: "button", onclick: () => desk.choose(said) }, said.words, key);
}

/** Several acts at once: what is due, and what follows it as it is usually done. */
function further(due, desk) {
  if (!isPlain(due) || desk.above(due.official)) return null;
  const given = { type: "button", id: "run-on", onclick: desk.runOn, "aria-label": "Done, and what follows as usual" };
  return h("button.btn.big", given, "and what follows", kbd("Space"));
}

function mainButton(due, desk) {
  const said = due.does.verb === "call" && due.does.of ? `Called “${due.does.of}”` : "Done";
  const called = desk.paying ? "All paid" : said;
  const words = desk.above(due.official) ? `${plain(due.by)} confirms` : called;
  const key = kbd("Enter");
  const className = desk.paying ? "btn big" : "btn main big";
  const given = { type: "submit", className, id: "main", "aria-label": `${words}: ${due.act}` };
  return h("button", given, icon("check"), words, key);
}

/**
 * Where this page's own role is not enough: a call for an official to confirm it, and, where nobody has an account, the
 * name of the one who does it here.  In a house with accounts they show name and password after they confirmed.
 */
function official(due, desk) {
  if (!desk.above(due.official)) return null;
  const input = h("input.input", { id: "official", value: "Sue", autocomplete: "off", maxLength: 40 });
  const words = desk.called ? `The ${due.by} is called` : `Call the ${due.by}`;
  const call = h("button.btn", { type: "button", onclick: desk.call, disabled: desk.called }, words);
  return [desk.demo && h("label.field", h("span", "Name"), input), call];
}

function detail(due, asked) {
  const usual = String(due.usual ?? "");
  // The words of a call are its own, whatever was refused.
  const open = asked && due.does.verb !== "call";
  if (usual === "" && !open && !(due.does.verb in NUMBERS)) return null;
  const given = { className: "input detail", value: usual, autocomplete: "off", maxLength: 60 };
  return h("label.field", h("span", NUMBERS[due.does.verb] ?? plain(due.act)), h("input", given));
}
