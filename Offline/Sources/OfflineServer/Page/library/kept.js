// SPDX-License-Identifier: Apache-2.0
// The place `#kept` with the files that this browser keeps, the used space, and the removal of
// files.

import { act, fraction, remove, stateText } from "../local/control.js";
import * as local from "../local/films.js";
import * as storage from "../local/storage.js";
import { resumeTime } from "../player/playback.js";
import { play, read } from "../player/player.js";
import { ask, showError } from "../shared/dialog.js";
import { adopt, announce, button, byId, css, el, head, icon, mount, reconcile, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import { drawPicture, isPlayable } from "./poster.js";

const style = css`
  .kept-rows { display: grid; gap: 0.75rem; margin-block: 1rem; max-width: 60rem; }
  .kept-rows li { display: grid; grid-template-columns: 9rem minmax(0, 1fr) auto; gap: 0.5rem 1rem; align-items: center; padding: 0.75rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); min-width: 0; }
  .kept-rows .shot { aspect-ratio: 16 / 9; border-radius: 8px; overflow: hidden; background: var(--sunken); color: var(--soft); display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
  .kept-rows .text { display: grid; gap: 0.3rem; min-width: 0; overflow-wrap: anywhere; }
  .kept-rows :is(h2, h3) { font-size: 1rem; font-weight: 600; }
  .kept-rows p { font-size: 0.875rem; color: var(--soft); font-variant-numeric: tabular-nums; }
  .kept-rows .error { color: var(--danger); }
  .kept-rows .buttons button { min-height: 2.75rem; }
  .kept-space { display: grid; gap: 0.5rem; max-width: 60rem; margin-top: 0.5rem; font-variant-numeric: tabular-nums; }
  .kept-space p { min-height: 1lh; }
  :is(.kept-space, .kept-others) p, .kept-safety { color: var(--soft); font-size: 0.9375rem; }
  .kept-safety { max-width: 60rem; margin-top: 2rem; }
  .kept-others { display: grid; gap: 0.6rem; justify-items: start; margin-top: 2rem; max-width: 60rem; }
  .kept-rows + .buttons button, .kept-others button { min-height: 2.75rem; }
  @media (max-width: 600px) {
    .kept-rows li { grid-template-columns: 6rem minmax(0, 1fr); }
    .kept-rows .buttons { grid-column: 1 / -1; }
    .kept-rows .buttons button { flex: 1; }
  }
`;

const views = new Map();
let timer;

const markup = [
  head("kept", `Kept ${storage.where}`),
  // The space is measured late, so the lines have their height from the start. The rows keep still.
  el("div", { id: "kept-space", class: "kept-space", hidden: !storage.isPossible() },
    el("p", { id: "kept-used" }),
    el("progress", { id: "kept-bar", max: "1", value: "0", "aria-label": "Used space" })),
  el("p", { id: "kept-none", class: "none", hidden: true }),
  el("ul", { id: "kept-rows", role: "list", class: "kept-rows", "aria-labelledby": "kept-title" }),
  el("div", { class: "buttons" }, button("Remove all", { id: "kept-clear", class: "danger", hidden: true, onclick: () => clear(local.list()) })),
  el("section", { id: "kept-others", class: "kept-others", "aria-labelledby": "kept-others-title", hidden: true },
    el("h2", { id: "kept-others-title", text: "Of another library" }),
    el("p", { id: "kept-others-text" }),
    button("Remove them", { id: "kept-others-clear", class: "danger", onclick: () => clear(local.list(true)) })),
  el("p", { id: "kept-safety", class: "kept-safety", hidden: true }),
];

/** The same list on Home, shown while the server is disconnected. */
const onHome = el("ul", { id: "kept-home-rows", role: "list", class: "kept-rows", "aria-labelledby": "kept-home-title" });
const homeViews = new Map();
const home = el("section", { id: "kept-home", class: "strand", "aria-labelledby": "kept-home-title", hidden: true },
  el("div", { class: "strand-head" },
    el("h2", { id: "kept-home-title", text: `Kept ${storage.where}` }),
    el("a", { href: "#kept", text: "Space and removal" })),
  onHome);

function drawHome() {
  const entries = store.isConnected() ? [] : local.list().filter(({ state }) => state === "kept");
  show(home, entries.length > 0);
  reconcile(onHome, homeViews, entries, (entry) => entry.key, (entry) => makeRow(entry, "h3"));
}

async function clear(entries) {
  const answer = await ask({
    title: `Remove all ${entries.length} from ${storage.device}?`,
    body: [entries.some(local.isGone) ? "Of some, these are the last copies." : "The library keeps its copies."],
    buttons: [{ label: "Cancel" }, { label: "Remove all", value: "remove", kind: "danger" }],
  });
  if (!answer) return;
  try {
    for (const { key } of entries) await local.remove(key);
    announce(`Nothing of it is kept ${storage.where} any longer.`);
  } catch (error) {
    await showError("Not all were removed", error);
  }
  byId("kept-title").tabIndex = -1;
  byId("kept-title").focus();
}

function draw() {
  drawHome();
  if (!places.isShown("kept")) return;
  const entries = local.list();
  const others = local.list(true);
  reconcile(byId("kept-rows"), views, entries, (entry) => entry.key, (entry) => makeRow(entry, "h2"));
  show(byId("kept-none"), entries.length === 0);
  setText(byId("kept-none"), storage.isPossible()
    ? `Nothing is kept ${storage.where}. Open an item of the library and choose “Keep ${storage.where}”: it then plays without the server.`
    : storage.refusal());
  show(byId("kept-clear"), entries.length > 1);
  show(byId("kept-others"), others.length > 0);
  const bytes = others.reduce((sum, { size }) => sum + size, 0);
  setText(byId("kept-others-text"), `${others.length === 1 ? "1 file" : `${others.length} files`}, ${format.bytes(bytes)}, of a library that had this address before. `
    + "They are listed, and play, after that library was open here.");
  timer ??= setTimeout(measure, 300);
}

/** Shows the used space, a moment after one or more changes. */
async function measure() {
  timer = undefined;
  if (!storage.isPossible()) return;
  const isEmpty = local.list().length === 0 && local.list(true).length === 0;
  try {
    const { usage, quota, isSafe } = await storage.space();
    setText(byId("kept-used"), `${format.bytes(usage)} of about ${format.bytes(quota)} used`);
    byId("kept-bar").value = quota > 0 ? usage / quota : 0;
    setText(byId("kept-safety"), isSafe || isEmpty
      ? "" : "If the device runs out of space, the browser may remove what is kept here.");
    show(byId("kept-safety"), byId("kept-safety").textContent !== "");
  } catch {
    setText(byId("kept-used"), "The browser does not say how much space is used.");
  }
}

function makeRow(first, heading) {
  let entry = first;
  const picture = el("span", { class: "picture" });
  const title = el(heading);
  const text = el("p");
  const bar = el("progress", { max: "1", "aria-hidden": "true" });
  const problem = el("p", { class: "error" });
  const begin = el("button", { type: "button", class: "primary", onclick: open }, icon("play"), el("span"));
  const stop = button("Stop", { onclick: () => act("stop", entry.key) });
  const resume = button("Continue", { onclick: () => act("resume", entry) });
  const drop = button("Remove", { onclick: () => remove(entry) });
  const element = el("li", {}, el("span", { class: "shot" }, picture),
    el("div", { class: "text" }, title, text, bar, problem), el("div", { class: "buttons" }, begin, stop, resume, drop));
  return { element, update };

  function open() {
    const item = local.item(entry.id);
    if (isPlayable(item)) play(item);
    else read(item);
  }

  function update(next) {
    entry = next;
    const { item, state } = entry;
    element.dataset.id = entry.id;
    setText(title, item.title);
    drawPicture(picture, { ...item, hasPicture: entry.picture !== undefined, picture: local.picture(entry) });
    setText(text, [state === "kept" ? format.bytes(entry.size) : stateText(entry), state === "kept" && format.clock(item.duration), state === "kept" && local.isGone(entry) && "no longer in the library"]
      .filter(Boolean).join(" · "));
    show(bar, state === "keeping" || state === "stopped");
    bar.value = fraction(entry);
    setText(problem, entry.problem);
    show(problem, Boolean(entry.problem));
    show(begin, state === "kept");
    const time = resumeTime(item);
    setText(begin.lastChild, !isPlayable(item) ? "Read" : time > 0 ? `Resume ${format.clock(time)}` : "Play");
    begin.setAttribute("aria-label", `${begin.lastChild.textContent}: ${item.title}`);
    show(stop, state === "keeping");
    stop.setAttribute("aria-label", `Stop: ${item.title}`);
    show(resume, state === "stopped" && !local.isGone(entry));
    resume.setAttribute("aria-label", `Continue: ${item.title}`);
    setText(drop, state === "lost" ? "OK" : "Remove");
    drop.setAttribute("aria-label", `${state === "lost" ? "OK" : "Remove"}: ${item.title}`);
    show(drop, state !== "keeping");
  }
}

adopt(style);
mount("kept-section", markup);
byId("continue").before(home);
places.onChange(draw);
local.onChange(draw);
store.on("link", draw);
local.ready.then(draw);
draw();
