// SPDX-License-Identifier: Apache-2.0
// The user's collections, kept up to date by the server's events.

import { api } from "./api.js";
import * as store from "./store.js";

let list = [];
let isKnown = false;
let loading;
let isStale = false;
const listeners = [];

/** Returns all collections, sorted by name. */
export const all = () => list;
export const get = (id) => list.find((each) => each.id === id);

/** Whether the page has the list. If so, a collection that is not in the list does not exist. */
export const isLoaded = () => isKnown;

/** Registers a listener for each change of the list. */
export const onChange = (listener) => listeners.push(listener);

const changed = () => listeners.forEach((listener) => listener());

/**
 * Loads the list. The list does not change while the server does not respond. After each call, the
 * list is newer than the call, but the many events of a large removal share few requests.
 */
export function load() {
  isStale = true;
  loading ??= loadAll().finally(() => { loading = undefined; });
  return loading;
}

async function loadAll() {
  while (isStale) {
    isStale = false;
    try {
      list = (await api.collections()).collections ?? [];
    } catch {
      return;
    }
    isKnown = true;
    changed();
  }
}

/**
 * Shows a collection that the server has just returned, before the event for the change arrives.
 */
export function put(collection) {
  list = [...list.filter(({ id }) => id !== collection.id), collection]
    .sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
  changed();
  return collection;
}

/** Connects the list to the state of the server. */
export function start() {
  store.on("fill", load);
  store.on("collections", load);
}
