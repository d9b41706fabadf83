/**
 * What the panels of the supervisor share: the number of a card, moments, and clocks that count to one.
 *
 * @typedef {import("./ask.js").Ask} Ask
 */

import { svg } from "../kit/cards.js";
import { h } from "../kit/staff.js";

const RING = 2 * Math.PI * 42;
const MINUTE_MS = 60_000;
const SPOKEN_S = [600, 300, 60, 0];

/** The time of day of a moment. @param {number} ms */
export const time = (ms) =>
  new Date(ms).toLocaleTimeString("en-NZ", { hour: "2-digit", minute: "2-digit", hour12: false });

/** Whether wagers lie and no more are taken: the round is being played. */
export const inPlay = ({ closing, betting }) => closing.in_play && !betting.open;

/** The next full minute that is at least so many minutes away: what a sign would say. */
export function minutesFrom(now, minutes) {
  // A few seconds more, because the sign is put up a moment later than this page thinks.
  return Math.ceil((now + minutes * MINUTE_MS + 3000) / MINUTE_MS) * MINUTE_MS;
}

/**
 * The number of a player's card, to be set or taken away.
 * @param {{make: (given: any) => HTMLElement, ask: import("./ask.js").Ask, name: string, number: string}} given
 */
export function cardNumber({ make, ask, name, number }) {
  return make({
    label: `Card of ${name}`,
    kind: "inline",
    fields: [{ name: "number", label: "Number of the player's card", value: number, optional: true }],
    buttons: [
      { name: "set", words: "Record the number" },
      ...(number ? [{ name: "clear", words: "Take the number away" }] : []),
    ],
    send: (values, which, line) => {
      const given = which === "clear" ? "" : values.number;
      const done = given ? `${name} plays under the number ${given}.` : `${name} plays under no number.`;
      return ask.ask({ type: "NumberPlayer", player: name, number: given }, { status: line, done });
    },
  });
}

/**
 * A clock that counts to a moment: a ring that empties, the minutes and seconds in it.
 * @param {{since: number, until: number, name: string, done: string}} given
 */
export function countdown({ since, until, name, done }) {
  const figure = svg("text", { x: 50, y: 57, "text-anchor": "middle" });
  const left = svg("circle", { class: "left", cx: 50, cy: 50, r: 42, transform: "rotate(-90 50 50)" });
  const ring = svg(
    "svg",
    { viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("circle", { class: "track", cx: 50, cy: 50, r: 42 }),
    left,
    figure,
  );
  const aloud = h("span.sr", { role: "status" });
  const root = h("div.clock", { role: "timer", "aria-label": name, "aria-live": "off" }, ring, aloud);
  let spoken = Infinity;

  function tick(now) {
    const seconds = Math.max(0, Math.ceil((until - now) / 1000));
    const part = until > since ? Math.min(1, Math.max(0, until - now) / (until - since)) : 0;
    left.setAttribute("stroke-dasharray", `${(part * RING).toFixed(2)} ${RING.toFixed(2)}`);
    figure.textContent = seconds ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : done;
    root.classList.toggle("over", !seconds);
    root.classList.toggle("soon", seconds > 0 && seconds <= 60);
    // Readers hear it at ten, five and one minute, and at the end: a clock that speaks every second says nothing.
    const mark = SPOKEN_S.find((each) => seconds >= each && seconds <= each + 1);
    if (mark !== undefined && mark < spoken) {
      spoken = mark;
      aloud.textContent = mark ? `${name}: ${mark / 60} ${mark === 60 ? "minute" : "minutes"}` : `${name}: ${done}`;
    }
    return seconds;
  }

  return { root, tick };
}
