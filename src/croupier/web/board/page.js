/**
 * The public board of a table: what is now at the left, the record at the right.
 *
 * It is looked at and never touched: there are no controls, no names, no balances.  The table tells it what everybody
 * in the room may see (`floor/views/board.py`), and it comes back by itself when the line was lost.  All lengths follow
 * the screen, so that one page does for every size.  Cards of a round that is over stay until the next result.
 */

import { connect } from "../kit/connection.js";
import { language, t } from "../kit/words.js";
import { gameWords, named } from "../kit/names.js";
import { range, dollars } from "../kit/money.js";
import { beadPlateOf, bigRoadOf, derivedOf, figuresOf, handsOf, sideMark } from "../kit/scoreboard/scoreboard.js";
import { sinceShoe } from "../terminal/boards.js";
import { html } from "../terminal/cloth.js";
import { roundWords, timeOf } from "../terminal/said.js";
import { recordOf } from "./records.js";
import { reckoned, resultOf } from "./results.js";

const RING = 351.9;
const HURRY_S = 5;
const LAST = 24;
const LIMITS = 4;
/** @param {string} id @returns {any} */
const at = (id) => document.getElementById(id);
const state = { view: null, past: null, deadline: 0, opens: 0, length: 1, closes: 0, drawn: "", ticked: "" };
const asked = new URLSearchParams(location.search);
const table = asked.get("table") ?? "";
const kept = `croupier board ${table}`;

// ---------------------------------------------------------------- what the table says

function heard(view) {
  state.view = view;
  if (reckoned(view)) {
    state.past = { round: view.round, layout: view.layout };
    sessionStorage.setItem(kept, JSON.stringify(state.past));
  }
  state.past ??= JSON.parse(sessionStorage.getItem(kept) ?? "null");
  clockFrom(view);
  show();
}

function show() {
  const { view } = state;
  if (!view) return;
  const key = JSON.stringify([language(), { ...view, at_ms: 0 }]);
  if (key === state.drawn) return tick();
  state.drawn = key;
  heading(view);
  at("felt").replaceChildren(...resultOf(view, state.past));
  limits(view);
  record(view);
  tick();
}

function heading(view) {
  document.body.dataset.game = view.table.game;
  document.title = t("board-title", { table: view.table.name });
  at("table").textContent = t("table-name", { table: view.table.name });
  at("game").textContent = gameWords(view.table);
  at("practice").hidden = !view.table.practice;
  at("shoe").textContent = view.shoe.number ? t("shoe-number", { number: view.shoe.number }) : "";
  at("round").textContent = roundWords(view, view.round);
}

/** The general limits first, then those of wagers that have their own; what is posted; and what the pool shows. */
function limits(view) {
  const { sign } = view;
  const own = Object.entries(sign.kinds).filter(([kind]) => view.offers.includes(kind)).slice(0, LIMITS - 1);
  const rows = [
    [t(own.length ? "limits-other" : "limits-each"), range(sign.minimum, sign.maximum)],
    ...own.map(([kind, [least, most]]) => [named("wager", kind), range(least, most)]),
  ];
  const { notice, closing } = sign;
  if (notice) rows.push([t("limits-notice", { time: timeOf(notice[2]) }), range(notice[0], notice[1])]);
  if (closing !== null) rows.push([t("closing-notice"), timeOf(closing)]);
  if (typeof view.pool === "number") rows.push([t("jackpot-pool"), dollars(view.pool)]);
  at("limits").replaceChildren(
    html("dt", "cap", t("limits-per-bet")),
    html("dd"),
    ...rows.flatMap(([name, text]) => [html("dt", "", name), html("dd", "", text)]),
  );
}

// ---------------------------------------------------------------- the record

function record(view) {
  const baccarat = view.table.game === "baccarat";
  at("record").className = baccarat ? "bright" : "bright games";
  at("record").replaceChildren(...(baccarat ? roads(view) : recordOf(view, sinceShoe(view), LAST)));
  at("note").textContent = t(baccarat ? "record-hands" : "record-rounds");
  at("legend").replaceChildren(...(baccarat ? ["natural", "banker-pair", "player-pair", "tie-after"].map(legend) : []));
}

function roads(view) {
  const hands = handsOf(sinceShoe(view));
  const titled = (kind, title, ...drawn) => html("div", kind, html("h2", "", title), ...drawn);
  const counts = html("dl", "bstat");
  for (const [index, [letter, words, value]] of figuresOf(hands, view.shoe).entries())
    counts.append(
      html(
        "div",
        index ? "" : "wide",
        html("dt", "", ...(letter ? [sideMark(letter, words)] : []), words),
        html("dd", "", String(value)),
      ),
    );
  return [
    titled("r-big", t("big-road"), bigRoadOf(hands, { columns: 30, size: 18 })),
    titled("r-bead", t("bead-plate"), beadPlateOf(hands, { columns: 12, size: 24 }), counts),
    html("div", "r-der", ...derivedOf(hands, { columns: 30, size: 12 }).map((each) => titled("", ...each))),
  ];
}

/** What a mark on the roads means, as a road of one hand. */
function legend(id) {
  const hand = {
    natural: { winner: "player", natural: true },
    "banker-pair": { winner: "banker", banker_pair: true },
    "player-pair": { winner: "player", player_pair: true },
    "tie-after": { winner: "banker" },
  }[id];
  const hands = id === "tie-after" ? [hand, { winner: "tie" }] : [hand];
  const drawn =
    id === "natural" ? beadPlateOf(hands, { columns: 1, size: 24 }) : bigRoadOf(hands, { columns: 1, size: 18 });
  drawn.setAttribute("viewBox", id === "natural" ? "0 0 24 24" : "0 0 18 18");
  drawn.setAttribute("aria-hidden", "true");
  drawn.querySelector(".last")?.remove();
  return html("li", "", drawn, t(id));
}

// ---------------------------------------------------------------- the ring

function clockFrom(view) {
  const now = performance.now();
  state.opens = view.opens_ms > view.at_ms ? now + view.opens_ms - view.at_ms : 0;
  const closes = view.choice_ms || view.closes_ms;
  if (closes === state.closes) return;
  state.closes = closes;
  state.deadline = now + closes - view.at_ms;
  state.length = Math.max(1, closes - view.at_ms);
}

function ringWords(view, { counting, seconds, opensIn }) {
  if (!view.table.open) return ["table-closed", ""];
  if (opensIn) return ["settled", t("bets-open-in", { seconds: opensIn })];
  if (counting) return ["place-bets", t("seconds-to", { count: seconds })];
  if (view.betting) return ["bets-open", ""];
  if (view.taken_back) return ["bets-stay", t("told-again")];
  if (view.choice_ms) return ["players-choose", ""];
  return ["no-more-bets", named("running", view.table.game)];
}

function tick() {
  const { view } = state;
  if (!view) return;
  const left = state.deadline - performance.now();
  const opensIn = Math.max(0, Math.ceil((state.opens - performance.now()) / 1000));
  const counting = view.table.open && view.betting && !opensIn && left > 0 && state.closes > 0;
  const seconds = counting ? Math.ceil(left / 1000) : 0;
  at("ring").querySelector(".left").setAttribute(
    "stroke-dasharray",
    `${counting ? RING * Math.min(1, left / state.length) : 0} ${RING}`,
  );
  const { betting, choice_ms: choosing, taken_back: back } = view;
  const key = [language(), seconds, opensIn, betting, view.table.open, choosing, back].join(" ");
  if (key === state.ticked) return;
  state.ticked = key;
  const shut = !counting && !opensIn && !view.betting;
  const hurry = counting && seconds <= HURRY_S;
  at("ring").className = `bring${shut ? " shut" : counting ? "" : " rest"}${hurry ? " hurry" : ""}`;
  at("seconds").textContent = counting ? String(seconds) : "";
  const [words, more] = ringWords(view, { counting, seconds, opensIn });
  at("ring-words").textContent = t(words);
  at("ring-more").textContent = more;
}

function clock() {
  at("clock").textContent = timeOf(Date.now());
}

// ---------------------------------------------------------------- the line

function lineState(now, reason) {
  at("line").hidden = now === "open";
  at("line").textContent = now === "ended" ? t("board-ended", { reason }) : t("board-lost");
  // A board has nobody to press a key: whatever ended the line, it begins again by itself.
  if (now !== "ended") return;
  setTimeout(() => location.reload(), 10_000);
  choosing().catch(() => {});
}

/** A board of no table, or of one that the house does not have: the boards there are. */
async function choosing() {
  const { tables } = await (await fetch("/api/tables")).json();
  if (tables.some((each) => each.name === table)) return;
  const list = html("ul");
  for (const each of tables) {
    const link = Object.assign(html("a", "btn", `${each.name} · ${gameWords(each)}`), {
      href: `/board?${new URLSearchParams({ ...Object.fromEntries(asked), table: each.name })}`,
    });
    list.append(html("li", "", link));
  }
  document.body.classList.add("choosing");
  at("felt").replaceChildren(html("h2", "", t("board-choose")), list);
}

if (table) {
  addEventListener("language", show);
  connect({ table, onView: heard, onState: lineState });
} else {
  addEventListener("language", choosing);
  choosing().catch(() => lineState("lost"));
}
clock();
setInterval(clock, 1000);
setInterval(tick, 200);
