/**
 * A card to squeeze: it lies face down, is pushed up by a finger to show its edge, and turns when it was pushed far
 * enough, tapped, or chosen by key.  What it shows is on the table already; nobody waits for it.
 */

import { cardBack, cardFront, svg } from "../../kit/cards.js";
import { t } from "../../kit/words.js";

/** How far a card is pushed until it turns. */
const ENOUGH = 0.55;

/**
 * @param {string} name
 * @param {{lying: boolean, turned: () => void}} how
 */
export function squeezedCard(name, { lying, turned }) {
  const [wide, high] = lying ? [140, 100] : [100, 140];
  const size = { x: 0, y: 0, width: wide, height: high };
  const laid = (card) => {
    for (const [key, value] of Object.entries(size)) card.setAttribute(key, String(value));
    card.setAttribute("aria-hidden", "true");
    return card;
  };
  const cover = svg("g", {}, laid(cardBack({ lying })));
  const card = svg(
    "svg",
    { class: `card squeeze${lying ? " lying" : ""}`, viewBox: `0 0 ${wide} ${high}`, role: "button", tabindex: 0 },
    laid(cardFront(name, { lying })),
    cover,
  );
  card.setAttribute("aria-label", t("squeeze-card"));
  let from = 0;
  let pushed = 0;
  const push = (part) => {
    pushed = Math.min(1, Math.max(0, part));
    cover.setAttribute("transform", `translate(0 ${(-pushed * high).toFixed(1)})`);
  };
  card.addEventListener("pointerdown", (event) => {
    from = event.clientY;
    card.setPointerCapture(event.pointerId);
  });
  card.addEventListener("pointermove", (event) => {
    if (from) push((from - event.clientY) / card.getBoundingClientRect().height);
  });
  card.addEventListener("pointerup", () => {
    const still = pushed < 0.05;
    from = 0;
    if (still || pushed > ENOUGH) turned();
    else push(0);
  });
  card.addEventListener("pointercancel", () => {
    from = 0;
    push(0);
  });
  card.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && turned());
  return card;
}
