/** One voucher at the window: found, shown, paid, and what stands in the way. */

import { barcode, explained } from "./parts.js";
import { capital } from "../kit/names.js";
import { ruleTag } from "../kit/rules.js";
import { brand, dollars, h, icon, plain } from "../kit/staff.js";
import { SENIORS, WORDS, ask, at, fetched, learned, page, refresh, showState } from "./house.js";
import { button, cents, form } from "./forms.js";
import { drawVouchers } from "./page.js";

/** Why a voucher in this state is not paid, as a title. */
const NOT_PAID = { paid: "Already paid", expired: "Expired", held: "Held", voided: "Refused for good" };

// ---------------------------------------------------------------- one voucher

/** The voucher with this number, as far as the house can be asked; where it cannot, that is said in its place. */
async function lookedUp(text) {
  try {
    const answer = await fetched(`/api/cage/vouchers/${encodeURIComponent(text.trim() || "0")}`);
    return { answer, reply: await answer.json() };
  } catch (error) {
    at("found").replaceChildren(verdict("Not now", "the house does not answer", ""));
    throw error;
  }
}

export async function find(text) {
  page.voucher = null;
  at("found").replaceChildren(h("p.hint", "Looking it up …"));
  const { answer, reply } = await lookedUp(text);
  await learned(reply.rule || "NZEB-10.6");
  if (reply.grouped) {
    at("code").value = reply.grouped;
    show(reply);
  } else at("found").replaceChildren(verdict(answer.ok ? plain(reply.state) : "Not now", reply.reason, reply.rule));
  at("code").select();
}

function verdict(title, reason, rule, kind = "") {
  const words = h("div", h("b", title), h("p", `${capital(reason)}.`), h("p.hint", explained(title)));
  return h(
    "div",
    h("div", { className: `verdict ${kind}` }, icon(kind ? "check" : "alert"), words),
    rule && h("p.law", h("span"), ruleTag(rule)),
  );
}

function show(voucher) {
  page.voucher = voucher;
  const open = voucher.state === "to pay";
  const parts = [slip(voucher)];
  if (open) parts.push(checks(voucher), go(voucher), h("p.law", h("span", WORDS.once), ruleTag("NZEB-10.6")));
  else if (voucher.state === "paid") parts.push(verdict("Already paid", voucher.reason, voucher.rule));
  else if (voucher.state === "expired")
    parts.push(verdict("Expired", `payable until ${moment(voucher.expires_ms)}`, "NZEB-10.6"));
  else
    parts.push(
      verdict(
        NOT_PAID[voucher.state] ?? "Not money here",
        voucher.reason,
        voucher.rule,
      ),
    );
  at("found").replaceChildren(...parts, ...forSeniors(voucher));
  if (page.state) drawVouchers();
}

/** What only a supervisor may do with a voucher that the window does not pay: pay it late, or refuse it for good. */
function forSeniors(voucher) {
  const [type, words] =
    voucher.state === "expired"
      ? ["PayLate", "Pay it late"]
      : voucher.state === "held"
        ? ["VoidVoucher", "Refuse it for good"]
        : [];
  if (!type || !SENIORS.includes(page.who.role)) return [];
  const why = h(
    "label.field.long",
    h("span", "Reason"),
    h("input.input", { name: "reason", required: true, maxLength: 200, autocomplete: "off" }),
  );
  const asked = async ({ reason }) => {
    const amount = type === "PayLate" ? { amount: voucher.amount } : {};
    const reply = await ask({ type, voucher: voucher.code, reason, ...amount });
    if (!reply.done) {
      await find(voucher.code);
      at("found").append(verdict(type === "PayLate" ? "Not paid" : "Not refused", reply.reason, reply.rule));
    } else if (type === "PayLate") at("found").replaceChildren(payment(voucher));
    else if (reply.voucher) await replaced(voucher, reply.voucher);
    else await find(voucher.code);
    await refresh();
  };
  return [form("form.row", [why, button(words)], asked)];
}

/** What the malfunction did not credit is on another voucher: which is which, and what to do with both. */
async function replaced(old, code) {
  await find(code);
  const refused = `${dollars(old.amount)} on the voucher that ends in ${old.grouped.slice(-4)} is refused for good`;
  const words = `${refused}; what the malfunction did not credit is on the new voucher below`;
  at("found").prepend(verdict("Replaced", words, "NZEB-12.4", "ok"));
  at("found").append(printing(code));
}

/** The way to the paper of a voucher. @param {string} code */
export const printing = (code) =>
  h("a.btn.big", { href: `/voucher?id=${code}`, target: "_blank", rel: "noopener" }, "Print the voucher");

const moment = (ms) =>
  new Date(ms).toLocaleString("en-NZ", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  });

function slip(voucher) {
  const place = voucher.table ? `${voucher.table}, ${voucher.terminal || "no terminal"}` : "the cage";
  const rows = [
    ["From", place],
    ["Issued", moment(voucher.issued_ms)],
    ["Journal line", voucher.line.toLocaleString("en-NZ")],
  ];
  if (voucher.expires_ms) rows.push(["Payable until", moment(voucher.expires_ms)]);
  const head = h(
    "div.hd",
    h("span.nm", brand().querySelector("svg"), "croupier"),
    h("span", voucher.practice ? "Practice voucher" : "Payment voucher"),
  );
  const list = h("dl", rows.flatMap(([name, value]) => [h("dt", name), h("dd", value)]));
  const amount = [h("p.amt", dollars(voucher.amount)), h("p.wd", voucher.words)];
  return h(
    "div.slip",
    { role: "group", "aria-label": "Voucher" },
    head,
    amount,
    list,
    barcode(voucher),
    h("p.code.no", voucher.grouped),
  );
}

function checks(voucher) {
  const known = [
    "Issued by this house",
    "Not paid before",
    voucher.practice ? "No hold; practice, not money" : "No hold, real money",
  ];
  return h("ul.checks", known.map((words) => h("li", icon("check"), words)));
}

function go(voucher) {
  const pay = h(
    "button.btn.main.big",
    { type: "button", id: "pay", onclick: () => confirm(voucher) },
    icon("check"),
    `Pay ${dollars(voucher.amount)}`,
  );
  return h("div.go", pay, h("button.btn.big", { type: "button", onclick: clear }, "Cancel"));
}

export function clear() {
  page.voucher = null;
  at("code").value = "";
  at("found").replaceChildren(h("p.hint", WORDS.hint));
  at("code").focus();
}

/** The question before money goes out: the safe choice first. */
function confirm(voucher) {
  const printed = h("input.input", {
    inputMode: "decimal",
    required: true,
    value: (voucher.amount / 100).toFixed(2),
    autocomplete: "off",
  });
  const back = h("button.btn.big", { type: "button", onclick: () => at("ask").close() }, "Back");
  const pay = h("button.btn.main.big", { type: "submit" }, `Pay ${dollars(voucher.amount)}`);
  const field = h("label.field", h("span", "Amount printed on the paper, $"), printed);
  const form = h(
    "form",
    h("h2", { id: "ask-title" }, `Pay ${dollars(voucher.amount)}?`),
    h("p", WORDS.sure),
    field,
    h("div.go", back, pay),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // What is no amount at all is another amount than that of the voucher.
    const amount = cents(/** @type {HTMLInputElement} */ (printed).value) || 0;
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

/** What a voucher is that was not paid: its state as the house knows it now. */
async function unpaid(voucher, amount) {
  if (amount !== voucher.amount) return "Another amount";
  const answer = await fetched(`/api/cage/vouchers/${encodeURIComponent(voucher.code)}`);
  const { state } = await answer.json();
  return NOT_PAID[state] ?? "Not paid";
}

/** That a voucher was paid just now. */
const payment = (voucher) =>
  verdict("Paid", `${dollars(voucher.amount)} for the voucher of ${voucher.table || "the cage"}`, "NZEB-10.6", "ok");

export async function paid(voucher, amount) {
  at("pay").disabled = true;
  const reply = await ask({ type: "RedeemVoucher", voucher: voucher.code, amount });
  await learned(reply.rule);
  const refused = async () => verdict(await unpaid(voucher, amount), reply.reason ?? "", reply.rule);
  at("found").replaceChildren(reply.done ? payment(voucher) : await refused());
  if (reply.done) at("code").value = "";
  at("code").focus();
  await refresh();
}
