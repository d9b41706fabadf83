/**
 * Choosing the rules: game, edition, version, elections, readings, and a second rule set to compare with.
 *
 * All that can be chosen comes from the server, which reads it from the law; this module only draws controls for it.
 *
 * @typedef {{name: string, values: string[], elected: string, rule: string, free: boolean}} Election
 * @typedef {{version: string, decks: number | null, elections: Election[], readings: Reading[]}} Version
 * @typedef {{edition: string, title: string, versions: Version[]}} Edition
 * @typedef {{name: string, question: string, rule: string, options: {value: string, says: string}[]}} Reading
 * @typedef {{game: string, cards: boolean, jackpot: boolean, readings: Reading[], editions: Edition[]}} Game
 * @typedef {{game: string, edition: string, version: string, elect: Record<string, string>, reading: Record<string,
 * string>, pool: string, stake: string,
 *   other: {edition: string, version: string, elect: Record<string, string>} | null, ranks: string, why: string,
 * rounds: string, seed: string}} View
 */

import { EDITIONS, GAMES, words } from "../kit/names.js";
import { ruleTag } from "../kit/rules.js";
import { h } from "../kit/staff.js";

const MOST_SEGMENTS = 5;
const LONG_WORD = 9;

/** @param {Game[]} games @param {View} view */
export function found(games, view) {
  const game = games.find((each) => each.game === view.game) ?? games[0];
  const edition = game.editions.find((each) => each.edition === view.edition) ?? game.editions[0];
  const version = edition.versions.find((each) => each.version === view.version) ?? edition.versions[0];
  return { game, edition, version };
}

/**
 * The readings that a view may choose: those of its own rules, and, since they hold for both, of the second ones.
 * @param {Game[]} games @param {View} view @returns {Reading[]}
 */
export function readingsOf(games, view) {
  const { game, version } = found(games, view);
  const second = view.other ? found(games, { ...view, ...view.other, game: game.game }).version.readings : [];
  const known = version.readings.map(({ name }) => name);
  return [...version.readings, ...second.filter(({ name }) => !known.includes(name))];
}

/**
 * The controls for a view; `change` is told what was chosen.
 * @param {Game[]} games
 * @param {View} view
 * @param {(change: Partial<View>) => void} change
 */
export function chooser(games, view, change) {
  const { game, edition, version } = found(games, view);
  return [
    select(
      "Game",
      games.map((each) => [each.game, GAMES[each.game] ?? words(each.game)]),
      game.game,
      (value) =>
        change({
          game: value,
          edition: "",
          version: "",
          elect: {},
          reading: {},
          other: null,
          ranks: "",
          why: "",
          pool: "",
          stake: "",
        }),
    ),
    select(
      "Edition",
      game.editions.map((each) => [each.edition, EDITIONS[each.edition] ?? each.title]),
      edition.edition,
      (value) => change({ edition: value, version: "", elect: {}, ranks: "" }),
    ),
    edition.versions.length > 1
      ? select(
          "Version",
          edition.versions.map((each) => [each.version, words(each.version)]),
          version.version,
          (value) => change({ version: value, elect: {}, ranks: "" }),
        )
      : null,
    game.editions.length + edition.versions.length > 2 || version.elections.some((each) => each.values.length > 1)
      ? comparing(game, view, change)
      : null,
    ...ownElections(version, readingsOf(games, view), view, change),
    ...(game.jackpot
      ? [
          text("Jackpot pool, $", view.pool.replace("$", ""), (value) => change({ pool: value && `$${value}` })),
          text("Jackpot stake, $", view.stake.replace("$", ""), (value) => change({ stake: value && `$${value}` })),
        ]
      : []),
  ].filter(Boolean);
}

/** Elections and readings; on a small screen they are folded away until somebody opens them. */
const folding = { open: !matchMedia("(max-width: 1100px)").matches };

/**
 * @param {Version} version @param {Reading[]} offered @param {View} view
 * @param {(change: Partial<View>) => void} change
 */
function ownElections(version, offered, view, change) {
  const elected = (name, value) => change({ elect: { ...view.elect, [name]: value } });
  const elections = version.elections
    .map((each) => electionControl(each, view.elect[each.name] ?? each.elected, elected))
    .filter(Boolean);
  const readings = offered.map((each) =>
    readingControl(each, view.reading[each.name] ?? each.options[0].value, (value) =>
      change({ reading: { ...view.reading, [each.name]: value } }),
    ),
  );
  if (!elections.length && !readings.length) return [];
  const box = h(
    "details.own",
    { open: folding.open },
    h("summary", readings.length ? "What the house may choose, and readings" : "What the house may choose"),
    h("div.folded", elections, readings),
  );
  box.addEventListener("toggle", () => (folding.open = /** @type {HTMLDetailsElement} */ (box).open));
  return [box];
}

/** @param {Game} game @param {View} view @param {(change: Partial<View>) => void} change */
function comparing(game, view, change) {
  const { other } = view;
  const first = game.editions.find((each) => each.edition !== view.edition) ?? game.editions[0];
  const toggle = switchButton("Compare with", Boolean(other), () =>
    change({ other: other ? null : { edition: first.edition, version: first.versions[0].version, elect: {} } }),
  );
  if (!other) return h("div.compare", toggle);
  const edition = game.editions.find((each) => each.edition === other.edition) ?? first;
  const version = edition.versions.find((each) => each.version === other.version) ?? edition.versions[0];
  const set = (part) => change({ other: { ...other, ...part } });
  const elected = (name, value) => set({ elect: { ...other.elect, [name]: value } });
  return h(
    "div.compare",
    toggle,
    select(
      "Second edition",
      game.editions.map((each) => [each.edition, EDITIONS[each.edition] ?? each.title]),
      edition.edition,
      (value) => set({ edition: value, version: "", elect: {} }),
    ),
    edition.versions.length > 1
      ? select(
          "Second version",
          edition.versions.map((each) => [each.version, words(each.version)]),
          version.version,
          (value) => set({ version: value, elect: {} }),
        )
      : null,
    secondElections(version, other.elect, elected),
  );
}

/** The elections of the second rule set, folded away unless one was made. */
function secondElections(version, elect, elected) {
  const controls = version.elections
    .map((each) => electionControl(each, elect[each.name] ?? each.elected, elected, "Second: "))
    .filter(Boolean);
  if (!controls.length) return null;
  return h(
    "details",
    { open: Object.keys(elect).length > 0 },
    h("summary", "What the second house may choose"),
    h("div.folded", controls),
  );
}

// ---------------------------------------------------------------- controls

/** @param {Election} election @param {string} now @param {(name: string, value: string) => void} set */
function electionControl(election, now, set, before = "") {
  const { name, values, rule, free } = election;
  const title = before + (before ? words(name).toLowerCase() : words(name));
  const chosen = (value) => set(name, value);
  if (free) return h("div.election", text(title, now, chosen), ruleTag(rule));
  if (values.length < 2) return null;
  if (values.every((each) => each === "true" || each === "false")) {
    return h(
      "div.election",
      switchButton(title, now === "true", () => chosen(now === "true" ? "false" : "true")),
      ruleTag(rule),
    );
  }
  const roomy = values.length > MOST_SEGMENTS || (values.length > 2 && values.some((each) => each.length >= LONG_WORD));
  if (roomy)
    return h(
      "div.election",
      select(
        title,
        values.map((each) => [each, words(each)]),
        now,
        chosen,
      ),
      ruleTag(rule),
    );
  const button = (value) =>
    h(
      "button",
      { type: "button", "aria-pressed": String(value === now), onclick: () => chosen(value) },
      words(value),
    );
  const numbers = values.every((each) => /^\d+$/.test(each));
  const shown = numbers ? [...values].sort((a, b) => Number(a) - Number(b)) : values;
  return h(
    "div.election",
    h("div.named", h("span", title), ruleTag(rule)),
    h("div.segments", { role: "group", "aria-label": title }, shown.map(button)),
  );
}

/** @param {Reading} reading @param {string} now @param {(value: string) => void} set */
function readingControl(reading, now, set) {
  const says = reading.options.find((each) => each.value === now)?.says ?? "";
  return h(
    "div.election",
    select(
      `Reading: ${words(reading.name).toLowerCase()}`,
      reading.options.map(({ value }) => [value, words(value)]),
      now,
      set,
    ),
    h("p.says", says),
    ruleTag(reading.rule),
  );
}

function switchButton(title, on, toggle) {
  return h(
    "button",
    {
      type: "button",
      className: `switch ${on ? "on" : ""}`,
      role: "switch",
      "aria-checked": String(on),
      onclick: toggle,
    },
    h("i"),
    h("span", title),
  );
}

function select(title, options, now, set) {
  const box = h(
    "select.input",
    { onchange: (event) => set(event.target.value) },
    options.map(([value, name]) => h("option", { value, selected: value === now }, name)),
  );
  box.dataset.name = title;
  return h("label.field", h("span", title), box);
}

function text(title, now, set) {
  return h(
    "label.field",
    h("span", title),
    h("input.input", {
      value: now,
      maxLength: 60,
      autocomplete: "off",
      onchange: (event) => set(event.target.value.trim()),
    }),
  );
}
