// SPDX-License-Identifier: Apache-2.0
// The list of the films that this browser keeps, and the files, which play without the server.

import * as store from "../shared/store.js";
import { store as remember, stored } from "../shared/stored.js";
import { fileOf, isPossible, removeFile, run, sweep } from "./storage.js";

/** @typedef {import("API").ItemRepresentation} Item */

/** All entries by key, including entries of other libraries that had this address. */
const entries = new Map();
/** The complete files by the key of the entry. */
const files = new Map();
/** The addresses of stored files, which are valid as long as the page is open. */
const addresses = new Map();
/** The numbers of the items that the server has removed. */
const gone = new Set();
const listeners = [];
const channel = isPossible() ? new BroadcastChannel("kept") : undefined;
let library = stored("library", "");
let isComparing = false;

/** Registers a listener for each change of the list or of the progress. */
export const onChange = (listener) => listeners.push(listener);

function changed() {
  for (const listener of listeners) listener();
}

/** Returns the name of the page's library or, without the server, of the last connected library. */
export const libraryName = () => library;

const keyOf = (id) => `${library}/${id}`;
const byTitle = (a, b) => a.item.title.localeCompare(b.item.title) || a.id - b.id;

/** Returns the entries of this library, or of all other libraries. */
export const list = (isOther = false) => [...entries.values()].filter((each) => (each.library !== library) === isOther).sort(byTitle);

/** Returns the entry of an item, or undefined without one. */
export const entry = (id) => entries.get(keyOf(id));

/** Returns the entry with a key, which may belong to another library. */
export const find = (key) => entries.get(key);

/** Whether the complete item is kept. */
export const isKept = (id) => files.has(keyOf(id));

/** Whether the library has removed the item of an entry. */
export const isGone = ({ id }) => gone.has(id);

/**
 * Returns a kept item in the last version from the server, or undefined if the item is not kept.
 */
export const item = (id) => (isKept(id) ? { ...entry(id).item, picture: picture(entry(id)) } : undefined);

/** Returns the address of an item's kept file, or undefined if the item is not kept. */
export const source = (id) => (isKept(id) ? address(keyOf(id), "film", () => files.get(keyOf(id))) : undefined);

/** Returns the address of the picture of an entry. */
export const picture = (each) => each.picture && address(each.key, "picture", () => new Blob([each.picture], { type: "image/jpeg" }));

/** Returns the address of a kept item's picture, or undefined if the item is not kept. */
export const pictureOf = (id) => (isKept(id) ? picture(entry(id)) : undefined);

/** Returns the start of a kept text, or undefined if the item is not kept. */
export const text = async (id, longest) => (isKept(id) ? files.get(keyOf(id)).slice(0, longest).text() : undefined);

/** Returns an item from the server, or the kept item if the server does not respond soon. */
export async function latest(id) {
  await ready;
  const patience = new Promise((resolve) => { if (isKept(id)) setTimeout(resolve, 4000); });
  return await Promise.race([store.get(id), patience]) ?? item(id);
}

/**
 * Returns the subtitles and chapters of a kept item in the server's format, or undefined if the
 * item is not kept.
 */
export async function details(id) {
  await ready;
  if (!isKept(id)) return undefined;
  const key = keyOf(id);
  const { subtitles = [], chapters = [] } = await run("readonly", ({ extras }) => extras.get(key)).catch(() => undefined) ?? {};
  const subtitleFiles = subtitles.map(({ text, ...each }) => ({
    ...each, address: address(key, `subtitles ${each.number}`, () => new Blob([text], { type: "text/vtt" })),
  }));
  return { subtitleFiles, chapters };
}

function address(key, part, make) {
  const name = `${key} ${part}`;
  if (!addresses.has(name)) addresses.set(name, URL.createObjectURL(make()));
  return addresses.get(name);
}

function forget(key) {
  files.delete(key);
  for (const [name, each] of addresses) {
    if (!name.startsWith(`${key} `)) continue;
    URL.revokeObjectURL(each);
    addresses.delete(name);
  }
}

/** Reads the list. If the browser has removed the file of an entry, the entry becomes lost. */
async function load() {
  if (!isPossible()) return;
  const known = await run("readonly", (stores) => stores.entries.getAll());
  for (const each of known) await take(each);
  changed();
  await sweep();
}

async function take(each) {
  const file = each.state === "kept" ? await fileOf(each) : undefined;
  if (each.state === "kept" && !file) {
    forget(each.key);
    entries.set(each.key, each);
    await update(each.key, { state: "lost", size: 0, picture: undefined });
    return;
  }
  if (file && !files.has(each.key)) files.set(each.key, file);
  if (!file) forget(each.key);
  entries.set(each.key, each);
}

/** Reads an entry from the list, which another tab may have changed. */
async function reload(key) {
  const each = await run("readonly", (stores) => stores.entries.get(key));
  if (each) {
    await take(each);
  } else {
    forget(key);
    entries.delete(key);
  }
  changed();
  return each;
}

async function tell(key) {
  const each = await reload(key);
  channel.postMessage({ key });
  return each;
}

/** Stores a new entry for an item. */
export async function add(id, values) {
  const each = { key: keyOf(id), library, id, state: "keeping", received: 0, size: 0, ...values };
  await run("readwrite", (stores) => stores.entries.put(each));
  return tell(each.key);
}

/** Changes an entry and stores the subtitles and chapters. Does nothing for a removed entry. */
export async function update(key, values, extras) {
  await run("readwrite", (stores) => {
    const request = stores.entries.get(key);
    request.onsuccess = () => {
      if (!request.result) return;
      stores.entries.put({ ...request.result, ...values });
      if (extras) stores.extras.put({ ...extras, key });
    };
  });
  return tell(key);
}

/** Removes an entry and the file. The library's copy stays. */
export async function remove(key) {
  await run("readwrite", (stores) => {
    stores.entries.delete(key);
    stores.extras.delete(key);
  });
  await tell(key);
  await removeFile(key);
  // The space is free only after the file is removed.
  changed();
}

/**
 * Records that a kept file cannot be read. The list then shows the loss, and the server's file
 * plays.
 */
export async function drop(id) {
  if (!isKept(id)) return;
  await update(keyOf(id), { state: "lost", size: 0, picture: undefined });
  await removeFile(keyOf(id));
}

/** Checks whether the file of an item still exists. */
export const check = (id) => reload(keyOf(id));

/** Reads an entry from the list. */
export const read = (key) => reload(key);

/**
 * The progress of the entries that any tab receives, by key, with the received bytes and the reason
 * for a wait.
 */
export const progress = new Map();
/** The keys of the entries that this tab receives. */
const received = new Set();

/** Sets the progress of an entry that this tab receives, or undefined after the end. */
export function setProgress(key, value) {
  if (value) received.add(key);
  else received.delete(key);
  showProgress(key, value);
  channel.postMessage({ key, progress: value ?? null });
}

/** Tells a new tab what this tab receives, because the next progress may be far off. */
function answer() {
  for (const key of received) channel.postMessage({ key, progress: progress.get(key) });
}

function showProgress(key, value) {
  if (value) progress.set(key, value);
  else progress.delete(key);
  changed();
}

/**
 * The facts of an item that the list shows and the player uses. The order of an item's members
 * differs between tabs.
 *
 * @param {Item} item
 */
const facts = ({ title, playback }) =>
  JSON.stringify([title, playback?.seconds, playback?.isWatched, playback?.playedAt]);

/**
 * Updates the stored items, so that playback continues at the right position without the server.
 */
function follow() {
  let hasUnknown = false;
  for (const each of list()) {
    const known = store.item(each.id);
    if (known) gone.delete(each.id);
    else hasUnknown ||= !gone.has(each.id);
    if (!known || each.state === "lost" || facts(known) === facts(each.item)) continue;
    // The value is set before the update is stored, so that the next change is compared with this
    // one.
    each.item = known;
    update(each.key, { item: known }).catch(() => {});
  }
  if (hasUnknown && store.isConnected()) compare();
}

/** Determines which items the library has removed. */
async function compare() {
  if (isComparing) return;
  isComparing = true;
  const ids = list().map(({ id }) => id);
  try {
    await store.load(ids);
    gone.clear();
    for (const id of ids) if (!store.item(id)) gone.add(id);
  } catch {
    // The next snapshot starts another comparison.
  }
  isComparing = false;
  changed();
}

/** Resolves after the list is read. A browser that forbids reading has kept nothing. */
export const ready = load().catch(() => {});

/** Connects the list to the server and to the other tabs. */
export function start() {
  channel?.addEventListener("message", ({ data: { key, progress: value } }) => {
    if (key === undefined) answer();
    else if (value === undefined) reload(key).catch(() => {});
    else showProgress(key, value);
  });
  // A message without a key asks the other tabs what they receive.
  channel?.postMessage({});
  store.on("hello", ({ library: name }) => {
    if (!name || name === library) return;
    library = name;
    remember("library", name);
    gone.clear();
    changed();
  });
  store.on("snapshot", () => { ready.then(compare); });
  store.on("items", follow);
}
