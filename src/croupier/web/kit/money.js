/**
 * Money on a page: cents in, words out.  A balance shows its cents; a chip and a limit do not unless they have some.
 */

const EXACT = new Intl.NumberFormat("en-NZ", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const WHOLE = new Intl.NumberFormat("en-NZ", { maximumFractionDigits: 0 });

/** A balance: `$1,365.00`. @param {number} cents */
export function dollars(cents) {
  return `${cents < 0 ? "\u2212" : ""}$${EXACT.format(Math.abs(cents) / 100)}`;
}

/** An amount on the felt: `$25`, and `$47.50` only where there are cents. @param {number} cents */
export function short(cents) {
  return cents % 100 ? dollars(cents) : `${cents < 0 ? "\u2212" : ""}$${WHOLE.format(Math.abs(cents) / 100)}`;
}

/** Limits: `$5 – $1,000`. @param {number} least @param {number} most */
export function range(least, most) {
  return `${short(least)} – ${short(most)}`;
}
