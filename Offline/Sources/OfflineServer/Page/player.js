// SPDX-License-Identifier: Apache-2.0
// The player: its addresses (#play-12, #read-12), and the ways into it and out of it.

import { announce } from "./dom.js";
import * as frame from "./frame.js";
import * as local from "./localfilms.js";
import * as places from "./places.js";
import { isPlayable } from "./playback.js";
import * as playing from "./playing.js";
import * as store from "./store.js";
import * as trouble from "./trouble.js";
import * as upnext from "./upnext.js";

/** Whether the player becomes a bar, and does not close, when its address is left. */
let shrinks = false;
let isSkipping = false;

const addressOf = ({ item, textItem, media }) =>
  `#${media ? "play" : "read"}-${item.id}${media && textItem ? `?text=${textItem.id}` : ""}`;

/** Whether the player shows what belongs to this address. */
const shows = (address) => playing.current() !== undefined && addressOf(playing.current()) === address;

/**
 * Opens the player and continues the item where it was left; shows the text of another item beside it,
 * and goes on with the collection after it.
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

/** Opens the player with only the text of an item. */
export function read(item, title = item.title) {
  close();
  playing.openText(item, title);
  visit();
}

/** Plays items after the present one and those that wait already; without one, begins at once. */
export function playNext(items) {
  const isPlaying = playing.current()?.media !== undefined;
  const found = items.filter(isPlayable);
  if (found.length === 0) return;
  upnext.add(found, !isPlaying);
  if (!isPlaying) skip(1);
  else announce(found.length === 1 ? `${found[0].title} plays next.` : `${found.length} items play next.`);
}

/** Goes on with the next item that is still there, or with -1 back to the former one. */
async function skip(step) {
  if (isSkipping) return;
  isSkipping = true;
  try {
    for (const entry of upnext.candidates(step)) if (await goTo(entry, step)) return;
  } finally {
    isSkipping = false;
  }
}

/** Plays an item of the list; returns whether there is nothing left to do. */
async function goTo(entry, step = 1) {
  const before = playing.current();
  const item = await store.get(entry.id);
  // The person may have closed the player, or chosen another item.
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

/** Gives the player its address, so that Back closes it. */
function visit() {
  const address = addressOf(playing.current());
  enter();
  if (location.hash === address) return;
  location.hash = address;
  // Remembered beyond a reload: without a place of this page beneath, Back would leave it.
  history.replaceState({ isAbove: true }, "");
}

const enter = () => frame.enter(playing.current().title);

/**
 * Follows the address of the page; returns whether it is that of the player, which leaves the section
 * beneath as it is.
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

/** Leaves the player for the place beneath. */
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

/** Ends what plays, and hides the player. */
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
