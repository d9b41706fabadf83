/**
 * Orders: what officials may do now although it is not due, by whom, and under which rule.
 */

import { ruleTag } from "../kit/rules.js";
import { h, plain } from "../kit/staff.js";

/**
 * @param {{root: HTMLElement, above: (role: string) => boolean, tell: (fact: object, how: object) => void}} given
 */
export function ordersPanel({ root, above, tell }) {
  const list = /** @type {HTMLElement} */ (root.querySelector("ul"));
  let drawn = "";

  function row({ act, by, official, rule }) {
    const lent = above(official) ? { role: official, name: "" } : null;
    const give = () => tell({ perform: act, by }, { official: lent, words: plain(act) });
    return h(
      "li",
      h("button.btn", { type: "button", onclick: give }, plain(act)),
      h("span.quiet", `by the ${by}`),
      ruleTag(rule),
    );
  }

  function show({ orders }) {
    const now = JSON.stringify(orders);
    if (now === drawn) return;
    drawn = now;
    list.replaceChildren(...orders.map(row));
    root.hidden = !orders.length;
    // What the dealer himself may do is not looked for behind a fold.
    if (orders.some(({ official }) => !above(official))) root.setAttribute("open", "");
  }

  return { show };
}
