/**
 * Words for what the table names by key: games, editions, wagers, choices and results.
 *
 * A key that has no words here is shown as it is, with spaces, so that a new wager is plain but never missing.
 */

export const GAMES = {
  baccarat: "Baccarat",
  blackjack: "Blackjack",
  roulette: "Roulette",
  tai_sai: "Tai-sai",
  money_wheel: "Money wheel",
  caribbean_stud: "Caribbean stud",
  craps: "Craps",
};

export const EDITIONS = {
  nz1996: "New Zealand, 1996",
  nz1998: "New Zealand, 1998",
  nzd5: "New Zealand, Division 5",
  nzeb: "New Zealand, electronic",
  vic2002: "Victoria, 2002",
};

const KINDS = {
  perfect_pairs: "Perfect Pairs",
  straight: "Straight up",
  six_line: "Six line",
  any_triple: "Any triple",
  face: "One face",
  dont_pass: "Don't pass",
  dont_come: "Don't come",
  pass_odds: "Pass odds",
  dont_pass_behind: "Don't pass odds",
  dont_come_behind: "Don't come odds",
  hardway: "Hard way",
  horn_high: "Horn high",
  c_and_e: "C & E",
  main: "Your box",
  ante: "Ante",
  super_sevens: "Super Sevens",
  combination: "Two faces",
};

/** The dealer's hand at stud, short enough for a list of results. */
const STUD = {
  "odd cards": "odd",
  "one pair": "pair",
  "two pairs": "2 pr",
  "three of a kind": "three",
  straight: "str.",
  "full house": "full",
  "four of a kind": "four",
  "straight flush": "s. fl.",
  "royal flush": "royal",
};

/** A key in plain words. @param {string} key */
export function words(key) {
  const plain = key.replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The kind of a wager: `split` of `split:1-2`. @param {string} on */
export const kindOf = (on) => on.split(":")[0];

/** @param {string} kind */
export const kindWords = (kind) => KINDS[kind] ?? words(kind);

/** A wager in words: "Straight up 17". @param {string} on */
export function wagerWords(on) {
  const [kind, place = ""] = on.split(":");
  return `${kindWords(kind)} ${place.replaceAll("-", ", ")}`.trim();
}

/**
 * The game as the sign says it, with its version where there is more than one.
 * @param {{game: string, edition: string, version: string}} table
 */
export function gameWords({ game, edition, version }) {
  const name = GAMES[game] ?? words(game);
  if (edition === "nzeb" || version === "terminals") return `Electronic ${name.toLowerCase()}`;
  return version && version !== game ? `${words(version)} ${name.toLowerCase()}` : name;
}

const figure = (value) => String(value ?? "–");

/** A hand of baccarat; `short` and `more` are the same sentence in two parts. */
function handWords({ winner, player, banker }) {
  if (winner === "tie") return { text: "T", tone: "T", says: `Tie, ${player} all`, short: "Tie", more: `${player} all` };
  if (winner !== "player" && winner !== "banker") return { text: "–", tone: "k", says: "Void hand", short: "Void hand", more: "" };
  const [high, low, other] = winner === "player" ? [player, banker, "Banker"] : [banker, player, "Player"];
  const letter = winner.charAt(0).toUpperCase();
  const more = `over ${other} ${low}`;
  return { text: letter, tone: letter, says: `${words(winner)} wins, ${high} over ${low}`, short: `${words(winner)} ${high}`, more };
}

/**
 * The result of a round in a few characters for the board: `{text, tone, says}`.
 * @param {string} game
 * @param {any} outcome
 */
export function resultWords(game, outcome) {
  if (outcome.void) return { text: "void", tone: "k", says: "void" };
  switch (game) {
    case "baccarat":
      return handWords(outcome);
    case "roulette": {
      const tone = outcome.colour === "red" ? "r" : outcome.colour === "black" ? "k" : "z";
      const says = [outcome.number, outcome.colour].filter((part) => part !== null).join(", ");
      return { text: figure(outcome.number), tone, says, short: words(outcome.colour ?? ""), more: "" };
    }
    case "tai_sai":
      return { text: figure(outcome.total), tone: "k", says: outcome.call ?? "", short: (outcome.dice ?? []).join(" · "), more: "" };
    case "craps": {
      const state = outcome.seven_out ? "seven out" : outcome.point ? `point ${outcome.point}` : "no point";
      return { text: figure(outcome.total), tone: outcome.seven_out ? "r" : "k", says: `Total ${figure(outcome.total)}, ${state}`, short: words(state), more: "" };
    }
    case "money_wheel":
      return { text: figure(outcome.symbol), tone: "k", says: outcome.symbol ? `Symbol ${outcome.symbol}` : "", short: "", more: "" };
    case "blackjack": {
      const says = outcome.dealer_blackjack ? "Dealer has blackjack" : outcome.dealer > 21 ? `Dealer bust with ${outcome.dealer}` : `Dealer ${figure(outcome.dealer)}`;
      return { text: figure(outcome.dealer || null), tone: "k", says, short: outcome.dealer_blackjack ? "Blackjack" : outcome.dealer > 21 ? "Dealer bust" : "Dealer", more: "" };
    }
    case "caribbean_stud": {
      const says = !outcome.dealer ? "Dealer's hand not played" : `Dealer: ${outcome.dealer}${outcome.qualifies === false ? ", does not qualify" : ""}`;
      return { text: STUD[outcome.dealer] ?? outcome.dealer ?? "–", tone: "k", says, short: "", more: says };
    }
    default: {
      const told = Object.entries(outcome).filter(([key, value]) => key !== "round" && ["string", "number"].includes(typeof value));
      const text = String(told[0]?.[1] ?? "–");
      return { text, tone: "k", says: told.map(([key, value]) => `${words(key)} ${value}`).join(", ") };
    }
  }
}
