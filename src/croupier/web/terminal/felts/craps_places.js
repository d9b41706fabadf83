/**
 * Where everything lies on the craps layout: zones with their boxes, paths where they are no plain box, and chip
 * places.
 *
 * @typedef {{box: number[], d?: string, chip: import("../chips.js").Place, prop?: boolean}} Zone
 */

export const NUMBERS = [4, 5, 6, 8, 9, 10];

/** A shallow zone: the pile at its left, the amount beside it. */
const side = ([x, y, , h], { r = 14, left = 19, high = 20 } = {}) => ({
  x: x + left,
  y: y + h / 2 + 2,
  r,
  how: /** @type {const} */ ("beside"),
  high,
});
/** @returns {Zone} */
const zone = (x, y, w, h, more = {}) => ({ box: [x, y, w, h], chip: side([x, y, w, h]), ...more });

/** The customary layout, one end of the table: 588 by 498. @returns {Record<string, Zone>} */
export function line() {
  const zones = { dont_come: zone(58, 4, 82, 212, { chip: { x: 99, y: 186, r: 16 } }) };
  NUMBERS.forEach((number, index) => {
    const x = 140 + index * 74;
    zones[`lay:${number}`] = zone(x, 4, 74, 45);
    zones[`buy:${number}`] = zone(x, 49, 74, 45);
    zones[`number:${number}`] = zone(x, 94, 74, 77);
    zones[`place:${number}`] = zone(x, 171, 74, 45);
  });
  const at = (x, y, r = 15) => ({ x, y, r, how: /** @type {const} */ ("beside"), high: 22 });
  return Object.assign(zones, {
    come: zone(58, 222, 526, 62, { chip: at(96, 254) }),
    field: zone(184, 284, 400, 66, { chip: at(206, 333, 13) }),
    dont_pass: zone(184, 350, 400, 46, { chip: at(202, 374) }),
    big_six: zone(58, 284, 126, 112, { d: "M58 284H184L77 379Q58 366 58 344Z", chip: { x: 130, y: 304, r: 14 } }),
    big_eight: zone(58, 284, 126, 112, { d: "M184 284V396H118Q92 396 77 379Z", chip: { x: 122, y: 372, r: 14 } }),
    pass: zone(4, 4, 580, 444, { d: "M4 4H52V360Q52 402 94 402H584V448H80Q4 448 4 372Z", chip: at(196, 426) }),
    dont_pass_behind: zone(84, 452, 240, 45, {
      d: "M96 452H320V497H96Q84 497 84 485V464Q84 452 96 452Z",
      chip: at(110, 475, 14),
    }),
    pass_odds: zone(330, 452, 254, 45, { d: "M330 452H584V497H330Z", chip: at(352, 475, 14) }),
  });
}

/** The centre block: hard ways and one-roll wagers. @returns {Record<string, Zone>} */
export function centre(wide) {
  const [half, quarter] = [wide / 2, wide / 4];
  const right = (y) => ({ ...side([wide - 96, y, 96, 46]), r: 15 });
  const zones = { any_seven: zone(0, 0, wide, 46, { chip: right(0) }) };
  [6, 10, 8, 4].forEach((number, index) => {
    const [x, y] = [half * (index % 2), 46 + 50 * Math.floor(index / 2)];
    zones[`hardway:${number}`] = zone(x, y, half, 50, { chip: { x: x + half * 0.74, y: y + 26, r: 14 } });
  });
  ["craps_two", "craps_three", "eleven", "craps_twelve"].forEach((on, index) => {
    zones[on] = zone(quarter * index, 146, quarter, 58, { chip: { x: quarter * (index + 0.5), y: 186, r: 14 } });
  });
  zones.any_craps = zone(0, 204, wide, 46, { chip: right(204) });
  ["horn", "world", "c_and_e"].forEach(
    (on, index) =>
      (zones[on] = zone((wide / 3) * index, 250, wide / 3, 46, {
        chip: { x: (wide / 3) * (index + 0.5), y: 270, r: 13 },
      })),
  );
  [2, 3, 11, 12].forEach(
    (number, index) =>
      (zones[`horn_high:${number}`] = zone(quarter * index, 296, quarter, 46, {
        chip: { x: quarter * (index + 0.5), y: 315, r: 13 },
      })),
  );
  return Object.fromEntries(Object.entries(zones).map(([on, each]) => [on, { ...each, prop: true }]));
}

/** The line half of the phone, 374 by 288: no target lower than 44. @returns {Record<string, Zone>} */
export function half() {
  const zones = {};
  NUMBERS.forEach((number, index) => {
    const x = 2 + index * 61.6;
    zones[`number:${number}`] = zone(x, 2, 61.6, 54);
    zones[`place:${number}`] = zone(x, 56, 61.6, 44, { chip: { x: x + 31, y: 76, r: 13 } });
  });
  const at = (x, y) => ({ x, y, r: 14, how: /** @type {const} */ ("beside"), high: 20 });
  return Object.assign(zones, {
    dont_come: zone(2, 105, 118, 44, { chip: at(76, 130) }),
    come: zone(120, 105, 252, 44, { chip: at(148, 128) }),
    field: zone(2, 149, 370, 45, { chip: at(302, 173) }),
    big_six: zone(2, 194, 62, 44, { chip: { x: 33, y: 214, r: 13 } }),
    big_eight: zone(64, 194, 62, 44, { chip: { x: 95, y: 214, r: 13 } }),
    dont_pass: zone(126, 194, 246, 44, { chip: { x: 144, y: 214, r: 13 } }),
    pass: zone(2, 242, 184, 44, { chip: at(20, 265) }),
    pass_odds: zone(190, 242, 90, 44, { chip: { x: 210, y: 262, r: 13 } }),
    dont_pass_behind: zone(284, 242, 88, 44, { chip: { x: 304, y: 262, r: 13 } }),
  });
}

/**
 * The other half, of the same size: lay and buy for each number, hard ways, one-roll wagers.
 * @returns {Record<string, Zone>}
 */
export function other() {
  const zones = {};
  const small = (x, y, w, h) => zone(x, y, w, h, { chip: { x: x + w / 2, y: y + h / 2 - 2, r: 13 } });
  NUMBERS.forEach((number, index) => {
    zones[`lay:${number}`] = small(2 + index * 61.6, 2, 61.6, 44);
    zones[`buy:${number}`] = small(2 + index * 61.6, 46, 61.6, 44);
  });
  const laid = (names, y, h) =>
    names.forEach(
      (on, index) =>
        (zones[on] = { ...small(2 + (370 / names.length) * index, y, 370 / names.length, h), prop: true }),
    );
  const moved = (names, part) => names.forEach((on) => (zones[on].chip.x = zones[on].box[0] + zones[on].box[2] * part));
  laid(["any_seven", "any_craps"], 92, 44);
  moved(["any_seven", "any_craps"], 0.84);
  laid(["hardway:4", "hardway:6", "hardway:8", "hardway:10"], 136, 52);
  moved(["hardway:4", "hardway:6", "hardway:8", "hardway:10"], 0.76);
  laid(["craps_two", "craps_three", "eleven", "craps_twelve"], 188, 52);
  laid(["horn", "world", "c_and_e", "horn_high:2", "horn_high:3", "horn_high:11", "horn_high:12"], 242, 44);
  return zones;
}
