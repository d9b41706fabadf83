/**
 * The choices of a hand, as buttons: what is due from this player, and what may be chosen beside it (to insure, to
 * take even money, to join a double).  Every button names the box and the hand that it was shown for, so that a late
 * tap is never taken for another hand.  There is no advice here: the buttons are what the rules know, in their order,
 * all alike, each with what it costs; one that is not open on this hand stays in its place and says when it is.
 */

import { short } from "../kit/money.js";
import { named } from "../kit/names.js";
import { language, t } from "../kit/words.js";

/** What a choice costs, under its word: the table has reckoned it. */
function cost(option, view, where) {
  const { me } = view;
  if (option === "fold") return t("ante-is-lost");
  if (option === "hit") return t("one-card");
  if (option === "surrender") return t("half-is-lost");
  if (option === "stand" && where.box) return onTotal(totalOf(view, where));
  const cents = me.costs?.[`${option}@${where.box}`] ?? me.costs?.[option];
  return cents ? `${option === "bet" || option === "insure" ? "" : "+ "}${short(cents)}` : "";
}

/** The words of a hand that are always there, in the order in which the rules have them. */
const WORDS = ["stand", "hit", "double", "split"];
/** So many totals have room under a word. */
const TOTALS = 4;

const totalOf = ({ layout }, { box, hand }) =>
  layout.boxes.find(({ number }) => number === box)?.figures?.hands?.find((each) => each.hand === hand)?.total;
const onTotal = (total) => (total === undefined ? "" : t("on-totals", { totals: total }));

/** When a choice is open that is not open now: on which totals, on which hands, with how much money. */
function whenOf(option, { totals }) {
  const on = totals[option] ?? [];
  if (option === "stand") return t("from-total", { total: on[0] ?? "" });
  if (option === "split") return t("on-a-pair");
  return on.length && on.length <= TOTALS ? t("on-totals", { totals: on.join(", ") }) : t("on-first-cards");
}

/** Offers that were answered with no: silence declines, so nothing is sent. @type {Set<string>} */
const declined = new Set();
const offerOf = ({ round, due }, { choose, box }) => [round, choose, box, due.hand ?? ""].join(" ");
const offered = (view) => (view.me.may ?? []).filter((each) => !declined.has(offerOf(view, each)));

/**
 * All that this player may choose now: words for the button, and the fact that it tells.
 * @param {any} view
 * @returns {{label: string, more: string, fact: Record<string, unknown>, no?: string[], shut?: boolean}[]}
 */
export function choicesOf(view) {
  const { due, me, layout } = view;
  const where = due.box ? { box: due.box, hand: due.hand } : {};
  const found = [];
  const made = (option, at, more = "") => ({
    label: `${named("choice", option)}${more}`,
    more: cost(option, view, at),
    fact: { choose: option, ...at },
  });
  const asked = me.asked ? due.options : [];
  // Where the words of a hand are asked for, those that are not open on it stay in their places.
  const words = asked.includes("hit") ? [...WORDS, ...asked.filter((each) => !WORDS.includes(each))] : asked;
  for (const option of words) {
    if (!asked.includes(option)) {
      found.push({ label: named("choice", option), more: whenOf(option, view), fact: {}, shut: true });
      continue;
    }
    const parted = layout.boxes.find(({ asked }) => asked)?.asked ?? [];
    if (option === "ride") found.push(...parted.map((hand) => made(option, { hand, box: due.box }, ` ${hand}`)));
    else found.push(made(option, parted.length ? { box: due.box } : where));
  }
  const open = offered(view);
  const several = new Set(open.map(({ box }) => box)).size > 1;
  for (const { choose, box } of open) found.push(made(choose, { box }, several ? t("at-box", { box }) : ""));
  const all = found.map((each) => ({ ...each, fact: { ...each.fact, by: me.name } }));
  const no = { label: t("choice-no"), more: "", fact: {}, no: open.map((each) => offerOf(view, each)) };
  return open.length && !me.asked ? [...all, no] : all;
}

/** The dealer's card that lies face up, where another lies face down beside it: an ace, or what it counts. */
function upCard({ cards }) {
  const rank = (cards.dealer ?? []).find((card) => card !== "?")?.slice(0, -1) ?? "";
  return ["J", "Q", "K"].includes(rank) ? "10" : rank;
}

/** Whose turn it is, in a sentence. */
function sentenceOf({ due, me, layout, table }) {
  if (!me.asked && me.may?.length)
    return me.may.some(({ choose }) => choose === "insure")
      ? t("insurance-question")
      : t("you-may-choose");
  if (table.game === "caribbean_stud") return t("stud-turn");
  if (table.game === "craps") return t("dice-offered");
  const box = layout.boxes.find(({ number }) => number === due.box);
  const total = totalOf({ layout }, due);
  const split = (box?.hands.length ?? 1) > 1 ? t("hand-of", { hand: due.hand, hands: box.hands.length }) : "";
  const shown = layout.dealer || upCard(layout);
  const against = shown ? t("against", { dealer: shown }) : "";
  return box ? t("your-turn", { box: due.box, split, total: total ?? "", against }) : t("your-choice");
}

/**
 * Show them in their place; answers with what there is, and the sentence over it.
 * @param {HTMLElement} place
 * @param {any} view
 * @param {(fact: object, label: string) => Promise<void>} tell
 */
export function showChoices(place, view, tell) {
  const found = choicesOf(view);
  const key = found.length ? JSON.stringify([language(), view.round, view.layout.boxes, found]) : "";
  place.hidden = !found.length;
  const sentence = found.length ? sentenceOf(view) : "";
  if (place.dataset.key === key) return { found, sentence };
  place.dataset.key = key;
  place.replaceChildren(...found.map((each) => button(place, each, tell)));
  return { found, sentence };
}

function button(place, { label, more, fact, no, shut = false }, tell) {
  const drawn = Object.assign(document.createElement("button"), { type: "button", className: "choice" });
  drawn.append(Object.assign(document.createElement("span"), { className: "word", textContent: label }));
  if (more) drawn.append(Object.assign(document.createElement("small"), { textContent: more }));
  drawn.disabled = shut;
  drawn.dataset.shut = String(shut);
  drawn.addEventListener("click", async () => {
    for (const offer of no ?? []) declined.add(offer);
    if (no) return dispatchEvent(new Event("declined"));
    for (const each of place.children) each.disabled = true;
    await tell(fact, label);
    for (const each of place.children) each.disabled = each.dataset.shut === "true";
  });
  return drawn;
}
