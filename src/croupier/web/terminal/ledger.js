/**
 * The player's own bets in words: what it is, what lies there, what it pays or has paid.
 *
 * The layout shows where, the ledger says what.  After a round every line has its arithmetic: the odds by the stake.
 */

import { dollars, short } from "../kit/money.js";
import { wagerWords } from "../kit/names.js";
import { language, t } from "../kit/words.js";
import { html } from "./cloth.js";

/** The odds as one figure, for a multiplication: 35 of "35 to 1". */
function times(pays, stake) {
  const ratio = pays / stake;
  if (Number.isInteger(ratio)) return String(ratio);
  for (const under of [2, 3, 5, 6])
    if (Number.isInteger(Math.round(ratio * under * 1e6) / 1e6)) return `${Math.round(ratio * under)}/${under}`;
  return ratio.toFixed(2);
}

/**
 * The odds by the stake: as printed where the felt has them, and said to be rounded where chips made it more, which
 * they do to each of several equal bets.
 */
function product(pays, stake, printed = [], count = 1) {
  const [over, under] = printed.length === 1 ? printed[0] : [0, 1];
  const exact = (stake * over) / under;
  if (under === 1 || pays < exact || !count) return `${times(pays, stake)} × ${short(stake)}`;
  if (pays === exact) return `${over}/${under} × ${short(stake)}`;
  return `${count > 1 ? `${count} × ` : ""}${over}/${under} × ${short(stake / count)} ${t("rounded-up")}`;
}

/**
 * The bets of one place that came to the same are one line, as they lie there as one pile; `count` says how many equal
 * ones it is made of, and is 0 where they are not equal.
 * @param {any[]} lines
 * @returns {any[]}
 */
export function together(lines) {
  const found = new Map();
  for (const line of lines) {
    const { on, box, hand, at, result, stake, returned, commission = 0, markers = [] } = line;
    const key = JSON.stringify([on, box, hand, at, result, returned === undefined ? markers : returned / stake]);
    const before = found.get(key);
    const count = before && (before.count && before.stake === stake * before.count ? before.count + 1 : 0);
    found.set(key, {
      ...line,
      stake: stake + (before?.stake ?? 0),
      returned: (returned ?? 0) + (before?.returned ?? 0),
      commission: commission + (before?.commission ?? 0),
      count: count ?? 1,
    });
  }
  return [...found.values()];
}

/**
 * How a settled line came to its money: in words, and the gain or loss with its sign.
 * @param {any} line
 * @param {Record<string, [number, number, string][]>} odds what each wager pays, as the table tells it
 */
export function arithmetic({ on, stake, returned, commission = 0, result, count = 1 }, odds) {
  const gain = returned - stake;
  if (result === "void") return { how: t("void-returned"), gain: 0, tone: "off" };
  if (gain === 0) return { how: t("stands-off-back", { amount: short(returned) }), gain, tone: "off" };
  const back = () => t("amount-back", { amount: short(returned) });
  if (gain < 0) return { how: returned ? back() : t("lost"), gain, tone: "lost" };
  const before = gain + commission;
  const less = commission ? ` ${t("less", { amount: short(commission) })}` : "";
  return { how: `${product(before, stake, odds[on], count)}${less}`, gain, tone: "won" };
}

/** A gain or a loss with its sign: a true minus. @param {number} cents */
export const signed = (cents) =>
  cents > 0 ? `+ ${dollars(cents)}` : cents < 0 ? `− ${dollars(-cents)}` : dollars(0);

/** A wager as a player reads it, with its box where there are some. */
export function named({ on, box, at }, boxed) {
  const words = wagerWords(on) + (at ? ` ${at}` : "");
  return boxed ? t("on-box", { words, box }) : words;
}

/**
 * @returns {{element: HTMLTableElement, show: (scene: import("./cloth.js").Scene, sent: any[]) => void}}
 */
export function ledger() {
  const body = document.createElement("tbody");
  const caption = html("caption");
  const element = /** @type {HTMLTableElement} */ (html("table", "ledger", caption, body));
  let drawn = "";
  return {
    element,
    show(scene) {
      const rows = scene.settled && scene.view.me.last?.length ? settledRows(scene) : openRows(scene);
      const key = JSON.stringify([language(), rows]);
      if (key === drawn) return;
      drawn = key;
      caption.textContent = t("your-bets");
      body.replaceChildren(
        ...rows.slice(0, 7).map(row),
        ...(rows.length > 7 ? [row([t("and-more", { count: rows.length - 7 }), "", "", ""])] : []),
      );
      if (!rows.length) body.append(html("tr", "none", html("td", "", t("nothing-yet"))));
    },
  };
}

function row([name, stake, how, tone, gain = ""]) {
  const last = html("td", "num");
  last.append(gain ? `${how} = ` : how, ...(gain ? [html("b", "", gain)] : []));
  return html("tr", tone, html("td", "", name), html("td", "num", stake), last);
}

/** What won stands first, so that it is never among those that have no room. */
function settledRows({ view }) {
  const lines = together(view.me.last).map((line) => ({ line, ...arithmetic(line, view.odds) }));
  lines.sort((one, other) => other.gain - one.gain);
  return lines.map(({ line, how, gain, tone }) => [
    named(line),
    short(line.stake),
    how,
    tone,
    gain > 0 ? `+ ${short(gain)}` : "",
  ]);
}

function openRows({ view, spots, odds }) {
  const rows = [];
  for (const [on, { bets }] of spots) {
    for (const bet of bets)
      rows.push([
        wagerWords(on),
        short(bet.cents),
        bet.state === "pending" ? t("being-sent") : bet.state === "void" ? t("void") : odds(on),
        bet.state === "pending" ? "sent" : "",
      ]);
  }
  return rows;
}
