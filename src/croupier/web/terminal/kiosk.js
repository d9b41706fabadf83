/**
 * A terminal that stands alone (`kiosk=1`): no way to the lobby or to another page, a screen that stays on, touch only,
 * and a page that begins again by itself whenever something ended it.
 */

import { t } from "../kit/words.js";
import { at } from "./desk.js";

const AGAIN_MS = 10_000;
export const alone = new URLSearchParams(location.search).get("kiosk") === "1";
let waiting = 0;

/** Begin again after a while; whoever stands before the screen is told so. */
export function beginAgain() {
  clearTimeout(waiting);
  waiting = setTimeout(() => location.reload(), AGAIN_MS);
  return t("begins-again", { seconds: AGAIN_MS / 1000 });
}

/** The screen stays on while the page is seen; where a browser cannot do that, the system has to. */
async function stayAwake() {
  if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen").catch(() => {});
}

if (alone) {
  document.documentElement.dataset.kiosk = "";
  for (const id of ["leave", "rules-read"]) at(id).remove();
  // The name of the house stays, as words.
  const brand = document.querySelector(".brand");
  const name = document.createElement("span");
  name.className = "brand";
  name.append(...(brand?.childNodes ?? []));
  brand?.replaceWith(name);
  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("dragstart", (event) => event.preventDefault());
  addEventListener("error", beginAgain);
  addEventListener("unhandledrejection", beginAgain);
  stayAwake();
}
