/**
 * The training room: a table plays itself, and before some of its steps a question is asked.
 *
 * A lesson is game, edition, version and number; it stands in the address with the answers given so far, so that a
 * page that is loaded again is where it was, and "Copy link" gives the same lesson to somebody else.  Right and wrong
 * come from the server, answer by answer; this page knows none.  Keys 1 to 4 answer, Enter goes on.
 *
 * @typedef {{by: string, on: string, stake: number, box: number}} Stake
 * @typedef {{number: number, kind: string, asks: string, tells: string, log: string[], options: string[], round:
 * number,
 *   layout: any, wagers: Stake[]}} Question
 * @typedef {{game: string, edition: string, version: string, seed: number, questions: Question[]}} Lesson
 * @typedef {{is_right: boolean, right: number, rule: string, summary: string, why: string, advisable: boolean}} Judged
 */

import { EDITIONS, GAMES, capital, gameWords, wagerWords, words } from "../kit/names.js";
import { learn, openTags, ruleTag } from "../kit/rules.js";
import { brand, dollars, felt, h, icon, kbd, plain, themeButton } from "../kit/staff.js";
import { study } from "../kit/session.js";

const KINDS = { due: "What is due", call: "Calls", pay: "Payments", mistake: "Mistakes" };
const MOST_SEED = 999_999_999;
const at = (id) => /** @type {any} */ (document.getElementById(id));
const page = {
  /** @type {Record<string, Record<string, string[]>>} */ games: {},
  /** @type {Lesson | null} */ lesson: null,
  /** @type {(number | null)[]} */ answers: [],
  /** @type {(boolean | null)[]} */ marks: [],
  now: 0,
  /** @type {Judged | null} */ judged: null,
  /** How often a lesson was begun: what comes for an earlier one is late. */
  begun: 0,
};

// ---------------------------------------------------------------- asking the house

/** @param {string} door @param {Record<string, string>} [more] */
async function askRoom(door, more = {}) {
  const address = `/api/training/${door}?${new URLSearchParams({ ...named(), ...more })}`;
  const reply = await study(address, { waits: problem });
  problem("");
  return reply;
}

/** The lesson that is chosen, as the address names it. */
function named() {
  const { game, edition, version, seed } = page.lesson ?? chosen();
  return { game, edition, version, seed: String(seed) };
}

const chosen = () => ({
  game: at("game").value,
  edition: at("edition").value,
  version: at("version").value,
  seed: at("seed").value,
});

// ---------------------------------------------------------------- choosing

function fill(select, names, says, wanted) {
  select.replaceChildren(...names.map((name) => h("option", { value: name }, says(name))));
  select.value = names.includes(wanted) ? wanted : names[0];
}

function drawChoices({ game = "", edition = "", version = "", seed = "" }) {
  fill(at("game"), Object.keys(page.games), (name) => GAMES[name] ?? words(name), game);
  const editions = page.games[at("game").value];
  fill(at("edition"), Object.keys(editions), (name) => EDITIONS[name] ?? name, edition);
  fill(at("version"), editions[at("edition").value], words, version);
  at("seed").value = seed || "1";
}

async function begin(answers = []) {
  const begun = ++page.begun;
  page.lesson = null;
  problem("");
  at("tells").replaceChildren(h("span.quiet", "The lesson is being laid out."));
  at("tells").hidden = false;
  try {
    const lesson = await askRoom("lesson");
    if (begun !== page.begun) return;
    page.lesson = lesson;
    page.answers = lesson.questions.map((_, index) => answers[index] ?? null);
    page.marks = lesson.questions.map(() => null);
    await mark(begun);
    if (begun === page.begun) show(firstOpen());
  } catch (error) {
    if (begun === page.begun) problem(error.message);
  }
}

/** What was right of the answers that came with the address. */
async function mark(begun) {
  const given = page.answers.map((answer, index) => ({ answer, index })).filter((each) => each.answer !== null);
  const judged = await Promise.all(
    given.map(({ answer, index }) => askRoom("judge", { question: String(index), answer: String(answer) })),
  );
  if (begun === page.begun) given.forEach(({ index }, order) => (page.marks[index] = judged[order].is_right));
}

const firstOpen = () => page.answers.findIndex((answer) => answer === null);

function problem(text) {
  at("problem").hidden = !text;
  at("problem").replaceChildren(...(text ? [icon("alert"), h("span", `${plain(text)}.`)] : []));
}

// ---------------------------------------------------------------- a question

function show(number) {
  const { lesson } = page;
  if (!lesson) return;
  page.judged = null;
  page.now = number < 0 ? lesson.questions.length : number;
  remember();
  drawDots();
  const over = page.now >= lesson.questions.length;
  at("question").hidden = over;
  at("ended").hidden = !over;
  if (over) drawEnd();
  else drawQuestion(lesson.questions[page.now]);
}

/** @param {Question} question */
function drawQuestion(question) {
  at("where").textContent = `${gameWords(page.lesson)}, round ${question.round}`;
  at("felt").replaceChildren(felt(question.layout));
  at("felt").hidden = false;
  at("tells").hidden = !question.tells;
  at("tells").replaceChildren(question.kind === "mistake" ? icon("alert") : "", h("span", question.tells));
  at("tells").className = question.kind === "mistake" ? "tells wrong" : "tells";
  at("asks").textContent = question.asks;
  at("options").replaceChildren(...question.options.map(option));
  at("verdict").replaceChildren();
  drawPast(question);
  at("asks").focus({ preventScroll: true });
}

function option(text, index) {
  const button = h(
    "button.option",
    { type: "button", onclick: () => answer(index) },
    kbd(String(index + 1)),
    h("span", text),
  );
  return h("li", button);
}

/** @param {Question} question */
function drawPast(question) {
  const stake = ({ by, on, stake: cents }) =>
    h("li", h("span", by), h("span", wagerWords(on)), h("b.num", dollars(cents)));
  at("stakes").replaceChildren(...question.wagers.map(stake));
  const lines = question.log.map((line) => h("li", line));
  at("log").replaceChildren(
    ...(lines.length
      ? lines
      : [h("li.quiet", page.now ? "Nothing since the last question." : "The table was just opened.")]),
  );
}

async function answer(index) {
  if (page.judged || !page.lesson || page.now >= page.lesson.questions.length) return;
  const { begun, now } = page;
  const buttons = at("options").querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  try {
    const judged = await askRoom("judge", { question: String(now), answer: String(index) });
    if (begun !== page.begun || now !== page.now) return;
    page.judged = judged;
    page.answers[now] = index;
    page.marks[now] = judged.is_right;
    learn({ [judged.rule]: judged.summary });
    drawVerdict(index, judged);
    remember();
    drawDots();
  } catch (error) {
    problem(error.message);
    for (const button of buttons) button.disabled = false;
  }
}

/** @param {number} given @param {Judged} judged */
function drawVerdict(given, judged) {
  const buttons = [...at("options").querySelectorAll("button")];
  const sign = (button, name, says) => {
    button.classList.add(name);
    button.append(h("span.mark", icon(name === "right" ? "check" : "clear"), says));
  };
  sign(buttons[judged.right], "right", given === judged.right ? "Right" : "This was right");
  if (given !== judged.right) sign(buttons[given], "wrong", "Your answer");
  const last = page.now + 1 >= page.lesson.questions.length;
  const next = h(
    "button.btn.main",
    { type: "button", id: "next", onclick: () => show(page.now + 1) },
    last ? "See the score" : "Next question",
    icon("arrow"),
  );
  const head = h("p.head", h("b", judged.is_right ? "Right." : "Not so."), ruleTag(judged.rule));
  const why = judged.why && h("p.why", "The table would say: ", judged.why, ".");
  const advice =
    judged.advisable &&
    h("p.advice", h("button.btn", { type: "button", onclick: advise }, "What should the player choose?"));
  at("verdict").replaceChildren(...[head, h("p", judged.summary), why, advice, next].filter(Boolean));
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

/** What the odds engine would choose, which takes some seconds the first time. */
async function advise(event) {
  const place = event.target.closest(".advice");
  place.replaceChildren(h("span.quiet", "Reckoning the odds …"));
  try {
    const { says } = await askRoom("advice", { question: String(page.now) });
    place.replaceChildren(
      h("b", "By the odds: "),
      says,
      h("span.quiet", " Advice is for lessons, never for a live table."),
    );
  } catch (error) {
    place.replaceChildren(capital(error.message));
  }
}

// ---------------------------------------------------------------- the score

function drawDots() {
  const { lesson, marks, now } = page;
  const state = (index) => (marks[index] === null ? "open" : marks[index] ? "right" : "wrong");
  const dot = (question, index) => {
    const current = index === now;
    const answered = state(index) === "open" ? "not answered" : state(index);
    const says = `Question ${index + 1}, ${KINDS[question.kind].toLowerCase()}: ${answered}`;
    const sign = marks[index] === null ? String(index + 1) : icon(marks[index] ? "check" : "clear");
    return h(
      "li",
      {
        className: `${state(index)}${current ? " on" : ""}`,
        "aria-label": says,
        "aria-current": current ? "step" : undefined,
      },
      sign,
    );
  };
  at("dots").replaceChildren(...lesson.questions.map(dot));
  const given = marks.filter((each) => each !== null).length;
  at("count").textContent = `${lesson.questions.length} questions`;
  at("tally").textContent = given ? `${marks.filter(Boolean).length} of ${given} right` : "Nothing answered yet.";
}

async function drawEnd() {
  at("felt").hidden = true;
  at("where").textContent = `${gameWords(page.lesson)}, lesson ${page.lesson.seed}`;
  at("stakes").replaceChildren();
  at("log").replaceChildren(h("li.quiet", "The lesson is over."));
  const { begun } = page;
  try {
    const score = await askRoom("score", { answers: page.answers.map((each) => each ?? "-").join(",") });
    if (begun !== page.begun) return;
    learn(Object.fromEntries(score.rules.map(({ rule, summary }) => [rule, summary])));
    const kinds = Object.entries(score.kinds).map(([kind, each]) =>
      h("div", h("dt", KINDS[kind]), h("dd", `${each.right} of ${each.answered}`)),
    );
    const row = ({ rule, summary, right, answered }) =>
      h(
        "li",
        { className: right < answered ? "weak" : "" },
        ruleTag(rule),
        h("span", summary),
        h("b.num", `${right} of ${answered}`),
      );
    const again = h("button.btn.main", { type: "button", onclick: another }, "Another lesson", icon("arrow"));
    const same = h("button.btn", { type: "button", onclick: () => begin() }, "The same again");
    const title = h("h2.asks", { tabIndex: -1 }, `${score.right} of ${score.answered} right`);
    at("ended").replaceChildren(
      title,
      h("dl.kinds", kinds),
      h("h3", "By rule, the weakest first"),
      h("ol.rules", score.rules.map(row)),
      h("p.go", again, same),
    );
    title.focus({ preventScroll: true });
  } catch (error) {
    problem(error.message);
  }
}

// ---------------------------------------------------------------- start

function remember() {
  const given = page.answers.map((each) => each ?? "-").join(",").replace(/(,?-)+$/, "");
  const query = new URLSearchParams({ ...named(), ...(given ? { answers: given } : {}) });
  history.replaceState(null, "", `?${query}`);
}

function another() {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  at("seed").value = String(number % (MOST_SEED + 1));
  page.lesson = null;
  begin();
}

function onKey(event) {
  const index = Number(event.key) - 1;
  const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || page.judged) return;
  const count = page.lesson?.questions[page.now]?.options.length ?? 0;
  if (index >= 0 && index < count) answer(index);
}

function dress() {
  at("brand").replaceWith(brand());
  at("link").after(themeButton());
  at("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  for (const id of ["game", "edition", "version"]) {
    at(id).addEventListener("change", () => {
      drawChoices(chosen());
      page.lesson = null;
      begin();
    });
  }
  at("another").addEventListener("click", another);
  at("link").addEventListener("click", async () => {
    await navigator.clipboard.writeText(`${location.origin}/training?${new URLSearchParams(named())}`);
    at("link").textContent = "Copied";
  });
  document.addEventListener("keydown", onKey);
}

async function start() {
  const asked = Object.fromEntries(new URLSearchParams(location.search));
  page.games = (await study("/api/training/choices", { waits: problem })).games;
  drawChoices(asked);
  const answers = (asked.answers ?? "").split(",").map((each) => (/^\d$/.test(each) ? Number(each) : null));
  await begin(answers);
}

/** The sheet of a rule opens below the line that cites it. */
openTags(document.body, at("sheet"), (tag, sheet) => (tag.closest("li, .head") ?? tag).after(sheet));

dress();
start().catch((error) => problem(error.message));
