/**
 * The money wheel: 52 sections with pegs and a flapper, and an area for each symbol.
 *
 * The rim repeats no symbol side by side.  While the wheel turns it shows nothing of its end; told the symbol, it slows
 * down evenly to the nearest section of that symbol, without a pause at a border.
 */

import { n } from "../chips.js";
import { circle, cloth, group, html, path, rect, words } from "../cloth.js";
import { ledger } from "../ledger.js";
import { layer, polar, sector, SLOWING, turning } from "./wheel.js";
import { t } from "../../kit/words.js";

const RIM = [..."FEGE"].map((head) => `${head}ABACABADABCA`).join("");
const STEP = 360 / RIM.length;
const STOP_MS = 2600;
/** Degrees a second. */
const SPEED = 150;
const BOX = "-116 -123 232 240";
/** The part of the drawing in which the flapper bends, about the middle of its upper edge. */
const TONGUE = "-20 -117 40 20";

function rotorOf() {
  const rotor = group("rotor");
  const [letters, pegs] = [group(""), group("")];
  let walls = "";
  [...RIM].forEach((symbol, index) => {
    rotor.append(path(`sy ${symbol}`, sector(42, 105, (index - 0.5) * STEP, (index + 0.5) * STEP)));
    letters.append(words(symbol, 0, 0, `sy ${symbol}`, { transform: `rotate(${n(index * STEP)}) translate(0 -88.5)` }));
    const [x, y] = polar(109, (index + 0.5) * STEP);
    pegs.append(circle("peg", n(x), n(y), 1.5));
    walls += `M${polar(42, (index + 0.5) * STEP)
      .map(n)
      .join(" ")}L${polar(105, (index + 0.5) * STEP)
      .map(n)
      .join(" ")}`;
  });
  rotor.append(
    circle("shade", 0, 0, 62, { "stroke-width": 40 }),
    path("wall", walls),
    circle("hair", 0, 0, 105),
    circle("hair", 0, 0, 82),
    letters,
    pegs,
  );
  return rotor;
}

function bigWheel() {
  const rotor = rotorOf();
  const won = path("won", sector(42, 105, -STEP / 2, STEP / 2));
  const says = group("says", circle("cone", 0, 0, 42), circle("disc", 0, 0, 30), words("", 0, 9));
  const tongue = path("tongue", "M-4.5 -117H4.5L1.2 -101.5Q0 -99.5 -1.2 -101.5Z");
  const bends = layer("bends", TONGUE, tongue, circle("pin", 0, -117, 2.2));
  const turns = layer("turns", BOX, rotor);
  const element = html(
    "div",
    "bigwheel",
    html(
      "div",
      "round",
      layer("", BOX, circle("bowl", 0, 0, 113)),
      turns,
      layer("", BOX, won, says, path("post", "M-9 -121H9V-117H-9Z")),
      bends,
    ),
  );
  element.setAttribute("role", "img");
  /** What moves now. @type {Animation[]} */
  let moving = [];
  let turned = 0;
  let running = false;

  const put = (angle) => {
    for (const each of moving.splice(0)) each.cancel();
    turned = angle;
    rotor.setAttribute("transform", `rotate(${n(angle)})`);
  };
  function rest(symbol, { hit = false } = {}) {
    running = false;
    const at = [...RIM].findIndex(
      (each, index) => each === symbol && Math.abs(((((index * STEP + turned) % 360) + 540) % 360) - 180) < STEP / 2,
    );
    put(symbol ? -(at >= 0 ? at : RIM.indexOf(symbol)) * STEP : turned);
    won.setAttribute("visibility", hit ? "visible" : "hidden");
    says.setAttribute("class", `says ${symbol ?? ""}`);
    says.lastChild.textContent = symbol ?? "";
    element.setAttribute(
      "aria-label",
      symbol ? t("wheel-rests-in", { symbol }) : t("wheel-rests"),
    );
  }
  function run() {
    if (running) return;
    running = true;
    won.setAttribute("visibility", "hidden");
    says.setAttribute("class", "says");
    says.lastChild.textContent = "";
    element.setAttribute("aria-label", t("running-money-wheel"));
    put(turned);
    moving = [
      turning(turns, 0, 360, { duration: 360_000 / SPEED, iterations: Infinity }),
      bends.animate(bent(turned, turned + 360, (part) => part), { duration: 360_000 / SPEED, iterations: Infinity }),
    ];
  }
  /** Slower and slower, evenly, to the first section of the symbol that lies at least a turn ahead. */
  async function stop(symbol) {
    if (!running) run();
    const gone = (Number(moving[0].currentTime ?? 0) * SPEED) / 1000;
    const from = turned + gone;
    const least = from + (SPEED * STOP_MS) / 2000;
    const ends = Math.min(
      ...[...RIM].flatMap((each, index) =>
        each === symbol ? [-index * STEP + 360 * Math.ceil((least + index * STEP) / 360)] : [],
      ),
    );
    const base = turned;
    put(base);
    const how = { duration: STOP_MS, fill: /** @type {FillMode} */ ("forwards") };
    moving = [
      turning(turns, gone, ends - base, { ...how, easing: SLOWING }),
      bends.animate(bent(from, ends, (part) => 1 - Math.sqrt(1 - part)), how),
    ];
    await moving[0].finished.then(() => put(ends), () => {});
  }
  rest(null);
  return { element, rest, run, stop };
}

/**
 * How the flapper bends at each peg on the way from one angle to another and comes back between two; `when` is the part
 * of the time after which a part of the way is gone.
 */
function bent(from, to, when) {
  const frames = [];
  for (let peg = Math.ceil(from / STEP - 0.5) + 0.5; peg * STEP <= to; peg += 1)
    for (const [near, bend] of [[-0.2, 0], [0, -14], [0.2, 0]]) {
      const part = ((peg + near) * STEP - from) / (to - from);
      if (part > 0 && part < 1) frames.push({ offset: when(part), transform: `rotate(${bend}deg)` });
    }
  const still = { transform: "rotate(0deg)" };
  return [{ ...still, offset: 0 }, ...frames, { ...still, offset: 1 }];
}

function boxesOf(offers, phone) {
  if (phone) {
    const first = { A: [2, 2, 182.67, 138], B: [189.33, 2, 89, 138], C: [283, 2, 89, 138] };
    return Object.assign(
      first,
      Object.fromEntries([..."DEFG"].map((symbol, index) => [symbol, [2 + 93.67 * index, 145, 89, 138]])),
    );
  }
  const boxes = { A: [2, 2, 352, 71] };
  return Object.assign(
    boxes,
    Object.fromEntries(
      [..."BCDEFG"].map((symbol, index) => [
        symbol,
        [2 + (index % 2) * 178, 78 + Math.floor(index / 2) * 75, 174, 71],
      ]),
    ),
  );
}

/** An area: the tab is a piece of the rim with its letter, the ground a tint of the same colour. */
function areaParts(symbol, [x, y, w, h], phone) {
  const many = t("so-many-of", { count: [...RIM].filter((each) => each === symbol).length, all: RIM.length });
  const tab = phone
    ? `M${x + 10} ${y}H${x + w - 10}Q${x + w} ${y} ${x + w} ${y + 10}V${y + 38}H${x}V${y + 10}` +
      `Q${x} ${y} ${x + 10} ${y}Z`
    : `M${x + 10} ${y}H${x + 60}L${x + 50} ${y + h}H${x + 10}Q${x} ${y + h} ${x} ${y + h - 10}V${y + 10}` +
      `Q${x} ${y} ${x + 10} ${y}Z`;
  const said = phone
    ? [
        words(symbol, x + w / 2, y + 29, `sy ${symbol} letter`),
        words("", x + w / 2, y + 58, "t4 odds"),
        words(many, x + w / 2, y + 77, "t3"),
      ]
    : [
        words(symbol, x + 27, y + 47, `sy ${symbol} letter`),
        words("", x + 68, y + 33, "t4 left odds"),
        words(many, x + 68, y + 53, "t3 left"),
      ];
  return [
    rect("shape", [x, y, w, h], { rx: 10 }),
    path(`sy ${symbol} tab`, tab),
    ...said,
    rect("frame", [x, y, w, h], { rx: 10 }),
  ];
}

/**
 * @param {{offers: string[], view: any, phone: boolean, hands: import("../cloth.js").Hands}} given
 * @returns {import("../cloth.js").Felt}
 */
export function make({ offers, phone, hands }) {
  const base = cloth({
    box: phone ? "0 0 374 285" : "0 0 356 300",
    label: t("betting-layout"),
    kind: phone ? "layout phone" : "layout",
    hands,
  });
  const boxes = boxesOf(offers, phone);
  const known = new Set(offers.filter((on) => on in boxes));
  for (const on of known) {
    const [x, y, w, h] = boxes[on];
    const chip = phone
      ? { x: x + w / 2, y: y + h - 26, r: 15 }
      : on === "A"
        ? { x: x + 236, y: y + h / 2, r: 24, how: "beside", high: 24 }
        : { x: x + w - 24, y: y + h / 2, r: 17 };
    base.area(on, { kind: `mw ${on}`, parts: areaParts(on, boxes[on], phone), chip });
  }
  const wheel = bigWheel();
  const under = html("p", "under");
  const bets = ledger();
  return {
    main: [base.element],
    left: html("div", "stand", wheel.element, under),
    right: bets.element,
    known,
    show(scene) {
      base.show(scene.spots);
      bets.show(scene);
      const last = scene.view.history.at(-1);
      const symbol = scene.layout.symbol ?? last?.symbol ?? null;
      if (scene.moving && !scene.view.layout.symbol) wheel.run();
      else wheel.rest(symbol, { hit: scene.settled });
      base.element.classList.toggle("decided", scene.settled);
      for (const on of known) base.areas.get(on)?.node.classList.toggle("dim", scene.settled && on !== symbol);
      under.textContent = scene.moving
        ? t("running-money-wheel")
        : last
          ? t(scene.settled ? "round-number" : "previous-spin", { word: "round", number: last.round })
          : "";
    },
    perform: (before, now) => {
      const symbol = now.layout.symbol ?? now.history.at(-1)?.symbol;
      return symbol ? wheel.stop(symbol) : Promise.resolve();
    },
  };
}
