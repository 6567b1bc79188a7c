// SPDX-License-Identifier: Apache-2.0
// The dialog that adds items to collections and takes items out.

import * as toasts from "../notifications/toasts.js";
import { api } from "../shared/api.js";
import * as collections from "../shared/collections.js";
import { ask, showError } from "../shared/dialog.js";
import { adopt, announce, byId, css, el, setText } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";

adopt(css`
  .ticks { display: grid; max-height: 40dvh; overflow: auto; margin-inline: -0.4rem; }
  .ticks label { display: flex; align-items: center; gap: 0.75rem; min-height: 2.75rem; padding: 0.3rem 0.4rem; border-radius: 10px; color: var(--ink); overflow-wrap: anywhere; }
  .ticks label:hover { background: var(--sunken); }
  .ticks input { flex: none; width: 1.25rem; height: 1.25rem; accent-color: var(--accent); }
  .ticks .number { margin-left: auto; color: var(--soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
  #ask-body .named { display: grid; gap: 0.3rem; color: var(--ink); }
  #ask-body .named input { width: 100%; }
`);

/** The maximum length of a collection's name. */
const longest = 200;

const count = (number) => (number === 1 ? "1 item" : `${format.whole(number)} items`);

/** Creates the field for a name. Enter presses the first button of the dialog. */
const nameField = (label, properties) => {
  const field = el("input", {
    type: "text", maxlength: longest, autocomplete: "off", ...properties,
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      byId("ask-buttons").querySelector(".primary").click();
    },
  });
  return { field, element: el("label", { class: "named" }, el("span", { text: label }), field) };
};

const errorLine = () => el("p", { class: "error", role: "alert" });

/**
 * Asks again with the user's entries until a change succeeds. Returns whether a change succeeded.
 */
async function repeat(question, focus, error, change) {
  for (;;) {
    const answer = ask(question);
    focus().focus();
    if (!await answer) return false;
    try {
      await change();
      return true;
    } catch (failure) {
      setText(error, failure.message);
    }
  }
}

/** Asks which collections the items belong to. Returns whether something was saved. */
export async function collect(items) {
  await collections.load();
  const ids = items.map(({ id }) => id);
  const rows = collections.all().map((collection) => makeRow(collection, ids));
  const { field, element } = nameField("New collection", { id: "new-collection" });
  const error = errorLine();
  const list = rows.length > 0
    ? el("div", { class: "ticks", role: "group", "aria-labelledby": "ask-title" }, ...rows.map((row) => row.element)) : undefined;
  const changes = [];
  const isSaved = await repeat({
    title: items.length === 1 ? `Collections of “${items[0].title}”` : `Collections of ${count(items.length)}`,
    body: [list, element, error].filter(Boolean),
    buttons: [{ label: "Cancel" }, { label: "Save", value: true, kind: "primary" }],
  }, () => rows[0]?.box ?? field, error, () => save(rows, ids, field, changes));
  tell(items, changes);
  return isSaved;
}

/** Announces the changes, even if the user cancelled the other changes. */
function tell(items, changes) {
  if (changes.length === 0) return;
  const title = items.length === 1 ? items[0].title : count(items.length);
  const body = changes.map(({ words, name }) => `${words} “${name}”.`).join(" ");
  const [{ id }] = changes;
  toasts.add({ category: "collections", title, body },
    () => places.go("library", changes.length === 1 ? { collection: id } : {}), []);
  announce(`${title}: ${body}`);
}

function makeRow(collection, ids) {
  const members = new Set(collection.items);
  const inside = ids.filter((id) => members.has(id)).length;
  const row = { collection, isTouched: false };
  row.box = el("input", { type: "checkbox", onchange: () => { row.isTouched = true; } });
  row.box.checked = inside === ids.length;
  row.box.indeterminate = inside > 0 && inside < ids.length;
  row.element = el("label", {}, row.box, el("span", { text: collection.name }),
    el("span", { class: "number", text: format.whole(collection.items.length), "aria-hidden": "true" }));
  return row;
}

async function save(rows, ids, field, changes) {
  for (const row of rows.filter(({ isTouched }) => isTouched)) {
    const { box, collection: { id, name } } = row;
    try {
      collections.put(await (box.checked ? api.collect(id, ids) : api.takeOut(id, ids)));
    } catch (error) {
      if (error.code !== "notFound" || !await isGone(id)) throw error;
      row.element.remove();
      row.isTouched = false;
      throw new Error(`“${name}” does not exist any more. The rest is not saved yet.`);
    }
    // Another attempt repeats only the failed changes.
    row.isTouched = false;
    changes.push({ id, name, words: box.checked ? "Added to" : "Taken out of" });
  }
  const name = field.value.trim();
  if (name === "") return;
  const { id } = collections.put(await api.makeCollection(name, ids));
  changes.push({ id, name, words: "Added to" });
}

/** Whether the collection itself was removed, rather than one of the items. */
async function isGone(id) {
  await collections.load();
  return collections.get(id) === undefined;
}

/** Asks for another name for a collection. */
export async function renameCollection({ id, name }) {
  const { field, element } = nameField("Name", { id: "collection-new-name", value: name });
  const error = errorLine();
  await repeat({
    title: "Rename the collection",
    body: [element, error],
    buttons: [{ label: "Cancel" }, { label: "Rename", value: true, kind: "primary" }],
  }, () => { field.select(); return field; }, error, async () => {
    if (field.value.trim() === name) return;
    const renamed = collections.put(await api.changeCollection(id, { name: field.value.trim() }));
    announce(`The collection is now ${renamed.name}.`);
  });
}

/** Asks whether to delete a collection. Returns whether the collection was deleted. */
export async function deleteCollection({ id, name }) {
  const answer = await ask({
    title: `Delete the collection “${name}”?`,
    body: ["Its items stay in the library."],
    buttons: [{ label: "Cancel" }, { label: "Delete the collection", value: true, kind: "danger" }],
  });
  if (!answer) return false;
  try {
    await api.removeCollection(id);
  } catch (error) {
    if (error.code !== "notFound") {
      await showError("The collection was not deleted", error);
      return false;
    }
  }
  await collections.load();
  announce(`The collection ${name} is deleted. Its items stay in the library.`);
  return true;
}

/** Takes items out of a collection. Returns whether this succeeded. */
export async function takeOut(id, items) {
  try {
    const collection = collections.put(await api.takeOut(id, items.map((item) => item.id)));
    announce(`${items.length === 1 ? items[0].title : count(items.length)} taken out of ${collection.name}.`);
    return true;
  } catch (error) {
    await showError("Nothing was taken out of the collection", error);
    return false;
  }
}
