/**
 * The felt of roulette: a lattice on which every number, line and crossing is a place.
 *
 * A place is a point of the lattice (along from zero, across from the outer line) and the numbers that it covers.  The
 * zones are smaller than a finger, as on any layout: so a press shows what it would back, sliding moves it, a release
 * bets, and sliding off the layout or Escape lets go.
 */

import { n } from "../chips.js";
import { circle, cloth, group, html, path, rect, words } from "../cloth.js";
import { ledger, together } from "../ledger.js";
import { svg } from "../../kit/cards.js";
import { short } from "../../kit/money.js";
import { kindOf, named, wagerKey, wagerWords } from "../../kit/names.js";
import { oddsWords, sentence } from "../said.js";
import { colourOf, wheelOf } from "./wheel.js";
import { t } from "../../kit/words.js";

/** Where the lattice lies: its corner at zero and the outer line, the size of a cell, the reach of a line's zone. */
const LYING = {
  upright: false,
  x0: 58,
  y0: 204,
  along: 58,
  across: 56,
  reach: [13, 13],
  zero: 54,
  box: "0 0 848 304",
  r: 16,
};
const UPRIGHT = {
  upright: true,
  x0: 108,
  y0: 36,
  along: 36,
  across: 88,
  reach: [9, 15],
  zero: 34,
  box: "0 0 374 515",
  r: 13,
};
const EVENS = ["low", "even", "red", "black", "odd", "high"];
const EVEN_WORDS = { low: "1 – 18", high: "19 – 36" };
const evenWords = (on) => EVEN_WORDS[on] ?? wagerWords(on).toUpperCase();

const point = ({ upright, x0, y0, along, across }, a, c) =>
  upright ? [x0 + c * across, y0 + a * along] : [x0 + a * along, y0 - c * across];

function boxOf(felt, a0, c0, a1, c1) {
  const [[ax, ay], [bx, by]] = [point(felt, a0, c0), point(felt, a1, c1)];
  return [Math.min(ax, bx), Math.min(ay, by), Math.abs(bx - ax), Math.abs(by - ay)];
}

/** The lattice point of an inside place, by the numbers it covers; nothing where no drawing knows it. */
function latticeOf(on) {
  const [kind, place] = wagerKey(on);
  const numbers = place.split("-").map(Number);
  const [first, second] = numbers;
  const last = numbers.at(-1) ?? 0;
  if (kind === "straight")
    return first === 0 ? [-0.5, 1.5] : [Math.floor((first - 1) / 3) + 0.5, ((first - 1) % 3) + 0.5];
  const a = Math.floor((first - 1) / 3);
  const c = (first - 1) % 3;
  if (first === 0)
    return kind === "split"
      ? [0, second - 0.5]
      : kind === "street"
        ? [0, last === 2 ? 1 : 2]
        : kind === "corner"
          ? [0, 0]
          : null;
  if (kind === "split") return second === first + 3 ? [a + 1, c + 0.5] : [a + 0.5, c + 1];
  return { street: [a + 0.5, 0], six_line: [a + 1, 0], corner: [a + 1, c + 1] }[kind] ?? null;
}

function zoneOf(felt, on, [a, c]) {
  const [ra, rc] = [felt.reach[0] / felt.along, felt.reach[1] / felt.across];
  if (on === "straight:0") return boxOf(felt, -felt.zero / felt.along, 0, -ra, 3);
  const ha = a % 1 === 0 ? ra : 0.5 - ra;
  const hc = c % 1 === 0 ? rc : 0.5 - rc;
  return boxOf(felt, a - ha, c - hc, a > 11 ? 12 : a + ha, c > 2 && c % 1 ? 3 : c + hc);
}

function chipOf(felt, on, [a, c]) {
  if (on === "straight:0")
    return felt.upright ? point(felt, -17 / felt.along, 1.2) : point(felt, -27 / felt.along, 0.9);
  return felt.upright && kindOf(on) === "straight" ? point(felt, a, c - 0.29) : point(felt, a, c);
}

/** The dolly stands on the number: what it won stands in the next cell, on a phone in the one before the last. */
const asideOf = (felt, [, c]) =>
  felt.upright ? { won: c > 2 ? -62 : felt.across, high: 20 } : { won: felt.along, high: 24 };

/** Columns, dozens and even chances: their boxes. */
function outsideBox(felt, on) {
  const [kind, place] = wagerKey(on);
  const k = Number(place);
  if (kind === "column") {
    const [x, y, w, h] = boxOf(felt, 12, k - 1, 13, k);
    return felt.upright ? [x, y, w, 45] : [x, y, 90, h];
  }
  if (kind === "dozen") {
    const [x, y, w, h] = boxOf(felt, 4 * k - 4, 0, 4 * k, 1);
    return felt.upright ? [x - 46, y, 46, h] : [x, felt.y0, w, 50];
  }
  const at = EVENS.indexOf(on);
  if (at < 0) return null;
  const [x, y, w, h] = boxOf(felt, 2 * at, 0, 2 * at + 2, 1);
  return felt.upright ? [x - 106, y, 60, h] : [x, felt.y0 + 50, w, 48];
}

/** The numbers that a wager covers. */
export function covers(on, reds) {
  const [kind, place] = wagerKey(on);
  const all = Array.from({ length: 36 }, (_, index) => index + 1);
  const is = {
    column: (k) => k % 3 === Number(place) % 3,
    dozen: (k) => Math.ceil(k / 12) === Number(place),
    low: (k) => k < 19,
    high: (k) => k > 18,
    even: (k) => k % 2 === 0,
    odd: (k) => k % 2 === 1,
    red: (k) => reds.includes(k),
    black: (k) => !reds.includes(k),
  }[kind];
  return is ? all.filter(is) : place.split("-").map(Number);
}

function numberCell(felt, number, reds) {
  if (number === 0) {
    const [x, y, w, h] = felt.upright ? [felt.x0, felt.y0 - 34, 264, 34] : [4, 36, 54, 168];
    const d = felt.upright
      ? `M${x} ${y + h}V${y + 17}Q${x} ${y} ${x + 26} ${y}H${x + w - 26}Q${x + w} ${y} ${x + w} ${y + 17}V${y + h}Z`
      : `M${x + w} ${y}H${x + 30}Q${x} ${y} ${x} ${y + 44}V${y + h - 44}Q${x} ${y + h} ${x + 30} ${y + h}H${x + w}Z`;
    return group("no zero", path("cell", d), words(0, x + w / 2, y + h / 2 + 8));
  }
  const [a, c] = [Math.floor((number - 1) / 3), (number - 1) % 3];
  const [x, y, w, h] = boxOf(felt, a, c, a + 1, c + 1);
  const [ix, iy] = felt.upright ? [18, 3] : [8, 8];
  // On a phone a chip lies beside the figure, which need not make room.
  const corner = felt.upright ? [] : [words(number, x + 13, y + 16, "idx")];
  return group(
    `no ${colourOf(number, reds)}`,
    rect("cell", [x, y, w, h]),
    rect("loz", [x + ix, y + iy, w - 2 * ix, h - 2 * iy], { rx: 13 }),
    words(number, x + w / 2, y + h / 2 + 7.5, felt.upright ? "" : "figure"),
    ...corner,
  );
}

function outsideArea(felt, on, [x, y, w, h]) {
  const [kind, place] = wagerKey(on);
  const [mid, low] = [x + w / 2, y + h / 2];
  const parts = [rect("shape", [x, y, w, h])];
  if (on === "red" || on === "black") parts.push(rect(`loz ${on}`, [x + 4, y + 4, w - 8, h - 8], { rx: 13 }));
  const title = kind === "dozen" ? t("dozen-short", { number: Number(place) }).toUpperCase() : evenWords(on);
  if (kind === "column") return [...parts, words("", felt.upright ? mid : x + 30, low + 5, "t4 odds")];
  if (felt.upright) {
    const lines = kind === "dozen" ? title.split(" ") : [title];
    const top = y + (h > 100 ? 30 : 22);
    return [
      ...parts,
      ...lines.map((line, index) => words(line, mid, top + 18 * index, "t2")),
      words("", mid, top + 18 * lines.length - 2, "t3 odds"),
    ];
  }
  if (kind === "dozen")
    return [...parts, words(title, mid - 32, low + 9, "t2"), words("", mid + 36, low + 8, "t3 odds")];
  return [...parts, words(title, x + 48, low - 1, "t2"), words("", x + 48, low + 16, "t3 odds")];
}

function outsideChip(felt, on, [x, y, w, h]) {
  if (felt.upright)
    return kindOf(on) === "column" ? [x + w * 0.8, y + h / 2] : [x + w / 2, y + h - (h > 100 ? 24 : 17)];
  return [x + w - (w < 200 ? 21 : 26), y + h / 2];
}

const DOLLY =
  "M-12 0Q-12 -5 -6 -7Q-3 -9 -3.5 -15Q-3.8 -19 -6 -22A8.5 8.5 0 1 1 6 -22Q3.8 -19 3.5 -15Q3 -9 6 -7Q12 -5 12 0Z";

/** The lines of the layout, drawn over the cells. */
function lattice(felt) {
  const line = (from, to) => `M${point(felt, ...from).map(n).join(" ")}L${point(felt, ...to).map(n).join(" ")}`;
  const along = Array.from({ length: 13 }, (_, a) => line([a, 0], [a, 3]));
  const across = Array.from({ length: 4 }, (_, c) => line([0, c], [12, c]));
  return path("grid-lines", [...along, ...across].join(""));
}

/**
 * @param {{offers: string[], view: any, phone: boolean, hands: import("../cloth.js").Hands}} given
 * @returns {import("../cloth.js").Felt}
 */
export function make({ offers, view, phone, hands }) {
  const felt = phone ? UPRIGHT : LYING;
  const { reds } = view;
  const base = cloth({ box: felt.box, label: t("betting-layout"), kind: phone ? "layout phone" : "layout", hands });
  const cells = Array.from({ length: 37 }, (_, number) => numberCell(felt, number, reds));
  const known = new Set();
  const outside = offers.filter((on) => outsideBox(felt, on));
  base.under.append(...cells);
  for (const on of outside) {
    const box = outsideBox(felt, on);
    const [x, y] = outsideChip(felt, on, box);
    base.area(on, { kind: "out", parts: outsideArea(felt, on, box), chip: { x, y, r: felt.r }, tabs: false });
    known.add(on);
  }
  base.under.append(lattice(felt));
  offers.filter((on) => wagerKey(on).length > 1 && !known.has(on)).forEach((on, index) => {
    const at = latticeOf(on);
    if (!at) return;
    const [x, y] = chipOf(felt, on, at);
    base.area(on, {
      kind: "hit",
      parts: [rect("zone", zoneOf(felt, on, at))],
      chip: { x, y, r: felt.r, ...(kindOf(on) === "straight" ? asideOf(felt, at) : {}) },
      tabs: index === 0,
    });
    known.add(on);
  });
  const dolly = svg("g", { class: "dolly", role: "img" }, path("glass", DOLLY), path("shine", "M-8 -3.5H8"));
  const mark = rect("mark", [0, 0, 10, 10], { rx: 4 });
  const [sum, label] = [words("", 424, 24, "sum"), group("say")];
  base.over.append(mark, dolly, sum, label);
  const pressed = pressing(base, { felt, cells, label, reds, hands, oddsOf: (on) => oddsWords(view.odds[on]) });

  const wheel = wheelOf(reds);
  const big = wheelOf(reds, { big: true });
  const fell = html("div", "fell", html("h2"), html("b"), html("p"));
  const bets = ledger();
  const run = html("section", "running", big.element, html("p", "", sentence(t("running-roulette"))));
  run.hidden = true;

  function show(scene) {
    const { layout, settled, spots } = scene;
    base.show(spots);
    bets.show(scene);
    const number = layout.number ?? scene.view.history.at(-1)?.number ?? null;
    const fresh = settled || layout.number !== null;
    wheel.rest(number, { hit: fresh && number !== null });
    const round = settled ? scene.view.history.at(-1)?.round : scene.view.round;
    showFell(fell, { number, reds, round, fresh });
    run.hidden = !scene.moving;
    wheel.element.classList.toggle("away", scene.moving);
    document.body.classList.toggle("spinning", scene.moving);
    if (scene.moving) big.run();
    else big.rest(number);
    settle(scene, settled ? number : null);
  }

  function settle(scene, number) {
    const hit = number !== null && number !== undefined;
    base.element.classList.toggle("decided", hit);
    cells.forEach((cell, index) => {
      cell.classList.toggle("dim", hit && index !== number);
      cell.classList.toggle("taken", Boolean(scene.spots.get(`straight:${index}`)?.bets.length));
    });
    for (const on of outside)
      base.areas.get(on)?.node.classList.toggle("dim", hit && !covers(on, reds).includes(number));
    for (const part of [dolly, mark]) part.setAttribute("visibility", hit ? "visible" : "hidden");
    sum.textContent = hit && !phone ? sumWords(scene.view) : "";
    if (!hit) return;
    const at = latticeOf(`straight:${number}`) ?? [0, 0];
    const [x, y] = chipOf(felt, `straight:${number}`, at);
    dolly.setAttribute("transform", `translate(${n(x + (felt.upright ? 46 : 0))} ${n(y + (felt.upright ? 14 : -6))})`);
    dolly.setAttribute("aria-label", t("dolly-on", { number }));
    const [bx, by, w, h] =
      number === 0
        ? boxOf(felt, -felt.zero / felt.along, 0, 0, 3)
        : boxOf(felt, at[0] - 0.5, at[1] - 0.5, at[0] + 0.5, at[1] + 0.5);
    for (const [name, value] of Object.entries({ x: bx, y: by, width: w, height: h }))
      mark.setAttribute(name, String(value));
  }

  /** The ball falls before the result is shown. */
  const perform = (before, now) => {
    const number = now.layout.number ?? now.history.at(-1)?.number;
    return number === undefined || run.hidden ? Promise.resolve() : big.fall(number);
  };
  return {
    main: [base.element],
    aside: run,
    left: html("div", "spun", wheel.element, fell),
    right: bets.element,
    known,
    show,
    perform,
    gone: pressed.gone,
  };
}

function showFell(fell, { number, reds, round, fresh }) {
  const [title, colour, more] = fell.children;
  const known = number !== null && number !== undefined;
  const when = fresh ? t("round-number", { word: "round", number: round }) : t("previous");
  title.textContent = known ? when.toUpperCase() : "";
  colour.textContent = known ? (number ? named("colour", colourOf(number, reds)) : t("zero")) : "";
  const says =
    known && number
      ? [
          t("number-kinds", { parity: number % 2 ? "odd" : "even", half: number < 19 ? "low" : "high" }),
          t("dozen-of", { number: Math.ceil(number / 12) }),
          t("column-of", { number: ((number - 1) % 3) + 1 }),
        ]
      : [];
  more.replaceChildren(...says.flatMap((line, index) => (index ? [document.createElement("br"), line] : [line])));
}

function sumWords(view) {
  const won = together(view.me.last ?? []).filter(({ stake, returned }) => returned > stake);
  return won.length === 1
    ? `${wagerWords(won[0].on)}: ${(won[0].returned - won[0].stake) / won[0].stake} × ${short(won[0].stake)}` +
      ` = ${short(won[0].returned - won[0].stake)}`
    : "";
}

/** Press, read, release: what is pressed lights up what it covers and says itself over the numbers. */
function pressing(base, { felt, cells, label, reds, hands, oddsOf }) {
  let start = null;
  let now = null;
  const chip = circle("pressed-ring", 0, 0, felt.r + 1);

  /**
   * @param {Element | null} node
   * @param {{byKey?: boolean}} [how] a key bets by Enter, so it is told nothing of a release
   */
  function light(node, { byKey = false } = {}) {
    now = node;
    const on = node?.getAttribute("data-on") ?? "";
    const numbers = on ? covers(on, reds) : [];
    cells.forEach((cell, number) => cell.classList.toggle("covered", numbers.includes(number)));
    if (!on) return label.replaceChildren();
    const { x, y } = base.areas.get(on).chip;
    const text = [wagerWords(on), oddsOf(on)].filter(Boolean).join(", ");
    const wide = text.length * 8.6 + 20;
    const left = Math.min(Math.max(x - wide / 2, 4), (felt.upright ? 370 : 844) - wide);
    const top = felt.upright ? Math.max(2, y - 88) : 2;
    for (const [name, value] of [["cx", x], ["cy", y]]) chip.setAttribute(name, String(value));
    const hint = felt.upright || byKey
      ? []
      : [
          words(
            t("release-to-bet", { amount: short(hands.chip()) }),
            left + wide + 14 > 560 ? left - 14 : left + wide + 14,
            top + 21,
            left + wide + 14 > 560 ? "hint end" : "hint",
          ),
        ];
    const lead = felt.upright ? [] : [path("lead", `M${n(x)} ${top + 30}V${n(y - felt.r - 2)}`)];
    label.replaceChildren(
      ...lead,
      chip,
      rect("", [left, top, wide, 30], { rx: 8 }),
      words(text, left + wide / 2, top + 21),
      ...hint,
    );
  }
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-on]") ?? null;
  const cancel = () => {
    start = null;
    light(null);
  };
  base.element.addEventListener("pointerdown", (event) => {
    start = /** @type {Element} */ (event.target).closest("[data-on]");
    if (start) light(start);
  });
  base.element.addEventListener("pointermove", (event) => {
    if (!start) return;
    const node = under(event);
    if (node !== now) light(base.element.contains(node) ? node : null);
  });
  base.element.addEventListener("pointerup", () => {
    // A release where the press began is a click, and bets as every click does.
    if (start && now && now !== start) hands.tap(now.getAttribute("data-on"));
    cancel();
  });
  base.element.addEventListener("pointercancel", cancel);
  base.element.addEventListener(
    "focusin",
    ({ target }) =>
      /** @type {Element} */ (target).matches(":focus-visible[data-on]") && light(target, { byKey: true }),
  );
  base.element.addEventListener("focusout", () => !start && light(null));
  // What listens to the whole page goes with the felt.
  const laid = new AbortController();
  addEventListener("pointerup", () => start && cancel(), { signal: laid.signal });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !start) return;
    const gone = start;
    cancel();
    gone.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
  }, { signal: laid.signal });
  return { gone: () => laid.abort() };
}
