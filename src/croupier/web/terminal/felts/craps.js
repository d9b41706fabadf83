/**
 * The felt of craps: the customary layout, its centre block, the puck, and wagers that travel.
 *
 * A Come lies in Come until the dice send it to its number, where its odds lie beside it; odds on the line lie behind
 * it. Off and On, Buy and Lay are marker buttons on a wager.  What cannot be backed now is dimmed and still takes a
 * tap: the table then says why.  A tap on a number's box backs the come bet there with odds; a long press takes back.
 */

import { UNITS } from "../bets.js";
import { n } from "../chips.js";
import { circle, cloth, group, html, path, rect, words } from "../cloth.js";
import { svg } from "../../kit/cards.js";
import { short } from "../../kit/money.js";
import { kindOf, named, wagerKey } from "../../kit/names.js";
import { faces, row } from "./dice.js";
import { centre, half, line, NUMBERS, other } from "./craps_places.js";
import { language, t } from "../../kit/words.js";

const NAMES = { 4: "4", 5: "5", 6: "SIX", 8: "8", 9: "NINE", 10: "10" };
const BACKS = { come: "come_odds", dont_come: "dont_come_behind" };
/**
 * Wagers behind the line and beside a travelled bet have no zone of their own in words: they lie with what they back.
 */
const BEHIND = ["pass_odds", "dont_pass_behind", "come_odds", "dont_come_behind"];
const PROPS = {
  any_seven: "ANY SEVEN",
  any_craps: "ANY CRAPS",
  craps_two: "2",
  craps_three: "3",
  eleven: "11",
  craps_twelve: "12",
  horn: "Horn",
  world: "World",
  c_and_e: "C & E",
};
const FACES = { craps_two: [1, 1], craps_three: [1, 2], eleven: [5, 6], craps_twelve: [6, 6] };

const dice = (all, x, y, size) => row(all, x, y, size, { gap: 2, chinese: false });
const text = (what, x, y, kind = "p13", more = {}) => words(what, x, y, kind, more);
const shapeOf = ({ box, d }) => (d ? path("shape", d) : rect("shape", box));
const middle = ({ box: [x, y, w, h] }) => [x + w / 2, y + h / 2];

/** The printed words of an area of the line, by its name. */
function printed(on, zone, phone) {
  const [cx, cy] = middle(zone);
  const [x, y, w, h] = zone.box;
  const [kind, number] = wagerKey(on);
  if (["lay", "buy", "place"].includes(kind))
    return [
      text(phone && kind !== "place" ? `${kind} ${number}` : kind, cx, y + h / 2 - 4, "p13 hides"),
      text("", cx, y + h / 2 + 13, "p13 odds"),
    ];
  if (kind === "number")
    return [text(NAMES[number], cx, y + (phone ? 21 : 30), phone ? "n18" : NAMES[number].length > 2 ? "n22" : "n30")];
  const small = phone ? "n15" : "n18";
  switch (kind) {
    case "pass":
      return phone
        ? [text("PASS LINE", x + w - 49, cy + 6, "n15")]
        : [
            text("PASS LINE", 380, 431, "n18"),
            text("PASS LINE", 34, 190, "n18", { transform: "rotate(-90 34 190)" }),
          ];
    case "pass_odds":
    case "dont_pass_behind":
      return [text("odds", x + w - 44, cy + 5, "p13")];
    case "dont_come":
      return phone
        ? [text("DON'T COME", cx, y + 18, "n15"), ...dice([6, 6], cx, y + 32, 15)]
        : [
            text("DON'T", cx, 76, small),
            text("COME", cx, 98, small),
            text("bar", cx, 128),
            ...dice([6, 6], cx, 148, 23),
          ];
    case "come":
      return [text("COME", phone ? x + w - 50 : 400, cy + 8, phone ? "n18" : "n22")];
    case "field":
      return phone
        ? [
            text("FIELD", 36, y + 28, "n15"),
            text("2 3 4 9 10 11 12", 162, y + 19, "n15"),
            text("2 and 12 pay 2 to 1", 162, y + 37),
          ]
        : [
            text("FIELD", 240, 311, "n22"),
            ...[2, 3, 4, 9, 10, 11, 12].map((k, i) => text(String(k), 320 + i * 38, 312, "n18")),
            circle("twice", 320.5, 306, 15),
            circle("twice", 548.5, 306, 15),
            text("2 and 12 pay 2 to 1, the others 1 to 1", 434, 340),
          ];
    case "dont_pass":
      return [
        text("DON'T PASS BAR", phone ? 222 : 352, cy + 6, phone ? "n15" : "n18"),
        ...dice([6, 6], phone ? 322 : 472, cy, phone ? 18 : 22),
      ];
    case "big_six":
      return phone
        ? [text("BIG 6", cx, cy + 5, "n15 hides")]
        : [text("BIG", 88, 308, "n15"), text("6", 88, 337, "n30")];
    case "big_eight":
      return phone
        ? [text("BIG 8", cx, cy + 5, "n15 hides")]
        : [text("BIG", 152, 354, "n15"), text("8", 152, 383, "n30")];
    default:
      return [];
  }
}

/** One cell of the centre block: dice where faces decide, else words; odds or units under them. */
function prop(on, zone) {
  const [x, y, w, h] = zone.box;
  const [cx, cy] = middle(zone);
  const [kind, number] = wagerKey(on);
  if (kind === "hardway") {
    const one = Number(number) / 2;
    return [
      ...dice([one, one], x + w * 0.26, y + h / 2 - 8, h > 55 ? 22 : 18),
      text("", x + w * 0.26, y + h - 8, "p13 odds keep"),
      text("Hard", x + w * 0.74, cy - 3, "p13 strong hides"),
      text(number, x + w * 0.74, cy + 14, "p13 strong hides"),
    ];
  }
  if (on in FACES)
    return [
      ...dice(FACES[on], h > 55 ? cx : x + 28, y + 13, 17),
      text(PROPS[on], h > 55 ? cx : x + w - 20, h > 55 ? y + 37 : y + 19, "n15"),
      text("", cx, y + h - 6, "p13 odds"),
    ];
  const parts = (of) => text(`${UNITS[of]} units`, cx, cy + 14, "p13 hides");
  if (kind === "horn_high")
    return [text(`High ${number}`, cx, cy - 3, "p13 strong hides"), parts("horn_high")];
  if (on in UNITS) return [text(PROPS[on], cx, cy - 3, "p13 strong hides"), parts(on)];
  return [text(PROPS[on] ?? on, cx - 30, cy + 5, "n15"), text("", cx + (w > 200 ? 64 : 56), cy + 5, "p13 odds")];
}

const puckOf = () => group("puck", circle("", 0, 0, 17), words("", 0, 4.6));

function marker(word, x, y) {
  const wide = 22 + word.length * 5;
  return group("marker", rect("", [x - wide / 2, y - 9, wide, 18], { rx: 9 }), words(word.toUpperCase(), x, y + 4.6));
}

/** Lay the areas of one piece of the felt. */
function lay(base, zones, { offers, view, phone, hands }) {
  for (const [on, zone] of Object.entries(zones)) {
    const [kind, number] = wagerKey(on);
    if (kind === "number") {
      numberBox(base, { on, zone, number: Number(number), offers, phone, hands });
      continue;
    }
    if (!offers.includes(on) && !BEHIND.includes(kind)) continue;
    const centred = zone.prop;
    const sort = centred
      ? "lines"
      : ["lay", "buy", "place"].includes(kind)
        ? "strip"
        : BEHIND.includes(kind)
          ? "behind"
          : "lines";
    if (BEHIND.includes(kind)) behind(base, { kind, zone, sort, view, hands, phone });
    else
      base.area(on, {
        kind: sort,
        parts: [shapeOf(zone), ...(centred ? prop(on, zone) : printed(on, zone, phone))],
        chip: zone.chip,
      });
  }
}

/** Odds behind a line bet: the wager is the one of the point, whichever that is. */
function behind(base, { kind, zone, sort, view, hands, phone }) {
  const parts = [shapeOf(zone), ...printed(kind, zone, phone)];
  const node = svg("g", { class: `area ${sort}`, role: "button", tabindex: 0, "data-on": kind }, ...parts);
  node.addEventListener("click", () => hands.tap(node.getAttribute("data-on")));
  node.addEventListener(
    "keydown",
    (event) =>
      ["Enter", " "].includes(/** @type {KeyboardEvent} */ (event).key) && hands.tap(node.getAttribute("data-on")),
  );
  node.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    hands.hold(node.getAttribute("data-on"));
  });
  base.under.append(node);
  for (const number of NUMBERS) {
    const on = `${kind}:${number}`;
    const bets = svg("g", { class: "bet", "data-bet": on, "aria-hidden": "true" });
    base.chips.append(bets);
    // Only the odds of the point can lie here, so the six wagers share one zone, and it takes the name of the point's.
    base.areas.set(on, { node: svg("g"), kind: sort, chip: zone.chip, bets, drawn: "" });
  }
  (base.lines ??= []).push({ node, kind, view });
}

/** The box of a number: come bets that went there, with their odds; a tap backs them. */
function numberBox(base, { on, zone, number, offers, phone, hands }) {
  const [x, y, w, h] = zone.box;
  const node = svg(
    "g",
    { class: "area num", role: "button", tabindex: 0, "data-on": on },
    shapeOf(zone),
    ...printed(on, zone, phone),
  );
  const which = () =>
    node.dataset.backs && offers.includes(node.dataset.backs) ? node.dataset.backs : `come_odds:${number}`;
  node.addEventListener("click", () => hands.tap(which()));
  node.addEventListener(
    "keydown",
    (event) => ["Enter", " "].includes(/** @type {KeyboardEvent} */ (event).key) && hands.tap(which()),
  );
  node.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    hands.hold(which());
  });
  base.under.append(node);
  const low = y + h - (phone ? 18 : 26);
  const places = {
    [`come>${number}`]: x + w * 0.3,
    [`come_odds:${number}`]: x + w * 0.72,
    [`dont_come>${number}`]: x + w * 0.3,
    [`dont_come_behind:${number}`]: x + w * 0.72,
  };
  for (const [name, at] of Object.entries(places)) {
    const bets = svg("g", { class: "bet", "data-bet": name, "aria-hidden": "true" });
    base.chips.append(bets);
    base.areas.set(name, { node: svg("g"), kind: "", chip: { x: at, y: low, r: phone ? 11 : 14 }, bets, drawn: "" });
  }
  (base.numbers ??= []).push({ node, number, box: zone.box });
}

/**
 * @param {{offers: string[], view: any, phone: boolean, hands: import("../cloth.js").Hands}} given
 * @returns {import("../cloth.js").Felt}
 */
export function make({ offers, view, phone, hands }) {
  const given = { offers, view, phone, hands };
  const [first, second] = phone
    ? [
        cloth({ box: "0 0 374 288", label: t("craps-line"), kind: "craps-cloth phone", hands }),
        cloth({ box: "0 0 374 288", label: t("craps-centre"), kind: "craps-cloth phone", hands }),
      ]
    : [
        cloth({ box: "0 0 588 498", label: t("craps-layout"), kind: "craps-cloth", hands }),
        cloth({ box: "0 0 248 342", label: t("craps-one-roll"), kind: "craps-cloth", hands }),
      ];
  const [one, two] = phone ? [half(), other()] : [line(), centre(248)];
  lay(first, one, given);
  lay(second, two, given);
  const puck = puckOf();
  first.over.append(puck);
  const markers = group("markers");
  second.over.append(markers.cloneNode());
  first.over.append(markers);
  const thrown = html(
    "div",
    "roll",
    html("div"),
    html("span", "", html("b"), document.createElement("br"), ""),
    html("p", "now"),
  );
  const placed = [...Object.keys(one), ...Object.keys(two)].filter((on) => !on.startsWith("number"));
  const known = new Set(offers.filter((on) => placed.includes(on) || BEHIND.includes(kindOf(on))));
  const parts = phone ? halves(first.element, second.element) : [first.element];

  function show(scene) {
    first.show(scene.spots);
    second.show(scene.spots);
    const point = scene.view.layout.point;
    for (const { node, kind } of first.lines ?? []) showBehind(node, kind, scene, point);
    for (const each of first.numbers ?? []) showNumber(each, scene);
    showPuck(puck, scene, one, phone);
    const marked = [first, second].map((base) => marksOf(base, scene.spots));
    first.over.lastElementChild.replaceChildren(...marked[0]);
    second.over.lastElementChild.replaceChildren(...marked[1]);
    showThrow(thrown, scene);
  }
  return { main: parts, left: thrown, right: phone ? undefined : second.element, known, show };
}

/** Two halves side by side that can be swiped, and segments that follow. */
function halves(one, two) {
  const strip = html("div", "halves", one, two);
  const bar = html("div", "segments parts");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", t("parts-of-layout"));
  const pick = (chosen) =>
    [...bar.children].forEach((button, index) => button.setAttribute("aria-pressed", String(index === chosen)));
  [t("part-line"), t("part-centre")].forEach((name, index) => {
    const button = Object.assign(html("button", "", name), { type: "button" });
    button.addEventListener("click", () => {
      pick(index);
      strip.scrollTo({ left: index * strip.clientWidth });
    });
    bar.append(button);
  });
  strip.addEventListener("scroll", () => pick(Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth))));
  pick(0);
  return [bar, strip];
}

function showBehind(node, kind, { spots, view }, point) {
  const on = point ? `${kind}:${point}` : `${kind}:4`;
  const spot = spots.get(on);
  node.setAttribute("data-on", on);
  const open = point && view.me.opens?.includes(on);
  node.setAttribute("class", `area behind${open || spot?.bets.length ? "" : " shut"} ${spot?.tone ?? ""}`);
  node.setAttribute("aria-label", spot?.label ?? kind);
  node.setAttribute("aria-disabled", String(!spot?.open));
  const words = node.querySelector("text");
  if (words) words.textContent = point ? `ODDS ${spot?.odds ?? ""}` : "ODDS";
}

function showNumber({ node, number }, { spots }) {
  const lies = Object.keys(BACKS).find((on) => spots.get(`${on}>${number}`)?.bets.length);
  const backs = `${BACKS[lies ?? "come"]}:${number}`;
  node.setAttribute("data-backs", backs);
  const staked = lies ? t("you-have", { amount: short(spots.get(`${lies}>${number}`).bets[0].cents) }) : "";
  const label = [t("come-number", { number }), spots.get(backs)?.odds, staked].filter(Boolean).join(", ");
  node.setAttribute("aria-label", label);
  node.setAttribute("aria-disabled", String(!spots.get(backs)?.open));
  const won = [`come>${number}`, `come_odds:${number}`].some((name) => spots.get(name)?.tone === "win");
  node.setAttribute("class", `area num${won ? " win" : ""}`);
}

/** The puck lies under its number, or beside the come bets that lie there; on a phone above them. */
function showPuck(puck, { view, spots }, zones, phone) {
  const { point } = view.layout;
  const lies = Object.keys(BACKS).some((on) => spots.get(`${on}>${point}`)?.bets.length);
  const zone = point ? zones[`number:${point}`] : zones.dont_come;
  const [x, y, w, h] = zone?.box ?? [0, 0, 0, 0];
  const at = point
    ? phone
      ? [lies ? x + w - 13 : x + w / 2, lies ? y + 14 : y + h - 15]
      : lies
        ? [x + w - 19, y + 50]
        : [x + w / 2, y + h - 24]
    : phone
      ? [x + 16, y + h - 14]
      : [x + w / 2, y + 30];
  puck.setAttribute("class", point ? "puck on" : "puck off");
  puck.setAttribute("transform", `translate(${n(at[0])} ${n(at[1])})${phone ? " scale(.75)" : ""}`);
  puck.lastChild.textContent = point ? "ON" : "OFF";
}

/** The marker buttons of wagers: over the chips' right shoulder. */
function marksOf(base, spots) {
  return [...base.areas].flatMap(([name, { chip }]) => {
    const spot = spots.get(name);
    return (spot?.bets.length ? (spot.markers ?? []) : []).map((word, index) =>
      marker(word, chip.x + chip.r + 6, chip.y - chip.r - 2 - index * 16),
    );
  });
}

function showThrow(thrown, { view, settled }) {
  const last = view.history.at(-1);
  const now = view.layout.dice ?? last?.dice;
  const key = JSON.stringify([language(), now, settled, view.layout.point, view.layout.shooter, last?.round]);
  if (thrown.dataset.key === key) return;
  thrown.dataset.key = key;
  const [place, said, sentence] = thrown.children;
  place.replaceChildren(...(now ? [faces(now, "thrown-dice", { chinese: false })] : []));
  said.querySelector("b").textContent = now ? String(now[0] + now[1]) : "";
  said.lastChild.textContent = t(!now ? "no-throw" : settled ? "this-throw" : "last-throw");
  const { point, shooter } = view.layout;
  // Where no player takes the dice an official throws, who has a word in every language; a player has a name.
  const name = shooter === "stickperson" ? named("role", shooter) : shooter;
  const who = !shooter ? "" : shooter === view.me.name ? t("you-throw") : t("who-throws", { name });
  const state = t(point ? "the-point-is" : "come-out-roll", { point: point ?? "" });
  sentence.textContent = settled && last?.seven_out ? t("sentence", { text: t("seven-out") }) : `${state} ${who}`;
}
