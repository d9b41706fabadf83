/**
 * Showing a second factor: the figures of a code, or a passkey that the browser asks for.
 *
 * What is shown is good for one command; the house answers with a ticket for it.
 *
 * @typedef {{kinds: string[], state: string, options: any}} FactorAsked
 * @typedef {{code?: string, state?: string, passkey?: any}} ShownFactor
 */

import { button, field, input, lent, me, post } from "./session.js";

const NONE = "You have no second factor for this house yet: add one in the lobby, beside your name.";

/**
 * A ticket for one command, for which its owner shows a second factor here.
 * @param {string} ticket
 * @param {string} command the id of that command
 * @param {string} [who] whose factor it is, if not that of whoever is signed in
 * @returns {Promise<string>}
 */
export async function stepUp(ticket, command, who = "") {
  const asked = await post("/api/step-up/challenge", { ticket, command });
  return show(asked, who, async (shown) => (await post("/api/step-up", { ticket, command, shown })).ticket);
}

/**
 * Ask for one of the second factors, and hand it on; what is refused is said, and may be tried again.
 * @template T
 * @param {FactorAsked} asked
 * @param {string} who
 * @param {(shown: ShownFactor) => Promise<T>} use
 * @returns {Promise<T>}
 */
export function show(asked, who, use) {
  if (!asked.kinds.length) throw new Error(who ? `${who} has no second factor for this house yet.` : NONE);
  const dialog = Object.assign(document.createElement("dialog"), { className: "dialog lend" });
  const title = Object.assign(document.createElement("h2"), {
    textContent: who ? `Second factor of ${who}` : "Your second factor",
    id: "factor-title",
  });
  const alert = Object.assign(document.createElement("p"), { className: "why" });
  alert.setAttribute("role", "alert");
  const form = document.createElement("form");
  const code = input({ name: "code", inputMode: "numeric", autocomplete: "one-time-code", maxLength: 10 });
  const passkey = button("Use a passkey");
  const cancel = button("Cancel");
  form.append(title);
  if (asked.kinds.includes("totp"))
    form.append(field("Code of 6 figures", code), button("Show it", { type: "submit", className: "btn main" }));
  if (asked.options) form.append(passkey);
  form.append(alert, cancel);
  dialog.setAttribute("aria-labelledby", "factor-title");
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((given, refused) => {
    const end = (settle, value) => {
      dialog.remove();
      settle(value);
    };
    const tried = async (making) => {
      try {
        end(given, await use(await making()));
      } catch (error) {
        alert.textContent = error.message;
        code.value = "";
      }
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      tried(async () => ({ code: code.value }));
    });
    passkey.addEventListener("click", () =>
      tried(async () => ({ state: asked.state, passkey: await signed(asked.options) })),
    );
    const gone = () => end(refused, new Error("no second factor was shown"));
    cancel.addEventListener("click", gone);
    dialog.addEventListener("cancel", gone);
  });
}

/** What a passkey of this person answers. */
async function signed(options) {
  const publicKey = /** @type {any} */ (PublicKeyCredential).parseRequestOptionsFromJSON(options.publicKey);
  return /** @type {any} */ (await navigator.credentials.get({ publicKey })).toJSON();
}

/** A new passkey, as the browser tells of it. */
export async function newPasskey(options) {
  const publicKey = /** @type {any} */ (PublicKeyCredential).parseCreationOptionsFromJSON(options.publicKey);
  return /** @type {any} */ (await navigator.credentials.create({ publicKey })).toJSON();
}

/**
 * The second person of a command for two, at this screen: name, password, and their second factor where it is wanted.
 * @param {{role: string, name: string}} official
 * @param {string} table
 * @param {string} command
 * @returns {Promise<string>} the ticket
 */
export async function another(official, table, command) {
  const { ticket, name, factor } = await lent(official, table, command);
  return factor ? stepUp(ticket, command, name) : ticket;
}

/**
 * Ask with a ticket for something under an id; where the house wants a second factor for it, it is shown here.
 * @param {string} path
 * @param {{id: string}} body
 * @param {string} ticket
 */
export async function posted(path, body, ticket) {
  const shown = (text) => ({ Authorization: `Ticket ${text}` });
  try {
    const { factor } = await me();
    return await post(path, body, shown(factor ? await stepUp(ticket, body.id) : ticket));
  } catch (error) {
    if (error.wants !== "factor") throw error;
    return post(path, body, shown(await stepUp(ticket, body.id)));
  }
}
