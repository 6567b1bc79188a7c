// SPDX-License-Identifier: Apache-2.0
// Removes items of the library after their folded cards leave the screen. Until then, the user can
// undo the removal.

import { api } from "../shared/api.js";
import { ask, showError } from "../shared/dialog.js";
import { announce } from "../shared/dom.js";

/**
 * The removal that each item waits for, by the number of the item. A removal has the items, the
 * folded cards with a mark for the cards on the screen, and the number of the item whose card
 * offers the Undo.
 */
const pending = new Map();
/** The removals of the observed cards. */
const watched = new Map();
const listeners = [];

// A card that was scrolled away, or that belongs to a hidden place, cannot offer an Undo any more.
const observer = new IntersectionObserver((entries) => {
  const groups = new Set();
  for (const { target, isIntersecting } of entries) {
    const group = watched.get(target);
    if (!group) continue;
    group.places.get(target).isOnScreen = isIntersecting;
    if (!target.isConnected) forgetPlace(group, target);
    groups.add(group);
  }
  for (const group of groups) follow(group);
});

/** Whether the item waits for removal. */
export const isPending = (id) => pending.has(id);

/** Returns the number of items that are removed together with the given item. */
export const size = (id) => pending.get(id)?.items.size ?? 0;

/** Whether the card of the item offers the Undo for the removal. */
export const isLeader = (id) => pending.get(id)?.leader === id;

/** Registers a listener for each removal that starts, is undone or is complete. */
export const onChange = (listener) => listeners.push(listener);

const changed = () => listeners.forEach((listener) => listener());

/** Starts the removal of items. The card of `leader` offers the Undo. */
export function begin(items, leader = items[0].id) {
  const group = { items: new Map(items.map((item) => [item.id, item])), places: new Map(), leader, withFile: true };
  for (const id of group.items.keys()) pending.set(id, group);
  changed();
  announce(`${describe(group)} Undo is possible while ${items.length === 1 ? "its place is" : "their places are"} on screen.`);
}

const describe = ({ items }) => {
  const [first] = items.values();
  return items.size === 1 ? `${first.title} is removed.` : `${items.size} items are removed.`;
};

/**
 * Keeps the removal of an item undoable while this card, or another card of the removal, is on the
 * screen.
 */
export function place(id, element) {
  const group = pending.get(id);
  if (!group || group.places.has(element)) return;
  group.places.set(element, { id, isOnScreen: true });
  watched.set(element, group);
  observer.observe(element);
}

/** Keeps all items of the removal that the given item belongs to. */
export function undo(id) {
  const group = pending.get(id);
  if (!group || group.rest) return;
  forget(group);
  const [first] = group.items.values();
  announce(group.items.size === 1 ? `${first.title} is kept.` : `${group.items.size} items are kept.`);
}

/** Removes the items now, but leaves the files in the folder. */
export function keepFile(id) {
  const group = pending.get(id);
  if (!group) return;
  if (!group.rest) group.withFile = false;
  commit(group);
}

/**
 * Completes a removal without a card on the screen. Otherwise a card on the screen offers the Undo.
 */
function follow(group) {
  const shown = [...group.places].filter(([, { isOnScreen }]) => isOnScreen)
    .sort(([a], [b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    .map(([, { id }]) => id);
  if (shown.length === 0) commit(group);
  else if (!shown.includes(group.leader)) {
    [group.leader] = shown;
    changed();
  }
}

function forgetPlace(group, element) {
  observer.unobserve(element);
  watched.delete(element);
  group.places.delete(element);
}

function forget(group) {
  for (const id of group.items.keys()) if (pending.get(id) === group) pending.delete(id);
  for (const element of [...group.places.keys()]) forgetPlace(group, element);
  changed();
}

/** The number of simultaneous requests. */
const lanes = 4;

async function commit(group) {
  if (group.rest) return;
  group.rest = [...group.items.keys()];
  group.failed = [];
  await Promise.all(Array.from({ length: lanes }, async () => {
    while (group.rest.length > 0) await removeNext(group);
  }));
  forget(group);
  const { length } = group.failed;
  if (length === 0) return;
  await showError(length === 1 ? "The item was not removed" : `${length} items were not removed`, group.failed[0]);
}

async function removeNext(group) {
  const id = group.rest.shift();
  try {
    await api.remove(id, group.withFile);
  } catch (error) {
    if (error.code === "notFound") return;
    group.failed.push(error);
    // A server that is not reachable answers none of the other requests.
    if (error.status === 0) group.failed.push(...group.rest.splice(0).map(() => error));
  }
}

/** Removes all remaining items immediately, because the browser is closing the page. */
function commitAll() {
  for (const group of new Set(pending.values())) {
    commit(group);
    while (group.rest.length > 0) removeNext(group);
  }
}

/** Asks whether to remove an unfinished download, and removes the download. */
export async function askToRemove(item) {
  const answer = await ask({
    title: `Remove “${item.title}”?`,
    body: ["This deletes the partial download."],
    buttons: [{ label: "Cancel" }, { label: "Remove", value: true, kind: "danger" }],
  });
  if (!answer) return;
  await api.remove(item.id, true);
  announce(`${item.title} was removed.`);
}

/** Asks whether to remove finished items without a card on the screen, and removes the items. */
export async function askToRemoveAll(items) {
  const count = items.length === 1 ? "this item" : `${items.length} items`;
  const withFile = await ask({
    title: `Remove ${count}?`,
    body: [`${items.length === 1 ? "It has" : "They have"} no place on the screen, so that this cannot be undone.`],
    buttons: [
      { label: "Cancel" }, { label: items.length === 1 ? "Keep the file" : "Keep the files", value: false },
      { label: items.length === 1 ? "Delete the file too" : "Delete the files too", value: true, kind: "danger" },
    ],
  });
  if (withFile === undefined) return false;
  const group = { items: new Map(items.map((item) => [item.id, item])), places: new Map(), withFile };
  for (const id of group.items.keys()) pending.set(id, group);
  changed();
  await commit(group);
  return true;
}

/** Completes all removals when the user leaves the page. */
export const start = () => addEventListener("pagehide", commitAll);
