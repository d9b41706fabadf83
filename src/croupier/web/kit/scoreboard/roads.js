/**
 * The five roads of a baccarat scoreboard, from a list of results; nothing here draws.
 *
 * Bead plate: every hand, down six, then the next column.  Big road: Player and Banker only; the same winner goes down,
 * a change starts a new column, and a streak that meets the floor or a taken cell turns right and stays on its row.  A
 * tie marks the entry before it.  The derived roads compare streak lengths `back` streaks apart (1 big eye boy, 2 small
 * road, 3 cockroach road): red is regular, blue is not, whoever won.
 *
 * @typedef {"P" | "B" | "T"} Side
 * @typedef {{column: number, row: number}} Cell
 */

export const ROWS = 6;

/**
 * The streaks, before they are drawn: each with its side, and the ties that followed each of its entries.  Ties before
 * any entry count for the first one.
 * @param {Side[]} sides
 * @returns {{side: Side, ties: number[], hands: number[]}[]}
 */
export function streaks(sides) {
  const found = [];
  let leading = 0;
  sides.forEach((side, hand) => {
    const last = found.at(-1);
    if (side === "T") {
      if (last) last.ties[last.ties.length - 1] += 1;
      else leading += 1;
    } else if (last?.side === side) {
      last.ties.push(0);
      last.hands.push(hand);
    } else {
      found.push({ side, ties: [0], hands: [hand] });
    }
  });
  if (found.length) found[0].ties[0] += leading;
  return found;
}

/**
 * Where the entries of streaks of these lengths lie.
 * @param {number[]} lengths
 * @returns {Cell[]}
 */
export function place(lengths) {
  const taken = new Set();
  const cells = [];
  let start = -1;
  for (const length of lengths) {
    do start += 1;
    while (taken.has(`${start} 0`));
    let [column, row, turned] = [start, 0, false];
    for (let index = 0; index < length; index += 1) {
      if (index && !turned && row + 1 < ROWS && !taken.has(`${column} ${row + 1}`)) row += 1;
      else if (index) [turned, column] = [true, column + 1];
      taken.add(`${column} ${row}`);
      cells.push({ column, row });
    }
  }
  return cells;
}

/** @param {Side[]} sides @returns {(Cell & {side: Side, hand: number})[]} */
export function bead(sides) {
  return sides.map((side, hand) => ({ column: Math.floor(hand / ROWS), row: hand % ROWS, side, hand }));
}

/** @param {Side[]} sides @returns {(Cell & {side: Side, ties: number, hand: number})[]} */
export function bigRoad(sides) {
  const found = streaks(sides);
  const entries = found.flatMap(({ side, ties, hands }) =>
    ties.map((count, index) => ({ side, ties: count, hand: hands[index] })),
  );
  return place(found.map(({ ties }) => ties.length)).map((cell, index) => ({ ...cell, ...entries[index] }));
}

/**
 * The colours of a derived road, in order.
 * @param {Side[]} sides
 * @param {number} back
 * @returns {("red" | "blue")[]}
 */
export function derivedColours(sides, back) {
  const lengths = streaks(sides).map(({ ties }) => ties.length);
  const colours = [];
  lengths.forEach((length, column) => {
    for (let row = 0; row < length; row += 1) {
      if (row === 0 && column >= back + 1)
        colours.push(lengths[column - 1] === lengths[column - 1 - back] ? "red" : "blue");
      else if (row > 0 && column >= back) colours.push(lengths[column - back] === row ? "blue" : "red");
    }
  });
  return colours;
}

/** A derived road as it is drawn. @param {Side[]} sides @param {number} back */
export function derived(sides, back) {
  const colours = derivedColours(sides, back);
  const lengths = [];
  colours.forEach((colour, index) =>
    colour === colours[index - 1] ? (lengths[lengths.length - 1] += 1) : lengths.push(1),
  );
  return place(lengths).map((cell, index) => ({ ...cell, colour: colours[index] }));
}
