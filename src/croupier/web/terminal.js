/**
 * A player's terminal.
 *
 * The page shows what the table says and nothing else: every view is drawn whole, and the only thing kept here is what
 * the table cannot know: the chip in hand, bets on their way, and the cards of the round before.  A bet on its way is
 * drawn at once as pending and never counted; it becomes a bet when a view shows it, and goes with a word if the table
 * says no.
 */

import { chip, VALUES } from "./chips.js";
import { admitted, connect, enter, remember } from "./connection.js";
import { boxStrip } from "./boxes.js";
import { showChoices } from "./choices.js";
import { drawnFelt, listedFelt } from "./felt.js";
import { sidesOf, showBox } from "./hands.js";
import { isPlanned, plannedFelt } from "./layouts.js";
import { at, limits, showHeading, showMeters, showRules, showSaid } from "./meters.js";
import { dollars, inDollars, range, short } from "./money.js";
import { kindOf, resultWords, wagerWords } from "./names.js";
import { themed } from "./theme.js";

const RING = 351.9;
const SETTLED_MS = 5000;
const TOAST_MS = 4000;
const HURRY_S = 5;
const ALOUD = [10, 5];
/** What a choice puts down lies with the wager that it follows. */
const FOLLOWS = { main: ["double", "split"], ante: ["bet"] };

const phone = matchMedia("(max-width: 640px)");
const who = admitted("player");

const state = {
  /** @type {any} */ view: null,
  /** @type {import("./connection.js").Line | null} */ line: null,
  /** @type {import("./felt.js").Felt | null} */ felt: null,
  open: false,
  chip: 2500,
  taking: false,
  /** @type {{on: string, amount: number}[]} */ sent: [],
  /** @type {Set<number>} */ leaving: new Set(),
  /** @type {{round: number, layout: any, boxes: any[]} | null} */ past: null,
  /** @type {ReturnType<typeof boxStrip> | null} */ strip: null,
  box: 0,
  /** @type {{on: string, stake: number}[]} */ lastBets: [],
  /** @type {{amount: number, round: number} | null} */ win: null,
  settledUntil: 0,
  deadline: 0,
  closes: 0,
  length: 1,
  ticked: "",
  entered: 0,
};

// ---------------------------------------------------------------- entering

async function start() {
  if (!who.table) return location.replace("/");
  who.name ||= `Guest ${100 + Math.floor(Math.random() * 900)}`;
  try {
    if (!who.ticket) await admit();
    watch();
  } catch (error) {
    ended(error.message);
  }
}

async function admit() {
  state.entered = Date.now();
  const device = new URLSearchParams(location.search).get("device");
  who.ticket = device === null ? await enter(who) : await (await import("./device.js")).ticketOf(who.table, device);
  remember(who);
}

function watch() {
  state.line = connect({ table: who.table, ticket: who.ticket, onView: seen, onState: lineState });
}

function lineState(now, reason) {
  state.open = now === "open";
  at("live").textContent = { open: "Live", lost: "Offline", ended: "Ended" }[now];
  at("live").classList.toggle("off", now !== "open");
  at("offline").hidden = now === "open";
  at("again").hidden = true;
  if (now === "lost") at("offline-words").textContent = `Connection lost. ${held()} Reconnecting.`;
  if (now === "ended") {
    // A house that was started again knows no old tickets: enter once more by itself, and ask after that.
    if (Date.now() - state.entered > 10_000) admit().then(watch, (error) => ended(error.message));
    else ended(reason);
  }
  controls();
}

function held() {
  const staked = state.view?.me.staked ?? 0;
  const kept = staked ? `Your ${short(staked)} on the table is held.` : "Your credits are safe at the table.";
  return state.sent.length ? `${kept} ${short(total(state.sent))} not yet confirmed is sent again by itself.` : kept;
}

function ended(reason) {
  at("offline").hidden = false;
  at("live").textContent = "Not connected";
  at("live").classList.add("off");
  if (!state.view) at("cutoff-words").textContent = "Not connected";
  const said = state.view ? "The table ended this connection" : "You cannot enter this table";
  at("offline-words").textContent = `${said}: ${reason}. Go back to the lobby, or try once more.`;
  at("again").hidden = false;
}

// ---------------------------------------------------------------- what the table says

function seen(view) {
  const before = state.view;
  state.view = view;
  arrive(before?.wagers ?? [], view.wagers);
  keepCards(view);
  if (before && before.round !== view.round) roundOver(view);
  else recall(view);
  if (before) sayCorrected(before.history, view);
  clockFrom(view);
  show();
  if (view.terminal) import("./device.js").then(({ showDevice }) => view === state.view && showDevice(view, { line: state.line, toast, ticket: who.ticket }));
}

/** A wager that is new in this view was on its way until now. */
function arrive(before, wagers) {
  const known = new Set(before.map(({ number, on }) => `${number} ${on}`));
  for (const wager of wagers.filter(({ mine, number, on }) => mine && !known.has(`${number} ${on}`))) {
    const index = state.sent.findIndex(({ on, amount }) => on === wager.on && amount === wager.stake + wager.voided);
    if (index >= 0) state.sent.splice(index, 1);
    if (index >= 0 && wager.voided) toast(`${short(wager.voided)} of your bet on ${wagerWords(wager.on)} is void and goes back to you.`);
  }
  const there = new Set(wagers.map(({ number }) => number));
  for (const number of state.leaving) if (!there.has(number)) state.leaving.delete(number);
}

function keepCards(view) {
  const { cards, boxes } = view.layout;
  if (Object.values(cards).some((hand) => hand.length) || boxes.some(({ hands }) => hands[0]?.length)) {
    state.past = { round: view.round, layout: view.layout, boxes: view.me.boxes };
  }
}

function roundOver(view) {
  recall(view);
  state.settledUntil = view.me.last?.length ? Date.now() + SETTLED_MS : 0;
  setTimeout(show, SETTLED_MS + 50);
  const last = view.history.at(-1);
  if (last) at("aloud").textContent = `${resultWords(view.table.game, last).says}. ${gainWords(view)}`;
}

/** The bets of the round before, and what they won: asked of every view, because a correction may change that later. */
function recall(view) {
  const last = view.me.last ?? [];
  const before = view.history.at(-1)?.round;
  state.win = before ? { amount: view.terminal?.display.won?.value ?? winnings(last), round: before } : null;
  if (!last.length) return;
  state.lastBets = last.filter(({ on }) => view.offers.includes(on) && on !== "insurance").map(({ on, stake }) => ({ on, stake }));
}

/** A result that was told before and is another one now does not change without a word. */
function sayCorrected(before, view) {
  const known = new Map(before.map((each) => [each.round, JSON.stringify(each)]));
  const other = view.history.find((each) => known.has(each.round) && known.get(each.round) !== JSON.stringify(each));
  if (!other) return;
  const { says } = resultWords(view.table.game, other);
  toast(`${view.table.game === "baccarat" ? "Hand" : "Round"} ${other.round} was corrected: ${says}. You have ${dollars(view.me.chips ?? 0)} now.`);
}

const winnings = (lines) => lines.reduce((before, { stake, returned }) => before + Math.max(0, returned - stake), 0);
const sum = (lines, key) => lines.reduce((before, line) => before + line[key], 0);
const total = (bets) => sum(bets, "amount");

function gainWords(view) {
  const last = view.me.last ?? [];
  if (!last.length) return "";
  const amount = winnings(last);
  return amount ? `You won ${dollars(amount)}.` : "";
}

// ---------------------------------------------------------------- the clock

function clockFrom(view) {
  const closes = view.choice_ms || view.closes_ms;
  if (closes === state.closes) return;
  state.closes = closes;
  const left = closes - view.at_ms;
  // The server's clock counts: only what is left of it is taken over, never its time of day.
  state.deadline = performance.now() + left;
  state.length = Math.max(1, left);
}

function tick() {
  const { view } = state;
  if (!view) return;
  const left = state.deadline - performance.now();
  const open = taking(view);
  const choosing = view.choice_ms > 0 && left > 0;
  const mine = choosing && !at("choices").hidden;
  const counting = (open || choosing) && left > 0;
  const seconds = counting ? Math.ceil(left / 1000) : 0;
  at("cutoff").querySelector(".left").setAttribute("stroke-dasharray", `${counting ? RING * Math.min(1, left / state.length) : RING} ${RING}`);
  const key = `${seconds} ${open} ${view.table.open} ${choosing} ${mine} ${view.terminal?.locked}`;
  if (key === state.ticked) return;
  state.ticked = key;
  at("cutoff").dataset.open = String(open);
  at("cutoff").className = `cutoff${open || choosing ? "" : " locked"}${counting && seconds <= HURRY_S && (mine || !choosing) ? " hurry" : ""}`;
  at("seconds").textContent = counting ? String(seconds) : "";
  at("cutoff-words").textContent = view.terminal?.locked ? "Terminal locked" : choosing ? (mine ? "to choose" : "others choose") : counting ? (view.due.kind === "roll" ? "to the throw" : "to No more bets") : open ? "Bets are open" : view.table.open ? "No more bets" : "Table closed";
  if (counting && !choosing && ALOUD.includes(seconds)) at("aloud").textContent = `${seconds} seconds to no more bets`;
}

// ---------------------------------------------------------------- showing

function show() {
  const { view } = state;
  if (!view) return;
  showHeading(view);
  if (!state.felt) layFelt();
  const [left, right] = sidesOf(view, state.past);
  showBox(at("left"), left);
  showBox(at("right"), right);
  state.felt.show(spots(view));
  state.strip?.show(view, box());
  showMeters(view, { sending: total(state.sent), win: state.win, settled: state.settledUntil > Date.now() });
  at("board").show?.(view.table.game, view.history);
  controls();
  tick();
}

function layFelt() {
  const { game, seats } = state.view.table;
  const { offers, reds } = state.view;
  const how = { phone: phone.matches, reds, onTap: tap, onHold: takeFrom };
  state.felt = game === "baccarat" ? drawnFelt(offers, how) : isPlanned(game) ? plannedFelt(game, offers, how) : listedFelt(offers, how);
  state.strip = game === "blackjack" ? boxStrip({ count: seats, onPick }) : null;
  at("layout").replaceChildren(...(state.strip ? [state.strip.element] : []), state.felt.element);
  document.body.dataset.game = game;
  // The felt comes first: the board is fetched when a player can bet already.
  if (at("board").show) return;
  performance.mark("felt");
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/scoreboard.css" }));
  import("./scoreboard.js").then(show);
}

/** The box that the next bet goes to: the one picked, the own seat's, or the first. */
const box = () => state.box || Math.max(1, state.view.me.seat ?? 1);

function onPick(number) {
  state.box = number;
  show();
}

/** Whether bets are taken here: while the table takes them, unless this terminal is locked. */
const taking = (view) => view.betting.open && !view.terminal?.locked;

/** What lies on each area, and what is said of it. */
function spots(view) {
  const settled = state.settledUntil > Date.now() && !view.wagers.some(({ mine }) => mine) && !state.sent.length;
  return new Map(view.offers.map((on) => [on, spot(view, on, settled)]));
}

function spot(view, on, settled) {
  const mine = view.wagers.filter((wager) => wager.mine && wager.on === on && (!state.strip || wager.box === box()));
  const [going, lying] = [true, false].map((leaves) => mine.filter(({ number }) => state.leaving.has(number) === leaves));
  const placed = sum(lying, "stake");
  const voided = sum(lying, "voided");
  const moving = total(state.sent.filter((bet) => bet.on === on)) + sum(going, "stake") + sum(going, "voided");
  const odds = view.odds?.[on] ?? view.odds?.[kindOf(on)] ?? "";
  const result = settled ? outcome(view, on) : { bets: [], tone: "" };
  const bets = [...result.bets];
  if (placed) bets.push({ cents: placed, state: "confirmed" });
  for (const more of view.wagers.filter((wager) => wager.mine && FOLLOWS[on]?.includes(wager.on) && (!state.strip || wager.box === box()))) {
    bets.push({ cents: more.stake, state: "confirmed", text: `${short(more.stake)} ${more.on}` });
  }
  if (voided) bets.push({ cents: voided, state: "void", text: `${short(voided)} void` });
  if (moving) bets.push({ cents: moving, state: "pending", text: `${short(moving)} …` });
  // What the rules refuse now is dimmed, and still takes a tap: the table then says why.
  const shut = view.betting.shut?.includes(on) && !view.me.opens?.includes(on);
  const label = [
    wagerWords(on),
    odds,
    range(...limits(view, on)).replace("–", "to"),
    placed && `you have ${short(placed)}`,
    voided && `${short(voided)} is void`,
    moving && `${short(moving)} being sent`,
    view.betting.open && shut && "not now",
  ];
  const open = state.open && (taking(view) || Boolean(insuring(view, on)));
  return { bets, label: label.filter(Boolean).join(", "), odds, open, shut: view.betting.open && shut, tone: result.tone };
}

/** How the bets of the round before ended on this area. */
function outcome(view, on) {
  const lines = (view.me.last ?? []).filter((line) => line.on === on || FOLLOWS[on]?.includes(line.on));
  const staked = sum(lines, "stake");
  const back = sum(lines, "returned");
  if (!staked) return { bets: [], tone: "" };
  if (back > staked) return { bets: [{ cents: staked, state: "confirmed" }, { cents: back - staked, state: "win", text: `+ ${short(back - staked)}` }], tone: "win" };
  if (back > 0) return { bets: [{ cents: staked, state: "off", text: `${short(back)} back` }], tone: "" };
  return { bets: [{ cents: staked, state: "lost" }], tone: "lost" };
}

// ---------------------------------------------------------------- the tray

function controls() {
  const { view } = state;
  if (!view) return;
  const live = state.open && taking(view);
  const mine = view.wagers.filter(({ mine, number }) => mine && !state.leaving.has(number));
  for (const pick of at("chips").children) pick.disabled = !live;
  at("undo").disabled = at("clear").disabled = at("take").disabled = !live || !mine.length;
  at("repeat").disabled = !live || !state.lastBets.length;
  if (at("take").disabled) state.taking = false;
  at("take").setAttribute("aria-pressed", String(state.taking));
  choices(view);
  const closed = !view.betting.open;
  at("said").hidden = !closed || !at("choices").hidden;
  at("acts").hidden = closed;
  if (closed) showSaid(view);
}

/** The choices of a hand, when they are this player's. */
function choices(view) {
  const before = at("choices").dataset.key;
  const found = showChoices(at("choices"), view, choose);
  if (found.length && at("choices").dataset.key !== before) at("aloud").textContent = `Your choice: ${found.map(({ label }) => label).join(", ")}`;
}

async function choose(fact, label) {
  const answer = await state.line.do({ type: "Tell", fact });
  if (!answer.done) toast(`${label} was not taken: ${plain(answer.reason)}.`);
}

/** Insurance is a choice, not a wager that is placed; its area takes the tap while it is offered. */
const insuring = (view, on) => (on === "insurance" ? view.me.may?.find((offer) => offer.choose === "insure" && offer.box === box()) : undefined);

function tap(on) {
  const insured = insuring(state.view, on);
  if (insured) choose(insured, "Insurance");
  else if (state.taking) takeFrom(on);
  else if (ready()) bet(on, state.chip);
}

function takeFrom(on) {
  if (!ready()) return;
  const mine = state.view.wagers.filter((wager) => wager.mine && wager.on === on && !state.leaving.has(wager.number));
  if (mine.length) takeBack(mine.at(-1));
  else toast(`You have nothing on ${wagerWords(on)}.`);
}

function ready() {
  if (!state.open) toast("Not connected. Your bet was not sent; wait until the line is back.");
  else if (state.view.terminal?.locked) toast("This terminal is locked. Staff will come to you.");
  else if (!state.view.betting.open) toast("No more bets.");
  return state.open && taking(state.view);
}

async function bet(on, wanted) {
  const [least, most] = limits(state.view, on);
  // Where the sign fixes the amount of a wager, that is the amount, whatever chip is in hand.
  const amount = least === most ? least : wanted;
  const sent = { on, amount };
  state.sent.push(sent);
  state.settledUntil = 0;
  show();
  const { me } = state.view;
  const answer = await state.line.do({ type: "PlaceWager", player: me.name, on, amount, box: box() });
  const index = state.sent.indexOf(sent);
  if (index >= 0) state.sent.splice(index, 1);
  if (!answer.done) toast(`${short(amount)} on ${wagerWords(on)} was not taken: ${plain(answer.reason)}.`);
  show();
}

/** A reason without the key of the wager before it, which the toast has said already. */
const plain = (reason) => inDollars((reason ?? "").replace(/^[\w:-]+: /, ""));

async function takeBack({ number, on, stake }) {
  state.leaving.add(number);
  show();
  const answer = await state.line.do({ type: "WithdrawWager", player: state.view.me.name, number });
  state.leaving.delete(number);
  if (!answer.done) toast(`${short(stake)} stays on ${wagerWords(on)}: ${plain(answer.reason)}.`);
  show();
}

const standing = () => state.view.wagers.filter(({ mine, number }) => mine && !state.leaving.has(number));

let toasting = 0;
function toast(text) {
  at("toast").textContent = text;
  at("toast").hidden = false;
  clearTimeout(toasting);
  toasting = setTimeout(() => (at("toast").hidden = true), TOAST_MS);
}

function layTray() {
  at("chips").replaceChildren(...VALUES.map(pick));
  at("undo").addEventListener("click", () => ready() && standing().length && takeBack(standing().at(-1)));
  at("clear").addEventListener("click", () => ready() && standing().forEach(takeBack));
  at("repeat").addEventListener("click", () => ready() && state.lastBets.forEach(({ on, stake }) => bet(on, stake)));
  at("take").addEventListener("click", () => {
    state.taking = !state.taking;
    controls();
  });
}

function pick(value) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-label", `${short(value)} chip`);
  const chosen = () => {
    button.className = state.chip === value ? "pick on" : "pick";
    button.setAttribute("aria-pressed", String(state.chip === value));
  };
  button.addEventListener("click", () => {
    state.chip = value;
    state.taking = false;
    dispatchEvent(new Event("chip"));
    controls();
  });
  addEventListener("chip", chosen);
  chosen();
  button.append(chip(value));
  return button;
}

themed(at("theme"));
layTray();
at("rules").addEventListener("click", () => state.view && showRules(state.view));
at("again").addEventListener("click", () => admit().then(watch, (error) => ended(error.message)));
phone.addEventListener("change", () => {
  state.felt = null;
  show();
});
setInterval(tick, 100);
start();
