/**
 * Dice, flat and ivory: as on Chinese dice for tai-sai (one and four red, the one large), dark pips at craps.
 */

import { svg } from "../../kit/cards.js";
import { n } from "../chips.js";
import { circle, rect } from "../cloth.js";
import { t } from "../../kit/words.js";

const PIPS = {
  1: [[50, 50]],
  2: [[28, 28], [72, 72]],
  3: [[26, 26], [50, 50], [74, 74]],
  4: [[29, 29], [71, 29], [29, 71], [71, 71]],
  5: [[28, 28], [72, 28], [50, 50], [28, 72], [72, 72]],
  6: [[30, 25], [70, 25], [30, 50], [70, 50], [30, 75], [70, 75]],
};

/** One die with its left upper corner at (x, y). @param {number} face @param {{chinese?: boolean}} [how] */
export function die(face, x, y, size, { chinese = true } = {}) {
  const red = chinese && (face === 1 || face === 4);
  const pips = (PIPS[face] ?? []).map(([px, py]) =>
    circle(red ? "pip-r" : "pip-k", px, py, chinese && face === 1 ? 16 : 10.5),
  );
  return svg(
    "g",
    { class: "die", transform: `translate(${n(x)} ${n(y)}) scale(${n(size / 100)})` },
    rect("ivory", [2, 2, 96, 96], { rx: 20 }),
    ...pips,
  );
}

/** Faces side by side, or one under the other, about a middle. */
export function row(all, cx, cy, size, { gap = 3, down = false, chinese = true } = {}) {
  const length = all.length * size + (all.length - 1) * gap;
  return all.map((face, index) => {
    const off = -length / 2 + index * (size + gap);
    return down
      ? die(face, cx - size / 2, cy + off, size, { chinese })
      : die(face, cx + off, cy - size / 2, size, { chinese });
  });
}

/** A throw outside the layout. @param {number[]} all @param {string} kind @param {{chinese?: boolean}} [how] */
export function faces(all, kind, how = {}) {
  const gap = kind === "rolled" ? 18 : 12;
  const wide = all.length * 100 + (all.length - 1) * gap;
  const drawn = all.map((face, index) => die(face, index * (100 + gap), 0, 100, how));
  return svg(
    "svg",
    {
      class: `dice ${kind}`,
      viewBox: `0 0 ${wide} 100`,
      role: "img",
      "aria-label": t("dice", { faces: all.join(", ") }),
    },
    ...drawn,
  );
}
