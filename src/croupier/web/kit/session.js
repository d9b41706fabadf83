/**
 * Who is signed in here, in a house with accounts.
 *
 * The session is a cookie that no script can read.  What changes anything shows the token of the session besides, which
 * the house tells to its own pages; it is asked for each time, because it changes with every new session.
 *
 * @typedef {{demo: boolean, name: string, roles?: string[], kind?: string, must_change?: boolean, token?: string,
 * factor?: boolean, factors?: number}} Me
 */

/** @returns {Promise<Me>} */
export async function me() {
  return (await fetch("/api/me")).json();
}

/**
 * Ask the house to do something; what it refuses is an error with its reason.
 * @param {string} path
 * @param {object} body
 * @param {Record<string, string>} headers
 */
export async function post(path, body, headers = {}) {
  const { token = "" } = await me();
  const shown = { "Content-Type": "application/json", ...(token ? { "X-Croupier-Token": token } : {}), ...headers };
  const answer = await fetch(path, { method: "POST", headers: shown, body: JSON.stringify(body) });
  const reply = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(reply.reason), { wants: reply.wants ?? "" });
  return reply;
}

/** A field of a form with its name. */
export function field(name, input) {
  const label = document.createElement("label");
  label.className = "field";
  const words = document.createElement("span");
  words.textContent = name;
  label.append(words, input);
  return label;
}

/** An input of a form. */
export function input(given) {
  return Object.assign(
    document.createElement("input"),
    { className: "input", required: true, maxLength: 200, spellcheck: false },
    given,
  );
}

export function button(words, given = {}) {
  return Object.assign(
    document.createElement("button"),
    { className: "btn", type: "button", textContent: words },
    given,
  );
}

/**
 * Ask an official at this screen for name and password, and lend the role for one command.
 * @param {{role: string, name: string}} official
 * @param {string} table
 * @param {string} command the id of that command
 * @returns {Promise<{ticket: string, name: string, factor: boolean}>} `factor`: they have to show a second factor too,
 * where the command wants one
 */
export function lent({ role, name }, table, command) {
  const dialog = Object.assign(document.createElement("dialog"), { className: "dialog lend" });
  const who = input({ name: "name", value: name, autocomplete: "off", maxLength: 40 });
  const secret = input({ name: "password", type: "password", autocomplete: "off" });
  const alert = Object.assign(document.createElement("p"), { className: "why" });
  alert.setAttribute("role", "alert");
  const title = Object.assign(document.createElement("h2"), { textContent: `The ${role} does this`, id: "lend-title" });
  const form = document.createElement("form");
  const cancel = button("Cancel");
  form.append(
    title,
    field("Name", who),
    field("Password or PIN", secret),
    alert,
    button(`Confirm as ${role}`, { type: "submit", className: "btn main" }),
    cancel,
  );
  dialog.setAttribute("aria-labelledby", "lend-title");
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  (who.value ? secret : who).focus();
  return new Promise((given, refused) => {
    const end = (settle, value) => {
      dialog.remove();
      settle(value);
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        end(given, await post("/api/lend", { name: who.value, password: secret.value, role, table, command }));
      } catch (error) {
        alert.textContent = error.message;
        secret.value = "";
        secret.focus();
      }
    });
    const gone = () => end(refused, new Error("nobody confirmed it"));
    cancel.addEventListener("click", gone);
    dialog.addEventListener("cancel", gone);
  });
}

/**
 * The same, and only the ticket.
 * @param {{role: string, name: string}} official
 * @param {string} table
 * @param {string} command
 * @returns {Promise<string>}
 */
export async function lend(official, table, command) {
  return (await lent(official, table, command)).ticket;
}

// ---------------------------------------------------------------- the rooms of study

const BUSY = [429, 503];
const AGAIN_MS = 1500;
const MOST_TRIES = 80;
const WORDS = {
  busy: "Other questions are being answered; this one waits",
  lost: "The house does not answer; trying again",
};

/**
 * Ask a room of study.  A few questions are answered at a time: what comes while they are, or while the house does not
 * answer, is asked again by itself, since whoever asked did nothing wrong.  What is refused for another reason is an
 * error with that reason.
 * @param {string} address
 * @param {{signal?: AbortSignal, waits?: (words: string) => void}} [how] `waits` is told why, each time
 */
export async function study(address, { signal, waits = () => {} } = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await asked(address, signal, tries);
    if (answer?.ok) return answer.json();
    if (answer && (!BUSY.includes(answer.status) || tries >= MOST_TRIES)) {
      const { reason, rule } = await answer.json();
      throw Object.assign(new Error(reason), { rule, missing: answer.status === 404 });
    }
    waits(answer ? WORDS.busy : WORDS.lost);
    await new Promise((go) => setTimeout(go, AGAIN_MS));
    signal?.throwIfAborted();
  }
}

/** The answer, or nothing if the house cannot be reached now. */
async function asked(address, signal, tries) {
  try {
    return await fetch(address, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (tries >= MOST_TRIES) throw new Error("the house does not answer: load this page again");
    return null;
  }
}
