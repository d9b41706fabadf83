/**
 * Asking the table for something, the supervisor's way: look first, ask once more where it is dangerous, then do it.
 *
 * Before anything is asked, the house previews it: what would be recorded, or why it is refused and under which rule.
 * So a refusal costs nothing, and the question that comes before a dangerous act says what it will do in the table's
 * own words. What somebody higher must do is looked at as that official's, and done with that official's ticket: in a
 * house with accounts the official shows a password at this screen; so does the second person, where a command wants
 * two.
 *
 * @typedef {ReturnType<typeof import("../kit/form.js").statusLine>} StatusLine
 * @typedef {{danger?: {title: string, text: string, yes: string, no?: string}, done: string, status: StatusLine, role?:
 * string, when?: () => Promise<void>}} How
 *   `role`: the lowest official for it, where that is not the same for every such command; `when`: what it waits for
 * @typedef {{ask: (command: any, how: How) => Promise<boolean>, preview: (command: any, role?: string) =>
 * Promise<any>}} Ask
 */

import { enter, newId } from "../kit/connection.js";
import { learn, ruleTag } from "../kit/rules.js";
import { another, stepUp } from "../kit/factor.js";
import { lend, me } from "../kit/session.js";
import { h, plain } from "../kit/staff.js";
import { tellLine } from "../kit/story.js";
import { isAbove } from "../kit/view.js";

/**
 * @param {{page: {who: any, view: any, table: any}, dialog: HTMLDialogElement}} given
 * @returns {Ask}
 */
export function asking({ page, dialog }) {
  const path = (what) => `/api/tables/${encodeURIComponent(page.who.table)}/${what}`;

  async function post(what, body) {
    const answer = await fetch(path(what), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const reply = await answer.json();
    learn(reply.rules ?? {});
    return reply;
  }

  /** What would follow; `role` is the official who would order it, if that is another. */
  async function preview(command, role = "") {
    const reply = await post("preview", { ticket: page.who.ticket, command, role });
    return { lawful: false, ...reply };
  }

  /** The official who must do it; nobody, if whoever is at this page is enough. */
  function officialFor(command, least) {
    const role = least ?? page.view.asks[command.type]?.role ?? page.who.role;
    return isAbove(role, page.who.role) ? role : "";
  }

  /** The ticket to do it with, for which a second factor was shown where that is wanted. */
  async function ticketFor(official, id, seen) {
    if (!official) return seen.factor ? stepUp(page.who.ticket, id) : page.who.ticket;
    if ((await me()).demo) return enter({ name: plain(official), role: official, table: page.who.table });
    const asked = { role: official, name: "" };
    return seen.second?.length ? another(asked, page.who.table, id) : lend(asked, page.who.table, id);
  }

  async function sent(command, { id, ticket, official, second }) {
    if (!official && !second) return page.table.do(command);
    return post("commands", { id, ticket, command, second });
  }

  async function ask(command, { danger, done, status, role, when }) {
    const id = newId();
    try {
      const official = officialFor(command, role);
      const seen = await preview(command, official);
      if (!seen.lawful) return no(status, seen);
      const asked = danger && (await sure(danger, seen, official));
      if (danger && !asked) return false;
      await when?.();
      const ticket = await ticketFor(official, id, seen);
      const second = seen.second?.length
        ? await another({ role: asked?.second ?? seen.second[0], name: "" }, page.who.table, id)
        : "";
      const answer = await sent(command, { id, ticket, official, second });
      if (!answer.done) return no(status, answer);
      status.yes(official ? `${done} Ordered by the ${official}.` : done);
      return true;
    } catch (error) {
      return no(status, { reason: error.message });
    }
  }

  function no(status, answer) {
    status.no({ ...answer, reason: answer.reason ?? "the house did not answer: try again" });
    return false;
  }

  /** Ask once more; the safe choice stands first.  Where two people are wanted, it is asked who the other one is. */
  function sure({ title, text, yes, no: keep = "Do nothing" }, seen, official) {
    const safe = h("button.btn", { type: "button" }, keep);
    const go = h("button", { type: "button", className: "btn main" }, yes);
    const by = official && h("p.by", `This is for the ${official} and those above, who confirms it here.`);
    const roles = (seen.second ?? []).map((role) =>
      h("option", { value: role, selected: role === "game supervisor" }, plain(role)),
    );
    const other = roles.length
      ? h(
          "label.field",
          h("span", "Done by two people: the second one is the"),
          h("select.input", { name: "second" }, roles),
        )
      : "";
    dialog.replaceChildren(
      h("h2", { id: "ask-title" }, title),
      h("p.quiet", text),
      by || "",
      recorded(seen),
      other,
      h("div.choose", safe, go),
    );
    dialog.showModal();
    safe.focus();
    return new Promise((answer) => {
      const end = (value) => {
        dialog.onclose = null;
        dialog.close();
        answer(value);
      };
      safe.onclick = () => end(false);
      go.onclick = () => end({ second: dialog.querySelector("select")?.value });
      dialog.onclose = () => answer(false);
    });
  }

  return { ask, preview };
}

/** What would be recorded, line by line with the rule of each. */
export function recorded({ events }) {
  const row = (event) => h("li", h("span", eventWords(event)), ruleTag(event.rule));
  return h("div.recorded", h("h3.caps", "What will be recorded"), h("ol", events.map(row)));
}

/** An event in plain words. */
export function eventWords(event) {
  const { head, more } = tellLine(event);
  return more ? [...head, ": ", more] : head;
}
