/**
 * A simulation to watch: a bar, the estimate with its interval as it grows narrower, and the exact figure it should
 * meet.
 *
 * The server sends one line of JSON for each slice that it has played; leaving the stream stops it.
 */

import { svg } from "../kit/cards.js";
import { grouped, nameOf, percent, policyOf } from "./figures.js";
import { h, icon } from "../kit/staff.js";

const ROUNDS = [
  ["100000", "100 thousand"],
  ["1000000", "1 million"],
  ["10000000", "10 million"],
  ["50000000", "50 million"],
  ["100000000", "100 million"],
];
const WIDTH = 420;
const HEIGHT = 164;
const LEFT = 46;
const BOTTOM = 136;

/** Lines of a stream, as they come. @param {Response} answer */
async function* linesOf(answer) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop() ?? "";
    yield* parts.map((part) => JSON.parse(part));
  }
}

/**
 * @param {{place: HTMLElement, state: HTMLElement, address: (rounds: string, seed: string) => string, chosen:
 * (rounds: string, seed: string) => void}} given
 */
export function trial({ place, state, address, chosen }) {
  /**
   * @type {{wagers: any[], points: {rounds: number, edges: number[][]}[], asked: number, confidence: number, stop:
   * AbortController | null, shown: number}}
   */
  const run = { wagers: [], points: [], asked: 0, confidence: 0.95, stop: null, shown: -1 };
  const rounds = /** @type {HTMLSelectElement} */ (
    h(
      "select.input",
      { id: "rounds" },
      ROUNDS.map(([value, name]) => h("option", { value }, name)),
    )
  );
  const seed = /** @type {HTMLInputElement} */ (
    h("input.input", {
      id: "seed",
      inputMode: "numeric",
      pattern: "[0-9]{1,18}",
      required: true,
      autocomplete: "off",
      value: "1",
    })
  );
  const button = /** @type {HTMLButtonElement} */ (h("button.btn.main", { type: "submit" }, "Simulate"));
  const form = h(
    "form.start",
    h("label.field", h("span", "Rounds"), rounds),
    h("label.field", h("span", "Seed"), seed),
    button,
  );
  const bar = svg("rect", { class: "fg", width: 0, height: 10 });
  const summary = h("div.run", h("b"), h("span.quiet"));
  const progress = h(
    "div",
    {
      role: "progressbar",
      "aria-label": "Simulation",
      "aria-valuemin": "0",
      "aria-valuemax": "100",
      "aria-valuenow": "0",
    },
    svg(
      "svg",
      { class: "prog", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "bg", width: 100, height: 10 }),
      bar,
    ),
  );
  const which = /** @type {HTMLSelectElement} */ (
    h("select.input", { onchange: () => ((run.shown = Number(which.value)), draw()) })
  );
  const whichField = h("label.field", h("span", "Wager shown"), which);
  const drawn = h("div.drawn");
  const what = h(
    "p.quiet.what",
    "Plays whole rounds by the same rules with random cards, and shows how the edge found so comes to the " +
    "exact figure. The same seed plays the same rounds.",
  );
  place.replaceChildren(form, what, h("div.watch", { hidden: true }, summary, progress, whichField, drawn));
  const watch = /** @type {HTMLElement} */ (place.querySelector(".watch"));
  whichField.hidden = true;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (run.stop) return run.stop.abort();
    chosen(rounds.value, seed.value);
    play();
  });

  function say(words, kind = "") {
    state.textContent = words;
    state.className = `pill ${kind}`;
  }

  async function play() {
    run.stop = new AbortController();
    Object.assign(run, { wagers: [], points: [], asked: Number(rounds.value) });
    button.textContent = "Stop";
    button.className = "btn stop";
    watch.hidden = false;
    whichField.hidden = true;
    drawn.replaceChildren(h("p.quiet", "Preparing the game …"));
    say("Running", "wait");
    advance(0);
    try {
      const answer = await fetch(address(rounds.value, seed.value), { signal: run.stop.signal });
      if (!answer.ok) throw new Error((await answer.json()).reason);
      for await (const line of linesOf(answer)) take(line);
    } catch (error) {
      const stopped = run.stop?.signal.aborted;
      say(stopped ? "Stopped" : "Not run", stopped ? "" : "stop");
      if (!stopped) drawn.replaceChildren(h("p.quiet", /** @type {Error} */ (error).message));
    }
    run.stop = null;
    button.textContent = "Simulate";
    button.className = "btn main";
  }

  function take(line) {
    if (line.type === "failed") throw new Error(line.reason);
    if (line.type === "begun") begin(line);
    if (line.type === "played") {
      run.points.push(line);
      advance(line.rounds);
      draw();
    }
    if (line.type === "over") say("Done", "ok");
  }

  function begin({ wagers, confidence }) {
    const before = run.shown;
    Object.assign(run, { wagers, confidence });
    which.replaceChildren(
      ...wagers.map((row, at) =>
        h("option", { value: String(at) }, [nameOf(row.wager), policyOf(row)].filter(Boolean).join(", ")),
      ),
    );
    const banker = wagers.findIndex((row) => row.wager === "banker");
    run.shown = before >= 0 && before < wagers.length ? before : Math.max(0, banker);
    which.value = String(run.shown);
    whichField.hidden = wagers.length < 2;
  }

  function advance(done) {
    const part = run.asked ? (100 * done) / run.asked : 0;
    bar.setAttribute("width", String(part));
    progress.setAttribute("aria-valuenow", part.toFixed(0));
    summary.replaceChildren(
      h("b", `${grouped(done)} of ${grouped(run.asked)} rounds`),
      h("span.quiet", `seed ${seed.value}`),
    );
  }

  function draw() {
    const row = run.wagers[run.shown];
    const last = run.points.at(-1);
    if (!row || !last) return;
    const [edge, half] = last.edges[run.shown];
    const exact = row.exact_percent;
    const list = h(
      "dl.est2",
      h("div", h("dt", "Simulated"), h("dd", h("b", percent(edge)), ` ± ${half.toFixed(4)}`)),
      h("div", h("dt", "Exact"), h("dd", h("b", exact === null ? "not told here" : percent(exact)))),
    );
    drawn.replaceChildren(curve(run.points, run.shown, { exact, asked: run.asked }), list, verdict(edge, half, exact));
  }

  function verdict(edge, half, exact) {
    if (exact === null) return "";
    const sure = `${Math.round(run.confidence * 100)} % interval`;
    const inside = Math.abs(edge - exact) <= half;
    const words = inside
      ? `The exact figure lies inside the ${sure}.`
      : `The exact figure lies outside the ${sure}, as it does in one run of ${Math.round(1 / (1 - run.confidence))}.`;
    return h(
      "p",
      { className: `verd ${inside ? "" : "out"}`, role: "status" },
      icon(inside ? "check" : "alert"),
      words,
    );
  }

  return {
    /** Forget the last run: the rules have changed. */
    clear() {
      run.stop?.abort();
      watch.hidden = true;
      run.shown = -1;
      say("Ready");
    },
    set(many, from) {
      if (ROUNDS.some(([value]) => value === many)) rounds.value = many;
      else rounds.value = "10000000";
      seed.value = from || "1";
    },
  };
}

// ---------------------------------------------------------------- the curve

/**
 * The estimate so far, its interval around it, and the exact figure.
 * @param {{rounds: number, edges: number[][]}[]} points
 */
function curve(points, at, { exact, asked }) {
  const all = points.map(({ rounds, edges }) => ({ rounds, edge: edges[at][0], half: edges[at][1] }));
  const settled = all.slice(Math.min(all.length - 1, Math.ceil(all.length / 12)));
  const lows = settled.map(({ edge, half }) => edge - half * 1.2);
  const highs = settled.map(({ edge, half }) => edge + half * 1.2);
  const low = Math.min(...lows, exact ?? Infinity);
  const high = Math.max(...highs, exact ?? -Infinity);
  const span = high - low || 1;
  const x = (rounds) => LEFT + ((WIDTH - LEFT - 10) * rounds) / asked;
  const y = (edge) => 8 + (BOTTOM - 8) * (1 - Math.min(1, Math.max(0, (edge - low + span * 0.08) / (span * 1.16))));
  const spot = (rounds, edge) => `${x(rounds).toFixed(1)} ${y(edge).toFixed(1)}`;
  const band = `M${all.map((p) => spot(p.rounds, p.edge + p.half)).join("L")}L${[...all]
    .reverse()
    .map((p) => spot(p.rounds, p.edge - p.half))
    .join("L")}Z`;
  const line = `M${all.map((p) => spot(p.rounds, p.edge)).join("L")}`;
  const places = span < 0.2 ? 2 : span < 2 ? 1 : 0;
  const ticks = [0.1, 0.5, 0.9].map((part) => low + span * part);
  const grid = ticks.flatMap((tick) => [
    svg("path", { class: "g", d: `M${LEFT} ${y(tick).toFixed(1)}H${WIDTH - 10}` }),
    svg(
      "text",
      { class: "ax e", x: LEFT - 6, y: (y(tick) + 4).toFixed(1) },
      percent(tick, places + 1).replace(" %", ""),
    ),
  ]);
  const names = [0, asked / 2, asked].map((rounds, n) =>
    svg(
      "text",
      { class: n === 2 ? "ax e" : n ? "ax" : "ax s", x: n === 2 ? WIDTH - 10 : x(rounds), y: BOTTOM + 20 },
      short(rounds),
    ),
  );
  const truth =
    exact === null ? [] : [svg("path", { class: "exact", d: `M${LEFT} ${y(exact).toFixed(1)}H${WIDTH - 10}` })];
  return svg(
    "svg",
    {
      class: "plot conv",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": "The estimate, its interval and the exact figure as rounds are played",
    },
    ...grid,
    ...names,
    svg("path", { class: "band", d: band }),
    svg("path", { class: "est", d: line }),
    ...truth,
  );
}

function short(rounds) {
  if (rounds >= 1e6) return `${+(rounds / 1e6).toFixed(1)} M`;
  return rounds >= 1000 ? `${+(rounds / 1000).toFixed(1)} k` : String(rounds);
}
