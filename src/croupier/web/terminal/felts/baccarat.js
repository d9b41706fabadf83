/**
 * The felt of baccarat: two hands with the ring between them, and the layout under them.
 *
 * The customary layout has Player, Tie, Banker and the arched band of Perfect Pairs.  Where an edition offers more
 * (Insurance, Runs, a Dragon Bonus) the same areas lie flatter, and what is offered besides has rows of its own.
 *
 * A card that has just come is dealt in with a movement; the others stay as they are, so that nothing moves twice.
 * Between rounds the table has no cards, and the hands of the round before stay, with its number.
 */

import { cloth, html, path, rect, words } from "../cloth.js";
import { letterOf, runOf, wagerWords } from "../../kit/names.js";
import { cardBack, cardFront, cardPlace, cardWords, svg } from "../../kit/cards.js";
import { isOn } from "../../kit/sound.js";
import { squeezedCard } from "./squeeze.js";
import { t } from "../../kit/words.js";

const WIDE = {
  perfect_pairs: {
    kind: "pairs",
    d: "M4 58Q4 46 16 42Q424 -34 832 42Q844 46 844 58V110Q844 120 832 115Q424 38 16 115Q4 120 4 110Z",
    title: "perfect_pairs",
    arc: true,
    chip: { x: 84, y: 74, r: 24, how: "beside", high: 28 },
  },
  player: {
    kind: "player",
    d: "M4 140Q4 128 16 124Q152 99.8 288 87.5Q300 91.5 300 103.5V290Q300 302 288 302H16Q4 302 4 290Z",
    title: "player",
    tx: 152,
    ty: 141,
    chip: { x: 152, y: 234, r: 32, gap: 124, how: "deep", high: 28 },
  },
  tie: {
    kind: "tie",
    d: "M310 102.9Q310 90.9 322 86.9Q424 85.1 526 86.9Q538 90.9 538 102.9V290Q538 302 526 302H322Q310 302 310 290Z",
    title: "tie",
    tx: 424,
    ty: 128,
    chip: { x: 424, y: 234, r: 32, gap: 104, how: "deep", high: 28 },
  },
  banker: {
    kind: "banker",
    d: "M548 103.5Q548 91.5 560 87.5Q696 99.8 832 124Q844 128 844 140V290Q844 302 832 302H560Q548 302 548 290Z",
    title: "banker",
    tx: 696,
    ty: 141,
    chip: { x: 696, y: 234, r: 32, gap: 124, how: "deep", high: 28 },
  },
};
const boxed = (kind, title, [x, y, w, h]) => ({
  kind,
  title,
  d: rounded(x, y, w, h),
  tx: x + w / 2,
  ty: y + 28,
  chip: { x: x + 34, y: y + h - 30, r: 20, how: "beside", high: 24 },
});
const PHONE = {
  perfect_pairs: boxed("pairs", "perfect_pairs", [2, 2, 181, 122]),
  tie: boxed("tie", "tie", [191, 2, 181, 122]),
  player: {
    ...boxed("player", "player", [2, 132, 181, 158]),
    chip: { x: 92, y: 228, r: 24, gap: 86, how: "deep", high: 24 },
  },
  banker: {
    ...boxed("banker", "banker", [191, 132, 181, 158]),
    chip: { x: 281, y: 228, r: 24, gap: 86, how: "deep", high: 24 },
  },
};
/** The same areas, flatter; without Perfect Pairs they begin at the top. @param {number} top */
const flat = (top) => ({
  perfect_pairs: {
    ...boxed("pairs", "perfect_pairs", [4, 2, 840, 46]),
    chip: { x: 40, y: 26, r: 17, how: "beside", high: 22 },
  },
  player: boxed("player", "player", [4, top, 296, 112]),
  tie: boxed("tie", "tie", [310, top, 228, 112]),
  banker: boxed("banker", "banker", [548, top, 296, 112]),
});
const MAIN = ["perfect_pairs", "player", "tie", "banker"];
/** A wager in the capitals of the cloth. */
const printed = (on) => wagerWords(on).toUpperCase();
/** What has no place of its own on the cloth: gazetted bets with a name here, and those of somebody's own edition. */
const isSpecial = (on) => !MAIN.includes(on) && !runOf(on);

function rounded(x, y, wide, high, r = 12) {
  const there = `h${wide - 2 * r}q${r} 0 ${r} ${r}v${high - 2 * r}q0 ${r} ${-r} ${r}`;
  const back = `h${2 * r - wide}q${-r} 0 ${-r} ${-r}v${2 * r - high}q0 ${-r} ${r} ${-r}`;
  return `M${x + r} ${y}${there}${back}Z`;
}

function mainParts({ d, title, arc, tx, ty, flat }) {
  const shape = path("shape", d);
  if (arc) {
    const line = (kind, href, text) =>
      svg("text", { class: kind }, svg("textPath", { href, startOffset: "50%" }, text));
    return [shape, line("t2", "#arc1", printed(title)), line("t3 odds full", "#arc2", "")];
  }
  return [
    shape,
    words(printed(title), tx, ty, flat ? "t2" : "t1"),
    words("", tx, ty + (flat ? 20 : 24), flat ? "t3 odds full" : "t4 odds"),
  ];
}

/** Rows of what an edition offers besides: a box for each special wager, and a cell for each length of each run. */
function layMore(base, { offers, sides }, { phone, top }) {
  const special = offers.filter(isSpecial);
  const [left, wide] = phone ? [2, 370] : [4, 840];
  let y = top;
  const most = Math.min(special.length, phone ? 3 : 6) || 1;
  special.forEach((on, index) => {
    const each = (wide - 8 * (most - 1)) / most;
    const [x, row] = [left + (index % most) * (each + 8), y + Math.floor(index / most) * 54];
    const parts = [
      path("shape", rounded(x, row, each, 48, 10)),
      words(printed(on), x + each / 2, row + 20, "t5"),
      words("", x + each / 2, row + 38, "t6 odds"),
    ];
    base.area(on, {
      kind: sides[on] ?? "tie",
      parts,
      chip: { x: x + 24, y: row + 25, r: 15, how: "beside", high: 20 },
    });
  });
  y += Math.ceil(special.length / most) * 54;
  const runs = offers.filter(runOf);
  const cells = phone ? 6 : 9;
  runs.forEach((on, index) => {
    const [side, length] = runOf(on) ?? [];
    const each = wide / cells;
    const [x, row] = [left + (index % cells) * each, y + Math.floor(index / cells) * 54];
    const name =
      side === "combination" ? t("run-any") : phone ? letterOf(side?.[0].toUpperCase() ?? "") : printed(side ?? "");
    const said = words(`${name}${phone ? "×" : " × "}${length}`, x + each / 2, row + 20, "t5");
    const parts = [
      rect("shape", [x + 1, row, each - 2, 50], { rx: 6 }),
      said,
      words("", x + each / 2, row + 39, "t6 odds"),
    ];
    base.area(on, { kind: `run ${side}`, parts, chip: { x: x + each / 2, y: row + 33, r: 13 } });
  });
  return y + Math.ceil(runs.length / cells) * 54;
}

/**
 * @param {{offers: string[], view: any, phone: boolean, hands: import("../cloth.js").Hands}} given
 * @returns {import("../cloth.js").Felt}
 */
export function make({ offers, view, phone, hands }) {
  const more = offers.some((on) => !MAIN.includes(on));
  const top = offers.includes("perfect_pairs") ? 54 : 2;
  const plan = phone ? PHONE : more ? flat(top) : WIDE;
  const kind = phone ? "layout phone" : "layout";
  const base = cloth({ box: "0 0 848 306", label: t("betting-layout"), kind, hands });
  base.element.prepend(
    svg(
      "defs",
      {},
      path("", "M4 77Q424 -3 844 77", { id: "arc1" }),
      path("", "M4 102Q424 22 844 102", { id: "arc2" }),
    ),
  );
  const known = new Set(offers);
  for (const on of MAIN.filter((each) => offers.includes(each))) {
    const drawing = plan[on];
    base.area(on, { kind: drawing.kind, parts: mainParts({ ...drawing, flat: more && !phone }), chip: drawing.chip });
  }
  const besides = { offers, sides: view.sides };
  const high = more ? layMore(base, besides, { phone, top: phone ? 298 : top + 118 }) : phone ? 292 : 306;
  base.element.setAttribute("viewBox", phone ? `0 0 374 ${high}` : `0 0 848 ${high}`);
  const [left, right] = [html("div", "side-of"), html("div", "side-of")];
  return {
    main: [base.element],
    left,
    right,
    known,
    show(scene) {
      base.show(scene.spots);
      const [player, banker] = sides(scene);
      // Whoever squeezes turns the cards of this hand; when it is over they lie open.
      const hidden = isOn("squeeze") && scene.view.layout.cards.player.length > 0 ? scene.view.round : 0;
      const turn = () => {
        for (const box of [left, right]) box.querySelector(".hand").dataset.cards = "";
        this.show(scene);
      };
      showBox(left, player, { hidden, turn });
      showBox(right, banker, { hidden, turn });
    },
  };
}

// ---------------------------------------------------------------- the hands

function sides({ view, past, settled }) {
  const dealing = view.layout.cards.player.length > 0;
  const last = view.history.at(-1);
  const earlier =
    past && past.round === last?.round
      ? { ...past.layout, ...last, cards: past.layout.cards }
      : { ...last, cards: { player: [], banker: [] } };
  const layout = dealing ? view.layout : earlier;
  return ["player", "banker"].map((side) => {
    const cards = layout.cards[side] ?? [];
    const known = dealing ? cards.length > 0 : last !== undefined;
    const note =
      dealing || (settled && cards.length)
        ? drawnWords(layout, cards, layout[side])
        : last
          ? t("previous-hand", { number: last.round })
          : "";
    return {
      title: printed(side),
      kind: side,
      count: known ? String(layout[side] ?? "") : "",
      won: layout.winner === side,
      cards,
      note,
    };
  });
}

function drawnWords(layout, cards, total) {
  if (cards.length > 2) return t("drew", { card: cardWords(cards[2]) });
  if (!layout.winner) return "\u00a0";
  return t(layout.natural && total >= 8 ? "natural-count" : "stands-on", { count: total });
}

/** The cards that were turned in the hand that is squeezed. */
const turned = { round: 0, cards: new Set() };

function isCovered(hidden, kind, index, card) {
  if (hidden !== turned.round) Object.assign(turned, { round: hidden, cards: new Set() });
  return hidden > 0 && card !== "?" && card !== "place" && !turned.cards.has(`${kind} ${index}`);
}

function showBox(box, shown, { hidden, turn }) {
  box.className = `box side-of ${shown.kind}`;
  if (!box.firstChild)
    box.append(
      html("h2", "", html("span", "title"), html("b"), html("span", "won", t("won"))),
      html("div", "hand"),
      html("p"),
    );
  const covered = shown.cards.some((card, index) => isCovered(hidden, shown.kind, index, card));
  box.querySelector(".title").textContent = shown.title;
  box.querySelector("b").textContent = covered ? "" : shown.count;
  box.querySelector(".won").hidden = !shown.won || hidden > 0;
  box.querySelector("p").textContent = covered ? t("squeeze-hint") : shown.note;
  showCards(box.querySelector(".hand"), shown, { hidden, turn });
}

function showCards(hand, { cards, kind }, { hidden, turn }) {
  const wanted = [...cards, ...Array(Math.max(0, 3 - cards.length)).fill("place")];
  const before = (hand.dataset.cards ?? "").split(" ");
  const covers = wanted.map((card, index) => isCovered(hidden, kind, index, card));
  if (before.join(" ") === wanted.join(" ") && hand.dataset.covers === String(covers)) return;
  Object.assign(hand.dataset, { cards: wanted.join(" "), covers: String(covers) });
  const drawn = wanted.map((card, index) => {
    const lying = index === 2;
    const flip = () => {
      turned.cards.add(`${kind} ${index}`);
      turn();
    };
    if (covers[index]) return squeezedCard(card, { lying, turned: flip });
    const made =
      card === "place" ? cardPlace({ lying }) : card === "?" ? cardBack({ lying }) : cardFront(card, { lying });
    if (card !== "place" && before[index] !== card) made.classList.add("dealt");
    return made;
  });
  // The third card of the left hand lies on the outside, like that of the right one.
  hand.replaceChildren(...(kind === "player" ? [...drawn.slice(2), ...drawn.slice(0, 2)] : drawn));
}
