// SPDX-License-Identifier: Apache-2.0
// Plays an item in the page with the browser's own controls, and remembers where it was.

import { mediaAddress, pictureAddress } from "/api.js";
import { byId, el, setText, show } from "/dom.js";
import * as format from "/format.js";

let media;
let playing;

const key = (id) => `position:${id}`;

function remembered(id) {
  try {
    return Number(localStorage.getItem(key(id))) || 0;
  } catch {
    return 0;
  }
}

/** Keeps the position; at the very beginning and near the end there is nothing to keep. */
function remember() {
  if (!media || !playing || !Number.isFinite(media.duration)) return;
  const position = media.currentTime;
  try {
    if (position < 3 || position > media.duration - 3) localStorage.removeItem(key(playing.id));
    else localStorage.setItem(key(playing.id), String(Math.floor(position)));
  } catch {
    // A browser that stores nothing still plays.
  }
}

/** Opens the player with the item and starts it where it was left, with words below if there are. */
export function play(item, { title = item.title, words } = {}) {
  stop();
  playing = item;
  const isAudio = (item.mediaType ?? "").startsWith("audio/");
  media = el(isAudio ? "audio" : "video", {
    controls: true, autoplay: true, playsinline: true, preload: "metadata", src: mediaAddress(item.id),
    poster: !isAudio && item.hasPicture ? pictureAddress(item.id) : undefined,
  });
  setText(byId("player-title"), title);
  setText(byId("player-note"), "");
  byId("player-stage").replaceChildren(...(isAudio && item.hasPicture
    ? [el("img", { src: pictureAddress(item.id), alt: "" }), media] : [media]));
  follow(item, media);
  byId("player").showModal();
  media.focus();
  begin(media, isAudio);
  if (words) showWords(words);
}

/** In a tab that nobody has touched yet, a browser may refuse to make a sound by itself. */
async function begin(element, isAudio) {
  try {
    await element.play();
  } catch (error) {
    if (error.name !== "NotAllowedError" || element !== media) return;
    setText(byId("player-note"), isAudio
      ? "Your browser waits for you: press the space bar or the play button."
      : "Playing without sound, as your browser wants it in a new tab: turn the sound on in the player.");
    if (isAudio) return;
    element.muted = true;
    element.play().catch(() => {});
  }
}

/** Opens the player with nothing but the words of an item. */
export function read(item, title = item.title) {
  stop();
  setText(byId("player-title"), title);
  setText(byId("player-note"), "");
  byId("player").showModal();
  showWords(item);
}

/** Shows a text as text, whatever is in it; of an endless one the beginning. */
async function showWords(item) {
  const place = byId("player-words");
  place.dataset.id = item.id;
  let text = "";
  try {
    const longest = 1_000_000;
    const answer = await fetch(mediaAddress(item.id), { headers: { Range: `bytes=0-${longest - 1}` } });
    if (!answer.ok) throw new Error(answer.status);
    text = await answer.text();
  } catch {
    setText(byId("player-note"), "The text cannot be read. Save a copy from the library.");
  }
  // The player may have been closed meanwhile, or show another lesson.
  if (place.dataset.id !== String(item.id) || !byId("player").open) return;
  place.textContent = text;
  show(place, text !== "");
}

function follow(item, element) {
  const from = remembered(item.id);
  let saved = 0;
  element.addEventListener("loadedmetadata", () => {
    if (from <= 0 || from >= element.duration) return;
    element.currentTime = from;
    setText(byId("player-note"), `Going on at ${format.clock(from)}.`);
  }, { once: true });
  element.addEventListener("timeupdate", () => {
    if (Date.now() - saved < 2000) return;
    saved = Date.now();
    remember();
  });
  for (const event of ["pause", "seeked", "ended"]) element.addEventListener(event, remember);
  element.addEventListener("error", () => {
    setText(byId("player-note"), "This browser cannot play the file. Save a copy and open it with a player.");
  });
  if (!("mediaSession" in navigator)) return;
  navigator.mediaSession.metadata = new MediaMetadata({
    title: item.title,
    artist: "Offline",
    artwork: item.hasPicture
      ? [{ src: new URL(pictureAddress(item.id), location.origin).href, type: "image/jpeg" }] : [],
  });
}

function stop() {
  byId("player-words").textContent = "";
  show(byId("player-words"), false);
  if (!media) return;
  remember();
  media.pause();
  media.removeAttribute("src");
  media.load();
  media = undefined;
  playing = undefined;
  byId("player-stage").replaceChildren();
  if ("mediaSession" in navigator) navigator.mediaSession.metadata = null;
}

/** Connects the player to the page. */
export function start() {
  byId("player-close").addEventListener("click", () => byId("player").close());
  byId("player").addEventListener("close", stop);
  byId("player").addEventListener("click", (event) => {
    if (event.target === byId("player")) byId("player").close();
  });
  addEventListener("pagehide", remember);
}
