/**
 * The line between a page and its table.
 *
 * A page enters once and keeps its ticket; `connect` says Hello with it and hands on every view.  A command goes out
 * under an id made here, and stays on a list until its answer is in: when the line is lost, the next one sends the
 * whole list again with the same ids, so that nothing is done twice and nothing is forgotten.  Each says the round
 * that it was meant for, so that a wager held up on the way is not taken for the next round.  A line that is silent
 * for too long is given up, because a socket that nobody closed can look open for minutes.
 *
 * @typedef {{type: string, id: string, done: boolean, line: number, reason?: string, rule?: string,
 *   on?: string}} Answer
 * @typedef {{name: string, role: string, table: string}} Admission
 * @typedef {{do: (command: object) => Promise<Answer>, close: () => void}} Line
 */

import { post } from "./session.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const PING_MS = 5000;
const SILENCE_MS = 12000;

/**
 * Ask the house for a ticket.
 * @param {Admission} who
 * @returns {Promise<string>}
 */
export async function enter({ name, role, table }) {
  const reply = await post("/api/enter", { name, role, table });
  // In the demonstration a player is given a terminal: this browser is its device, and keeps its secret.
  if (reply.secret) localStorage.setItem(`croupier device ${table} ${reply.name}`, reply.secret);
  if (reply.acceptor) localStorage.setItem(`croupier device ${table} ${reply.name} note acceptor`, reply.acceptor);
  return reply.ticket;
}

/** A new id for a command: 128 random bits as 32 hexadecimal digits. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Keep who somebody is for the next page of this tab.  The address carries the same, without the ticket.
 * @param {Admission & {ticket: string}} who
 */
export function remember(who) {
  sessionStorage.setItem(`croupier ${who.role} ${who.table}`, JSON.stringify(who));
}

/**
 * Who this page was opened for: from the address, with the ticket of the lobby if this tab has one.
 * @param {string} role the role of this page, unless the address names one
 * @returns {Admission & {ticket: string}}
 */
export function admitted(role) {
  const asked = new URLSearchParams(location.search);
  const who = { table: asked.get("table") ?? "", role: asked.get("role") ?? role, name: asked.get("name") ?? "" };
  const kept = JSON.parse(sessionStorage.getItem(`croupier ${who.role} ${who.table}`) ?? "{}");
  const same = !who.name || kept.name === who.name;
  return { ...who, name: who.name || kept.name || "", ticket: same ? kept.ticket ?? "" : "" };
}

/**
 * Watch a table and ask commands of it, through losses of the line; without a ticket only its public board is seen.
 * @param {{table: string, ticket?: string, onView: (view: any, line: number) => void,
 *          onState: (state: "open" | "lost" | "ended", reason: string) => void}} given
 * @returns {Line}
 */
export function connect({ table, ticket = "", onView, onState }) {
  /** @type {Map<string, {asked: {command: object, round: number}, tell: (answer: Answer) => void}>} */
  const unanswered = new Map();
  /** @type {WebSocket | null} */
  let socket = null;
  let wait = FIRST_WAIT_MS;
  let retry = 0;
  let heard = 0;
  let seen = 0;
  let round = 0;
  let over = false;

  const send = (message) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  const ask = (id) => send({ type: "Do", id, ...unanswered.get(id)?.asked });

  function open() {
    clearTimeout(retry);
    const way = `/api/tables/${encodeURIComponent(table)}/${ticket ? "live" : "board"}`;
    const line = new WebSocket(location.origin.replace(/^http/, "ws") + way);
    socket = line;
    heard = Date.now();
    line.onopen = () => {
      if (ticket) send({ type: "Hello", ticket, seen });
      for (const id of unanswered.keys()) ask(id);
    };
    line.onmessage = (event) => line === socket && hear(JSON.parse(event.data));
    line.onclose = () => line === socket && lose("the connection is lost");
  }

  function hear(message) {
    heard = Date.now();
    if (message.type === "View" || message.type === "BoardShown") {
      // The first view proves that the table took the ticket; only then is the line open.
      wait = FIRST_WAIT_MS;
      seen = message.line;
      round = message.view.round;
      onState("open", "");
      onView(message.view, message.line);
    } else if (message.type === "Answer") {
      answer(message.id, message);
    } else if (message.type === "Sorry") {
      if (message.end) end(message.reason);
      else answer(unanswered.keys().next().value, { type: "Answer", done: false, line: seen, reason: message.reason });
    }
  }

  function answer(id, reply) {
    const asked = unanswered.get(id);
    unanswered.delete(id);
    asked?.tell({ id, ...reply });
  }

  function lose(reason) {
    if (over) return;
    const left = socket;
    socket = null;
    left?.close();
    onState("lost", reason);
    clearTimeout(retry);
    // Half of the wait is by chance, so that many pages do not come back in the same instant.
    retry = setTimeout(open, wait / 2 + Math.random() * (wait / 2));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  function end(reason) {
    close();
    for (const id of [...unanswered.keys()]) answer(id, { type: "Answer", done: false, line: seen, reason });
    onState("ended", reason);
  }

  const gone = () => socket && lose("this device is offline");
  const back = () => !socket && !over && open();
  const pulse = setInterval(() => {
    if (socket && Date.now() - heard > SILENCE_MS) lose("the table has gone silent");
    else send({ type: "Ping", at: Date.now() });
  }, PING_MS);

  function close() {
    over = true;
    clearTimeout(retry);
    clearInterval(pulse);
    removeEventListener("offline", gone);
    removeEventListener("online", back);
    socket?.close();
    socket = null;
  }

  addEventListener("offline", gone);
  addEventListener("online", back);
  open();
  return {
    do: (command) =>
      new Promise((tell) => {
        const id = newId();
        unanswered.set(id, { asked: { command, round }, tell });
        ask(id);
      }),
    close,
  };
}
