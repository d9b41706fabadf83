/**
 * What is due, in words and as controls.
 *
 * An act gets one main button that does it as it is usually done, with a field for what must be recorded with it; a
 * choice gets a button for each option; what falls is entered with the keys, so it gets none.  What players may say beside
 * what is due (to insure, to join a double) gets a button with the player's name.  What is usual comes from
 * the table (`due.usual`); where the table does not name it, the rule's summary or its refusal may.
 *
 * @typedef {{words: string, fact: Record<string, unknown>}} Saying
 * @typedef {{refused: any, lastCard: string, above: (role: string) => boolean, says: Saying[], choose: (said: Saying) => void,
 *            perform: (detail: string) => void}} Desk
 */

import { h, icon, kbd, plain } from "./staff.js";

const ACTS_WITH_NUMBER = ["cut", "insert cutting card", "burn face down"];
const ACTS_WITH_CARD = ["burn face up"];
const NUMBERS = { cut: "Cards from the front", "insert cutting card": "Cards from the back", "burn face down": "Cards burned" };

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
  return [...own, ...may.map(({ choose, by, box }) => ({ words: `${by}: ${BESIDE[choose] ?? choose}`, fact: { choose, by, box } }))];
}

/** Whether an act is told by the card that was turned. */
export const needsCard = (due) => due.kind === "perform" && ACTS_WITH_CARD.includes(due.act);

/** A hand in a sentence: the Player, the Dealer, box 3. */
const whom = (place) => (/\d/.test(place) ? place : `the ${plain(place)}`);

/** What is due, as a heading. */
export function dueWords(due, layout) {
  const names = { roll: "Roll the dice", spin: "Spin", over: "The round is over" };
  const third = layout.cards?.[due.says.slice(5)]?.length === 2 && "banker" in layout.cards;
  if (due.kind === "deal") return `${third ? "Third card" : "Card"} to ${whom(due.says.slice(5))}`;
  if (due.kind === "choose") return `${plain(due.by)} decides`;
  return due.kind === "perform" ? plain(due.act) : names[due.kind];
}

/** What there is to know about it: the counts, and who does it. */
export function dueWhy(due, layout) {
  const counts = Object.keys(layout.cards ?? {}).filter((place) => layout.cards[place].length && typeof layout[place] === "number");
  const told = counts.map((place) => `The ${plain(place)} has ${layout[place]}.`).join(" ");
  if (due.kind === "deal") return told || "Enter the card as it is drawn.";
  if (due.kind === "choose") return told || `What does ${due.by} say?`;
  if (due.kind === "over") return "The next round opens with the first wager.";
  if (needsCard(due)) return "Enter the card that was turned.";
  const who = `By ${/\d|^[A-Z]/.test(due.by) ? "" : "the "}${due.by}.`;
  return due.kind === "perform" ? `${told} ${who} ${due.summary ?? ""}`.trim() : `${who} Enter what fell.`;
}

/**
 * The controls for what is due.
 * @param {any} due
 * @param {{asked: boolean, desk: Desk}} given `asked`: the act was refused, so its detail is asked for
 */
export function controls(due, { asked, desk }) {
  if (due.kind === "choose" || desk.says.length) return h("div.do", desk.says.map((said, index) => option(said, index, { due, desk })));
  if (due.kind !== "perform" || (needsCard(due) && !asked)) return h("div.do");
  const form = h("form.do", official(due, desk), detail(due, asked, desk), mainButton(due, desk));
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

function mainButton(due, desk) {
  const called = due.act.startsWith("call ") ? `Called “${due.act.slice(5)}”` : "Done";
  const words = desk.above(due.by) ? `${plain(due.by)} confirms` : called;
  const key = kbd("Enter");
  const given = { type: "submit", className: "btn main big", id: "main", "aria-label": `${words}: ${due.act}` };
  return h("button", given, icon("check"), words, key);
}

/** The name of the official who must do it, where this page's own role is not enough. */
function official(due, desk) {
  if (!desk.above(due.by)) return null;
  const input = h("input.input", { id: "official", value: "Sue", autocomplete: "off", maxLength: 40 });
  return h("label.field", h("span", "Name"), input);
}

function detail(due, asked, desk) {
  const usual = String(due.usual ?? "");
  if (usual === "" && !asked && !ACTS_WITH_NUMBER.includes(due.act)) return null;
  const offered = desk.refused ? wanted(desk.refused.reason, due) : [usual || guessed(due, desk)];
  const given = { className: "input detail", value: offered[0] ?? "", list: "offered", autocomplete: "off", maxLength: 60 };
  const list = h("datalist", { id: "offered" }, offered.length > 1 ? offered.map((each) => h("option", { value: each })) : []);
  return h("label.field", h("span", NUMBERS[due.act] ?? "Detail"), h("input", given), list);
}

/** A number to begin with: the least that the rule's summary speaks of, or the card's own. */
function guessed(due, desk) {
  const least = /at least (\d+) cards/.exec(due.summary);
  if (due.act === "burn face down") return /^\d+/.exec(desk.lastCard)?.[0] ?? "";
  return least ? least[1] : due.act === "cut" ? "100" : "";
}

/** What a refusal asks for, where it names it; the people who inspect are told apart by name. */
function wanted(reason, due) {
  const named = /where (.*?) is due/.exec(reason)?.[1].split(" or ");
  const number = /(?:at least|about) (\d+)/.exec(reason);
  if (due.act.startsWith("inspect as")) return [plain(due.by)];
  return named ?? (number ? [number[1]] : []);
}
