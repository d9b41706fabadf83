/**
 * Doing what is due: the questions and forms of the tournament page, and the desk of the director and the operator.
 */

import { refusal, ruleTag } from "../kit/rules.js";
import { dollars, h, plain } from "../kit/staff.js";
import { check, tableChecks, whole } from "./parts.js";
import { groups, read } from "./terms.js";
import { WORDS, act, ask, at, command, learned, may, page, refresh } from "./house.js";

export const BUTTONS = {
  PublishConditions: "State the conditions",
  RecordApproval: "Record the approval",
  Enter: "Enter a player",
  Brief: "The players are briefed",
  SignConditions: "Signed",
  DesignateTables: "Designate tables",
  DrawSeats: "Draw the seats",
  CheckIn: "The director is here",
  StartRound: "Start the round",
  TakeSeat: "Seat",
  RecordHand: "Record the hand",
  EndTable: "End the round here",
  EndRound: "End the round",
  AwardPrizes: "Award the prizes",
};
const CHANGING = "VIC2002-12.2.2";
export const button = (words, onclick, className = "btn") => h("button", { type: "button", className, onclick }, words);

// ---------------------------------------------------------------- doing what is due

export function doDue(one) {
  const open = {
    PublishConditions: terms,
    RecordApproval: approval,
    Enter: entry,
    Brief: briefing,
    SignConditions: () => act({ type: "SignConditions", player: one.about }),
    DesignateTables: designate,
    DrawSeats: () =>
      sure(`Draw the seats of round ${page.view.round}?`, WORDS.draw, BUTTONS.DrawSeats, {
        type: "DrawSeats",
        seats: {},
      }),
    CheckIn: () => act({ type: "CheckIn", person: conductor() }),
    StartRound: () => act({ type: "StartRound" }),
    TakeSeat: () => seated(page.view.entrants.find(({ name }) => name === one.about)),
    RecordHand: () => hands(one.about),
    EndTable: () => endTable(one.about),
    EndRound: () => act({ type: "EndRound" }),
    AwardPrizes: () => sure("Award the prizes?", WORDS.prizes, BUTTONS.AwardPrizes, { type: "AwardPrizes" }),
  }[one.command];
  return open?.();
}

/** Who comes: whoever acts here, if that is the director or a deputy, and otherwise the director. */
function conductor() {
  const { director, deputies } = page.view;
  return [director, ...deputies].includes(page.who.name) ? page.who.name : director;
}

export const seated = (entrant) =>
  act({ type: "TakeSeat", player: entrant.name, person: entrant.substitute || entrant.name });

const field = (label, name, more = {}) =>
  h("label.field", h("span", label), h("input.input", { name, autocomplete: "off", maxLength: 200, ...more }));
const select = (label, name, options) =>
  h(
    "label.field",
    h("span", label),
    h(
      "select.input",
      { name },
      options.map((each) => h("option", { value: each }, plain(each))),
    ),
  );

/**
 * A question with a form; it stays until the house has said yes, and says why not.
 * @param {{title: string, says?: string, children?: any[], words: string, wide?: boolean, given: (form: FormData) =>
 * Promise<any>}} asked
 */
function question({ title, says = "", children = [], words, wide = false, given }) {
  const dialog = at("ask");
  const no = h("p.refused", { role: "alert" });
  const send = h("button.btn.main.big", { type: "submit" }, words);
  const back = button("Back", () => dialog.close(), "btn big");
  const form = h(
    "form",
    h("h2", { id: "ask-title" }, title),
    says && h("p.quiet", says),
    h("div.body", children),
    no,
    h("div.go", back, send),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // One question is asked once, however often it is pressed.
    /** @type {any} */ (send).disabled = true;
    const reply = await given(new FormData(/** @type {HTMLFormElement} */ (form))).finally(
      () => /** @type {any} */ ((send).disabled = false),
    );
    await learned(reply.rule);
    no.replaceChildren(...(reply.done ? [] : refusal(reply)));
    if (reply.done) at("refused").replaceChildren();
    // Behind the question stands what was done, before anything else can be pressed there.
    await refresh();
    if (reply.done) dialog.close();
  });
  dialog.classList.toggle("wide", wide);
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
}

const sure = (title, says, words, asked) => question({ title, says, words, given: () => command(asked) });
const text = (form, name) => String(form.get(name) ?? "").trim();

export function beginDialog() {
  const director = field("Director", "director", { required: true, value: page.who.name, maxLength: 40 });
  const office = page.list.demo ? select("Qualified as", "office", page.list.offices) : null;
  const children = [
    field("Name of the tournament", "name", { required: true, maxLength: 40 }),
    director,
    office,
    h("p.law", ruleTag("VIC2002-12.1.2a")),
  ];
  const given = async (form) => {
    const reply = await ask("/api/tournaments", {
      name: text(form, "name"),
      director: text(form, "director"),
      qualified_as: text(form, "office"),
    });
    if (reply.done) page.chosen = text(form, "name");
    return reply;
  };
  question({ title: "Begin a tournament", says: WORDS.beginHow, children, words: "Begin", given });
}

/** The form of the conditions; another number of rounds makes it anew. */
function terms(rounds = 2) {
  const many = h(
    "select.input",
    { onchange: (event) => terms(Number(event.target.value)) },
    [1, 2, 3, 4, 5].map((each) => h("option", { value: String(each), selected: each === rounds }, String(each))),
  );
  const given = (form) => command({ type: "PublishConditions", conditions: read(Object.fromEntries(form), rounds) });
  const children = [
    h("label.field.short", h("span", "Rounds"), many),
    ...groups({ asked: page.list.asked, rounds, now: page.view.at_ms, changed: CHANGING }),
  ];
  question({
    title: "The conditions",
    says: "Every item must be stated before the conditions can be approved.",
    children,
    words: BUTTONS.PublishConditions,
    wide: true,
    given,
  });
}

function approval() {
  const given = (form) =>
    command({ type: "RecordApproval", approver: page.list.approver, reference: text(form, "reference") });
  const again = h("p", button("State other conditions", () => terms()));
  const says = `The ${page.list.approver} approves the conditions in writing.`;
  question({
    title: "The approval",
    says,
    children: [field("Reference of the letter", "reference", { required: true }), again],
    words: BUTTONS.RecordApproval,
    given,
  });
}

export function entry() {
  const { eligibility, entry_fee: fee } = page.view.conditions;
  const criteria = eligibility.criteria_apply ? eligibility.criteria : [];
  const checks = [
    check("May enter the casino and gamble", "entitled", { checked: true }),
    check("Application form filed", "form", { checked: true }),
    ...criteria.map((each) => check(each, "meets", { value: each })),
  ];
  const given = (form) =>
    command({
      type: "Enter",
      player: text(form, "player"),
      entitled: form.has("entitled"),
      form_filed: form.has("form"),
      meets: form.getAll("meets"),
    });
  const says = fee ? `The entry fee is ${dollars(fee)}.` : "There is no entry fee.";
  question({
    title: BUTTONS.Enter,
    says,
    children: [field("Player", "player", { required: true, maxLength: 40 }), ...checks],
    words: "Enter",
    given,
  });
}

function briefing() {
  const names = page.view.entrants.filter((each) => each.due && !each.briefed).map(({ name }) => name);
  sure(`Brief ${names.length} players?`, `${names.join(", ")}. ${WORDS.briefed}`, "They are briefed", {
    type: "Brief",
    players: names,
  });
}

export function designate() {
  const chosen = page.view.tables.map(({ name }) => name);
  const given = (form) => command({ type: "DesignateTables", tables: form.getAll("table") });
  question({
    title: "Designate tables",
    says: "While a round is played they serve the tournament only.",
    children: [...tableChecks(page.view, chosen), h("p.law", ruleTag("VIC2002-12.3.2"))],
    words: "Designate",
    given,
  });
}

/** A hand, or the last one `anew`: what everybody had where, and the cards; the rest the rules of the table say. */
export function hands(table, anew = false) {
  const place = page.view.tables.find(({ name }) => name === table);
  const { wager, secret_wagers: secret } = page.view.conditions;
  const there = page.view.entrants.filter((each) => place.players.includes(each.name) && each.person);
  const main = place.wagers.slice(0, 3);
  const others = place.wagers.slice(3);
  const figure = (label, name, value = "") =>
    h("input.input", {
      name,
      value,
      inputMode: "numeric",
      pattern: "[0-9]{1,12}",
      autocomplete: "off",
      "aria-label": label,
    });
  const other = (name) => [
    h(
      "select.input",
      { name: `other ${name}`, "aria-label": `Another wager of ${name}` },
      others.map((each) => h("option", { value: each }, plain(each))),
    ),
    figure(`${name} on another wager`, `more ${name}`),
  ];
  const row = ({ name, chips }) => [
    h(
      "tr",
      h(
        "td",
        h("b", name),
        h("span.faint", ` ${whole(chips)}`),
        secret.each_round > 0 && check("Secret", `secret ${name}`, { "aria-label": `Secret wager of ${name}` }),
      ),
      main.map((on) => h("td", figure(`${name} on ${plain(on)}`, `${on} ${name}`))),
    ),
    others.length > 0 && h("tr", h("td.another", { colSpan: main.length + 1 }, h("div.row", other(name)))),
  ];
  const names = ["Player and chips", ...main.map(plain)];
  const heads = names.map((each) => h("th", { scope: "col" }, each));
  const staked = (form, name) =>
    Object.fromEntries(
      [...main.map((on) => [on, form.get(`${on} ${name}`)]), [form.get(`other ${name}`), form.get(`more ${name}`)]]
        .filter(([, chips]) => Number(chips) > 0)
        .map(([on, chips]) => [on, Number(chips)]),
    );
  const given = (form) =>
    command({
      type: anew ? "CorrectHand" : "RecordHand",
      table,
      ...(anew ? { reason: text(form, "reason") } : {}),
      hand: {
        wagers: Object.fromEntries(there.map(({ name }) => [name, staked(form, name)])),
        facts: text(form, "cards").split(/[\s,]+/).filter(Boolean),
        secret: there.map(({ name }) => name).filter((name) => form.has(`secret ${name}`)),
      },
    });
  const cards = field("Cards in the order they came, like 9h 2d Kc Ks", "cards", { required: true });
  const why = anew ? [field("Why it is told anew", "reason", { required: true })] : [];
  const body = there.length
    ? [h("table.list.stakes", h("thead", h("tr", heads)), h("tbody", there.flatMap(row))), cards, ...why]
    : [h("p", "Nobody is seated there yet.")];
  question({
    title: anew ? `Hand ${place.hands} at ${table}, as it truly was` : `Hand ${place.hands + 1} at ${table}`,
    says: `${WORDS.hand} ${wager.compulsory ? `At least ${whole(wager.minimum)} on every hand.` : ""}`.trim(),
    children: body,
    words: anew ? "Correct the hand" : BUTTONS.RecordHand,
    given,
  });
}

export function endTable(table) {
  const place = page.view.tables.find(({ name }) => name === table);
  if (place.used_up) return act({ type: "EndTable", table });
  const agreed = place.players.map((name) => check(`${name} agrees`, "agreed", { value: name }));
  const given = (form) => command({ type: "EndTable", table, agreed: form.getAll("agreed") });
  return question({
    title: `End the round at ${table} early?`,
    says: WORDS.early,
    children: agreed,
    words: "End it early",
    given,
  });
}

/** What can be ruled on one player. */
export function ruleOn(entrant) {
  const player = entrant.name;
  const terms = page.view.conditions;
  const one = (words, asked, kind = "btn") => button(words, async () => {
    at("ask").close();
    await act({ player, ...asked });
  }, kind);
  const ground = select("Ground", "ground", terms.leaving.grounds);
  const substitute = field("Substitute", "substitute", { maxLength: 40, value: entrant.nominated });
  const value = (label) => label.querySelector("input, select").value;
  const acts = [
    !entrant.table && page.view.round === 1 && one("Withdraw", { type: "Withdraw" }),
    terms.leaving.retirement && one("Retire", { type: "Retire" }),
    page.view.signatures && !entrant.signed && one("Signed the conditions", { type: "SignConditions" }),
    entrant.status === "out" && one("Buy back", { type: "BuyBack" }),
    entrant.nominated && !entrant.substitute && one(`Approve ${entrant.nominated}`, { type: "ApproveSubstitute" }),
  ].filter(Boolean);
  const nominate = terms.substitutes && h("div.row", substitute, button("Nominate", async () => {
    at("ask").close();
    await act({ type: "NominateSubstitute", player, substitute: value(substitute).trim() });
  }));
  const given = () => command({ type: "Disqualify", player, ground: value(ground) });
  question({
    title: player,
    children: [h("div.row", acts), nominate, ground, h("p.law", ruleTag("VIC2002-12.2.1i"))],
    words: "Disqualify",
    given,
  });
}

// ---------------------------------------------------------------- the desk

/** What the director and the operator do besides: presence, deputies, signatures, another start, rulings. */
export function desk(view) {
  const form = (title, rule, children, words, command) => {
    const made = h(
      "form.desk",
      h("h3", title, ruleTag(rule)),
      h("div.row", children, h("button.btn", { type: "submit" }, words)),
    );
    made.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = new FormData(/** @type {HTMLFormElement} */ (made));
      /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
      act(command(given));
    });
    return made;
  };
  const there = view.present.includes(conductor());
  const later = view.state === "entries open" || view.state === "between rounds" || view.state === "drawn";
  const informed = view.entrants.filter((each) => each.due).map(({ name }) => name);
  const changes = (view.conditions?.modifications ?? []).map(({ rule }) => rule);
  return [
    form(
      "The director",
      "VIC2002-12.2.5",
      [h("p", there ? `${conductor()} is there.` : `${conductor()} is not there.`)],
      there ? "Goes away" : "Is here",
      () => ({ type: there ? "CheckOut" : "CheckIn", person: conductor() }),
    ),
    may("operator") &&
      form(
        "A deputy",
        "VIC2002-12.1.2b",
        [
          field("Name", "person", { required: true, maxLength: 40 }),
          page.list.demo && select("Qualified as", "office", page.list.offices),
        ],
        "Name",
        (given) => ({ type: "NameDeputy", person: text(given, "person"), qualified_as: text(given, "office") }),
      ),
    view.approval &&
      !view.signatures &&
      form(
        "Signatures",
        "VIC2002-12.2.4",
        [h("p", "Each player then signs the conditions before the draw.")],
        "Require",
        () => ({ type: "RequireSignatures" }),
      ),
    view.approval &&
      later &&
      form(
        "Another start",
        "VIC2002-12.3.4",
        [
          field(`Round ${view.round} starts`, "starts", { type: "datetime-local", required: true }),
          h("p.faint", "All who play must have been told."),
        ],
        "Alter",
        (given) => ({
          type: "AlterStart",
          round: view.round,
          starts_ms: new Date(text(given, "starts")).getTime(),
          told: informed,
        }),
      ),
    may("operator") &&
      view.state === "entries open" &&
      form(
        "Refuse an entry",
        "VIC2002-12.2.1g.ii",
        [field("Name", "player", { required: true, maxLength: 40 })],
        "Refuse",
        (given) => ({ type: "RefuseEntry", player: text(given, "player") }),
      ),
    changes.length > 0 &&
      form("Rely on a change", CHANGING, [select("Rule", "rule", changes)], "Apply", (given) => ({
        type: "ApplyModification",
        rule: text(given, "rule"),
      })),
  ];
}
