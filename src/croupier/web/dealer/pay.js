/**
 * Paying: whom, how much, in which chips; and what is taken first.
 *
 * The table tells every wager that is decided and not settled.  Losing wagers stand at the left, winning ones in the
 * order of the seats with their arithmetic and the fewest chips that make the amount.  A seat's number ticks it off, so
 * that the one in hand stands out; the act itself is told once, for all of them, with the main button.
 */

import { dollars, short } from "../kit/money.js";
import { ruleTag } from "../kit/rules.js";
import { h, icon, kbd, outcome } from "../kit/staff.js";

/** @param {{place: HTMLElement, changed: () => void}} given */
export function payPanel({ place, changed }) {
  /** The wagers that were ticked off in this round. @type {Set<number>} */
  const paid = new Set();
  let round = 0;
  let drawn = "";
  let view = null;

  const rows = () => view?.payments ?? [];
  const winners = () => rows().filter((each) => each.pays > 0 || each.result === "won");
  const losers = () => rows().filter((each) => each.result === "lost");
  const left = () => winners().filter((each) => !paid.has(each.number));
  /** The panel is there when what is due settles something. */
  const isDue = () => Boolean(view?.due.settles?.length);

  function show(now) {
    view = now;
    if (round !== now.round) paid.clear();
    round = now.round;
    const key = JSON.stringify([now.due, now.payments, [...paid]]);
    if (key === drawn) return;
    drawn = key;
    place.hidden = !isDue();
    if (!place.hidden) place.replaceChildren(...taken(), ...pays());
  }

  function tick(numbers) {
    for (const number of numbers) paid.has(number) ? paid.delete(number) : paid.add(number);
    show(view);
    changed();
  }

  /** A digit ticks off what is paid to that seat or box; answers whether it meant one. */
  function stroke(key) {
    const mine = isDue() ? winners().filter((each) => String(each.seat || each.box) === key) : [];
    if (mine.length) tick(mine.map(({ number }) => number));
    return mine.length > 0;
  }

  function taken() {
    const lost = losers();
    if (!lost.length) return [];
    const row = (each) =>
      h(
        "tr",
        h("td.num", each.seat || each.box),
        h("td", each.by),
        h("td", h("span.on", outcome(each.on))),
        h("td.num", dollars(each.stake)),
        h("td", ruleTag(each.rule)),
      );
    const sum = lost.reduce((all, each) => all + each.stake, 0);
    const head = h("h3", "Take ", h("span.quiet", `${dollars(sum)} in all: taken before anything is paid`));
    return [h("section.take", head, h("table.list", h("tbody", lost.map(row))))];
  }

  function pays() {
    const won = winners();
    if (!won.length) return [h("section.give", h("p.pad.quiet", "No wager wins."))];
    const [current] = left();
    const sum = (of) => won.reduce((all, each) => all + each[of], 0);
    const head = h("h3", "Pay ", h("span.quiet", `${won.length - left().length} of ${won.length} paid`));
    const foot = h("p.quiet", `To pay in all ${dollars(sum("pays"))}; commission kept ${dollars(sum("commission"))}.`);
    return [h("section.give", head, h("ul", won.map((each) => payment(each, each === current))), foot)];
  }

  function payment(each, current) {
    const done = paid.has(each.number);
    const seat = each.seat || each.box;
    const kept = each.commission ? ` less ${dollars(each.commission)}` : "";
    const chips = each.chips.map(([chip, many]) => h("span.chips", h("b", `${many} ×`), ` ${short(chip)}`));
    const given = { type: "button", "aria-pressed": String(done), onclick: () => tick([each.number]) };
    const name = `Paid: ${each.by}, ${dollars(each.pays)}`;
    return h(
      "li",
      { className: done ? "done" : current ? "now" : "" },
      h("span.seat", seat),
      h(
        "div.who",
        h("b", each.by),
        h("span.on", outcome(each.on), ` ${dollars(each.stake)}`),
        h("small.quiet", `${each.odds}${kept}`),
        ruleTag(each.rule),
      ),
      h("b.sum", dollars(each.pays)),
      h("div.stack", chips),
      h("button.btn", { ...given, "aria-label": name }, done ? icon("check") : "", "Paid", seat < 10 ? kbd(seat) : ""),
    );
  }

  /** What the banner says while somebody is paid: nothing where nobody is. */
  function words() {
    const [current] = left();
    if (!isDue() || !current || !view.due.settles.includes(current.number)) return null;
    const sum = left().reduce((all, each) => all + each.pays, 0);
    const rest = `${winners().length - left().length} of ${winners().length} paid; ${dollars(sum)} is left to pay.`;
    return { what: `Pay ${current.by} ${dollars(current.pays)}`, why: rest };
  }

  return { show, stroke, words };
}
