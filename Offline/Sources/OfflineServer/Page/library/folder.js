// SPDX-License-Identifier: Apache-2.0
// The folder of the library with the path, and the file manager of this machine if the page is open
// on this machine.

import { api } from "../shared/api.js";
import { showError } from "../shared/dialog.js";
import { announce, byId, el, icon, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";

let known = {};

/** Loads the folder. Without a response, the page keeps the last known folder. */
export async function load() {
  known = await api.library().catch(() => known);
}

/** Whether the file manager of this machine can show a file. */
export const canShow = () => known.canShow === true;

/** Shows the file of an item in the folder. */
export const showFile = (id) => open(() => api.showFile(id));

async function open(work) {
  try {
    await work();
    announce("The file manager shows it.");
  } catch (error) {
    await showError("The folder could not be shown", error);
  }
}

/** The content of this part in the settings. */
export const markup = [
  el("p", { id: "folder-path", class: "folder-path" }),
  el("p", { id: "folder-free", class: "hint" }),
  el("button", { id: "folder-show", type: "button", hidden: true, onclick: () => open(api.showFolder) },
    icon("folder"), "Show in folder"),
  el("p", { class: "hint", text: "Another folder is another library: start Offline with --library and its path." }),
];

/** Shows the present state in the settings. */
export async function draw() {
  await load();
  setText(byId("folder-path"), known.folder);
  setText(byId("folder-free"), known.freeBytes === undefined ? "" : `${format.bytes(known.freeBytes)} free on its disk`);
  show(byId("folder-show"), canShow());
}
