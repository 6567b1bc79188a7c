// SPDX-License-Identifier: Apache-2.0
// The player's addresses (`#play-12`, `#read-12`), and the ways to open and close the player.

import * as local from "../local/films.js";
import { announce } from "../shared/dom.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import * as frame from "./frame.js";
import { isPlayable } from "./playback.js";
import * as playing from "./playing.js";
import * as trouble from "./trouble.js";
import * as upnext from "./upnext.js";

/** @typedef {import("API").ItemRepresentation} Item */

/**
 * Whether the player becomes a bar, instead of closing, when the user leaves the player's address.
 */
let shrinks = false;
let isSkipping = false;

const addressOf = ({ item, textItem, media }) =>
  `#${media ? "play" : "read"}-${item.id}${media && textItem ? `?text=${textItem.id}` : ""}`;

/** Whether the player shows the content that belongs to this address. */
const shows = (address) => playing.current() !== undefined && addressOf(playing.current()) === address;

/**
 * Opens the player and continues the item at the last position. Shows the text of another item
 * beside the item, and afterwards continues with the collection.
 *
 * @param {Item} item
 * @param {{ title?: string, textItem?: Item, from?: number, collection?: number }} options
 */
export function play(item, { title = item.title, textItem, from, collection } = {}) {
  const { media, item: before } = playing.current() ?? {};
  upnext.begin(item, media && before, collection);
  if (media && before.id === item.id) {
    if (from !== undefined) playing.controls.seekTo(from);
    media.play().catch(() => {});
  } else {
    playing.open(item, title, textItem, from);
  }
  visit();
}

/**
 * Opens the player with only the text of an item.
 *
 * @param {Item} item
 * @param {string} [title]
 */
export function read(item, title = item.title) {
  close();
  playing.openText(item, title);
  visit();
}

/**
 * Adds items after the current item and the items that wait already. Without a current item, starts
 * immediately.
 *
 * @param {Item[]} items
 */
export function playNext(items) {
  const isPlaying = playing.current()?.media !== undefined;
  const found = items.filter(isPlayable);
  if (found.length === 0) return;
  upnext.add(found, !isPlaying);
  if (!isPlaying) skip(1);
  else announce(found.length === 1 ? `${found[0].title} plays next.` : `${found.length} items play next.`);
}

/** Plays the next item that still exists, or with -1 the previous item. */
async function skip(step) {
  if (isSkipping) return;
  isSkipping = true;
  try {
    for (const entry of upnext.candidates(step)) if (await goTo(entry, step)) return;
  } finally {
    isSkipping = false;
  }
}

/** Plays an item of the list. Returns whether the search for an item can stop. */
async function goTo(entry, step = 1) {
  const before = playing.current();
  const item = await store.get(entry.id);
  // The user may have closed the player, or chosen another item.
  if (playing.current() !== before) return true;
  if (!item && !store.isConnected()) {
    frame.say(trouble.gone);
    return true;
  }
  if (item?.state !== "ready" || !isPlayable(item)) {
    if (!entry.isOfCollection) upnext.remove(entry.id);
    return false;
  }
  upnext.go(step, entry, before?.media && before.item);
  playing.open(item, item.title);
  if (frame.isClosed()) visit();
  else if (frame.isPage()) {
    history.replaceState(history.state, "", addressOf(playing.current()));
    enter();
  }
  announce(`Now playing: ${item.title}`);
  return true;
}

/** Sets the player's address, so that Back closes the player. */
function visit() {
  const address = addressOf(playing.current());
  enter();
  if (location.hash === address) return;
  location.hash = address;
  // The state survives a reload. Without a place of this page beneath the player, Back would leave
  // the page.
  history.replaceState({ isAbove: true }, "");
}

const enter = () => frame.enter(playing.current().title);

/**
 * Follows the address of the page. Returns whether the address belongs to the player. If so, the
 * section beneath does not change.
 */
function follow(address) {
  const [, kind, id, textID] = /^#(play|read)-(\d+)(?:\?text=(\d+))?$/.exec(address) ?? [];
  if (!kind) {
    if (frame.isPage()) {
      if (shrinks && playing.current()?.media) frame.shrink();
      else close();
    }
    shrinks = false;
    return false;
  }
  if (shows(address)) enter();
  else openAddress(kind, Number(id), Number(textID ?? 0));
  return true;
}

async function openAddress(kind, id, textID) {
  const [item, textItem] = [await local.latest(id), textID ? await local.latest(textID) : undefined];
  if (!location.hash.startsWith(`#${kind}-${id}`) || shows(location.hash)) return;
  if (item?.state === "ready") {
    close();
    if (kind === "play") {
      upnext.open(id);
      playing.open(item, item.title, textItem);
    } else {
      playing.openText(item);
    }
    enter();
  } else {
    history.replaceState(null, "", item ? `#item-${id}` : "#home");
    places.refresh();
    announce(item ? `${item.title} is not finished yet.` : "There is no such item.");
  }
}

/** Leaves the player and returns to the place beneath. */
function leave() {
  if (history.state?.isAbove) history.back();
  else {
    history.replaceState(null, "", "#home");
    places.refresh();
  }
}

function shrink() {
  shrinks = true;
  leave();
}

/** Ends the playback and hides the player. */
function close() {
  playing.stop();
  frame.hide();
}

function press(event) {
  if (!frame.isPage() || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const hasPanel = document.querySelector(".tuning:popover-open") !== null;
  if (event.key === "Escape") {
    // The browser itself closes the panel and leaves the full screen.
    if (!hasPanel && !document.fullscreenElement) leave();
  } else if (playing.current()?.media && playing.controls.press(event)) {
    event.preventDefault();
    frame.wake();
  }
}

/** Connects the player to the page. */
export function start() {
  places.setCover(follow);
  upnext.start();
  playing.start({
    stop: () => (frame.isPage() ? leave() : close()),
    skip, canSkip: (step) => upnext.candidates(step).length > 0,
  });
  frame.start({ controls: playing.controls, visit, leave, shrink, close, skip, jump: (entry) => goTo(entry) });
  addEventListener("keydown", press);
}
