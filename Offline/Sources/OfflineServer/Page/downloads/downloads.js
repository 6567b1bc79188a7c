// SPDX-License-Identifier: Apache-2.0
// The section Downloads with the unfinished items, grouped by state, and the items that finished
// while the page was open.

import { isPlayable } from "../library/poster.js";
import { refreshMenu } from "../library/refresh.js";
import { play } from "../player/player.js";
import { adopt, announce, button, byId, css, el, head, mount, reconcile, reconcileGroups, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";
import { commonActions, inOrder } from "./queue.js";
import { attempt, groups, isActive, makeRow } from "./row.js";
import * as speed from "./speed.js";

const common = commonActions();

const lists = groups.map(({ name, title, states }) => {
  const count = el("span", { class: "count" });
  const list = el("ul", { role: "list", class: "rows", "aria-labelledby": `downloads-${name}` });
  const element = el("section", { class: "group", "data-group": name, "aria-labelledby": `downloads-${name}`, hidden: true },
    el("h2", { id: `downloads-${name}` }, title, " ", count), list);
  return { name, states, count, list, element };
});

const markup = [
  head("downloads", "Downloads",
    el("p", { id: "downloads-summary", class: "summary" }), common.element, speed.choice,
    refreshMenu("Downloads")),
  el("p", {
    id: "downloads-none", class: "none", hidden: true,
    text: "There are no downloads. Downloads continue while this page is closed.",
  }),
  el("div", { id: "rows", class: "groups" }, ...lists.map((each) => each.element)),
  el("div", { class: "buttons center" },
    button("Show more", { id: "downloads-more", hidden: true })),
  el("section", { id: "finished", class: "group", "aria-labelledby": "finished-title", hidden: true },
    el("h2", { id: "finished-title", text: "Recently finished" }),
    el("ul", { id: "finished-rows", role: "list", class: "rows", "aria-labelledby": "finished-title" })),
];

const style = css`
  #downloads-section .tools { flex-wrap: wrap; }
  @media (max-width: 600px) {
    #downloads-summary { display: none; }
    #downloads-section .tools { flex: 1 1 100%; justify-content: flex-end; }
    /* Below the others, because the buttons come and go. */
    #common-actions { flex: 1 1 100%; order: 1; }
  }
  .groups { display: grid; gap: 2rem; }
  .group > h2 { margin-bottom: 0.75rem; }
  .group > h2 .count { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
  .groups ~ .group { margin-top: 2rem; }
  .groups ~ .buttons:has(button:not([hidden])) { margin-top: 1.5rem; }
`;

const views = new Map();
const finishedViews = new Map();
const finishedIDs = new Set();

const openStates = groups.flatMap((group) => group.states);

/** Draws the section. */
export function draw() {
  const open = inOrder(store.list(openStates));
  const finished = store.all().filter((item) => item.state === "ready" && finishedIDs.has(item.id));
  common.update(open);
  reconcileGroups(lists.map(({ states, list }) => ({
    list, items: open.filter((item) => states.includes(item.state)),
  })), views, (item) => item.id, makeRow);
  for (const { states, count, element } of lists) {
    const total = store.count(states);
    setText(count, format.whole(total));
    show(element, total > 0);
  }
  reconcile(byId("finished-rows"), finishedViews, finished, (item) => item.id, makeFinished);
  show(byId("finished"), finished.length > 0);
  show(byId("downloads-none"), open.length === 0 && finished.length === 0);
  drawSummary(open);
  show(byId("downloads-more"), store.hasMore(openStates));
}

function drawSummary(open) {
  const speed = open.filter(isActive).reduce((sum, item) => sum + (item.bytesPerSecond ?? 0), 0);
  const queue = store.queueCounts();
  setText(byId("downloads-summary"), [
    queue.running > 0 && `${queue.running} running`,
    queue.waiting > 0 && `${queue.waiting} waiting`,
    queue.offline > 0 && `${queue.offline} waiting for the network`,
    speed > 0 && `${format.bytes(speed)}/s`,
  ].filter(Boolean).join(" · "));
  const total = store.count(openStates);
  setText(byId("downloads-count"), format.whole(total));
  byId("downloads-count").classList.toggle("failed", store.count(["failed"]) > 0);
  show(byId("downloads-count"), total > 0);
}

function makeFinished(first) {
  let item = first;
  const title = el("h3");
  const state = el("p", { class: "state", text: "In Library" });
  const start = button("Play", { onclick: () => play(item) });
  const open = el("a", { class: "button", href: "#library", text: "Open Library" });
  const element = el("li", { class: "row-item", "data-state": "ready" },
    el("div", { class: "what" }, title, state), el("div", { class: "acts" }, start, open));
  return {
    element,
    update(next) {
      item = next;
      element.dataset.id = item.id;
      setText(title, item.title);
      start.setAttribute("aria-label", `Play ${item.title}`);
      show(start, isPlayable(item));
    },
  };
}

/** Connects the section to the page. */
export function start() {
  adopt(style);
  mount("downloads-section", markup);
  speed.start();
  byId("downloads-more").addEventListener("click", () =>
    attempt("More downloads could not be loaded", () => store.more(openStates)));
  store.on("ready", (item) => {
    // An imported item was not a download, and an import may have thousands of files.
    if (item.address.startsWith("import:")) return;
    finishedIDs.add(item.id);
    announce(`${item.title} is in your library.`);
  });
  store.on("failed", (item) => announce(
    `${item.title} ${item.state === "paused" ? "is paused" : "failed"}: ${item.error.message}`));
  store.on("items", draw);
}
