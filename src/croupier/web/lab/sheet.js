/**
 * The sheet of the odds lab: a row for every wager, its working below it when it is asked for, and the plot of the
 * edges.
 *
 * @typedef {{result: string, odds: string, probability: string, rule: string}} Pay
 * @typedef {{wager: string, policy: string | null, win: string, lose: string, standoff: string, void: string, edge:
 * string | null,
 *   edge_percent: number | null, sd: number | null, pays: Pay[], offered: string, method: string, note?: string,
 * needs?: string}} Row
 * @typedef {{wager: string, policy: string | null, before: any, after: any, house_gains_cents: number | null,
 * because: any[]}} Change
 */

import { svg } from "../kit/cards.js";
import { figure, grouped, keyOf, moneyChange, nameOf, percent, policyOf, share, valueOf, written } from "./figures.js";
import { ruleTag } from "../kit/rules.js";
import { h, outcome, plain } from "../kit/staff.js";

const LONGEST = 29;
/** What a wager pays is shown up to so many kinds; where there are more, the first and how many more. */
const PAYS_SHOWN = 3;
const THROWS_SHOWN = 12;

// ---------------------------------------------------------------- the table

/**
 * @param {{rows: Row[], changes: Change[] | null, left: {wager: string, reason: string}[], first: string, second:
 * string, open: string, ask: (wager: string) => void}} told
 */
export function sheetTable({ rows, changes, left, first, second, open, ask }) {
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  const listed = changes
    ? changes.map((change) => ({ row: known.get(keyOf(change)), change }))
    : rows.map((row) => ({ row, change: null }));
  const voids = rows.some((row) => !row.void.startsWith("0/"));
  const columns = [
    ["Wager", ""],
    ["Win %", "num win"],
    ["Lose %", "num lose"],
    ["Stand off %", "num off"],
    ...(voids ? [["Void %", "num off"]] : []),
    ["Edge", "num"],
  ];
  columns.push(
    ...(changes
      ? [
          ["Edge", "num b"],
          ["For $100", "num"],
        ]
      : [
          ["as a fraction", "ex"],
          ["SD", "num sd"],
        ]),
    ["Pays", "pays"],
  );
  const sign = (name, kind) =>
    changes && name === "Edge" ? h("i", { className: kind.includes("b") ? "sw b" : "sw" }) : null;
  const head = columns.map(([name, kind]) => h("th", { scope: "col", className: kind }, sign(name, kind), name));
  let worked = false;
  const body = listed.flatMap(({ row, change }) => {
    const wager = (row ?? change)?.wager ?? "";
    const line = h("tr", rowHead(row ?? change, open === wager, ask), cells(row, change, voids));
    if (row && row.edge_percent !== null && row.edge_percent < 0) line.classList.add("for-player");
    if (open !== wager) return [line];
    line.classList.add("on");
    // One wager may have several rows, one for each way to play it; their working is told once.
    if (worked) return [line];
    worked = true;
    return [line, h("tr.working", h("td", { colSpan: columns.length }, workingPlace(wager)))];
  });
  const out = left.map(({ wager, reason, suits }) =>
    h(
      "tr.out",
      h("th", { scope: "row" }, wagerSign(wager)),
      h(
        "td",
        { colSpan: columns.length - 1 },
        `no figure: ${suits ? "needs the suits: ranks alone do not tell" : reason}`,
      ),
    ),
  );
  const table = h("table.list", h("thead", h("tr", head)), h("tbody", body, out));
  return changes
    ? [
        h(
          "p.sides",
          h("span", h("i.sw"), first),
          h("span", h("i.sw.b"), second),
          h("span.quiet", "The change is what the house gains for $100 placed."),
        ),
        table,
      ]
    : [table];
}

function workingPlace(wager) {
  return h(
    "div",
    { id: "working", className: "why", role: "region", "aria-label": `Why: ${nameOf(wager)}` },
    h("p.quiet", "Reckoning …"),
  );
}

/** @param {any} row @param {boolean} open @param {(wager: string) => void} ask */
function rowHead(row, open, ask) {
  const more = [policyOf(row), row.offered && row.offered !== "1/1" ? `when offered, ${share(row.offered, 2)} %` : ""]
    .filter(Boolean)
    .join("; ");
  const button = h(
    "button.wager",
    { type: "button", "aria-expanded": String(open), onclick: () => ask(open ? "" : row.wager) },
    wagerSign(row.wager, more),
  );
  button.dataset.wager = row.wager;
  return h("th", { scope: "row" }, button);
}

function wagerSign(wager, more = "") {
  const [sign] = outcome(wager);
  return h("span.wg", sign, h("span", nameOf(wager), more ? h("small", more) : null));
}

/** @param {Row | undefined} row @param {Change | null} change @param {boolean} voids */
function cells(row, change, voids) {
  if (!row) {
    const none = ["win", "lose", "off", ...(voids ? ["off"] : [])].map((kind) =>
      h("td", { className: `num faint ${kind}` }, "–"),
    );
    return [...none, h("td.num.absent", "not offered"), ...changed(change), h("td.pays")];
  }
  const edge = row.needs ? h("td.num.absent", "needs pool and stake") : h("td.num.edge", percent(row.edge_percent));
  const shares = [
    h("td.num.win", share(row.win)),
    h("td.num.lose", share(row.lose)),
    h("td.num.off", share(row.standoff)),
    voids ? h("td.num.off", share(row.void)) : null,
  ];
  const middle = change
    ? changed(change)
    : [h("td.code.ex", exact(row)), h("td.num.sd", row.sd === null ? "–" : figure(row.sd, 3))];
  return [...shares, edge, ...middle, h("td.pays", paysOf(row))];
}

function changed(change) {
  const other = change?.after;
  const edge = other ? h("td.num.edge.b", percent(other.edge_percent)) : h("td.num.absent.b", "not offered");
  const cents = change?.house_gains_cents;
  const money = cents === null || cents === undefined ? "–" : moneyChange(cents);
  return [edge, h("td.num.d", { className: `num d ${money === "same" ? "faint" : ""}` }, money)];
}

function exact(row) {
  if (!row.edge) return "–";
  if (row.method === "float") return "reckoned in decimals";
  return row.edge.length <= LONGEST ? written(row.edge) : `fraction of ${grouped(row.edge.length)} signs`;
}

function paysOf(row) {
  const paid = row.pays.filter((pay) => pay.odds);
  const many = paid.length > PAYS_SHOWN ? 1 : PAYS_SHOWN;
  const shown = paid
    .slice(0, many)
    .map((pay, at) => h("span.pay", h("span", pay.odds), pay.rule === paid[at - 1]?.rule ? null : ruleTag(pay.rule)));
  return [...shown, paid.length > many ? h("span.pay.faint", `and ${paid.length - many} more`) : null];
}

// ---------------------------------------------------------------- the working

/** @param {any} reply what the server says to "why" */
export function workingOf(reply) {
  return reply.rows.flatMap((row) => {
    const counted = row.total ? `${grouped(row.total)} ${row.unit}, all equally likely.` : "";
    const stands = row.stands_for !== row.wager ? `Shown for ${nameOf(row.stands_for)}.` : "";
    const edge =
      row.edge === null
        ? "The edge needs the pool and the stake."
        : [
            "The house keeps ",
            h("b", percent(row.edge_percent, 6)),
            ...(row.method === "float" ? [] : [" = ", h("span.code.long", written(row.edge))]),
            ".",
          ];
    const heads = [
      ["Ends", ""],
      ["Pays", ""],
      row.total ? ["Ways", "num ways"] : null,
      ["Chance %", "num"],
      ["Adds to the edge, %", "num"],
      ["Rule", ""],
    ].filter(Boolean);
    const lines = row.outcomes.map((each) => outcomeRow(each, Boolean(row.total)));
    const table = h(
      "table.list",
      h(
        "thead",
        h(
          "tr",
          heads.map(([name, kind]) => h("th", { scope: "col", className: kind }, name)),
        ),
      ),
      h("tbody", lines),
    );
    return [
      h(
        "p",
        policyOf(row) ? h("b", `${plain(policyOf(row))}. `) : null,
        edge,
        " ",
        counted,
        " ",
        stands,
        " ",
        row.note ? `${row.note}.` : "",
      ),
      h("div.wide", table),
    ];
  });
}

function outcomeRow(each, counted) {
  const thrown = each.thrown.map(({ layout, throws }) => h("small", `${layout ? `${layout}: ` : ""}${listed(throws)}`));
  const adds = each.adds_to_edge === null ? "–" : figure(valueOf(each.adds_to_edge) * 100, 4);
  return h(
    "tr",
    h("td", h("b", each.result), each.result === each.ends ? null : ` (${each.ends})`, thrown),
    h("td", each.odds || "–"),
    counted ? h("td.num.ways", grouped(each.ways)) : null,
    h("td.num", share(each.probability, 4)),
    h("td.num", adds),
    h("td", ruleTag(each.rule)),
  );
}

function listed(throws) {
  const shown = throws.slice(0, THROWS_SHOWN).join("  ");
  return throws.length > THROWS_SHOWN ? `${shown} and ${throws.length - THROWS_SHOWN} more` : shown;
}

/** Why two editions differ in a wager. @param {Change} change */
export function becauseOf(change) {
  if (!change.because.length) return null;
  const each = ({ result, before, after, rules }) =>
    h(
      "li",
      h("span", `${result}: ${before ?? "not paid"} → ${after ?? "not paid"}`),
      rules.map((rule) => ruleTag(rule)),
    );
  return h("div", h("p.strong", "What is paid differently"), h("ul.because", change.because.map(each)));
}

// ---------------------------------------------------------------- the plot

const LEFT = 212;
const WIDTH = 690;
const RIGHT = 56;

/**
 * Bars of the edges, one edition or two.
 * @param {{name: string, a: number | null, b: number | null}[]} rows
 * @param {boolean} two
 */
export function edgePlot(rows, two) {
  const all = rows.flatMap(({ a, b }) => [a, b]).filter((value) => value !== null);
  const { low, high, step } = scale(Math.min(0, ...all), Math.max(0.01, ...all));
  const x = (value) => LEFT + ((value - low) / (high - low)) * (WIDTH - LEFT - RIGHT);
  const pitch = two ? 35 : 27;
  const bottom = 12 + rows.length * pitch;
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, n) => low + n * step);
  const grid = ticks.flatMap((tick) => [
    svg("path", { class: Math.abs(tick) < step / 2 ? "g zero" : "g", d: `M${x(tick).toFixed(1)} 6V${bottom}` }),
    svg(
      "text",
      { class: "ax", x: x(tick).toFixed(1), y: bottom + 18 },
      figure(Number(tick.toFixed(6)), step < 1 ? 1 : 0),
    ),
  ]);
  const bars = rows.flatMap((row, at) => drawnRow(row, { x, y: 12 + at * pitch, two }));
  const label = rows
    .map(
      ({ name, a, b }) =>
        `${name} ${[a, b]
          .filter((v) => v !== null)
          .map((v) => percent(v, 2))
          .join(" and ")}`,
    )
    .join(", ");
  return svg(
    "svg",
    { class: "plot", viewBox: `0 0 ${WIDTH} ${bottom + 26}`, role: "img", "aria-label": `House edge: ${label}` },
    ...grid,
    ...bars,
  );
}

function drawnRow({ name, a, b }, { x, y, two }) {
  const middle = y + (two ? 13 : 9);
  const drawn = [
    svg("text", { class: "nm", x: LEFT - 12, y: middle + 5 }, name.length > 27 ? `${name.slice(0, 26)}…` : name),
  ];
  if (a !== null) drawn.push(...bar("a", a, x, two ? y : y + 2, two ? 12 : 15));
  if (b !== null) drawn.push(...bar("b", b, x, y + 13, 12));
  return drawn;
}

function bar(kind, value, x, y, height) {
  const [from, to] = value < 0 ? [x(value), x(0)] : [x(0), x(value)];
  const shape = svg("rect", {
    class: kind,
    x: from.toFixed(1),
    y,
    width: Math.max(1, to - from).toFixed(1),
    height,
    rx: 2,
  });
  return [shape, svg("text", { class: "v", x: (to + 6).toFixed(1), y: y + height - 2 }, figure(value, 2))];
}

/** Round ticks, at most nine of them. */
function scale(low, high) {
  const raw = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((each) => each >= raw) ?? power;
  return { low: Math.floor(low / step + 1e-9) * step, high: Math.ceil(high / step - 1e-9) * step, step };
}
