/**
 * Correcting a round: its facts as they were recorded, as they were in truth, and what that changes for each wager.
 *
 * A round of the last ones is chosen, and its facts lie there in their order.  One is pressed and replaced with the
 * keys, or taken out, or one is added at the end.  After every change the house works the round out again without
 * recording anything, and the page shows each wager before and after, or why these facts make no round.  Carried out,
 * the correction is recorded with its reason; the first settlement stays in the history.
 */

import { cardFront, cardWords } from "../kit/cards.js";
import { keypad } from "../dealer/keypad.js";
import { form, statusLine } from "../kit/form.js";
import { resultWords } from "../kit/names.js";
import { refusal } from "../kit/rules.js";
import { dollars, h, icon, kept, listTable, numHead, outcome, plain } from "../kit/staff.js";
import { inPlay } from "./parts.js";

/** Facts that have no key, or that somebody types faster, as they are written in each game. */
const WRITTEN = { blackjack: "stand, hit …", caribbean_stud: "bet, fold …", craps: "4-3", tai_sai: "1-3-6" };
const CARD = /^(10|[2-9AJQK])[hdsc]$/;

/** @param {{at: (id: string) => HTMLElement, page: any, ask: import("./ask.js").Ask}} given */
export function correctPanel({ at, page, ask }) {
  const pickRound = /** @type {HTMLSelectElement} */ (h("select.input", { name: "round", "aria-label": "Round" }));
  const facts = h("ol.facts");
  const keysPlace = h("div.keys-place", { hidden: true });
  const change = h("div.change", { "aria-live": "polite" });
  const keys = keypad({ tell: (fact) => replaced(fact) });
  const keepRounds = kept(pickRound);
  const line = statusLine();
  const state = { rounds: [], round: 0, facts: [], chosen: -1, asked: 0, known: "" };

  const record = () => state.rounds.find((each) => each.round === state.round);
  const isChanged = () => JSON.stringify(state.facts) !== JSON.stringify(record()?.facts.map((each) => each.fact));

  // ---------------------------------------------------------------- the rounds

  async function load() {
    const headers = { Authorization: `Ticket ${page.who.ticket}` };
    const answer = await fetch(`/api/tables/${encodeURIComponent(page.who.table)}/records`, { headers });
    const read = await answer.json();
    if (!answer.ok) throw new Error(read.reason);
    state.rounds = read.rounds;
    const known = record();
    if (!known) open(state.rounds[0]?.round ?? 0);
    keepRounds([read.rounds.map((each) => [each.round, each.outcome, each.invalid]), state.round], () =>
      read.rounds.map(option),
    );
    pickRound.value = String(state.round);
    if (known && !isTouched()) reset();
    else drawFacts();
  }

  const isTouched = () => state.chosen >= 0 || isChanged();

  function option({ round, outcome: result, invalid }) {
    const { says } = resultWords(page.view.table.game, invalid ? { void: invalid } : result);
    return h(
      "option",
      { value: String(round), selected: round === state.round },
      `Round ${round}: ${says || "no result"}`,
    );
  }

  function open(round) {
    state.round = round;
    line.empty();
    reset();
  }

  /** The facts as they are recorded. */
  function reset() {
    state.facts = record()?.facts.map((each) => each.fact) ?? [];
    choose(-1);
    work();
  }

  // ---------------------------------------------------------------- the facts

  function drawFacts() {
    const was = record()?.facts ?? [];
    const items = state.facts.map((fact, index) => {
      const old = was[index];
      const other = JSON.stringify(fact) !== JSON.stringify(old?.fact);
      const words = labelOf(old, index, was);
      const name = `${words}: ${factWords(fact)}${other && old ? `, was ${factWords(old.fact)}` : ""}. Change it`;
      const press = {
        type: "button",
        "aria-pressed": String(state.chosen === index),
        "aria-label": name,
        onclick: () => choose(state.chosen === index ? -1 : index),
      };
      return h(
        "li",
        { className: other ? "other" : "" },
        h(
          "button.fact",
          press,
          picture(fact),
          h("small", other && old ? `was ${factWords(old.fact, { brief: true })}` : words),
        ),
      );
    });
    const add = {
      type: "button",
      "aria-pressed": String(state.chosen === state.facts.length),
      onclick: () => choose(state.facts.length),
    };
    facts.replaceChildren(
      ...items,
      ...(was.length ? [h("li", h("button.fact.add", add, h("b", "+"), h("small", "add one")))] : []),
    );
  }

  const picture = (fact) => (typeof fact === "string" && CARD.test(fact) ? cardFront(fact) : h("b", factWords(fact)));

  /** Choose the fact that the keys replace; none closes the keys. */
  function choose(index) {
    const here = [facts, keysPlace].some((each) => each.contains(document.activeElement));
    const back = index < 0 ? state.chosen : index;
    state.chosen = index;
    keysPlace.hidden = index < 0;
    if (index >= 0) {
      const end = index >= state.facts.length;
      hint.textContent = end ? "The next fact, as it was in truth:" : `Instead of ${factWords(state.facts[index])}:`;
      out.hidden = end;
      written.placeholder = `or in words: ${WRITTEN[page.view.table.game] ?? "as it is written down"}`;
    }
    keys.empty();
    drawFacts();
    if (here && back >= 0)
      /** @type {HTMLElement | null} */ (
        facts.children[Math.min(back, facts.children.length - 1)]?.querySelector("button")
      )?.focus();
  }

  function replaced(fact) {
    if (state.chosen < 0) return;
    state.facts = [...state.facts.slice(0, state.chosen), fact, ...state.facts.slice(state.chosen + 1)];
    choose(-1);
    work();
  }

  function takenOut() {
    state.facts = state.facts.filter((_, index) => index !== state.chosen);
    choose(-1);
    work();
  }

  const hint = h("span.quiet");
  const out = h("button.btn", { type: "button", onclick: takenOut }, "Take it out");
  const shut = h("button.btn.bare", { type: "button", onclick: () => choose(-1) }, "Cancel");
  const written = /** @type {HTMLInputElement} */ (
    h("input.input", {
      maxLength: 200,
      autocomplete: "off",
      "aria-label": "A fact in words",
    })
  );
  const words = h("form.words", written, h("button.btn", { type: "submit" }, "Use it"));
  words.addEventListener("submit", (event) => {
    event.preventDefault();
    if (written.value.trim()) replaced(written.value.trim());
    written.value = "";
  });

  // ---------------------------------------------------------------- before and after

  const undo = h(
    "button.btn.bare",
    { type: "button", hidden: true, onclick: () => open(state.round) },
    icon("undo"),
    "As recorded",
  );
  const pickRow = h("div.pickrow", h("label.field", h("span", "Round"), pickRound), undo);

  /** A round in hand is not disturbed: what was ordered meanwhile waits for its end, and says so. */
  function restful() {
    if (!inPlay(page.view)) return Promise.resolve();
    line.yes(`Round ${page.view.round} is in play: this waits for its end, and is carried out then.`);
    return new Promise((go) => page.quiet.push(go));
  }

  const command = (reason) => ({ type: "Correct", round: state.round, facts: state.facts, reason });

  /** Work the round out again; of several changes in a row only the last answer counts. */
  async function work() {
    const asked = ++state.asked;
    const was = record();
    pickRow.hidden = !was;
    undo.hidden = !was || !isChanged();
    if (!was || !isChanged()) correctForm.hidden = true;
    invalidating.hidden = !was || Boolean(was?.invalid);
    if (!was)
      return change.replaceChildren(h("p.quiet", "No round is finished yet. The last thirty can be corrected here."));
    if (!isChanged()) return change.replaceChildren(...asSettled(was));
    const seen = await ask.preview(command("preview"));
    if (asked !== state.asked) return;
    correctForm.hidden = !seen.lawful;
    change.replaceChildren(
      ...(seen.lawful
        ? compared(was, seen)
        : [
            h("p.status-line.no", ...refusal({ ...seen, reason: about(seen) })),
            h("p.quiet", "Change another fact, add what is missing, or go back to what is recorded."),
          ]),
    );
  }

  function asSettled({ wagers, outcome: result, invalid }) {
    const { says } = resultWords(page.view.table.game, invalid ? { void: invalid } : result);
    const rows = wagers.map(({ by, on, stake, result: how, returned }) =>
      h(
        "tr",
        h("td", by),
        h("td", h("span.on", outcome(on))),
        h("td.num", bare(stake)),
        h("td", settledWords(how)),
        h("td.num", bare(returned)),
      ),
    );
    const list = rows.length
      ? listTable(["Player", "On", numHead("Stake $"), "Settled", numHead("Returned $")], rows)
      : h("p.quiet", "Nobody had a wager.");
    return [h("p.verdict", h("b", says || "No result"), h("span.quiet", " Press a fact to change it.")), list];
  }

  function compared(was, { wagers, outcome: result, events }) {
    const game = page.view.table.game;
    const head = h(
      "p.verdict",
      h("s", resultWords(game, was.outcome).says),
      icon("arrow"),
      h("b", resultWords(game, result).says),
    );
    const cell = (side) =>
      h("td.side-of", side ? [settledWords(side.result), h("span.num", ` ${bare(side.returned)}`)] : "open");
    const rows = wagers.map((each) =>
      h(
        "tr",
        h("td", each.by),
        h("td", h("span.on", outcome(each.on))),
        cell(each.before),
        cell(each.after),
        h("td.num.strong", signed(each.difference)),
      ),
    );
    const sums = new Map();
    for (const { by, difference } of wagers) sums.set(by, (sums.get(by) ?? 0) + difference);
    const total = [...sums.values()].reduce((sum, each) => sum + each, 0);
    const foot = h("tr", h("td", { colSpan: 4 }, "In all, to the players"), h("td.num", signed(total)));
    const list = rows.length
      ? listTable(["Player", "On", numHead("Before $"), numHead("After $"), numHead("Change $")], rows, foot)
      : h("p.quiet", "No wager is settled otherwise: only the record changes.");
    const report =
      events.some((each) => each.type === "Flagged") &&
      h("p.status-line.no", icon("alert"), h("span", "Somebody's chips do not cover it: a debt and a report follow."));
    return [head, h("div.wide", list), report || ""];
  }

  const correctForm = form({
    label: "Carry out the correction", kind: "inline", line,
    fields: [{ name: "reason", label: "Reason, for the record", value: "" }],
    buttons: [{ name: "correct", words: "Correct the round", kind: "main" }],
    send: async ({ reason }) => {
      const number = state.round;
      const done = `Round ${number} is corrected; the first settlement stays on record.`;
      const danger = {
        title: `Correct round ${number}?`,
        text: `Every wager of it is settled again and the difference is posted. Reason: ${reason}.`,
        yes: "Correct the round",
        no: "Leave it as settled",
      };
      if (!(await ask.ask(command(reason), { status: line, done, danger, when: restful }))) return;
      await load();
      open(number);
      line.yes(done);
    },
  });

  // ---------------------------------------------------------------- a round that should not count

  const invalidating = h("details.invalid", h("summary", "Invalidate the whole round instead"));
  const grounds = h("div");
  const keepGrounds = kept(grounds);
  invalidating.append(grounds);

  function invalidForm({ trouble, asks }) {
    const options = trouble.grounds.map(({ ground }) => [ground, plain(ground)]);
    return [
      form({
        label: "Invalidate the round",
        kind: "inline",
        line,
        fields: [
          { name: "ground", label: `Ground (for the ${asks.Invalidate.role})`, kind: "select", options },
          {
            name: "forfeit",
            label: "Whose wagers are forfeited (fraud only)",
            optional: true,
            hint: "names, with commas",
          },
        ],
        buttons: [{ name: "void", words: "Invalidate the round", kind: "stop" }],
        send: async ({ ground, forfeit }) => {
          const names = forfeit
            .split(",")
            .map((each) => each.trim())
            .filter(Boolean);
          const number = state.round;
          await ask.ask(
            { type: "Invalidate", round: number, ground, forfeit: names },
            {
              status: line,
              done: `Round ${number} is invalid: ${ground}.`,
              danger: {
                title: `Invalidate round ${number}?`,
                text:
                  `Its outcome does not count, because of ${ground}. Wagers are refunded` +
                  `${names.length ? `, those of ${names.join(", ")} are forfeited` : ""}.`,
                yes: "Invalidate it",
                no: "Let it stand",
              },
            },
          );
        },
      }),
    ];
  }

  // ---------------------------------------------------------------- drawing

  function show(view) {
    keys.show(view);
    keepGrounds([view.trouble, view.asks.Invalidate], () => invalidForm(view));
    const last = JSON.stringify(view.history.slice(-30));
    if (last === state.known) return;
    state.known = last;
    load().catch((error) => change.replaceChildren(h("p.status-line.no", ...refusal({ reason: error.message }))));
  }

  pickRound.addEventListener("change", () => open(Number(pickRound.value)));
  keysPlace.append(h("div.keys-head", hint, keys.typed, h("span.end", out, shut)), keys.keys, words);
  // Typing works while the keys are open, as at the dealer's.
  keysPlace.tabIndex = -1;
  at("correct").append(pickRow, facts, keysPlace, change, correctForm, line.root, invalidating);
  at("correct-panel").addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (state.chosen < 0 || event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select")) return;
    if (event.key === "Escape") choose(-1);
    else if (keys.stroke(event.key)) event.preventDefault();
  });
  return { show };
}

/** How a wager ended, in the words of the gazette. */
/** A reason with the fact that it is about, where it names one. */
function about({ on, reason }) {
  if (!on) return reason;
  return `${CARD.test(on) ? cardWords(on) : plain(on)}: ${reason}`;
}

const settledWords = (result) => (result === "standoff" ? "Stand off" : plain(result));
const bare = (amount) => dollars(amount).replace("$", "");
const signed = (amount) => (amount > 0 ? `+${bare(amount)}` : bare(amount));

/** What a fact was due to: "Player 1", "Banker 3"; else what was due. */
function labelOf(old, index, all) {
  if (!old?.to) return old?.due ? plain(old.due) : `fact ${index + 1}`;
  const nth = all.slice(0, index + 1).filter((each) => each.to === old.to).length;
  return `${plain(old.to)} ${nth}`;
}

/** A fact in words. @param {any} fact */
function factWords(fact, { brief = false } = {}) {
  if (typeof fact !== "string")
    return fact.irregular ? `irregular: ${fact.irregular.replaceAll("_", " ")}` : Object.values(fact).join(" ");
  const suits = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
  if (!CARD.test(fact)) return fact;
  return brief
    ? fact.slice(0, -1) + { s: "♠", h: "♥", d: "♦", c: "♣" }[fact.slice(-1)]
    : `${fact.slice(0, -1)} of ${suits[fact.slice(-1)]}`;
}
