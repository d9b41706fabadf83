/**
 * Taking back the last entry: asked once more, with the reason that goes on record.
 */

import { refusal } from "../kit/rules.js";

const REASON = "entered by mistake";

/**
 * @param {{dialog: HTMLDialogElement, ask: (command: object) => Promise<any>}} given
 * @returns {() => void} what opens the question
 */
export function takingBack({ dialog, ask }) {
  const part = (name) => /** @type {HTMLElement} */ (dialog.querySelector(`#back-${name}`));

  async function takeBack() {
    const reason = /** @type {HTMLInputElement} */ (part("reason")).value.trim() || REASON;
    const answer = await ask({ type: "TakeBack", reason });
    if (answer.done) dialog.close();
    else part("refused").replaceChildren(...refusal(answer));
  }

  dialog.querySelector("form")?.addEventListener("submit", (event) => {
    event.preventDefault();
    takeBack();
  });
  part("no").addEventListener("click", () => dialog.close());

  return () => {
    part("refused").replaceChildren();
    dialog.showModal();
    part("yes").focus();
  };
}
