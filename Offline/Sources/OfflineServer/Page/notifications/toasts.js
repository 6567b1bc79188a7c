// SPDX-License-Identifier: Apache-2.0
// Notifications above the page. A notification with actions stays until the user responds. Other
// notifications wait behind the newest three. The announcer reads the text, so this list is not a
// live region.

import { adopt, byId, css, el, icon, setText, show } from "../shared/dom.js";

const style = css`
  .toast { display: grid; grid-template-columns: 1fr auto; align-items: start; background: var(--raised); border: 1px solid var(--edge); border-radius: var(--radius); box-shadow: var(--shadow); }
  .toast .tap { display: grid; gap: 0.1rem; overflow-wrap: anywhere; min-width: 0; }
  .toast .tap span { color: var(--soft); font-size: 0.9375rem; }
  .toast .icon { margin: 0.4rem; }
  .toast .acts { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0 1.15rem 1rem; }
  .toast .acts:empty { display: none; }
  .toasts-more { justify-self: end; padding: 0.5rem 0.9rem; border-radius: 10px; background: var(--raised); border: 1px solid var(--edge); color: var(--accent); font-size: 0.875rem; font-weight: 560; }
`;

const most = 3;
/** The time after which a notification without actions disappears, in milliseconds. */
const time = 8000;
const list = [];
const more = el("a", { class: "toasts-more", href: "#notifications", hidden: true });

function draw() {
  const rest = list.length - most;
  for (const [index, toast] of list.entries()) show(toast, index < most);
  show(more, rest > 0);
  setText(more, `${rest} more in Notifications`);
}

function remove(toast) {
  const index = list.indexOf(toast);
  if (index < 0) return;
  list.splice(index, 1);
  toast.remove();
  draw();
}

/**
 * Shows a notification. `open` opens the target, and `actions` are the buttons for the responses.
 */
export function add(entry, open, actions) {
  const toast = el("div", { class: "toast", "data-category": entry.category },
    el("button", { type: "button", class: "tap", onclick: () => { remove(toast); open(); } },
      el("strong", { text: entry.title }), el("span", { text: entry.body })),
    el("button", { type: "button", class: "icon", "aria-label": `Dismiss: ${entry.title}`, onclick: () => remove(toast) },
      icon("close")),
    el("div", { class: "acts", onclick: () => remove(toast) }, ...actions));
  list.unshift(toast);
  byId("toasts").prepend(toast);
  if (actions.length === 0) setTimeout(() => remove(toast), time);
  draw();
}

/** Removes all notifications, for example when the page shows the list of notifications. */
export function clear() {
  for (const toast of [...list]) remove(toast);
}

/** Fills the element on the page. */
export function start() {
  adopt(style);
  byId("toasts").append(more);
}
