/** The forms of the cage: shifts, drop, chips and what is owed. */

import { drop, owed, shiftTable } from "./parts.js";
import { WANTED, cents as typedCents } from "../kit/form.js";
import { refusal } from "../kit/rules.js";
import { h } from "../kit/staff.js";
import { SENIORS, act, at, fetched, page } from "./house.js";
import { find, printing } from "./voucher.js";

// ---------------------------------------------------------------- forms

const BACK = /^\s*[-−]/;

/** Dollars as somebody types them, in whole cents: nothing is none, and not a number what is no amount. */
export const cents = (text) => (text.trim() ? typedCents(text.replaceAll(" ", "")) : 0);

/** The same of money that may also go back, with a minus before it. */
const signedCents = (text) => (BACK.test(text) ? -cents(text.replace(BACK, "")) : cents(text));

export const field = (label, name, more = {}) =>
  h("label.field", h("span", label), h("input.input", { name, autocomplete: "off", inputMode: "decimal", ...more }));

export function form(kind, children, command) {
  const made = h(kind, children);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    // What is no amount is asked for again, and nothing is sent.
    const amounts = [...made.querySelectorAll("input")].filter(({ inputMode }) => inputMode === "decimal");
    const wrong = amounts.find(({ value, dataset }) => Number.isNaN((dataset.back ? signedCents : cents)(value)));
    if (wrong) return refused(wrong);
    const given = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (made)));
    command(given, made);
  });
  return made;
}

function refused(input) {
  at("refused").replaceChildren(...refusal({ reason: `“${input.value}” is no amount: ${WANTED.money}` }));
  input.focus();
}

export const button = (words, kind = "btn") => h("button", { type: "submit", className: kind }, words);

export function shiftWork(state) {
  if (!state.shift) {
    const open = [
      field("Float in cash, $", "cash", { required: true }),
      field("Float in chips, $", "chips"),
      button("Open the shift", "btn main"),
    ];
    const last = state.last_shift && [
      h("p.row.hint", `Shift ${state.last_shift.number}, closed by ${state.last_shift.closed_by}`),
      shiftTable(state.last_shift),
    ];
    return [
      form("form.row", open, ({ cash, chips }, made) =>
        act({ type: "OpenShift", cash: cents(cash), chips: cents(chips) }, made),
      ),
      ...(last || []),
    ];
  }
  const count = [
    field("Counted cash, $", "cash", { required: true }),
    field("Counted chips, $", "chips"),
    button("Record the count"),
  ];
  const reason = h(
    "label.field.long",
    h("span", "Reason, if anything differs"),
    h("input.input", { name: "reason", maxLength: 200, autocomplete: "off" }),
  );
  const counted = form("form.row", count, ({ cash, chips }) =>
    act({ type: "CountDrawer", cash: cents(cash), chips: cents(chips) }),
  );
  const close = form("form.row", [reason, button("Close the shift")], (given, made) =>
    act({ type: "CloseShift", reason: given.reason }, made),
  );
  return h("div.halves", shiftTable(state.shift), h("div", counted, close));
}

export function dropWork(state) {
  if (!state.shift) return h("p.pad.quiet", "Open a shift first: the drop goes into its drawer.");
  return drop(state, (each, made) =>
    form("form.collect", made, ({ counted }, whole) =>
      act({ type: "CollectDrop", table: each.table, box: each.box, counted: cents(counted) }, whole),
    ),
  );
}

export function chipsWork(state) {
  if (!state.shift) return h("p.pad.quiet", "Open a shift first: chips and cash come from its drawer.");
  const amount = () => field("Amount, $", "amount", { required: true });
  const tables = h(
    "label.field",
    h("span", "Table"),
    h(
      "select.input",
      { name: "table" },
      state.drop.filter((each) => !each.box).map((each) => h("option", { value: each.table }, each.table)),
    ),
  );
  const ways = h(
    "label.field",
    h("span", "Direction"),
    h(
      "select.input",
      { name: "type" },
      h("option", { value: "FillTable" }, "Fill: to the table"),
      h("option", { value: "CreditTable" }, "Credit: from the table"),
    ),
  );
  const cash = form(
    "form",
    [h("h3", "Chips for cash"), amount(), field("Of it by cheque, $", "cheque"), button("Pay")],
    (given, made) => act({ type: "CashChips", amount: cents(given.amount), cheque: cents(given.cheque) }, made),
  );
  const sell = form("form", [h("h3", "Cash for chips"), amount(), button("Sell")], (given, made) =>
    act({ type: "SellChips", amount: cents(given.amount) }, made),
  );
  const voucher = form("form", [h("h3", "Chips for a voucher"), amount(), button("Issue")], issued);
  const move = form("form", [h("h3", "Chips of a table"), tables, ways, amount(), button("Move")], (given, made) =>
    act({ type: given.type, table: given.table, amount: cents(given.amount) }, made));
  const float = form(
    "form",
    [
      h("h3", "Vault"),
      field("Cash to the drawer, $ (− back)", "cash", { required: true, "data-back": "yes" }),
      h("label.field", h("span", "Reason"), h("input.input", { name: "reason", required: true, maxLength: 200 })),
      button("Move"),
    ],
    (given, made) => act({ type: "MoveFloat", reason: given.reason, cash: signedCents(given.cash) }, made),
  );
  return h("div.forms", cash, sell, voucher, move, float);
}

async function issued(given, made) {
  const reply = await act({ type: "IssueVoucher", amount: cents(given.amount) }, made);
  if (!reply.done) return;
  at("code").value = reply.voucher;
  await find(reply.voucher);
  at("found").append(printing(reply.voucher));
}

export function owedWork(state) {
  const report = h("button.btn", { type: "button", onclick: download }, "Save the shift report");
  const days = state.expiry_days;
  const statement = h(
    "p.hint",
    days
      ? `Vouchers are paid at the window for ${days} ${days === 1 ? "day" : "days"}.`
      : "Vouchers are paid however late they come.",
  );
  const set = [
    field("Pay new vouchers for, days (0: no end)", "days", { required: true, pattern: "[0-9]{1,5}" }),
    button("Set"),
  ];
  const terms = SENIORS.includes(page.who.role)
    ? form("form.row", set, (given, made) => act({ type: "SetExpiry", days: Number(given.days) }, made))
    : null;
  return [owed(state), h("div.row", report, statement), terms];
}

async function download() {
  const answer = await fetched("/api/cage/report.html");
  if (!answer.ok) return at("refused").replaceChildren(...refusal(await answer.json()));
  const link = h("a", { href: URL.createObjectURL(await answer.blob()), download: "cage-report.html" });
  link.click();
  URL.revokeObjectURL(/** @type {any} */ (link).href);
}
