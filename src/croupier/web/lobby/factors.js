/**
 * One's own second factors: those there are, and adding a source of codes or a passkey.
 *
 * The password is shown once more, and a factor that there is already; the secret of codes is shown here once.
 */

import { newPasskey, show } from "../kit/factor.js";
import { button, field, input, post } from "../kit/session.js";

const SVG = "http://www.w3.org/2000/svg";
const KINDS = { totp: "Codes", passkey: "Passkey" };

function made(tag, given, ...children) {
  const element = Object.assign(document.createElement(tag), given);
  element.append(...children);
  return element;
}

/**
 * @param {() => void} back what shows the account again
 * @returns {Promise<HTMLElement>}
 */
export async function factors(back) {
  const root = made("section", { className: "account factors", ariaLabel: "Second factors" });
  const alert = made("p", { className: "refused" });
  alert.setAttribute("role", "alert");

  const tried = async (work) => {
    alert.textContent = "";
    try {
      await work();
    } catch (error) {
      alert.textContent = error.message;
    }
  };

  /** Hands on a factor that there is already, or nothing if there is none. */
  async function withOwn(listed, use) {
    if (!listed.factors.length) return use(null);
    return show(await post("/api/factors/challenge", {}), "", use);
  }

  async function list() {
    shown(await (await fetch("/api/factors")).json());
  }

  function shown(listed) {
    const rows = listed.factors.map((each) =>
      made(
        "li",
        {},
        `${KINDS[each.kind]} ${each.label} `,
        button("Remove", {
          ariaLabel: `Remove ${KINDS[each.kind]} ${each.label}`,
          onclick: () =>
            tried(() =>
              withOwn(listed, async (proof) =>
                shown(await post("/api/factors/remove", { factor: each.id, shown: proof })),
              ),
            ),
        }),
      ),
    );
    const none = listed.wanted
      ? "You have none yet. Corrections, roles and keys want one."
      : "You have none. With one, corrections, roles and keys want it.";
    const password = input({ id: "factor-password", type: "password", autocomplete: "current-password" });
    const label = input({ id: "factor-label", maxLength: 40, required: false, autocomplete: "off" });
    const offered = (kind, then) =>
      tried(() =>
        withOwn(listed, async (proof) => {
          const body = { kind, password: password.value, ...(proof ? { shown: proof } : {}) };
          then(await post("/api/factors/offer", body), label.value);
        }),
      );
    const form = made(
      "form",
      { className: "account", ariaLabel: "Add a second factor" },
      field("Your password", password),
      field("A name for it", label),
      button("Codes of a telephone", { type: "submit", className: "btn main" }),
      button("A passkey", { onclick: () => offered("passkey", addPasskey) }),
      button("Back", { onclick: back }),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      offered("totp", addCode);
    });
    root.replaceChildren(
      made("h2", { textContent: "Second factors" }),
      rows.length ? made("ul", {}, ...rows) : made("p", { className: "quiet", textContent: none }),
      form,
      alert,
    );
  }

  function addPasskey({ offer, options }, label) {
    tried(async () => {
      const passkey = await newPasskey(options);
      shown(await post("/api/factors", { offer, label, shown: { passkey } }));
    });
  }

  function addCode({ offer, secret, picture }, label) {
    const code = input({ id: "factor-code", inputMode: "numeric", autocomplete: "one-time-code", maxLength: 10 });
    const form = made(
      "form",
      { className: "account", ariaLabel: "The first code" },
      field("The code it shows now", code),
      button("Add it", { type: "submit", className: "btn main" }),
      button("Cancel", { onclick: list }),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      tried(async () => shown(await post("/api/factors", { offer, label, shown: { code: code.value } })));
    });
    root.replaceChildren(
      made("h2", { textContent: "Codes of a telephone" }),
      made("p", { className: "quiet", textContent: "Let the telephone read this, or type the letters into it." }),
      drawn(picture),
      made("p", {}, made("code", { id: "factor-secret", textContent: secret.match(/.{1,4}/g).join(" ") })),
      form,
      alert,
    );
    code.focus();
  }

  await list();
  return root;
}

/** The picture that a telephone reads, with the quiet edge that it needs. */
function drawn(rows) {
  const size = rows.length + 8;
  const square = (x, y) => `M${x + 4} ${y + 4}h1v1h-1z`;
  const squares = rows.flatMap((row, y) => [...row].map((dark, x) => (dark === "#" ? square(x, y) : "")));
  const picture = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  const ground = document.createElementNS(SVG, "rect");
  picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", "The secret, for a telephone to read");
  picture.classList.add("picture");
  ground.setAttribute("width", String(size));
  ground.setAttribute("height", String(size));
  path.setAttribute("d", squares.join(""));
  picture.append(ground, path);
  return picture;
}
