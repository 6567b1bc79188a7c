// SPDX-License-Identifier: Apache-2.0
// The content of the player with the item, the media element and the position.

import * as local from "../local/films.js";
import { mediaAddress, pictureAddress } from "../shared/api.js";
import { byId, el, icon, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";
import { makeControls } from "./controls.js";
import * as frame from "./frame.js";
import * as playback from "./playback.js";
import * as session from "./session.js";
import { offerSounds } from "./sound.js";
import { addTracks } from "./tracks.js";
import * as trouble from "./trouble.js";

/** @typedef {import("API").ItemRepresentation} Item */

/**
 * The content of the player with the item, the media element (not for a text), and a function to
 * end each.
 */
let shown;
/** The functions to end the player and to continue with another item. */
let ways;

/** The controls of the media element. */
export let controls;

/** Returns the content of the player with the item, the title and, for media, the media element. */
export const current = () => shown;

/**
 * Plays an item and shows the text of another item beside the player.
 *
 * @param {Item} item
 * @param {string} title
 * @param {Item} [textItem]
 * @param {number} [from]
 */
export function open(item, title, textItem, from) {
  end();
  const isAudio = (item.mediaType ?? "").startsWith("audio/");
  const picture = item.hasPicture ? local.pictureOf(item.id) ?? pictureAddress(item.id) : undefined;
  const media = el(isAudio ? "audio" : "video", {
    autoplay: true, playsinline: true, preload: "metadata", src: local.source(item.id) ?? mediaAddress(item.id),
    poster: isAudio ? undefined : picture,
  });
  const actions = systemActions();
  begin({ item, title, textItem, media, actions }, isAudio ? "audio" : "video");
  const art = !isAudio ? undefined : picture
    ? el("img", { class: "art", src: picture, alt: "" }) : icon("note", "art-none");
  frame.stage().prepend(...[art, media].filter(Boolean));
  controls.attach(media);
  resume(media, from ?? playback.resumeTime(item), from !== undefined);
  shown.end = playback.follow(item, media);
  media.addEventListener("ended", () => { if (shown?.media === media && !controls.endsHere()) ways.skip(1); });
  session.begin(item, title, media, actions);
  shown.trouble = trouble.watch(item, media, frame.stage(), () => reload(media));
  addTracks(item, media, (chapters) => {
    if (shown?.media !== media) return;
    shown.chapters = chapters;
    controls.setChapters(chapters);
  });
  offerSounds(item, media, frame);
  startPlaying(media, isAudio);
}

/**
 * Shows only the text of an item.
 *
 * @param {Item} item
 * @param {string} [title]
 */
export function openText(item, title = item.title) {
  end();
  begin({ item, textItem: item, title }, "text");
}

function begin(next, kind) {
  shown = next;
  frame.setShown(next.title, kind, next.media !== undefined);
  if (next.textItem) showText(next.textItem);
  frame.drawSide();
}

function resume(media, time, isChosen) {
  if (time <= 0) return;
  media.addEventListener("loadedmetadata", () => {
    if (time >= media.duration) return;
    media.currentTime = time;
    if (!isChosen) frame.say(`Resumed at ${format.clock(time)}`);
  }, { once: true });
}

/** Starts playing. A browser may block the sound in a tab without any user action. */
async function startPlaying(media, isAudio) {
  try {
    await media.play();
  } catch (error) {
    if (error.name !== "NotAllowedError" || shown?.media !== media) return;
    frame.note(isAudio
      ? "Your browser blocked the playback. Press the space bar or the play button."
      : "Your browser blocked the sound. Turn it on with M or the button.");
    media.addEventListener(isAudio ? "play" : "volumechange",
      () => frame.note(""), { once: true });
    if (isAudio) return;
    // The page's own change of the volume must not remove the note.
    setTimeout(() => { media.muted = true; media.play().catch(() => {}); }, 0);
  }
}

function systemActions() {
  const chapter = (step) => {
    const { chapters = [], media } = shown;
    const now = chapters.findLastIndex(({ start: begins }) => begins <= media.currentTime + 0.01);
    if (chapters[now + step]) controls.seekTo(chapters[now + step].start);
  };
  return {
    play: () => shown.media.play().catch(() => {}),
    pause: () => shown.media.pause(),
    stop: ways.stop,
    seekbackward: ({ seekOffset }) => controls.seekBy(-(seekOffset ?? 10)),
    seekforward: ({ seekOffset }) => controls.seekBy(seekOffset ?? 10),
    seekto: ({ seekTime }) => controls.seekTo(seekTime),
    previoustrack: () => (ways.canSkip(-1) ? ways.skip(-1) : chapter(-1)),
    nexttrack: () => (ways.canSkip(1) ? ways.skip(1) : chapter(1)),
  };
}

/**
 * Shows the first million bytes of a file as plain text.
 *
 * @param {Item} item
 */
async function showText(item) {
  const place = byId("player-words");
  place.dataset.id = item.id;
  let text = "";
  try {
    const longest = 1_000_000;
    text = await local.text(item.id, longest) ?? await receiveText(item.id, longest);
  } catch {
    frame.note(store.isConnected()
      ? "The text could not be loaded. Save a copy from the library." : trouble.gone);
  }
  // The player may have closed during the request, or show another lesson.
  if (place.dataset.id !== String(item.id) || shown?.textItem?.id !== item.id) return;
  place.textContent = text;
  show(place, text !== "");
  frame.drawSide();
}

async function receiveText(id, longest) {
  const response = await fetch(mediaAddress(id), { headers: { Range: `bytes=0-${longest - 1}` } });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

/** Loads the file again and continues at the same position. */
function reload(media) {
  const time = media.currentTime || playback.resumeTime(store.item(shown.item.id) ?? shown.item);
  shown.trouble.end();
  media.load();
  resume(media, time, true);
  startPlaying(media, media.localName === "audio");
}

/** Ends the playback. No other item follows. */
export function stop() {
  end();
  controls.forget();
}

function end() {
  const before = shown;
  shown = undefined;
  frame.clear();
  if (!before?.media) return;
  before.end();
  before.trouble.end();
  session.end(before.actions);
  controls.detach();
  before.media.pause();
  before.media.removeAttribute("src");
  before.media.load();
  frame.stage().replaceChildren();
}

/**
 * Creates the controls. `stop`, `skip` and `canSkip` serve the system's media controls and the end
 * of an item.
 */
export function start(next) {
  ways = next;
  controls = makeControls({ player: frame.player(), say: frame.say, skip: next.skip });
  store.on("link", (state) => {
    if (state === "open" && shown?.media && (shown.trouble.isWaiting || shown.media.error)) reload(shown.media);
  });
}
