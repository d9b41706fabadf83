/**
 * The tray: chips at the left, and in one place right of them the keys while bets are open, a sentence and the
 * choices in a turn, what is said while bets are closed, and the sums when a round is settled.
 *
 * @typedef {{undo: () => void, clear: () => void, repeat: () => void, choose: (fact: object, label: string) =>
 * Promise<void>}} Acts
 */

import { VALUES } from "./chips.js";
import { chip } from "../kit/cards.js";
import { showChoices } from "./choices.js";
import { html } from "./cloth.js";
import { at, late, phone, settled, state, sum, taking } from "./desk.js";
import { arithmetic, named, signed, together } from "./ledger.js";
import { showSaid } from "./meters.js";
import { short } from "../kit/money.js";
import { resultWords } from "../kit/names.js";
import { roundWords, sentence } from "./said.js";
import { language, t } from "../kit/words.js";

const LINES = 3;
const ADDED = 6;
/** Layouts as high as the screen of a phone leave two lines, so that all meters stay in sight. */
const TALL = ["roulette", "tai_sai", "money_wheel"];

/** @param {Acts} acts */
export function layTray(acts) {
  at("chips").replaceChildren(...VALUES.map(pick));
  for (const name of ["undo", "clear", "repeat"]) at(name).addEventListener("click", () => acts[name]());
  at("take").addEventListener("click", () => {
    state.taking = !state.taking;
    controls(acts);
  });
  addEventListener("keydown", (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      /** @type {Element} */ (event.target).closest("input, dialog")
    )
      return;
    const value = VALUES[Number(event.key) - 1];
    if (value) return choose(value);
    const name = { u: "undo", r: "repeat" }[event.key.toLowerCase()];
    if (name && !at(name).disabled) acts[name]();
  });
}

function choose(value) {
  state.chip = value;
  state.taking = false;
  dispatchEvent(new Event("chip"));
}

function pick(value) {
  const button = document.createElement("button");
  button.type = "button";
  const chosen = () => {
    button.className = state.chip === value ? "pick on" : "pick";
    button.setAttribute("aria-label", t("chip", { amount: short(value) }));
    button.setAttribute("aria-pressed", String(state.chip === value));
    at("take").setAttribute("aria-pressed", String(state.taking));
  };
  button.addEventListener("click", () => choose(value));
  addEventListener("chip", chosen);
  addEventListener("language", chosen);
  chosen();
  button.append(chip(value));
  return button;
}

/** What can be done now. @param {Acts} acts */
export function controls(acts) {
  const { view } = state;
  if (!view) return;
  const ended = settled();
  const live = state.open && taking(view);
  const mine = view.wagers.filter(({ mine, number }) => mine && !state.leaving.has(number));
  const own = state.open && late(view).length > 0;
  for (const each of at("chips").children) each.disabled = !(live || own) || ended;
  at("undo").disabled = at("clear").disabled = at("take").disabled = !live || !mine.length;
  at("repeat").disabled = !live || !state.lastBets.length;
  if (at("take").disabled) state.taking = false;
  at("take").setAttribute("aria-pressed", String(state.taking));
  const choosing = choices(view, acts);
  const sums = ended && !choosing && Boolean(view.me.last?.length);
  const closed = ((!taking(view) && !own) || ended) && !choosing && !sums;
  at("turn").hidden = !choosing;
  at("sums").hidden = !sums;
  at("said").hidden = !closed;
  at("acts").hidden = choosing || sums || closed;
  document.querySelector(".tray")?.classList.toggle("ask", choosing || sums);
  if (sums) showSums(view);
  if (closed) showSaid(view, { ended });
}

/** The choices of a hand, when they are this player's. */
function choices(view, acts) {
  const before = at("choices").dataset.key;
  const { found, sentence } = showChoices(at("choices"), view, acts.choose);
  at("turn-words").textContent = sentence;
  if (found.length && at("choices").dataset.key !== before) at("aloud").textContent = sentence;
  return found.length > 0;
}

/** What the round came to, with its arithmetic: one line a wager, then the whole. */
function showSums(view) {
  const lines = view.me.last;
  const last = view.history.at(-1) ?? {};
  const tall = phone.matches && TALL.includes(view.table.game);
  const key = JSON.stringify([language(), view.round, lines, tall]);
  if (at("sums").dataset.key === key) return;
  at("sums").dataset.key = key;
  const boxed = Boolean(state.felt?.boxes);
  const rows = together(lines).map((line) => ({
    what: named(line, boxed),
    ...arithmetic(line, view.odds),
    stake: line.stake,
  }));
  // Gains first, each with its multiplication; if there are many, what was lost is one line.
  rows.sort((one, other) => other.gain - one.gain);
  const shown = rows.length <= (tall ? LINES - 1 : LINES) ? rows : folded(rows, tall ? 1 : LINES - 1);
  const net = sum(lines, "returned") - sum(lines, "stake");
  const body = shown.map(({ what, how, gain }) =>
    html("tr", "", html("td", "", what), html("td", "", how), html("td", gain > 0 ? "num up" : "num", signed(gain))),
  );
  const whole = html(
    "tr",
    "net",
    Object.assign(html("td", "", roundWords(view, last.round ?? "")), { colSpan: 2 }),
    html("td", "num", signed(net)),
  );
  const { says } = resultWords(view.table.game, last);
  const caption = html("caption", "", sentence(says));
  at("sums").replaceChildren(caption, html("tbody", "", ...body, whole));
}

/** An addition where it has room on one line; the sum stands beside it. */
const added = (rows, of) => (rows.length <= ADDED ? rows.map((each) => short(each[of])).join(" + ") : "");

/** At most so many lines of gains, the rest of them in one, and all that was lost in one. */
function folded(rows, most) {
  const won = rows.filter(({ gain }) => gain > 0);
  const rest = rows.filter(({ gain }) => gain <= 0);
  const each = won.length > most && most === 1 ? 0 : most;
  const top = won.slice(0, each);
  const more = won.slice(each);
  const found = [...top];
  if (more.length)
    found.push({
      what: t(top.length ? "more-won" : "won-sum", { count: more.length }),
      how: added(more, "gain"),
      gain: sum(more, "gain"),
      tone: "won",
      stake: 0,
    });
  if (rest.length)
    found.push({
      what: t("lost-sum"),
      how: added(rest, "stake"),
      gain: sum(rest, "gain"),
      tone: "lost",
      stake: 0,
    });
  return found;
}
