/** The light and the dark room: a button switches, and this browser remembers. */

import { t } from "./words.js";

const KEY = "croupier theme";
const SUN =
  "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 " +
  "1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400";
const MOON = "M19 14.500A8 8 0 0 1 9.500 5 8 8 0 1 0 19 14.500Z";

/** The button names and draws the room that it leads to. */
function wear(theme, button) {
  const words = t(theme === "room" ? "light-theme" : "dark-theme");
  document.documentElement.dataset.theme = theme;
  button.setAttribute("aria-label", words);
  button.title = words;
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", theme === "room" ? SUN : MOON);
  button.querySelector("svg")?.replaceChildren(path);
}

/** @param {HTMLElement} button */
export function themed(button) {
  wear(localStorage.getItem(KEY) ?? document.documentElement.dataset.theme ?? "room", button);
  addEventListener("language", () => wear(document.documentElement.dataset.theme ?? "room", button));
  button.addEventListener("click", () => {
    const theme = document.documentElement.dataset.theme === "room" ? "desk" : "room";
    localStorage.setItem(KEY, theme);
    wear(theme, button);
  });
}
