/**
 * Wagers that no drawing knows, as a list of buttons: plain, but never missing.
 */

import { html, press } from "./cloth.js";
import { kindOf, kindWords, wagerKey, wagerWords } from "../kit/names.js";
import { short } from "../kit/money.js";
import { t } from "../kit/words.js";

/**
 * @param {string[]} offers
 * @param {{hands: import("./cloth.js").Hands}} how
 */
export function listed(offers, { hands }) {
  if (!offers.length) return null;
  const element = html("div", offers.length <= 8 ? "spots few" : "spots");
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", t("more-bets"));
  const buttons = new Map();
  for (const [title, members] of kinds(offers)) {
    const grid = html("div");
    for (const on of members) {
      const button = html(
        "button",
        "spot",
        html("span", "name", title === t("bets") ? kindWords(on) : wagerWords(on)),
        html("span", "odds"),
        html("span", "put stake"),
      );
      Object.assign(button, { type: "button" }).dataset.on = on;
      press(button, () => hands.tap(on), () => hands.hold(on));
      buttons.set(on, button);
      grid.append(button);
    }
    element.append(html("section", "kind", html("h2", "", title), grid));
  }
  return { element, show: (spots) => buttons.forEach((button, on) => showSpot(button, on, spots.get(on))) };
}

/** Wagers without a place of their own come first, together; then each kind with its places. */
function kinds(offers) {
  const found = new Map();
  for (const on of offers) {
    const title = wagerKey(on).length > 1 ? kindWords(kindOf(on)) : t("bets");
    found.set(title, [...(found.get(title) ?? []), on]);
  }
  return [...found].sort(([one], [other]) => Number(other === t("bets")) - Number(one === t("bets")));
}

function showSpot(button, on, spot) {
  button.className = `spot ${spot.tone}${spot.shut ? " shut" : ""}`;
  button.setAttribute("aria-label", spot.label);
  button.setAttribute("aria-disabled", String(!spot.open));
  button.querySelector(".odds").textContent = spot.odds;
  const put = button.querySelector(".put");
  put.dataset.bet = on;
  put.textContent = spot.bets.map((bet) => bet.text ?? short(bet.cents)).join("  ");
  put.className = `put stake ${spot.bets.at(-1)?.state ?? ""}`;
}
