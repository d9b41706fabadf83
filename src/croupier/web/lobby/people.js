/**
 * The people of the house, for the casino manager: who has an account, in which roles, and what to do about it.
 *
 * A password for one use is shown once, here, and nowhere else.
 */

import { enter, newId } from "../kit/connection.js";
import { another, stepUp } from "../kit/factor.js";
import { button, field, input, post } from "../kit/session.js";

const ROLES = [
  "dealer",
  "stickperson",
  "cashier",
  "game supervisor",
  "casino supervisor",
  "shift manager",
  "casino manager",
  "player",
];

function made(tag, kind, ...children) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.append(...children);
  return element;
}

/** @param {{place: HTMLElement, role: string}} given */
export async function people({ place, role }) {
  const status = made("p", "one-time");
  status.setAttribute("role", "status");
  const rows = made("tbody", "");
  const ticket = await enter({ name: "", role, table: "" });
  const headers = { Authorization: `Ticket ${ticket}` };
  /** The acts for which whoever is signed in shows a second factor. */
  let wanted = [];

  async function list() {
    const answer = await (await fetch("/api/people", { headers })).json();
    wanted = answer.factor ?? [];
    rows.replaceChildren(...(answer.people ?? []).map((each) => row(each, act)));
  }

  async function act(body) {
    try {
      const id = newId();
      const shown = wanted.includes(body.type) ? await stepUp(ticket, id) : ticket;
      const done = await asked({ ...body, id }, { Authorization: `Ticket ${shown}` });
      status.textContent = done.one_time ? `${done.name}: password for one use ${done.one_time}` : `${done.name}: done`;
    } catch (error) {
      status.textContent = error.message;
    }
    await list();
  }

  /** Where two people are wanted, the other one confirms it at this screen. */
  async function asked(body, shown) {
    try {
      return await post("/api/people", body, shown);
    } catch (error) {
      if (error.wants !== "second" || body.second) throw error;
      const second = await another({ role: "shift manager", name: "" }, "", body.id);
      return asked({ ...body, second }, shown);
    }
  }

  const heads = made("tr", "", ...["Name", "Roles", "State", ""].map((name) => made("th", "", name)));
  const title = made("h2", "", "People");
  place.replaceChildren(title, made("table", "list", made("thead", "", heads), rows), status, adding(act));
  place.hidden = false;
  await list();
}

function row(each, act) {
  const locked = each.locked_until_ms > Date.now();
  const state = each.disabled ? "disabled" : locked ? "locked" : each.must_change ? "to set a password" : "active";
  const does = (words, type) =>
    button(words, { onclick: () => act({ type, name: each.name }), ariaLabel: `${words} ${each.name}` });
  const acts = [each.disabled ? does("Enable", "Enable") : does("Disable", "Disable"), does("New password", "Reset")];
  if (each.failures) acts.push(does("Unlock", "Unlock"));
  if (each.factors) acts.push(does("Forget second factors", "ForgetFactors"));
  return made(
    "tr",
    "",
    made("td", "", each.name),
    made("td", "", each.roles.join(", ")),
    made("td", "", state),
    made("td", "acts", ...acts),
  );
}

function adding(act) {
  const name = input({ id: "new-name", maxLength: 40, autocomplete: "off" });
  const boxes = ROLES.map((role) => {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "role", value: role });
    return made("label", "check", box, role);
  });
  const pin = Object.assign(document.createElement("input"), { type: "checkbox", name: "pin" });
  const form = made(
    "form",
    "adding",
    field("Name", name),
    made("fieldset", "roles", ...boxes),
    made("label", "check", pin, "PIN instead of a password"),
  );
  form.append(button("Add", { type: "submit", className: "btn main" }));
  form.setAttribute("aria-label", "Add a person");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const roles = boxes
      .map((label) => /** @type {HTMLInputElement} */ (label.firstChild))
      .filter((box) => box.checked)
      .map((box) => box.value);
    await act({ type: "Add", name: name.value, roles, kind: pin.checked ? "pin" : "password" });
    form.reset();
  });
  return form;
}
