/**
 * What lies there now, as tables on the board beside the felt: who has which hand and what it came to, the own wagers
 * one by one, and what each hand pays.
 */

import { html } from "./cloth.js";
import { sum } from "./desk.js";
import { arithmetic, signed, together } from "./ledger.js";
import { short } from "../kit/money.js";
import { named, wagerWords } from "../kit/names.js";
import { oddsWords, roundWords } from "./said.js";
import { t } from "../kit/words.js";

/** @typedef {{title: string, more: string, table: HTMLElement}} Shown */

const row = (kind, cells) => html("tr", kind, ...cells.map(([text, how = ""]) => html("td", how, text)));
const heads = (names) =>
  html("thead", "", html("tr", "", ...names.map(([text, how = ""]) => html("th", how, text))));

/** The hands of a box in words. */
function handWords({ hands, hand, result }) {
  if (result === "out") return t("folded");
  if (!hands) return hand ? named("hand", String(hand)) : "";
  const one = ({ total, state }) =>
    state === "blackjack" ? t("blackjack") : [total ?? "", state && named("box-state", state).toLowerCase()].join(" ");
  return hands.map(one).join(", ");
}

/**
 * The boxes of the round that lies there, or of the last one; the own rows with their money.
 * @param {any} view
 * @returns {Shown[]}
 */
export function thisRound(view) {
  const { layout, history, me } = view;
  const lies = layout.boxes.some(({ hands }) => hands.some((each) => each.length));
  const last = history.at(-1);
  if (!lies && !last?.boxes) return [];
  const own = new Map(lies ? me.boxes?.map(({ number, figures }) => [number, figures]) : []);
  const boxes = lies
    ? layout.boxes.map(({ number, figures }) => ({ ...(figures ?? own.get(number)), box: number }))
    : last.boxes;
  const lines = lies ? view.wagers.filter(({ mine }) => mine) : me.last ?? [];
  const dealer = lies ? layout : last;
  const points = dealer.dealer_blackjack ? t("blackjack") : String(dealer.dealer ?? "");
  const held = view.table.game === "caribbean_stud" && dealer.dealer ? named("hand", dealer.dealer) : points;
  const rows = boxes.map((box) => {
    const mine = lines.filter((line) => line.box === box.box);
    const [by = ""] = box.players ?? [];
    const who = by && by !== me.name ? by : mine.length ? t("you") : "";
    const came = lies ? "" : signed(sum(mine, "returned") - sum(mine, "stake"));
    const else_ = !lies && box.result && box.result !== "out" ? named("stud-result", box.result) : "";
    return row(mine.length ? "on" : "dim", [
      [String(box.box)],
      [who],
      [handWords(box)],
      [mine.length ? short(sum(mine, "stake")) : "", "num"],
      [mine.length ? came : else_, "num"],
    ]);
  });
  const names = [[t("box")], [""], [t("hand")], [t("wager"), "num"], [t("result"), "num"]];
  const body = html("tbody", "", row("", [[t("dealer")], [""], [held], [""], [""]]), ...rows);
  const number = roundWords(view, lies ? view.round : last.round);
  const more = lies ? number : t("round-settled", { round: number });
  return [{ title: t("this-round"), more, table: html("table", "tab tight", heads(names), body) }];
}

/**
 * The own wagers place by place: those that lie there, or with how they ended while that is read.
 * @param {any} view
 * @param {boolean} settled
 * @returns {Shown}
 */
export function ownWagers(view, settled) {
  const at = ({ on, at: number }) => wagerWords(on) + (number ? ` ${number}` : "");
  const ended = together(settled ? view.me.last ?? [] : []).map((line) => {
    const { how, gain } = arithmetic(line, view.odds);
    return row(gain > 0 ? "on" : "", [[at(line)], [how], [signed(gain), gain > 0 ? "num up" : "num"]]);
  });
  const standing = together(view.wagers.filter(({ mine }) => mine)).map((wager) => {
    const marks = wager.markers?.includes("off") ? t("is-off") : oddsWords(view.odds[wager.on]);
    return row(settled ? "dim" : "", [[at(wager)], [settled ? t("stays") : marks], [short(wager.stake), "num"]]);
  });
  const none = row("dim", [[t("nothing-yet")]]);
  const body = html("tbody", "", ...(ended.length + standing.length ? [...ended, ...standing] : [none]));
  const more = view.me.staked ? t("on-layout", { amount: short(view.me.staked) }) : "";
  return { title: t("your-wagers"), more, table: html("table", "tab tight wagers", body) };
}

/** What one line of the scale pays: odds, a sum, or a part of the pool. */
function pays({ odds, cents, share }) {
  if (odds) return oddsWords([odds]);
  if (!share) return short(cents);
  const [part, of = "1"] = share.split("/");
  return t("part-of-pool", { percent: (100 * Number(part)) / Number(of), amount: short(cents) });
}

/**
 * What each hand pays, a column for each wager that goes by it.
 * @param {any} view
 * @returns {Shown[]}
 */
export function payTable({ scale = [], pool }) {
  if (!scale.length) return [];
  const wagers = [...new Set(scale.map(({ on }) => on))];
  const cell = (on, hand) => {
    const line = scale.find((each) => each.on === on && each.hand === hand);
    return [line ? pays(line) : "", "num"];
  };
  const rows = [...new Set(scale.map(({ hand }) => hand))].map((hand) =>
    row("", [[named("hand", hand)], ...wagers.map((on) => cell(on, hand))]),
  );
  const names = [[t("your-hand")], ...wagers.map((on) => [wagerWords(on), "num"])];
  const more = typeof pool === "number" ? `${t("jackpot-pool")} ${short(pool)}` : "";
  return [
    { title: t("pay-table"), more, table: html("table", "tab tight", heads(names), html("tbody", "", ...rows)) },
  ];
}
