/**
 * The last result on the board, or the round in hand: large enough for the other end of the room.
 */

import { cardBack, cardFront, cardPlace } from "../kit/cards.js";
import { named, resultWords } from "../kit/names.js";
import { t } from "../kit/words.js";
import { html } from "../terminal/cloth.js";
import { faces } from "../terminal/felts/dice.js";
import { oddsWords, wordOf } from "../terminal/said.js";

/** Whether a layout has anything to show. */
export function reckoned({ layout }) {
  const { cards, dice, number, symbol } = layout;
  const fell = [dice, number, symbol].some((each) => each !== null && each !== undefined);
  return fell || Object.values(cards).some((hand) => hand.length);
}

const cardOf = (card, index, lies) =>
  card === "?" ? cardBack() : card ? cardFront(card, { lying: lies && index === 2 }) : cardPlace();

function side(layout, kind) {
  const cards = layout.cards[kind] ?? [];
  const won = layout.winner === kind;
  const count = cards.length || layout.winner ? String(layout[kind] ?? "") : "";
  return html(
    "div",
    `bh ${kind === "player" ? "P" : "B"}${won ? " won" : ""}`,
    html("div", "bl", html("span", "", named("wager", kind)), html("b", "", count)),
    ...(won ? [html("span", "w", t("won"))] : []),
    html("div", "hand", ...cards.map((card, index) => cardOf(card, index, true))),
  );
}

const verdict = ({ tone, text }, words) =>
  html("p", "bv", ...("PBT".includes(tone) ? [html("span", `side ${tone}`, text)] : []), html("b", "", words));

const big = (kind, text) => html("p", `rn ${kind}`, text);
const under = (first, second) => html("p", "rw", html("b", "", first), html("span", "", second));

const DRAWN = {
  baccarat(layout, result) {
    const won = ["player", "banker"].includes(layout.winner);
    const words = won ? t("side-wins", { side: named("wager", layout.winner) }) : "";
    const tie = layout.winner === "tie" ? t("wager-tie") : layout.winner ? result.says : "\u00a0";
    return [verdict(result, words || tie), side(layout, "player"), side(layout, "banker")];
  },
  roulette({ number, colour }) {
    if (number === null || number === undefined) return [];
    const kinds = t("number-long", {
      parity: number % 2 ? "odd" : "even",
      half: number < 19 ? "low" : "high",
      dozen: Math.ceil(number / 12),
    });
    return [
      big({ red: "n-r", black: "n-k" }[colour] ?? "n-z", String(number)),
      under(number ? named("colour", colour) : t("zero"), number ? kinds : ""),
    ];
  },
  tai_sai({ dice, total }, { says }) {
    if (!dice) return [];
    const size = new Set(dice).size === 1 ? "triple" : total < 11 ? "small" : "big";
    return [faces(dice, "rolled"), big("plain", String(total)), under(named("wager", size), says)];
  },
  money_wheel({ symbol }, _, view) {
    if (!symbol) return [];
    return [big(`sy ${symbol}`, symbol), under(t("symbol", { symbol }), oddsWords(view.odds[symbol]))];
  },
  craps({ dice, total, point, seven_out: out }) {
    if (!dice) return [];
    return [
      faces(dice, "rolled", { chinese: false }),
      big("plain", String(total)),
      under(out ? t("seven-out") : point ? t("point-is", { point }) : t("come-out"), ""),
    ];
  },
  blackjack(layout, { says }) {
    return [dealt(layout), under(layout.dealer ? says : "\u00a0", "")];
  },
  caribbean_stud(layout, { says }) {
    return [dealt(layout), under(layout.dealer ? says : "\u00a0", "")];
  },
};

const dealt = ({ cards }) => html("div", "hand dealer", ...(cards.dealer ?? []).map((card) => cardOf(card, 0, false)));

/** The parts of the felt at the left. */
export function resultOf(view, past) {
  const last = view.history.at(-1);
  const now = reckoned(view);
  if (!now && !last) return [html("p", "bcap", t("no-result"))];
  const seen = past?.round === last?.round ? past : null;
  const layout = now ? view.layout : { cards: {}, ...seen?.layout, ...last };
  const { game } = view.table;
  const caption = now
    ? t("board-this", { word: wordOf(view), number: view.round })
    : t("board-last", { word: wordOf(view), number: last.round });
  const parts = DRAWN[game]?.(layout, resultWords(game, layout), view) ?? [];
  const was = !now && last.was ? t("corrected", { was: resultWords(game, last.was).says }) : "";
  return [html("p", "bcap", caption), ...parts, ...(was ? [html("p", "bcap", was)] : [])];
}
