/**
 * The words of a page, in the language that was asked for.
 *
 * Every text that a player reads stands in a catalogue (`/words/en.ftl` and its sisters), written in Fluent.  What is
 * read below is the part of Fluent that the catalogues use: messages, values of several lines, comments, variables,
 * quoted text, references to other messages, and selection by plural category, number or word.  `floor/words.py` reads
 * the same part, and a test holds both together.
 *
 * Pages of players say so (`<html data-languages>`); on all others the language is English.  It is taken from the
 * address, else from what this browser chose last.  A page in use changes its language in place: `speak` fetches the
 * other catalogue, puts it over the texts that stand in the page (`data-t`), and says so with an event, upon which the
 * page draws the rest again from what it knows.  What the law says is never in a catalogue: it stays as printed, marked
 * with `translate="no"`.
 *
 * @typedef {string | {variable: string} | {message: string} | {select: string, cases: [string, Part[]][], other:
 * Part[]}} Part
 */

/** The languages, each by its own name. */
export const LANGUAGES = { en: "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文", mi: "Te reo Māori" };
/** On a phone there is room for their signs only. */
const SIGNS = { en: "EN", "zh-Hans": "简", "zh-Hant": "繁", mi: "MI" };
const narrow = matchMedia("(max-width: 640px)");
const KEPT = "croupier language";
const page = document.documentElement;

/** @type {Map<string, Part[]>} */
let catalogue = new Map();
let spoken = "en";
let plurals = new Intl.PluralRules("en");

/** The language in use. */
export const language = () => spoken;

// ---------------------------------------------------------------- reading a catalogue

/**
 * The messages of a catalogue by their names.
 * @param {string} text
 * @returns {Map<string, Part[]>}
 */
export function parse(text) {
  const found = new Map();
  for (const block of text.split(/\n(?=\S)/)) {
    const [, id, value] = /^([a-zA-Z][\w-]*) *= *([^]*)$/.exec(block) ?? [];
    if (id) found.set(id, pattern({ text: value.trimEnd().replaceAll(/\s*\n\s*/g, "\n"), at: 0 }));
  }
  return found;
}

/** A value up to its end, or to what ends a case. @returns {Part[]} */
function pattern(source, inCase = false) {
  const parts = [];
  let plain = "";
  while (source.at < source.text.length) {
    const here = source.text[source.at];
    if (here === "}" || (inCase && here === "\n" && /^\n(\*?\[|\})/.test(source.text.slice(source.at)))) break;
    source.at += 1;
    if (here !== "{") plain += here === "\n" ? " " : here;
    else {
      parts.push(plain, placeable(source));
      plain = "";
    }
  }
  return [...parts, plain].filter((part) => part !== "");
}

function placeable(source) {
  const rest = source.text.slice(source.at);
  const [whole, quoted, variable, message, arrow] =
    /^\s*(?:"([^"]*)"|\$([\w-]+)|([a-zA-Z][\w-]*))\s*(->)?\s*/.exec(rest) ?? [];
  if (whole === undefined) throw new Error(`not a placeable: ${rest.slice(0, 40)}`);
  source.at += whole.length;
  if (!arrow) {
    source.at += 1;
    return variable ? { variable } : message ? { message } : quoted;
  }
  const select = { select: variable, cases: [], other: [] };
  for (let key; (key = /^\s*(\*?)\[\s*([\w-]+)\s*\] */.exec(source.text.slice(source.at))); ) {
    source.at += key[0].length;
    const value = pattern(source, true);
    select.cases.push([key[2], value]);
    if (key[1]) select.other = value;
  }
  source.at = source.text.indexOf("}", source.at) + 1;
  return select;
}

// ---------------------------------------------------------------- saying something

/**
 * A message in the language in use.
 * @param {string} id
 * @param {Record<string, string | number>} [given]
 * @returns {string}
 */
export function t(id, given = {}) {
  const parts = catalogue.get(id);
  if (!parts) throw new Error(`no words for ${id}`);
  return said(parts, given);
}

/** Whether the catalogue has a message. @param {string} id */
export const has = (id) => catalogue.has(id);

function said(parts, given) {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if ("message" in part) return t(part.message, given);
      if ("variable" in part) return String(given[part.variable] ?? "");
      const value = given[part.select];
      const kinds = [String(value), ...(typeof value === "number" ? [plurals.select(value)] : [])];
      const [, chosen] = part.cases.find(([key]) => kinds.includes(key)) ?? ["", part.other];
      return said(chosen, given);
    })
    .join("");
}

/** Put the words over the texts that stand in the page. @param {ParentNode} root */
export function fill(root = document) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.getAttribute("data-t"));
  for (const node of root.querySelectorAll("[data-t-label]"))
    node.setAttribute("aria-label", t(node.getAttribute("data-t-label")));
}

// ---------------------------------------------------------------- which language

/** Speak a language from now on. @param {string} asked */
export async function speak(asked) {
  const chosen = asked in LANGUAGES ? asked : "en";
  const answer = await fetch(`/words/${chosen.toLowerCase()}.ftl`);
  if (!answer.ok) throw new Error(`no catalogue for ${chosen}`);
  catalogue = parse(await answer.text());
  spoken = chosen;
  plurals = new Intl.PluralRules(chosen);
  page.lang = chosen;
  fill();
  dispatchEvent(new Event("language"));
}

/** Choose a language for this browser: the address says it too, so that a link keeps it. */
export async function choose(asked) {
  localStorage.setItem(KEPT, asked);
  const address = new URL(location.href);
  address.searchParams.set("lang", asked);
  history.replaceState(null, "", address);
  await speak(asked);
}

/** A list of the languages, for the bar of a page. */
export function languages() {
  const list = document.createElement("select");
  list.className = "input language";
  for (const [tag, name] of Object.entries(LANGUAGES)) {
    const option = Object.assign(document.createElement("option"), { value: tag, title: name, lang: tag });
    list.append(option);
  }
  list.translate = false;
  const shown = () => {
    for (const option of list.options) option.textContent = narrow.matches ? SIGNS[option.value] : option.title;
    list.value = spoken;
    list.setAttribute("aria-label", t("language"));
  };
  list.addEventListener("change", () => choose(list.value));
  addEventListener("language", shown);
  narrow.addEventListener("change", shown);
  shown();
  return list;
}

const wanted = new URLSearchParams(location.search).get("lang") ?? localStorage.getItem(KEPT) ?? "en";
await speak(page.hasAttribute("data-languages") ? wanted : "en");
