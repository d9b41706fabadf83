/**
 * Players and seats: who sits where, with what limits, and who keeps a seat without wagering.
 *
 * A row is chosen, and below the list stands what can be done about that player: limits of their own, the seat, a
 * device, leaving the table.  With nobody chosen, somebody can be seated or let stand.
 */

import { form as anyForm, segments, statusLine, typed } from "../kit/form.js";
import { range, short } from "../kit/money.js";
import { wagerWords } from "../kit/names.js";
import { ruleTag } from "../kit/rules.js";
import { dollars, h, icon, kept, listTable, numHead, plain } from "../kit/staff.js";
import { cardNumber } from "./parts.js";

/** What is seized, where the law of the table lets anything be. @type {any} */
const AMOUNT = { name: "amount", label: "Amount seized", kind: "money", optional: true };
/** Measures that are not about a device itself. */
const WITHOUT_DEVICE = ["void wagers", "exclude"];
const ACTS = [
  ["limits", "Limits"],
  ["seat", "Seat"],
  ["wager", "Wager"],
  ["device", "Device"],
  ["exclude", "Exclude"],
];

/** @param {{at: (id: string) => HTMLElement, page: any, ask: import("./ask.js").Ask}} given */
export function peoplePanel({ at, page, ask }) {
  const list = h("div.rows");
  const card = h("div.card-of");
  const keepList = kept(list);
  const keepCard = kept(card);
  // What became of a request outlives the card that it was made on.
  const line = statusLine();
  const form = (given) => anyForm({ ...given, line });
  let chosen = "";
  let act = "limits";

  const player = () => page.view.players.find((each) => each.name === chosen);

  // ---------------------------------------------------------------- the list

  function drawList({ players, seating, sign }) {
    const rows = [...players]
      .sort((one, two) => (one.seat || 99) - (two.seat || 99))
      .map((each) => row(each, seating, sign));
    const taken = new Set(players.map(({ seat }) => seat));
    const free = Array.from({ length: seating.seats }, (_, index) => index + 1).filter((seat) => !taken.has(seat));
    const foot = free.length ? `Free seats: ${free.join(", ")}.` : "All seats are taken.";
    const heads = ["Seat", "Player", numHead("Chips $"), numHead("Wagered $"), "Limits", "Idle", ""];
    return [
      players.length ? listTable(heads, rows) : h("p.pad.quiet", "Nobody is at this table."),
      h("p.foot.quiet", foot, ...excluded(seating)),
    ];
  }

  function row(each, seating, sign) {
    const on = each.name === chosen;
    const long = each.idle >= seating.idle_rounds;
    const idle = each.idle
      ? h(
          "span",
          { className: `pill ${long ? "wait" : ""}` },
          long && icon("alert"),
          each.idle === 1 ? "1 round" : `${each.idle} rounds`,
        )
      : h("span.faint", "–");
    const limits = each.terminal
      ? h("span.quiet", "its own")
      : each.personal
        ? h("b", range(...each.personal))
        : h("span.quiet", range(sign.minimum, sign.maximum));
    const go = h(
      "button.btn",
      {
        type: "button",
        "data-keep": `choose ${each.name}`,
        "aria-pressed": String(on),
        onclick: () => pick(on ? "" : each.name),
        "aria-label": `${on ? "Close" : "Choose"} ${each.name}`,
      },
      on ? "Close" : "Choose",
    );
    const marks = [
      each.terminal && h("span.pill", "terminal"),
      each.number && h("span.pill", `card ${each.number}`),
      each.device && h("span.pill.stop", "device"),
      each.overpaid > 0 && h("span.pill.wait", `owes ${dollars(each.overpaid)}`),
    ];
    const cells = [
      h("td.num", each.seat || "stands"),
      h("td", h("span.who", h("b", each.name), marks)),
      h("td.num", dollars(each.chips).slice(1)),
      h("td.num", each.staked ? dollars(each.staked).slice(1) : "–"),
      h("td", limits),
      h("td", idle),
    ];
    return h("tr", { className: on ? "on" : "", "aria-current": on ? "true" : undefined }, cells, h("td.acts", go));
  }

  const excluded = ({ excluded: out }) =>
    Object.entries(out).map(([name, why]) => h("span.pill.stop", `${name} is excluded: ${why}`));

  function pick(name) {
    chosen = name;
    line.empty();
    show(page.view);
    if (name) card.scrollIntoView({ block: "nearest" });
  }

  function askToLeave(name) {
    chosen = name;
    act = "seat";
    show(page.view);
    const { idle_rounds: rounds } = page.view.seating;
    return ask.ask(
      { type: "AskToLeave", player: name },
      {
        status: line,
        done: `${name} was asked to give up the seat.`,
        danger: {
          title: `Ask ${name} to give up the seat?`,
          text: `All seats are taken, and ${name} has not wagered for ${rounds} rounds.`,
          yes: `Ask ${name} to leave`,
          no: "Let them stay",
        },
      },
    );
  }

  // ---------------------------------------------------------------- what can be done

  function drawCard() {
    const who = player();
    if (!who) return [newcomer(page.view.seating)];
    const head = h(
      "header",
      h("h3", who.name),
      segments({
        label: `What to do about ${who.name}`,
        options: /** @type {any} */ (ACTS),
        value: act,
        pick: (value) => ((act = value), show(page.view)),
      }),
    );
    const made = { limits: personal, seat, wager, device, exclude }[act];
    return [head, ...made(who)];
  }

  function personal({ name, personal: own }) {
    const { role, rule } = page.view.asks.SetPersonalLimit;
    const [least, most] = own ?? [page.view.sign.minimum, page.view.sign.maximum];
    const set = form({
      label: `Limits of ${name}`,
      kind: "inline",
      fields: [
        { name: "minimum", label: "Minimum", kind: "money", value: typed(least) },
        { name: "maximum", label: "Maximum", kind: "money", value: typed(most) },
      ],
      buttons: [{ name: "set", words: `Set limits for ${name}`, kind: "main" }],
      send: ({ minimum, maximum }, _, status) =>
        ask.ask(
          { type: "SetPersonalLimit", player: name, minimum, maximum },
          {
            status,
            done: `${name} plays from ${range(minimum, maximum)}.`,
            danger: {
              title: `Limits for ${name} alone?`,
              text: `${range(minimum, maximum)} holds for ${name}, shown at the place.`,
              yes: "Set the limits",
            },
          },
        ),
    });
    const { personal_above: above } = page.view.limits;
    const shown = page.view.sign.maximum;
    return [
      h("p.quiet.line", `Limits for one player, shown at the place. For the ${role} and those above.`, ruleTag(rule)),
      above && shown
        ? h("p.quiet.line", `A maximum of one's own is above the table's ${short(shown)}.`, ruleTag(above))
        : "",
      set,
    ];
  }

  /** A wager that lay on the layout unnoticed: below the minimum it passes once, and the player is advised. */
  function wager({ name, advised }) {
    const options = page.view.offers.map((on) => [on, wagerWords(on)]);
    const set = form({
      label: `Wager of ${name} that was found`,
      kind: "inline",
      fields: [
        { name: "on", label: "On", kind: "select", options: /** @type {any} */ (options) },
        { name: "amount", label: "Amount found", kind: "money" },
        { name: "area", label: "Area, if not the own", kind: "number", optional: true },
      ],
      buttons: [{ name: "found", words: "Record what was found" }],
      send: ({ on, amount, area }, _, status) =>
        ask.ask(
          { type: "PlaceWager", player: name, on, amount, area, found: true },
          {
            status,
            done: `${short(amount)} of ${name} on ${wagerWords(on)} is recorded as it was found.`,
            danger: {
              title: `${short(amount)} of ${name}, found on ${wagerWords(on)}?`,
              text: "It was not noticed when it was placed, and is dealt with as the law says.",
              yes: "Record it",
            },
          },
        ),
    });
    const words = advised
      ? `${name} had a wager below the minimum once and was advised: the next is returned whatever the result.`
      : "A wager that lay there unnoticed. Below the minimum, it passes once and the player is advised.";
    return [h("p.quiet", words), set];
  }

  function seat({ name, seat: now, idle, number }) {
    const { seats, idle_rounds: rounds, idle_rule: rule } = page.view.seating;
    const taken = new Set(page.view.players.map((each) => each.seat));
    const free = Array.from({ length: seats }, (_, index) => index + 1).filter((each) => !taken.has(each));
    const options = [["0", "Standing"], ...free.map((each) => [String(each), `Seat ${each}`])];
    const set = form({
      label: `Seat of ${name}`,
      kind: "inline",
      fields: [
        {
          name: "seat",
          label: now ? `Sits on ${now}, moves to` : "Stands, moves to",
          kind: "select",
          options: /** @type {any} */ (options),
          value: String(free[0] ?? 0),
        },
      ],
      buttons: [
        { name: "move", words: "Move" },
        { name: "ask", words: "Ask to leave" },
        { name: "leave", words: `${name} leaves` },
      ],
      send: ({ seat: to }, which, status) => {
        if (which === "ask") return askToLeave(name);
        if (which === "leave") return ask.ask({ type: "Leave", player: name }, { status, done: `${name} has left.` });
        return ask.ask(
          { type: "Sit", player: name, seat: Number(to) },
          { status, done: to === "0" ? `${name} stands.` : `${name} sits on ${to}.` },
        );
      },
    });
    return [
      h("p.quiet.line", `${idle} of ${rounds} rounds without a wager while all seats were taken.`, ruleTag(rule)),
      set,
      cardNumber({ make: form, ask, name, number }),
    ];
  }

  function device(who) {
    const { name, device: held, overpaid } = who;
    const { measures, contravened } = page.view.trouble;
    const { role } = page.view.asks.Sanction;
    const what = held ? heldWords(held) : "A device that records or analyses play: say what it is when it is found.";
    const owed = overpaid > 0 ? recover(name, overpaid) : "";
    return [
      h("p.quiet", what),
      held ? "" : report(name),
      held || contravened ? sanction(who, measures, contravened) : "",
      h("p.quiet", `Measures are for the ${role} and those above.`),
      owed,
    ];
  }

  const heldWords = ({ what, since, detained, left }) =>
    [
      `${what ? plain(what) : "A device that nobody described"}, with the player since round ${since}.`,
      left > 0 ? `${dollars(left)} won with it is not seized yet.` : "",
      detained ? "The player is detained until an authorised person takes over." : "",
    ].join(" ");

  const report = (name) =>
    form({
      label: `Report a device of ${name}`,
      kind: "inline",
      fields: [
        { name: "what", label: "What it is", hint: "a counter in the sleeve" },
        { name: "since", label: "With the player since round", kind: "number", optional: true },
      ],
      buttons: [{ name: "report", words: "Report a device" }],
      send: ({ what, since }, _, status) =>
        ask.ask(
          { type: "ReportDevice", player: name, what, since },
          { status, done: `A device was reported for ${name}.` },
        ),
    });

  /** A measure, and what must be told with it: only the fields of the one that is chosen are there. */
  function sanction({ name, device: held }, measures, contravened) {
    const lawful = held ? measures : measures.filter(({ measure }) => WITHOUT_DEVICE.includes(measure));
    const ground = { name: "ground", label: "What was contravened", optional: Boolean(held) };
    const set = form({
      label: `Device of ${name}`,
      kind: "inline",
      fields: [
        {
          name: "measure",
          label: "Measure",
          kind: "select",
          options: lawful.map(({ measure }) => [measure, plain(measure)]),
        },
        AMOUNT,
        { name: "to", label: "Authorised person who takes over", optional: true },
        ...(held ? [] : [ground]),
      ],
      buttons: [{ name: "measure", words: "Take the measure", kind: "stop" }],
      send: ({ measure, amount, to, ground: why = "" }, _, status) =>
        ask.ask(
          { type: "Sanction", player: name, measure, amount, to, ground: why },
          {
            status,
            done: `${plain(measure)}: done.`,
            danger: {
              title: `${plain(measure)}: ${name}?`,
              text: held ? "A measure against the holder of a prohibited device." : `Because of: ${why}.`,
              yes: plain(measure),
              no: "Take no measure",
            },
          },
        ),
    });
    const chosen = /** @type {HTMLSelectElement} */ (set.elements.namedItem("measure"));
    const shown = () => {
      const found = lawful.find(({ measure }) => measure === chosen.value);
      for (const field of ["amount", "to"]) {
        const input = /** @type {HTMLInputElement} */ (set.elements.namedItem(field));
        if (found?.needs !== field) input.value = "";
        /** @type {HTMLElement} */ (input.closest("label")).hidden = found?.needs !== field;
      }
      law.replaceChildren(ruleTag((held ? found?.rule : contravened) ?? "") ?? "");
    };
    const law = h("span");
    chosen.addEventListener("change", shown);
    shown();
    set.append(law);
    return set;
  }

  const recover = (name, amount) =>
    form({
      label: `Recover from ${name}`,
      fields: [],
      buttons: [{ name: "recover", words: `Take back ${dollars(amount)}`, kind: "stop" }],
      send: (_, which, status) =>
        ask.ask(
          { type: "RecoverPaid", player: name },
          {
            status,
            done: `${name} gave back what was paid too much.`,
            danger: {
              title: `Take back ${dollars(amount)} from ${name}?`,
              text: "It was paid too much, and leaves the player's chips.",
              yes: `Take back ${dollars(amount)}`,
            },
          },
        ),
    });

  function exclude({ name }) {
    const { role, rule } = page.view.asks.Exclude;
    const set = form({
      label: `Exclude ${name}`,
      kind: "inline",
      fields: [{ name: "reason", label: "Reason" }],
      buttons: [{ name: "exclude", words: `Exclude ${name}`, kind: "stop" }],
      send: ({ reason }, _, status) =>
        ask.ask(
          { type: "Exclude", player: name, reason },
          {
            status,
            done: `${name} is excluded.`,
            danger: {
              title: `Exclude ${name}?`,
              text: `${name} may not play at this table any more. Reason: ${reason}.`,
              yes: `Exclude ${name}`,
              no: "Let them play",
            },
          },
        ),
    });
    return [h("p.quiet.line", `For the ${role} and those above.`, ruleTag(rule)), set];
  }

  function newcomer({ seats, standing_rule: standing, may_stand: may, nominee_rule: nominee, nominees }) {
    const options = [
      ["0", "Standing"],
      ...Array.from({ length: seats }, (_, index) => [String(index + 1), `Seat ${index + 1}`]),
    ];
    const buttons = [
      { name: "sit", words: "Seat a player" },
      ...(standing ? [{ name: "stand", words: "Let them bet standing" }] : []),
    ];
    const set = form({
      label: "Seat a player",
      kind: "inline",
      fields: [
        { name: "player", label: "Name of a new player" },
        { name: "seat", label: "Seat", kind: "select", options: /** @type {any} */ (options), value: "0" },
      ],
      buttons,
      send: ({ player: name, seat: to }, which, status) => {
        if (which === "stand")
          return ask.ask({ type: "AllowStanding", player: name }, { status, done: `${name} may bet standing.` });
        return ask.ask(
          { type: "Sit", player: name, seat: Number(to) },
          { status, done: to === "0" ? `${name} stands.` : `${name} sits on ${to}.` },
        );
      },
    });
    const stands = may.length > 0 && h("p.quiet.line", `May bet standing: ${may.join(", ")}.`, ruleTag(standing));
    return h("div.why", set, stands, nominee && actsFor(nominees, nominee));
  }

  /** Who acts for whom; a player names another who is at the table, or nobody. */
  function actsFor(nominees, rule) {
    const named = Object.entries(nominees).map(([name, nominee]) => `${nominee} for ${name}`);
    const set = form({
      label: "Acting for another",
      kind: "inline",
      fields: [
        { name: "player", label: "Player" },
        { name: "nominee", label: "Who acts for them (nobody: leave empty)" },
      ],
      buttons: [{ name: "nominee", words: "Record the nominee" }],
      send: (given, _, status) =>
        ask.ask(
          { type: "NameNominee", player: given.player, nominee: given.nominee },
          { status, done: given.nominee ? `${given.nominee} acts for ${given.player}.` : "Nobody acts for them." },
        ),
    });
    return h("div.why", set, h("p.quiet.line", named.length ? `Acting: ${named.join(", ")}.` : "", ruleTag(rule)));
  }

  // ---------------------------------------------------------------- drawing

  function show(view) {
    if (chosen && !player()) chosen = "";
    keepList([view.players, view.seating, view.sign, chosen], () => drawList(view));
    // What is being typed stays: only another player, another act or another seat plan draws the card anew.
    const who = player();
    keepCard(
      [
        chosen,
        act,
        who?.seat,
        who?.number,
        who?.personal,
        who?.idle,
        who?.overpaid,
        who?.device,
        who?.advised,
        who ? view.seating.seats : [view.seating.may_stand, view.seating.nominees],
        view.trouble,
      ],
      drawCard,
    );
    const seated = view.players.filter((each) => each.seat).length;
    at("people-end").replaceChildren(h("span.pill", icon("seat"), `${seated} of ${view.seating.seats} seats`));
  }

  at("people").append(list, card, line.root);
  return { show, askToLeave };
}
