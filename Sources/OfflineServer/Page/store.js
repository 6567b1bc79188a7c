// SPDX-License-Identifier: Apache-2.0
// What the page knows: the server's items by its events, and whether the line to it is open.

const items = new Map();
const listeners = new Map();
let queue = { running: [], waitingForNetwork: [] };
let link = "connecting";
let frame = 0;

/** Calls `listener` at each event: "items", "link", "network", "catalogue", "ready", "notification", "report". */
export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, []);
  listeners.get(event).push(listener);
}

function emit(event, value) {
  for (const listener of listeners.get(event) ?? []) listener(value);
}

/** All items, newest first. */
export const all = () => [...items.values()].sort(newestFirst);
export const item = (id) => items.get(id);
export const linkState = () => link;

/** How many items are being downloaded, wait for the network, and wait for their turn. */
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

/** Many events in one frame draw the page once. */
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

/** Within one attempt progress never falls: a late event may be older than what is shown. */
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

/** Opens the line and keeps it open: after a loss the server's snapshot brings the page up to date. */
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
  listen("catalogue", (value) => emit("catalogue", value));
  listen("connectivity", (value) => emit("network", value.state));
  source.onerror = () => {
    setLink("lost");
    // The browser tries again by itself unless the server refused the page.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(connect, 2000);
  };
}

/** What a progress event leaves out is no longer known. */
const emptied = {
  totalBytes: undefined, fraction: undefined, bytesPerSecond: undefined,
  remainingSeconds: undefined, waiting: undefined,
};
