// SPDX-License-Identifier: Apache-2.0
// The part of an item's page that keeps the item in this browser.

import { ask, showError } from "../shared/dialog.js";
import { adopt, announce, button, css, el, icon, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";
import * as local from "./films.js";
import * as storage from "./storage.js";

/** @typedef {import("API").ItemRepresentation} Item */

const style = css`
  .keep { display: grid; gap: 0.6rem; padding-top: 0.9rem; border-top: 1px solid var(--line); justify-items: start; font-size: 0.9375rem; }
  .keep > * { min-width: 0; overflow-wrap: anywhere; }
  .keep button { min-height: 2.75rem; }
  .keep .state { display: flex; align-items: center; gap: 0.4rem; font-variant-numeric: tabular-nums; }
  .keep .state svg { color: var(--accent); }
  .keep .state svg.none { display: none; }
  .keep .hint { color: var(--soft); font-size: 0.875rem; }
  .keep .error { color: var(--danger); }
`;

/** Returns the received amount of an entry, such as "43 % · 520 MB of 1.2 GB". */
export function amount({ key, size, received }) {
  const bytes = local.progress.get(key)?.received ?? received;
  return size > 0 ? `${format.percent(bytes / size)} · ${format.bytes(bytes)} of ${format.bytes(size)}` : format.bytes(bytes);
}

/** Returns the received part of an entry, from 0 to 1. */
export const fraction = ({ key, size, received }) => (size > 0 ? (local.progress.get(key)?.received ?? received) / size : 0);

/** Returns the state of an entry for display. */
export function stateText(entry) {
  if (entry.state === "kept") return `Kept ${storage.where} · ${format.bytes(entry.size)}`;
  if (entry.state === "stopped") return `Stopped at ${amount(entry)}`;
  if (entry.state === "lost") return "The browser has removed the kept copy, or cannot read it. Keep it again.";
  if (!store.isConnected()) return `${amount(entry)} · waits for the server`;
  return local.progress.has(entry.key) ? amount(entry) : "Waits for another file";
}

/** Asks before removing a copy, then removes the copy. */
export async function remove({ key, item, state }) {
  const answer = state === "kept" ? await ask({
    title: `Remove “${item.title}” from ${storage.device}?`,
    body: [local.isGone(local.find(key)) ? "The library no longer has it: this is the last copy." : "The library keeps its copy."],
    buttons: [{ label: "Cancel" }, { label: "Remove", value: "remove", kind: "danger" }],
  }) : "remove";
  if (!answer) return false;
  try {
    await local.remove(key);
    announce(`${item.title} is no longer kept ${storage.where}.`);
  } catch (error) {
    await showError("The copy was not removed", error);
  }
  return true;
}

/** Runs an action of the part that is loaded late, and shows an error. */
export async function act(name, value, title = "It is not kept") {
  try {
    const part = await import("./keeping.js");
    await part[name](value);
  } catch (error) {
    await showError(title, error);
  }
}

let shown;
const begin = el("button", { id: "keep-begin", type: "button", onclick: () => act("keep", shown) }, icon("save"), `Keep ${storage.where}`);
const words = el("span");
const state = el("p", { id: "keep-state", class: "state" }, icon("check"), words);
const bar = el("progress", { id: "keep-progress", max: "1", "aria-label": `Kept ${storage.where}` });
const note = el("p", { id: "keep-note", class: "hint" });
const problem = el("p", { id: "keep-problem", class: "error", role: "status" });
const stop = button("Stop", { id: "keep-stop", onclick: () => act("stop", local.entry(shown.id).key) });
const resume = button("Continue", { id: "keep-continue", class: "primary", onclick: () => act("resume", local.entry(shown.id)) });
const drop = button("", {
  id: "keep-remove", onclick: async () => {
    if (await remove(local.entry(shown.id))) (begin.checkVisibility() ? begin : element.closest("section")?.querySelector("h1"))?.focus();
  },
});
const element = el("div", { id: "keep", class: "keep" }, begin, state, bar, problem, note, el("div", { class: "buttons" }, stop, resume, drop));

function noteText(entry) {
  if (!storage.isPossible()) return storage.refusal();
  if (entry?.state === "keeping") return entry.isAnew ? "The file has changed in the library, so it starts anew. Keep this page open." : "Keep this page open.";
  if (entry?.state === "kept") return local.isGone(entry) ? "The library no longer has this file. The copy stays until you remove it." : "It plays without the server.";
  return "";
}

function draw() {
  if (!shown) return;
  const entry = local.entry(shown.id);
  const focused = element.contains(document.activeElement) ? document.activeElement : undefined;
  const isLost = entry?.state === "lost";
  show(begin, storage.isPossible() && (!entry || isLost));
  show(state, entry !== undefined);
  state.firstChild.classList.toggle("none", entry?.state !== "kept");
  setText(words, entry ? stateText(entry) : "");
  show(bar, entry?.state === "keeping" || entry?.state === "stopped");
  if (entry) bar.value = fraction(entry);
  setText(problem, entry?.problem);
  show(problem, Boolean(entry?.problem));
  setText(note, noteText(entry));
  show(note, note.textContent !== "");
  show(stop, entry?.state === "keeping");
  show(resume, entry?.state === "stopped" && !local.isGone(entry));
  setText(drop, entry?.state === "kept" ? `Remove from ${storage.device}` : "Remove the part");
  show(drop, entry?.state === "kept" || entry?.state === "stopped");
  // If an action hides the button with the focus, another button gets the focus.
  if (focused && !focused.checkVisibility()) [stop, resume, drop, begin].find((each) => each.checkVisibility())?.focus();
}

/**
 * Returns the part for an item. The element is always the same, so that the focus stays.
 *
 * @param {Item} item
 */
export function localControl(item) {
  shown = item;
  draw();
  return element;
}

/** Continues the downloads that an earlier visit or another tab has started. */
async function goOn() {
  if (local.list().some(({ state }) => state === "keeping")) await import("./keeping.js");
}

/** Connects the part to the list. */
export function start() {
  adopt(style);
  local.onChange(() => { goOn().catch(() => {}); });
  local.onChange(draw);
  store.on("link", draw);
}
