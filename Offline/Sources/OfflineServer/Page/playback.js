// SPDX-License-Identifier: Apache-2.0
// Records how far an item has been played, so that another browser goes on there.

import { api } from "./api.js";
import * as store from "./store.js";

/** The time between two records while an item plays, in milliseconds. */
const interval = 5000;
/** The changes by item that the server does not have yet: it may be gone for a while. */
const pending = new Map();
let isSending = false;

/** Returns the time at which to continue an item; 0 for the beginning. */
export const resumeTime = (item) => item.playback?.seconds ?? 0;

/** Whether the page can play an item, or show it as text. */
export const isPlayable = (item) => /^(video|audio)\//.test(item.mediaType ?? "");
export const isReadable = (item) => /^text\/(plain|vtt)\b/.test(item.mediaType ?? "");

/** Whether an item was played to its end, or marked as watched. */
export const isWatched = (item) => item.playback?.isWatched === true;

/** Returns the played part of an item, from 0 to 1; 0 also for one without a known duration. */
export function share(item) {
  const seconds = resumeTime(item);
  return seconds > 0 && item.duration > 0 ? Math.min(1, seconds / item.duration) : 0;
}

/** Records a change, now or when the server is back. */
function record(id, change) {
  pending.set(id, change);
  send();
}

/** Sends one change after the other, so that the last one counts. */
async function send() {
  if (isSending) return;
  isSending = true;
  while (pending.size > 0) {
    const [[id, change]] = pending;
    try {
      await api.play(id, change);
    } catch (error) {
      // Without a server the change waits; a change that the server refuses does not.
      if (error.status === 0) break;
    }
    if (pending.get(id) === change) pending.delete(id);
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
  store.on("link", (state) => { if (state === "open") send(); });
}
