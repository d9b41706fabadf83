/**
 * What a paired terminal does beside playing: its secret, its slip, notes, cashing out, and the rounds it can recall.
 *
 * The secret of the device lies in this browser's own store, as a real device has one; with it the terminal gets its
 * tickets.  At the cut-off the terminal draws its slip, and once it is drawn reads it back from the screen and confirms
 * the digest of that: what is confirmed is what somebody could see, never what the server said.  The note acceptor is a
 * simulated one: its buttons send the message that a real one would send.
 */

import { svg } from "../../kit/cards.js";
import { newId } from "../../kit/connection.js";
import { at } from "../desk.js";
import { dollars, short } from "../../kit/money.js";
import { resultWords, wagerWords } from "../../kit/names.js";
import { field, input, post } from "../../kit/session.js";
import { language, t } from "../../kit/words.js";

const AGAIN_MS = 1000;
const NOTE = ["M3 6h18v12H3z", "M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6", "M6 9v.1M18 15v.1"];

const key = (table, name) => `croupier device ${table} ${name}`;
const stored = (table, name) => localStorage.getItem(key(table, name)) ?? "";

/**
 * @type {{view: any, line: any, toast: (text: string) => void, ticket: string, asked: string, voucher: string,
 * sending: boolean}}
 */
const here = { view: null, line: null, toast: () => {}, ticket: "", asked: "", voucher: "", sending: false };
/** What was credited first in rounds that were corrected later, in cents. @type {Map<number, Promise<number>>} */
const first = new Map();

function made(tag, given = {}, ...children) {
  const { rule, ...properties } = given;
  const element = Object.assign(document.createElement(tag), properties);
  if (rule) element.dataset.rule = rule;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const button = (words, given) => made("button", { type: "button", className: "btn", ...given }, words);

// ---------------------------------------------------------------- entering as a device

/** The ticket of the device that this page is; a page that is none yet asks for a code first. */
export async function ticketOf(table, name) {
  const secret = stored(table, name);
  if (!name || !secret) return pairing(name ? t("secret-lost") : "");
  try {
    return (await post("/api/devices/enter", { secret })).ticket;
  } catch (error) {
    localStorage.removeItem(key(table, name));
    return pairing(error.message);
  }
}

/** Ask for the code that a supervisor reads out; then this page is that terminal, and begins anew as it. */
function pairing(reason) {
  dress();
  const code = input({ name: "code", autocomplete: "off", maxLength: 20 });
  const alert = made("p", { className: "why", textContent: reason });
  alert.setAttribute("role", "alert");
  const submit = made("button", { className: "btn main" }, t("pair-terminal"));
  const form = made("form", {}, field(t("pairing-code"), code), alert, submit);
  const words = made("p", {}, t("pairing-how"));
  const dialog = made(
    "dialog",
    { className: "dialog device" },
    made("h2", { id: "pairing-title" }, t("pair-terminal")),
    words,
    form,
  );
  dialog.setAttribute("aria-labelledby", "pairing-title");
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { table, name, secret } = await post("/api/devices/pair", { code: code.value });
      localStorage.setItem(key(table, name), secret);
      const kept = new URLSearchParams(location.search);
      for (const [part, value] of Object.entries({ table, name, device: name })) kept.set(part, value);
      location.replace(`/terminal?${kept}`);
    } catch (error) {
      alert.textContent = error.message;
      code.select();
    }
  });
  return new Promise(() => {});
}

// ---------------------------------------------------------------- the slip

/** The slip as it stands on the screen: the bets in the order of their names, each with its money. */
function drawSlip(view) {
  const amounts = new Map();
  for (const { mine, on, stake } of view.wagers) if (mine) amounts.set(on, (amounts.get(on) ?? 0) + stake);
  const shown = !view.betting.open && amounts.size > 0;
  at("slip").hidden = !shown;
  document.querySelector(".tray").classList.toggle("slipped", shown);
  if (!shown) return;
  const lines = [...amounts].map(([on, cents]) => {
    const line = made("li", {}, made("span", {}, wagerWords(on)), made("b", {}, dollars(cents)));
    line.dataset.bet = on;
    return line;
  });
  at("slip-round").textContent = String(view.round);
  at("slip-lines").replaceChildren(...lines);
  const { owed, confirmed } = view.terminal.slip;
  at("slip-state").textContent = confirmed ? t("slip-confirmed") : owed ? t("slip-confirming") : "";
  at("slip").className = confirmed ? "slip confirmed" : "slip";
}

/** What the screen shows, read back from it: `Terminal 7|12|banker 5000|tie 1000`. */
function slipShown(name) {
  const cents = (text) => Math.round(Number(text.replaceAll(/[^\d.]/g, "")) * 100);
  const lines = [...at("slip-lines").children].map(
    (line) => `${line.dataset.bet} ${cents(line.querySelector("b").textContent)}`,
  );
  return [name, at("slip-round").textContent, ...lines.sort()].join("|");
}

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Confirm the slip after the frame in which it was drawn; a page that nobody sees draws none, and confirms nothing. */
function confirmDrawn() {
  const { me, terminal } = here.view;
  if (!terminal.slip.owed) return;
  requestAnimationFrame(() => requestAnimationFrame(async () => {
    const shown = slipShown(me.name);
    if (!here.view.terminal.slip.owed || here.asked === shown) return;
    here.asked = shown;
    const answer = await here.line.do({ type: "ConfirmSlip", terminal: me.name, slip: await digest(shown) });
    if (answer.done) return;
    at("slip-state").textContent = t("slip-not-confirmed", { reason: answer.reason });
    setTimeout(() => {
      here.asked = "";
      confirmDrawn();
    }, AGAIN_MS);
  }));
}

// ---------------------------------------------------------------- money

/** A note goes in: the message of an acceptor, under an id of its own. */
async function insert(cents) {
  const { table, me } = here.view;
  const secret = stored(table.name, `${me.name} note acceptor`);
  if (!secret) return tell(t("secret-lost"));
  const answer = await post("/api/devices/notes", { id: newId(), secret, notes: [cents] }).catch((error) => ({
    done: false,
    reason: error.message,
  }));
  tell(
    answer.done ? t("is-credited", { amount: short(cents) }) : t("note-came-back", { reason: answer.reason }),
  );
}

async function cashOut() {
  at("cash-out").disabled = here.sending = true;
  const answer = await here.line.do({ type: "CashOut", terminal: here.view.me.name, voucher: "" });
  here.sending = false;
  if (answer.done) here.voucher = answer.voucher ?? "";
  tell(answer.done ? t("on-voucher") : t("not-cashed-out", { reason: answer.reason }));
  draw();
}

const tell = (text) => (at("device-status").textContent = text);
const grouped = (code) => code.replaceAll(/(.{4})(?=.)/g, "$1 ");

function drawMoney() {
  const { me, terminal, table } = here.view;
  const credits = terminal.display.available?.value ?? 0;
  at("device-title").textContent = me.name;
  at("device-more").textContent =
    (terminal.holder ? `${t("plays-here", { name: terminal.holder })} ` : "") +
    t("type-approval", { approval: terminal.approval || t("none") });
  at("cash-out").textContent = credits ? t("cash-out-amount", { amount: dollars(credits) }) : t("nothing-to-cash-out");
  at("cash-out").disabled = here.sending || !credits || terminal.locked;
  at("device-voucher").hidden = !here.voucher;
  at("device-number").textContent = grouped(here.voucher);
  at("device-print").href = `/voucher?${new URLSearchParams({ id: here.voucher, lang: language() })}`;
  // A real acceptor is a device of its own; only practice has buttons for notes.
  at("acceptor").hidden = !table.practice || !stored(table.name, `${me.name} note acceptor`);
  const notes = terminal.notes.map((cents) =>
    button(short(cents), {
      className: "btn note",
      onclick: () => insert(cents),
      ariaLabel: t("insert-note", { amount: short(cents) }),
      disabled: terminal.locked,
    }),
  );
  const key = `${language()} ${terminal.notes} ${terminal.locked}`;
  if (at("notes").dataset.key !== key) at("notes").replaceChildren(...notes);
  at("notes").dataset.key = key;
}

// ---------------------------------------------------------------- the last rounds, and what must be said

function drawRecall() {
  const { terminal, table, history } = here.view;
  const were = new Map(history.filter(({ was }) => was).map(({ round, was }) => [round, was]));
  const key = JSON.stringify([language(), terminal.recall, [...were]]);
  if (at("recall-rows").dataset.key === key) return;
  at("recall-rows").dataset.key = key;
  const rows = terminal.recall.map(({ round, cards, result, wagers, won, returned, void: why, rule }) => {
    const bets = wagers.map(({ on, stake }) => `${wagerWords(on)} ${short(stake)}`).join(", ");
    const ended = why ? t("void-because", { reason: why }) : resultWords(table.game, result).says;
    return made(
      "tr",
      { rule },
      made("td", {}, String(round)),
      made("td", {}, bets),
      made(
        "td",
        {},
        made("b", {}, ended),
        made("small", {}, cards.join(" ")),
        wasResult(table.game, were.get(round)),
      ),
      made("td", { className: "num" }, dollars(won)),
      made("td", { className: "num" }, dollars(returned), were.has(round) ? wasCredited(round) : null),
    );
  });
  at("recall").hidden = !rows.length;
  at("recall-none").hidden = rows.length > 0;
  at("recall-rows").replaceChildren(...rows);
}

/** The result that was told first, where it was corrected later. */
const wasResult = (game, was) =>
  was ? made("small", { className: "was" }, t("corrected", { was: resultWords(game, was).says })) : null;

/** What was credited first, which the story of the hand tells; it is read once, and shown when it is there. */
function wasCredited(round) {
  const was = made("small", { className: "was" });
  if (!first.has(round)) first.set(round, creditedFirst(round));
  const found = (cents) => (was.textContent = t("was-amount", { amount: dollars(cents) }));
  first.get(round).then(found, () => first.delete(round));
  return was;
}

async function creditedFirst(round) {
  const { table, me } = here.view;
  const headers = { Authorization: `Ticket ${here.ticket}` };
  const answer = await fetch(`/api/tables/${encodeURIComponent(table.name)}/rounds/${round}`, { headers });
  const reply = await answer.json();
  if (!answer.ok) throw new Error(reply.reason);
  const moves = reply.entries.filter(({ type }) => type === "WagerSettled").flatMap(({ transfers }) => transfers);
  return moves.filter(({ credit }) => credit === `chips:${me.name}`).reduce((sum, { amount }) => sum + amount, 0);
}

function bandWords({ locked, active, due, aggregate, display }) {
  if (locked) return t("locked-long");
  if (due) return t("due-before", { amount: dollars(due) });
  if (!active) return t("terminal-free");
  const wagered = display.wagered?.value ?? 0;
  return aggregate && wagered && wagered < aggregate && here.view.betting.open
    ? t("aggregate-least", { amount: short(aggregate) })
    : "";
}

function drawBand() {
  const words = bandWords(here.view.terminal);
  at("device-band").hidden = !words;
  if (at("device-band").textContent !== words) at("device-band").textContent = words;
  at("device-band").classList.toggle("stop", here.view.terminal.locked);
}

// ---------------------------------------------------------------- the page

function dialogOf() {
  const status = made("p", { id: "device-status", className: "why" });
  status.setAttribute("role", "status");
  const voucher = made(
    "div",
    { id: "device-voucher", className: "voucher", hidden: true },
    made("span", {}, t("voucher")),
    made("b", { id: "device-number" }),
    made("a", { id: "device-print", className: "btn", target: "_blank", rel: "noopener" }, t("print-voucher")),
  );
  const acceptor = made(
    "div",
    { id: "acceptor", hidden: true },
    made("p", {}, t("note-acceptor")),
    made("div", { id: "notes", className: "notes" }),
  );
  const out = button(t("cash-out"), { id: "cash-out", className: "btn main", onclick: cashOut });
  const heads = ["head-hand", "head-bets", "head-result", "head-won", "head-credited"].map((id) =>
    made("th", { scope: "col" }, t(id)),
  );
  const recall = made(
    "table",
    { id: "recall", className: "list" },
    made("thead", {}, made("tr", {}, ...heads)),
    made("tbody", { id: "recall-rows" }),
  );
  const close = made("form", { method: "dialog" }, made("button", { className: "btn" }, t("close")));
  const dialog = made(
    "dialog",
    { id: "device-dialog", className: "dialog device" },
    made("h2", { id: "device-title" }),
    made("p", { id: "device-more" }),
    acceptor,
    out,
    status,
    voucher,
    made("h3", {}, t("last-hands")),
    recall,
    made("p", { id: "recall-none" }, t("none-yet")),
    close,
  );
  dialog.setAttribute("aria-labelledby", "device-title");
  dialog.addEventListener("close", () => {
    here.voucher = "";
    tell("");
  });
  return dialog;
}

function slipPanel() {
  const head = made(
    "p",
    {},
    t("your-slip"),
    " ",
    made("b", { id: "slip-round" }),
    made("span", { id: "slip-state" }),
  );
  const slip = made(
    "div",
    { id: "slip", className: "slip", hidden: true, rule: "NZEB-5.5" },
    head,
    made("ul", { id: "slip-lines" }),
  );
  slip.setAttribute("role", "status");
  return slip;
}

let dressed = false;
function dress() {
  if (dressed) return;
  dressed = true;
  document.head.append(made("link", { rel: "stylesheet", href: "/terminal/credits/device.css" }));
}

/** In another language the panels are made anew; what was said on the slip stays said. */
addEventListener("language", () => {
  for (const id of ["device-dialog", "device-open", "device-band", "slip"]) at(id)?.remove();
});

function build() {
  if (document.getElementById("device-dialog")) return;
  dress();
  document.body.classList.add("paired");
  const open = button(t("credits"), {
    id: "device-open",
    className: "btn bare",
    onclick: () => /** @type {any} */ (at("device-dialog")).showModal(),
  });
  const band = made("p", { id: "device-band", className: "device-band", hidden: true });
  band.setAttribute("role", "status");
  open.prepend(
    svg(
      "svg",
      { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
      ...NOTE.map((d) => svg("path", { d })),
    ),
  );
  at("rules").before(open);
  document.querySelector(".tray").append(slipPanel());
  document.body.append(band, dialogOf());
}

function draw() {
  if (!here.view) return;
  drawSlip(here.view);
  drawMoney();
  drawRecall();
  drawBand();
}

/** Show what a terminal shows beside the felt, and confirm what it owes. */
export function showDevice(view, { line, toast, ticket }) {
  Object.assign(here, { view, line, toast, ticket });
  build();
  draw();
  confirmDrawn();
}
