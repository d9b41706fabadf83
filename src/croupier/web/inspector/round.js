/**
 * One round on the inspector's desk: its felt, its story, and where each cent went.
 *
 * The story is folded to what matters: what fell, what went wrong, what was ruled, disputed and corrected; ordinary
 * lines between those stand behind one line with their count.  A round that was corrected is shown twice, one band
 * above the other, so that the eye finds the difference, and its money before, after and by how much.
 */

import { resultWords } from "../kit/names.js";
import { ruleTag } from "../kit/rules.js";
import { dollars, felt, h, icon, listTable, numHead, outcome, plain } from "../kit/staff.js";
import { accountWords, count, doneBy, isWeighty, resultOf, tellLine, time } from "../kit/story.js";

/** @typedef {import("../kit/story.js").Story} Story */
/** @typedef {import("../kit/story.js").Line} Line */

const FOLDED = 2;
const CORRECTIONS = ["RoundCorrected", "RoundInvalidated"];

/** The line with which a round was settled, and those that corrected it. @param {Story} story */
export function ends(story) {
  const settled = story.lines.find(({ type }) => type === "RoundEnded");
  return { settled, corrections: story.lines.filter(({ type }) => CORRECTIONS.includes(type)) };
}

// ---------------------------------------------------------------- the felt

/**
 * The bands of a round: one as it lies, or two where it was corrected; `shows` says which of the two.
 * @param {Story} story
 * @param {{game: string, shows: string}} how
 */
export function bands(story, { game, shows }) {
  const { settled, corrections } = ends(story);
  const last = corrections.at(-1);
  const irregular = story.lines.some(({ type }) => type === "Ruled");
  if (!last) return [band(story.felt, { game, irregular, ended: Boolean(settled) })];
  const was = band(story.was ?? story.felt, { game, irregular, ended: true, kind: "was", other: story.felt });
  const now =
    last.type === "RoundInvalidated"
      ? h("div.felt.is", caption("Invalidated", last), h("div.verdict", h("b", "Void: it does not count")))
      : band(story.felt, { game, irregular: false, ended: true, kind: "is", other: story.was });
  if (settled) was?.prepend(caption("As settled", settled));
  if (last.type === "RoundCorrected") now?.prepend(caption("As corrected", last));
  const why = h(
    "p.whyline",
    icon("undo"),
    h("span", h("b", "Why: "), `${plain(last.event.reason ?? last.event.ground)}.`),
    ruleTag(last.rule, "strong"),
  );
  return [shows !== "corrected" && was, shows !== "settled" && now, why].filter(Boolean);
}

const caption = (words, line) => h("p.bandcap", h("b", words), h("span", `${time(line.at_ms)}, by ${doneBy(line)}`));

function band(laid, { game, irregular, ended, kind = "", other = null }) {
  if (!laid) return null;
  const { text, tone, says } = resultWords(game, laid);
  const sign = ended && h("span", { className: `side ${tone}`, "aria-hidden": "true" }, text);
  const mark = irregular && h("span.pill.wait", icon("alert"), "Irregular");
  const drawn = felt(laid);
  if (other) marked(drawn, laid, other, kind === "was" ? "entered" : "on the table");
  return h(
    "div",
    { className: `felt ${kind}`.trim() },
    drawn,
    h("div.verdict", sign, h("b", ended ? says : "In hand"), mark),
  );
}

/** The cards that lie otherwise than in the other band are outlined, with a word. */
function marked(drawn, laid, other, word) {
  for (const [place, cards] of Object.entries(laid.cards)) {
    const shown = drawn.querySelectorAll(`.box.${place} .hand > .card:not(.empty)`);
    cards.forEach((card, at) => {
      if (other.cards[place]?.[at] === card || !shown[at]) return;
      const wrapped = h("span.changed");
      shown[at].replaceWith(wrapped);
      wrapped.append(shown[at], h("span.pill", word));
    });
  }
}

// ---------------------------------------------------------------- the story

/**
 * The lines of a story as a list; runs of what is ordinary are folded, unless all are wanted or one of them is meant.
 * @param {Story} story
 * @param {{meant: number, all: boolean, link: (line: number) => string}} how
 */
export function steps(story, { meant, all, link }) {
  const { settled, corrections } = ends(story);
  const undone = corrections.length > 0 && settled;
  const rows = story.lines.map((line) => ({
    line,
    shown: tellLine(line),
    old: undone && line.at_ms <= undone.at_ms && ["settled", "over"].includes(tellLine(line).kind),
  }));
  const found = [];
  for (const row of rows) {
    const folds = !all && !matters(row);
    if (folds && Array.isArray(found.at(-1))) found.at(-1).push(row);
    else found.push(folds ? [row] : row);
  }
  const drawn = (row) => step(row, { meant, link });
  return found.flatMap((row) => {
    if (!Array.isArray(row)) return [drawn(row)];
    const wanted = row.length < FOLDED || row.some(({ line }) => line.line === meant);
    return wanted ? row.map(drawn) : [fold(row, drawn)];
  });
}

/** What fell, what went wrong and what was decided about it. */
const matters = ({ shown, line }) =>
  isWeighty(shown) || (shown.kind === "fact" && typeof line.event.fact === "string");

/** Ordinary lines behind one, with how many there are of each kind. */
function fold(rows, drawn) {
  const kinds = { wager: "wager", settled: "settlement", said: "announcement", fact: "act" };
  const sums = new Map();
  for (const { shown } of rows) {
    const kind = kinds[shown.kind] ?? "entry";
    sums.set(kind, (sums.get(kind) ?? 0) + 1);
  }
  const words = [...sums].map(([thing, many]) => (thing === "entry" ? entries(many) : count(many, thing))).join(", ");
  const inner = h("ol.steps.inner", { hidden: true });
  const open = h(
    "button.btn.bare",
    { type: "button", "aria-expanded": "false" },
    icon("arrow"),
    h("time", time(rows[0].line.at_ms)),
    h("span", `${count(rows.length, "line")}: ${words}`),
  );
  open.addEventListener("click", () => {
    if (!inner.children.length) inner.append(...rows.map(drawn));
    inner.hidden = !inner.hidden;
    open.setAttribute("aria-expanded", String(!inner.hidden));
  });
  return h("li.fold", open, inner);
}

const entries = (many) => (many === 1 ? "1 other entry" : `${many} other entries`);

function step({ line, shown: { kind, head, more }, old }, { meant, link }) {
  const money = line.transfers.map((each) => h("p.money", moneyWords(each), ruleTag(each.rule)));
  const says = [doneBy(line), more].filter(Boolean).join(" · ");
  const words = h("div", h(old ? "s" : "b", head), h("p", says), money);
  const mine = line.line === meant;
  const address = h(
    "a.line.num",
    {
      href: link(line.line),
      title: `Line ${line.line} of the journal: a link to it`,
      "aria-label": `A link to line ${line.line} of the journal, ${time(line.at_ms)}`,
    },
    h("time", time(line.at_ms)),
  );
  return h(
    "li",
    {
      className: [kind, old && "old", mine && "meant"].filter(Boolean).join(" "),
      "aria-current": mine ? "true" : undefined,
    },
    address,
    words,
    h("span.tags", ruleTag(line.rule)),
  );
}

const moneyWords = ({ amount, debited, credited }) =>
  `${dollars(amount)} from ${accountWords(debited)} to ${accountWords(credited)}`;

// ---------------------------------------------------------------- the money

const bare = (cents) => dollars(cents).replace("$", "");
const signed = (cents) => (cents === 0 ? "same" : cents > 0 ? `+${bare(cents)}` : bare(cents));

/** What became of each wager; of a corrected round before, after and by how much. @param {any[]} wagers */
export function wagerTable(wagers) {
  if (!wagers.length) return h("p.pad.quiet", "Nothing is settled in this round.");
  const corrected = wagers.some((each) => each.was);
  const first = ({ by, on, stake }) => [
    h("td", by),
    h("td", h("span.res", outcome(on))),
    h("td.num", stake === null ? "–" : bare(stake)),
  ];
  const rows = wagers.map((each) =>
    h("tr", first(each), corrected ? compared(each) : plainly(each), h("td", ruleTag(each.rule))),
  );
  const heads = corrected
    ? ["Player", "On", ...["Stake $", "Before $", "After $", "Change $"].map(numHead), "Rule"]
    : ["Player", "On", numHead("Stake $"), "Result", numHead("Returned $"), "Rule"];
  return listTable(heads, rows, corrected ? totals(wagers) : null);
}

const plainly = ({ result, returned }) => [h("td", state(result)), h("td.num", bare(returned))];

function compared({ was, returned, change }) {
  const tone = change > 0 ? "up" : change < 0 ? "dn" : "quiet";
  return [
    h("td.num", was ? h("s", bare(was.returned)) : bare(returned)),
    h("td.num", bare(returned)),
    h("td.num", h("b", { className: tone }, signed(change))),
  ];
}

function totals(wagers) {
  const sum = (of) => wagers.reduce((all, each) => all + of(each), 0);
  const [before, after] = [sum((each) => (each.was ?? each).returned), sum((each) => each.returned)];
  const staked = sum((each) => each.stake ?? 0);
  const row = (name, one, two, stake) => {
    const figures = [h("td.num", h("s", bare(one))), h("td.num", bare(two)), h("td.num", signed(two - one))];
    return h("tr", h("td", name), h("td"), stake, figures, h("td"));
  };
  return [
    row(`All ${wagers.length}`, before, after, h("td.num", bare(staked))),
    row("House", staked - before, staked - after, h("td")),
  ];
}

function state(result) {
  const sign = { won: "check", lost: "clear" }[result];
  return h("span", { className: `state ${result}` }, sign ? icon(sign) : null, resultOf(result));
}

/**
 * Every account that moved: what went out of it and what came in; both sides must be the same.
 * @param {Line[]} lines
 */
export function posted(lines) {
  const sums = new Map();
  const add = ([kind], side, cents) => {
    const row = sums.get(kind) ?? { debit: 0, credit: 0 };
    row[side] += cents;
    sums.set(kind, row);
  };
  for (const { debited, credited, amount } of lines.flatMap((line) => line.transfers)) {
    add(debited, "debit", amount);
    add(credited, "credit", amount);
  }
  if (!sums.size) return h("p.pad.quiet", "No money moved.");
  const cells = ({ debit, credit }) => [debit, credit].map((cents) => h("td.num", cents ? bare(cents) : ""));
  const all = (side) => [...sums.values()].reduce((sum, each) => sum + each[side], 0);
  const total = { debit: all("debit"), credit: all("credit") };
  const even = total.debit === total.credit;
  const rows = [...sums].map(([name, row]) => h("tr", h("td", plain(name)), cells(row)));
  const foot = h("tr", h("td", icon(even ? "check" : "alert"), even ? " Balanced" : " Not balanced"), cells(total));
  const table = listTable(["Account", numHead("Out $"), numHead("In $")], rows, foot);
  return h("div.post", h("h3", "Accounts, whole round"), table);
}

/** What a correction found for somebody who could not be credited: how much, for whom, and where it waits. */
export function owed(lines, waits) {
  return lines
    .filter(({ type }) => type === "VoucherDue")
    .map(({ event: { terminal, amount }, rule }) =>
      h(
        "div.owed",
        h("h3", `Due to whoever played at ${terminal}`, ruleTag(rule)),
        h("p.amount", h("b", dollars(amount)), h("span.pill.wait", waits[terminal] ? "Not yet paid" : "Paid out")),
        h("p.quiet", "They had cashed out before the correction: a voucher at the table, paid at the cage."),
      ),
    );
}
