/**
 * What the panels of the supervisor share: fields of money, forms with their refusals, and clocks that count to a
 * moment.
 *
 * @typedef {import("./ask.js").Ask} Ask
 * @typedef {{name: string, label: string, value?: string, kind?: "money" | "text" | "number" | "select" | "check",
 *            options?: [string, string][], optional?: boolean, hint?: string}} Field
 */

import { svg } from "../kit/cards.js";
import { refusal } from "../kit/rules.js";
import { h, icon, plain } from "../kit/staff.js";

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

/** Dollars as somebody types them, in cents; not a number if they are none. @param {string} text */
export function cents(text) {
  const found = /^\$?(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : Number.NaN;
}

/** Cents as they stand in a field. @param {number} amount */
export const typed = (amount) => (amount % 100 ? (amount / 100).toFixed(2) : String(amount / 100));

/** A line under a form: what was done, or why not, with the rule. */
export function statusLine() {
  const root = h("p.status-line", { role: "status" });
  return {
    root,
    no: (answer) => (root.className = "status-line no", root.replaceChildren(...refusal(answer))),
    yes: (words) => (root.className = "status-line yes", root.replaceChildren(icon("check"), h("span", words))),
    empty: () => (root.className = "status-line", root.replaceChildren()),
  };
}

/**
 * A field with its name above it.
 * @param {Field} given
 */
export function field({ name, label, value = "", kind = "text", options = [], optional = false, hint = "" }) {
  if (kind === "check")
    return h("label.tick", h("input", { type: "checkbox", name, checked: value === "yes" }), h("span", label));
  const words = h("span", label);
  if (kind === "select")
    return h(
      "label.field",
      words,
      h(
        "select.input",
        { name, value },
        options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
      ),
    );
  const given = { name, value, required: !optional, autocomplete: "off", maxLength: 200, placeholder: hint };
  const typing = kind === "money" || kind === "number" ? { inputMode: "decimal", maxLength: 14 } : {};
  const input = h("input.input", { ...given, ...typing });
  if (kind === "money") return h("label.field", words, h("span.dollar", input));
  return h("label.field", words, input);
}

/**
 * A form of some fields and its buttons; `send(values, which)` is called with what was typed, money in cents.
 * @param {{fields: Field[], buttons: {name: string, words: string, kind?: string}[], kind?: string, label: string,
 *          send: (values: Record<string, any>, which: string, status: ReturnType<typeof statusLine>) => any, more?:
 * HTMLElement[],
 *          line?: ReturnType<typeof statusLine>}} given `line`: where is said what became of it, if not below the form
 */
export function form({ fields, buttons, send, label, kind = "", more = [], line: given }) {
  const line = given ?? statusLine();
  const make = ({ name, words, kind: looks = "" }) =>
    h("button", { type: "submit", value: name, className: `btn ${looks}`.trim() }, words);
  const root = /** @type {HTMLFormElement} */ (h("form", { className: `act ${kind}`.trim(), "aria-label": label }));
  root.append(h("div.fields", fields.map(field)), ...more, h("div.do", buttons.map(make)), given ? "" : line.root);
  root.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = read(root, fields);
    const wrong = fields.find((each) => Number.isNaN(values[each.name]));
    if (wrong) return line.no({ reason: `${plain(wrong.label)}: give an amount in dollars, like 25 or 12.50` });
    line.empty();
    const which =
      /** @type {HTMLButtonElement | null} */ (/** @type {SubmitEvent} */ (event).submitter)?.value ??
      buttons[0].name;
    root.setAttribute("aria-busy", "true");
    await send(values, which, line);
    root.removeAttribute("aria-busy");
  });
  return Object.assign(root, { line });
}

function read(root, fields) {
  const given = new FormData(root);
  const value = ({ name, kind, optional }) => {
    const text = String(given.get(name) ?? "").trim();
    if (kind === "check") return given.has(name);
    if (kind === "money") return text === "" && optional ? 0 : cents(text);
    return kind === "number" ? Number(text || (optional ? 0 : Number.NaN)) : text;
  };
  return Object.fromEntries(fields.map((each) => [each.name, value(each)]));
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
 * Buttons of which one is pressed.
 * @param {{label: string, options: [string, string][], value: string, pick: (value: string) => void}} given
 */
export function segments({ label, options, value, pick }) {
  const button = ([key, words]) =>
    h("button", { type: "button", "aria-pressed": String(key === value), onclick: () => pick(key) }, words);
  return h("span.segments", { role: "group", "aria-label": label }, options.map(button));
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
