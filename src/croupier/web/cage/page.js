/**
 * The cage: look a voucher up, pay it, and keep the drawer.
 *
 * A scanner is a keyboard that ends with Enter, so the field for the number has the focus whenever nothing else needs
 * it. Everything shown comes from the server: the voucher as its journal knows it, and the state of the cage every
 * few seconds.  A command carries an id made here; if the line breaks, the same id is asked again, so nothing is paid
 * twice.
 */

import { clock, numbers, voucherRows } from "./parts.js";
import { capital } from "../kit/names.js";
import { openTags } from "../kit/rules.js";
import { brand, dollars, h, icon, themeButton } from "../kit/staff.js";
import { WORDS, at, entered, page, refresh, showState } from "./house.js";
import { clear, find } from "./voucher.js";
import { chipsWork, dropWork, owedWork, shiftWork } from "./forms.js";

const EVERY_MS = 3000;
const TABS = { shift: "Shift", drop: "Drop", chips: "Chips", owed: "Owed" };
const FILTERS = { all: "All", "to pay": "To pay", held: "Held" };

// ---------------------------------------------------------------- the money picture



function draw() {
  const state = page.state;
  at("practice").hidden = !state.practice;
  const shift = state.shift;
  const from = shift ? `Shift ${shift.number} from ${clock(shift.opened_ms)}` : "No shift is open";
  at("where").replaceChildren(h("b", page.who.name), h("span", from));
  at("nums").replaceChildren(...numbers(state));
  drawVouchers();
  drawAlert(state);
  // Half-typed forms must not vanish because something else moved.
  const key = JSON.stringify([
    page.tab,
    shift,
    state.last_shift,
    state.drop,
    state.owed.ages,
    state.owed.tables,
    state.expiry_days,
  ]);
  if (key === page.drawn || (page.drawn && at("work").querySelector("input:focus, select:focus"))) return;
  page.drawn = key;
  drawWork(state);
}

export function drawVouchers() {
  const wanted = page.state.owed.recent.filter((each) => page.filter === "all" || each.state === page.filter);
  at("vouchers").replaceChildren(voucherRows(wanted, page.voucher));
}

function drawAlert(state) {
  const short = (state.shift?.drops ?? []).reduce((sum, each) => sum + each.counted - each.expected, 0);
  const words = `Drop is ${dollars(Math.abs(short))} ${short < 0 ? "short" : "over"}`;
  at("alert").replaceChildren(...(short ? [h("span.pill.stop", icon("alert"), words)] : []));
}

function drawWork(state) {
  const parts = { shift: shiftWork, drop: dropWork, chips: chipsWork, owed: owedWork }[page.tab](state);
  at("work-title").textContent = TABS[page.tab];
  at("work").replaceChildren(...[parts].flat().filter(Boolean));
}


// ---------------------------------------------------------------- start

function segments(place, names, chosen, choose) {
  const made = Object.entries(names).map(([key, words]) => {
    const press = h("button", { type: "button", "aria-pressed": String(key === chosen()) }, words);
    press.addEventListener("click", () => {
      choose(key);
      [...place.children].forEach((each) => each.setAttribute("aria-pressed", String(each === press)));
    });
    return press;
  });
  place.replaceChildren(...made);
}

function dress() {
  at("brand").replaceWith(brand());
  at("who").after(themeButton());
  segments(at("filter"), FILTERS, () => page.filter, (key) => {
    page.filter = key;
    if (page.state) drawVouchers();
  });
  segments(at("tabs"), TABS, () => page.tab, (key) => {
    page.tab = key;
    page.drawn = "";
    at("refused").replaceChildren();
    if (page.state) draw();
  });
  at("find").addEventListener("submit", (event) => {
    event.preventDefault();
    find(at("code").value).catch(() => showState(false, WORDS.lost));
  });
  // What is scanned before somebody listens would be lost: the browser would send the form itself.
  at("code").disabled = false;
  clear();
}

async function start() {
  await entered;
  await refresh();
  setInterval(refresh, EVERY_MS);
}

openTags(document.body, at("sheet"));
page.draw = draw;
dress();
start().catch((error) => showState(false, capital(error.message)));
