/**
 * Asking the rooms of study.  A few questions are answered at a time: what comes while they are, or while the house
 * does not answer, is asked again by itself, since whoever asked did nothing wrong.  What is refused for another reason
 * is an error with that reason.
 */

const BUSY = [429, 503];
const AGAIN_MS = 1500;
const MOST_TRIES = 80;
const WORDS = {
  busy: "Other questions are being answered; this one waits",
  lost: "The house does not answer; trying again",
};

/**
 * @param {string} address
 * @param {{signal?: AbortSignal, waits?: (words: string) => void}} [how] `waits` is told why, each time
 */
export async function study(address, { signal, waits = () => {} } = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await asked(address, signal, tries);
    if (answer?.ok) return answer.json();
    if (answer && (!BUSY.includes(answer.status) || tries >= MOST_TRIES)) {
      const { reason, rule } = await answer.json();
      throw Object.assign(new Error(reason), { rule, missing: answer.status === 404 });
    }
    waits(answer ? WORDS.busy : WORDS.lost);
    await new Promise((go) => setTimeout(go, AGAIN_MS));
    signal?.throwIfAborted();
  }
}

/** The answer, or nothing if the house cannot be reached now. */
async function asked(address, signal, tries) {
  try {
    return await fetch(address, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (tries >= MOST_TRIES) throw new Error("the house does not answer: load this page again");
    return null;
  }
}
