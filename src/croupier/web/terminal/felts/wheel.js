/**
 * The roulette wheel: 37 sectors in their order, small in the strip and large while the ball runs.
 *
 * Where the ball falls is the table's to say.  While it runs the rotor turns one way and the ball the other; told the
 * number, both slow down evenly until the ball lies in that pocket at twelve o'clock.  Nothing pretends to stop before.
 */

import { svg } from "../../kit/cards.js";
import { n } from "../chips.js";
import { circle, group, path, words } from "../cloth.js";
import { t } from "../../kit/words.js";

export const ORDER = [
  0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29,
  7, 28, 12, 35, 3, 26,
];
const SMALL = { numbers: 96, pockets: 77, cone: 62, numeral: 10.8, ball: 5 };
const LARGE = { numbers: 86, pockets: 70, cone: 57, numeral: 8.4, ball: 3.4 };
const STEP = 360 / ORDER.length;
const TRACK = 92.5;
const FALL_MS = 2000;

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
  const element = svg("svg", { class: big ? "wheel large" : "wheel", viewBox: "-100 -100 200 200", role: "img" });
  element.append(
    circle("bowl", 0, 0, 99),
    ...more.studs,
    rotor,
    circle("cone", 0, 0, rings.cone),
    ...more.cone,
    won,
    ball,
    ...(big ? [] : [disc]),
  );
  const deep = (rings.pockets + rings.cone) / 2;
  let frame = 0;
  let turned = 0;
  let running = 0;

  const put = (rotorAt, ballAt, out) => {
    rotor.setAttribute("transform", `rotate(${n(rotorAt)})`);
    const [x, y] = polar(out, ballAt);
    ball.setAttribute("cx", String(n(x)));
    ball.setAttribute("cy", String(n(y)));
  };
  const restOf = (number) => -ORDER.indexOf(number) * STEP;

  /** At rest, the ball in its pocket at twelve o'clock; with no number yet there is no ball. */
  function rest(number, { hit = false } = {}) {
    cancelAnimationFrame(frame);
    running = 0;
    const known = number !== null && number !== undefined;
    turned = known ? restOf(number) : 0;
    put(turned, 0, deep);
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
    running = performance.now();
    element.setAttribute("aria-label", t("running-roulette"));
    ball.setAttribute("visibility", "visible");
    won.setAttribute("visibility", "hidden");
    const from = turned;
    const step = (now) => {
      const seconds = (now - running) / 1000;
      turned = from + seconds * 60;
      put(turned, -seconds * 260, big ? TRACK : 88);
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }

  /** The ball falls: both come to rest, evenly slower, with the number on top. */
  function fall(number) {
    if (!running) run();
    cancelAnimationFrame(frame);
    const began = performance.now();
    const seconds = (began - running) / 1000;
    const [from, ballFrom] = [turned, -seconds * 260];
    // The way each goes while it slows down evenly, rounded up to where it has to stop.
    const rotorEnds = restOf(number) + 360 * Math.ceil((from + 60 - restOf(number)) / 360);
    const ballEnds = -360 * Math.ceil((260 - ballFrom) / 360);
    return new Promise((done) => {
      const step = (now) => {
        const part = Math.min(1, (now - began) / FALL_MS);
        const eased = 1 - (1 - part) ** 2;
        const out =
          part < 0.55
            ? big
              ? TRACK
              : 88
            : (big ? TRACK : 88) + ((part - 0.55) / 0.45) ** 2 * (deep - (big ? TRACK : 88));
        put(from + (rotorEnds - from) * eased, ballFrom + (ballEnds - ballFrom) * eased, out);
        if (part < 1) frame = requestAnimationFrame(step);
        else {
          rest(number, { hit: true });
          done(undefined);
        }
      };
      frame = requestAnimationFrame(step);
    });
  }
  rest(null);
  return { element, rest, run, fall };
}
