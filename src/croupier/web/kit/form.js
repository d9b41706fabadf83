/**
 * Forms of staff: fields with their names, money in dollars that is read as cents, and a line below that says what was
 * done or why not, with the rule.
 *
 * @typedef {"money" | "chips" | "text" | "number" | "select" | "check"} Kind
 * @typedef {{name: string, label: string, value?: string, kind?: Kind, options?: [string, string][],
 *            optional?: boolean, hint?: string}} Field
 *   `options` of a text are names that are offered; any other may be typed
 */

import { refusal } from "./rules.js";
import { h, icon, plain } from "./staff.js";

/** Dollars as somebody types them, in cents; not a number if they are none. @param {string} text */
export function cents(text) {
  const found = /^\$?(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : Number.NaN;
}

/** Cents as they stand in a field. @param {number} amount */
export const typed = (amount) => (amount % 100 ? (amount / 100).toFixed(2) : String(amount / 100));

/** Chips as somebody types them, `100 4x25`, in cents a chip; not a number if they are none. @param {string} text */
function chips(text) {
  const piles = text.split(/[\s,+]+/).filter(Boolean).map((pile) => /^(?:(\d{1,3})[x×*])?(.+)$/.exec(pile) ?? []);
  const each = piles.flatMap(([, many = "1", one = ""]) => Array.from({ length: Number(many) }, () => cents(one)));
  return each.length && !each.some(Number.isNaN) ? each : Number.NaN;
}

/** What is asked for, where something else was typed. */
export const WANTED = {
  money: "give an amount in dollars, like 25 or 12.50",
  chips: "give chips in dollars, like 100 or 4x25",
  number: "give a whole number",
};

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
        options.map((each) => option(each, value)),
      ),
    );
  const offered = options.length ? h("datalist", { id: `names-${name}` }, options.map(option)) : null;
  const list = offered?.id;
  const given = { name, value, required: !optional, autocomplete: "off", maxLength: 200, placeholder: hint, list };
  const typing = kind === "money" || kind === "number" ? { inputMode: "decimal", maxLength: 14 } : {};
  const input = h("input.input", { ...given, ...typing });
  if (kind === "money") return h("label.field", words, h("span.dollar", input));
  return h("label.field", words, input, offered);
}

/** One of several to choose from. @param {[string, string]} given @param {unknown} [value] the one that is chosen */
const option = ([key, text], value) => h("option", { value: key, selected: key === value }, text);

/**
 * Other options for a field that has some; what was chosen stays where it is still there.
 * @param {HTMLFormElement} root @param {string} name @param {[string, string][]} options
 */
export function reoption(root, name, options) {
  const control = /** @type {HTMLSelectElement | HTMLInputElement} */ (root.elements.namedItem(name));
  const chosen = control.value;
  const place = control instanceof HTMLSelectElement ? control : control.list;
  place?.replaceChildren(...options.map((each) => option(each, chosen)));
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
    // What was sent is answered before it can be sent again.
    if (root.hasAttribute("aria-busy")) return;
    const values = read(root, fields);
    const wrong = fields.find((each) => Number.isNaN(values[each.name]));
    if (wrong) return line.no({ reason: `${plain(wrong.label)}: ${WANTED[wrong.kind ?? "money"]}` });
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

/** A whole number as somebody types it. @param {string} text */
const whole = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

function read(root, fields) {
  const given = new FormData(root);
  const value = ({ name, kind, optional }) => {
    const text = String(given.get(name) ?? "").trim();
    if (kind === "check") return given.has(name);
    if (kind === "money") return text === "" && optional ? 0 : cents(text);
    if (kind === "chips") return chips(text);
    return kind === "number" ? whole(text || (optional ? "0" : "")) : text;
  };
  return Object.fromEntries(fields.map((each) => [each.name, value(each)]));
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
