/**
 * Chips and wagers: a dialog for what a dealer does at the layout beside the game, for players without a page.
 *
 * A group is chosen, then an act of it, and below stands its form (`acts.js`).  What the table answers is said under
 * the form: what was refused keeps all that was typed, with the rule; what was done leaves the player chosen, so that
 * the next one is quick.  While it is open the table goes on: lists of players and wagers follow the view, and nothing
 * that was typed is lost by it.
 */

import { form, reoption } from "../kit/form.js";
import { h } from "../kit/staff.js";
import { ACTS } from "./acts.js";
import { radios } from "./parts.js";

/** Fields that are empty again when something was done. */
const TYPED = ["money", "chips", "number", "text"];

/**
 * @param {{ask: (command: object, official: any) => Promise<any>, above: (role: string) => boolean,
 *          settled: () => Promise<any[]>}} given `settled`: the wagers that were settled of late, newest first
 */
export function trayDialog({ ask, above, settled }) {
  const choose = h("div.pick");
  const place = h("div");
  const shut = h("button.btn", { type: "button", onclick: () => dialog.close() }, "Close");
  const head = h("header", h("h2", { id: "tray-title" }, "Chips and wagers"), shut);
  const dialog = /** @type {HTMLDialogElement} */ (
    h("dialog.dialog.tray", { "aria-labelledby": "tray-title" }, head, choose, place)
  );
  /** @type {import("./acts.js").Here} */
  const here = { view: null, settled: [] };
  let act = ACTS[0];
  let offered = "";
  /** @type {HTMLFormElement | null} */
  let shown = null;
  /** The options of the form as they were drawn. @type {Map<string, string>} */
  const drawn = new Map();

  const known = () => ACTS.filter((each) => each.shown?.(here) ?? true);
  const fields = () => act.fields.filter((each) => each.shown?.(here) ?? true);

  /** The groups, and the acts of the group that is chosen. */
  function drawChoice() {
    const groups = [...new Set(known().map(({ group }) => group))];
    const mine = known().filter(({ group }) => group === act.group).map(({ name, words }) => [name, words]);
    choose.replaceChildren(
      h("fieldset", h("legend.sr", "What it is about"), radios("group", groups.map((each) => [each, each]), act.group)),
      h("fieldset", h("legend.sr", "What to do"), radios("act", mine, act.name)),
    );
  }

  function pick(next) {
    act = next;
    drawChoice();
    drawForm();
    readSettled();
  }

  /** What was settled is read where it is asked for; what cannot be had now is read with the next round. */
  function readSettled() {
    if (act.type !== "ReportPaid") return;
    settled().then((found) => ((here.settled = found), follow()), () => {});
  }

  function drawForm() {
    drawn.clear();
    const asked = fields().map(({ options, value, shown: _, ...field }) => {
      const now = options?.(here) ?? [];
      drawn.set(field.name, JSON.stringify(now));
      return { ...field, options: now, value: value?.(here) ?? (field.kind === "select" ? (now[0]?.[0] ?? "") : "") };
    });
    shown = form({
      label: act.words,
      fields: asked,
      buttons: [{ name: act.name, words: act.main, kind: "main" }],
      send,
    });
    const higher = orderedBy({});
    const who = higher && h("p.quiet", `The ${higher} orders this, and confirms it here.`);
    place.replaceChildren(...[act.about && h("p.quiet", act.about), who, shown].filter(Boolean));
  }

  /** Whoever above this page's own role must order it; nobody, if the dealer may. */
  function orderedBy(given) {
    const role = act.role?.(given, here) ?? here.view.asks[act.type]?.role ?? "";
    return above(role) ? role : "";
  }

  async function send(given, _, line) {
    const bare = fields().find(({ kind, options }) => kind === "select" && options && !options(here).length);
    if (bare) return line.no({ reason: `${bare.label}: there is none now` });
    const role = orderedBy(given);
    const mine = shown;
    const command = { type: act.type, ...(act.parts?.(given, here) ?? given) };
    const words = act.done(given, here);
    const answer = await ask(command, role ? { role, name: "" } : null);
    if (answer.done) line.yes(role ? `${words} Ordered by the ${role}.` : words);
    else line.no(answer);
    line.root.scrollIntoView({ block: "nearest" });
    if (!answer.done) return;
    for (const { name, kind = "text" } of fields()) {
      const control = /** @type {HTMLInputElement | undefined} */ (mine?.elements.namedItem(name));
      if (control && TYPED.includes(kind)) control.value = "";
    }
  }

  /** Let the lists follow the view. */
  function follow() {
    const names = JSON.stringify(known().map(({ name }) => name));
    if (names !== offered) {
      offered = names;
      if (!known().includes(act)) return pick(known()[0]);
      const had = /** @type {HTMLInputElement | null} */ (choose.querySelector("input:focus"))?.name;
      drawChoice();
      if (had) focusOn(had);
    }
    for (const { name, options } of shown ? fields() : []) {
      const now = options?.(here) ?? [];
      if (!shown || !options || drawn.get(name) === JSON.stringify(now)) continue;
      drawn.set(name, JSON.stringify(now));
      reoption(shown, name, now);
    }
  }

  const focusOn = (name) =>
    /** @type {HTMLElement | null} */ (choose.querySelector(`[name=${name}]:checked`))?.focus();

  choose.addEventListener("change", ({ target }) => {
    const { name, value } = /** @type {HTMLInputElement} */ (target);
    const next = known().find((each) => (name === "group" ? each.group : each.name) === value);
    if (next) pick(next);
    focusOn(name);
  });
  choose.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (place.querySelector("select, input"))?.focus();
  });
  // The first Escape closes the sheet of a rule, the next one the dialog; a tag that was clicked has no focus any more.
  const sheetFirst = (event) => {
    if (event.key === "Escape" && dialog.querySelector(".rulesheet:not([hidden])")) event.preventDefault();
  };
  document.addEventListener("keydown", sheetFirst, { capture: true });
  document.body.append(dialog);

  return {
    show(view) {
      const ended = here.view?.round !== view.round;
      here.view = view;
      if (!dialog.open) return;
      follow();
      if (ended) readSettled();
    },
    open() {
      if (!here.view || dialog.open) return;
      offered = JSON.stringify(known().map(({ name }) => name));
      pick(known().includes(act) ? act : known()[0]);
      dialog.showModal();
      focusOn("act");
    },
  };
}
