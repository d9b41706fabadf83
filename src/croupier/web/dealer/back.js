/**
 * Taking back the last entry: what it is, asked once more, with the reason that goes on record.
 *
 * The table is asked before anything is pressed, so that the question names the entry; what may not be taken back is
 * refused at once, with its rule.
 */

import { refusal } from "../kit/rules.js";
import { factWords } from "../kit/story.js";

const REASON = "entered by mistake";

/**
 * @param {{dialog: HTMLDialogElement, ask: (command: object) => Promise<any>,
 *          preview: (command: object) => Promise<any>}} given
 * @returns {() => void} what opens the question
 */
export function takingBack({ dialog, ask, preview }) {
  const part = (name) => /** @type {HTMLElement} */ (dialog.querySelector(`#back-${name}`));
  const yes = /** @type {HTMLButtonElement} */ (part("yes"));

  async function takeBack() {
    const reason = /** @type {HTMLInputElement} */ (part("reason")).value.trim() || REASON;
    const answer = await ask({ type: "TakeBack", reason });
    if (answer.done) dialog.close();
    else part("refused").replaceChildren(...refusal(answer));
  }

  /** The entry in question; without an answer of the house it is only known to be the last. */
  async function named() {
    const seen = await preview({ type: "TakeBack", reason: REASON });
    if (!seen) return;
    if (!seen.lawful) part("refused").replaceChildren(...refusal(seen));
    yes.disabled = !seen.lawful;
    const taken = seen.events?.find((each) => each.type === "FactTakenBack");
    part("what").replaceChildren(...(taken ? factWords(taken.event.fact, taken.to, taken.card) : []));
    (yes.disabled ? part("no") : yes).focus();
  }

  dialog.querySelector("form")?.addEventListener("submit", (event) => {
    event.preventDefault();
    takeBack();
  });
  part("no").addEventListener("click", () => dialog.close());

  return () => {
    for (const name of ["refused", "what"]) part(name).replaceChildren();
    yes.disabled = false;
    dialog.showModal();
    yes.focus();
    named().catch(() => {});
  };
}
