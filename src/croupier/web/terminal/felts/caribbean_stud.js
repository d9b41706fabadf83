/**
 * The felt of Caribbean stud: the dealer's five on top, the slot and two circles on an arc, the own five nearest.
 *
 * The hands of others lie face down, and so do four of the dealer's cards until they are turned over.  A coin goes into
 * the slot and its lamp is on while the wager stands.
 */

import { n } from "../chips.js";
import { circle, cloth, group, path, rect, words } from "../cloth.js";
import { svg } from "../../kit/cards.js";
import { dollars, short } from "../../kit/money.js";
import { named, wagerWords } from "../../kit/names.js";
import { arcOf, card, pill, redraw } from "./arc.js";
import { t } from "../../kit/words.js";

const ARC = arcOf({ cx: 440, cy: -610, r: 1018 });
const WORDS = arcOf({ cx: 440, cy: -1428, r: 1600 });
const PLACES = { jackpot: -9.2, ante: 0, bet: 9.2 };
const NEAR = [{ x: 122, y: 338, turn: 14 }, { x: 758, y: 338, turn: -14 }];

/** The jackpot's slot: a mouth for one coin, and a lamp that is on while the wager stands. */
function slot(x, y, wide) {
  return [
    rect("ringed", [x - wide / 2, y - 44, wide, 88], { rx: 14 }),
    rect("slot", [x - 6, y - 32, 12, 44], { rx: 6 }),
    circle("lamp", x, y + 29, 8),
  ];
}

/**
 * @param {{offers: string[], view: any, phone: boolean, hands: import("../cloth.js").Hands}} given
 * @returns {import("../cloth.js").Felt}
 */
export function make({ offers, view, phone, hands }) {
  const base = cloth({
    box: phone ? "0 0 374 418" : "16 0 848 498",
    label: t("stud-table"),
    kind: phone ? "phone" : "",
    hands,
  });
  print(base, { phone, inscriptions: view.inscriptions });
  const at = (name) =>
    phone ? [{ jackpot: 64, ante: 187, bet: 310 }[name] ?? 0, 232] : ARC.at(PLACES[name], ARC.r - 140).map(n);
  const radius = phone ? 44 : 46;
  const chip = ([x, y]) => ({
    x,
    y: y + 2,
    r: phone ? 26 : 30,
    gap: phone ? 50 : 62,
    how: "deep",
    high: phone ? 22 : 24,
  });
  if (offers.includes("jackpot")) {
    const [x, y] = at("jackpot");
    base.area("jackpot", {
      kind: "coin",
      parts: [...slot(x, y, phone ? 84 : 92), words(wagerWords("jackpot").toUpperCase(), x, y - 55, "spotname")],
      chip: { x: x + 12, y: y + 29, r: 0.1, how: "beside", dx: 24, high: 22 },
    });
  }
  for (const name of ["ante", "bet"]) {
    const [x, y] = at(name);
    const parts = [
      circle("ringed", x, y, radius),
      words(wagerWords(name).toUpperCase(), x, y - 55, "spotname"),
      words("", x, y + 5, "spotodds stay"),
    ];
    base.area(name, { kind: name, parts, chip: chip([x, y]) });
  }
  const [dealer, own, others, meter] = [group("dealer-hand"), group("own-hand"), group("others"), group("meter")];
  base.over.append(dealer, own, others, meter);
  return {
    main: [base.element],
    known: new Set(["ante", "jackpot"]),
    show(scene) {
      base.show(scene.spots);
      showDealer(dealer, scene, phone);
      showOwn(own, scene, phone);
      if (!phone) showOthers(others, scene);
      showPool(meter, scene.view.pool, phone);
      showStay(base, scene);
    },
  };
}

/** What the law wants to stand on the cloth, as it prints it. */
function print(base, { phone, inscriptions }) {
  const printed = inscriptions.map(({ text }) => text.toUpperCase()).join(" · ");
  if (phone) {
    base.under.append(
      words(t("dealer").toUpperCase(), 233, 13, "who hand"),
      words(printed, 187, 130, "print mid", { translate: "no" }),
    );
    return;
  }
  const edge = ARC.r + 82;
  base.element.prepend(svg("defs", {}, path("", WORDS.smile(1600, 14), { id: "cs1" })));
  const said = svg(
    "text",
    { class: "print mid", translate: "no" },
    svg("textPath", { href: "#cs1", startOffset: "50%" }, printed),
  );
  base.under.append(
    path("rail", `${ARC.smile(edge, 36)}L1900 500V1400H-1000V300Z`),
    path("edge-line", ARC.smile(edge, 36)),
    words(t("dealer").toUpperCase(), 440, 24, "who hand"),
    said,
  );
}

/** Four backs and the card that is up at the right, until they are turned over. */
function showDealer(place, { layout }, phone) {
  const dealt = layout.cards.dealer ?? [];
  const up = layout.up_card;
  const cards = dealt.length
    ? dealt.includes("?") && up
      ? [...dealt.filter((each) => each === "?"), up]
      : dealt
    : ["", "", "", "", ""];
  const says = layout.dealer
    ? t(layout.qualifies === false ? "hand-unqualified" : "hand-plain", { hand: named("hand", layout.dealer) })
    : "";
  redraw(place, JSON.stringify([cards, says]), () => {
    const drawn = cards.map((name, index) =>
      phone ? card(name, 122 + index * 55.5, 60, 52) : card(name, 440 + (index - 2) * 76, 88, 70),
    );
    return says ? [...drawn, phone ? pill(says, 233, 100, { high: 22 }) : pill(says, 440, 137)] : drawn;
  });
}

function showOwn(place, { boxes, view, settled }, phone) {
  const [mine] = boxes;
  const cards = mine?.hands[0]?.length ? mine.hands[0] : ["", "", "", "", ""];
  const says = mine?.figures?.hand ? named("hand", String(mine.figures.hand)) : "";
  const now = !settled && view.me.asked;
  redraw(place, JSON.stringify([cards, says, now]), () => {
    const drawn = cards.map((name, index) => {
      const off = index - 2;
      return phone
        ? card(name, 39 + index * 74, 338, 70)
        : card(name, 440 + off * 80, 398 + off * off * 2.2, 84, off * 2.2);
    });
    return says
      ? [
          ...drawn,
          pill(says, phone ? 187 : 440, phone ? 396 : 472, {
            kind: now ? "total now" : "total",
            high: phone ? 24 : 28,
          }),
        ]
      : drawn;
  });
}

/** The two nearest of the others, backs only. */
function showOthers(place, { layout, boxes }) {
  const mine = new Set(boxes.map(({ number }) => number));
  const others = layout.boxes.filter(({ number }) => !mine.has(number)).slice(0, 2);
  redraw(place, JSON.stringify(others), () =>
    others.flatMap((box, index) => {
      const { x, y, turn } = NEAR[index];
      const cards = box.hands[0] ?? [];
      const leaves = cards.map((name, k) => card(name, (k - 2) * 17, Math.abs(k - 2) * 1.4, 38, (k - 2) * 4));
      return [
        svg("g", { transform: `translate(${x} ${y}) rotate(${turn})` }, ...leaves),
        words(t("box-whose", { number: box.number, whose: "free", name: "" }), x, y + 52, "who"),
      ];
    }),
  );
}

function showPool(place, pool, phone) {
  if (typeof pool !== "number") return place.replaceChildren();
  redraw(place, String(pool), () =>
    phone
      ? [pill(`${t("jackpot-meter")} ${dollars(pool)}`, 187, 149, { high: 20 })]
      : [
          rect("", [660, 18, 196, 66], { rx: 10 }),
          words(t("jackpot-meter"), 758, 40, "who"),
          words(dollars(pool), 758, 69, "fig"),
        ],
  );
}

/** What it costs to stay stands in the empty circle of the bet, and the lamp is lit while the coin is in. */
function showStay(base, { view, spots, settled }) {
  const ante = view.wagers.find(({ mine, on }) => mine && on === "ante");
  const empty = !spots.get("bet")?.bets.length;
  const bet = base.areas.get("bet")?.node;
  bet?.classList.toggle("open", empty);
  const said = bet?.querySelector(".stay");
  const cost = empty && ante && !settled ? view.me.costs?.bet : 0;
  if (said) said.textContent = cost ? t("to-stay", { amount: short(cost) }) : "";
  const lit = !settled && Boolean(view.wagers.find(({ mine, on }) => mine && on === "jackpot"));
  base.areas.get("jackpot")?.node.querySelector(".lamp")?.classList.toggle("on", lit);
}
