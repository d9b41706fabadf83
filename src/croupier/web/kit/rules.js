/**
 * Rules on a page: tags that open.
 *
 * A tag shows the number of a rule; pressed, it opens one sheet with what the rule says.  What rules say is learned
 * from whatever the server tells (what is due, the stories of rounds), so that no page carries a book of its own.
 */

import { capital, wagerWords } from "./names.js";
import { h, icon } from "./staff.js";

/** @type {Map<string, string>} */
const said = new Map();

/** Keep what rules say: an id and its summary, or many. */
export function learn(known) {
  for (const [rule, summary] of Object.entries(known)) if (rule && summary) said.set(rule, summary);
}

export const summaryOf = (rule) => said.get(rule) ?? "";

/**
 * A tag for a rule; it opens the sheet of the page, or closes it again.
 * @param {string} rule
 * @param {string} [kind] further classes
 */
export function ruleTag(rule, kind = "") {
  if (!rule) return null;
  const tag = h("button", { type: "button", "aria-expanded": "false", "aria-label": `Rule ${rule}` }, rule);
  tag.className = `tag ${kind}`.trim();
  tag.dataset.rule = rule;
  return tag;
}

/**
 * Why the table said no, as the parts of a line: a sign, words before the reason, the reason, the rule.  Without words
 * before it, the reason stands after what it is about.
 */
export function refusal(answer, ...before) {
  const { on, reason } = answer;
  const about = on ? `${wagerWords(on)}: ${reason}` : reason;
  const words = h("span", ...before, before.length ? reason : capital(about));
  return [icon("alert"), words, ruleTag(answer.rule ?? "")].filter(Boolean);
}

/**
 * Let the tags below `root` open their sheet.  `place(tag, sheet)` puts the sheet where it belongs; by default it stays
 * where the page has it.
 * @param {HTMLElement} root
 * @param {HTMLElement} sheet
 * @param {(tag: HTMLElement, sheet: HTMLElement) => void} [place]
 */
export function openTags(root, sheet, place = () => {}) {
  let open = null;
  const shut = ({ back = false } = {}) => {
    open?.classList.remove("open");
    open?.setAttribute("aria-expanded", "false");
    if (back) open?.focus();
    open = null;
    sheet.hidden = true;
  };
  const show = (tag) => {
    shut();
    open = tag;
    tag.classList.add("open");
    tag.setAttribute("aria-expanded", "true");
    sheet.replaceChildren(...sheetOf(tag.dataset.rule, () => shut({ back: true })));
    place(tag, sheet);
    sheet.hidden = false;
  };
  root.addEventListener("click", (event) => {
    const tag = event.target instanceof Element ? event.target.closest(".tag") : null;
    if (!tag) return;
    if (tag === open) shut();
    else show(/** @type {HTMLElement} */ (tag));
    // A tag that was clicked gives the focus back, so that Enter goes on meaning what is due.
    if (event.detail) /** @type {HTMLElement} */ (tag).blur();
  });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !sheet.hidden) {
      shut({ back: true });
      event.stopPropagation();
    }
  });
  return shut;
}

function sheetOf(rule, shut) {
  const close = h("button.btn.bare.square", { type: "button", onclick: shut, "aria-label": "Close the rule" }, "✕");
  const text =
    summaryOf(rule) || "This page has not been told what this rule says yet: read it in the story of the round.";
  return [h("div.text", h("h3", h("span.code", rule)), h("p", text)), close];
}
