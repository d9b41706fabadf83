/**
 * The felt of tai-sai: Small and Big as wings, between them triples, doubles, totals, pairs of faces and single faces.
 *
 * The dice lie under a lid while the tumbler runs; faces are not shown before it lifts.  A chip lies on the odds of its
 * area, so that dice and totals stay in sight.
 */

import { cloth, html, path, rect, words } from "../cloth.js";
import { ledger } from "../ledger.js";
import { faces, row } from "./dice.js";
import { svg } from "../../kit/cards.js";
import { kindOf, resultWords, wagerKey, wagerWords } from "../../kit/names.js";
import { roundWords } from "../said.js";
import { language, t } from "../../kit/words.js";

function rollWords({ settled, view }, { now, fresh, last }) {
  const words = !now
    ? t("this-roll")
    : fresh
      ? roundWords(view, settled ? last?.round : view.round)
      : t("previous-roll");
  return words.toUpperCase();
}

const PAIRS = [1, 2, 3, 4, 5, 6].flatMap((i) => [1, 2, 3, 4, 5, 6].filter((j) => j > i).map((j) => `${i}-${j}`));
const six = (kind) => [1, 2, 3, 4, 5, 6].map((k) => `${kind}:${k}`);
const span = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => `total:${from + index}`);

/** Every betting area: name and box. @returns {Record<string, number[]>} */
function areasOf(phone) {
  const areas = {};
  const lay = (names, x, y, w, h) => names.forEach((name, index) => (areas[name] = [x + index * w, y, w, h]));
  if (phone) {
    Object.assign(areas, { small: [2, 2, 72, 166], big: [300, 2, 72, 166], any_triple: [74, 2, 226, 50] });
    lay(six("triple").slice(0, 3), 74, 52, 226 / 3, 58);
    lay(six("triple").slice(3), 74, 110, 226 / 3, 58);
    lay(six("double"), 2, 172, 370 / 6, 56);
    lay(span(4, 10), 2, 232, 370 / 7, 54);
    lay(span(11, 17), 2, 286, 370 / 7, 54);
    lay(PAIRS.slice(0, 8).map((pair) => `combination:${pair}`), 2, 344, 370 / 8, 50);
    lay(PAIRS.slice(8).map((pair) => `combination:${pair}`), 2, 394, 370 / 8, 50);
    lay(six("face"), 2, 448, 370 / 6, 56);
    return areas;
  }
  Object.assign(areas, { small: [2, 2, 90, 300], big: [756, 2, 90, 300], any_triple: [376, 2, 96, 112] });
  for (let k = 1; k <= 6; k += 1) {
    const x = 94 + (k - 1) * 94 + (k > 3 ? 96 : 0);
    areas[`triple:${k}`] = [x, 2, 94, 56];
    areas[`double:${k}`] = [x, 58, 94, 56];
  }
  lay(span(4, 17), 94, 114, 660 / 14, 60);
  lay(PAIRS.map((pair) => `combination:${pair}`), 94, 174, 660 / 15, 76);
  lay(six("face"), 94, 250, 110, 52);
  return areas;
}

/** Small and Big: rounded away from the middle. */
function wing([x, y, w, h], left) {
  const r = Math.min(34, w / 2);
  return left
    ? `M${x + w} ${y}H${x + r}Q${x} ${y} ${x} ${y + r}V${y + h - r}Q${x} ${y + h} ${x + r} ${y + h}H${x + w}Z`
    : `M${x} ${y}H${x + w - r}Q${x + w} ${y} ${x + w} ${y + r}V${y + h - r}` +
        `Q${x + w} ${y + h} ${x + w - r} ${y + h}H${x}Z`;
}

function partsOf(on, box, phone) {
  const [kind, place = ""] = wagerKey(on);
  const [x, y, w, h] = box;
  const mid = x + w / 2;
  const shape = rect("shape", box);
  const odds = (ox, oy) => words("", ox, oy, "t3 odds");
  const numbers = place.split("-").map(Number);
  switch (kind) {
    case "small":
    case "big": {
      const [a, b, c] = phone ? [34, 56, 76] : [46, 72, 96];
      const loses = [
        words(t("loses-on"), mid, y + h - (phone ? 26 : 40), "t3"),
        words(t("a-triple"), mid, y + h - (phone ? 10 : 23), "t3"),
      ];
      return [
        path("shape", wing(box, kind === "small")),
        words(wagerWords(kind).toUpperCase(), mid, y + a, "t2"),
        words(kind === "small" ? "4 – 10" : "11 – 17", mid, y + b, "t4"),
        words("", mid, y + c, "t3 odds keep"),
        ...loses,
      ];
    }
    case "any_triple":
      return phone
        ? [shape, words(wagerWords("any_triple").toUpperCase(), mid, y + 22, "t2"), odds(mid, y + 41)]
        : [shape, words(t("any-of"), mid, y + 30, "t2"), words(t("triple-of"), mid, y + 51, "t2"), odds(mid, y + 72)];
    case "triple":
      return [
        shape,
        ...row([numbers[0], numbers[0], numbers[0]], mid, y + (phone ? 20 : 22), phone ? 20 : 24),
        odds(mid, y + h - (phone ? 11 : 8)),
      ];
    case "double":
      return [
        shape,
        ...row([numbers[0], numbers[0]], mid, y + (phone ? 19 : 20), 22),
        odds(mid, y + h - (phone ? 10 : 8)),
      ];
    case "total":
      return [shape, words(place, mid, y + (phone ? 26 : 29), "big"), odds(mid, y + h - (phone ? 10 : 11))];
    case "combination":
      return [
        shape,
        ...row(numbers, mid, y + (phone ? 16 : 27), phone ? 19 : 21, { gap: 2, down: !phone }),
        odds(mid, y + h - 7),
      ];
    default:
      return phone
        ? [shape, ...row(numbers, mid, y + 19, 26), words("1 · 2 · 12", mid, y + h - 9, "t3 hides")]
        : [
            shape,
            ...row(numbers, x + 28, y + 26, 32),
            words(t("face-odds-first"), x + 76, y + 23, "t3 hides"),
            words(t("face-odds-second"), x + 76, y + 40, "t3 hides"),
          ];
  }
}

/** Chips lie on the odds. @returns {import("../chips.js").Place} */
function chipOf(on, [x, y, w, h], phone) {
  const kind = kindOf(on);
  if (kind === "small" || kind === "big")
    return phone
      ? { x: x + w / 2, y: y + 102, r: 14 }
      : { x: x + w / 2, y: y + 152, r: 26, how: "high", high: 24 };
  if (kind === "any_triple")
    return phone ? { x: x + w - 26, y: y + h / 2, r: 13 } : { x: x + w / 2, y: y + h - 20, r: 14 };
  if (kind === "face") return phone ? { x: x + w / 2, y: y + h - 20, r: 12 } : { x: x + 77, y: y + h / 2, r: 14 };
  return { x: x + w / 2, y: y + h - (phone ? 13 : 15), r: phone ? 13 : 14 };
}

/** Whether a wager would win on these dice: only to dim what would not; money is the table's to say. */
function wins(on, dice) {
  const [kind, place = ""] = wagerKey(on);
  const total = dice.reduce((before, face) => before + face, 0);
  const triple = new Set(dice).size === 1;
  const times = (face) => dice.filter((each) => each === face).length;
  const k = Number(place);
  switch (kind) {
    case "small":
      return !triple && total <= 10;
    case "big":
      return !triple && total >= 11;
    case "any_triple":
      return triple;
    case "total":
      return total === k;
    case "combination":
      return place.split("-").every((face) => times(Number(face)) > 0);
    default:
      return times(k) >= { triple: 3, double: 2, face: 1 }[kind];
  }
}

/**
 * @param {{offers: string[], view: any, phone: boolean, hands: import("../cloth.js").Hands}} given
 * @returns {import("../cloth.js").Felt}
 */
export function make({ offers, phone, hands }) {
  const base = cloth({
    box: phone ? "0 0 374 506" : "0 0 848 304",
    label: t("betting-layout"),
    kind: phone ? "layout phone" : "layout",
    hands,
  });
  const areas = areasOf(phone);
  const known = new Set(offers.filter((on) => on in areas));
  for (const on of known)
    base.area(on, {
      kind: `ts ${kindOf(on) === "total" ? "tot" : kindOf(on)}`,
      parts: partsOf(on, areas[on], phone),
      chip: chipOf(on, areas[on], phone),
    });
  const dice = html("div", "lidded");
  const lid = svg(
    "svg",
    { class: "lid", viewBox: "0 0 336 100", role: "img", "aria-label": t("under-the-lid") },
    path("dome", "M18 96V70Q18 6 168 6Q318 6 318 70V96"),
    path("dome", "M4 96H332"),
  );
  const thrown = html("div", "thrown", html("h2"), dice, html("p"));
  const bets = ledger();
  let drawn = "";

  function showDice(scene) {
    const last = scene.view.history.at(-1);
    const now = scene.layout.dice ?? (scene.moving ? null : last?.dice) ?? null;
    const covered = !now && scene.view.betting.open === false;
    const fresh = scene.settled || Boolean(scene.view.layout.dice);
    const key = JSON.stringify([language(), now, covered, fresh, last?.round]);
    if (key === drawn) return;
    drawn = key;
    const total = now?.reduce((before, face) => before + face, 0);
    thrown
      .querySelector("h2")
      .replaceChildren(
        rollWords(scene, { now, fresh, last }),
        html("b", "", now ? String(total) : ""),
      );
    dice.replaceChildren(now ? faces(now, "rolled") : lid);
    thrown.querySelector("p").textContent = covered
      ? t("running-tai-sai")
      : resultWords("tai_sai", scene.layout.call ? scene.layout : last ?? {}).says;
  }
  return {
    main: [base.element],
    left: thrown,
    right: bets.element,
    known,
    show(scene) {
      base.show(scene.spots);
      bets.show(scene);
      showDice(scene);
      const shown = scene.settled ? scene.layout.dice ?? null : null;
      base.element.classList.toggle("decided", Boolean(shown));
      for (const on of known) base.areas.get(on)?.node.classList.toggle("dim", Boolean(shown) && !wins(on, shown));
    },
  };
}
