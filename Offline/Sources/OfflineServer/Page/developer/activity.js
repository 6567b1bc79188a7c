// SPDX-License-Identifier: Apache-2.0
// The section Activity shows the messages between the parts of the program. The page follows the
// messages only while the section is visible.

import { api } from "../shared/api.js";
import { adopt, byId, css, el, head, icon, mount, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";

/** Creates a hidden table with columns of strings, then of numbers. `fill` shows the table. */
const table = (id, title, texts, numbers) => el("div", { class: "part", id: `${id}-part`, hidden: true },
  el("h2", { id: `${id}-title`, text: title }),
  el("table", { id, class: "figures", "aria-labelledby": `${id}-title` },
    el("thead", {}, el("tr", {},
      ...texts.map((text) => el("th", { scope: "col", text })),
      ...numbers.map((text) => el("th", { scope: "col", class: "number", text })))),
    el("tbody")));

const markup = [
  head("activity", "Activity",
    el("p", { id: "activity-summary", class: "summary" }),
    el("button", { id: "activity-pause", type: "button", "aria-pressed": "false" },
      icon("pause"),
      "Pause")),
  el("p", {
    class: "lead",
    text: "The messages between the parts of Offline. They are recorded only while this page is open; "
      + "the newest 200 remain.",
  }),
  el("div", { class: "activity" },
    el("div", { class: "part" },
      el("h2", { id: "posts-title", text: "Messages" }),
      el("p", {
        id: "posts-none", class: "none",
        text: "No messages yet. Start a download to see its messages here.",
      }),
      el("ol", { id: "posts", role: "list", class: "reports posts", "aria-labelledby": "posts-title" })),
    table("unhandled", "Messages without a handler", ["Message", "Posted at"], ["Posts"]),
    table("handlers", "Handlers, slowest first", ["Message", "Observed at"], ["Calls", "Mean", "Longest"]),
    table("places", "Observations by source location",
      ["Messages", "Registered at", "Kind"], ["Count", "Pending", "Dropped"])),
];

const style = css`
  .activity { display: grid; gap: 2rem; }
  .activity .part { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; min-width: 0; container-type: inline-size; }
  .activity .posts { max-height: 24rem; overflow: auto; gap: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
  .activity .posts:empty { display: none; }
  .posts li + li { border-top: 1px solid var(--line); }
  .posts li details { border: 0; border-radius: 0; background: none; }
  .posts summary { padding: 0.5rem 1.15rem; font-size: 0.9375rem; }
  .posts .facts { color: var(--soft); font-size: 0.875rem; }
  .posts [data-outcome="unhandled"] .facts { color: var(--warn); }
  .posts dl { padding-bottom: 0.6rem; }
  .calls { padding: 0 1.15rem 0.8rem; display: grid; gap: 0.3rem; font-size: 0.875rem; }
  .calls > li { display: flex; flex-wrap: wrap; gap: 0.1rem 0.8rem; overflow-wrap: anywhere; }
  .calls .facts:last-child { margin-left: auto; }
  .kinds { color: var(--soft); }
  .figures { border-collapse: collapse; width: 100%; font-size: 0.875rem; background: var(--surface); border-radius: var(--radius); box-shadow: 0 0 0 1px var(--line); }
  .figures th { text-align: left; font-weight: 560; color: var(--soft); }
  .figures th, .figures td { padding: 0.45rem 0.75rem; vertical-align: baseline; }
  .figures th:first-child, .figures td:first-child { padding-left: 1.15rem; }
  .figures th:last-child, .figures td:last-child { padding-right: 1.15rem; }
  .figures tbody tr { border-top: 1px solid var(--line); }
  .figures td { overflow-wrap: anywhere; }
  .figures td.place { color: var(--soft); font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; font-size: 0.8125rem; }
  .figures .kinds { min-width: 9.5rem; }
  .figures .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
  @media (max-width: 600px) {
    #activity-section .tools { flex: 1 1 100%; }
    #activity-summary { margin-right: auto; }
  }
  @container (max-width: 54rem) {
    .figures thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .figures tr { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; padding: 0.6rem 1rem; }
    .figures tbody tr:first-child { border-top: 0; }
    .figures td, .figures td:first-child, .figures td:last-child { padding: 0; }
    .figures td:first-child { flex: 1 0 100%; font-weight: 560; }
    .figures td.place { flex: 1 0 100%; }
    .figures td.number::before { content: attr(data-head) " "; color: var(--soft); }
  }
`;

const LIMIT = 200;
const SHOWN = 60;
const posts = new Map();
const views = new Map();
let source = null;
let frame = 0;
let isPaused = false;
let timer = 0;

const outcomes = {
  unhandled: "no handler", intercepted: "stopped by an interceptor", finished: "center finished",
};
const calls = {
  called: "", queued: "queued", skipped: "skipped", ended: "already ended", ownerDied: "owner released",
};

/** Follows the server's messages while the section is visible. */
export function setVisible(isVisible) {
  if (isVisible === (source !== null)) return;
  if (!isVisible) {
    source.close();
    source = null;
    clearTimeout(timer);
    timer = 0;
    return;
  }
  source = new EventSource("/api/activity/events");
  source.addEventListener("activity", (event) => {
    const value = JSON.parse(event.data);
    posts.clear();
    for (const post of value.posts) posts.set(post.number, post);
    showPlaces(value.observations);
    changed();
  });
  source.addEventListener("post", (event) => {
    const post = JSON.parse(event.data);
    posts.set(post.number, post);
    while (posts.size > LIMIT) posts.delete(Math.min(...posts.keys()));
    changed();
    // Posts may change the observations, but an occasional update is enough.
    if (!timer) timer = setTimeout(loadPlaces, 2000);
  });
}

async function loadPlaces() {
  const current = source;
  let places;
  try {
    places = (await api.activity()).observations;
  } catch {
    // The next post starts another load.
  }
  // A section that was hidden and shown again has newer observations and another timer.
  if (source !== current) return;
  timer = 0;
  if (places) showPlaces(places);
}

function changed() {
  if (frame || isPaused) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    // The user may have paused the list since.
    if (!isPaused) draw();
  });
}

function draw() {
  const all = [...posts.values()].sort((a, b) => b.number - a.number);
  reconcile(byId("posts"), views, all.slice(0, SHOWN), (post) => post.number, makePost);
  show(byId("posts-none"), all.length === 0);
  showUnhandled(all.filter((post) => post.outcome === "unhandled"));
  showHandlers(all);
}

function makePost(post) {
  const result = outcomes[post.outcome]
    ?? `${count(post.handlers.length, "handler")} in ${format.duration(post.seconds)}`;
  const element = el("li", { "data-outcome": post.outcome }, el("details", {},
    el("summary", {},
      el("span", { class: "what", text: post.message }),
      el("span", { class: "facts", text: result })),
    el("dl", {}, ...fact("Posted at", post.location), ...fact("Description", post.detail)),
    post.handlers.length > 0 ? el("ol", { class: "calls" }, ...post.handlers.map((handler) => el("li", {},
      el("code", { text: handler.location }),
      el("span", { class: "kinds", text: handler.kind }),
      el("span", {
        class: handler.outcome === "failed" ? "error" : "facts",
        text: handler.outcome === "failed" ? `threw ${handler.error}` : calls[handler.outcome] ?? handler.outcome,
      }),
      el("span", { class: "facts", text: format.duration(handler.seconds) })))) : null));
  return { element, update: () => {} };
}

const fact = (name, value) => value === undefined || value === null ? []
  : [el("dt", { text: name }), el("dd", {}, el("code", { text: value }))];

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function showUnhandled(unhandled) {
  const groups = new Map();
  for (const post of unhandled) {
    const group = groups.get(post.message) ?? { message: post.message, count: 0, location: post.location };
    group.count += 1;
    groups.set(post.message, group);
  }
  fill("unhandled", [...groups.values()].sort((a, b) => b.count - a.count), (group) => [
    cell(group.message), cell(group.location, "place"), cell(group.count, "number"),
  ]);
}

function showHandlers(all) {
  const groups = new Map();
  for (const post of all) {
    for (const handler of post.handlers) {
      const key = `${post.message} ${handler.location}`;
      const group = groups.get(key)
        ?? { message: post.message, location: handler.location, count: 0, total: 0, most: 0 };
      group.count += 1;
      group.total += handler.seconds;
      group.most = Math.max(group.most, handler.seconds);
      groups.set(key, group);
    }
  }
  fill("handlers", [...groups.values()].sort((a, b) => b.most - a.most), (group) => [
    cell(group.message), cell(group.location, "place"), cell(group.count, "number"),
    cell(format.duration(group.total / group.count), "number"), cell(format.duration(group.most), "number"),
  ]);
}

function showPlaces(places) {
  const total = places.reduce((sum, place) => sum + place.count, 0);
  setText(byId("activity-summary"), `${count(total, "observation")} at ${count(places.length, "location")}`);
  fill("places", places, (place) => [
    cell(place.messages.join(", ")), cell(place.location, "place"),
    cell(Object.entries(place.kinds).map(([kind, number]) => (number === 1 ? kind : `${number} × ${kind}`)).join(", "), "kinds"),
    cell(place.count, "number"), cell(place.pending, "number"), cell(place.dropped, "number"),
  ]);
}

const cell = (text, kind) => ({ text: String(text), kind });

/** Writes a table's rows. Leaves a cell with the same text unchanged. */
function fill(id, rows, cells) {
  const body = byId(id).tBodies[0];
  const heads = [...byId(id).tHead.rows[0].cells].map((head) => head.textContent);
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((row, index) => {
    const line = body.rows[index] ?? body.insertRow();
    cells(row).forEach(({ text, kind }, place) => {
      const field = line.cells[place] ?? line.insertCell();
      if (kind) field.className = kind;
      field.dataset.head = heads[place];
      setText(field, text);
    });
  });
  show(byId(`${id}-part`), rows.length > 0);
}

/** Connects the section to the page. */
export function start() {
  adopt(style);
  mount("activity-section", markup);
  const button = byId("activity-pause");
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    button.setAttribute("aria-pressed", String(isPaused));
    button.replaceChildren(icon(isPaused ? "play" : "pause"), isPaused ? "Resume" : "Pause");
    if (!isPaused) draw();
  });
}
