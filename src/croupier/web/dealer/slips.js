/**
 * The terminals of an electronic table on the dealer's console: who has not confirmed, and codes for pairing.
 *
 * No card is dealt until every terminal with wagers has confirmed its slip.  While one has not, a band says who; a
 * supervisor may return the wagers of one that does not answer, and says why.  What a correction left to somebody who
 * had been paid out waits here for its voucher.  A supervisor who pairs a device reads its code from this screen.
 */

import { newId } from "../kit/connection.js";
import { posted } from "../kit/factor.js";
import { dollars, h, icon } from "../kit/staff.js";

const REASON = "the terminal did not confirm its wagers";
const SUPERVISOR = { role: "game supervisor", name: "Sue" };

/**
 * @param {{band: HTMLElement, place: HTMLElement, ask: (command: object, official: any) => Promise<any>,
 *          lent: (official: any, id: string) => Promise<string>, above: (role: string) => boolean, who: () => any}}
 * given
 */
export function slipsPanel({ band, place, ask, lent, above, who }) {
  const status = h("p.why", { role: "status" });
  const shown = h("p.code", { hidden: true });
  const chosen = /** @type {HTMLSelectElement} */ (h("select.input", { "aria-label": "Device" }));
  const give = h("button.btn", { type: "button", onclick: code }, "Pairing code");
  const panel = h(
    "details.panel.devices",
    { hidden: true },
    h("summary", "Terminals and shoe"),
    h("div.pad", h("label.field", h("span", "Device"), chosen), give, shown, status),
  );
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog.dialog", { "aria-labelledby": "slip-title" }));
  let key = "";

  const official = () => (above(SUPERVISOR.role) ? SUPERVISOR : null);

  async function code() {
    try {
      const { ticket, table } = who();
      const id = newId();
      const official_ticket = official() ? await lent(SUPERVISOR, id) : ticket;
      const offered = await posted("/api/devices/code", { table, device: chosen.value, id }, official_ticket);
      shown.hidden = false;
      shown.textContent = offered.code;
      status.textContent = `Type this code on ${offered.device}. It is good once, for five minutes.`;
    } catch (error) {
      status.textContent = error.message;
    }
  }

  /** Ask why, then return the wagers of a terminal. */
  function giveBack(terminal) {
    const reason = /** @type {HTMLInputElement} */ (
      h("input.input", { value: REASON, maxLength: 200, autocomplete: "off" })
    );
    const refused = h("p.refused", { role: "alert" });
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", { id: "slip-title" }, `Return the wagers of ${terminal}?`),
      h("p.quiet", "They go back to its credits, and the hand can be dealt."),
      h("label.field", h("span", "Reason"), reason),
      refused,
      h(
        "div.choose",
        h("button.btn", { type: "button", onclick: () => dialog.close() }, "Wait for it"),
        h("button.btn.main", { type: "submit" }, "Return the wagers"),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const answer = await ask({ type: "ReturnSlip", terminal, reason: reason.value.trim() || REASON }, official());
      if (answer.done) dialog.close();
      else refused.textContent = answer.reason;
    });
    dialog.replaceChildren(form);
    dialog.showModal();
  }

  /** A voucher over what is due; its number is shown until it is closed. */
  async function payDue([terminal, round, amount]) {
    const answer = await ask({ type: "PayDue", terminal, voucher: "", round }, null);
    const number = answer.done ? answer.voucher.replaceAll(/(.{4})(?=.)/g, "$1 ") : "";
    const words = answer.done ? "The cage pays it. Print it and hand it over." : answer.reason;
    const print = answer.done
      ? h(
          "a.btn.main",
          { href: `/voucher?${new URLSearchParams({ id: answer.voucher })}`, target: "_blank", rel: "noopener" },
          "Print the voucher",
        )
      : "";
    const close = h("button.btn", { type: "button", onclick: () => dialog.close() }, "Close");
    const title = answer.done ? `A voucher of ${dollars(amount)} for the player of ${terminal}` : "No voucher";
    dialog.replaceChildren(
      h("h2", { id: "slip-title" }, title),
      h("p.code", number),
      h("p.quiet", words),
      h("div.choose", close, print),
    );
    dialog.showModal();
  }

  function show(view) {
    const { electronic } = view;
    panel.hidden = !electronic;
    if (!electronic) return;
    const drawn = JSON.stringify([
      electronic.unconfirmed,
      electronic.dues,
      electronic.locked,
      electronic.terminals.map(({ name, locked }) => [name, locked]),
    ]);
    if (drawn === key) return;
    key = drawn;
    drawBand(electronic);
    const names = [...electronic.terminals.flatMap(({ name }) => [name, `${name} note acceptor`]), "shoe"];
    const before = chosen.value;
    chosen.replaceChildren(
      ...names.map((name) => h("option", { value: name }, name === "shoe" ? "Electronic shoe" : name)),
    );
    if (names.includes(before)) chosen.value = before;
  }

  function drawBand({ unconfirmed, dues, locked, terminals }) {
    const closed = terminals.filter((each) => each.locked).map(({ name }) => name);
    const stopped = locked ? "The game system is locked." : closed.length ? `Locked: ${closed.join(", ")}.` : "";
    const acts = unconfirmed.map((name) =>
      h("button.btn", { type: "button", onclick: () => giveBack(name) }, `Return wagers of ${name}`),
    );
    const words = unconfirmed.length ? `Not confirmed: ${unconfirmed.join(", ")}. No card is dealt until then.` : "";
    const line =
      words || stopped
        ? h(
            "div.offline.unconfirmed",
            { role: "status" },
            icon("alert"),
            h("span", [words, stopped].filter(Boolean).join(" ")),
            acts,
          )
        : "";
    band.replaceChildren(...[line, ...dues.map(dueLine)].filter(Boolean));
  }

  function dueLine(due) {
    const [terminal, round, amount] = due;
    const who = round ? `whoever played round ${round} at ${terminal}` : `whoever played at ${terminal}`;
    const words = `${dollars(amount)} from a corrected result is due to ${who} and was paid out.`;
    const pay = h("button.btn", { type: "button", onclick: () => payDue(due) }, `Voucher of ${dollars(amount)}`);
    return h("div.offline.waiting", { role: "status" }, icon("alert"), h("span", words), pay);
  }

  place.append(panel);
  document.body.append(dialog);
  return { show };
}
