/**
 * Sounds and the squeeze: two things that a player may turn on for this browser; both are off at first.
 *
 * A sound says that something was taken, that the time is nearly over, or that a round has ended; it is the same
 * whether the round was won or lost.  They are made here, short tones and nothing to fetch.  Squeezed cards lie face
 * down until they are turned by a touch, or until the round is over; nothing waits for it.
 */

const KEYS = { sound: "croupier sound", squeeze: "croupier squeeze" };
/** Hertz and seconds of each tone. */
const TONES = {
  chip: [[520, 0.04]],
  hurry: [[660, 0.08]],
  closed: [[392, 0.12]],
  card: [[880, 0.02]],
  over: [[440, 0.09], [554, 0.12]],
};
/** @type {AudioContext | null} */
let audio = null;

/** @param {"sound" | "squeeze"} what */
export const isOn = (what) => localStorage.getItem(KEYS[what]) === "on";

/** @param {"sound" | "squeeze"} what @param {boolean} on */
export function turn(what, on) {
  if (on) localStorage.setItem(KEYS[what], "on");
  else localStorage.removeItem(KEYS[what]);
  dispatchEvent(new Event("chip"));
  if (what === "sound" && on) sound("chip");
}

/** @param {keyof typeof TONES} name */
export function sound(name) {
  if (!isOn("sound") || document.hidden) return;
  audio ??= new AudioContext();
  let at = audio.currentTime;
  for (const [hertz, seconds] of TONES[name]) {
    const [tone, level] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = hertz;
    level.gain.setValueAtTime(0.08, at);
    level.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(level).connect(audio.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}
