// SPDX-License-Identifier: Apache-2.0
// Keeps films in this browser, one at a time across all tabs, in parts that a later attempt
// continues.

import { api, mediaAddress, pictureAddress, subtitleAddress } from "../shared/api.js";
import { announce } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";
import * as local from "./films.js";
import * as storage from "./storage.js";

/** @typedef {import("API").ItemRepresentation} Item */

/**
 * The number of consecutive errors with a connected server before the page stops and the user
 * decides.
 */
const most = 5;
/** The key of the film that this tab receives now, and the worker. */
let current;
/** The callbacks that wait for the server. */
const waiting = [];
/** The keys of the entries that this tab receives or waits for. */
const runs = new Set();

const words = {
  full: `The browser has no more space for this page. Remove other files that are kept ${storage.where}, or free some space on the device, and then continue.`,
  missing: "The library no longer has this file, so that the rest cannot be kept.",
  refused: "This browser is no longer let in. Open the address that “offline serve” prints, and then continue.",
  changing: "The file changes again and again while it is received. Continue when it is finished.",
  forbidden: "The browser refuses to store files for this page. Open the page in a window that is not private, and allow the page to store data in the settings of the browser.",
  failed: "The file could not be received. Continue to try again.",
};

/** An error with a message that states the fault and the remedy. */
class KeepingError extends Error {}

/**
 * Starts to keep an item if the browser has enough space.
 *
 * @param {Item} item
 */
export async function keep(item) {
  await check(item.size ?? 0);
  try {
    await local.add(item.id, { item, size: item.size ?? 0 });
  } catch {
    throw new KeepingError(words.forbidden);
  }
  // The browser may ask the user, who may answer late.
  navigator.storage.persist?.().catch(() => {});
  announce(`${item.title} is being kept ${storage.where}.`);
}

/** Continues a stopped entry. */
export async function resume({ key, size, received }) {
  await check(size - received);
  await local.update(key, { state: "keeping", problem: undefined });
}

/** Stops an entry. The received part stays for a later attempt. */
export async function stop(key) {
  await local.update(key, { state: "stopped", problem: undefined });
  announce("Stopped.");
}

/** Throws if the browser does not have the given space, or forbids storage. */
async function check(bytes) {
  let space;
  try {
    // Some browsers refuse this call in a private window.
    await navigator.storage.getDirectory();
    space = await storage.space();
  } catch {
    throw new KeepingError(words.forbidden);
  }
  const free = Math.max(0, space.quota - space.usage);
  if (bytes > free) {
    throw new KeepingError(`It needs ${format.bytes(bytes)}, and the browser has ${format.bytes(free)} left for this page. `
      + `Remove other files that are kept ${storage.where}, or free some space on the device.`);
  }
}

/** Receives an entry while no other tab receives one. */
async function go(key) {
  if (runs.has(key)) return;
  runs.add(key);
  try {
    await navigator.locks.request("keep", () => work(key));
    runs.delete(key);
  } catch {
    // This visit does not try again.
    await local.update(key, { state: "stopped", problem: words.forbidden }).catch(() => {});
  }
  local.setProgress(key, undefined);
}

/** Receives an entry until it is kept, stopped or removed. */
async function work(key) {
  let failures = 0;
  let changes = 0;
  for (;;) {
    const entry = await local.read(key);
    if (!entry) await storage.removeFile(key);
    if (entry?.state !== "keeping" || entry.library !== local.libraryName()) return;
    // The page does not know the server's library before the first event.
    if (!store.isConnected()) {
      await untilServer(entry);
      continue;
    }
    local.setProgress(key, { received: entry.received });
    const { end, status } = await attempt(entry);
    if (end === "kept") {
      announce(`${entry.item.title} is kept ${storage.where}.`);
      return;
    }
    if (end === "stopped") continue;
    if (end === "changed") {
      changes += 1;
      await local.update(key, { received: 0, tag: undefined, isAnew: true });
    }
    failures = end === "complete" ? 0 : failures + 1;
    const problem = problemOf(end, status, changes, failures);
    if (problem) {
      await local.update(key, { state: "stopped", problem, ...(problem === words.missing ? { received: 0, tag: undefined } : {}) });
      if (problem === words.missing) await storage.removeFile(key);
      return;
    }
    if (end !== "complete") await untilServer(entry);
  }
}

function problemOf(end, status, changes, failures) {
  if (end === "full" || end === "forbidden") return words[end];
  if (status === 404 || status === 410) return words.missing;
  if (status === 401 || status === 403) return words.refused;
  if (changes >= most) return words.changing;
  // A lost server comes back eventually, but a server that repeatedly responds wrongly does not.
  return failures >= most && store.isConnected() ? words.failed : undefined;
}

/** Waits for the server, and at least for a moment, or until the entry is stopped. */
async function untilServer({ id }) {
  await new Promise((resolve) => { setTimeout(resolve, 1000); });
  while (!store.isConnected() && local.entry(id)?.state === "keeping") {
    await new Promise((resolve) => { waiting.push(resolve); });
  }
}

/** Resolves the waits for the server. */
const wake = () => { for (const resolve of waiting.splice(0)) resolve(); };

/**
 * Receives the missing part of an entry. The last step stores the subtitles, and then the entry is
 * kept.
 */
async function attempt(entry) {
  const { key, received, size, tag } = entry;
  if (!tag || received < size) return receive(entry);
  try {
    // If the file changed in place during the download, the received file mixes two versions.
    const response = await fetch(mediaAddress(entry.id), { method: "HEAD", cache: "no-store" });
    if (!response.ok) return { end: "refused", status: response.status };
    if (response.headers.get("ETag") !== tag) return { end: "changed" };
    const { picture, ...extras } = await loadExtras(entry.item);
    const stored = await local.update(key, { state: "kept", picture, problem: undefined, isAnew: undefined, keptAt: Date.now() }, extras);
    return { end: stored?.state === "kept" ? "kept" : "stopped" };
  } catch (error) {
    return { end: error.name === "QuotaExceededError" ? "full" : "lost", status: error.status };
  }
}

/** Receives the rest of a file in the worker. */
function receive({ key, id, received, tag }) {
  const worker = new Worker(new URL("./writer.js", import.meta.url));
  current = { key, worker };
  // The list receives the changes in order, and all changes before the end.
  let changes = Promise.resolve();
  const change = (values) => { changes = changes.then(() => local.update(key, values)); };
  return new Promise((resolve) => {
    const end = async (result) => {
      worker.terminate();
      current = undefined;
      resolve(await changes.then(() => result, (error) => ({ end: error.name === "QuotaExceededError" ? "full" : "forbidden" })));
    };
    worker.addEventListener("error", () => end({ end: "forbidden" }));
    worker.addEventListener("message", ({ data }) => {
      if (data.begins) change(data.begins);
      else if (data.synced !== undefined) change({ received: data.synced });
      else if (data.received !== undefined) local.setProgress(key, { received: data.received });
      else end(data);
    });
    worker.postMessage({
      address: new URL(mediaAddress(id), location.href).href, folder: storage.FOLDER, name: storage.fileName(key), from: received, tag,
    });
  });
}

/**
 * Loads the subtitles, the chapters and the picture of an item.
 *
 * @param {Item} item
 */
async function loadExtras({ id, hasPicture }) {
  const { subtitleFiles = [], chapters = [] } = await api.item(id);
  const subtitles = [];
  for (const { number, language, name } of subtitleFiles) {
    const response = await fetch(subtitleAddress(id, number));
    // If the server cannot read the subtitles, the server's own player has no subtitles either.
    if (response.ok) subtitles.push({ number, language, name, text: await response.text() });
  }
  const response = hasPicture ? await fetch(pictureAddress(id)) : undefined;
  return { subtitles, chapters, picture: response?.ok ? await response.arrayBuffer() : undefined };
}

/** Stops the current download if the user or another tab has stopped or removed the entry. */
function follow() {
  if (current && local.find(current.key)?.state !== "keeping") current.worker.postMessage("stop");
  wake();
  // This tab also continues the downloads that another tab has started, if the other tab closes.
  for (const each of local.list()) if (each.state === "keeping") go(each.key);
}

local.onChange(follow);
store.on("link", wake);
follow();
