// SPDX-License-Identifier: Apache-2.0
// Passes the playing item to the system, for media keys and lock screens.

import * as local from "../local/films.js";
import { pictureAddress } from "../shared/api.js";

const session = navigator.mediaSession;

/** Names the playing item and connects the actions of the system to the player. */
export function begin(item, title, media, actions) {
  if (!session) return;
  session.metadata = new MediaMetadata({
    title,
    artist: "Offline",
    artwork: item.hasPicture
      ? [{ src: new URL(local.pictureOf(item.id) ?? pictureAddress(item.id), location.origin).href, sizes: "512x288", type: "image/jpeg" }] : [],
  });
  for (const [name, action] of Object.entries(actions)) setAction(name, action);
  const place = () => {
    if (session.metadata && Number.isFinite(media.duration) && media.duration > 0) {
      session.setPositionState?.({
        duration: media.duration, playbackRate: media.playbackRate || 1,
        position: Math.min(media.currentTime, media.duration),
      });
    }
  };
  for (const event of ["loadedmetadata", "seeked", "ratechange", "play", "pause"]) media.addEventListener(event, place);
  media.addEventListener("play", () => { session.playbackState = "playing"; });
  media.addEventListener("pause", () => { session.playbackState = "paused"; });
}

/** Ends the session. */
export function end(actions) {
  if (!session) return;
  session.metadata = null;
  session.playbackState = "none";
  for (const name of Object.keys(actions)) setAction(name, null);
}

function setAction(name, action) {
  try {
    session.setActionHandler(name, action ?? null);
  } catch {
    // This browser does not support the action.
  }
}
