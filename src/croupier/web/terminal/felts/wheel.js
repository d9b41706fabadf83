/**
 * The roulette wheel: 37 sectors in their order, small in the strip and large while the ball runs.
 *
 * Where the ball falls is the table's to say.  While it runs the rotor turns one way and the ball the other; told the
 * number, both slow down evenly until the ball lies in that pocket at twelve o'clock.  Nothing pretends to stop before.
 *
 * Rotor and ball are layers that the browser turns by itself: a spin runs no script and paints nothing anew.
 */

import { svg } from "../../kit/cards.js";
import { n } from "../chips.js";
import { circle, group, html, path, words } from "../cloth.js";
import { t } from "../../kit/words.js";

export const ORDER = [
  0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29,
  7, 28, 12, 35, 3, 26,
];
const SMALL = { numbers: 96, pockets: 77, cone: 62, numeral: 10.8, ball: 5 };
const LARGE = { numbers: 86, pockets: 70, cone: 57, numeral: 8.4, ball: 3.4 };
const STEP = 360 / ORDER.length;
const BOX = "-100 -100 200 200";
const TRACK = 92.5;
const FALL_MS = 2000;
/** How fast rotor and ball run, in degrees a second, each its own way. */
const [ROTOR, BALL] = [60, 260];

/** A point at r; 0 degrees is twelve o'clock, clockwise. */
export function polar(r, degrees) {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [r * Math.cos(angle), r * Math.sin(angle)];
}

/** The path of a ring's piece. */
export function sector(inner, outer, start, stop) {
  const [a, b, c, d] = [polar(outer, start), polar(outer, stop), polar(inner, stop), polar(inner, start)].map((at) =>
    at.map(n).join(" "),
  );
  return `M${a}A${outer} ${outer} 0 0 1 ${b}L${c}A${inner} ${inner} 0 0 0 ${d}Z`;
}

export const colourOf = (number, reds) => (number === 0 ? "zero" : reds.includes(number) ? "red" : "black");

function rotorOf(rings, reds) {
  const rotor = group("rotor");
  let walls = "";
  const numerals = svg("g", { class: "numerals", "font-size": rings.numeral });
  ORDER.forEach((number, index) => {
    rotor.append(
      path(
        `pk ${colourOf(number, reds)}`,
        sector(rings.cone, rings.numbers, (index - 0.5) * STEP, (index + 0.5) * STEP),
      ),
    );
    const out = n(-(rings.numbers + rings.pockets) / 2 + rings.numeral * 0.36);
    numerals.append(words(number, 0, 0, "", { transform: `rotate(${n(index * STEP)}) translate(0 ${out})` }));
    const [from, to] = [polar(rings.cone, (index + 0.5) * STEP), polar(rings.numbers, (index + 0.5) * STEP)];
    walls += `M${from.map(n).join(" ")}L${to.map(n).join(" ")}`;
  });
  const deep = circle("well", 0, 0, (rings.pockets + rings.cone) / 2, { "stroke-width": rings.pockets - rings.cone });
  rotor.append(
    deep,
    path("wall", walls),
    circle("hair", 0, 0, rings.numbers),
    circle("hair", 0, 0, rings.pockets),
    numerals,
  );
  return rotor;
}

const STUDS = ["M-4 -92.5L0 -94L4 -92.5L0 -91Z", "M0 -96.5L1.6 -92.5L0 -88.5L-1.6 -92.5Z"];

function large() {
  const studs = Array.from({ length: 8 }, (_, index) =>
    path("stud", STUDS[index % 2], { transform: `rotate(${22.5 + 45 * index})` }),
  );
  const spokes = Array.from(
    { length: 8 },
    (_, index) =>
      `M${polar(20, 45 * index)
        .map(n)
        .join(" ")}L${polar(50, 45 * index)
        .map(n)
        .join(" ")}`,
  ).join("");
  return {
    studs,
    cone: [circle("hair", 0, 0, 50), path("hair", spokes), circle("hub", 0, 0, 20), circle("hair", 0, 0, 12)],
  };
}

/** A layer of a wheel: a drawing of its own, so that turning it paints nothing anew. */
export const layer = (kind, box, ...children) =>
  svg("svg", { class: `layer ${kind}`, viewBox: box, "aria-hidden": "true" }, ...children);

/** What slows down evenly, and what begins to move evenly faster: both are squares of the time. */
export const SLOWING = "cubic-bezier(.3333, .6667, .6667, 1)";
const FALLING = "cubic-bezier(.3333, 0, .6667, .3333)";

/** Turn a layer from one angle to another. @param {Element} what @param {KeyframeAnimationOptions} how */
export const turning = (what, from, to, how) =>
  what.animate({ transform: [`rotate(${from}deg)`, `rotate(${to}deg)`] }, how);

/** How long a movement has run, in milliseconds. */
const ran = (movement) => Number(movement?.currentTime ?? 0);

/**
 * A wheel that can be shown at rest and made to turn.
 * @param {number[]} reds
 * @param {{big?: boolean}} how
 */
export function wheelOf(reds, { big = false } = {}) {
  const rings = big ? LARGE : SMALL;
  const more = big ? large() : { studs: [], cone: [] };
  const rotor = rotorOf(rings, reds);
  const ball = circle("ball", 0, 0, rings.ball);
  const won = path("won", sector(rings.cone, rings.numbers, -STEP / 2, STEP / 2));
  const disc = group("says", circle("disc", 0, 0, 44), words("", 0, 18));
  const [turns, rolls] = [layer("turns", BOX, rotor), layer("rolls", BOX, ball)];
  const arm = html("div", "layer arm", rolls);
  const element = html(
    "div",
    big ? "wheel large" : "wheel",
    layer("", BOX, circle("bowl", 0, 0, 99), ...more.studs),
    turns,
    layer("", BOX, circle("cone", 0, 0, rings.cone), ...more.cone, won, ...(big ? [] : [disc])),
    arm,
  );
  element.setAttribute("role", "img");
  const deep = (rings.pockets + rings.cone) / 2;
  const track = big ? TRACK : 88;
  /** What moves now. @type {Animation[]} */
  let moving = [];
  let running = false;
  let turned = 0;

  /** Everything that moved stands, with the rotor at this angle and the ball so far out at twelve o'clock. */
  const put = (angle, out) => {
    for (const each of moving.splice(0)) each.cancel();
    turned = angle;
    rotor.setAttribute("transform", `rotate(${n(angle)})`);
    ball.setAttribute("cy", String(-out));
  };
  const restOf = (number) => -ORDER.indexOf(number) * STEP;

  /** At rest, the ball in its pocket at twelve o'clock; with no number yet there is no ball. */
  function rest(number, { hit = false } = {}) {
    running = false;
    const known = number !== null && number !== undefined;
    put(known ? restOf(number) : 0, deep);
    ball.setAttribute("visibility", known ? "visible" : "hidden");
    won.setAttribute("visibility", hit ? "visible" : "hidden");
    disc.setAttribute("class", `says ${known ? colourOf(number, reds) : "zero"}`);
    disc.lastChild.textContent = known ? String(number) : "";
    element.setAttribute(
      "aria-label",
      known ? t("ball-rests-in", { number }) : t("roulette-rests"),
    );
  }

  /** The ball runs until it is told where it falls. */
  function run() {
    if (running) return;
    running = true;
    element.setAttribute("aria-label", t("running-roulette"));
    ball.setAttribute("visibility", "visible");
    won.setAttribute("visibility", "hidden");
    put(turned, track);
    moving = [
      turning(turns, 0, 360, { duration: 360_000 / ROTOR, iterations: Infinity }),
      turning(arm, 0, -360, { duration: 360_000 / BALL, iterations: Infinity }),
    ];
  }

  /** The ball falls: both come to rest, evenly slower, with the number on top. */
  async function fall(number) {
    if (!running) run();
    const [from, ballFrom] = [(ran(moving[0]) * ROTOR) / 1000, (-ran(moving[1]) * BALL) / 1000];
    put(turned, track);
    // The way each goes while it slows down evenly, rounded up to where it has to stop.
    const short = restOf(number) - turned;
    const rotorEnds = short + 360 * Math.ceil((from + ROTOR - short) / 360);
    const ballEnds = -360 * Math.ceil((BALL - ballFrom) / 360);
    const how = { duration: FALL_MS, easing: SLOWING, fill: /** @type {FillMode} */ ("forwards") };
    const inwards = `translateY(${n((track - deep) / 2)}%)`;
    moving = [
      turning(turns, from, rotorEnds, how),
      turning(arm, ballFrom, ballEnds, how),
      rolls.animate(
        [
          { transform: "translateY(0%)" },
          { transform: "translateY(0%)", offset: 0.55, easing: FALLING },
          { transform: inwards },
        ],
        { ...how, easing: "linear" },
      ),
    ];
    await moving[0].finished.then(() => rest(number, { hit: true }), () => {});
  }
  rest(null);
  return { element, rest, run, fall };
}
