/**
 * A table seen from a player's place: an arc round the dealer, with wedges, circles, cards and totals.
 *
 * Angles are degrees from straight down, positive to the right, around a centre above the felt.  The player looks at
 * the dealer, so the dealer's left is on the right: box 1 lies at the right end and play goes clockwise.
 */

import { cardBack, cardFront, cardPlace } from "../../kit/cards.js";
import { svg } from "../../kit/cards.js";
import { n } from "../chips.js";
import { group, words } from "../cloth.js";

const radians = (degrees) => (degrees * Math.PI) / 180;

/**
 * @param {{cx: number, cy: number, r: number, step?: number, boxes?: number, circle?: number, lean?: number, beside?:
 * number, cards?: number, rail?: number}} given
 */
export function arcOf({
  cx,
  cy,
  r,
  step = 0,
  boxes = 1,
  circle = 35,
  lean = 1.6,
  beside = 3.7,
  cards = -93,
  rail = 75,
}) {
  const at = (angle, out) => [cx + out * Math.sin(radians(angle)), cy + out * Math.cos(radians(angle))];
  const pair = (angle, out) => at(angle, out).map(n).join(" ");
  const band = (inner, outer, half, middle = 0) => {
    const [a, b] = [middle - half, middle + half];
    const [near, far] = [`A${inner} ${inner} 0 0 0 ${pair(b, inner)}`, `A${outer} ${outer} 0 0 1 ${pair(a, outer)}`];
    return `M${pair(a, inner)}${near}L${pair(b, outer)}${far}Z`;
  };
  const angleOf = (box) => ((boxes + 1) / 2 - box) * step;
  return {
    at,
    r,
    rail,
    band,
    smile: (out, half) => `M${pair(-half, out)}A${out} ${out} 0 0 0 ${pair(half, out)}`,
    place: (box) => {
      const angle = angleOf(box);
      return {
        box,
        tilt: -angle * 0.8,
        wedge: band(r + cards - 52, r + rail, step / 2, angle),
        circle: at(angle - lean, r),
        sevens: at(angle + beside, r + 4),
        cards: at(angle, r + cards),
        name: at(angle - lean, r + circle + 23),
        line: at(angle - lean, 501),
      };
    },
  };
}

/** A card with its middle at (x, y); `?` for its back, an empty name for an empty place. */
export function card(name, x, y, wide = 64, turn = 0) {
  const drawn = !name ? cardPlace() : name === "?" ? cardBack() : cardFront(name);
  for (const [key, value] of Object.entries({ x: -50, y: -70, width: 100, height: 140 }))
    drawn.setAttribute(key, String(value));
  return svg(
    "g",
    { class: "card-at", transform: `translate(${n(x)} ${n(y)}) rotate(${n(turn)}) scale(${n(wide / 100)})` },
    drawn,
  );
}

/** A hand's total, or a word, with its middle at (x, y). */
export function pill(text, x, y, { kind = "total", high = 24 } = {}) {
  const wide = Math.max(high + 6, text.length * high * 0.345 + high * 0.7);
  return svg(
    "g",
    { class: `${kind} h${high}` },
    svg("rect", { x: n(x - wide / 2), y: n(y - high / 2), width: n(wide), height: high, rx: 7 }),
    words(text, n(x), n(y + high * 0.27)),
  );
}

/** A pill that stays level on a hand that is turned. */
function level(text, x, y, tilt, how) {
  return svg("g", { transform: `rotate(${n(-tilt)} ${n(x)} ${n(y)})` }, pill(text, x, y, how));
}

const WIDTHS = { 1: 64, 2: 64, 3: 58, 4: 52 };

/** Cards of one hand, fanned; they grow narrower before they hide each other's rank. */
export function fanned(cards, total, { wide = 0, room = 106, tilt = 0, now = false, high = 24 } = {}) {
  const each = wide || (WIDTHS[cards.length] ?? 46);
  const step = Math.min(each * 0.53, (room - each) / Math.max(cards.length - 1, 1));
  const off = (index) => index - (cards.length - 1) / 2;
  const drawn = cards.map((name, index) =>
    card(name, off(index) * step, Math.abs(off(index)) * 1.2, each, off(index) * 4),
  );
  if (total)
    drawn.push(
      level(total, off(0) * step - each * 0.26 + Math.max(0, total.length - 2) * 3.2, each * 0.58, tilt, {
        kind: now ? "total now" : "total",
        high,
      }),
    );
  return drawn;
}

/** Split hands in one wedge: each a column that grows towards the player, its total on its last card. */
export function columns(hands, { tilt = 0, room = 106, high = 108, now = 0 } = {}) {
  const wide = { 1: 60, 2: 46, 3: 34 }[hands.length] ?? 28;
  const across = hands.length > 1 ? (room - wide) / (hands.length - 1) : 0;
  return hands.flatMap(({ cards, total }, index) => {
    const step = Math.min(wide * 0.46, (high - wide * 1.4) / Math.max(cards.length - 1, 1));
    const [x, top] = [(index - (hands.length - 1) / 2) * across, (-(cards.length - 1) * step) / 2];
    const drawn = cards.map((name, at) => card(name, x, top + at * step, wide));
    return total
      ? [
          ...drawn,
          level(total, x - wide * 0.22, top + (cards.length - 1) * step + wide * 0.56, tilt, {
            kind: now === index + 1 ? "total now" : "total",
            high: 20,
          }),
        ]
      : drawn;
  });
}

/** The shoe at the dealer's left, a card in its mouth: where every card comes from. */
export function shoe(x, y) {
  const body =
    `M${x + 18} ${y + 4}L${x + 36} ${y}H${x + 96}Q${x + 104} ${y} ${x + 104} ${y + 8}V${y + 60}` +
    `Q${x + 104} ${y + 68} ${x + 96} ${y + 68}H${x + 36}L${x + 18} ${y + 64}Z`;
  const drawn = group(
    "",
    svg("rect", { class: "leaf", x: x - 22, y: y + 10, width: 60, height: 48, rx: 4 }),
    svg("path", { class: "device", d: body }),
    svg("path", { class: "device", d: `M${x + 46} ${y + 9}H${x + 95}V${y + 59}H${x + 46}Z` }),
  );
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

/** Draw a part again only if what it shows has changed; cards that were not there before are dealt in. */
export function redraw(place, key, drawn) {
  if (place.dataset.key === key) return;
  const before = new Set([...place.querySelectorAll(".card")].map((each) => each.getAttribute("aria-label")));
  place.dataset.key = key;
  place.replaceChildren(...drawn());
  for (const each of place.querySelectorAll(".card[role=img]"))
    if (!before.has(each.getAttribute("aria-label"))) each.classList.add("dealt");
}
