/**
 * Practice credits at a table without terminals: buying in, what there is, cashing out, and whom to call.
 *
 * The same place and the same words as the credits of a paired terminal have (`device.js`), so that a player finds them
 * alike in every game.  No money is at stake here; the virtual dealer changes it.
 */

import { newId } from "../../kit/connection.js";
import { dollars, short } from "../../kit/money.js";
import { post } from "../../kit/session.js";
import { html } from "../cloth.js";
import { at } from "../desk.js";
import { t } from "../../kit/words.js";

const NOTES = [2000, 5000, 10000, 50000];
/** @type {{view: any, ticket: string}} */
const here = { view: null, ticket: "" };

const button = (words, given) => Object.assign(html("button", "btn", words), { type: "button", ...given });

async function exchange(cents, said) {
  const { table } = here.view;
  const headers = { Authorization: `Ticket ${here.ticket}` };
  const path = `/api/tables/${encodeURIComponent(table.name)}/credits`;
  const answer = await post(path, { id: newId(), cents }, headers).catch((error) => ({
    done: false,
    reason: error.message,
  }));
  at("wallet-status").textContent = answer.done ? said : t("not-done", { reason: answer.reason });
}

/** In another language the dialog is made anew. */
addEventListener("language", () => {
  for (const id of ["wallet-dialog", "wallet-open"]) at(id)?.remove();
});

function build() {
  if (at("wallet-dialog")) return;
  document.head.append(
    Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/terminal/credits/device.css" }),
  );
  document.body.classList.add("paired");
  const status = Object.assign(html("p", "why"), { id: "wallet-status" });
  status.setAttribute("role", "status");
  const notes = html(
    "div",
    "notes",
    ...NOTES.map((cents) =>
      button(short(cents), {
        className: "btn note",
        ariaLabel: t("buy-in-for", { amount: short(cents) }),
        onclick: () => exchange(cents, t("is-credited", { amount: short(cents) })),
      }),
    ),
  );
  const out = button(t("cash-out"), {
    id: "wallet-out",
    className: "btn main",
    onclick: () => exchange(-here.view.me.chips, t("practice-cashed-out")),
  });
  const close = html("form", "", html("button", "btn", t("close")));
  close.setAttribute("method", "dialog");
  const title = Object.assign(html("h2", "", t("your-credits")), { id: "wallet-title" });
  const dialog = Object.assign(
    html(
      "dialog",
      "dialog device",
      title,
      Object.assign(html("p"), { id: "wallet-more" }),
      html("p", "", t("buy-in-practice")),
      notes,
      out,
      status,
      close,
    ),
    { id: "wallet-dialog" },
  );
  dialog.setAttribute("aria-labelledby", "wallet-title");
  dialog.addEventListener("close", () => (status.textContent = ""));
  document.body.append(dialog);
  const open = button(t("credits"), {
    id: "wallet-open",
    className: "btn bare",
    onclick: () => at("wallet-dialog").showModal(),
  });
  open.prepend(icon());
  at("rules").before(open);
}

function icon() {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }))
    drawn.setAttribute(name, value);
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", "M3 6h18v12H3zM12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6M6 9v.1M18 15v.1");
  drawn.append(shape);
  return drawn;
}

/**
 * @param {any} view
 * @param {{ticket: string}} status
 */
export function showWallet(view, { ticket }) {
  Object.assign(here, { view, ticket });
  build();
  const { chips = 0, staked = 0 } = view.me;
  const given = { amount: dollars(chips), staked: dollars(staked) };
  const words = t(!(chips + staked) ? "out-of-credit-buy" : staked ? "available-and-staked" : "available-sum", given);
  at("wallet-more").textContent = words;
  at("wallet-out").textContent = chips ? t("cash-out-amount", given) : t("nothing-to-cash-out");
  at("wallet-out").disabled = !chips;
}
