/**
 * Signing in at the lobby: a form for who is not signed in, another password where one must be set, and the way out.
 *
 * @typedef {import("../kit/session.js").Me} Me
 */

import { button, field, input, me, post } from "../kit/session.js";
import { factors } from "./factors.js";

/**
 * @param {{place: HTMLElement, onChange: (who: Me) => void}} given
 * @returns {Promise<Me>} who is signed in now
 */
export async function account({ place, onChange }) {
  const show = (who) => {
    place.replaceChildren(
      ...(!who.name ? signIn(again) : who.must_change ? anotherPassword(who, again) : signedIn(who, again, show)),
    );
    onChange(who);
  };
  const again = async () => show(await me());
  const who = await me();
  if (!who.demo) show(who);
  return who;
}

/** A form that posts, and says why not. */
function form(name, fields, { to, words, body, done, extra = [] }) {
  const made = document.createElement("form");
  made.className = "account";
  made.setAttribute("aria-label", name);
  const alert = Object.assign(document.createElement("p"), { className: "refused", id: "account-status" });
  alert.setAttribute("role", "alert");
  const go = button(words, { type: "submit", className: "btn main" });
  made.append(...fields, go, ...extra, alert);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    alert.textContent = "";
    go.disabled = true;
    try {
      await post(to, body());
      await done();
    } catch (error) {
      alert.textContent = error.message;
    }
    go.disabled = false;
  });
  return [made];
}

function signIn(again) {
  const name = input({ id: "sign-in-name", autocomplete: "username" });
  const password = input({ id: "sign-in-password", type: "password", autocomplete: "current-password" });
  const body = () => ({ name: name.value, password: password.value });
  const fields = [field("Name", name), field("Password or PIN", password)];
  const asks = Object.assign(document.createElement("p"), {
    className: "quiet",
    textContent: "Sign in to play or to work here.",
  });
  return [asks, ...form("Sign in", fields, { to: "/api/sign-in", words: "Sign in", body, done: again })];
}

function anotherPassword(who, again, back = null) {
  const old = input({ id: "old-password", type: "password", autocomplete: "current-password" });
  const next = input({ id: "new-password", type: "password", autocomplete: "new-password" });
  const pin = who.kind === "pin";
  const body = () => ({ old: old.value, [pin ? "pin" : "password"]: next.value });
  const fields = [
    field(pin ? "PIN so far" : "Password so far", old),
    field(pin ? "New PIN, 6 digits or more" : "New password, 12 characters or more", next),
  ];
  const extra = back ? [button("Cancel", { onclick: back })] : [];
  const title = Object.assign(document.createElement("p"), {
    className: "quiet",
    textContent: who.must_change ? `Welcome, ${who.name}. Set a ${pin ? "PIN" : "password"} of your own first.` : "",
  });
  return [
    title,
    ...form("Another password", fields, { to: "/api/password", words: "Set it", body, done: again, extra }),
  ];
}

function signedIn(who, again, show) {
  const row = document.createElement("div");
  row.className = "account";
  const name = Object.assign(document.createElement("p"), { id: "signed-in", textContent: who.name });
  const roles = Object.assign(document.createElement("span"), {
    className: "quiet",
    textContent: ` ${(who.roles ?? []).join(", ")}`,
  });
  name.append(roles);
  const change = button(who.kind === "pin" ? "Change PIN" : "Change password");
  change.addEventListener("click", () =>
    row.parentElement?.replaceChildren(...anotherPassword({ ...who, must_change: false }, again, () => show(who))),
  );
  const out = button("Sign out");
  out.addEventListener("click", () => post("/api/sign-out", {}).then(again, again));
  const second = button("Second factor", {
    onclick: async () => row.parentElement?.replaceChildren(await factors(again)),
  });
  row.append(name, ...(who.kind === "pin" ? [] : [second]), change, out);
  return [row];
}
