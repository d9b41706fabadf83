/**
 * The felt of blackjack: seven boxes on an arc, each a wedge with its circle, its Super Sevens and its cards.
 *
 * A tap on a circle bets on that box; insurance lies on its line over the box while it is offered.  On a phone the
 * box in play stands large between its neighbours, and seven circles lie at the thumb.
 */

import { n } from "../chips.js";
import { circle, cloth, group, path, words } from "../cloth.js";
import { svg } from "../../kit/cards.js";
import { named } from "../../kit/names.js";
import { arcOf, card, columns, fanned, pill, redraw, shoe } from "./arc.js";
import { t } from "../../kit/words.js";

const WIDE = { cx: 440, cy: -262, r: 670, step: 10.1 };
const PHONE = { cx: 187, cy: -370, r: 712, step: 4.05, circle: 20, lean: 0, beside: 0, rail: 50 };

/** So many letters have room on a line of the cloth. */
const LONG = 46;

/** The hands of a box with their totals, as the table tells them. */
function handsOf(box) {
  return box.hands.map((cards, index) => {
    const { total, state } = box.figures?.hands?.[index] ?? {};
    return {
      cards,
      total: cards.length
        ? state === "blackjack"
          ? t("blackjack")
          : `${total ?? ""}${state && state !== "stood" ? ` ${named("box-state", state).toLowerCase()}` : ""}`
        : "",
    };
  });
}

/** What is known of a box: who plays it, who bets behind, its hands, whether it is its turn. */
function boxState(scene, number) {
  const box = scene.layout.boxes.find((each) => each.number === number);
  const bets = ["main"].flatMap((on) => scene.spots.get(`${on}@${number}`)?.bets ?? []);
  const mine = bets.length > 0 || scene.boxes.some((each) => each.number === number);
  const turn = !scene.settled && scene.view.due.box === number ? scene.view.due.hand : 0;
  const hands = box ? handsOf(box).filter(({ cards }) => cards.length) : [];
  // The first on a box plays its hands; who bets there later bets behind.
  const [by = ""] = box?.figures?.players ?? [];
  const own = mine && (!by || by === scene.view.me.name);
  return { taken: Boolean(box), mine, own, by, turn, hands, seat: scene.view.me.seat === number };
}

const kindOf = ({ mine, turn, seat }, tone) =>
  `${seat ? " own-seat" : ""}${mine ? " yours" : ""}${turn ? " turn" : ""}` +
  `${tone === "win" ? " won" : tone === "lost" ? " done" : ""}`;
const whose = ({ mine, own, taken, seat }) =>
  own ? "yours" : mine ? "behind" : taken ? "taken" : seat ? "seat" : "free";
/** The name of a box, with who plays it. */
const boxWords = (number, state) => t("box-whose", { number, whose: whose(state), name: state.by.slice(0, 12) });

function printed(base, arc, { phone, inscriptions }) {
  const edge = arc.r + arc.rail;
  const [big, mid] = phone ? [516, 536] : [462, 503];
  base.element.prepend(
    svg(
      "defs",
      {},
      path("", arc.smile(big, phone ? 20 : 34), { id: "bj1" }),
      path("", arc.smile(mid, phone ? 20 : 34), { id: "bj2" }),
      path("", arc.smile(big - (phone ? 19 : 22), phone ? 20 : 34), { id: "bj3" }),
    ),
  );
  const [x1, y1] = arc.at(-50, edge);
  const [x2, y2] = arc.at(50, edge);
  // An own edition may have more to say than its line is long: then the letters are closer.
  const room = { textLength: phone ? 340 : 510, lengthAdjust: "spacingAndGlyphs" };
  const fits = (text) => (text.length > LONG ? room : {});
  const line = (kind, href, text) =>
    svg(
      "text",
      { class: `print ${kind}`, translate: "no" },
      svg("textPath", { href, startOffset: "50%", ...fits(text) }, text.toUpperCase()),
    );
  // What the law wants to stand on the cloth, as it prints it: insurance on its line, the first of the others large.
  const insures = inscriptions.filter(({ on }) => on === "insurance");
  const others = inscriptions.filter((each) => !insures.includes(each));
  base.under.append(
    path("rail", `M${n(x1)} ${n(y1)}A${edge} ${edge} 0 0 0 ${n(x2)} ${n(y2)}L1900 ${n(y2)}V1400H-1000V${n(y1)}Z`),
    path("edge-line", arc.smile(edge, phone ? 16 : 50)),
    ...(phone ? [] : [path("line", arc.band(486, 516, 29))]),
    ...others.slice(0, 1).map(({ text }) => line("big", "#bj1", text)),
    ...insures.map(({ text }) => line("mid", "#bj2", text)),
    ...others.slice(1, 2).map(({ text }) => line("mid long", "#bj3", text)),
  );
}

/** The dealer's cards on top, and what they come to; the second place stays empty until the players are done. */
function dealer(place, { layout }, { x, y, wide, high, room }) {
  const cards = layout.cards.dealer ?? [];
  const shown = cards.length < 2 ? [...cards, ...Array(2 - cards.length).fill("")] : cards;
  const total = layout.dealer ? (layout.dealer_blackjack ? t("blackjack") : String(layout.dealer)) : "";
  redraw(place, JSON.stringify([shown, total]), () => {
    const step = Math.min(wide + 8, (room - wide) / (shown.length - 1));
    const left = x - ((shown.length - 1) * step) / 2;
    return [
      ...shown.map((name, index) => card(name, left + index * step, y, wide)),
      ...(total ? [pill(total, left + shown.length * step - step / 2 + 28, y, { high })] : []),
    ];
  });
}

/**
 * @param {{offers: string[], view: any, phone: boolean, hands: import("../cloth.js").Hands, pick: (box: number) =>
 * void}} given
 * @returns {import("../cloth.js").Felt}
 */
export function make({ offers, view, phone, hands, pick }) {
  const arc = arcOf({ ...(phone ? PHONE : WIDE), boxes: view.table.seats });
  const base = cloth({
    box: phone ? "0 0 374 408" : "16 0 848 498",
    label: t("blackjack-table"),
    kind: phone ? "phone" : "",
    hands,
  });
  printed(base, arc, { phone, inscriptions: view.inscriptions });
  const numbers = Array.from({ length: view.table.seats }, (_, index) => index + 1);
  const parts = new Map(numbers.map((number) => [number, boxParts(base, arc, { number, phone, offers, pick })]));
  const dealt = group("dealer-hand");
  const focus = group("focus");
  const [x, y] = phone ? [215, 13] : [440, 24];
  base.under.append(...(phone ? [] : [shoe(752, 22)]), words(t("dealer").toUpperCase(), x, y, "who hand"));
  base.over.append(dealt, focus);
  // On a phone there is one circle for Super Sevens, that of the box which was picked.
  if (phone && offers.includes("super_sevens"))
    base.area("super_sevens", {
      kind: "sevenbox",
      parts: [circle("sevens-hit", 330, 165, 23), circle("sevens", 330, 165, 16), words("7", 330, 170.4, "seven")],
      chip: { x: 330, y: 165, r: 13 },
    });
  const place = phone
    ? { x: 215, y: 60, wide: 54, high: 24, room: 216 }
    : { x: 440, y: 86, wide: 72, high: 28, room: 390 };
  return {
    main: [base.element],
    known: new Set(["main", "insurance", "super_sevens"]),
    boxes: true,
    show(scene) {
      const sevens = scene.spots.get(`super_sevens@${scene.box}`);
      const spots = new Map(scene.spots);
      if (phone && sevens) spots.set("super_sevens", sevens);
      for (const number of numbers) sayWhose(spots, scene, number);
      base.show(spots);
      dealer(dealt, scene, place);
      const insured = scene.view.me.may?.some(({ choose }) => choose === "insure");
      base.element.classList.toggle("asks", Boolean(insured));
      for (const number of numbers) showBox(parts.get(number), scene, { number, arc, phone });
      if (phone) showFocus(focus, scene, numbers);
    },
  };
}

/** A reader hears whose box it is, as the cloth says it beside the circle. */
function sayWhose(spots, scene, number) {
  const main = spots.get(`main@${number}`);
  if (!main) return;
  spots.set(`main@${number}`, { ...main, label: `${boxWords(number, boxState(scene, number))}: ${main.label}` });
}

function boxParts(base, arc, { number, phone, offers, pick }) {
  const place = arc.place(number);
  const [x, y] = place.circle;
  const name = words("", n(place.name[0]), n(place.name[1] + (phone ? -3 : 5)), "who");
  const shape = phone ? circle("sevens-hit", n(x), n(y), 23) : path("shape", place.wedge);
  const ring = circle("ringed", n(x), n(y), phone ? 20 : 35);
  const chip = phone
    ? { x: n(x), y: n(y), r: 15, edge: 372 }
    : { x: n(x), y: n(y + 2), r: 26, gap: 44, how: "deep", high: 22 };
  const area = base.area("main", { kind: "wedge", parts: [shape, ring, name], chip, number });
  area.addEventListener("click", () => pick(number));
  const cards = group("cards-of");
  base.chips.append(cards);
  if (offers.includes("super_sevens")) {
    const [sx, sy] = place.sevens.map(n);
    if (!phone)
      base.area("super_sevens", {
        kind: "sevenbox",
        parts: [circle("sevens-hit", sx, sy, 22), circle("sevens", sx, sy, 16), words("7", sx, sy + 5.4, "seven")],
        chip: { x: sx, y: sy, r: 13 },
        number,
      });
  }
  if (offers.includes("insurance") && !phone) {
    const [ix, iy] = place.line.map(n);
    base.area("insurance", {
      kind: "insured",
      parts: [circle("sevens-hit", ix, iy, 22)],
      chip: { x: ix, y: iy, r: 15 },
      number,
      tabs: false,
    });
  }
  return { area, name, cards, place };
}

function showBox({ area, name, cards, place }, scene, { number, arc, phone }) {
  const state = boxState(scene, number);
  const tone = scene.spots.get(`main@${number}`)?.tone ?? "";
  area.setAttribute("class", `area wedge${kindOf(state, tone)}`);
  const small = `${number}${state.mine ? ` ${t("you")}` : ""}`;
  name.textContent = phone ? small : boxWords(number, state);
  name.setAttribute("class", `who${state.mine ? " you" : ""}`);
  redraw(cards, JSON.stringify([state.hands, state.turn, tone]), () =>
    phone ? totals(place, state) : drawHands(place, state),
  );
  cards.setAttribute("class", `cards-of${tone === "lost" ? " done" : ""}`);
}

function drawHands(place, { hands, turn }) {
  if (!hands.length) return [];
  const [x, y] = place.cards;
  const drawn =
    hands.length > 1
      ? columns(hands, { tilt: place.tilt, now: turn })
      : fanned(hands[0].cards, hands[0].total, { tilt: place.tilt, now: turn > 0 });
  return [svg("g", { transform: `translate(${n(x)} ${n(y)}) rotate(${n(place.tilt)})` }, ...drawn)];
}

function totals(place, { hands, turn }) {
  const [x, y] = place.circle;
  return hands.length
    ? [
        pill(hands.map(({ total }) => (total === t("blackjack") ? t("short-blackjack") : total)).join(" "), x, y - 31, {
          kind: turn ? "total now" : "total",
          high: 20,
        }),
      ]
    : [];
}

/** The phone shows the box in play at full size, and its neighbours beside it. */
function showFocus(place, scene, numbers) {
  const dealt = numbers.filter((number) => boxState(scene, number).hands.length);
  const mine = dealt.filter((number) => boxState(scene, number).mine);
  const turn = numbers.find((number) => boxState(scene, number).turn);
  const middle = turn ?? (mine.includes(scene.box) ? scene.box : mine[0] ?? dealt[0]);
  const at = dealt.indexOf(middle);
  const shown = [[dealt[at - 1], 312, 244, 44], [middle, 187, 240, 66], [dealt[at + 1], 64, 244, 44]];
  redraw(place, JSON.stringify(shown.map(([number]) => (number ? boxState(scene, number) : 0))), () =>
    shown.filter(([number]) => number).map(([number, x, y, wide]) => {
      const state = boxState(scene, number);
      const drawn =
        state.hands.length > 1
          ? columns(state.hands, { room: wide * 1.8, high: wide * 1.7, now: state.turn })
          : fanned(state.hands[0].cards, state.hands[0].total, {
              wide,
              room: wide * 2,
              now: state.turn > 0,
              high: 22,
            });
      return svg(
        "g",
        { transform: `translate(${x} ${y})` },
        ...drawn,
        words(boxWords(number, state), 0, n(-wide * 0.7 - 9), "who you"),
      );
    }),
  );
}
