/**
 * Terminals of an electronic table and the cases of those that malfunctioned.
 *
 * A terminal is chosen, and below the list stands what can be done with it.  A case lists its three duties; it can be
 * closed when all of them are done, and until then nobody operates what is locked.  A device that shall be one of the
 * terminals, or the electronic shoe, is told a code that is read from here.
 */

import { form as anyForm, segments, statusLine, typed } from "../kit/form.js";
import { range } from "../kit/money.js";
import { ruleTag } from "../kit/rules.js";
import { newId } from "../kit/connection.js";
import { posted } from "../kit/factor.js";
import { dollars, h, icon, kept, listTable, numHead, plain } from "../kit/staff.js";
import { cardNumber } from "./parts.js";

const ACTS = [
  ["credit", "Credit"],
  ["limits", "Limits"],
  ["number", "Card"],
  ["code", "Code"],
  ["fault", "Malfunction"],
  ["away", "Take away"],
];
const HOUSE_ACTS = [
  ["pair", "Pair a terminal"],
  ["code", "Shoe code"],
  ["system", "Game system"],
  ["fault", "System malfunction"],
];
const SHOE = "shoe";
const DUTIES = {
  report: ["Report to the inspector", "Reference of the report", "Record the report"],
  investigation: ["Investigate the fault", "What was found and done", "Record the finding"],
  refund: ["Refund the wagers", "", "Refund the wagers"],
};

/** @param {{at: (id: string) => HTMLElement, page: any, ask: import("./ask.js").Ask}} given */
export function terminalsPanel({ at, page, ask }) {
  const list = h("div.rows");
  const card = h("div.card-of");
  const cases = h("div.cases");
  const line = statusLine();
  const form = (given) => anyForm({ ...given, line, kind: "inline" });
  const keep = { list: kept(list), card: kept(card), cases: kept(cases) };
  let chosen = "";
  let act = "credit";
  let houseAct = "pair";

  const terminal = () => page.view.electronic.terminals.find((each) => each.name === chosen);
  /** The number of the card of whoever plays there; nothing if nobody does, or without one. */
  const numberAt = (name) => page.view.players.find((each) => each.name === name)?.number ?? "";

  // ---------------------------------------------------------------- the list

  function drawList({ terminals, most }) {
    const rows = [...terminals].sort((one, two) => one.number - two.number).map(row);
    const empty = h("p.pad.quiet", `No terminal is paired with this table; it may have up to ${most}.`);
    const heads = ["No.", "Terminal", numHead("Credits $"), numHead("Wagered $"), "Limits", "State", ""];
    return [rows.length ? listTable(heads, rows) : empty];
  }

  function row(each) {
    const on = each.name === chosen;
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
    const back = each.confirmed
      ? null
      : h(
          "button.btn.main",
          { type: "button", onclick: () => giveBack(each.name), "aria-label": `Return the wagers of ${each.name}` },
          "Return wagers",
        );
    const card = numberAt(each.name);
    const more = [each.holder, each.approval].filter(Boolean).join(" · ");
    const cells = [
      h("td.num", each.number),
      h(
        "td",
        h("span.who", h("b", each.name), h("span.quiet", more), card && h("span.pill", `card ${card}`)),
      ),
      h("td.num", dollars(each.credits).slice(1)),
    ];
    return h(
      "tr",
      { className: on ? "on" : "", "aria-current": on ? "true" : undefined },
      cells,
      h("td.num", each.staked ? dollars(each.staked).slice(1) : "–"),
      h("td", range(each.minimum, each.maximum)),
      h("td", state(each)),
      h("td.acts", back, go),
    );
  }

  function state({ locked, confirmed, active, approval, due }) {
    if (locked) return h("span.pill.stop", icon("alert"), "locked");
    if (!confirmed) return h("span.pill.wait", icon("alert"), "not confirmed");
    if (!approval) return h("span.pill.wait", "no approval");
    if (due) return h("span.pill.wait", `${dollars(due)} due`);
    return active ? h("span.pill.ok", icon("check"), "in play") : h("span.pill", "free");
  }

  function pick(name) {
    chosen = name;
    line.empty();
    show(page.view);
    if (name) card.scrollIntoView({ block: "nearest" });
  }

  const giveBack = (name) =>
    ask.ask(
      { type: "ReturnSlip", terminal: name, reason: "the terminal did not confirm its wagers" },
      {
        status: line,
        done: `The wagers of ${name} went back.`,
        danger: {
          title: `Return the wagers of ${name}?`,
          text: "It has not confirmed what it shows. Its wagers of this hand go back to its credits, and the " +
            "hand can be dealt.",
          yes: "Return the wagers",
          no: "Wait for it",
        },
      },
    );

  // ---------------------------------------------------------------- what can be done

  function drawCard() {
    const one = terminal();
    const options = one ? ACTS : HOUSE_ACTS;
    const choose = (value) => (one ? (act = value) : (houseAct = value), show(page.view));
    const label = one ? `What to do with ${one.name}` : "Terminals and the game system";
    const head = h(
      "header",
      one ? h("h3", one.name) : "",
      segments({ label, options: /** @type {any} */ (options), value: one ? act : houseAct, pick: choose }),
    );
    const made = one ? { credit, limits, number, code, fault, away }[act] : { pair, code, system, fault }[houseAct];
    return [head, made(one)];
  }

  const credit = ({ name, credits }) =>
    form({
      label: `Credits of ${name}`,
      fields: [
        { name: "amount", label: "Amount tendered", kind: "money", optional: true },
        {
          name: "tender",
          label: "Tendered in",
          kind: "select",
          options: [
            ["cash", "Cash"],
            ["chips", "Chips"],
          ],
        },
        { name: "holder", label: "Player", optional: true },
      ],
      buttons: [
        { name: "credit", words: "Credit and activate", kind: "main" },
        {
          name: "cancel",
          words: credits ? `Cancel ${dollars(credits)} of credit` : "Cancel the credit",
          kind: "stop",
        },
      ],
      send: ({ amount, tender, holder }, which, status) => {
        if (which === "credit")
          return ask.ask(
            { type: "CreditTerminal", terminal: name, amount, tender, holder },
            { status, done: `${name} is credited with ${dollars(amount)}.` },
          );
        return ask.ask(
          { type: "CancelCredit", terminal: name, player: holder },
          {
            status,
            done: `The credits of ${name} were cancelled and paid in chips.`,
            danger: {
              title: `Cancel the credits of ${name}?`,
              text: `${dollars(credits)} is paid in chips by the dealer.`,
              yes: "Cancel the credits",
              no: "Leave them",
            },
          },
        );
      },
    });

  const limits = ({ name, minimum, maximum, increment, aggregate }) =>
    form({
      label: `Limits of ${name}`,
      fields: limitFields({ minimum, maximum, increment, aggregate }),
      buttons: [{ name: "set", words: `Set limits of ${name}`, kind: "main" }],
      send: (given, _, status) =>
        ask.ask(
          { type: "SetTerminalLimits", terminal: name, ...given },
          { status, done: `${name} takes ${range(given.minimum, given.maximum)} on each bet.` },
        ),
    });

  const number = ({ name, active }) =>
    active
      ? cardNumber({ make: form, ask, name, number: numberAt(name) })
      : h("p.quiet", `Nobody plays on ${name}: the number of a card goes with its player.`);

  /** A code for the device that is this terminal from now on; without one chosen, for the electronic shoe. */
  const code = (one) =>
    form({
      label: "Pairing code",
      fields: [],
      buttons: [
        { name: "code", words: one ? `Pairing code for ${one.name}` : "Pairing code for the shoe", kind: "main" },
      ],
      send: async (_, which, status) => {
        try {
          const asked = { table: page.who.table, device: one?.name ?? SHOE, id: newId() };
          const offered = await posted("/api/devices/code", asked, page.who.ticket);
          status.yes(
            h(
              "span",
              h("b.code", offered.code),
              ` Type it on ${one?.name ?? "the shoe"}. It is good once, for five minutes.`,
            ),
          );
        } catch (error) {
          status.no({ reason: error.message });
        }
      },
    });

  const fault = (one) =>
    form({
      label: one ? `Malfunction of ${one.name}` : "Malfunction of the game system",
      fields: [
        { name: "fault", label: "What went wrong" },
        { name: "rounds", label: "Rounds not paid (none: this one)", optional: true, hint: "12, 13" },
        ...(one ? [{ name: "amount", label: "Credited outside any round, if so", kind: "money", optional: true }] : []),
      ],
      buttons: [{ name: "report", words: one ? `Lock ${one.name}` : "Lock the game system", kind: "stop" }],
      send: ({ fault: said, rounds, amount = 0 }, _, status) =>
        ask.ask(
          { type: "ReportMalfunction", fault: said, terminal: one?.name ?? "", rounds: numbers(rounds), amount },
          {
            status,
            done: "The case is open.",
            danger: {
              title: `Lock ${one?.name ?? "the game system"} and refuse payment?`,
              text: "Nobody operates it until the inspector has the report, the fault was investigated, and " +
                "the wagers were refunded.",
              yes: "Lock it and open a case",
              no: "Leave it running",
            },
          },
        ),
    });

  const away = ({ name }) =>
    form({
      label: `Take ${name} away`,
      fields: [],
      buttons: [{ name: "unpair", words: `Take ${name} from the table`, kind: "stop" }],
      send: (_, which, status) =>
        ask.ask(
          { type: "UnpairTerminal", terminal: name },
          {
            status,
            done: `${name} is taken from the table.`,
            danger: {
              title: `Take ${name} from the table?`,
              text: "Nobody can play on it until it is paired again.",
              yes: "Take it away",
              no: "Leave it",
            },
          },
        ),
    });

  function pair() {
    const used = new Set(page.view.electronic.terminals.map((each) => each.number));
    const next = Array.from({ length: 99 }, (_, index) => index + 1).find((number) => !used.has(number));
    const { minimum, maximum } = page.view.sign;
    return form({
      label: "Pair a terminal",
      fields: [
        { name: "number", label: "Number", kind: "number", value: String(next) },
        ...limitFields({ minimum, maximum, increment: 100, aggregate: 0 }),
        { name: "approval", label: "Type approval" },
      ],
      buttons: [{ name: "pair", words: "Pair the terminal", kind: "main" }],
      send: (given, _, status) =>
        ask.ask(
          { type: "PairTerminal", ...given },
          { status, done: `Terminal ${given.number} has joined the table. Choose it for the code of its device.` },
        ),
    });
  }

  function system() {
    const { version, approval } = page.view.electronic.system;
    return form({
      label: "Game system",
      fields: [
        { name: "version", label: "Version", value: version },
        { name: "approval", label: "Type approval", value: approval },
      ],
      buttons: [{ name: "approve", words: "Record the approval", kind: "main" }],
      send: (given, _, status) =>
        ask.ask(
          { type: "ApproveSystem", ...given },
          { status, done: `Game system ${given.version} is recorded with its approval.` },
        ),
    });
  }

  // ---------------------------------------------------------------- cases

  /** A case as people call it: malfunctions are counted from one. @param {number} number */
  const called = (number) => `malfunction ${number + 1}`;

  function drawCases({ cases: all }) {
    const open = all.filter((each) => !each.closed);
    const closed = all.length - open.length;
    return [
      ...open.map(caseCard),
      closed ? h("p.quiet.foot", closed === 1 ? "1 case is closed." : `${closed} cases are closed.`) : "",
    ];
  }

  function caseCard({ number, terminal: name, fault: said, rounds, duties }) {
    const left = duties.filter((each) => !each.done).length;
    const close = anyForm({
      label: `Close ${called(number)}`,
      fields: [],
      line,
      buttons: [
        {
          name: "close",
          words: left ? `Close the case: ${left} of ${duties.length} to do` : "Close the case",
          kind: left ? "" : "main",
        },
      ],
      send: (_, which, status) =>
        ask.ask(
          { type: "CloseMalfunction", case: number },
          {
            status,
            done: `${plain(called(number))} is closed: ${name || "the game system"} is free again.`,
            danger: {
              title: `Close ${called(number)}?`,
              text: `${name || "The game system"} can be used again.`,
              yes: "Close the case",
            },
          },
        ),
    });
    const where = rounds.length === 1 ? `round ${rounds[0]}` : `rounds ${rounds.join(", ")}`;
    return h(
      "article.case",
      h(
        "header",
        icon("alert"),
        h("h3", `${plain(called(number))}: ${name || "game system"}`),
        h("span.pill.stop", "locked"),
      ),
      h("p.quiet", `${plain(said)}, ${where}`),
      h(
        "ol.duties",
        duties.map((each) => duty(number, each)),
      ),
      close,
    );
  }

  function duty(number, { name, done, says, rule }) {
    const [title, asks, words] = DUTIES[name];
    const head = h("p", icon(done ? "check" : "clear"), h("b", title), says && h("span.quiet", says), ruleTag(rule));
    if (done) return h("li.met", head);
    const commands = {
      report: ({ text }) => ({ type: "ReportToInspector", case: number, reference: text }),
      investigation: ({ text }) => ({ type: "Investigate", case: number, finding: text }),
      refund: () => ({ type: "RefundRound", case: number }),
    };
    const fields = asks ? [{ name: "text", label: asks }] : [];
    return h(
      "li",
      head,
      form({
        label: title,
        fields,
        buttons: [{ name, words }],
        send: (given, _, status) =>
          ask.ask(commands[name](given), { status, done: `${plain(called(number))}: ${title.toLowerCase()}, done.` }),
      }),
    );
  }

  // ---------------------------------------------------------------- drawing

  function show(view) {
    if (!view.electronic) return;
    if (chosen && !terminal()) chosen = "";
    const cards = view.electronic.terminals.map(({ name }) => numberAt(name));
    keep.list([view.electronic.terminals, cards, chosen], () => drawList(view.electronic));
    const one = terminal();
    keep.card(
      [
        chosen,
        act,
        houseAct,
        one?.minimum,
        one?.maximum,
        one?.credits,
        one && [one.active, numberAt(one.name)],
        view.electronic.system,
        view.electronic.terminals.length,
      ],
      drawCard,
    );
    keep.cases(view.electronic.cases, () => drawCases(view.electronic));
    const { system: { version }, locked } = view.electronic;
    at("terminals-end").replaceChildren(
      locked
        ? h("span.pill.stop", icon("alert"), "system locked")
        : h("span.pill", version ? `system ${version}` : "system not approved"),
    );
  }

  at("terminals").append(cases, list, card, line.root);
  return { show, giveBack };
}

/** @returns {any[]} */
function limitFields({ minimum, maximum, increment, aggregate }) {
  return [
    { name: "minimum", label: "Minimum", kind: "money", value: typed(minimum) },
    { name: "maximum", label: "Maximum", kind: "money", value: typed(maximum) },
    { name: "increment", label: "Step", kind: "money", value: typed(increment) },
    { name: "aggregate", label: "Together at least", kind: "money", value: typed(aggregate), optional: true },
  ];
}

/** Round numbers as somebody types them. @param {string} text */
const numbers = (text) => (text.match(/\d+/g) ?? []).map(Number);
