/**
 * The cage: look a voucher up, pay it, and keep the drawer.
 *
 * A scanner is a keyboard that ends with Enter, so the field for the number has the focus whenever nothing else needs it.
 * Everything shown comes from the server: the voucher as its journal knows it, and the state of the cage every few
 * seconds.  A command carries an id made here; if the line breaks, the same id is asked again, so nothing is paid twice.
 */

import { barcode, drop, explained, numbers, owed, shiftTable, voucherRows } from "./cage-parts.js";
import { admitted, enter, newId, remember } from "./connection.js";
import { learn, openTags, refusal, ruleTag } from "./rules.js";
import { brand, dollars, h, icon, plain, themeButton } from "./staff.js";

const at = (id) => /** @type {any} */ (document.getElementById(id));
const EVERY_MS = 3000;
const WAITS_MS = [250, 500, 1000, 2000, 4000];
const TABS = { shift: "Shift", drop: "Drop", chips: "Chips", owed: "Owed" };
const FILTERS = { all: "All", "to pay": "To pay", held: "Held" };
const WORDS = {
  hint: "The number stands below the barcode. A figure that is mistyped is noticed.",
  once: "Payable at its credit value, once.",
  sure: "It is then paid for good. Look at the paper: the amount printed on it must be this one.",
  lost: "The house does not answer; trying again",
};
const SENIORS = ["casino supervisor", "shift manager", "casino manager"];
const page = { who: null, ticket: "", state: null, voucher: null, tab: "shift", filter: "all", drawn: "" };
/** What is asked before the house has let this page in waits for it. */
const entered = admitFirst();

// ---------------------------------------------------------------- asking the house

/** Ask with the ticket; a ticket of a house that was started anew is renewed once. */
async function fetched(path, options = {}, again = true) {
  await entered;
  const answer = await fetch(path, { ...options, headers: { Authorization: `Ticket ${page.ticket}`, "Content-Type": "application/json" } });
  if (answer.status !== 403 || !again) return answer;
  const told = await answer.clone().json();
  if (!/ticket/.test(told.reason)) return answer;
  await admit();
  return fetched(path, options, false);
}

async function admit() {
  page.ticket = await enter(page.who);
  remember({ ...page.who, ticket: page.ticket });
}

async function admitFirst() {
  const { role, name, ticket } = admitted("cashier");
  page.who = { name: name || "Lee", role, table: "" };
  page.ticket = ticket;
  if (!ticket) await admit();
}

/** A command, asked again under the same id until there is an answer. */
async function ask(command) {
  const body = JSON.stringify({ id: newId(), command });
  for (const wait of [0, ...WAITS_MS]) {
    if (wait) await new Promise((done) => setTimeout(done, wait));
    try {
      const answer = await fetched("/api/cage/commands", { method: "POST", body });
      const told = await answer.json();
      if (answer.status !== 503) return answer.ok ? told : { done: false, ...told };
    } catch {
      showState(false, WORDS.lost);
    }
  }
  return { done: false, reason: "the house does not answer: look the voucher up again before paying anything" };
}

/** A command of a form: what was refused is said above the panel, what was done is shown at once. */
async function act(command, form = null) {
  const told = await ask(command);
  at("refused").replaceChildren(...(told.done ? [] : refusal(told)));
  if (told.done) form?.reset();
  await learned(told.rule);
  await refresh();
  return told;
}

async function learned(rule) {
  if (!rule) return;
  const answer = await fetch(`/api/rules/${encodeURIComponent(rule)}`);
  if (answer.ok) learn({ [rule]: (await answer.json()).summary });
}

// ---------------------------------------------------------------- one voucher

async function find(text) {
  page.voucher = null;
  at("found").replaceChildren(h("p.hint", "Looking it up …"));
  const answer = await fetched(`/api/cage/vouchers/${encodeURIComponent(text.trim() || "0")}`);
  const told = await answer.json();
  await learned(told.rule || "NZEB-10.6");
  if (told.grouped) {
    at("code").value = told.grouped;
    show(told);
  } else at("found").replaceChildren(verdict(answer.ok ? plain(told.state) : "Not now", told.reason, told.rule));
  at("code").select();
}

function verdict(title, reason, rule, kind = "") {
  const words = h("div", h("b", title), h("p", `${plain(reason)}.`), h("p.hint", explained(title)));
  return h("div", h("div", { className: `verdict ${kind}` }, icon(kind ? "check" : "alert"), words), rule && h("p.law", h("span"), ruleTag(rule)));
}

function show(voucher) {
  page.voucher = voucher;
  const open = voucher.state === "to pay";
  const parts = [slip(voucher)];
  if (open) parts.push(checks(voucher), go(voucher), h("p.law", h("span", WORDS.once), ruleTag("NZEB-10.6")));
  else if (voucher.state === "paid") parts.push(verdict("Already paid", voucher.reason, voucher.rule));
  else if (voucher.state === "expired") parts.push(verdict("Expired", `payable until ${moment(voucher.expires_ms)}`, "NZEB-10.6"));
  else parts.push(verdict({ held: "Held", voided: "Refused for good" }[voucher.state] ?? "Not money here", voucher.reason, voucher.rule));
  at("found").replaceChildren(...parts, ...forSeniors(voucher));
  if (page.state) drawVouchers();
}

/** What only a supervisor may do with a voucher that the window does not pay: pay it late, or refuse it for good. */
function forSeniors(voucher) {
  const [type, words] = voucher.state === "expired" ? ["PayLate", "Pay it late"] : voucher.state === "held" ? ["VoidVoucher", "Refuse it for good"] : [];
  if (!type || !SENIORS.includes(page.who.role)) return [];
  const why = h("label.field.long", h("span", "Reason"), h("input.input", { name: "reason", required: true, maxLength: 200, autocomplete: "off" }));
  const asked = async ({ reason }) => {
    const amount = type === "PayLate" ? { amount: voucher.amount } : {};
    const told = await ask({ type, voucher: voucher.code, reason, ...amount });
    await find(voucher.code);
    if (!told.done) at("found").append(verdict("Not paid", told.reason, told.rule));
    await refresh();
  };
  return [form("form.row", [why, button(words)], asked)];
}

const moment = (ms) => new Date(ms).toLocaleString("en-NZ", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });

function slip(voucher) {
  const place = voucher.table ? `${voucher.table}, ${voucher.terminal || "no terminal"}` : "the cage";
  const rows = [["From", place], ["Issued", moment(voucher.issued_ms)], ["Journal line", voucher.line.toLocaleString("en-NZ")]];
  if (voucher.expires_ms) rows.push(["Payable until", moment(voucher.expires_ms)]);
  const head = h("div.hd", h("span.nm", brand().querySelector("svg"), "croupier"), h("span", voucher.practice ? "Practice voucher" : "Payment voucher"));
  const list = h("dl", rows.flatMap(([name, value]) => [h("dt", name), h("dd", value)]));
  const amount = [h("p.amt", dollars(voucher.amount)), h("p.wd", voucher.words)];
  return h("div.slip", { role: "group", "aria-label": "Voucher" }, head, amount, list, barcode(voucher), h("p.code.no", voucher.grouped));
}

function checks(voucher) {
  const known = ["Issued by this house", "Not paid before", voucher.practice ? "No hold; practice, not money" : "No hold, real money"];
  return h("ul.checks", known.map((words) => h("li", icon("check"), words)));
}

function go(voucher) {
  const pay = h("button.btn.main.big", { type: "button", id: "pay", onclick: () => confirm(voucher) }, icon("check"), `Pay ${dollars(voucher.amount)}`);
  return h("div.go", pay, h("button.btn.big", { type: "button", onclick: clear }, "Cancel"));
}

function clear() {
  page.voucher = null;
  at("code").value = "";
  at("found").replaceChildren(h("p.hint", WORDS.hint));
  at("code").focus();
}

/** The question before money goes out: the safe choice first. */
function confirm(voucher) {
  const printed = h("input.input", { inputMode: "decimal", required: true, value: (voucher.amount / 100).toFixed(2), autocomplete: "off" });
  const back = h("button.btn.big", { type: "button", onclick: () => at("ask").close() }, "Back");
  const pay = h("button.btn.main.big", { type: "submit" }, `Pay ${dollars(voucher.amount)}`);
  const field = h("label.field", h("span", "Amount printed on the paper, $"), printed);
  const form = h("form", h("h2", { id: "ask-title" }, `Pay ${dollars(voucher.amount)}?`), h("p", WORDS.sure), field, h("div.go", back, pay));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const amount = cents(/** @type {HTMLInputElement} */ (printed).value);
    at("ask").close();
    paid(voucher, amount);
  });
  form.addEventListener("keydown", scannedMeanwhile());
  at("ask").replaceChildren(form);
  at("ask").showModal();
  pay.focus();
}

/** A scanner ends with Enter, which must not answer the question about another voucher: the new one is looked up. */
function scannedMeanwhile() {
  let figures = "";
  return (event) => {
    if (event.target instanceof HTMLInputElement) return;
    if (/^\d$/.test(event.key)) figures += event.key;
    if (event.key !== "Enter" || !figures) return;
    event.preventDefault();
    at("ask").close();
    at("code").value = figures;
    find(figures).catch(() => showState(false, WORDS.lost));
  };
}

async function paid(voucher, amount) {
  at("pay").disabled = true;
  const told = await ask({ type: "RedeemVoucher", voucher: voucher.code, amount });
  await learned(told.rule);
  const done = verdict("Paid", `${dollars(voucher.amount)} for the voucher of ${voucher.table || "the cage"}`, "NZEB-10.6", "ok");
  const why = told.reason ?? "";
  const title = why.startsWith("paid already") ? "Already paid" : why.startsWith("it shows") ? "Another amount" : why.startsWith("expired") ? "Expired" : "Not paid";
  at("found").replaceChildren(told.done ? done : verdict(title, why, told.rule));
  if (told.done) at("code").value = "";
  at("code").focus();
  await refresh();
}

// ---------------------------------------------------------------- the money picture

async function refresh() {
  try {
    const answer = await fetched("/api/cage/state");
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.reason);
    page.state = told;
    showState(true);
    draw();
  } catch (error) {
    showState(false, error instanceof TypeError ? WORDS.lost : plain(error.message));
  }
}

function showState(good, words = "") {
  const said = words.replace(/^[A-Z]+ \/\S+ is not for/, "This room is not for");
  at("state").replaceChildren(good ? h("span.live", "Live") : h("span.pill.stop", icon("off"), said));
  // Who never came in is told so where the work would be, with the way out.
  if (!good && !page.state) at("found").replaceChildren(h("p.strong", said), h("a.btn", { href: "/" }, "Enter again through the lobby"));
}

function draw() {
  const state = page.state;
  at("practice").hidden = !state.practice;
  const shift = state.shift;
  const from = shift ? `Shift ${shift.number} from ${moment(shift.opened_ms).slice(-8, -3)}` : "No shift is open";
  at("where").replaceChildren(h("b", page.who.name), h("span", from));
  at("nums").replaceChildren(...numbers(state));
  drawVouchers();
  drawAlert(state);
  // Half-typed forms must not vanish because something else moved.
  const told = JSON.stringify([page.tab, shift, state.last_shift, state.drop, state.owed.ages, state.owed.tables, state.expiry_days]);
  if (told === page.drawn || (page.drawn && at("work").querySelector("input:focus, select:focus"))) return;
  page.drawn = told;
  drawWork(state);
}

function drawVouchers() {
  const wanted = page.state.owed.recent.filter((each) => page.filter === "all" || each.state === page.filter);
  at("vouchers").replaceChildren(voucherRows(wanted, page.voucher));
}

function drawAlert(state) {
  const short = (state.shift?.drops ?? []).reduce((sum, each) => sum + each.counted - each.expected, 0);
  const words = `Drop is ${dollars(Math.abs(short))} ${short < 0 ? "short" : "over"}`;
  at("alert").replaceChildren(...(short ? [h("span.pill.stop", icon("alert"), words)] : []));
}

function drawWork(state) {
  const parts = { shift: shiftWork, drop: dropWork, chips: chipsWork, owed: owedWork }[page.tab](state);
  at("work-title").textContent = TABS[page.tab];
  at("work").replaceChildren(...[parts].flat().filter(Boolean));
}

// ---------------------------------------------------------------- forms

/** Dollars as somebody types them, in whole cents; what is no amount is refused by the house as one below nothing. */
function cents(text) {
  const found = /^\s*\$?\s*([\d,\s]*)(?:\.(\d{0,2}))?\s*$/.exec(text);
  if (!found || !text.trim()) return text.trim() ? -1 : 0;
  return Number(found[1].replace(/[,\s]/g, "") || 0) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

const field = (label, name, more = {}) => h("label.field", h("span", label), h("input.input", { name, autocomplete: "off", inputMode: "decimal", ...more }));

function form(kind, children, command) {
  const made = h(kind, children);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (made)));
    command(given, made);
  });
  return made;
}

const button = (words, kind = "btn") => h("button", { type: "submit", className: kind }, words);

function shiftWork(state) {
  if (!state.shift) {
    const open = [field("Float in cash, $", "cash", { required: true }), field("Float in chips, $", "chips"), button("Open the shift", "btn main")];
    const last = state.last_shift && [h("p.row.hint", `Shift ${state.last_shift.number}, closed by ${state.last_shift.closed_by}`), shiftTable(state.last_shift)];
    return [form("form.row", open, ({ cash, chips }, made) => act({ type: "OpenShift", cash: cents(cash), chips: cents(chips) }, made)), ...(last || [])];
  }
  const count = [field("Counted cash, $", "cash", { required: true }), field("Counted chips, $", "chips"), button("Record the count")];
  const reason = h("label.field.long", h("span", "Reason, if anything differs"), h("input.input", { name: "reason", maxLength: 200, autocomplete: "off" }));
  const counted = form("form.row", count, ({ cash, chips }) => act({ type: "CountDrawer", cash: cents(cash), chips: cents(chips) }));
  const close = form("form.row", [reason, button("Close the shift")], (given, made) => act({ type: "CloseShift", reason: given.reason }, made));
  return h("div.halves", shiftTable(state.shift), h("div", counted, close));
}

function dropWork(state) {
  if (!state.shift) return h("p.pad.quiet", "Open a shift first: the drop goes into its drawer.");
  return drop(state, (each, made) =>
    form("form.collect", made, ({ counted }, whole) => act({ type: "CollectDrop", table: each.table, box: each.box, counted: cents(counted) }, whole)),
  );
}

function chipsWork(state) {
  if (!state.shift) return h("p.pad.quiet", "Open a shift first: chips and cash come from its drawer.");
  const amount = () => field("Amount, $", "amount", { required: true });
  const tables = h("label.field", h("span", "Table"), h("select.input", { name: "table" }, state.drop.filter((each) => !each.box).map((each) => h("option", { value: each.table }, each.table))));
  const ways = h("label.field", h("span", "Direction"), h("select.input", { name: "type" }, h("option", { value: "FillTable" }, "Fill: to the table"), h("option", { value: "CreditTable" }, "Credit: from the table")));
  const cash = form("form", [h("h3", "Chips for cash"), amount(), field("Of it by cheque, $", "cheque"), button("Pay")], (given, made) =>
    act({ type: "CashChips", amount: cents(given.amount), cheque: cents(given.cheque) }, made));
  const sell = form("form", [h("h3", "Cash for chips"), amount(), button("Sell")], (given, made) => act({ type: "SellChips", amount: cents(given.amount) }, made));
  const voucher = form("form", [h("h3", "Chips for a voucher"), amount(), button("Issue")], issued);
  const move = form("form", [h("h3", "Chips of a table"), tables, ways, amount(), button("Move")], (given, made) =>
    act({ type: given.type, table: given.table, amount: cents(given.amount) }, made));
  const float = form("form", [h("h3", "Vault"), field("Cash to the drawer, $ (− back)", "cash"), h("label.field", h("span", "Reason"), h("input.input", { name: "reason", required: true, maxLength: 200 })), button("Move")], (given, made) =>
    act({ type: "MoveFloat", reason: given.reason, cash: /^\s*[-−]/.test(given.cash) ? -cents(given.cash.replace(/[-−]/, "")) : cents(given.cash) }, made));
  return h("div.forms", cash, sell, voucher, move, float);
}

async function issued(given, made) {
  const told = await act({ type: "IssueVoucher", amount: cents(given.amount) }, made);
  if (!told.done) return;
  at("code").value = told.voucher;
  await find(told.voucher);
  const link = h("a.btn.big", { href: `/voucher?id=${told.voucher}`, target: "_blank", rel: "noopener" }, "Print the voucher");
  at("found").append(link);
}

function owedWork(state) {
  const report = h("button.btn", { type: "button", onclick: download }, "Save the shift report");
  const days = state.expiry_days;
  const told = h("p.hint", days ? `Vouchers are paid at the window for ${days} ${days === 1 ? "day" : "days"}.` : "Vouchers are paid without an end.");
  const set = [field("Pay new vouchers for, days (0: no end)", "days", { required: true, pattern: "[0-9]{1,5}" }), button("Set")];
  const terms = SENIORS.includes(page.who.role) ? form("form.row", set, (given, made) => act({ type: "SetExpiry", days: Number(given.days) }, made)) : null;
  return [owed(state), h("div.row", report, told), terms];
}

async function download() {
  const answer = await fetched("/api/cage/report.html");
  if (!answer.ok) return at("refused").replaceChildren(...refusal(await answer.json()));
  const link = h("a", { href: URL.createObjectURL(await answer.blob()), download: "cage-report.html" });
  link.click();
  URL.revokeObjectURL(/** @type {any} */ (link).href);
}

// ---------------------------------------------------------------- start

function segments(place, names, chosen, choose) {
  const made = Object.entries(names).map(([key, words]) => {
    const press = h("button", { type: "button", "aria-pressed": String(key === chosen()) }, words);
    press.addEventListener("click", () => {
      choose(key);
      [...place.children].forEach((each) => each.setAttribute("aria-pressed", String(each === press)));
    });
    return press;
  });
  place.replaceChildren(...made);
}

function dress() {
  at("brand").replaceWith(brand());
  at("who").after(themeButton());
  segments(at("filter"), FILTERS, () => page.filter, (key) => {
    page.filter = key;
    if (page.state) drawVouchers();
  });
  segments(at("tabs"), TABS, () => page.tab, (key) => {
    page.tab = key;
    page.drawn = "";
    at("refused").replaceChildren();
    if (page.state) draw();
  });
  at("find").addEventListener("submit", (event) => {
    event.preventDefault();
    find(at("code").value).catch(() => showState(false, WORDS.lost));
  });
  clear();
}

async function start() {
  await entered;
  await refresh();
  setInterval(refresh, EVERY_MS);
}

openTags(document.body, at("sheet"));
dress();
start().catch((error) => showState(false, plain(error.message)));
