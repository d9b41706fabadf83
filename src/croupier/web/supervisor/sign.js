/**
 * The sign on the table: limits, the notice that announces new ones with its clock, the differential, and the closing.
 *
 * Limits may be eased at once; to tighten them needs a ground.  The panel lists the grounds that the law of this
 * table knows and says which of them holds now; the clock counts to the moment from which the announced limits may be
 * put up.
 */

import { form, typed } from "../kit/form.js";
import { range, short } from "../kit/money.js";
import { wagerWords } from "../kit/names.js";
import { ruleTag } from "../kit/rules.js";
import { h, icon, kept } from "../kit/staff.js";
import { countdown, minutesFrom, time } from "./parts.js";

const GROUNDS = {
  notice: ["The notice stood", "long enough, with these limits"],
  consent: ["All players agree", "nobody is there to ask"],
  "first opening": ["First opening today", "before the first round"],
  "no play": ["Nobody plays", "no player, no wager"],
};

/** @param {{at: (id: string) => HTMLElement, page: any, ask: import("./ask.js").Ask}} given */
export function signPanels({ at, page, ask }) {
  const now = () => Date.now() + page.ahead;
  const sign = h("div.sign");
  const notice = h("div.notice", { "aria-live": "polite" });
  const grounds = h("ul.grounds");
  const consent = h("fieldset.consent");
  const differing = h("div.why");
  const closing = h("div.notice", { "aria-live": "polite" });
  const keep = {
    sign: kept(sign),
    notice: kept(notice),
    grounds: kept(grounds),
    consent: kept(consent),
    differing: kept(differing),
    closing: kept(closing),
  };
  const clocks = { notice: null, closing: null };

  // ---------------------------------------------------------------- limits

  const limitsForm = form({
    label: "New limits",
    fields: [
      { name: "minimum", label: "New minimum", kind: "money" },
      { name: "maximum", label: "New maximum", kind: "money" },
    ],
    buttons: [
      { name: "post", words: "Post the notice", kind: "main" },
      { name: "change", words: "Change now" },
    ],
    send: ({ minimum, maximum }, which, status) =>
      which === "post" ? post(minimum, maximum, status) : change(minimum, maximum, status),
  });

  const post = (minimum, maximum, status) => {
    const from_ms = minutesFrom(now(), page.view.limits.minutes);
    return ask.ask(
      { type: "PostLimits", minimum, maximum, from_ms },
      { status, done: `The notice says ${range(minimum, maximum)} from ${time(from_ms)}.` },
    );
  };

  function change(minimum, maximum, status) {
    const ticked = /** @type {HTMLInputElement[]} */ ([...consent.querySelectorAll("input:checked")]).map(
      (each) => each.value,
    );
    return ask.ask(
      { type: "ChangeLimits", minimum, maximum, consent: ticked },
      {
        status,
        done: `The limits are now ${range(minimum, maximum)}.`,
        danger: {
          title: `Put up ${range(minimum, maximum)} now?`,
          text:
            `The sign says ${range(page.view.sign.minimum, page.view.sign.maximum)}. ` +
            "Wagers from now on follow the new limits.",
          yes: "Change the limits",
          no: "Leave the sign",
        },
      },
    );
  }

  function drawSign({ sign: shown }) {
    const more = [shown.increment ? `steps of ${short(shown.increment)}` : "", `smallest chip ${short(shown.chip)}`]
      .filter(Boolean)
      .join(", ");
    const kinds = Object.entries(shown.kinds).map(([kind, [least, most]]) =>
      h("li", h("span", wagerWords(kind)), h("b", range(least, most))),
    );
    return [
      h("p.caps", "On the sign now"),
      h("p.figure", range(shown.minimum, shown.maximum)),
      h("p.quiet", more),
      kinds.length ? h("ul.kinds", kinds) : "",
    ];
  }

  function drawNotice({ limits }) {
    const { notice: posted } = limits;
    clocks.notice = null;
    if (!posted)
      return [
        h(
          "p.quiet",
          `No notice is posted. New limits that bind players more must be announced for ${limits.minutes} minutes.`,
        ),
      ];
    const words = range(posted.minimum, posted.maximum);
    const put = h(
      "button.btn",
      { type: "button", onclick: () => change(posted.minimum, posted.maximum, limitsForm.line) },
      `Put up ${words} now`,
    );
    const text = h("div.text", h("p.caps", "Notice"), h("p.figure.small", words));
    if (!posted.lawful_ms) {
      text.append(
        h("p.quiet", `Announced for less than ${limits.minutes} minutes: this notice is no ground. Post it again.`),
        ruleTag(limits.rule),
      );
      return [h("div.clocked", text)];
    }
    clocks.notice = countdown({
      since: posted.posted_ms,
      until: posted.lawful_ms,
      name: "New limits may be put up",
      done: "now",
    });
    text.append(
      h("p.quiet", `Posted ${time(posted.posted_ms)}, may be put up from ${time(posted.lawful_ms)}.`),
      h("p.line", ruleTag(limits.rule)),
    );
    return [h("div.clocked", clocks.notice.root, text), put];
  }

  function drawGrounds({ limits, players }) {
    return limits.grounds.map(({ name, holds, rule }) => {
      const [title, says] = GROUNDS[name] ?? [name, ""];
      const met = name === "notice" ? isLawful(limits.notice) : holds;
      const asked = name === "consent" && players.length ? `tick all ${players.length} who agree below` : says;
      return h(
        "li",
        { className: met ? "met" : "" },
        icon(met ? "check" : "clear"),
        h("span", h("b", title), h("span.sr", met ? ", holds now" : ", does not hold now"), h("small", asked)),
        ruleTag(rule),
      );
    });
  }

  const isLawful = (posted) => Boolean(posted?.lawful_ms && now() >= posted.lawful_ms);

  function drawConsent({ players }) {
    const tick = ({ name }) =>
      h("label.tick", h("input", { type: "checkbox", value: name, "aria-label": `${name} agrees` }), h("span", name));
    return players.length ? [h("legend", "Who agrees to a change now"), ...players.map(tick)] : [];
  }

  // ---------------------------------------------------------------- the differential

  function drawDifferential({ differential: { figures, rule }, sign: { differential } }) {
    if (!figures) return [];
    const [least, most] = differential ?? [0, 0];
    const shown = differential ? (figures === 1 ? short(most) : range(least, most)) : "none";
    const fields = figures === 1 ? [{ name: "most", label: "Most", kind: "money", value: most ? typed(most) : "" }] : [
      { name: "least", label: "Least", kind: "money", value: least ? typed(least) : "" },
      { name: "most", label: "Most", kind: "money", value: most ? typed(most) : "" },
    ];
    const set = form({
      line: limitsForm.line,
      label: "Differential",
      kind: "inline",
      fields: /** @type {any} */ (fields),
      buttons: [{ name: "set", words: "Set the differential" }],
      send: ({ least: low, most: high }, _, status) =>
        ask.ask(
          { type: "SetDifferential", least: low ?? high, most: high },
          { status, done: `The differential is now ${low ? range(low, high) : short(high)}.` },
        ),
    });
    return [h("h3", "Differential ", h("b", shown), ruleTag(rule)), set];
  }

  // ---------------------------------------------------------------- closing

  const closingForm = form({
    label: "Closing",
    kind: "inline",
    fields: [{ name: "minutes", label: "In minutes", kind: "number", value: "20" }],
    buttons: [
      { name: "post", words: "Post the closing", kind: "" },
      { name: "close", words: "Close the table", kind: "stop" },
    ],
    send: ({ minutes }, which, status) => (which === "post" ? postClosing(minutes, status) : close(status)),
  });

  function postClosing(minutes, status) {
    if (!(minutes >= 0)) return status.no({ reason: "give the minutes until the table closes" });
    const closes_ms = minutesFrom(now(), minutes);
    return ask.ask(
      { type: "PostClosing", closes_ms },
      { status, done: `The sign says that the table closes at ${time(closes_ms)}.` },
    );
  }

  const close = (status) =>
    ask.ask(
      { type: "CloseTable" },
      {
        status,
        done: "The table is closed.",
        danger: {
          title: `Close table ${page.who.table}?`,
          text: "Nobody can wager here until it is opened again. Wagers that would live on are refunded.",
          yes: "Close the table",
          no: "Keep it open",
        },
      },
    );

  /** A closed table opens with the sign that it had, with other limits, or with another supervisor on it. */
  const openForm = ({ minimum: least, maximum: most, supervisor: named, ...rest }) =>
    form({
      line: closingForm.line,
      label: "Opening",
      fields: [
        { name: "minimum", label: "Minimum", kind: "money", value: typed(least) },
        { name: "maximum", label: "Maximum", kind: "money", value: typed(most) },
        { name: "supervisor", label: "Game supervisor on the sign", value: named },
      ],
      buttons: [{ name: "open", words: "Open the table", kind: "main" }],
      send: (given, _, line) =>
        ask.ask({ type: "OpenTable", ...rest, ...given }, { status: line, done: "The table is open." }),
    });

  function drawClosing({ closing: notice, table, players }) {
    clocks.closing = null;
    if (!table.open) return [h("p.figure.small", "This table is closed."), openForm(notice.sign)];
    const empty = !players.length
      ? "Nobody is at the table: it may close at once, between rounds."
      : `With players at the table the sign must stand ${notice.minutes} minutes first.`;
    if (!notice.closes_ms) return [h("p.quiet", empty), h("p.line", ruleTag(notice.rule))];
    const closes = h("p.figure.small", `Closes at ${time(notice.closes_ms)}`);
    const text = h("div.text", h("p.caps", "Closing notice"), closes);
    if (!notice.lawful_ms)
      return [
        text,
        h("p.quiet", `Posted for less than ${notice.minutes} minutes: with players present, post it again.`),
        h("p.line", ruleTag(notice.rule)),
      ];
    clocks.closing = countdown({
      since: notice.posted_ms,
      until: notice.lawful_ms,
      name: "The table may close",
      done: "now",
    });
    text.append(
      h("p.quiet", notice.in_play ? "Wagers are in play: the round ends first." : `Posted ${time(notice.posted_ms)}.`),
      h("p.line", ruleTag(notice.rule)),
    );
    return [h("div.clocked", clocks.closing.root, text)];
  }

  // ---------------------------------------------------------------- drawing

  function show(view) {
    keep.sign(view.sign, () => drawSign(view));
    keep.notice([view.limits.notice, view.limits.minutes], () => drawNotice(view));
    keep.consent(view.players.map(({ name }) => name), () => drawConsent(view));
    keep.differing([view.differential, view.sign.differential], () => drawDifferential(view));
    keep.closing([view.closing, view.table.open, view.players.length > 0], () => drawClosing(view));
    for (const each of closingForm.querySelectorAll(".fields, .do"))
      /** @type {HTMLElement} */ (each).hidden = !view.table.open;
    at("closing-end").replaceChildren(
      h("span", { className: `pill ${view.table.open ? "ok" : ""}` }, view.table.open ? "open" : "closed"),
    );
    tick();
  }

  /** Once a second: the clocks go on, and grounds begin to hold. */
  function tick() {
    clocks.notice?.tick(now());
    clocks.closing?.tick(now());
    if (page.view)
      keep.grounds([page.view.limits.grounds, page.view.players.length, isLawful(page.view.limits.notice)], () =>
        drawGrounds(page.view),
      );
  }

  at("limits").append(
    sign,
    notice,
    limitsForm,
    h("div.why", h("h3", "To raise a minimum or lower a maximum"), grounds, consent),
    differing,
  );
  at("closing").append(closing, closingForm);
  return {
    show,
    tick,
    isLawful,
    change: (posted) => change(posted.minimum, posted.maximum, limitsForm.line),
    close: () => close(closingForm.line),
  };
}
