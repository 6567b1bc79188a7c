// SPDX-License-Identifier: Apache-2.0
// The page's state: the server's newest items, kept up to date by its events, older ones that the
// page has asked for, and the connection.

import { api } from "./api.js";

const items = new Map();
/** The numbers of removed items: a response may be older than the removal. */
const removed = new Set();
/** The number of all items of each state. */
let counts = {};
/** The last known item of each state of which the page lacks later ones in its order. */
const cursors = new Map();
/** The number of snapshots; a response to an earlier request does not fit to a later one. */
let snapshots = 0;
const listeners = new Map();
let queue = { isDiskFull: false, running: [], waitingForNetwork: [] };
let link = "connecting";
let frame = 0;
let pause = 0;
/** The number of changes to the items of each state. */
const editions = new Map();

/**
 * Registers a listener for a change of the state: "items" once per frame, "snapshot", "ready", "failed", "removed",
 * "link" and "network"; or for a server's event: "hello", "notification", "preferences", "report", "catalog", "feeds", "collections",
 * "devices", "machines".
 */
export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, []);
  listeners.get(event).push(listener);
}

function emit(event, value) {
  for (const listener of listeners.get(event) ?? []) listener(value);
}

/** Returns all items, the newest first. */
export const all = () => [...items.values()].sort((a, b) => b.id - a.id);
export const item = (id) => items.get(id);

/** Whether the page has the server's events. */
export const isConnected = () => link === "open";

/** Returns the time at which the hours in which to download begin; undefined within them. */
export const hoursBegin = () => queue.hoursBegin;

/** Whether the disk is full, so that no item starts. */
export const isDiskFull = () => queue.isDiskFull;

/** Returns the number of all items in these states, also of those that the page has not loaded. */
export const count = (states) => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);

/** Compares items in the order in which the server sends those of their state: the queue begins with its first. */
const compare = (a, b) => (a.state === "queued" ? a.position - b.position || a.id - b.id : b.id - a.id);

/**
 * Returns the loaded items in these states, the newest first and without gaps: a later item that an
 * event or a search has brought is left out until `more` reaches it.
 */
export const list = (states) => all().filter((each) => {
  const last = cursors.get(each.state);
  return states.includes(each.state) && (!last || compare(each, last) <= 0);
});

/** Returns a number that differs after each change to the items in these states. */
export const edition = (states) => states.reduce((sum, state) => sum + (editions.get(state) ?? 0), 0);

/** Whether the page lacks items in these states. */
export const hasMore = (states) => states.some((state) => cursors.has(state));

/** Loads the next items of each of these states. */
export async function more(states) {
  const number = snapshots;
  for (const state of states.filter((each) => cursors.has(each))) {
    const page = await api.items({ state, after: cursors.get(state).id });
    add(page.items);
    if (number !== snapshots) return;
    if (page.next === undefined) cursors.delete(state);
    else cursors.set(state, page.items.at(-1));
  }
  changed();
}

/** Loads those of these items that the page lacks. */
export async function load(ids) {
  const lacking = ids.filter((id) => !items.has(id) && !removed.has(id));
  for (let start = 0; start < lacking.length; start += 1000) {
    add((await api.items({ ids: lacking.slice(start, start + 1000).join(",") })).items);
  }
  if (lacking.length > 0) changed();
}

/** Loads the items that a person can continue, which may be older than those of the page. */
export async function loadPlayback() {
  add((await api.playback()).items);
  changed();
}

/** Returns an item, which it loads if the page lacks it; undefined if there is none. */
export async function get(id) {
  await load([id]).catch(() => {});
  return items.get(id);
}

/** Returns a page of a search, whose items the page can then show. */
export async function find(options) {
  const page = await api.items(options);
  add(page.items);
  return page;
}

/** Adds items of a response, which may be older than the page's own. */
function add(found) {
  for (const each of found) {
    if (items.has(each.id) || removed.has(each.id)) continue;
    items.set(each.id, each);
    touch(each);
  }
}

/** Returns the numbers of items that download, wait for the network, and wait in the queue. */
export function queueCounts() {
  const [running, offline] = [queue.running.length, queue.waitingForNetwork.length];
  const known = new Set([...queue.running, ...queue.waitingForNetwork]);
  const others = [...known].filter((id) => items.get(id)?.state === "queued").length;
  return { running, offline, waiting: count(["queued"]) - others };
}

/** The milliseconds between two drawings of progress alone, which a person reads. */
const progressPause = 250;

/** Draws the page soon, for any number of progress events. */
function progressed() {
  if (!frame && !pause) pause = setTimeout(changed, progressPause);
}

/** Draws the page once per frame, for any number of events. */
export function changed() {
  if (frame) return;
  const draw = () => {
    clearTimeout(pause);
    frame = pause = 0;
    emit("items");
  };
  frame = document.hidden ? setTimeout(draw, 100) : requestAnimationFrame(draw);
}

const touch = (item) => { if (item) editions.set(item.state, (editions.get(item.state) ?? 0) + 1); };

function put(next) {
  const before = items.get(next.id);
  items.set(next.id, steady(before, next));
  touch(before);
  touch(next);
  if (before && before.state !== "ready" && next.state === "ready") emit("ready", next);
  const stopped = ["failed", "paused"].includes(next.state) && next.error !== undefined;
  if (before && before.state !== next.state && stopped) emit("failed", next);
}

function drop(id) {
  touch(items.get(id));
  items.delete(id);
}

/** Remembers of which states the snapshot lacks older items. */
function begin(snapshot) {
  snapshots += 1;
  counts = snapshot.counts;
  cursors.clear();
  for (const state of Object.keys(counts)) {
    const known = snapshot.items.filter((each) => each.state === state).sort(compare);
    if (known.length > 0 && known.length < counts[state]) cursors.set(state, known.at(-1));
  }
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

/** The events that arrive before the page's parts listen. */
let early = [];

/** Handles the events, now that all parts listen. */
export function start() {
  const handlers = early;
  early = undefined;
  if (link !== "connecting") emit("link", link);
  for (const handle of handlers) handle();
}

/** Connects to the event stream, and again after a loss: the server's snapshot updates the page. */
export function connect() {
  const source = new EventSource("/api/events");
  // Away from the network of the server, nothing refuses the connection.
  setTimeout(() => { if (link === "connecting" && source.readyState === EventSource.CONNECTING) setLink("lost"); }, 5000);
  const listen = (name, handler) => source.addEventListener(name, (event) => {
    const handle = () => handler(JSON.parse(event.data));
    if (early) early.push(handle);
    else handle();
  });
  listen("hello", (value) => { emit("hello", value); setLink("open"); });
  listen("items", (value) => {
    const known = new Set(value.items.map((each) => each.id));
    for (const id of items.keys()) if (!known.has(id)) drop(id);
    for (const each of value.items) put(each);
    begin(value);
    emit("snapshot");
    changed();
  });
  listen("counts", (value) => { counts = value; changed(); });
  listen("item", (value) => { put(value); changed(); });
  listen("progress", (value) => {
    const before = items.get(value.id);
    if (before) put({ ...before, ...emptied, ...value });
    progressed();
  });
  listen("playback", ({ id, playback }) => {
    const before = items.get(id);
    // An older item that another browser plays.
    if (!before) load([id]).catch(() => {});
    else put({ ...before, playback });
    changed();
  });
  listen("removed", ({ id }) => { removed.add(id); drop(id); emit("removed", id); changed(); });
  listen("queue", (value) => { queue = value; changed(); });
  listen("notification", (value) => emit("notification", value));
  listen("preferences", (value) => emit("preferences", value));
  listen("report", (value) => emit("report", value));
  listen("catalog", (value) => emit("catalog", value));
  listen("feeds", (value) => emit("feeds", value));
  listen("collections", (value) => emit("collections", value));
  listen("devices", (value) => emit("devices", value));
  listen("machines", (value) => emit("machines", value));
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
