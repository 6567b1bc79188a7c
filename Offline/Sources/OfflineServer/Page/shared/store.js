// SPDX-License-Identifier: Apache-2.0
// The page's state, with the server's newest items, older items that the page has requested, and
// the connection. The server's events keep the items up to date.

import { api } from "./api.js";

/**
 * @typedef {import("API").ItemRepresentation} Item
 * @typedef {import("API").Events} Events
 */

/**
 * The values of the changes. The other events have the values that the server sends.
 *
 * @typedef {{
 *   items: void, snapshot: void, fill: void, ready: Item, failed: Item, removed: number,
 *   link: string, network: string,
 * }} Changes
 * @typedef {Omit<Events, keyof Changes> & Changes} Values
 */

/** @type {Map<number, Item>} */
const items = new Map();
/** The numbers of removed items, because a response may be older than the removal. */
const removed = new Set();
/**
 * The number of all items of each state.
 *
 * @type {Record<string, number>}
 */
let counts = {};
/**
 * The last loaded item of each state, if the page has not loaded all later items in the order of
 * the state.
 *
 * @type {Map<string, Item>}
 */
const cursors = new Map();
/**
 * The number of snapshots. A response to a request before a snapshot does not fit the snapshot.
 */
let snapshots = 0;
const listeners = new Map();
/** @type {Events["queue"]} */
let queue = { isDiskFull: false, running: [], waitingForNetwork: [] };
let link = "connecting";
let frame = 0;
let pause = 0;
/** The number of changes to the items of each state. */
const editions = new Map();

/**
 * Registers a listener for a change of the state or for a server's event. The changes are "items"
 * (once per frame), "snapshot", "fill", "ready", "failed", "removed", "link" and "network". The
 * events are "hello", "notification", "preferences", "report", "catalog", "feeds", "collections",
 * "devices" and "machines".
 *
 * Content that would move other content if it came later belongs to a snapshot: the page is drawn
 * after the promises that listeners of "fill" and "snapshot" return. "fill" precedes the snapshot, so
 * that the requests do not wait for it.
 *
 * @template {keyof Values} Name
 * @param {Name} event
 * @param {(value: Values[Name]) => any} listener
 */
export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, []);
  listeners.get(event).push(listener);
}

/** @type {<Name extends keyof Values>(event: Name, value?: Values[Name]) => any[]} */
const emit = (event, value) => (listeners.get(event) ?? []).map((listener) => listener(value));

/** Asks the listeners for the content that belongs to a snapshot. */
const content = (event) => (listeners.get(event) ?? []).map(async (listener) => listener());

/** The milliseconds after which the page is drawn without the late content. */
const fillPatience = 1000;
let isFilling = true;
let hasFilled = false;

/** Whether the page has had the content that is drawn together with a snapshot. */
export const isFilled = () => hasFilled;

/** The promises for the content that belongs to the next snapshot. */
let filling;

/** Requests the content that belongs to the next snapshot. */
function prepare() {
  // The next snapshot asks again for what fails.
  filling ??= content("fill").map((each) => each.catch(() => {}));
}

/** Draws the page after the content that belongs to the snapshot has arrived. */
async function fill() {
  const number = snapshots;
  const arrived = Promise.allSettled([...filling ?? [], ...content("snapshot")]).then(() => false);
  filling = undefined;
  isFilling = true;
  const isLate = await Promise.race([arrived, new Promise((resolve) => { setTimeout(resolve, fillPatience, true); })]);
  // The next snapshot has begun to fill the page again. Many in a row do not keep the page from being
  // drawn.
  if (number !== snapshots && !isLate) return;
  isFilling = false;
  hasFilled = true;
  changed();
}

/** Returns all items, with the newest first. */
export const all = () => [...items.values()].sort((a, b) => b.id - a.id);
export const item = (id) => items.get(id);

/** Whether the page is connected to the server's events. */
export const isConnected = () => link === "open";

/** Returns the time at which the download hours start, or undefined within the hours. */
export const hoursBegin = () => queue.hoursBegin;

/** Whether the disk is full, so that no item starts. */
export const isDiskFull = () => queue.isDiskFull;

/**
 * Returns the number of all items in these states, including items that the page has not loaded.
 */
export const count = (states) => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);

/**
 * Compares items in the order in which the server sends the items of a state. The first item of the
 * queue comes first.
 */
const compare = (a, b) => (a.state === "queued" ? a.position - b.position || a.id - b.id : b.id - a.id);

/**
 * Returns the loaded items in these states, with the newest first and without gaps. A later item
 * that an event or a search has added is left out until `more` reaches the item.
 */
export const list = (states) => all().filter((each) => {
  const last = cursors.get(each.state);
  return states.includes(each.state) && (!last || compare(each, last) <= 0);
});

/** Returns a number that differs after each change to the items in these states. */
export const edition = (states) => states.reduce((sum, state) => sum + (editions.get(state) ?? 0), 0);

/** Whether the server has items in these states that the page has not loaded. */
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

/** Loads the given items that the page does not have. */
export async function load(ids) {
  const lacking = ids.filter((id) => !items.has(id) && !removed.has(id));
  for (let start = 0; start < lacking.length; start += 1000) {
    add((await api.items({ ids: lacking.slice(start, start + 1000).join(",") })).items);
  }
  if (lacking.length > 0) changed();
}

/**
 * The items that the user can continue, which may be older than the items of a snapshot.
 *
 * @type {Item[]}
 */
let begun = [];

/** Loads the items that the user can continue. */
export async function loadPlayback() {
  begun = [];
  begun = (await api.playback()).items;
  add(begun);
  changed();
}

/**
 * Returns an item, and loads the item if necessary. Returns undefined if the item does not exist.
 */
export async function get(id) {
  await load([id]).catch(() => {});
  return items.get(id);
}

/** Returns a page of a search. The page can then show the found items. */
export async function find(options) {
  const page = await api.items(options);
  add(page.items);
  return page;
}

/** Adds items of a response. The page's own items are kept, because a response may be older. */
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

/** The milliseconds between two drawings for progress alone, which users read. */
const progressPause = 250;

/** Draws the page soon, once for any number of progress events. */
function progressed() {
  if (!frame && !pause) pause = setTimeout(changed, progressPause);
}

/** Draws the page once per frame, for any number of events. */
export function changed() {
  if (frame || isFilling) return;
  const draw = () => {
    clearTimeout(pause);
    frame = pause = 0;
    // A snapshot may have arrived since, and its older items come with the content.
    if (!isFilling) emit("items");
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

/** Records the states for which the snapshot has no older items. */
function begin(snapshot) {
  snapshots += 1;
  counts = snapshot.counts;
  cursors.clear();
  for (const state of Object.keys(counts)) {
    const known = snapshot.items.filter((each) => each.state === state).sort(compare);
    if (known.length > 0 && known.length < counts[state]) cursors.set(state, known.at(-1));
  }
}

/**
 * Prevents the progress of one attempt from falling, because an event may be older than the page's
 * state.
 */
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

/** The events that arrive before the page's parts have registered listeners. */
let early = [];

/** Handles the stored events after all parts have registered listeners. */
export function start() {
  const handlers = early;
  early = undefined;
  if (link !== "connecting") emit("link", link);
  prepare();
  for (const handle of handlers) handle();
}

/**
 * Connects to the event stream, and connects again after a loss. The server's snapshot updates the
 * page.
 */
export function connect() {
  const source = new EventSource("/api/events");
  // Outside of the server's network, no machine refuses the connection.
  setTimeout(() => { if (link === "connecting" && source.readyState === EventSource.CONNECTING) setLink("lost"); }, 5000);
  /**
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(value: Events[Name]) => any} handler
   */
  const listen = (name, handler) => source.addEventListener(name, (event) => {
    const handle = () => handler(JSON.parse(event.data));
    if (early) early.push(handle);
    else handle();
  });
  listen("hello", (value) => {
    // Requests from before the connection may have failed or returned older values.
    if (link === "lost") filling = undefined;
    emit("hello", value);
    setLink("open");
    prepare();
  });
  listen("items", (value) => {
    const known = new Set(value.items.map((each) => each.id));
    for (const id of items.keys()) if (!known.has(id)) drop(id);
    for (const each of value.items) put(each);
    begin(value);
    // A snapshot after an upload or an import comes without “hello”.
    prepare();
    add(begun);
    fill();
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
    // Another browser plays an older item, which this page has not loaded.
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
    // The requests for the next snapshot have failed, too.
    filling = undefined;
    // The browser reconnects by itself unless the server refused the request.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(connect, 2000);
  };
}

/** The members that a progress event resets by omission. */
const emptied = {
  totalBytes: undefined, fraction: undefined, bytesPerSecond: undefined,
  remainingSeconds: undefined, waiting: undefined, recordedSeconds: undefined,
};
