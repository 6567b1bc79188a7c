// SPDX-License-Identifier: Apache-2.0
// Records the playback positions of items, so that another browser continues at the same position.

import * as local from "../local/films.js";
import { api } from "../shared/api.js";
import * as store from "../shared/store.js";
import { store as remember, stored } from "../shared/stored.js";

/** @typedef {import("API").ItemRepresentation} Item */

/** The time between two records while an item plays, in milliseconds. */
const interval = 5000;
/**
 * The prefix of the names under which the browser stores changes that a library's server does not
 * have yet.
 */
const prefix = (library) => `played ${library}/`;
/**
 * The changes that the server does not have yet, by item, with the times and the library. The
 * server may be disconnected for a while.
 */
const pending = new Map();
/** The names of items that have left the library. Nothing is stored under these names any more. */
const gone = new Set();
let isSending = false;

/**
 * Returns the playback position from this page, if the server does not have it yet, or from any
 * device.
 *
 * @param {Item} item
 */
function latest(item) {
  const own = pending.get(item.id);
  return own?.library === local.libraryName() ? { ...item.playback, ...own.change } : item.playback;
}

/**
 * Returns the time at which to continue an item, or 0 for the start.
 *
 * @param {Item} item
 */
export const resumeTime = (item) => latest(item)?.seconds ?? 0;

/**
 * Whether the page can play an item, or show it as text.
 *
 * @param {Item} item
 */
export const isPlayable = (item) => /^(video|audio)\//.test(item.mediaType ?? "");
/** @param {Item} item */
export const isReadable = (item) => /^text\/(plain|vtt)\b/.test(item.mediaType ?? "");

/**
 * Whether an item was played to its end, or marked as watched.
 *
 * @param {Item} item
 */
export const isWatched = (item) => latest(item)?.isWatched === true;

/**
 * Returns the played part of an item from 0 to 1, or 0 without a known duration.
 *
 * @param {Item} item
 */
export function share(item) {
  const seconds = resumeTime(item);
  return seconds > 0 && item.duration > 0 ? Math.min(1, seconds / item.duration) : 0;
}

/** Records a change, either now or after the next connection. */
function record(id, change) {
  hold(id, change);
  send();
}

/** Stores a change until the server has it, even beyond this visit. */
function hold(id, change) {
  if (isGone(id)) return;
  const each = { change, at: Date.now(), library: local.libraryName() };
  pending.set(id, each);
  // With a connected server, sending the change is faster than storing.
  if (!store.isConnected()) save(id, each);
}

const isGone = (id) => gone.has(prefix(local.libraryName()) + id);

/** Forgets the changes of an item that has left the library. */
function forget(id, library) {
  gone.add(prefix(library) + id);
  remember(prefix(library) + id);
  if (pending.get(id)?.library === library) pending.delete(id);
}

function save(id, each) {
  each.isLate = true;
  remember(prefix(each.library) + id, JSON.stringify(each));
}

/** Reads the changes of earlier visits and of other tabs. */
function readHeld() {
  const library = local.libraryName();
  for (const name of heldNames(library)) {
    const id = Number(name.slice(prefix(library).length));
    try {
      const { change, at } = JSON.parse(stored(name));
      const own = pending.get(id);
      const isOld = own?.library === library && own.at >= at;
      if (Number.isInteger(id) && Number.isFinite(at) && !isOld) pending.set(id, { change, at, library, isLate: true });
    } catch {
      remember(name);
    }
  }
}

function heldNames(library) {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix(library)));
  } catch {
    return [];
  }
}

/** Sends one change after the other, so that the last change counts. */
async function send() {
  if (isSending) return;
  isSending = true;
  while (pending.size > 0) {
    const [[id, each]] = pending;
    if (each.library !== local.libraryName()) {
      // Another library has this address now. Unsent changes are stored until the former library
      // returns.
      pending.delete(id);
      continue;
    }
    const age = Math.max(0, (Date.now() - each.at) / 1000);
    try {
      // With an age, the server can prefer a newer playback position from another device.
      await api.play(id, each.isLate ? { ...each.change, age } : each.change);
    } catch (error) {
      // Without a server, the change waits. The change also waits until the server admits the
      // browser again.
      if (error.status === 0 || error.status === 403) {
        save(id, each);
        break;
      }
      if (error.status === 404) forget(id, each.library);
    }
    if (pending.get(id) !== each) continue;
    pending.delete(id);
    remember(prefix(each.library) + id);
    // The server may have a newer time.
    store.changed();
  }
  isSending = false;
}

/**
 * Records the times of a media element that plays an item. Returns a function that stops the
 * recording.
 *
 * @param {Item} item
 * @param {HTMLMediaElement} media
 */
export function follow(item, media) {
  let recorded = 0;
  let isEnded = false;
  const hasPlayed = () => media.played.length > 0 && Number.isFinite(media.currentTime);
  const note = () => {
    recorded = Date.now();
    if (hasPlayed() && !media.ended) record(item.id, { seconds: media.currentTime });
  };
  const leave = () => {
    if (isEnded || !hasPlayed() || media.ended || isGone(item.id)) return;
    if (!store.isConnected()) hold(item.id, { seconds: media.currentTime });
    // The browser sends this request even after the page has gone.
    api.play(item.id, { seconds: media.currentTime }, { keepalive: true }).catch(() => {});
  };
  const listeners = {
    timeupdate: () => { if (!media.paused && Date.now() - recorded >= interval) note(); },
    pause: note,
    seeked: note,
    ended: () => record(item.id, { seconds: 0, isWatched: true }),
  };
  for (const [event, listener] of Object.entries(listeners)) media.addEventListener(event, listener);
  addEventListener("pagehide", leave);
  return () => {
    note();
    isEnded = true;
    for (const [event, listener] of Object.entries(listeners)) media.removeEventListener(event, listener);
    removeEventListener("pagehide", leave);
  };
}

/**
 * Marks an item as watched or not watched.
 *
 * @param {Item} item
 * @param {boolean} watched
 */
export const mark = (item, watched) => api.play(item.id, { isWatched: watched });

/** Connects the records to the state of the server. */
export function start() {
  readHeld();
  store.on("removed", (id) => forget(id, local.libraryName()));
  store.on("link", (state) => {
    if (state !== "open") return;
    readHeld();
    send();
  });
}
