// SPDX-License-Identifier: Apache-2.0
// Renames an item.

import { api } from "../shared/api.js";
import { ask, showError } from "../shared/dialog.js";
import { announce, byId, el } from "../shared/dom.js";

/** @typedef {import("API").ItemRepresentation} Item */

/**
 * Asks for another title of the item, and renames the item and the file.
 *
 * @param {Item} item
 */
export async function rename(item) {
  const field = el("input", {
    type: "text", id: "new-title", value: item.title, maxlength: "120", autocomplete: "off",
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      byId("ask-buttons").querySelector(".primary").click();
    },
  });
  const answer = ask({
    title: "Rename",
    body: [
      el("label", {}, el("span", { text: "Title" }), field),
      "The file gets this name, too, and so do its subtitles.",
    ],
    buttons: [
      { label: "Cancel", value: false },
      { label: "Rename", value: true, kind: "primary" },
    ],
  });
  field.focus();
  field.select();
  if (!await answer || field.value === item.title) return;
  try {
    const renamed = await api.rename(item.id, field.value);
    announce(`The title is now ${renamed.title}.`);
  } catch (error) {
    await showError("The item was not renamed", error);
  }
}
