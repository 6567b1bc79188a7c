// SPDX-License-Identifier: Apache-2.0
// The selected items of the Library. Items stay selected while the page draws other items, until
// they are removed or the user leaves the Library.

import { api } from "../shared/api.js";
import { announce } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import * as removal from "./removal.js";

/** The selected items by number. The page may drop an item later. */
const selected = new Map();
const listeners = [];
let isSelecting = false;
/** The item at which a selection with Shift starts. */
let anchor;
let requests = 0;

/** Whether a click on a card selects the card. */
export const isOn = () => isSelecting;
export const has = (id) => selected.has(id);
export const count = () => selected.size;

/** Returns the selected items in the order of the cards. Items without a card come last. */
export function items() {
  const cards = [...document.querySelectorAll("#cards > .card")].map((card) => Number(card.dataset.id));
  const order = new Map(cards.map((id, index) => [id, index]));
  const rank = (id) => order.get(id) ?? cards.length;
  return [...selected.keys()].sort((a, b) => rank(a) - rank(b))
    .map((id) => store.item(id) ?? selected.get(id));
}

/** Registers a listener for each change of the selection. */
export const onChange = (listener) => listeners.push(listener);

const changed = () => listeners.forEach((listener) => listener());

const say = () => announce(selected.size === 0 ? "Nothing is selected." : `${format.whole(selected.size)} selected`);

/**
 * Keeps only the values that the actions need, because a selection may have as many items as the
 * library.
 *
 * @param {Partial<import("API").ItemRepresentation>} item
 */
const add = ({ id, title, mediaType }) => {
  if (!removal.isPending(id)) selected.set(id, { id, title, mediaType });
};

/** Starts selecting. The next clicks on cards select the cards. */
export function begin() {
  isSelecting = true;
  changed();
}

/** Ends the selection. */
export function end() {
  if (!isSelecting) return;
  isSelecting = false;
  anchor = undefined;
  requests += 1;
  selected.clear();
  changed();
}

/** Selects an item, or deselects a selected item. */
export function toggle(item) {
  isSelecting = true;
  anchor = item.id;
  if (!selected.delete(item.id)) add(item);
  changed();
  say();
}

/** Selects the cards from the last selected card up to this item. */
export function extend(item) {
  const ids = [...document.querySelectorAll("#cards > .card")].map((card) => Number(card.dataset.id));
  const ends = [ids.indexOf(anchor), ids.indexOf(item.id)];
  if (ends.includes(-1)) {
    toggle(item);
    return;
  }
  for (const id of ids.slice(Math.min(...ends), Math.max(...ends) + 1)) add(store.item(id) ?? { id });
  changed();
  say();
}

/**
 * Selects all items that the server finds with these options, including items that the page has not
 * loaded.
 */
export async function addAll(options) {
  requests += 1;
  const number = requests;
  let after;
  do {
    const page = await api.items({ ...options, count: 1000, ...(after !== undefined && { after }) });
    if (number !== requests) return;
    page.items.forEach(add);
    after = page.next;
  } while (after !== undefined);
  changed();
  say();
}

function drop(ids) {
  const { size } = selected;
  ids.forEach((id) => selected.delete(id));
  if (selected.size === size) return;
  changed();
  say();
}

/**
 * Drops items that were removed while the page had no events. The snapshot contains only the newest
 * items.
 */
async function check() {
  const ids = [...selected.keys()];
  for (let start = 0; start < ids.length; start += 1000) {
    const asked = ids.slice(start, start + 1000);
    try {
      const { items: found } = await api.items({ ids: asked.join(",") });
      const ready = new Set(found.filter(({ state }) => state === "ready").map(({ id }) => id));
      drop(asked.filter((id) => !ready.has(id)));
    } catch {
      // The next snapshot starts another check.
      return;
    }
  }
}

/** Connects the selection to the state of the page. */
export function start() {
  places.onChange(({ name }) => { if (name !== "library") end(); });
  removal.onChange(() => drop([...selected.keys()].filter(removal.isPending)));
  store.on("removed", (id) => drop([id]));
  store.on("items", () => drop([...selected.keys()].filter((id) => (store.item(id)?.state ?? "ready") !== "ready")));
  store.on("snapshot", () => { check(); });
}
