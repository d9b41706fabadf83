/**
 * The ring: how long bets are taken, how long a choice waits, and when bets open again.
 *
 * It runs on the server's clock: only what is left is taken over, never the time of day.  When the time for bets is
 * over it says so at once, and never that bets are open after a countdown.
 */

import { at, late, settled, state, taking } from "./desk.js";
import { sound } from "../kit/sound.js";
import { language, t } from "../kit/words.js";

const RING = 351.9;
const HURRY_S = 5;
const ALOUD = [10, 5];
/** How long a settled round is shown where the table keeps no time for it. */
const SETTLED_MS = 2500;

/** How long this countdown is in all: what was left when it was first seen, before a reload too. */
function lengthOf(closes, left) {
  const known = JSON.parse(sessionStorage.getItem("croupier clock") ?? "{}");
  if (known.closes === closes) return known.left;
  sessionStorage.setItem("croupier clock", JSON.stringify({ closes, left }));
  return left;
}

/** @param {any} view */
export function clockFrom(view) {
  if (view.opens_ms > view.at_ms) state.settledUntil = performance.now() + view.opens_ms - view.at_ms;
  else if (view.closes_ms > view.at_ms) state.settledUntil = 0;
  const closes = view.choice_ms || view.closes_ms;
  if (closes === state.closes) return;
  state.closes = closes;
  const left = closes - view.at_ms;
  state.deadline = performance.now() + left;
  state.length = Math.max(1, lengthOf(closes, left));
}

/** A round is over: it is shown settled until the table opens the next betting, or for a while. */
export function settleFrom(view) {
  const wait = view.opens_ms > view.at_ms ? view.opens_ms - view.at_ms : SETTLED_MS;
  state.settledUntil = performance.now() + wait;
}

function wordsOf(view, { choosing, mine, counting, open, ended, opensIn }) {
  if (view.terminal?.locked) return t("terminal-locked");
  if (ended && !view.table.open) return t("table-closed");
  if (ended) return opensIn ? t("bets-open-in", { seconds: opensIn }) : t("settled");
  if (choosing) return t(mine ? "to-choose" : "others-choose");
  if (counting) return t(view.table.game === "craps" ? "to-the-throw" : "to-no-more-bets");
  if (view.table.open && view.betting.taken_back) return t("bets-wait");
  return t(open ? "bets-open" : view.table.open ? "no-more-bets" : "table-closed");
}

/** Draw the ring; `changed` is called when bets have opened or closed by the clock alone. */
export function tick(changed) {
  const { view } = state;
  if (!view) return;
  const now = performance.now();
  const ended = settled();
  const left = state.deadline - now;
  const open = taking(view) && !ended;
  const choosing = view.choice_ms > 0 && left > 0;
  const mine = choosing && (!at("choices").hidden || late(view).length > 0);
  const counting = !ended && (open || choosing) && left > 0 && state.closes > 0;
  const seconds = counting ? Math.ceil(left / 1000) : 0;
  const opensIn = ended && view.opens_ms ? Math.ceil((state.settledUntil - now) / 1000) : 0;
  at("cutoff")
    .querySelector(".left")
    .setAttribute("stroke-dasharray", `${counting ? RING * Math.min(1, left / state.length) : RING} ${RING}`);
  const seen = [seconds, open, view.table.open, choosing, mine, view.terminal?.locked, ended, opensIn];
  const key = [language(), view.betting.taken_back, ...seen].join(" ");
  if (key === state.ticked) return;
  const turned = at("cutoff").dataset.open !== String(open) || at("cutoff").dataset.settled !== String(ended);
  state.ticked = key;
  at("cutoff").dataset.open = String(open);
  at("cutoff").dataset.settled = String(ended);
  const hurry = counting && seconds <= HURRY_S && (mine || !choosing);
  at("cutoff").className = `cutoff${ended ? " done" : open || choosing ? "" : " locked"}${hurry ? " hurry" : ""}`;
  at("seconds").textContent = counting ? String(seconds) : "";
  delete at("cutoff-words").dataset.t;
  at("cutoff-words").textContent = wordsOf(view, { choosing, mine, counting, open, ended, opensIn });
  if (counting && !choosing && ALOUD.includes(seconds)) at("aloud").textContent = t("seconds-to", { count: seconds });
  if (counting && !choosing && seconds === HURRY_S) sound("hurry");
  if (turned && !open && !ended) sound("closed");
  if (turned) changed();
}
