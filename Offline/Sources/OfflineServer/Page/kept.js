// SPDX-License-Identifier: Apache-2.0
// The films that this browser keeps: the list of them, and their files, which play without the server.

import * as store from "./store.js";
import { store as remember, stored } from "./tuning.js";

/** How the page calls what keeps the films: a person thinks of a phone as a whole. */
export const [device, where] = matchMedia("(pointer: coarse)").matches
  ? ["this phone", "on this phone"] : ["this browser", "in this browser"];
/** The folder of the films in the browser's own storage. */
export const FOLDER = "kept";

/** All entries by their key, also those of other libraries that had this address. */
const entries = new Map();
/** The complete files by the key of their entry. */
const files = new Map();
/** The addresses of stored files, which last as long as the page. */
const addresses = new Map();
/** The numbers of the items that the server has no longer. */
const gone = new Set();
const listeners = [];
/** Without a secure context, the browser has neither the storage nor its locks. */
const canStore = Boolean(isSecureContext && navigator.storage?.getDirectory && navigator.locks && globalThis.indexedDB);
const channel = canStore ? new BroadcastChannel("kept") : undefined;
let library = stored("library", "");
let opened;
let isComparing = false;

/** Registers a listener for each change of the list or of a progress. */
export const onChange = (listener) => listeners.push(listener);

function changed() {
  for (const listener of listeners) listener();
}

/** Whether the browser can keep films at the page's address. */
export const isPossible = () => canStore;

/** Returns why it cannot, and what would help. */
export const refusal = () => (isSecureContext
  ? `This browser cannot keep files. A newer version can.`
  : `To keep files ${where}, the browser needs an encrypted address (https): start “offline serve --lan” with “--tls-certificate” and “--tls-key”. On the machine of the library, “http://localhost” does as well.`);

/** Returns the name of the library to which the page belongs, or belonged when the server was last there. */
export const libraryName = () => library;

const keyOf = (id) => `${library}/${id}`;
const nameOf = (key) => key.replace("/", "-");
const byTitle = (a, b) => a.item.title.localeCompare(b.item.title) || a.id - b.id;

/** Returns the entries of this library, or of the other ones. */
export const list = (isOther = false) => [...entries.values()].filter((each) => (each.library !== library) === isOther).sort(byTitle);

/** Returns the entry of an item; undefined if there is none. */
export const entry = (id) => entries.get(keyOf(id));

/** Returns the entry of a key, perhaps of another library. */
export const find = (key) => entries.get(key);

/** Whether an item is kept completely. */
export const isKept = (id) => files.has(keyOf(id));

/** Whether the library has removed the item of an entry. */
export const isGone = ({ id }) => gone.has(id);

/** Returns a kept item as the server last described it; undefined if it is not kept. */
export const item = (id) => (isKept(id) ? { ...entry(id).item, picture: picture(entry(id)) } : undefined);

/** Returns the address of an item's kept file; undefined if it is not kept. */
export const source = (id) => (isKept(id) ? address(keyOf(id), "film", () => files.get(keyOf(id))) : undefined);

/** Returns the address of the picture of an entry. */
export const picture = (each) => each.picture && address(each.key, "picture", () => new Blob([each.picture], { type: "image/jpeg" }));

/** Returns the address of a kept item's picture; undefined if it is not kept. */
export const pictureOf = (id) => (isKept(id) ? picture(entry(id)) : undefined);

/** Returns the beginning of a kept text; undefined if it is not kept. */
export const text = async (id, longest) => (isKept(id) ? files.get(keyOf(id)).slice(0, longest).text() : undefined);

/** Returns an item of the server, or the kept one if the server does not respond soon. */
export async function latest(id) {
  await ready;
  const patience = new Promise((resolve) => { if (isKept(id)) setTimeout(resolve, 4000); });
  return await Promise.race([store.get(id), patience]) ?? item(id);
}

/** Returns the subtitles and the chapters of a kept item, in the form of the server; undefined if it is not kept. */
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

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("kept", 1);
    request.onupgradeneeded = () => {
      for (const name of ["entries", "extras"]) request.result.createObjectStore(name, { keyPath: "key" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  // Another visit may allow what this one forbids.
  opened.catch(() => { opened = undefined; });
  return opened;
}

/** Runs one transaction on the list; returns the result of the request that `work` returns. */
async function run(mode, work) {
  const transaction = (await database()).transaction(["entries", "extras"], mode);
  const request = work({ entries: transaction.objectStore("entries"), extras: transaction.objectStore("extras") });
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? request?.error);
  });
  return request?.result;
}

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });

/** Reads the file of an entry; undefined if it is not there, or not whole. */
async function fileOf({ key, size, item: { mediaType } }) {
  try {
    const file = await (await (await folder()).getFileHandle(nameOf(key))).getFile();
    return file.size === size ? file.slice(0, size, mediaType) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the list; an entry whose file the browser has removed becomes a lost one. */
async function load() {
  if (!canStore) return;
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

/** Removes files without an entry, which a removal has left behind. */
async function sweep() {
  const names = [];
  const place = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER).catch(() => undefined);
  if (!place) return;
  for await (const name of place.keys()) names.push(name);
  // Read after the names: each file is younger than its entry.
  const keys = await run("readonly", (stores) => stores.entries.getAllKeys());
  const known = new Set(keys.map(nameOf));
  for (const name of names) if (!known.has(name)) await place.removeEntry(name).catch(() => {});
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

/** Changes an entry, unless it has been removed, and stores its subtitles and chapters. */
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

/** Removes an entry and its file; the library's copy stays. */
export async function remove(key) {
  await run("readwrite", (stores) => {
    stores.entries.delete(key);
    stores.extras.delete(key);
  });
  await tell(key);
  await removeFile(key);
  // Only now the space is free.
  changed();
}

/** Removes the file of an entry; a tab that is writing it does this after its end. */
export async function removeFile(key) {
  await (await folder()).removeEntry(nameOf(key)).catch(() => {});
}

/** Records that a kept file cannot be read, so that the list says so and the server's file plays. */
export async function drop(id) {
  if (!isKept(id)) return;
  await update(keyOf(id), { state: "lost", size: 0, picture: undefined });
  await removeFile(keyOf(id));
}

/** Finds out whether the file of an item is still there. */
export const check = (id) => reload(keyOf(id));

/** Reads an entry from the list. */
export const read = (key) => reload(key);

/** The name of the file of an entry in the folder. */
export const fileName = nameOf;

/** The progress of what any tab is receiving, by key: the received bytes, and why it waits. */
export const progress = new Map();

/** Sets the progress of an entry in all tabs; undefined after its end. */
export function setProgress(key, value) {
  showProgress(key, value);
  channel.postMessage({ key, progress: value ?? null });
}

function showProgress(key, value) {
  if (value) progress.set(key, value);
  else progress.delete(key);
  changed();
}

/** Returns the used and the available bytes, and whether the browser promises to remove nothing by itself. */
export async function space() {
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  return { usage, quota, isSafe: await navigator.storage.persisted?.() ?? false };
}

/** What of an item the list shows and the player uses; the order of an item's members differs between tabs. */
const facts = ({ title, playback = {} }) => JSON.stringify([title, playback.seconds, playback.isWatched, playback.playedAt]);

/** Keeps what is known of the kept items up to date: without the server, they go on where they were. */
function follow() {
  let hasUnknown = false;
  for (const each of list()) {
    const known = store.item(each.id);
    if (known) gone.delete(each.id);
    else hasUnknown ||= !gone.has(each.id);
    if (!known || each.state === "lost" || facts(known) === facts(each.item)) continue;
    // Set before it is stored, so that the next change compares with this one.
    each.item = known;
    update(each.key, { item: known }).catch(() => {});
  }
  if (hasUnknown && store.isConnected()) compare();
}

/** Finds out which items the library has removed. */
async function compare() {
  if (isComparing) return;
  isComparing = true;
  const ids = list().map(({ id }) => id);
  try {
    await store.load(ids);
    gone.clear();
    for (const id of ids) if (!store.item(id)) gone.add(id);
  } catch {
    // The next snapshot compares again.
  }
  isComparing = false;
  changed();
}

/** The end of the reading of the list; a browser that forbids it has kept nothing. */
export const ready = load().catch(() => {});

/** Goes on with what an earlier visit has begun, or another tab. */
async function goOn() {
  if (list().some(({ state }) => state === "keeping")) await import("./keeping.js");
}

/** Connects the list to the server and to the other tabs. */
export function start() {
  onChange(() => { goOn().catch(() => {}); });
  channel?.addEventListener("message", ({ data: { key, progress: value } }) => {
    if (value === undefined) reload(key).catch(() => {});
    else showProgress(key, value);
  });
  store.on("hello", ({ library: name }) => {
    if (!name || name === library) return;
    library = name;
    remember("library", name);
    gone.clear();
    changed();
  });
  store.on("snapshot", () => ready.then(compare));
  store.on("items", follow);
}
