/**
 * What lies on each place of the felt, and what is said of it.
 *
 * A place has its wager's name, its box where the game has boxes (`main@3`), and the number that it went to where
 * wagers travel (`come>6`).  What a choice puts down lies with the wager that it follows.
 */

import { placeOf } from "./cloth.js";
import { late, settled, state, sum, takes, total } from "./desk.js";
import { limits } from "./meters.js";
import { short } from "../kit/money.js";
import { kindOf, wagerWords } from "../kit/names.js";
import { fullOdds, oddsWords } from "./said.js";
import { t } from "../kit/words.js";

/** What a choice puts down lies with the wager that it follows, or on a place of its own. */
const FOLLOWS = { main: ["double", "split"] };
const OWN_PLACE = ["bet"];
const TRAVELS = ["come", "dont_come"];

/** The odds that the felt says for a wager. */
export const oddsOf = (view, on) => oddsWords(view.odds?.[on] ?? view.odds?.[kindOf(on)]);

/** Where a wager, or a line of the round before, lies. */
function placed({ on, box, at }, boxed) {
  const base = Object.keys(FOLLOWS).find((each) => FOLLOWS[each].includes(on)) ?? on;
  if (at && TRAVELS.includes(on)) return `${on}>${at}`;
  return placeOf(base, boxed ? box : 0);
}

/**
 * Every place of the felt with what lies there.
 * @param {any} view
 * @param {boolean} boxed whether the game has boxes to bet on
 * @returns {Map<string, import("./cloth.js").Spot>}
 */
export function spotsOf(view, boxed) {
  const ended = settled();
  const mine = group(view.wagers.filter((wager) => wager.mine), boxed);
  const last = ended ? group(view.me.last ?? [], boxed) : new Map();
  const sent = group(state.sent, boxed);
  const names = new Set([...mine.keys(), ...last.keys(), ...sent.keys()]);
  for (const on of [...view.offers, ...OWN_PLACE]) {
    if (boxed) for (let box = 1; box <= view.table.seats; box += 1) names.add(placeOf(on, box));
    else names.add(on);
  }
  return new Map(
    [...names].map((name) => [
      name,
      spot(view, name, { mine: mine.get(name) ?? [], last: last.get(name) ?? [], sent: sent.get(name) ?? [] }),
    ]),
  );
}

function group(all, boxed) {
  const found = new Map();
  for (const each of all) {
    const name = placed(each, boxed);
    found.set(name, [...(found.get(name) ?? []), each]);
  }
  return found;
}

function spot(view, name, { mine, last, sent }) {
  const on = name.split(/[@>]/)[0];
  const number = Number(name.split("@")[1] ?? 0);
  const [going, lying] = [true, false].map((leaves) =>
    mine.filter((wager) => state.leaving.has(wager.number) === leaves),
  );
  const stake = sum(lying, "stake");
  const voided = sum(lying, "voided");
  const moving = total(sent) + sum(going, "stake") + sum(going, "voided");
  const { bets, tone } = outcome(last);
  if (stake) bets.push({ cents: stake, state: "confirmed", text: times(lying, stake) });
  if (voided) bets.push({ cents: voided, state: "void", text: t("amount-void", { amount: short(voided) }) });
  if (moving) bets.push({ cents: moving, state: "pending", text: `${short(moving)} …` });
  // What the rules refuse now is dimmed, and still takes a tap: the table then says why.
  const shut = view.betting.shut?.includes(on) && !view.me.opens?.includes(on);
  const odds = oddsOf(view, on);
  const full = fullOdds(view.odds ?? {}, on) || odds;
  const [least, most] = limits(view, on);
  const label = [
    number ? t("on-box", { words: wagerWords(on), box: number }) : placeWords(on, name),
    full,
    t("from-to", { least: short(least), most: short(most) }),
    stake && t("you-have", { amount: short(stake) }),
    voided && t("is-void", { amount: short(voided) }),
    moving && t("amount-being-sent", { amount: short(moving) }),
    view.betting.open && shut && t("not-now"),
  ];
  const offered =
    on === "insurance" &&
    view.me.may?.some((offer) => offer.choose === "insure" && (!number || offer.box === number));
  return {
    bets,
    label: label.filter(Boolean).join(", "),
    odds,
    full,
    open: state.open && (takes(view, on) || Boolean(offered)),
    late: late(view).includes(on),
    shut: view.betting.open && shut,
    tone,
    markers: [...new Set(mine.flatMap(({ markers }) => markers ?? []))],
  };
}

const placeWords = (on, name) => wagerWords(on) + (name.includes(">") ? ` ${name.split(">")[1]}` : "");

/** Wagers of the same size on one place, as a split makes them: "2 × $25". */
function times(lying, stake) {
  const same =
    lying.length > 1 &&
    lying.some(({ on }) => on === "split") &&
    lying.every((each) => each.stake === lying[0].stake);
  return same ? `${lying.length} × ${short(lying[0].stake)}` : short(stake);
}

/** Wagers that go in equal parts, and in how many. @type {Record<string, number>} */
export const UNITS = { horn: 4, horn_high: 5, world: 5, c_and_e: 2 };
/** Wagers that go with another one on their box. @type {Record<string, string>} */
const BESIDE = { super_sevens: "main", jackpot: "ante" };

/**
 * Why the table takes no such bet, as far as the page sees it too: that is said in its own language.  What only the
 * table knows it says itself.
 * @param {any} view
 * @param {{on: string, amount: number, lies: number, box: number}} bet `lies`: what lies there already
 */
export function whyNot(view, { on, amount, lies, box }) {
  const [least, most] = limits(view, on);
  const all = lies + amount;
  const unit = (UNITS[kindOf(on)] ?? 0) * view.sign.chip;
  const first = BESIDE[on];
  if (first && !view.wagers.some((each) => each.mine && each.on === first && each.box === box))
    return t("reason-first", { on: wagerWords(first) });
  if (view.betting.shut?.includes(on) && !view.me.opens?.includes(on)) return t("reason-shut");
  if (most !== null && all > most) return t("reason-above", { amount: short(all), most: short(most) });
  if (all < least) return t("reason-below", { amount: short(all), least: short(least) });
  if ((view.me.chips ?? 0) < amount) return t("reason-credits", { amount: short(view.me.chips ?? 0) });
  return unit && amount % unit ? t("reason-units", { units: UNITS[kindOf(on)], amount: short(unit) }) : "";
}

/** How the bets of the round before ended on this place. */
function outcome(lines) {
  const staked = sum(lines, "stake");
  const back = sum(lines, "returned");
  if (!staked) return { bets: [], tone: "" };
  if (back > staked)
    return {
      bets: [
        { cents: staked, state: "paid" },
        { cents: back - staked, state: "win", text: `+ ${short(back - staked)}` },
      ],
      tone: "win",
    };
  const text = t("amount-back", { amount: short(back) });
  if (back > 0) return { bets: [{ cents: staked, state: "off", text }], tone: "" };
  return { bets: [{ cents: staked, state: "lost" }], tone: "lost" };
}
