/**
 * What a dealer does with chips, colours, wagers, commissions and seats: one list, an entry an act.
 *
 * An entry has the command that it orders, the fields that it asks for, and the words for when it is done.  What a
 * table does not know, because its layout has no rack or its law lets nobody owe a commission, is not offered there.
 * Where somebody above the dealer must order it, the view says who (`asks`).
 *
 * @typedef {{view: any, settled: any[]}} Here what the page knows: the view, and the wagers settled of late
 * @typedef {Omit<import("../kit/form.js").Field, "options" | "value"> & {options?: (here: Here) => [string, string][],
 *           value?: (here: Here) => string, shown?: (here: Here) => boolean}} Asked
 * @typedef {{name: string, group: string, words: string, type: string, main: string, about?: string, fields: Asked[],
 *            shown?: (here: Here) => boolean, role?: (given: any, here: Here) => string | undefined,
 *            parts?: (given: any, here: Here) => object, done: (given: any, here: Here) => string}} Act
 *   `parts` are those of the command, where they are not what the fields are called
 */

import { dollars } from "../kit/money.js";
import { wagerWords } from "../kit/names.js";

const sum = (chips) => dollars(chips.reduce((all, chip) => all + chip, 0));
const hasRack = ({ view }) => Boolean(view.layout.rack);
const defers = ({ view }) => Boolean(view.asks.DeferCommission);
const management = ({ view }) => view.asks["by management"];
const rackOf = ({ view }) => view.layout.rack ?? {};

/** @type {(here: Here) => [string, string][]} */
const players = ({ view }) =>
  view.players
    .filter(({ terminal }) => !terminal)
    .sort((one, other) => (one.seat || 99) - (other.seat || 99))
    .map(({ name, seat }) => [name, seat ? `${name}, seat ${seat}` : `${name}, standing`]);

/** @type {(here: Here) => [string, string][]} */
const seats = ({ view }) => {
  const taken = view.players.map(({ seat }) => seat);
  const all = Array.from({ length: view.seating.seats }, (_, index) => index + 1);
  const free = all.filter((seat) => !taken.includes(seat));
  return [...free.map((seat) => /** @type {[string, string]} */ ([String(seat), `Seat ${seat}`])), ["0", "Standing"]];
};

/** @type {(here: Here) => [string, string][]} */
const wagers = ({ view }) =>
  view.wagers.map(({ number, by, on, stake }) => [String(number), `${by}: ${wagerWords(on)} ${dollars(stake)}`]);

/** @type {(here: Here) => [string, string][]} */
const settled = (here) =>
  here.settled.map(({ round, number, player, on, returned }) => [
    `${round} ${number}`,
    `Round ${round}, ${player}: ${wagerWords(on)}, due ${dollars(returned)}`,
  ]);

/** @type {(here: Here) => [string, string][]} */
const colours = (here) =>
  Object.entries(rackOf(here)).map(([colour, { value, by }]) => [colour, `${colour}, ${dollars(value)}, ${by}`]);

/** @type {(here: Here) => [string, string][]} */
const reviewed = ({ view }) =>
  view.disputes
    .filter(({ resolved, review }) => resolved && review)
    .map(({ number, complainant, about, review }) => [String(number), `${complainant}, ${about}: the ${review}`]);

const wagerOf = ({ wager }, { view }) => view.wagers.find(({ number }) => String(number) === wager);

/** @type {Asked} */
const PLAYER = { name: "player", label: "Player", kind: "select", options: players };
/** Somebody who may have left already, too. @type {Asked} */
const ANYBODY = { name: "player", label: "Player", options: players };
/** @type {Asked} */
const AMOUNT = { name: "amount", label: "Amount", kind: "money" };

/** @type {Act[]} */
const CHIPS = [
  {
    name: "buy",
    group: "Chips",
    words: "Sell chips",
    type: "BuyChips",
    main: "Sell the chips",
    fields: [
      PLAYER,
      AMOUNT,
      {
        name: "tender",
        label: "Given for them",
        kind: "select",
        options: () => [["cash", "Cash"], ["voucher", "Voucher"], ["token", "Token"], ["chips", "Chips"]],
      },
    ],
    done: ({ player, amount }) => `${player} has bought chips for ${dollars(amount)}.`,
  },
  {
    name: "redeem",
    group: "Chips",
    words: "For cash",
    type: "RedeemChips",
    main: "Pay the chips out",
    fields: [
      ANYBODY,
      AMOUNT,
      { name: "cheque", label: "Of it by cheque", kind: "money", optional: true },
      { name: "promotional", label: "Promotional chips", kind: "check" },
    ],
    done: ({ player, amount }) => `${player} was paid ${dollars(amount)} for chips.`,
  },
  {
    name: "exchange",
    group: "Chips",
    words: "Exchange",
    type: "ExchangeChips",
    main: "Exchange the chips",
    fields: [
      PLAYER,
      { name: "given", label: "Chips given", kind: "chips", hint: "100" },
      { name: "wanted", label: "Chips wanted", kind: "chips", hint: "4x25" },
    ],
    done: ({ player, given }) => `${player} has other chips for ${sum(given)}.`,
  },
  {
    name: "tip",
    group: "Chips",
    words: "Tip",
    type: "Tip",
    main: "Offer it",
    about: "What the table answers when a tip is offered, with its rule.",
    fields: [PLAYER, AMOUNT],
    done: ({ amount }) => `A tip of ${dollars(amount)} was taken.`,
  },
  {
    name: "unclaimed",
    group: "Chips",
    words: "Unclaimed",
    type: "HoldUnclaimed",
    main: "Hold the chips",
    about: "Winnings that nobody collected are held for whoever left them.",
    fields: [ANYBODY, AMOUNT],
    done: ({ player, amount }) => `${dollars(amount)} of ${player} is held.`,
  },
  {
    name: "paid",
    group: "Chips",
    words: "Paid wrongly",
    type: "ReportPaid",
    main: "Record what was handed over",
    fields: [
      { name: "wager", label: "Settled wager", kind: "select", options: settled },
      { name: "paid", label: "Handed over in all, with the stake", kind: "money" },
      { name: "cash", label: "In cash, not in chips", kind: "check" },
    ],
    parts: ({ wager, paid, cash }) => {
      const [round, number] = wager ? wager.split(" ").map(Number) : [0, 0];
      return { round, number, paid, in_chips: !cash };
    },
    done: ({ paid }) => `${dollars(paid)} is recorded as handed over.`,
  },
];

/** @type {Act[]} */
const COLOURS = [
  {
    name: "issue",
    group: "Colours",
    words: "Issue",
    type: "IssueColour",
    main: "Issue the colour",
    shown: hasRack,
    fields: [
      PLAYER,
      { name: "colour", label: "Colour", hint: "red" },
      { name: "value", label: "Value of a chip", kind: "money" },
      { name: "chips", label: "Chips", kind: "number", hint: "20" },
    ],
    done: ({ player, colour, value, chips }) => `${player} has ${chips} ${colour} chips of ${dollars(value)}.`,
  },
  {
    name: "colour-back",
    group: "Colours",
    words: "Redeem",
    type: "RedeemColour",
    main: "Redeem the colour",
    shown: hasRack,
    fields: [{ name: "colour", label: "Colour", kind: "select", options: colours }],
    parts: ({ colour }, here) => ({ colour, player: rackOf(here)[colour]?.by ?? "" }),
    done: ({ colour }) => `${colour} is redeemed, and free again.`,
  },
  {
    name: "require",
    group: "Colours",
    words: "Require",
    type: "RequireColour",
    main: "Set it",
    shown: hasRack,
    fields: [
      PLAYER,
      {
        name: "how",
        label: "Plays with",
        kind: "select",
        options: () => [["colour", "A colour only"], ["value", "Value chips again"]],
      },
    ],
    parts: ({ player, how }) => ({ player, required: how === "colour" }),
    done: ({ player, how }) =>
      how === "colour" ? `${player} plays with a colour.` : `${player} may use value chips again.`,
  },
];

/** @type {Act[]} */
const WAGERS = [
  {
    name: "place",
    group: "Wagers",
    words: "Place for a player",
    type: "PlaceWager",
    main: "Place the wager",
    fields: [
      PLAYER,
      {
        name: "on",
        label: "On",
        kind: "select",
        options: ({ view }) => view.offers.map((on) => [on, wagerWords(on)]),
      },
      AMOUNT,
      { name: "box", label: "Box or area, if not the own", kind: "number", optional: true },
      {
        name: "colour",
        label: "In chips",
        kind: "select",
        shown: hasRack,
        options: (here) => [["", "Value chips"], ...colours(here)],
      },
      { name: "oral", label: "Spoken", kind: "check" },
      { name: "tendered", label: "Its chips are there", kind: "check", value: () => "yes" },
    ],
    parts: ({ player, on, amount, box, colour = "", oral, tendered }, { view }) => {
      const seat = view.players.find(({ name }) => name === player)?.seat;
      return { player, on, amount, box: box || seat || 1, area: box, colour, oral, tendered };
    },
    done: ({ player, on, amount }) => `${dollars(amount)} of ${player} lies on ${wagerWords(on)}.`,
  },
  {
    name: "withdraw",
    group: "Wagers",
    words: "Take back",
    type: "WithdrawWager",
    main: "Give the wager back",
    fields: [{ name: "wager", label: "Wager", kind: "select", options: wagers }],
    parts: ({ wager }, here) => ({ player: wagerOf({ wager }, here)?.by ?? "", number: Number(wager) }),
    done: () => "The wager went back.",
  },
];

/** @type {Act[]} */
const COMMISSION = [
  {
    name: "defer",
    group: "Commission",
    words: "Defer",
    type: "DeferCommission",
    main: "Set it",
    shown: defers,
    fields: [
      PLAYER,
      {
        name: "how",
        label: "Commission",
        kind: "select",
        options: () => [["owed", "May be owed"], ["paid", "Is paid with each win"]],
      },
    ],
    parts: ({ player, how }) => ({ player, deferred: how === "owed" }),
    done: ({ player, how }) =>
      how === "owed" ? `${player} may owe commission.` : `${player} pays commission with each win.`,
  },
  {
    name: "stand",
    group: "Commission",
    words: "Let it stand",
    type: "DeferCommission",
    main: "Let it stand",
    about: "What is owed now stays owed when the shoe ends.",
    shown: (here) => Boolean(management(here)),
    role: (_, here) => management(here)?.role,
    fields: [PLAYER],
    parts: ({ player }) => ({ player, beyond_shoe: true }),
    done: ({ player }) => `What ${player} owes stays owed when the shoe ends.`,
  },
  {
    name: "collect",
    group: "Commission",
    words: "Collect",
    type: "CollectCommission",
    main: "Collect what is owed",
    shown: defers,
    role: ({ ground }, here) => (ground === "by management" ? management(here)?.role : undefined),
    fields: [
      PLAYER,
      {
        name: "ground",
        label: "Why now",
        kind: "select",
        options: () => [
          ["end of shoe", "The shoe ends"],
          ["on request", "The player asks for it"],
          ["on leaving", "The player leaves"],
          ["by management", "By order of management"],
        ],
      },
    ],
    done: ({ player }) => `${player} has paid the commission.`,
  },
];

/** @type {Act[]} */
const SEATS = [
  {
    name: "sit",
    group: "Seats",
    words: "Sit",
    type: "Sit",
    main: "Seat the player",
    fields: [
      { name: "player", label: "Name", options: players },
      { name: "seat", label: "Place", kind: "select", options: seats },
      { name: "born", label: "Date of birth, if asked", optional: true, hint: "1990-12-31" },
    ],
    parts: ({ player, seat, born }) => ({ player, born, seat: Number(seat) }),
    done: ({ player, seat }) => (seat === "0" ? `${player} stands at the table.` : `${player} sits on ${seat}.`),
  },
  {
    name: "leave",
    group: "Seats",
    words: "Leave",
    type: "Leave",
    main: "The player leaves",
    fields: [PLAYER],
    done: ({ player }) => `${player} has left.`,
  },
  {
    name: "nominee",
    group: "Seats",
    words: "Nominee",
    type: "NameNominee",
    main: "Record the nominee",
    fields: [
      PLAYER,
      {
        name: "nominee",
        label: "Who acts for the player",
        kind: "select",
        options: (here) => [["", "Nobody"], ...players(here)],
      },
    ],
    done: ({ player, nominee }) => (nominee ? `${nominee} acts for ${player}.` : `Nobody acts for ${player}.`),
  },
  {
    name: "number",
    group: "Seats",
    words: "Card number",
    type: "NumberPlayer",
    main: "Record the number",
    fields: [PLAYER, { name: "number", label: "Number of the player's card, empty for none", optional: true }],
    done: ({ player, number }) =>
      number ? `${player} plays under the number ${number}.` : `${player} plays under no number.`,
  },
];

/** @type {Act[]} */
const SAY = [
  {
    name: "rules",
    group: "Say",
    words: "Show the rules",
    type: "ShowRules",
    main: "The rules were shown",
    fields: [{ ...PLAYER, label: "To whom", options: (here) => [["", "Everybody"], ...players(here)] }],
    done: () => "It is recorded that the rules were shown.",
  },
  {
    name: "advice",
    group: "Say",
    words: "Unasked advice",
    type: "Advise",
    main: "Report it",
    about: "Somebody advised a player how to play. Staff never do.",
    fields: [
      { ...PLAYER, label: "Advised" },
      { name: "by", label: "Who gave the advice" },
      { name: "text", label: "What was said" },
      { name: "asked", label: "The player had asked for it", kind: "check" },
    ],
    done: ({ by }) => `${by} is warned.`,
  },
  {
    name: "dispute",
    group: "Say",
    words: "Dispute",
    type: "RaiseDispute",
    main: "Open a dispute",
    fields: [
      { name: "complainant", label: "Complainant", options: players },
      { name: "about", label: "About" },
      { name: "round", label: "Round, if it is one", kind: "number", optional: true },
    ],
    done: ({ complainant }) => `The dispute of ${complainant} is open: the game supervisor decides it.`,
  },
  {
    name: "review",
    group: "Say",
    words: "Review",
    type: "AskReview",
    main: "Ask for the review",
    shown: (here) => reviewed(here).length > 0,
    fields: [{ name: "dispute", label: "Dispute, and who reviews it", kind: "select", options: reviewed }],
    parts: ({ dispute }) => ({ dispute: Number(dispute) }),
    done: () => "The next official reviews it.",
  },
  {
    name: "device",
    group: "Say",
    words: "Device found",
    type: "ReportDevice",
    main: "Report the device",
    fields: [
      PLAYER,
      { name: "what", label: "What it is", hint: "a counter in the sleeve" },
      { name: "since", label: "With the player since round", kind: "number", optional: true },
    ],
    done: ({ player }) => `A device was reported for ${player}.`,
  },
];

export const ACTS = [...CHIPS, ...COLOURS, ...WAGERS, ...COMMISSION, ...SEATS, ...SAY];
