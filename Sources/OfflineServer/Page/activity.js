// SPDX-License-Identifier: Apache-2.0
// Activity: what the parts of the program tell each other, live. Followed only while it is looked at.

import { api } from "/api.js";
import { byId, el, icon, reconcile, setText, show } from "/dom.js";
import * as format from "/format.js";

const KEPT = 200;
const SHOWN = 60;
const posts = new Map();
const views = new Map();
let source = null;
let frame = 0;
let isPaused = false;
let asking = 0;

const outcomes = {
  unheard: "nobody heard it", intercepted: "stopped by an interceptor", finished: "after the end",
};
const calls = {
  called: "", queued: "queued", skipped: "passed by", ended: "had ended", ownerDied: "owner gone",
};

/** Follows the server's messages while `isLookedAt`, and not a moment longer. */
export function look(isLookedAt) {
  if (isLookedAt === (source !== null)) return;
  if (!isLookedAt) {
    source.close();
    source = null;
    clearTimeout(asking);
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
    while (posts.size > KEPT) posts.delete(Math.min(...posts.keys()));
    changed();
    // Observations come and go with what is posted; once in a while is enough.
    if (!asking) asking = setTimeout(askPlaces, 2000);
  });
}

async function askPlaces() {
  try {
    const value = await api.activity();
    if (source) showPlaces(value.observations);
  } catch {
    // The next post asks again.
  }
  asking = 0;
}

function changed() {
  if (frame || isPaused) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    draw();
  });
}

function draw() {
  const all = [...posts.values()].sort((a, b) => b.number - a.number);
  reconcile(byId("posts"), views, all.slice(0, SHOWN), (post) => post.number, makePost);
  show(byId("posts-none"), all.length === 0);
  showUnheard(all.filter((post) => post.outcome === "unheard"));
  showHandlers(all);
}

function makePost(post) {
  const result = outcomes[post.outcome]
    ?? `${count(post.handlers.length, "handler")} in ${format.duration(post.seconds)}`;
  const element = el("li", { "data-outcome": post.outcome }, el("details", {},
    el("summary", {},
      el("span", { class: "what", text: post.message }),
      el("span", { class: "facts", text: result })),
    el("dl", {}, ...fact("Posted at", post.location), ...fact("Says", post.detail)),
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

function showUnheard(unheard) {
  const groups = new Map();
  for (const post of unheard) {
    const group = groups.get(post.message) ?? { message: post.message, count: 0, location: post.location };
    group.count += 1;
    groups.set(post.message, group);
  }
  fill("unheard", [...groups.values()].sort((a, b) => b.count - a.count), (group) => [
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
  setText(byId("activity-summary"), `${count(total, "observation")} at ${count(places.length, "place")}`);
  fill("places", places, (place) => [
    cell(place.messages.join(", ")), cell(place.location, "place"),
    cell(Object.entries(place.kinds).map(([kind, number]) => (number === 1 ? kind : `${number} × ${kind}`)).join(", "), "kinds"),
    cell(place.count, "number"), cell(place.pending, "number"), cell(place.dropped, "number"),
  ]);
}

const cell = (text, kind) => ({ text: String(text), kind });

/** Writes a table's rows; a cell whose text stays is left alone. */
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
  const button = byId("activity-pause");
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    button.setAttribute("aria-pressed", String(isPaused));
    button.replaceChildren(icon(isPaused ? "play" : "pause"), isPaused ? "Go on" : "Pause");
    if (!isPaused) draw();
  });
}
