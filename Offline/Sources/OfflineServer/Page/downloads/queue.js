// SPDX-License-Identifier: Apache-2.0
// The order of the waiting downloads, and the actions for all of them.

import { api } from "../shared/api.js";
import { showError } from "../shared/dialog.js";
import { adopt, announce, button, css, el, icon, show } from "../shared/dom.js";
import { remedies } from "../shared/remedies.js";
import { makeGrip } from "./drag.js";

adopt(css`
  .moves, #common-actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .moves { gap: 0; }
  .moves[hidden] { display: none; }
  #common-actions:not(:has(button:not([hidden]))) { display: none; }
`);

const places = [
  ["top", "to the top"], ["up", "up"], ["down", "down"], ["bottom", "to the bottom"],
];

/** Creates the buttons that move a waiting item. `update` shows the buttons for such an item. */
export function moveButtons() {
  let item;
  const buttons = places.map(([to, where]) => el("button", {
    type: "button", class: "icon", title: `Move ${where}`,
    onclick: async () => {
      try {
        await api.move(item.id, to);
        announce(`${item.title} moved ${where}.`);
      } catch (error) {
        await showError("The download could not be moved", error);
      }
    },
  }, icon(to)));
  const element = el("span", { class: "moves", role: "group", "aria-label": "Order" }, makeGrip(() => item), ...buttons);
  return {
    element,
    update(next) {
      item = next;
      show(element, item.state === "queued");
      places.forEach(([, where], index) =>
        buttons[index].setAttribute("aria-label", `Move ${where}: ${item.title}`));
    },
  };
}

/**
 * Returns the items in display order. Waiting items are in the order in which they will start,
 * running items in the order in which they started, and the others with the newest first.
 */
export function inOrder(items) {
  const rank = (item) => (item.state === "queued" ? 1 : /^(fetching|muxing|verifying)/.test(item.state) ? 0 : 2);
  return items.toSorted((a, b) => {
    const ranks = rank(a) - rank(b);
    if (ranks !== 0) return ranks;
    if (rank(a) === 1) return (a.position ?? 0) - (b.position ?? 0) || a.id - b.id;
    return rank(a) === 0 ? a.id - b.id : b.id - a.id;
  });
}

const actions = [
  ["pause", "Pause all", "paused", (item) => !["ready", "failed", "missing", "paused"].includes(item.state)],
  ["resume", "Resume all", "queued", (item) => item.state === "paused"],
  ["retry", "Retry all failed", "queued", (item) => remedies(item).includes("retry")],
];

/** Creates the buttons for all downloads. `update` shows the buttons that have an effect. */
export function commonActions() {
  const buttons = actions.map(([action, text, done]) => button(text, {
    hidden: true,
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
