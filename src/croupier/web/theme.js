/** The light and the dark room: a button switches, and this browser remembers. */

const KEY = "croupier theme";

function wear(theme, button) {
  document.documentElement.dataset.theme = theme;
  button.setAttribute("aria-label", theme === "room" ? "Light theme" : "Dark theme");
}

/** @param {HTMLElement} button */
export function themed(button) {
  wear(localStorage.getItem(KEY) ?? document.documentElement.dataset.theme ?? "room", button);
  button.addEventListener("click", () => {
    const theme = document.documentElement.dataset.theme === "room" ? "desk" : "room";
    localStorage.setItem(KEY, theme);
    wear(theme, button);
  });
}
