/**
 * How a game is best played, as charts: for blackjack a letter in every cell and the worth of the hand in cents for a
 * dollar, for Caribbean stud the lowest hand that bets against each up card.
 *
 * From cards that were taken out the same is asked again, and what changes is outlined in the chart and said in words.
 * This is for study; no terminal leads here.
 */

import { capital } from "../kit/names.js";
import { h, plain } from "../kit/staff.js";
import { percent, share, valueOf } from "./figures.js";

const LETTERS = {
  stand: "S",
  hit: "H",
  double: "D",
  "double-stand": "Ds",
  surrender: "R",
  "surrender-stand": "Rs",
  split: "P",
  "as total": "·",
};
const KINDS = {
  stand: "s",
  hit: "h",
  double: "d",
  "double-stand": "d",
  surrender: "r",
  "surrender-stand": "r",
  split: "p",
  "as total": "t",
};
const LEGEND = {
  hit: "hit",
  stand: "stand",
  double: "double; if not allowed, hit",
  "double-stand": "double; if not allowed, stand",
  surrender: "surrender; if not allowed, hit",
  "surrender-stand": "surrender; if not allowed, stand",
  split: "split",
  "as total": "pair: play as its total",
};
const TITLES = { hard: "Hard totals", soft: "Soft totals", pairs: "Pairs" };
const ACE = 11;

const cardOf = (points) => (points === ACE ? "A" : String(points));
const rowName = (part, row) =>
  part === "pairs"
    ? `${cardOf(row)}-${cardOf(row)}`
    : part === "soft"
      ? `A-${cardOf(row > ACE + 1 ? row - ACE : ACE)}`
      : String(row);

/** Cents for a dollar, with a true minus. */
const cents = (worth) => {
  const whole = Math.round(worth * 100);
  return whole > 0 ? `+${whole}` : String(whole).replace("-", "−");
};

function cell(word, worth, { left, above, other }) {
  const changed = other && other !== word;
  const kind = ["c", KINDS[word], left && left !== word && "el", above && above !== word && "et", changed && "ch"];
  return h(
    "td",
    { className: kind.filter(Boolean).join(" "), title: changed ? `${word}; now ${other}` : word },
    h("b", { "aria-label": word }, LETTERS[word]),
    changed ? h("i", LETTERS[other]) : null,
    worth === null ? null : h("small", cents(worth)),
  );
}

function chart({ part, ups, rows }, now) {
  const column = (name) => h("th", { scope: "col" }, name);
  const head = h("tr", column(h("span.sr", "Hand")), ...ups.map((up) => column(cardOf(up))));
  const body = rows.map(({ row, words, worths }, y) =>
    h(
      "tr",
      h("th", { scope: "row" }, rowName(part, row)),
      ...words.map((word, x) => {
        const other = wordAt(now, part, row, ups[x]);
        return cell(word, worths[x], { left: words[x - 1], above: rows[y - 1]?.words[x], other });
      }),
    ),
  );
  return h("table.chart2", h("caption", TITLES[part]), h("thead", head), h("tbody", ...body));
}

/** What another chart says to a hand against a first card. */
function wordAt(chart, part, row, up) {
  const table = chart?.tables.find((each) => each.part === part);
  return table?.rows.find((each) => each.row === row)?.words[table.ups.indexOf(up)] ?? "";
}

function changes(full, now) {
  return full.tables.flatMap(({ part, ups, rows }) =>
    rows.flatMap(({ row, words }) =>
      words.flatMap((word, x) => {
        const other = wordAt(now, part, row, ups[x]);
        return other && other !== word ? [{ hand: rowName(part, row), up: cardOf(ups[x]), word, other }] : [];
      }),
    ),
  );
}

function blackjack(full, now) {
  const [hard, soft, pairs] = ["hard", "soft", "pairs"].map((part) => full.tables.find((each) => each.part === part));
  const used = new Set(full.tables.flatMap(({ rows }) => rows.flatMap(({ words }) => words)));
  const legend = Object.entries(LEGEND)
    .filter(([word]) => used.has(word))
    .map(([word, text]) => h("li", h("span", { className: `c ${KINDS[word]}` }, LETTERS[word]), text));
  const changed = now ? changes(full, now) : [];
  const said = changed.map(({ hand, up, word, other }) =>
    h("li", h("b", hand), " against ", h("b", up), `: ${other}, not ${word}`),
  );
  const departs = full.departures.slice(0, 6).map(({ hand, up, best, chart: charted, gain }) => {
    const what = ` against ${cardOf(up)}: ${best}, not ${charted}; gains ${gain.toFixed(4)}`;
    return h("li", h("b", hand.map(cardOf).join("-")), what);
  });
  const moved = changed.length
    ? `The cards taken out change ${changed.length} of its entries`
    : "The cards taken out change nothing in it";
  const away = "Where the best play departs from the chart, by its cards";
  const left = h("div", chart(hard, now), h("ul.leg2", ...legend));
  return [
    h("div.charts2", left, h("div", chart(soft, now), chart(pairs, now))),
    now ? h("div.chg2", { role: "status" }, h("h3", moved), h("ul", ...said)) : null,
    departs.length ? h("div.chg2", h("h3", away), h("ul", ...departs)) : null,
  ];
}

function stud(answer) {
  const ups = [...new Set(answer.lines.map(({ up }) => up))];
  const line = (up, held) => answer.lines.find((each) => each.up === up && each.held === held);
  const range = (each) => {
    if (!each) return h("td", "–");
    if (each.never_below === each.always_from) return h("td", h("b", each.always_from));
    const part = (100 * Number(each.between_bet)) / Number(each.between);
    const more = `always from ${each.always_from}; ${part.toFixed(0)} % of hands between`;
    return h("td", h("b", each.never_below), h("small", more));
  };
  const rows = ups.map((up) => h("tr", h("th", { scope: "row" }, up), range(line(up, false)), range(line(up, true))));
  const heads = ["Dealer shows", "Bet from, if none of that rank is held", "Bet from, if one is held"];
  const thumbs = answer.rules_of_thumb.map(({ policy, source, edge }) => {
    const name = h("td", plain(policy), source ? h("small", plain(source)) : null);
    return h("tr", name, h("td.num", percent(100 * valueOf(edge))));
  });
  const named = h("tr", ...heads.map((text) => h("th", { scope: "col" }, text)));
  return [
    h(
      "div.stud2",
      h("table.list.raise", h("thead", named), h("tbody", ...rows)),
      h(
        "div",
        h(
          "dl.facts",
          h("div", h("dt", "Best play, edge on the ante"), h("dd", percent(100 * valueOf(answer.edge)))),
          h("div", h("dt", "Bets, % of hands"), h("dd", share(answer.bet_frequency, 2))),
          h("div", h("dt", "Edge on all that is staked"), h("dd", percent(100 * valueOf(answer.element_of_risk)))),
        ),
        h(
          "table.list",
          h("thead", h("tr", h("th", { scope: "col" }, "Simpler plays"), h("th.num", { scope: "col" }, "Edge"))),
          h("tbody", ...thumbs),
        ),
      ),
    ),
  ];
}

/**
 * @param {{panel: HTMLElement, place: HTMLElement, quiet: HTMLElement, button: HTMLButtonElement, ask: (ranks:
 * number[] | null) => Promise<any>}} given
 */
export function play({ panel, place, quiet, button, ask }) {
  /** @type {{key: string, full: any, now: any}} */
  const shown = { key: "", full: null, now: null };

  function draw() {
    const { full, now } = shown;
    place.replaceChildren(...(full.game === "blackjack" ? blackjack(full, now) : stud(now ?? full)).filter(Boolean));
    quiet.textContent =
      full.game === "blackjack"
        ? "Against the dealer’s first card. Small figures: what the hand brings, cents for a dollar."
        : "The lowest hand that bets: every hand against every up card, exactly.";
  }

  async function load(key, ranks) {
    if (!shown.full) place.replaceChildren(h("p.note", "The best play is being reckoned."));
    try {
      const answer = await ask(ranks);
      if (shown.key !== key) return;
      shown[ranks ? "now" : "full"] = answer;
      draw();
    } catch (error) {
      if (shown.key === key) place.replaceChildren(h("p.note", capital(/** @type {Error} */ (error).message)));
    }
  }

  return {
    /** @param {{played: boolean, key: string, counts: number[] | null}} given */
    show({ played, key, counts }) {
      panel.hidden = !played;
      button.hidden = !counts;
      if (!played) return;
      button.onclick = () => load(key, counts);
      if (!counts && shown.now) {
        shown.now = null;
        if (shown.full && shown.key === key) draw();
      }
      if (shown.key === key) return;
      Object.assign(shown, { key, full: null, now: null });
      load(key, null);
    },
  };
}
