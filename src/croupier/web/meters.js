/**
 * The words around the felt: the heading, the six items that every terminal shows (limits, time, credits, wagered,
 * previous result, previous win), what is said while bets are closed, and the rules of the table in short.
 */

import { dollars, range, short } from "./money.js";
import { EDITIONS, gameWords, kindOf, resultWords, wagerWords } from "./names.js";

/** @param {string} id @returns {any} */
export const at = (id) => document.getElementById(id);
const entry = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
/** So many characters of an amount have room in its place in large figures. */
const FITS = 11;
const roundWord = (view) => (view.table.game === "baccarat" ? "Hand" : "Round");

export function showHeading(view) {
  const { table } = view;
  document.title = `Table ${table.name} · croupier`;
  at("who").textContent = view.terminal ? view.me.name : view.me.seat ? `Terminal ${view.me.seat}` : "Terminal";
  at("table").textContent = `Table ${table.name}`;
  at("game").textContent = gameWords(table);
  at("round").textContent = `${roundWord(view)} ${view.round}`;
  at("practice").hidden = !table.practice;
  document.body.classList.toggle("practised", table.practice);
  document.querySelector(".board").classList.toggle("plain", table.game !== "baccarat");
}

/** The least and the most of a wager, in cents. @returns {[number, number]} */
export function limits(view, on) {
  return view.terminal?.limits[on] ?? view.sign.kinds[on] ?? view.sign.kinds[kindOf(on)] ?? view.me.limits ?? [view.sign.minimum, view.sign.maximum];
}

/**
 * @param {any} view
 * @param {{sending: number, win: {amount: number, round: number} | null, settled: boolean}} own what only this page knows
 */
export function showMeters(view, { sending, win, settled }) {
  const word = roundWord(view);
  at("credits").textContent = dollars(view.me.chips ?? 0);
  at("credits").classList.toggle("long", at("credits").textContent.length > FITS);
  at("wagered-name").textContent = `Wagered this ${word.toLowerCase()}`;
  at("wagered").textContent = dollars(view.me.staked ?? 0);
  at("wagered").classList.toggle("long", at("wagered").textContent.length > FITS);
  at("sending").textContent = sending ? `+ ${dollars(sending)} being sent` : "\u00a0";
  at("sending").className = sending ? "w" : "";
  const last = view.history.at(-1);
  if (last) result(view.table.game, last, word);
  at("win").textContent = win?.amount ? dollars(win.amount) : "–";
  at("win-more").textContent = !win ? "None yet" : win.amount ? `${word} ${win.round}, credited` : `Nothing on ${word.toLowerCase()} ${win.round}`;
  at("win-box").classList.toggle("hit", Boolean(win?.amount) && win.round === view.round - 1 && settled);
  limitList(view);
}

function result(game, last, word) {
  const { text, tone, says, short: first, more } = resultWords(game, last);
  const mark = Object.assign(document.createElement("span"), { className: "PBT".includes(tone) ? `side ${tone}` : `n ${tone}`, textContent: text });
  at("result").replaceChildren(mark, first ?? "");
  at("result-more").textContent = [more ?? says, `${word.toLowerCase()} ${last.round}`].filter(Boolean).join(", ");
}

function limitList(view) {
  const own = view.terminal?.limits;
  const general = view.terminal ? [view.terminal.minimum, view.terminal.maximum] : view.me.limits ?? [view.sign.minimum, view.sign.maximum];
  const named = own ? view.offers.filter((on) => String(own[on]) !== String(general)) : Object.keys(view.sign.kinds).filter((kind) => view.offers.includes(kind));
  const plain = view.table.game === "baccarat" ? view.offers.filter((on) => !named.includes(on)).map(wagerWords).join(", ") : "Each bet";
  const rows = [[plain, general], ...named.map((kind) => [wagerWords(kind), own?.[kind] ?? view.sign.kinds[kind]])];
  const words = rows.map(([name, [least, most]]) => [name, range(least, most)]);
  // The pool that the jackpot wagers of this table play for, as its link's meter shows it.
  if (typeof view.pool === "number") words.push(["Jackpot pool", dollars(view.pool)]);
  const key = JSON.stringify(words);
  if (at("limits").dataset.key === key) return;
  at("limits").dataset.key = key;
  at("limits").replaceChildren(...words.flatMap(([name, text]) => [entry("dt", name), entry("dd", text)]));
}

/** What is said in place of the buttons while bets are closed. */
export function showSaid(view) {
  const playing = view.layout.boxes.length > 0;
  const decided = view.table.game === "baccarat" ? view.layout.winner : !playing && resultWords(view.table.game, view.layout).text !== "–";
  const staked = view.me.staked ? `You have ${short(view.me.staked)} on this ${roundWord(view).toLowerCase()}.` : "Bets open again shortly.";
  const { text, tone, says } = resultWords(view.table.game, view.layout);
  const first = entry("b", decided ? `${says}.` : view.table.open ? "No more bets." : "This table is closed.");
  const lines = Object.assign(document.createElement("span"), { className: "lines" });
  lines.append(first, entry("span", staked));
  const mark = Object.assign(document.createElement("span"), { className: `side ${tone}`, textContent: text });
  at("said").replaceChildren(...(decided && "PBT".includes(tone) ? [mark] : []), lines);
}

const SHOE =
  "The order of these virtual cards was fixed before the first one: the SHA-256 of a text that starts with random digits and names every card in turn. When the shoe is done the text is told here, and anybody can check it against the hash.";

/** What is told of a virtual shoe, for whoever wants to check it. */
function shoeRows({ commitment, revealed }) {
  const code = (text, kind = "") => Object.assign(entry("code", text), { className: kind });
  const rows = [["This shoe", SHOE, code(commitment)]];
  if (revealed) rows.push(["Last shoe", "Its hash, and the text that it was made of:", code(revealed.commitment), code(revealed.order, "shoe-order")]);
  return rows;
}

function told(parts) {
  const value = document.createElement("dd");
  value.append(...parts.flatMap((part, index) => (index ? [document.createElement("br"), part] : [part])));
  return value;
}

export function showRules({ table, sign, shoe }) {
  const rows = [["Game", gameWords(table)], ["Rules", EDITIONS[table.edition] ?? table.edition], ["Limits", range(sign.minimum, sign.maximum)], ...(shoe?.commitment ? shoeRows(shoe) : [])];
  at("rules-list").replaceChildren(...rows.flatMap(([name, ...value]) => [entry("dt", name), told(value)]));
  at("rules-dialog").showModal();
}
