/**
 * A player's terminal.
 *
 * The page shows what the table says and nothing else: every view is drawn whole, and the only thing kept here is
 * what the table cannot know: the chip in hand, bets on their way, and the cards of the round before.  A bet on its
 * way is drawn at once as pending and never counted; it becomes a bet when a view shows it, and goes with a word if
 * the table says no.  A result that a movement explains (a ball that falls, a wheel that stops) is held until it has:
 * the whole view waits, so that meters, felt and cards agree in every frame.
 */

import { oddsOf, spotsOf, whyNot } from "./bets.js";
import { clockFrom, settleFrom, tick } from "./clock.js";
import { at, box, phone, settled, state, still, sum, takes, taking, total } from "./desk.js";
import { admitted, connect, enter, remember } from "../kit/connection.js";
import { limits, showHeading, showMeters, showRules } from "./meters.js";
import { alone, beginAgain } from "./kiosk.js";
import { listed } from "./rest.js";
import { keepRound, mendResult, recallRound, rememberResult } from "./kept.js";
import { controls, layTray } from "./tray.js";
import { dollars, short } from "../kit/money.js";
import { resultWords, wagerWords } from "../kit/names.js";
import { post } from "../kit/session.js";
import { sentence, wordOf } from "./said.js";
import { sound } from "../kit/sound.js";
import { themed } from "../kit/theme.js";
import { languages, t } from "../kit/words.js";

const TOAST_MS = 4000;
/** Games that a drawing of their own knows; any other is listed. */
const DRAWN = ["baccarat", "blackjack", "caribbean_stud", "craps", "money_wheel", "roulette", "tai_sai"];
const who = admitted("player");
const hands = { tap, hold: takeFrom, chip: () => state.chip };
const acts = { undo, clear, repeat, choose };

// ---------------------------------------------------------------- entering

async function start() {
  if (!who.table) return location.replace("/");
  who.name ||= guestName();
  try {
    if (!who.ticket) await admit();
    watch();
  } catch (error) {
    ended(error.message);
  }
}

/**
 * A guest without a name has one for this browser, so that the same link is the same terminal when it is opened
 * again.
 */
function guestName() {
  const before = localStorage.getItem("croupier guest") ?? localStorage.getItem("croupier name");
  const known = before ?? t("guest", { number: 100 + Math.floor(Math.random() * 900) });
  localStorage.setItem("croupier guest", known);
  return known;
}

async function admit() {
  state.entered = Date.now();
  const device = new URLSearchParams(location.search).get("device");
  who.ticket =
    device === null ? await enter(who) : await (await import("./credits/device.js")).ticketOf(who.table, device);
  remember(who);
  if (device === null) comesBack();
}

/** Whoever came by a link finds the same name and table in the lobby, and so the same credits. */
function comesBack() {
  if (!localStorage.getItem("croupier name")) localStorage.setItem("croupier name", who.name);
  if (localStorage.getItem("croupier name") === who.name) localStorage.setItem("croupier table", who.table);
}

function watch() {
  state.line = connect({ table: who.table, ticket: who.ticket, onView: heard, onState: lineState });
}

function lineState(now, reason) {
  state.open = now === "open";
  at("live").textContent = t(`line-${now}`);
  at("live").classList.toggle("off", now !== "open");
  at("offline").hidden = now === "open";
  at("again").hidden = true;
  if (now === "lost") at("offline-words").textContent = t("connection-lost", { held: held() });
  if (now === "ended") {
    // A house that was started again knows no old tickets: enter once more by itself, and ask after that.
    if (Date.now() - state.entered > 10_000) admit().then(watch, (error) => ended(error.message));
    else ended(reason);
  }
  controls(acts);
}

function held() {
  const staked = state.view?.me.staked ?? 0;
  const kept = staked ? t("stake-held", { amount: short(staked) }) : t("credits-safe");
  return state.sent.length ? t("held-and-sent", { kept, amount: short(total(state.sent)) }) : kept;
}

function ended(reason = "") {
  at("offline").hidden = false;
  at("live").textContent = t("not-connected");
  at("live").classList.add("off");
  if (!state.view) at("cutoff-words").textContent = t("not-connected");
  const words = t(state.view ? "line-ended-because" : "cannot-enter", { reason });
  at("offline-words").textContent = alone ? beginAgain() : words;
  at("again").hidden = alone;
}

// ---------------------------------------------------------------- what the table says

/** A view has come; if it tells a result that a movement shows, it waits for that, and newer ones with it. */
async function heard(view) {
  const before = state.view;
  if (state.held) {
    state.held = view;
    return;
  }
  const shown = before && state.felt?.perform && !still.matches && !document.hidden;
  const explained = shown && !fallen(before) && (fallen(view) || before.round !== view.round);
  if (!explained) return seen(view);
  state.held = view;
  try {
    await state.felt.perform(before, view);
  } finally {
    const last = state.held;
    state.held = null;
    seen(last);
  }
}

/** Whether the result of the round in hand lies on the layout already, while its wagers are collected and paid. */
function fallen({ layout }) {
  return (layout.number ?? layout.symbol ?? null) !== null;
}

/** @type {Promise<void> | null} */
let laying = null;

async function seen(view) {
  // A house that counts from the beginning again is another one: nothing that was seen before is said of it.
  const before = state.view?.round <= view.round ? state.view : null;
  if (!before) Object.assign(state, { lastBets: [], settledUntil: 0 });
  state.view = view;
  // Views that come while the first felt is fetched wait for it: it is laid once.
  if (!state.felt) await (laying ??= layFelt(view));
  arrive(before?.wagers ?? [], view.wagers);
  if (!before) Object.assign(state, { past: recallRound(view) ?? null });
  state.past = keepRound(view) ?? state.past;
  const over = before && before.round !== view.round && view.history.at(-1)?.round !== before.history.at(-1)?.round;
  recall(view);
  if (over) roundOver(view);
  clockFrom(view);
  if (before) sayCorrected(before.history, view);
  mendResult(view);
  if (before && cardsOn(view) > cardsOn(before)) sound("card");
  show();
  besides(view);
}

/** How many cards lie on the layout. */
const cardsOn = ({ layout }) =>
  [...Object.values(layout.cards), ...layout.boxes.flatMap(({ hands }) => hands)].flat().length;

/** What a terminal or a practice table has besides the felt: its money, its slip, whom to call. */
function besides(view) {
  const means = { line: state.line, toast, ticket: who.ticket };
  if (view.terminal)
    import("./credits/device.js").then(({ showDevice }) => view === state.view && showDevice(view, means));
  else if (view.table.practice)
    import("./credits/wallet.js").then(({ showWallet }) => view === state.view && showWallet(view, { ...means, who }));
}

/** A wager that is new in this view was on its way until now. */
function arrive(before, wagers) {
  const known = new Set(before.map(({ number, on }) => `${number} ${on}`));
  for (const wager of wagers.filter(({ mine, number, on }) => mine && !known.has(`${number} ${on}`))) {
    const index = state.sent.findIndex(({ on, amount }) => on === wager.on && amount === wager.stake + wager.voided);
    if (index >= 0) state.sent.splice(index, 1);
    if (index >= 0) sound("chip");
    if (index >= 0 && wager.voided)
      toast(t("part-void", { amount: short(wager.voided), on: wagerWords(wager.on) }));
  }
  const there = new Set(wagers.map(({ number }) => number));
  for (const number of state.leaving) if (!there.has(number)) state.leaving.delete(number);
}

function roundOver(view) {
  sound("over");
  settleFrom(view);
  rememberResult(view);
  const last = view.history.at(-1);
  if (last) at("aloud").textContent = `${sentence(resultWords(view.table.game, last).says)} ${gainWords(view)}`;
}

/** The bets of the round before, and what they won: asked of every view, because a correction may change that later. */
function recall(view) {
  const last = view.me.last ?? [];
  const before = view.history.at(-1)?.round;
  state.win = before ? { amount: view.terminal?.display.won?.value ?? winnings(last), round: before } : null;
  if (!last.length) return;
  const again = last.filter(({ on }) => view.offers.includes(on) && on !== "insurance");
  state.lastBets = again.map(({ on, stake, box: where }) => ({ on, stake, box: where }));
}

/** A result that was told before and is another one now does not change without a word. */
function sayCorrected(before, view) {
  const known = new Map(before.map((each) => [each.round, JSON.stringify(each)]));
  const other = view.history.find((each) => known.has(each.round) && known.get(each.round) !== JSON.stringify(each));
  if (!other) return;
  const { says } = resultWords(view.table.game, other);
  toast(
    t("was-corrected", { word: wordOf(view), number: other.round, says, amount: dollars(view.me.chips ?? 0) }),
  );
}

const winnings = (lines) => lines.reduce((before, { stake, returned }) => before + Math.max(0, returned - stake), 0);

function gainWords(view) {
  const amount = winnings(view.me.last ?? []);
  return amount ? t("you-won", { amount: dollars(amount) }) : "";
}

// ---------------------------------------------------------------- showing

function show() {
  const { view, felt } = state;
  if (!view || !felt) return;
  showHeading(view);
  felt.show(scene(view));
  showMeters(view, { sending: total(state.sent), win: state.win, settled: settled() });
  at("board").show?.(view, { settled: settled() });
  controls(acts);
  tick(show);
}

/** What the felt shows now: the cards that lie there, or those of the round before while its end is read. */
function scene(view) {
  const over = settled();
  const past = over && state.past?.round === view.history.at(-1)?.round ? state.past : null;
  const layout = past
    ? { ...past.layout, ...view.history.at(-1), boxes: past.layout.boxes, cards: past.layout.cards }
    : over
      ? { ...view.layout, ...view.history.at(-1), boxes: [], cards: view.layout.cards }
      : view.layout;
  return {
    view,
    layout,
    boxes: (past ? past.boxes : view.me.boxes) ?? [],
    past: state.past,
    settled: over,
    moving: !over && !taking(view) && !fallen(view) && view.table.open && !still.matches,
    spots: spotsOf(view, Boolean(state.felt?.boxes)),
    odds: (on) => oddsOf(view, on),
    box: box(),
  };
}

async function layFelt(view) {
  const { game } = view.table;
  document.body.dataset.game = game;
  const given = { offers: view.offers, view, phone: phone.matches, hands, pick: pickBox };
  const felt = DRAWN.includes(game) ? (await import(`./felts/${game}.js`)).make(given) : null;
  state.felt?.gone?.();
  // What no drawing knows is listed under it, never missing.
  const rest = listed(view.offers.filter((on) => !felt?.known.has(on)), given);
  state.felt = felt
    ? { ...felt, show: (now) => [felt.show(now), rest?.show(now.spots)] }
    : { main: [], known: new Set(), show: (now) => rest?.show(now.spots) };
  at("left").replaceChildren(...(felt?.left ? [felt.left] : []));
  at("right").replaceChildren(...(felt?.right ? [felt.right] : []));
  at("layout").replaceChildren(...(felt?.main ?? []), ...(rest ? [rest.element] : []));
  at("aside").replaceChildren(...(felt?.aside ? [felt.aside] : []));
  // The felt comes first: the board is fetched when a player can bet already.
  if (at("board").show) return;
  performance.mark("felt");
  document.head.append(
    Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/kit/scoreboard/scoreboard.css" }),
  );
  import("./boards.js").then(show);
}

function pickBox(number) {
  state.box = number;
  show();
}

// ---------------------------------------------------------------- betting

async function choose(fact, label) {
  const answer = await state.line.do({ type: "Tell", fact });
  if (!answer.done) toast(t("not-taken", { what: label, reason: answer.reason }));
}

/** Insurance is a choice, not a wager that is placed; its area takes the tap while it is offered. */
const insuring = (view, on, number) =>
  on === "insurance"
    ? view.me.may?.find((offer) => offer.choose === "insure" && offer.box === (number || box()))
    : undefined;

/** A wager that is put down by choosing it, as the bet at stud: its place takes the tap when the choice is due. */
const chosen = (view, on) =>
  view.me.asked && view.due.options?.includes(on)
    ? { choose: on, by: view.me.name, ...(view.due.box ? { box: view.due.box, hand: view.due.hand } : {}) }
    : null;

function tap(on, number = 0) {
  const due = chosen(state.view, on);
  if (due) return choose(due, wagerWords(on));
  if (!state.view.offers.includes(on)) return toast(t("chosen-in-turn", { on: wagerWords(on) }));
  const insured = insuring(state.view, on, number);
  if (insured) choose(insured, t("wager-insurance"));
  else if (state.taking) takeFrom(on, number);
  else if (ready(on)) bet(on, state.chip, number || box());
}

function takeFrom(on, number = 0) {
  if (!ready(on)) return;
  const mine = standing().filter((wager) => wager.on === on && (!number || wager.box === number));
  if (mine.length) takeBack(mine.at(-1));
  else toast(t("nothing-on", { on: wagerWords(on) }));
}

/** Why no bet is taken from anybody now. */
const whyShut = ({ betting }) =>
  betting.taken_back ? `${sentence(t("bets-stay"))} ${sentence(t("told-again"))}` : t("no-more-bets-now");

function ready(on = "") {
  const taken = takes(state.view, on);
  if (!state.open) toast(t("bet-not-sent"));
  else if (state.view.terminal?.locked) toast(t("locked-staff-comes"));
  else if (!taken) toast(whyShut(state.view));
  return state.open && taken;
}

/** What lies on a place of this player's, in cents. */
const lies = ({ on, box: number }) =>
  sum(standing().filter((wager) => wager.on === on && (!state.felt?.boxes || wager.box === number)), "stake");

async function bet(on, wanted, number, { quiet = false, again = false } = {}) {
  const [least, most] = limits(state.view, on);
  // Where the sign fixes the amount of a wager, that is the amount, whatever chip is in hand.
  const amount = least === most ? least : wanted;
  const sent = { on, amount, box: number };
  const before = lies(sent);
  const sending = state.sent.filter((each) => each.on === on && each.box === number);
  const single = !sending.length;
  const touch = { on, under: before + total(sending), round: state.view.round };
  if (!again) state.touched.push(touch);
  state.sent.push(sent);
  state.settledUntil = 0;
  show();
  const { me } = state.view;
  const answer = await state.line.do({ type: "PlaceWager", player: me.name, on, amount, box: number });
  const index = state.sent.indexOf(sent);
  if (index >= 0) state.sent.splice(index, 1);
  if (!answer.done) state.touched = state.touched.filter((each) => each !== touch);
  const put = lies(sent) - before;
  // A terminal takes less than was touched where that is all the limits leave (3.4c): then it says so.
  if (answer.done && single && put > 0 && put < amount && !standing().some((each) => each.on === on && each.voided))
    toast(t("cut-to-most", { on: wagerWords(on), amount: short(put), back: short(amount - put) }));
  if (!answer.done && !quiet) {
    const what = t("amount-on", { amount: short(amount), on: wagerWords(on) });
    const why = whyNot(state.view, { on, amount, lies: before, box: number });
    toast(t("not-taken", { what, reason: why || answer.reason }) + broke(before + amount <= most ? amount : 0));
  }
  show();
  return answer.done;
}

/** Whoever has not enough for a bet is told where more comes from. */
const broke = (amount) => ((state.view.me.chips ?? 0) < amount ? ` ${t("credits-brings-more")}` : "");

async function takeBack({ number, on, stake }) {
  state.leaving.add(number);
  show();
  const answer = await state.line.do({ type: "WithdrawWager", player: state.view.me.name, number });
  state.leaving.delete(number);
  if (!answer.done)
    toast(t("stays-on", { amount: short(stake), on: wagerWords(on), reason: answer.reason }));
  show();
  return answer.done;
}

const standing = () => state.view.wagers.filter(({ mine, number }) => mine && !state.leaving.has(number));

/**
 * The last chip goes back.  A terminal has one wager a bet, whatever was added to it: it goes back whole, and what lay
 * there before the last touch is put down again.
 */
async function undo() {
  const last = standing().at(-1);
  if (!ready() || !last) return;
  const index = state.touched.findLastIndex(({ on, round }) => on === last.on && round === state.view.round);
  const [touch] = index < 0 ? [] : state.touched.splice(index, 1);
  const left = (await takeBack(last)) && state.view.terminal ? (touch?.under ?? 0) : 0;
  if (left) await bet(last.on, left, last.box, { again: true });
}

/** All goes back, the last chips first: they lie on those that were put there before them. */
async function clear() {
  if (!ready()) return;
  const all = standing().reverse();
  const went = (await Promise.all(all.map(takeBack))).filter(Boolean).length;
  if (went)
    toast(t(went === all.length ? "bets-back" : "some-bets-back", { count: went, all: all.length }));
}

/**
 * Every bet again where it was.  A side wager needs its main one to stand first, in whatever order they were settled:
 * so what was not taken is tried again as long as something else was.
 */
async function repeat() {
  if (!ready()) return;
  const all = [...state.lastBets];
  let left = all;
  for (let before = Infinity; left.length && left.length < before; ) {
    before = left.length;
    const refused = [];
    for (const each of left) if (!(await bet(each.on, each.stake, each.box, { quiet: true }))) refused.push(each);
    left = refused;
  }
  // The first that stays away says why.
  if (left.length) await bet(left[0].on, left[0].stake, left[0].box);
  if (left.length && left.length < all.length)
    toast(`${at("toast").textContent} ${t("repeated-some", { count: all.length - left.length, all: all.length })}`);
}

/** The felt is laid anew, for a screen of another size or in another language; what lies on it stays. */
async function again() {
  if (!state.view) return;
  lineState(state.open ? "open" : "lost", "");
  await layFelt(state.view);
  show();
  besides(state.view);
}

let toasting = 0;
function toast(text) {
  at("toast").textContent = text;
  at("toast").hidden = false;
  clearTimeout(toasting);
  toasting = setTimeout(() => (at("toast").hidden = true), TOAST_MS);
}

themed(at("theme"));
layTray(acts);
at("call").addEventListener("click", () =>
  post(`/api/tables/${encodeURIComponent(who.table)}/call`, {}, { Authorization: `Ticket ${who.ticket}` }).then(
    () => toast(t("staff-called")),
    (error) => toast(t("not-done", { reason: error.message })),
  ),
);
at("rules").addEventListener("click", () => state.view && showRules(state.view));
at("again").addEventListener("click", () => admit().then(watch, (error) => ended(error.message)));
phone.addEventListener("change", again);
addEventListener("language", again);
addEventListener("declined", show);
at("theme").before(languages());
setInterval(() => tick(show), 100);
start();
