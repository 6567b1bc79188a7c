// SPDX-License-Identifier: Apache-2.0
// What plays after the present item: the items that the person has queued, then the rest of the
// collection in which it was opened. This tab keeps it over a reload.

import * as collections from "./collections.js";
import { isPlayable } from "./playback.js";
import * as store from "./store.js";

const key = "player:next";
const listeners = [];
const nothing = () => ({ now: 0, queue: [], past: [] });
/** The number of the playing item, the queued items, the former ones, and the collection: `at` is its item. */
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
    // There is none, or another version of the page has left it.
    return nothing();
  }
}

function changed() {
  try {
    sessionStorage.setItem(key, JSON.stringify(state));
  } catch {
    // The browser may forbid storage; the queue then lasts for this page.
  }
  listeners.forEach((listener) => listener());
}

/** Registers a listener for each change of what plays next. */
export const onChange = (listener) => listeners.push(listener);

const entry = ({ id, title }) => ({ id, title });
const without = (list, ids) => list.filter(({ id }) => !ids.includes(id));

/** Returns the queued items: their numbers and titles. */
export const queue = () => state.queue.map(({ id, title }) => ({ id, title: store.item(id)?.title ?? title }));

/** Returns the collection that goes on after the queue, if there is one. */
export const collection = () => state.collection && collections.get(state.collection.id);

/** Returns the numbers of the items of the collection after the present one. */
export function rest() {
  const items = collection()?.items ?? [];
  const index = items.indexOf(state.collection?.at);
  // The present item may have been taken out.
  const after = index < 0 ? items.slice(state.collection?.index ?? 0) : items.slice(index + 1);
  return after.filter((id) => id !== state.now);
}

/** Returns the items of the collection before the present one, the nearest first. */
function before() {
  const items = collection()?.items ?? [];
  const index = items.indexOf(state.collection?.at);
  return state.now === state.collection?.at && index > 0 ? items.slice(0, index).reverse() : [];
}

const isPossible = (id) => {
  const item = store.item(id);
  return item === undefined || (item.state === "ready" && isPlayable(item));
};

/** Returns the next items to try, the nearest first, or the former ones. */
export function candidates(step) {
  const of = (ids) => ids.filter(isPossible).map((id) => ({ id, title: store.item(id)?.title ?? "", isOfCollection: true }));
  return step > 0 ? [...queue(), ...of(rest())] : [...state.past.toReversed(), ...of(before())];
}

/** Adds items to the end of the queue, or to its beginning. */
export function add(items, isFirst = false) {
  const ids = items.map(({ id }) => id);
  const others = without(state.queue, ids);
  const added = items.map(entry);
  state.queue = isFirst ? [...added, ...others] : [...others, ...added];
  changed();
}

/** Takes an item out of the queue and out of the former ones. */
export function remove(id) {
  state.queue = without(state.queue, [id]);
  state.past = without(state.past, [id]);
  changed();
}

/** Remembers the place of an item in the collection, which it may leave. */
function setPlace(id) {
  const index = collection()?.items.indexOf(id) ?? -1;
  state.collection = { ...state.collection, at: id, ...(index >= 0 && { index }) };
}

/** The person plays an item, perhaps one of a collection; `former` is the one that played before. */
export function begin(item, former, collectionID) {
  if (former && former.id !== item.id) state.past = [...without(state.past, [former.id]), entry(former)].slice(-50);
  state.queue = without(state.queue, [item.id]);
  state.now = item.id;
  state.collection = collectionID === undefined ? undefined : { id: collectionID };
  if (state.collection) setPlace(item.id);
  changed();
}

/** The address of the page opens an item; a reload goes on where the queue was. */
export function open(id) {
  if (state.now === id) return;
  state.now = id;
  state.collection = undefined;
  changed();
}

/** Goes to one of the candidates. */
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

/** Connects what plays next to the state of the page. */
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
