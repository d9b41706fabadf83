/**
 * The words around the felt: the heading, the six items that every terminal shows (limits, time, credits, wagered,
 * previous result, previous win), what is said while bets are closed, and the rules of the table in short.
 */

import { at, phone, sum } from "./desk.js";
import { dollars, range, short } from "../kit/money.js";
import { editionWords, gameWords, kindOf, kindWords, named, resultWords, wagerWords } from "../kit/names.js";
import { html } from "./cloth.js";
import { payTable } from "./rounds.js";
import { isOn, turn } from "../kit/sound.js";
import { fullOdds, roundWords, sentence, timeOf, wordOf } from "./said.js";
import { t } from "../kit/words.js";

/** Words of the law, as printed. */
const lawWords = (text) => Object.assign(entry("span", text), { translate: false });
const entry = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
/** So many characters of an amount have room in its place in large figures. */
const FITS = 11;
const CARD_BEGINS = 4;

export function showHeading(view) {
  const { table } = view;
  document.title = t("page-title", { table: table.name });
  // A terminal that is called by its number is so in every language; another name stays as it was given.
  const { me, terminal } = view;
  at("who").textContent = terminal?.named ? me.name : t("terminal-seat", { seat: terminal?.number ?? me.seat ?? 0 });
  at("table").textContent = t("table-name", { table: table.name });
  at("game").textContent = gameWords(table);
  at("round").textContent = roundWords(view, view.round);
  showCard(view.me.number ?? "");
  at("practice").hidden = !table.practice;
  const who = bandWords(table.deals);
  const band = who ? `${t("sentence", { text: t("practice-band") })} ${who}` : t("practice-band");
  at("practice").textContent = phone.matches ? t("practice-short", { deals: table.deals }) : band;
  document.body.classList.toggle("practised", table.practice);
}

/** The player's own card, by the beginning of its number: whoever stands behind the player reads no more of it. */
function showCard(number) {
  at("own-card").hidden = !number;
  const begins = number.length > CARD_BEGINS ? `${number.slice(0, CARD_BEGINS)}…` : number;
  at("own-card").textContent = number && t("card-number", { number: begins });
}

/** Who deals is announced where it is nobody of the staff. */
const bandWords = (deals) =>
  deals === "virtual" ? t("virtual-dealer") : deals === "paused" ? t("dealer-paused") : "";

/** The least and the most of a wager, in cents. @returns {[number, number]} */
export function limits(view, on) {
  return (
    view.terminal?.limits[on] ??
    view.sign.kinds[on] ??
    view.sign.kinds[kindOf(on)] ??
    view.me.limits ?? [view.sign.minimum, view.sign.maximum]
  );
}

/**
 * @param {any} view
 * @param {{sending: number, win: {amount: number, round: number} | null, settled: boolean}} own what only this page
 * knows
 */
export function showMeters(view, { sending, win, settled }) {
  const word = wordOf(view);
  at("credits").textContent = dollars(view.me.chips ?? 0);
  at("credits").classList.toggle("long", at("credits").textContent.length > FITS);
  at("wagered-name").textContent = t("wagered-this", { word });
  at("wagered").textContent = dollars(view.me.staked ?? 0);
  at("wagered").classList.toggle("long", at("wagered").textContent.length > FITS);
  const lies = wageredWords(view, settled);
  at("sending").textContent = sending ? t("plus-being-sent", { amount: dollars(sending) }) : lies;
  at("sending").className = sending ? "w" : "";
  const last = view.history.at(-1);
  if (last) result(view, last);
  else noResult();
  at("win").textContent = win?.amount ? dollars(win.amount) : "–";
  at("credit-step").textContent =
    settled && credited(view)
      ? t("plus-credited", { amount: dollars(credited(view)) })
      : t(view.me.chips ? "available-now" : "out-of-credit");
  at("credit-step").className = settled && credited(view) ? "up" : "";
  at("win-more").textContent = winWords(view, win);
  at("win-box").classList.toggle("hit", Boolean(win?.amount) && win.round === view.round - 1 && settled);
  limitList(view);
}

/** The colour of a number or a symbol, which its tile has everywhere. */
const TONES = {
  roulette: ({ number, colour }) => (number === 0 ? "zero" : colour),
  money_wheel: ({ symbol }) => `sy ${symbol}`,
};
const credited = (view) => (view.me.last ?? []).reduce((before, { returned }) => before + returned, 0);

/** Where the money lies, or while a round is read that is over, what lay there. */
function wageredWords({ wagers, me }, settled) {
  const places = new Set(wagers.filter(({ mine }) => mine).map(({ on, box, at: number }) => `${on} ${box} ${number}`));
  if (places.size) return t("on-places", { count: places.size });
  const staked = sum(me.last ?? [], "stake");
  return settled && staked ? t("amount-settled", { amount: dollars(staked) }) : "\u00a0";
}

/** What the last round brought: a stand-off is not nothing. */
function winWords(view, win) {
  if (!win) return t("none-yet");
  const given = { word: wordOf(view), number: win.round };
  if (win.amount) return t("win-credited", given);
  const lines = view.me.last ?? [];
  const back = lines.length > 0 && lines.every(({ stake, returned }) => stake === returned);
  return t(back ? "win-stood-off" : "win-nothing", given);
}

function noResult() {
  at("result").textContent = "–";
  at("result-more").textContent = t("none-yet");
}

function result(view, last) {
  const { game } = view.table;
  const { text, tone, says, short: first, more } = resultWords(game, last);
  const mark = Object.assign(document.createElement("span"), {
    className: "PBT".includes(tone) ? `side ${tone}` : `n tile ${TONES[game]?.(last) ?? ""}`,
    textContent: text,
  });
  // A hand of stud has a name of its own, which no tile is wide enough for.
  at("result").replaceChildren(...(game === "caribbean_stud" && first ? [] : [mark]), first ?? "");
  const round = t("round-low", { word: wordOf(view), number: last.round });
  at("result-more").textContent = [more ?? says, round].filter(Boolean).join(", ");
}

function limitList(view) {
  const own = view.terminal?.limits;
  const general = view.terminal
    ? [view.terminal.minimum, view.terminal.maximum]
    : (view.me.limits ?? [view.sign.minimum, view.sign.maximum]);
  const named = own
    ? view.offers.filter((on) => String(own[on]) !== String(general))
    : Object.keys(view.sign.kinds).filter((kind) => view.offers.includes(kind));
  const others = view.offers.filter((on) => !named.includes(on));
  const plain = view.table.game === "baccarat" && others.length < 5 ? others.map(wagerWords).join(", ") : t("each-bet");
  const rows = [[plain, general], ...named.map((kind) => [wagerWords(kind), own?.[kind] ?? view.sign.kinds[kind]])];
  const words = rows.map(([name, [least, most]]) => [name, range(least, most)]);
  // Other limits that were posted, and when they come; a terminal keeps those that it was paired with.
  const { notice } = view.sign;
  if (notice) words.push([t("limits-notice", { time: timeOf(notice[2]) }), range(notice[0], notice[1])]);
  if (view.sign.closing !== null) words.push([t("closing-notice"), timeOf(view.sign.closing)]);
  if (view.terminal && String(general) !== String([view.sign.minimum, view.sign.maximum]))
    words.push([t("limits-own"), ""]);
  // The pool that the jackpot wagers of this table play for, as its link's meter shows it.
  if (typeof view.pool === "number") words.push([t("jackpot-pool"), dollars(view.pool)]);
  const key = JSON.stringify(words);
  if (at("limits").dataset.key === key) return;
  at("limits").dataset.key = key;
  at("limits").replaceChildren(...words.flatMap(([name, text]) => [entry("dt", name), entry("dd", text)]));
}

const RUNNING = ["roulette", "money_wheel", "tai_sai", "craps"];

/** What is said in place of the buttons while bets are closed, or of a round that was settled without an own bet. */
export function showSaid(view, { ended }) {
  const playing = view.layout.boxes.length > 0;
  const outcome = ended ? view.history.at(-1) ?? {} : view.layout;
  const decided =
    ended ||
    (view.table.game === "baccarat"
      ? view.layout.winner && !isOn("squeeze")
      : !playing && view.table.game !== "craps" && resultWords(view.table.game, view.layout).text !== "–");
  const { text, tone, says } = resultWords(view.table.game, outcome);
  const running = !decided && RUNNING.includes(view.table.game) ? sentence(named("running", view.table.game)) : "";
  const staked =
    running ||
    (view.me.staked
      ? t("staked-on", { amount: short(view.me.staked), word: wordOf(view) })
      : t("open-again-shortly"));
  const untold = !decided && view.table.open && view.betting.taken_back;
  const shut = untold ? sentence(t("bets-stay")) : t(view.table.open ? "no-more-bets-now" : "table-is-closed");
  const first = entry("b", decided ? sentence(says) : shut);
  const lines = Object.assign(document.createElement("span"), { className: "lines" });
  lines.append(first, entry("span", untold ? sentence(t("told-again")) : staked));
  const mark = Object.assign(document.createElement("span"), { className: `side ${tone}`, textContent: text });
  at("said").replaceChildren(...(decided && "PBT".includes(tone) ? [mark] : []), lines);
}

/** What is told of a virtual shoe, for whoever wants to check it. */
function shoeRows({ commitment, revealed }) {
  const code = (text, kind = "") => Object.assign(entry("code", text), { className: kind, translate: false });
  const rows = [[t("this-shoe"), t("shoe-fixed"), code(commitment)]];
  if (revealed)
    rows.push([
      t("last-shoe"),
      t("shoe-revealed"),
      code(revealed.commitment),
      code(revealed.order, "shoe-order"),
    ]);
  return rows;
}

function definition(parts) {
  const value = document.createElement("dd");
  value.append(...parts.flatMap((part, index) => (index ? [document.createElement("br"), part] : [part])));
  return value;
}

/** What each kind of wager pays, as the cloth says it: one line for all wagers of a kind that pay alike. */
function payRows({ odds, offers }) {
  const kinds = new Map();
  for (const on of offers.filter((each) => odds[each])) {
    const key = `${kindOf(on)} ${odds[on]}`;
    kinds.set(key, [...(kinds.get(key) ?? []), on]);
  }
  return [...kinds.values()].map((all) => [
    all.length > 1 && all.length === offers.filter((on) => kindOf(on) === kindOf(all[0])).length
      ? kindWords(kindOf(all[0]))
      : all.map(wagerWords).join("; "),
    fullOdds(odds, all[0]),
  ]);
}

/** What a player may turn on for this browser; off at first. */
function wish(what) {
  const made = html("button", "", html("i"), t(`wish-${what}`));
  const shown = () => {
    made.className = isOn(what) ? "switch on" : "switch";
    made.setAttribute("aria-checked", String(isOn(what)));
  };
  Object.assign(made, { type: "button", onclick: () => [turn(what, !isOn(what)), shown()] });
  made.setAttribute("role", "switch");
  shown();
  return made;
}

export function showRules(view) {
  const { table, sign, shoe, inscriptions } = view;
  const rows = [
    [t("game"), gameWords(table)],
    [t("rules"), lawWords(editionWords(table.edition))],
    [t("limits"), range(sign.minimum, sign.maximum)],
    ...(inscriptions.length ? [[t("on-the-cloth"), ...inscriptions.map(({ text }) => lawWords(text))]] : []),
  ];
  const listed = (each) => each.flatMap(([name, ...value]) => [entry("dt", name), definition(value)]);
  at("rules-list").replaceChildren(...listed(rows));
  // Hundreds of cards are for whoever checks them: below all that a player looks for here.
  at("rules-shoe").replaceChildren(...listed(shoe?.commitment ? shoeRows(shoe) : []));
  at("rules-scale").replaceChildren(...payTable(view).map(({ table: shown }) => shown));
  at("rules-pays").replaceChildren(
    html("thead", "", html("tr", "", html("th", "", t("wager")), html("th", "num", t("pays")))),
    html(
      "tbody",
      "",
      ...payRows(view).map(([name, odds]) => html("tr", "", html("td", "", name), html("td", "num", odds))),
    ),
  );
  at("wishes").replaceChildren(...["sound", ...(table.game === "baccarat" ? ["squeeze"] : [])].map(wish));
  // A terminal that stands alone has no way to another page.
  const book = `/rulebook?${new URLSearchParams({ edition: table.edition, game: table.game })}`;
  at("rules-read")?.setAttribute("href", book);
  at("rules-dialog").showModal();
  at("rules-dialog").scrollTop = 0;
}
