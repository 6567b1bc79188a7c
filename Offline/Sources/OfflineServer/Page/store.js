// SPDX-License-Identifier: Apache-2.0
// The page's state: the server's items, kept up to date by its events, and the connection.

const items = new Map();
const listeners = new Map();
let queue = { running: [], waitingForNetwork: [] };
let link = "connecting";
let frame = 0;

/**
 * Registers a listener for a change of the state: "items" once per frame, "snapshot", "ready", "failed",
 * "link" and "network"; or for a server's event: "hello", "notification", "preferences", "report", "catalog", "feeds".
 */
export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, []);
  listeners.get(event).push(listener);
}

function emit(event, value) {
  for (const listener of listeners.get(event) ?? []) listener(value);
}

/** Returns all items, the newest first. */
export const all = () => [...items.values()].sort(newestFirst);
export const item = (id) => items.get(id);

/** Returns the numbers of items that download, wait for the network, and wait in the queue. */
export function queueCounts() {
  const [running, offline] = [queue.running.length, queue.waitingForNetwork.length];
  const known = new Set([...queue.running, ...queue.waitingForNetwork]);
  const waiting = all().filter((each) => each.state === "queued" && !known.has(each.id)).length;
  return { running, offline, waiting };
}

function newestFirst(a, b) {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return b.id - a.id;
}

/** Draws the page once per frame, for any number of events. */
function changed() {
  if (frame) return;
  const draw = () => {
    frame = 0;
    emit("items");
  };
  frame = document.hidden ? setTimeout(draw, 100) : requestAnimationFrame(draw);
}

function put(next) {
  const before = items.get(next.id);
  items.set(next.id, steady(before, next));
  if (before && before.state !== "ready" && next.state === "ready") emit("ready", next);
  if (before && before.state !== "failed" && next.state === "failed") emit("failed", next);
}

/** Keeps the progress of one attempt from falling: a late event may be older than the page. */
function steady(before, next) {
  const sameAttempt = before && before.state === next.state && before.note === next.note;
  if (!sameAttempt || before.fraction === undefined || next.fraction === undefined) return next;
  return next.fraction < before.fraction ? { ...next, fraction: before.fraction } : next;
}

function setLink(state) {
  if (link === state) return;
  link = state;
  emit("link", state);
}

/** Connects to the event stream, and again after a loss: the server's snapshot updates the page. */
export function connect() {
  const source = new EventSource("/api/events");
  const listen = (name, handler) =>
    source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
  listen("hello", (value) => { emit("hello", value); setLink("open"); });
  listen("items", (value) => {
    const known = new Set(value.items.map((each) => each.id));
    for (const id of items.keys()) if (!known.has(id)) items.delete(id);
    for (const each of value.items) put(each);
    emit("snapshot");
    changed();
  });
  listen("item", (value) => { put(value); changed(); });
  listen("progress", (value) => {
    const before = items.get(value.id);
    if (before) put({ ...before, ...emptied, ...value });
    changed();
  });
  listen("removed", (value) => { items.delete(value.id); changed(); });
  listen("queue", (value) => { queue = value; changed(); });
  listen("notification", (value) => emit("notification", value));
  listen("preferences", (value) => emit("preferences", value));
  listen("report", (value) => emit("report", value));
  listen("catalog", (value) => emit("catalog", value));
  listen("feeds", (value) => emit("feeds", value));
  listen("connectivity", (value) => emit("network", value.state));
  source.onerror = () => {
    setLink("lost");
    // The browser reconnects by itself unless the server refused the request.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(connect, 2000);
  };
}

/** The members that a progress event resets if it omits them. */
const emptied = {
  totalBytes: undefined, fraction: undefined, bytesPerSecond: undefined,
  remainingSeconds: undefined, waiting: undefined, recordedSeconds: undefined,
};
