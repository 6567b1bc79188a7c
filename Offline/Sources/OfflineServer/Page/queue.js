// SPDX-License-Identifier: Apache-2.0
// The order of the waiting downloads, and the actions for all of them.

import { api } from "/api.js";
import { showError } from "/dialog.js";
import { adopt, announce, button, css, el, show } from "/dom.js";

adopt(css`
  .moves, #common-actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .moves[hidden] { display: none; }
  #common-actions { margin-block: 1.5rem 0.75rem; }
  #common-actions:not(:has(button:not([hidden]))) { display: none; }
`);

const places = [
  ["top", "First", "to the top"], ["up", "Up", "up"], ["down", "Down", "down"],
  ["bottom", "Last", "to the bottom"],
];

/** Creates the buttons that move a waiting item; `update` shows them for such an item. */
export function moveButtons() {
  let item;
  const buttons = places.map(([to, text, where]) => button(text, {
    onclick: async () => {
      try {
        await api.move(item.id, to);
        announce(`${item.title} moved ${where}.`);
      } catch (error) {
        await showError("The download could not be moved", error);
      }
    },
  }));
  const element = el("span", { class: "moves", role: "group", "aria-label": "Order" }, ...buttons);
  return {
    element,
    update(next) {
      item = next;
      show(element, item.state === "queued");
      places.forEach(([, , where], index) =>
        buttons[index].setAttribute("aria-label", `Move ${where}: ${item.title}`));
    },
  };
}

/** Returns the items with the waiting ones at the end, in the order in which they start. */
export function inOrder(items) {
  const waiting = items.filter((item) => item.state === "queued");
  waiting.sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || a.id - b.id);
  return [...items.filter((item) => item.state !== "queued"), ...waiting];
}

const actions = [
  ["pause", "Pause all", "paused", (item) => !["ready", "failed", "missing", "paused"].includes(item.state)],
  ["resume", "Resume all", "queued", (item) => item.state === "paused"],
  ["retry", "Retry all failed", "queued", (item) => item.state === "failed"],
];

/** Creates the buttons for all downloads; `update` shows those with something to do. */
export function commonActions() {
  const buttons = actions.map(([action, text, done]) => button(text, {
    onclick: async () => {
      try {
        const { changed } = await api.changeAll(action);
        announce(`${changed} ${changed === 1 ? "download is" : "downloads are"} ${done}.`);
      } catch (error) {
        await showError(`“${text}” failed`, error);
      }
    },
  }));
  const element = el("div", { id: "common-actions", role: "group", "aria-label": "All downloads" }, ...buttons);
  return {
    element,
    update: (items) => actions.forEach(([, , , concerns], index) =>
      show(buttons[index], items.filter(concerns).length > 1)),
  };
}
