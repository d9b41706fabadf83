/**
 * Words for what the table names by key: games, editions, wagers, choices and results.
 *
 * The words stand in the catalogue of the language in use, under the kind of the thing and its key (`wager-horn-high`).
 * A key that has no words there is shown as it is, with spaces, so that a new wager is plain but never missing.  The
 * editions are named as printed.
 */

import { has, t } from "./words.js";

const GAME_KEYS = ["baccarat", "blackjack", "roulette", "tai_sai", "money_wheel", "caribbean_stud", "craps"];

export const EDITIONS = {
  nz1996: "New Zealand, 1996",
  nz1998: "New Zealand, 1998",
  nzd5: "New Zealand, Division 5",
  nzeb: "New Zealand, electronic",
  vic2002: "Victoria, 2002",
};

/** A text with a capital. @param {string} [text] */
export const capital = (text = "") => text.charAt(0).toUpperCase() + text.slice(1);

/** A key in plain words: `wrong_third_card` is Wrong third card. @param {string} key */
export const words = (key) => capital(key.replaceAll("_", " "));

/** An edition in words; what is not among the gazetted ones is somebody's own. @param {string} key */
export const editionWords = (key) => EDITIONS[key] ?? `${words(key)}, not gazetted`;
/** The words of a key under its kind, or the key itself. @param {string} kind @param {string} key */
export function named(kind, key) {
  const id = `${kind}-${key.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
  return has(id) ? t(id) : words(key);
}

export const GAMES = Object.fromEntries(GAME_KEYS.map((game) => [game, named("game", game)]));

/** What a wager's key is made of: its kind, and its place if it has one. @param {string} on @returns {string[]} */
export const wagerKey = (on) => on.split(":");

/** The kind of a wager: `split` of `split:1-2`. @param {string} on */
export const kindOf = (on) => wagerKey(on)[0];

/** The side and the length of a Run; nothing of any other wager. @param {string} on @returns {string[] | undefined} */
export const runOf = (on) => /^(\w+)_run_(\d)$/.exec(on)?.slice(1);

/** @param {string} kind */
export function kindWords(kind) {
  const [side, length] = runOf(kind) ?? [];
  return side ? t("wager-run", { side: named("wager", side), length }) : named("wager", kind);
}

/** A wager in words: "Straight up 17". @param {string} on */
export function wagerWords(on) {
  const [kind, place = ""] = wagerKey(on);
  return `${kindWords(kind)} ${place.replaceAll("-", ", ")}`.trim();
}

/**
 * The game as the sign says it, with its version where there is more than one.
 * @param {{game: string, edition: string, version: string}} table
 */
export function gameWords({ game, edition, version }) {
  const name = named("game", game);
  const low = t("within", { word: name.charAt(0).toLowerCase() + name.slice(1) });
  if (edition === "nzeb" || version === "terminals") return t("game-electronic", { game: low });
  return version && version !== game ? t("game-version", { version: named("version", version), game: low }) : name;
}

const figure = (value) => String(value ?? "–");

/** The letter of an outcome of baccarat, which stands for it in roads and discs. */
export const letterOf = (tone) => ("PBT".includes(tone) ? t(`letter-${tone}`) : tone);

/** A hand of baccarat; `short` and `more` are the same sentence in two parts. */
function handWords({ winner, player, banker }) {
  if (winner === "tie")
    return {
      text: letterOf("T"),
      tone: "T",
      says: t("hand-tie", { count: figure(player) }),
      short: t("wager-tie"),
      more: t("hand-all", { count: figure(player) }),
    };
  if (winner !== "player" && winner !== "banker")
    return { text: "–", tone: "k", says: t("hand-void"), short: t("hand-void"), more: "" };
  const [high, low, other] = winner === "player" ? [player, banker, "banker"] : [banker, player, "player"];
  const tone = winner.charAt(0).toUpperCase();
  const side = named("wager", winner);
  return {
    text: letterOf(tone),
    tone,
    says: t("hand-won", { side, high: figure(high), low: figure(low) }),
    short: `${side} ${high}`,
    more: t("hand-over", { other: named("wager", other), low: figure(low) }),
  };
}

const RESULTS = {
  baccarat: handWords,
  roulette({ number, colour }) {
    const tone = colour === "red" ? "r" : colour === "black" ? "k" : "z";
    const spelled = colour ? named("colour", colour) : "";
    const says = [number, spelled.toLowerCase()].filter((part) => part !== null && part !== "").join(", ");
    return { text: figure(number), tone, says, short: spelled, more: "" };
  },
  tai_sai({ dice, total, call }) {
    // The call is the dealer's, as printed; another language says the same with figures.
    const faces = (dice ?? []).join(" · ");
    const says = call && t("calls-as-printed") !== "yes" ? t("roll-total", { faces, total: figure(total) }) : call;
    return { text: figure(total), tone: "k", says: says ?? "", short: faces, more: "" };
  },
  craps({ total, point, seven_out: out }) {
    const state = out ? t("seven-out") : point ? t("point-is", { point }) : t("no-point");
    const low = state.charAt(0).toLowerCase() + state.slice(1);
    return {
      text: figure(total),
      tone: out ? "r" : "k",
      says: t("throw-total", { total: figure(total), state: low }),
      short: state,
      more: "",
    };
  },
  money_wheel({ symbol }) {
    return { text: figure(symbol), tone: "k", says: symbol ? t("symbol", { symbol }) : "", short: "", more: "" };
  },
  blackjack({ dealer, dealer_blackjack: natural }) {
    const says = natural
      ? t("dealer-blackjack")
      : dealer > 21
        ? t("dealer-bust-with", { total: dealer })
        : t("dealer-has", { total: figure(dealer) });
    const short = natural ? t("blackjack") : dealer > 21 ? t("dealer-bust") : t("dealer");
    const text = figure(dealer || null);
    const brief = natural ? t("short-blackjack") : dealer > 21 ? t("short-bust") : text;
    return { text, tone: "k", says, short, more: "", brief };
  },
  caribbean_stud({ dealer, qualifies }) {
    const unplayed = t("dealer-not-played");
    if (!dealer) return { text: "–", tone: "k", says: unplayed, short: "", more: unplayed };
    const hand = named("hand", dealer);
    const out = qualifies === false;
    const says = t(out ? "dealer-hand-out" : "dealer-hand", { hand: hand.toLowerCase() });
    const more = out ? t("not-qualified").toLowerCase() : "";
    return { text: named("short-hand", dealer).toLowerCase(), tone: "k", says, short: hand, more };
  },
};

/**
 * The result of a round in a few characters for the board: `{text, tone, says}`; `brief` where it stands alone.
 * @param {string} game
 * @param {any} outcome
 */
export function resultWords(game, outcome) {
  if (outcome.void) return { text: t("void"), tone: "k", says: t("void") };
  if (RESULTS[game]) return RESULTS[game](outcome);
  const figures = Object.entries(outcome).filter(
    ([key, value]) => key !== "round" && ["string", "number"].includes(typeof value),
  );
  const text = String(figures[0]?.[1] ?? "–");
  return { text, tone: "k", says: figures.map(([key, value]) => `${words(key)} ${value}`).join(", ") };
}
