/**
 * The parts of the tournament's page that only show: players, tables, places, conditions and the journal.
 *
 * @typedef {{name: string, number: number, status: string, chips: number, briefed: boolean, signed: boolean, table:
 * string,
 *   seat: number, person: string, nominated: string, substitute: string, buy_backs: number, due: boolean}} Entrant
 * @typedef {{name: string, players: string[], hands: number, of: number, ended: boolean, used_up: boolean, exclusive:
 * boolean, wagers: string[]}} Place
 */

import { EDITIONS } from "../kit/names.js";
import { ruleTag } from "../kit/rules.js";
import { dollars, h, icon, listTable, numHead, plain } from "../kit/staff.js";

const WORDS = {
  nobody: "Nobody has entered yet. Players enter once the conditions are approved.",
  noTables: "No table is designated yet. Before the draw the director says where the tournament is played.",
  noPlaces: "Places are known when the first round is over.",
  noTerms: "The conditions are not stated yet.",
  exclusive: "Tournament only",
  free: "Open to all",
  now: "In this round",
};
const STATUS = {
  in: ["ok", "In"],
  out: ["", "Out"],
  withdrawn: ["", "Withdrawn"],
  retired: ["", "Retired"],
  disqualified: ["stop", "Disqualified"],
};

export const whole = (number) => number.toLocaleString("en-NZ");
export const clock = (ms) =>
  new Date(ms).toLocaleTimeString("en-NZ", { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
export const moment = (ms) =>
  new Date(ms).toLocaleString("en-NZ", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  });
const empty = (words) => h("p.pad.quiet", words);
const pill = (kind, ...words) => h("span", { className: `pill ${kind}`.trim() }, ...words);

/**
 * Everybody who entered; `acts` makes the buttons of a row.
 * @param {Entrant[]} entrants
 * @param {{playing: boolean, acts: (entrant: Entrant) => HTMLElement | null}} given
 */
export function players(entrants, { playing, acts }) {
  if (!entrants.length) return empty(WORDS.nobody);
  const body = entrants.map((each) => {
    const [kind, words] = STATUS[each.status] ?? ["", each.status];
    const seat = each.table ? `${each.table} · ${each.seat}` : "–";
    const stands = [
      pill(kind, words),
      each.table && playing && !each.person && pill("wait", "Not seated"),
      !each.table && each.due && !each.briefed && pill("wait", "Not briefed"),
    ];
    const name = [
      h("b", each.name),
      each.person && each.person !== each.name && h("span.faint", ` played by ${each.person}`),
    ];
    return h(
      "tr",
      h("td.num.faint", each.number),
      h("td", name),
      h("td", h("span.pills", stands)),
      h("td", seat),
      h("td.num.strong", whole(each.chips)),
      h("td", acts(each)),
    );
  });
  return listTable([numHead("No."), "Player", "State", "Seat", numHead("Chips"), ""], body);
}

/**
 * The designated tables with their seats.
 * @param {Place[]} places
 * @param {(place: Place) => (HTMLElement | null)[]} acts
 */
export function tables(places, acts) {
  if (!places.length) return empty(WORDS.noTables);
  const cards = places.map((each) => {
    const used = each.players.length > 0;
    const count = !used ? "" : each.of ? `hand ${each.hands} of ${each.of}` : `${each.hands} hands`;
    const state = each.ended
      ? pill("", "Round over")
      : each.exclusive
        ? pill("wait", WORDS.exclusive)
        : pill("ok", WORDS.free);
    const seats = used ? h("p.seats", each.players.join(" · ")) : h("p.seats.faint", "Nobody is drawn to it");
    return h("li.card-of", h("h3", each.name), h("span.quiet", count), state, seats, h("span.acts", ...acts(each)));
  });
  return h("ul.cards-of", cards);
}

/** Places and prizes. */
export function places(view) {
  const prize = (place) => view.prizes.find((each) => each.place === place)?.cents ?? 0;
  const parts = [];
  if (view.over) {
    const best = view.standings.filter((each) => each.prize);
    parts.push(
      h(
        "ol.podium",
        best
          .slice(0, 3)
          .map((each) =>
            h("li", h("span.place", each.place), h("b", each.player), h("span.amt", dollars(each.prize))),
          ),
      ),
    );
  }
  const seated = view.entrants
    .filter((each) => each.table && ["playing", "paused"].includes(view.state))
    .sort((one, other) => other.chips - one.chips);
  if (seated.length) {
    const now = seated.map((each) =>
      h("tr", h("td", h("b", each.name)), h("td", each.table), h("td.num.strong", whole(each.chips))),
    );
    parts.push(listTable([WORDS.now, "Table", numHead("Chips")], now));
  }
  const ranked = view.standings.filter((each) => each.round > 0);
  const body = ranked.map((each) => {
    const won = view.over ? (each.prize ? dollars(each.prize) : "–") : "";
    return h(
      "tr",
      h("td.num.strong", each.place),
      h("td", h("b", each.player)),
      h("td.num", each.round),
      h("td.num", whole(each.chips)),
      view.over && h("td.num.strong", won),
    );
  });
  const heads = [numHead("Place"), "Player", ...["Round", "Chips", ...(view.over ? ["Prize"] : [])].map(numHead)];
  if (ranked.length || !seated.length) parts.push(ranked.length ? listTable(heads, body) : empty(WORDS.noPlaces));
  if (!view.over && view.prizes.length) {
    const offered = view.prizes.map(({ place }) => h("div", h("dt", `Place ${place}`), h("dd", dollars(prize(place)))));
    parts.push(h("dl.prizes", h("h3", "Prizes"), offered));
  }
  return parts;
}

/** The conditions, item by item with the rule that asks for it. */
export function conditions(view) {
  if (!view.items.length) return empty(WORDS.noTerms);
  const said = (each) => (each.at_ms ? `${each.words} ${moment(each.at_ms)}` : each.words);
  const list = view.items.map((each) => h("div", h("dt", each.title, ruleTag(each.rule)), h("dd", said(each))));
  const approved = view.approval
    ? pill("ok", icon("check"), `Approved: ${view.approval}`)
    : pill("wait", "Not approved yet");
  return [h("p.pad", approved), h("dl.items", list)];
}

/** The last lines of the journal, newest first. */
export function journal(view) {
  const line = (each) =>
    h(
      "li",
      h("span.when", clock(each.at_ms)),
      h("div", h("p", `${plain(each.words)}.`), h("p.faint", `${each.by}, line ${each.line}`)),
      ruleTag(each.rule),
    );
  return h("ol.lines", view.lines.map(line));
}

/** The tables of the house to choose from, as checks of a form. */
export function tableChecks(view, chosen) {
  return view.house_tables.filter(({ game }) => game === "baccarat").map((each) => {
    const held = each.held_by && each.held_by !== view.name;
    const law = EDITIONS[each.edition] ?? each.edition;
    const words = `${each.name}, ${plain(each.game)}, ${law}${held ? `: ${each.held_by} has it` : ""}`;
    return check(words, "table", { value: each.name, checked: chosen.includes(each.name) });
  });
}

/** A box to tick, large enough for a finger. */
export function check(words, name, more = {}) {
  return h("label.check", h("input", { type: "checkbox", name, ...more }), h("span", words));
}

export { pill };
