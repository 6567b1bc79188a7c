// SPDX-License-Identifier: Apache-2.0
// Records how far an item has been played, so that another browser goes on there.

import { api } from "./api.js";
import * as local from "./localfilms.js";
import * as store from "./store.js";
import { store as remember, stored } from "./tuning.js";

/** The time between two records while an item plays, in milliseconds. */
const interval = 5000;
/** The beginning of the names under which the browser stores changes that the server of a library does not have yet. */
const prefix = (library) => `played ${library}/`;
/** The changes by item that the server does not have yet, their times and their library: it may be gone for a while. */
const pending = new Map();
let isSending = false;

/** How far an item was played here, if the server does not have it yet, or on any device. */
function latest(item) {
  const own = pending.get(item.id);
  return own?.library === local.libraryName() ? { ...item.playback, ...own.change } : item.playback;
}

/** Returns the time at which to continue an item; 0 for the beginning. */
export const resumeTime = (item) => latest(item)?.seconds ?? 0;

/** Whether the page can play an item, or show it as text. */
export const isPlayable = (item) => /^(video|audio)\//.test(item.mediaType ?? "");
export const isReadable = (item) => /^text\/(plain|vtt)\b/.test(item.mediaType ?? "");

/** Whether an item was played to its end, or marked as watched. */
export const isWatched = (item) => latest(item)?.isWatched === true;

/** Returns the played part of an item, from 0 to 1; 0 also for one without a known duration. */
export function share(item) {
  const seconds = resumeTime(item);
  return seconds > 0 && item.duration > 0 ? Math.min(1, seconds / item.duration) : 0;
}

/** Records a change, now or when the server is back. */
function record(id, change) {
  hold(id, change);
  send();
}

/** Keeps a change until the server has it, also beyond this visit. */
function hold(id, change) {
  const each = { change, at: Date.now(), library: local.libraryName() };
  pending.set(id, each);
  // With the server, the change is there sooner than in the storage.
  if (!store.isConnected()) save(id, each);
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

/** Sends one change after the other, so that the last one counts. */
async function send() {
  if (isSending) return;
  isSending = true;
  while (pending.size > 0) {
    const [[id, each]] = pending;
    if (each.library !== local.libraryName()) {
      // Another library has this address now; what it does not know is stored for its return.
      pending.delete(id);
      continue;
    }
    const age = Math.max(0, (Date.now() - each.at) / 1000);
    try {
      // With an age, a newer playing on another device counts.
      await api.play(id, each.isLate ? { ...each.change, age } : each.change);
    } catch (error) {
      // Without a server the change waits, and so it does until the browser is let in again.
      if (error.status === 0 || error.status === 403) {
        save(id, each);
        break;
      }
    }
    if (pending.get(id) !== each) continue;
    pending.delete(id);
    remember(prefix(each.library) + id);
    // The server may have a newer time.
    store.changed();
  }
  isSending = false;
}

/** Records the times of a media element that plays an item; returns a function that ends this. */
export function follow(item, media) {
  let recorded = 0;
  let isEnded = false;
  const hasPlayed = () => media.played.length > 0 && Number.isFinite(media.currentTime);
  const note = () => {
    recorded = Date.now();
    if (hasPlayed() && !media.ended) record(item.id, { seconds: media.currentTime });
  };
  const leave = () => {
    if (isEnded || !hasPlayed() || media.ended) return;
    if (!store.isConnected()) hold(item.id, { seconds: media.currentTime });
    // The browser sends this request also after the page has gone.
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

/** Marks an item as watched or not watched. */
export const mark = (item, watched) => api.play(item.id, { isWatched: watched });

/** Connects the records to the state of the server. */
export function start() {
  readHeld();
  store.on("link", (state) => {
    if (state !== "open") return;
    readHeld();
    send();
  });
}
