/**
 * The form for the conditions of a tournament: one group for each item that the law asks for, with its rule.
 *
 * The form starts from a small tournament of two rounds, which the operator changes.  What is blank is sent as blank:
 * the house says which item is missing, and under which rule.
 */

import { ruleTag } from "../kit/rules.js";
import { h } from "../kit/staff.js";
import { check } from "./parts.js";

const TEXT = {
  entitled: "Only persons who may enter the casino and gamble may enter the tournament",
  refuse: "Any application may be refused without a reason",
  precedence:
    "The director conducts the tournament under these conditions and the rules; where they differ, the rules prevail",
  lines: "One on each line",
};
const MINUTE_MS = 60_000;
const local = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);

/** Dollars as somebody types them, in cents; what is no amount is refused by the house as one below nothing. */
export function cents(text) {
  const found = /^\s*\$?\s*([\d,\s]*)(?:\.(\d{0,2}))?\s*$/.exec(text);
  if (!found || !text.trim()) return text.trim() ? -1 : null;
  return Number(found[1].replace(/[,\s]/g, "") || 0) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

const number = (text) => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : text.trim() ? -1 : 0);
const time = (text) => (text ? new Date(text).getTime() : 0);
const lines = (text) => text.split("\n").map((each) => each.trim()).filter(Boolean);

const field = (label, name, value, more = {}) =>
  h("label.field", h("span", label), h("input.input", { name, value, autocomplete: "off", ...more }));
const figure = (label, name, value) => field(label, name, value, { inputMode: "numeric", maxLength: 9 });
const text = (label, name, value) =>
  h("label.field.wide", h("span", label), h("input.input", { name, value, autocomplete: "off", maxLength: 200 }));
const area = (label, name, value) =>
  h("label.field.wide", h("span", `${label}. ${TEXT.lines}`), h("textarea.input", { name, value, rows: 2 }));
const choice = (label, name, options) =>
  h(
    "label.field",
    h("span", label),
    h(
      "select.input",
      { name },
      Object.entries(options).map(([value, words]) => h("option", { value }, words)),
    ),
  );

/** One round as a row of fields. */
function round(at, { last, now }) {
  const given = last ? [3, 0, 1, 4, 0, 0] : [3, 30, 2, 4, 1, 0];
  const names = [
    ["Hands", "hands"],
    ["Minutes", "minutes"],
    ["Tables", "tables"],
    ["Seats a table", "seats"],
    ["Go on a table", "progress"],
    ["Best others", "best_others"],
  ];
  const figures = names.map(([label, name], index) => figure(label, `${name}-${at}`, String(given[index])));
  const starts = field("Starts", `starts-${at}`, local(now), { type: "datetime-local" });
  return h("div.round", h("h4", `Round ${at + 1}`), starts, figures, check("Repechage", `repechage-${at}`));
}

/**
 * The groups of the form.
 * @param {{asked: Record<string, string>, rounds: number, now: number, changed: string}} given
 * `asked` is the rule of each item, `changed` the rule on changing others
 */
export function groups({ asked, rounds, now, changed }) {
  const group = (title, item, ...children) =>
    h("fieldset", h("legend", title), ruleTag(asked[item] ?? item), h("div.grid", children));
  const every = Array.from({ length: rounds }, (_, at) => round(at, { last: at === rounds - 1, now }));
  return [
    group("Entry fee", "entry_fee", field("Fee, $ (0: none)", "entry_fee", "100.00", { inputMode: "decimal" })),
    group(
      "Chips",
      "chips",
      figure("Chips each round", "start", "1000"),
      field("Buy-in, $", "buy_in", "0", { inputMode: "decimal" }),
      choice("At the end of a round", "disposition", {
        collected: "taken back",
        carried: "carried on",
        cash: "turned into cash",
      }),
      field("One chip in cash, $", "chip_cents", "", { inputMode: "decimal" }),
    ),
    group(
      "Wagers",
      "wager",
      check("Every hand must be wagered on", "compulsory", { checked: true }),
      figure("Least chips", "minimum", "10"),
      figure("Most chips (0: no most)", "maximum", "500"),
    ),
    group(
      "Rounds",
      "structure",
      ...every,
      choice("Tied for the last place", "ties", { drawn: "a draw decides", "all go on": "all go on" }),
      figure("Notice of a new start, minutes", "notice_minutes", "15"),
    ),
    group(
      "Secret wagers",
      "secret_wagers",
      figure("A round (0: none)", "each_round", "0"),
      text("How they are made", "secret_how", ""),
    ),
    group(
      "Buy back",
      "buy_back",
      figure("How often (0: never)", "times", "0"),
      field("After rounds, like 1, 2", "after_rounds", ""),
      field("For, $", "buy_back_fee", "", { inputMode: "decimal" }),
      text("How", "buy_back_how", ""),
    ),
    group(
      "Eligibility",
      "eligibility",
      text("Who may enter", "entitled_only", TEXT.entitled),
      check("Entry may be refused", "right_to_refuse", { checked: true }),
      text("Statement", "may_refuse", TEXT.refuse),
      area("Criteria, if any apply", "criteria", ""),
    ),
    group(
      "Entry",
      "entry",
      figure("Players at least", "least_players", "4"),
      figure("Players at most", "most_players", "8"),
      field("Withdrawal without penalty until", "withdraw_until", local(now), { type: "datetime-local" }),
      text("Application form", "form", "Tournament application"),
    ),
    group(
      "Leaving",
      "leaving",
      area("Grounds for disqualification", "grounds", "Cheating\nAbuse of players or staff"),
      check("Players may retire", "retirement", { checked: true }),
      figure("Of the fee comes back, %", "fee_refund", "0"),
      figure("Of the buy-ins, %", "buy_in_refund", "0"),
    ),
    group(
      "Late or absent",
      "lateness",
      figure("Grace, minutes", "grace_minutes", "5"),
      choice("Who comes later", "late", { "plays on": "plays on", eliminated: "is eliminated" }),
      choice("Who does not come", "absent", { eliminated: "is eliminated", "keeps place": "keeps the place" }),
    ),
    group("Prizes", "prizes", area("From the first place on, $", "prizes", "1,000.00\n500.00\n250.00")),
    group("The rules prevail", "precedence", text("Statement", "precedence", TEXT.precedence)),
    group(
      "Substitutes and changes",
      changed,
      check("Substitutes may play, if the director approves", "substitutes", { checked: true }),
      area(
        "Rules of the game that are changed, like VIC2002-6.5: no Tie wagers = permitted: player, banker",
        "modifications",
        "",
      ),
    ),
  ];
}

/** A change of a rule in words; after "=" the law that it changes, and to what, so that it holds at the tables. */
function changed(line) {
  const [, rule, says, path, value] = /^([^:]*):?([^=]*)=?([^:]*):?(.*)$/.exec(line) ?? ["", line, "", "", ""];
  const change = { rule: rule.trim(), says: says.trim() };
  if (!path.trim()) return change;
  const values = value.split(",").map((each) => each.trim());
  return { ...change, path: path.trim(), value: values.length > 1 ? values : values[0] };
}

/** What the form says, as the house takes it. @param {Record<string, string>} given @param {number} rounds */
export function read(given, rounds) {
  const on = (name) => given[name] !== undefined;
  const every = Array.from({ length: rounds }, (_, at) => ({
    starts_ms: time(given[`starts-${at}`]),
    ...Object.fromEntries(
      ["hands", "minutes", "tables", "seats", "progress", "best_others"].map((name) => [
        name,
        number(given[`${name}-${at}`]),
      ]),
    ),
    repechage: on(`repechage-${at}`),
  }));
  const criteria = lines(given.criteria);
  return {
    entry_fee: cents(given.entry_fee),
    chips: {
      start: number(given.start),
      buy_in: cents(given.buy_in) ?? 0,
      disposition: given.disposition,
      chip_cents: cents(given.chip_cents) ?? 0,
    },
    wager: { compulsory: on("compulsory"), minimum: number(given.minimum), maximum: number(given.maximum) },
    structure: { rounds: every, ties: given.ties, notice_minutes: number(given.notice_minutes) },
    secret_wagers: { each_round: number(given.each_round), how: given.secret_how },
    buy_back: {
      times: number(given.times),
      after_rounds: given.after_rounds
        .split(",")
        .map(number)
        .filter((each) => each > 0),
      fee: cents(given.buy_back_fee) ?? 0,
      how: given.buy_back_how,
    },
    eligibility: {
      entitled_only: given.entitled_only,
      right_to_refuse: on("right_to_refuse"),
      may_refuse: given.may_refuse,
      criteria_apply: criteria.length > 0,
      criteria,
    },
    entry: {
      withdraw_until_ms: time(given.withdraw_until),
      form: given.form,
      least_players: number(given.least_players),
      most_players: number(given.most_players),
    },
    leaving: {
      grounds: lines(given.grounds),
      retirement: on("retirement"),
      fee_refund: number(given.fee_refund) * 100,
      buy_in_refund: number(given.buy_in_refund) * 100,
    },
    lateness: { grace_minutes: number(given.grace_minutes), late: given.late, absent: given.absent },
    prizes: lines(given.prizes).map(cents),
    precedence: given.precedence,
    substitutes: on("substitutes"),
    modifications: lines(given.modifications).map(changed),
  };
}
