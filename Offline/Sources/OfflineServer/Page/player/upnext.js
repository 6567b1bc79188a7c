// SPDX-License-Identifier: Apache-2.0
// The list of items to play next. The items that the user has queued come first, then the rest of
// the collection in which the user opened the current item. The list belongs to this tab and
// survives a reload.

import * as collections from "../shared/collections.js";
import * as store from "../shared/store.js";
import { isPlayable } from "./playback.js";

const key = "player:next";
const listeners = [];
/** @typedef {{ id: number, title: string }} Entry */
/** @typedef {{ id: number, at?: number, index?: number }} Place */
const nothing = () => ({ now: 0, queue: [], past: [] });
/**
 * The number of the playing item, the queued items, the previous items, and the collection with the
 * current item `at`.
 *
 * @type {{ now: number, queue: Entry[], past: Entry[], collection?: Place }}
 */
let state = read();

function read() {
  try {
    const { now, queue, past, collection } = JSON.parse(sessionStorage.getItem(key));
    const entries = (list) => list.filter(({ id, title }) => Number.isInteger(id) && typeof title === "string");
    return {
      now: Number(now), queue: entries(queue), past: entries(past),
      ...(Number.isInteger(collection?.id) && { collection }),
    };
  } catch {
    // The state is missing, or another version of the page has stored the state.
    return nothing();
  }
}

function changed() {
  try {
    sessionStorage.setItem(key, JSON.stringify(state));
  } catch {
    // If the browser forbids storage, the queue is lost with the page.
  }
  listeners.forEach((listener) => listener());
}

/** Registers a listener for each change of the list. */
export const onChange = (listener) => listeners.push(listener);

const entry = ({ id, title }) => ({ id, title });
const without = (list, ids) => list.filter(({ id }) => !ids.includes(id));

/** Returns the numbers and titles of the queued items. */
export const queue = () => state.queue.map(({ id, title }) => ({ id, title: store.item(id)?.title ?? title }));

/** Returns the collection that continues after the queue, if any. */
export const collection = () => state.collection && collections.get(state.collection.id);

/** Returns the numbers of the items in the collection after the current item. */
export function rest() {
  const items = collection()?.items ?? [];
  const index = items.indexOf(state.collection?.at);
  // The current item may have been taken out of the collection.
  const after = index < 0 ? items.slice(state.collection?.index ?? 0) : items.slice(index + 1);
  return after.filter((id) => id !== state.now);
}

/** Returns the items in the collection before the current item, with the nearest first. */
function before() {
  const items = collection()?.items ?? [];
  const index = items.indexOf(state.collection?.at);
  return state.now === state.collection?.at && index > 0 ? items.slice(0, index).reverse() : [];
}

const isPossible = (id) => {
  const item = store.item(id);
  return item === undefined || (item.state === "ready" && isPlayable(item));
};

/** Returns the next items to try, with the nearest first, or the previous items. */
export function candidates(step) {
  const of = (ids) => ids.filter(isPossible).map((id) => ({ id, title: store.item(id)?.title ?? "", isOfCollection: true }));
  return step > 0 ? [...queue(), ...of(rest())] : [...state.past.toReversed(), ...of(before())];
}

/** Adds items to the end or to the start of the queue. */
export function add(items, isFirst = false) {
  const ids = items.map(({ id }) => id);
  const others = without(state.queue, ids);
  const added = items.map(entry);
  state.queue = isFirst ? [...added, ...others] : [...others, ...added];
  changed();
}

/** Removes an item from the queue and from the previous items. */
export function remove(id) {
  state.queue = without(state.queue, [id]);
  state.past = without(state.past, [id]);
  changed();
}

/** Records the position of an item in the collection, because the item may leave the collection. */
function setPlace(id) {
  const index = collection()?.items.indexOf(id) ?? -1;
  state.collection = { ...state.collection, at: id, ...(index >= 0 && { index }) };
}

/**
 * Updates the list after the user starts an item, perhaps in a collection. `former` is the item
 * that played before.
 */
export function begin(item, former, collectionID) {
  if (former && former.id !== item.id) state.past = [...without(state.past, [former.id]), entry(former)].slice(-50);
  state.queue = without(state.queue, [item.id]);
  state.now = item.id;
  state.collection = collectionID === undefined ? undefined : { id: collectionID };
  if (state.collection) setPlace(item.id);
  changed();
}

/**
 * Updates the list after the page's address opens an item. After a reload, the queue does not
 * change.
 */
export function open(id) {
  if (state.now === id) return;
  state.now = id;
  state.collection = undefined;
  changed();
}

/** Goes to a candidate. */
export function go(step, { id, isOfCollection }, former) {
  const isInside = collection()?.items.includes(id);
  if (step > 0) {
    if (former) state.past = [...without(state.past, [former.id]), entry(former)].slice(-50);
    if (isOfCollection) setPlace(id);
    else state.queue = without(state.queue, [id]);
  } else {
    state.past = without(state.past, [id]);
    if (state.now === state.collection?.at && isInside) setPlace(id);
    else if (former) state.queue = [entry(former), ...without(state.queue, [former.id])];
  }
  state.now = id;
  changed();
}

/** Connects the list to the state of the page. */
export function start() {
  collections.onChange(() => {
    if (!state.collection) return;
    setPlace(state.collection.at);
    changed();
  });
  store.on("removed", (id) => {
    if (state.queue.some((each) => each.id === id)) remove(id);
  });
}
