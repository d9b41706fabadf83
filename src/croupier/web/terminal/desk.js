/**
 * What this page knows beside the view: the chip in hand, bets on their way, the round before, and how much of a
 * settled round is still to be read.  Nothing here is ever counted as money.
 */

/** @param {string} id @returns {any} */
export const at = (id) => document.getElementById(id);

export const phone = matchMedia("(max-width: 899px)");
export const still = matchMedia("(prefers-reduced-motion: reduce)");

export const state = {
  /** @type {any} */ view: null,
  /** A view that waits until a movement has shown how it came about. @type {any} */ held: null,
  /** @type {import("../kit/connection.js").Line | null} */ line: null,
  /** @type {import("./cloth.js").Felt | null} */ felt: null,
  open: false,
  chip: 2500,
  taking: false,
  /** @type {{on: string, amount: number, box: number}[]} */ sent: [],
  /**
   * What was touched, and how much lay under each touch already.
   * @type {{on: string, under: number, round: number}[]}
   */
  touched: [],
  /** @type {Set<number>} */ leaving: new Set(),
  /**
   * The last layout with cards, and its round.
   * @type {{round: number, layout: any, boxes: any[]} | null}
   */
  past: null,
  box: 0,
  /** @type {{on: string, stake: number, box: number}[]} */ lastBets: [],
  /** @type {{amount: number, round: number} | null} */ win: null,
  /** Until when a settled round is shown, on this page's clock. */ settledUntil: 0,
  deadline: 0,
  closes: 0,
  length: 1,
  ticked: "",
  entered: 0,
};

export const sum = (lines, key) => lines.reduce((before, line) => before + line[key], 0);
export const total = (bets) => sum(bets, "amount");

/** Whether the round before is still being read: its end is shown, and the next time for bets has not begun. */
export const settled = () => state.settledUntil > performance.now();

/** Whether the time for bets has run out by the clock, although the table has not called it yet. */
const ranOut = (view) => view.closes_ms > 0 && state.closes === view.closes_ms && state.deadline <= performance.now();

/** Whether bets are taken here: while the table takes them, unless this terminal is locked or the time is over. */
export const taking = (view) => view.betting.open && !view.terminal?.locked && !ranOut(view);

/** What is open to this player alone although bets are closed, as insurance at baccarat while its cards lie so. */
export const late = (view) =>
  view.betting.open || view.terminal?.locked || !view.table.open ? [] : (view.me.opens ?? []);

/** Whether a bet on this place is taken here and now. */
export const takes = (view, on) => taking(view) || late(view).includes(on);

/** The box that the next bet goes to: the one picked, the own seat's, or the first. */
export const box = () => state.box || Math.max(1, state.view?.me.seat ?? 1);
