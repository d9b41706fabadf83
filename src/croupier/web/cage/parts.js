/**
 * The parts of the cage's page that only show: figures, tables, the barcode, and what to do about each refusal.
 */

import { svg } from "../kit/cards.js";
import { dollars, h, icon, listTable, numHead, plain } from "../kit/staff.js";

const PILLS = {
  "to pay": ["wait", "clock"],
  paid: ["ok", "check"],
  expired: ["stop", "clock"],
  voided: ["stop", "clear"],
  held: ["stop", "lock"],
  practice: ["practice", "alert"],
};
const DRAWN = {
  clock: "M12 3.500a8.500 8.500 0 1 0 0 17a8.500 8.500 0 1 0 0-17M12 7.500V12l3 2",
  lock: "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3",
};
const TODO = {
  Mistyped: "Scan it again, or type it group by group.",
  "Not found": "Keep the paper, pay nothing, call a supervisor.",
  "Already paid": "Pay nothing. If the guest disputes it, call a supervisor and name the time.",
  Expired: "A casino supervisor may still pay it late, with a reason.",
  Held: "Pay nothing yet. The supervisor of the table closes the case first.",
  "Refused for good": "Pay nothing. The guest may raise a dispute with the inspector.",
  "Not money here": "Practice vouchers and real ones are never mixed.",
  "Another amount": "Do not pay. Keep the paper and call a supervisor: it may be forged.",
  Paid: "Hand out the money and keep the voucher.",
  "Not paid": "Nothing was paid.",
  "Not refused": "The voucher is as it was.",
  "Not now": "Pay nothing yet. Look the voucher up again.",
  Replaced: "Keep the old paper. Pay the new voucher now, or print it for the guest.",
};

/** What to do now, in one sentence. @param {string} title */
export const explained = (title) => TODO[title] ?? "";

const sign = (name) =>
  DRAWN[name]
    ? svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: DRAWN[name] }))
    : icon(name);
const bare = (cents) => dollars(cents).replace("$", "");
export const clock = (ms) =>
  new Date(ms).toLocaleTimeString("en-NZ", { hour: "2-digit", minute: "2-digit", hour12: false });
const figure = (cents) => h("td.num", bare(cents));

/** The barcode, its bars as the server drew them. */
export function barcode({ bars, modules }) {
  const drawn = bars.map(([x, width]) => svg("rect", { x, width, height: 54 }));
  return svg(
    "svg",
    {
      class: "codebar",
      viewBox: `0 0 ${modules} 54`,
      preserveAspectRatio: "none",
      "shape-rendering": "crispEdges",
      "aria-hidden": "true",
    },
    ...drawn,
  );
}

const count = (number, one, many) => `${number.toLocaleString("en-NZ")} ${number === 1 ? one : many}`;

/** The four figures on top. */
export function numbers(state) {
  const paid = (state.shift ?? state.last_shift)?.flows.find((each) => each.kind === "vouchers paid") ?? {
    cash: 0,
    count: 0,
  };
  const figures = [
    ["In the drawer", dollars(state.drawer.cash), `and chips for ${dollars(state.drawer.chips)}`],
    ["Owed on vouchers", dollars(state.owed.cents), `${state.owed.count} open`],
    ["Credits on tables", dollars(state.credits.cents), count(state.credits.count, "holder", "holders")],
    [
      state.shift ? "Paid this shift" : "Paid last shift",
      dollars(-paid.cash),
      count(paid.count, "voucher", "vouchers"),
    ],
  ];
  return figures.map(([name, amount, under]) => h("div.panel", h("dt", name), h("dd", amount), h("dd.under", under)));
}

/** The list of vouchers; `current` is the one that is looked at. */
export function voucherRows(vouchers, current) {
  if (!vouchers.length)
    return h("p.pad.quiet", "No voucher here yet. Terminals issue them, and so does the cage for chips.");
  const rows = vouchers.map((each) => {
    const [kind, drawn] = PILLS[each.state] ?? ["", "alert"];
    const on = current && current.grouped.endsWith(each.last.slice(2));
    const from = each.table ? [each.table, each.terminal].filter(Boolean).join(" · ") : "Cage";
    const pill = h("span", { className: `pill ${kind}` }, sign(drawn), plain(each.state));
    const why = each.state === "held" ? each.reason : each.ended_by;
    const cells = [
      h("td.code", each.last),
      h("td.faint", clock(each.issued_ms)),
      h("td", from),
      h("td.num.strong", bare(each.amount)),
    ];
    return h(
      "tr",
      { className: on ? "on" : "", "aria-current": on ? "true" : undefined },
      cells,
      h("td", pill),
      h("td.quiet.why", why),
    );
  });
  return listTable(["Last figures", "Issued", "From", numHead("$"), "State", "By"], rows);
}

/** The reconciliation of a shift: what moved, what should be there, what was counted, the difference. */
export function shiftTable(shift) {
  const flows = shift.flows.map((each) =>
    h("tr", h("td", plain(each.kind)), h("td.num.faint", each.count), figure(each.cash), figure(each.chips)),
  );
  const drops = shift.drops.filter((each) => each.counted !== each.expected).map((each) => {
    const words = `Drop of ${[each.table, each.box].filter(Boolean).join(", ")}: difference`;
    return h("tr.bad", h("td.off", words), h("td"), h("td.num.off", bare(each.counted - each.expected)), h("td"));
  });
  const line = (name, sums, kind = "") =>
    h("tr", { className: kind }, h("td", name), h("td"), figure(sums.cash), figure(sums.chips));
  const rows = [line("Should be in the drawer", shift.expected)];
  if (shift.counted) {
    const off = { cash: shift.counted.cash - shift.expected.cash, chips: shift.counted.chips - shift.expected.chips };
    rows.push(line("Counted", shift.counted), line("Difference", off, off.cash || off.chips ? "bad" : ""));
  } else {
    rows.push(h("tr", h("td.quiet", "Not counted yet"), h("td"), h("td"), h("td")));
  }
  const table = listTable(["Business", numHead("Times"), numHead("Cash $"), numHead("Chips $")], [...flows, ...drops]);
  table.append(h("tfoot", rows));
  return table;
}

/** The boxes that can be emptied, each with a place for its count. */
export function drop(state, form) {
  const rows = state.drop.map((each) => {
    const name = `${each.table}${each.box ? `, acceptor of ${each.box}` : ", drop box"}`;
    const input = h("input.input", {
      name: "counted",
      inputMode: "decimal",
      required: true,
      autocomplete: "off",
      "aria-label": `Counted in ${name}, dollars`,
    });
    const button = h("button.btn", { type: "submit", "aria-label": `Collect the drop of ${name}` }, "Collect");
    return h("tr", h("td", name), figure(each.taken), figure(each.expected), h("td", form(each, [input, button])));
  });
  return listTable(["Box", numHead("Taken so far $"), numHead("In it now $"), numHead("Counted $")], rows);
}

/** What the house owes on vouchers, by age and by table. */
export function owed(state) {
  const line = (each) => h("tr", h("td", plain(each.name)), h("td.num", each.count), figure(each.cents));
  const { ages, tables, count: open, cents, unclaimed, refused } = state.owed;
  const rows = [...ages.map(line), ...tables.map((each) => line({ ...each, name: `From ${each.name}` }))];
  rows.push(
    h("tr", h("td", "Held as unclaimed"), h("td"), figure(unclaimed)),
    h("tr", h("td", "Payment refused"), h("td"), figure(refused)),
  );
  return listTable(
    ["Open vouchers", numHead("How many"), numHead("Owed $")],
    rows,
    h("tr", h("td", "All open"), h("td.num", open), figure(cents)),
  );
}
