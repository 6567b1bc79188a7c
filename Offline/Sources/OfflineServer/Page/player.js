// SPDX-License-Identifier: Apache-2.0
// Plays an item with the browser's controls, and stores its position.

import { mediaAddress, pictureAddress } from "/api.js";
import { adopt, byId, css, el, icon, mount, setText, show } from "/dom.js";
import * as format from "/format.js";
import { addTracks, chapterList } from "/tracks.js";

const markup = [
  el("div", { class: "player-head" },
    el("h2", { id: "player-title" }),
    el("button", { id: "player-close", class: "icon", type: "button", "aria-label": "Close the player" },
      icon("close"))),
  el("div", { id: "player-stage", class: "stage" }),
  el("div", {
    id: "player-words", class: "words", tabindex: "0", role: "region", "aria-label": "Text",
    hidden: true,
  }),
  el("p", { id: "player-note", class: "fine", role: "status" }),
  chapterList(),
];

const style = css`
  .player { width: min(64rem, calc(100vw - 2rem)); padding: 0.75rem; }
  .player-head { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 0.15rem 0.15rem 0.6rem 0.6rem; }
  .player-head h2 { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .stage { display: grid; gap: 0.75rem; }
  .stage video { width: 100%; max-height: calc(100dvh - 9rem); border-radius: 12px; background: #000; display: block; }
  .stage img { width: 100%; max-height: 50vh; object-fit: contain; border-radius: 12px; }
  .stage audio { width: 100%; }
  .words { padding: 0.9rem 0.6rem 0.4rem; max-height: 45vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.6; }
  .player .fine { padding: 0.5rem 0.6rem 0; }
  .player .fine:empty { display: none; }
`;

let media;
let playing;

const key = (id) => `position:${id}`;

function storedPosition(id) {
  try {
    return Number(localStorage.getItem(key(id))) || 0;
  } catch {
    return 0;
  }
}

/** Stores the position; removes it near the beginning and the end. */
function storePosition() {
  if (!media || !playing || !Number.isFinite(media.duration)) return;
  const position = media.currentTime;
  try {
    if (position < 3 || position > media.duration - 3) localStorage.removeItem(key(playing.id));
    else localStorage.setItem(key(playing.id), String(Math.floor(position)));
  } catch {
    // The browser may forbid storage; playing does not need it.
  }
}

/** Opens the player and starts the item at its stored position; shows the text item below, if any. */
export function play(item, { title = item.title, textItem } = {}) {
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
  addTracks(item, media);
  byId("player").showModal();
  media.focus();
  begin(media, isAudio);
  if (textItem) showText(textItem);
}

/** Starts playing; a browser may block the sound in a tab without any user action. */
async function begin(element, isAudio) {
  try {
    await element.play();
  } catch (error) {
    if (error.name !== "NotAllowedError" || element !== media) return;
    setText(byId("player-note"), isAudio
      ? "Your browser blocked the playback. Press the space bar or the play button."
      : "Your browser blocked the sound. Turn it on in the player.");
    if (isAudio) return;
    element.muted = true;
    element.play().catch(() => {});
  }
}

/** Opens the player with only the text of an item. */
export function read(item, title = item.title) {
  stop();
  setText(byId("player-title"), title);
  setText(byId("player-note"), "");
  byId("player").showModal();
  showText(item);
}

/** Shows the first million bytes of a file as plain text. */
async function showText(item) {
  const place = byId("player-words");
  place.dataset.id = item.id;
  let text = "";
  try {
    const longest = 1_000_000;
    const response = await fetch(mediaAddress(item.id), { headers: { Range: `bytes=0-${longest - 1}` } });
    if (!response.ok) throw new Error(response.status);
    text = await response.text();
  } catch {
    setText(byId("player-note"), "The text could not be loaded. Save a copy from the library.");
  }
  // The player may have closed during the request, or show another lesson.
  if (place.dataset.id !== String(item.id) || !byId("player").open) return;
  place.textContent = text;
  show(place, text !== "");
}

function follow(item, element) {
  const from = storedPosition(item.id);
  let saved = 0;
  element.addEventListener("loadedmetadata", () => {
    if (from <= 0 || from >= element.duration) return;
    element.currentTime = from;
    setText(byId("player-note"), `Resumed at ${format.clock(from)}.`);
  }, { once: true });
  element.addEventListener("timeupdate", () => {
    if (Date.now() - saved < 2000) return;
    saved = Date.now();
    storePosition();
  });
  for (const event of ["pause", "seeked", "ended"]) element.addEventListener(event, storePosition);
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
  show(byId("player-chapters"), false);
  if (!media) return;
  storePosition();
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
  adopt(style);
  mount("player", markup);
  byId("player-close").addEventListener("click", () => byId("player").close());
  byId("player").addEventListener("close", stop);
  byId("player").addEventListener("click", (event) => {
    if (event.target === byId("player")) byId("player").close();
  });
  addEventListener("pagehide", storePosition);
}
