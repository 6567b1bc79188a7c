// SPDX-License-Identifier: Apache-2.0
// Removes an item of the library once its folded card leaves the screen; until then it can be undone.

import { api } from "./api.js";
import { ask, showError } from "./dialog.js";
import { announce } from "./dom.js";

/** The items to remove, by number, and whether their files go, too. */
const pending = new Map();
const listeners = [];
/** The numbers of the items of the observed cards. */
const watched = new Map();

// A card that was scrolled away, or whose place is no longer shown, cannot be undone any more.
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting && watched.has(target)) commit(watched.get(target));
  }
});

/** Whether the item waits for its removal. */
export const isPending = (id) => pending.has(id);

/** Registers a listener for each item whose removal begins, is undone or has happened. */
export const onChange = (listener) => listeners.push(listener);

const changed = () => listeners.forEach((listener) => listener());

/** Begins the removal of an item; `element` is its card, which offers to undo it while it is visible. */
export function begin(item, element) {
  pending.set(item.id, { item, withFile: true });
  watched.set(element, item.id);
  observer.observe(element);
  changed();
  announce(`${item.title} is removed. Undo is possible while its place is on screen.`);
}

/** Keeps the item after all. */
export function undo(id) {
  const { item } = pending.get(id) ?? {};
  forget(id);
  if (item) announce(`${item.title} is kept.`);
}

/** Removes the item now, but leaves its file in the folder. */
export function keepFile(id) {
  const entry = pending.get(id);
  if (entry) entry.withFile = false;
  return commit(id);
}

function forget(id) {
  pending.delete(id);
  for (const [element, watchedID] of watched) {
    if (watchedID !== id) continue;
    observer.unobserve(element);
    watched.delete(element);
  }
  changed();
}

async function commit(id) {
  const entry = pending.get(id);
  if (!entry || entry.isCommitted) return;
  entry.isCommitted = true;
  try {
    await api.remove(id, entry.withFile);
  } catch (error) {
    if (error.code !== "notFound") await showError("The item was not removed", error);
  }
  forget(id);
}

const commitAll = () => [...pending.keys()].forEach(commit);

/** Asks whether to remove an unfinished download, and removes it. */
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

/** Removes what is left when the person leaves the page. */
export const start = () => addEventListener("pagehide", commitAll);
