// SPDX-License-Identifier: Apache-2.0
// Home with the items to continue, the newest items, and the waiting downloads.

import { inOrder } from "./downloads/queue.js";
import { drawBar, facts, groups, stateText } from "./downloads/row.js";
import { makePoster } from "./library/poster.js";
import { api } from "./shared/api.js";
import { showError } from "./shared/dialog.js";
import { adopt, button, byId, css, el, icon, mount, reconcile, setText, show } from "./shared/dom.js";
import * as format from "./shared/format.js";
import * as places from "./shared/places.js";
import * as store from "./shared/store.js";

const titled = (id, title, link, all, list) => el("section", { id, class: "strand", "aria-labelledby": `${id}-title`, hidden: true },
  el("div", { class: "strand-head" },
    el("h2", { id: `${id}-title`, text: title }),
    el("a", { href: `#${link}`, text: all })),
  list);

const markup = [
  el("h1", { id: "home-title", class: "quiet", text: "Home" }),
  el("div", { id: "home-empty", class: "empty", hidden: true },
    icon("mark", "big"),
    el("h2", { text: "Keep what you like" }),
    el("p", {
      text: "Give Offline the link of a film, a podcast or a page. It keeps a complete copy that plays without a network.",
    }),
    el("div", { class: "buttons" },
      button("Paste a link", { class: "primary", id: "empty-add", onclick: () => byId("address").focus() }),
      button("Try the sample stream", { id: "sample", onclick: addSample })),
    el("p", {
      class: "fine",
      text: "The sample is 24 seconds long. It is part of the program and needs no network.",
    })),
  // Another part, which knows the playback positions, fills and shows this section.
  el("section", { id: "continue", class: "strand", hidden: true }),
  titled("arrived", "Just arrived", "library", "All of the library",
    el("ul", { id: "arrived-cards", role: "list", class: "cards", "aria-labelledby": "arrived-title" })),
  titled("coming", "Coming", "downloads", "All downloads",
    el("ul", { id: "coming-rows", role: "list", class: "coming", "aria-labelledby": "coming-title" })),
];

const style = css`
  .strand { margin-bottom: 2.25rem; }
  .strand-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.25rem 1rem; margin-bottom: 0.9rem; }
  .strand-head h2 { font-size: 1.25rem; }
  .strand-head a { color: var(--accent); text-decoration: none; font-size: 0.9375rem; font-weight: 560; padding-block: 0.4rem; }
  .strand-head a:hover { text-decoration: underline; }
  .coming { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 0.75rem; }
  .coming li { display: grid; gap: 0.5rem; padding: 0.9rem 1.1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); min-width: 0; align-content: start; }
  .coming h3 { font-size: 1rem; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .coming p { font-size: 0.8125rem; color: var(--soft); overflow-wrap: anywhere; }
  @media (max-width: 600px) { .strand-head a { padding-block: 0.7rem; } }
`;

/** The number of rows of posters, and the number of downloads. */
const posterRows = 2;
const soonest = 6;
const comingStates = groups.filter(({ name }) => name === "running" || name === "waiting").flatMap(({ states }) => states);

const posters = new Map();
const rows = new Map();
let knowsItems = false;

/** Returns the number of posters that fill whole rows, and at least six. */
function posterCount() {
  const columns = getComputedStyle(byId("arrived-cards")).gridTemplateColumns.split(" ").length;
  return Math.max(columns * posterRows, 6);
}

/** Draws the place. */
export function draw() {
  if (!places.isShown("home") || !store.isFilled()) return;
  show(byId("arrived"), store.count(["ready"]) > 0);
  const arrived = store.list(["ready"]).slice(0, posterCount());
  const coming = inOrder(store.list(comingStates)).slice(0, soonest);
  reconcile(byId("arrived-cards"), posters, arrived, (item) => item.id,
    (item) => makePoster(item, { heading: "h3", hasActions: false }));
  reconcile(byId("coming-rows"), rows, coming, (item) => item.id, makeRow);
  show(byId("coming"), coming.length > 0);
  show(byId("home-empty"), knowsItems && arrived.length === 0 && coming.length === 0
    && store.count(["failed", "paused", "missing"]) === 0);
}

function makeRow() {
  const title = el("h3");
  const bar = el("progress", { max: "1" });
  const text = el("p");
  return {
    element: el("li", {}, title, bar, text),
    update(item) {
      setText(title, item.title);
      title.title = item.title;
      drawBar(bar, item);
      const known = Number.isFinite(item.remainingSeconds)
        ? [item.fraction !== undefined && format.percent(item.fraction), format.remaining(item.remainingSeconds)].filter(Boolean).join(" · ")
        : facts(item);
      setText(text, [stateText(item), known].filter(Boolean).join(" · "));
    },
  };
}

async function addSample(event) {
  const asked = event.currentTarget;
  asked.disabled = true;
  try {
    await api.sample();
  } catch (error) {
    await showError("The sample could not be started", error);
  } finally {
    asked.disabled = false;
  }
}

/** Connects the place to the page. */
export function start() {
  adopt(style);
  mount("home-section", markup);
  places.onChange(draw);
  store.on("snapshot", () => { knowsItems = true; });
  store.on("items", draw);
  addEventListener("resize", draw);
}
