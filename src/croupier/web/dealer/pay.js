/**
 * Paying: whom, how much, in which chips; and what is taken first.
 *
 * The table tells every wager that is decided and not settled.  Losing wagers come first, and are one line when they
 * are taken; winning ones follow in the order of the seats, with their arithmetic and the fewest chips that make the
 * amount, drawn.  A seat's number ticks it off, so that the one in hand stands out; the act itself is told once, for
 * all of them, in the banner.
 */

import { chipPile } from "../kit/cards.js";
import { dollars, short } from "../kit/money.js";
import { wagerWords } from "../kit/names.js";
import { ruleTag } from "../kit/rules.js";
import { h, icon, kbd, outcome, worth, worthWords } from "../kit/staff.js";

/** What a hand makes stands beside its wager up to this length: `20`, `BJ`. */
const SHORT = 3;
const total = (rows, of) => rows.reduce((all, each) => all + each[of], 0);
const chipCount = (chip, many) => h("span.chips", h("b", `${many} ×`), ` ${chip < 100 ? `${chip}c` : short(chip)}`);

/** @param {{place: HTMLElement, changed: () => void}} given */
export function payPanel({ place, changed }) {
  /** The wagers that were ticked off in this round. @type {Set<number>} */
  const paid = new Set();
  /** What lost and is taken already. @type {Map<number, any>} */
  const gone = new Map();
  let round = 0;
  let drawn = "";
  let view = null;

  const hasBoxes = () => view.layout.boxes?.length > 0;
  /** The number by which a wager is found: of its box where the game has boxes, of the player's seat elsewhere. */
  const seatOf = ({ seat, box }) => (hasBoxes() ? box : seat) || seat || box;
  const inOrder = (one, other) => seatOf(one) - seatOf(other) || one.number - other.number;
  const rows = () => [...(view?.payments ?? [])].sort(inOrder);
  const winners = () => rows().filter((each) => each.pays > 0 || each.result === "won");
  const losers = () => rows().filter((each) => each.result === "lost");
  const left = () => winners().filter((each) => !paid.has(each.number));
  const isGone = ({ number }) => losers().every((each) => each.number !== number);
  const isSettledNow = ({ number }) => Boolean(view.due.settles?.includes(number));
  /** Who is paid next by what is due: nobody while wagers are taken. */
  const inHand = () => left().find(isSettledNow);
  /** The panel is there when what is due settles something. */
  const isDue = () => Boolean(view?.due.settles?.length);

  function show(now) {
    const before = round === now.round && isDue() ? losers() : [];
    view = now;
    if (round !== now.round) paid.clear();
    if (round !== now.round || !isDue()) gone.clear();
    else for (const each of before.filter(isGone)) gone.set(each.number, each);
    // What was taken back lies there again.
    for (const { number } of rows()) gone.delete(number);
    round = now.round;
    const key = JSON.stringify([now.due, now.payments, [...paid]]);
    if (key === drawn) return;
    drawn = key;
    place.hidden = !isDue();
    if (place.hidden) return;
    place.replaceChildren(...taken(), ...pays());
    // Where the list scrolls by itself, whoever is paid next is in sight; the page stays where it is.
    const next = /** @type {HTMLElement | null} */ (place.querySelector("li.now"));
    if (next) place.scrollTop = next.offsetTop - place.offsetTop - next.offsetHeight / 2;
  }

  function tick(numbers) {
    for (const number of numbers) paid.has(number) ? paid.delete(number) : paid.add(number);
    show(view);
    changed();
  }

  /** A digit ticks off what is paid to that seat or box; answers whether it meant one. */
  function stroke(key) {
    const mine = isDue() ? winners().filter((each) => String(seatOf(each)) === key) : [];
    if (mine.length) tick(mine.map(({ number }) => number));
    return mine.length > 0;
  }

  /** What is taken, and what is left where it lies; once it is taken, one line with its sum. */
  function taken() {
    const lost = losers().filter(isSettledNow);
    const later = losers().filter((each) => !lost.includes(each));
    const still = rows().filter((each) => each.result !== "lost" && !winners().includes(each));
    const sum = h("span.quiet", `${dollars(total(lost, "stake"))} in all, before anything is paid`);
    return [
      lost.length > 0 && h("section.take", h("h3", "Take ", sum), h("ul", lost.map(wager))),
      later.length > 0 && folded("Take afterwards", later),
      gone.size > 0 && folded("Taken", [...gone.values()], "check"),
      still.length > 0 && folded("Leave where they lie", still),
    ].filter(Boolean);
  }

  /** Wagers that ask for nothing now, behind one line with their number and sum. */
  function folded(words, wagers, sign = "") {
    const many = wagers.length === 1 ? "1 wager" : `${wagers.length} wagers`;
    const kind = { className: sign ? "pill ok" : "pill" };
    const pill = h("span", kind, sign && icon(sign), `${many}, ${dollars(total(wagers, "stake"))}`);
    return h("details.take", h("summary", h("b", words), pill), h("ul", wagers.map(wager)));
  }

  function wager(each) {
    return h(
      "li",
      h("span.num", seatOf(each)),
      h("b", each.by),
      h("span.on", outcome(each.on)),
      h("span.num", dollars(each.stake)),
      ruleTag(each.rule),
    );
  }

  function pays() {
    const won = winners();
    if (!won.length) return [h("section.give", h("p.pad.quiet", "No wager wins."))];
    const current = inHand();
    const order = h("span.quiet", "in the order of the seats; the fewest chips that make the amount");
    const head = h("h3", "Pay ", order, h("span.pill", `${won.length - left().length} of ${won.length} paid`));
    return [h("section.give", head, h("ul", won.map((each) => payment(each, each === current))), sums(won))];
  }

  /** What it all comes to: to pay, what is kept of it, and what the rack has afterwards that it had not before. */
  function sums(won) {
    const took = total([...losers(), ...gone.values()], "stake");
    const figure = (name, cents) => h("div", h("dt", name), h("dd", dollars(cents)));
    const kept = total(won, "commission");
    return h(
      "dl.sums",
      figure("To pay in all", total(won, "pays")),
      kept > 0 && figure("Commission kept", kept),
      figure("Rack, by what is taken and paid", took - total(won, "pays")),
    );
  }

  function payment(each, current) {
    const done = paid.has(each.number);
    const seat = seatOf(each);
    const kept = each.commission ? ` ${dollars(each.pays + each.commission)} − ${dollars(each.commission)}` : "";
    const given = { type: "button", "aria-pressed": String(done), onclick: () => tick([each.number]) };
    const name = `Paid: ${each.by}, ${dollars(each.pays)}`;
    const has = handOf(each);
    const spelled = has.length > SHORT ? ` · ${has}` : "";
    return h(
      "li",
      { className: done ? "done" : current ? "now" : "" },
      h("span.seat", seat),
      h("div.who", h("b", each.by), h("small.quiet", seat ? `${hasBoxes() ? "box" : "seat"} ${seat}` : "")),
      h(
        "div.what",
        h("span.on", outcome(each.on), ` ${dollars(each.stake)}`, has && !spelled && h("b.total", has)),
        h("small.quiet", `${each.odds}${kept}${spelled}`),
        ruleTag(each.rule),
      ),
      h("p.sum", h("small.quiet", "pay"), h("b", dollars(each.pays))),
      h("ul.piles", each.chips.map(([chip, many]) => h("li", chipPile(chip, many), chipCount(chip, many)))),
      h(
        "button",
        { ...given, className: current ? "btn main big" : "btn big", "aria-label": name },
        done ? icon("check") : "",
        "Paid",
        seat < 10 ? kbd(seat) : "",
      ),
    );
  }

  /** What the hand makes that a wager is on, where a game has hands in boxes. */
  function handOf({ box, hand }) {
    const figures = view.layout.boxes?.find(({ number }) => number === box)?.figures;
    return worthWords(worth(figures, Math.max(0, hand - 1)));
  }

  /** What the banner says while somebody is paid: nothing where nobody is. */
  function words() {
    const current = inHand();
    if (!current) return null;
    const sum = total(left(), "pays");
    const rest = `${winners().length - left().length} of ${winners().length} paid; ${dollars(sum)} is left to pay.`;
    return { what: `Pay ${current.by} ${dollars(current.pays)} on ${wagerWords(current.on)}`, why: rest };
  }

  return { show, stroke, words };
}
