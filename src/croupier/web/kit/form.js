/**
 * Forms of staff: fields with their names, money in dollars that is read as cents, and a line below that says what was
 * done or why not, with the rule.
 *
 * @typedef {{name: string, label: string, value?: string, kind?: "money" | "text" | "number" | "select" | "check",
 *            options?: [string, string][], optional?: boolean, hint?: string}} Field
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
 * Buttons of which one is pressed.
 * @param {{label: string, options: [string, string][], value: string, pick: (value: string) => void}} given
 */
export function segments({ label, options, value, pick }) {
  const button = ([key, words]) =>
    h("button", { type: "button", "aria-pressed": String(key === value), onclick: () => pick(key) }, words);
  return h("span.segments", { role: "group", "aria-label": label }, options.map(button));
}
