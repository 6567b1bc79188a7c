// SPDX-License-Identifier: Apache-2.0
// The person's collections, kept up to date by the server's events.

import { api } from "./api.js";
import * as store from "./store.js";

let list = [];
let isKnown = false;
let loads = 0;
const listeners = [];

/** Returns all collections, by name. */
export const all = () => list;
export const get = (id) => list.find((each) => each.id === id);

/** Whether the page has the list, so that a collection that is not in it does not exist. */
export const isLoaded = () => isKnown;

/** Registers a listener for each change of the list. */
export const onChange = (listener) => listeners.push(listener);

const changed = () => listeners.forEach((listener) => listener());

/** Loads the list; it stays as it is while the server does not answer. */
export async function load() {
  loads += 1;
  const number = loads;
  let answer;
  try {
    answer = await api.collections();
  } catch {
    return;
  }
  // A later request has a newer answer.
  if (number !== loads) return;
  list = answer.collections ?? [];
  isKnown = true;
  changed();
}

/** Shows a collection that the server has just returned, before its event arrives. */
export function put(collection) {
  list = [...list.filter(({ id }) => id !== collection.id), collection]
    .sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
  changed();
  return collection;
}

/** Connects the list to the state of the server. */
export function start() {
  store.on("snapshot", load);
  store.on("collections", load);
}
