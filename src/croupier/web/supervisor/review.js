/**
 * What a supervisor reviews: the rulings of this round, disputes, and who is on duty.
 */

import { needs } from "../dealer/irregularity.js";
import { form as anyForm, segments, statusLine } from "../kit/form.js";
import { ruleTag } from "../kit/rules.js";
import { h, kept, listTable, plain } from "../kit/staff.js";
import { LADDER } from "../kit/view.js";
import { time } from "./parts.js";

/** @param {{at: (id: string) => HTMLElement, page: any, ask: import("./ask.js").Ask}} given */
export function reviewPanel({ at, page, ask }) {
  const body = h("div.reviews");
  const keep = kept(body);
  const line = statusLine();
  const form = (given) => anyForm({ ...given, line });
  let tab = "disputes";
  let tabs = "";

  // ---------------------------------------------------------------- rulings

  function rulings({ rulings: all }) {
    if (!all.length) return [h("p.pad.quiet", "Nothing was ruled on in this round.")];
    return [h("ul", all.map(ruling))];
  }

  function ruling({ number, what, call, level, rule }) {
    const asked = needs(page.view.irregularities[what], { cards: true });
    const options = asked.call?.options.map((each) => [each, plain(each)]) ?? [];
    const fields = [
      options.length
        ? { name: "call", label: "Another call", kind: "select", options }
        : { name: "call", label: "Another call" },
    ];
    // A call is overruled from above: by the one next to whoever gave it.
    const role = LADDER[Math.min(LADDER.indexOf(level) + 1, LADDER.length - 1)];
    const overrule = form({
      label: `Overrule ruling ${number + 1}`,
      kind: "inline",
      fields,
      buttons: [{ name: "overrule", words: "Overrule", kind: "stop" }],
      send: ({ call: said }, _, line) =>
        ask.ask(
          { type: "Overrule", ruling: number, call: said },
          {
            status: line,
            role,
            done: `Ruling ${number + 1} is overruled: ${said}.`,
            danger: {
              title: "Overrule this ruling?",
              text: `The call becomes “${said}”, and the rest of the round is worked out again.`,
              yes: "Overrule it",
              no: "Let it stand",
            },
          },
        ),
    });
    const head = h("p.line", h("b", asked.what || plain(what)), ruleTag(rule));
    return h(
      "li",
      head,
      h("p.quiet", `Ruled on by the ${level}${call ? `, called “${call.replaceAll("_", " ")}”` : ""}.`),
      overrule,
    );
  }

  // ---------------------------------------------------------------- orders that wait

  function confirm({ order, what }, status) {
    return ask.ask({ type: "ConfirmOrder", order }, { status, done: `Ordered: ${plain(what).toLowerCase()}.` });
  }

  /** An act that is due from this official, done as it usually is. */
  function perform({ act, by, usual }, status) {
    const fact = { perform: act, by, ...(usual === "" ? {} : { detail: usual }) };
    return ask.ask({ type: "Tell", fact }, { status, done: `${plain(act)}: done.` });
  }

  function decline({ order, what }, status) {
    return ask.ask(
      { type: "DeclineOrder", order, reason: "declined" },
      { status, done: `Not ordered: ${plain(what).toLowerCase()}.` },
    );
  }

  // ---------------------------------------------------------------- disputes

  function disputes({ disputes: all }) {
    const raise = form({
      label: "Record a dispute",
      kind: "inline",
      fields: [
        { name: "complainant", label: "Complainant" },
        { name: "about", label: "About" },
      ],
      buttons: [{ name: "raise", words: "Record a dispute" }],
      send: ({ complainant, about }, _, line) =>
        ask.ask(
          { type: "RaiseDispute", complainant, about },
          { status: line, done: `The dispute of ${complainant} is recorded.` },
        ),
    });
    const listed = [...all].reverse().map(dispute);
    return [listed.length ? h("ul", listed) : h("p.pad.quiet", "No dispute was raised at this table."), raise];
  }

  function dispute({ number, complainant, about, before, roles, review, decision, resolved, rule }) {
    const head = h(
      "p.line",
      h("b", complainant),
      h("span", { className: `pill ${resolved ? "ok" : "wait"}` }, resolved ? "decided" : `before the ${before}`),
      ruleTag(rule),
    );
    if (resolved)
      return h("li", head, h("p.quiet", `${about}. Decided: ${decision}`), reviewed({ number, complainant, review }));
    const mine = roles.includes(page.who.role);
    const words = `${decision ? `${about}. So far: ${decision}` : about}.`;
    // Whoever stands outside the house decides at a desk of their own.
    if (!mine && !LADDER.includes(before)) return h("li", head, h("p.quiet", `${words} The ${before} decides it.`));
    const decide = form({
      label: `Decide the dispute of ${complainant}`,
      fields: [
        { name: "decision", label: "Decision" },
        { name: "named", label: "The complainant was told of the inspector", kind: "check" },
      ],
      buttons: [
        { name: "decide", words: "Decide" },
        { name: "leave", words: "Leave it unresolved" },
      ],
      send: ({ decision: said, named }, which, line) =>
        ask.ask(
          {
            type: "DecideDispute",
            dispute: number,
            decision: said,
            resolved: which === "decide",
            inspector_named: named,
          },
          {
            status: line,
            role: mine ? page.who.role : before,
            done: which === "decide" ? "The dispute is decided." : "The dispute goes on; the inspector is notified.",
          },
        ),
    });
    return h("li", head, h("p.quiet", mine ? words : `${words} The ${before} confirms what is decided.`), decide);
  }

  /** What was decided is reviewed by the next official, if the complainant asks. */
  function reviewed({ number, complainant, review }) {
    if (!review) return h("p.quiet", "Nobody reviews this decision.");
    return form({
      label: `Review of the dispute of ${complainant}`,
      fields: [],
      buttons: [{ name: "review", words: `${complainant} asks the ${review} for a review` }],
      send: (_, which, line) =>
        ask.ask({ type: "AskReview", dispute: number }, { status: line, done: `It is before the ${review} now.` }),
    });
  }

  // ---------------------------------------------------------------- the shift

  function duty({ duty: { supervisor, opened_ms: opened, people } }) {
    const since = opened ? `Open since ${time(opened)}` : "Opened earlier";
    const rows = people.map(({ name, role, at_ms: last }) =>
      h("tr", h("td", h("b", name)), h("td", plain(role)), h("td.num", time(last))),
    );
    return [
      h("p.pad.quiet", `${since}; on the sign as game supervisor: ${supervisor}.`),
      rows.length ? listTable(["On duty", "As", "Last act"], rows) : "",
    ];
  }

  // ---------------------------------------------------------------- drawing

  function show(view) {
    const open = view.disputes.filter((each) => !each.resolved).length;
    const drawn = { rulings, disputes, duty }[tab];
    const keys = { rulings: view.rulings, disputes: view.disputes, duty: view.duty };
    keep([tab, keys[tab]], () => drawn(view));
    const now = JSON.stringify([tab, view.rulings.length, open]);
    if (now === tabs) return;
    tabs = now;
    const options = [
      ["rulings", `Rulings ${view.rulings.length || ""}`.trim()],
      ["disputes", `Disputes ${open || ""}`.trim()],
      ["duty", "Shift"],
    ];
    at("review-end").replaceChildren(
      segments({ label: "What to review", options: /** @type {any} */ (options), value: tab, pick: turn }),
    );
  }

  function turn(value) {
    tab = value;
    line.empty();
    show(page.view);
  }

  at("review").append(body, line.root);
  return { show, turn, confirm, decline, perform };
}
