/**
 * What staff are told over their page besides the game: a player who calls, and the virtual dealer of a practice table,
 * who can be paused so that somebody deals, and let go on.
 */

import { post } from "./session.js";
import { h } from "./staff.js";

const ask = ({ table, ticket }, what, body) =>
  post(`/api/tables/${encodeURIComponent(table)}/${what}`, body, { Authorization: `Ticket ${ticket}` });

const act = (words, doing) => h("button.btn", { type: "button", onclick: () => doing().catch(() => {}) }, words);

/**
 * @param {any} view
 * @param {{table: string, ticket: string}} who
 * @returns {HTMLElement[]}
 */
export function floorBands(view, who) {
  const calls = (view?.calls ?? []).map((player) =>
    h(
      "p.offline.call",
      { role: "status" },
      h("span", `${player} calls for staff.`),
      act(`Answered, ${player}`, () => ask(who, "answered", { player })),
    ),
  );
  const deals = view?.table.deals;
  if (deals !== "virtual" && deals !== "paused") return calls;
  const paused = deals === "paused";
  const says = paused ? "The virtual dealer is paused: you deal." : "A virtual dealer deals at this table.";
  const words = paused ? "Let the virtual dealer go on" : "Pause it and deal";
  const band = h("p.offline.plain", h("span", says), act(words, () => ask(who, "virtual", { paused: !paused })));
  return [...calls, band];
}
