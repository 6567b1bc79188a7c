// SPDX-License-Identifier: Apache-2.0
// The places of the page and the addresses, such as `#library`, `#item-12` or
// `#library?media=video`.
//
// To add a place `x`, add its title to `titles` below, and a script with the place's markup and
// style to one of the folders. `developer/activity.js` is a model. `index.html` gets a section with
// the identifier `x-section`, a link (unless `settings/settings.js` has one) and a `modulepreload`
// line in alphabetical order. `app.js` starts the script, `shared/api.js` has the requests, and
// `icons.svg` the picture. `style.css` has only rules that several parts share. `harness/places.py`
// of the end-to-end tests lists the place in `PLACES` and `CONTENT`.
//
// A place in Settings is also in `inSettings` below, and in `section` of `harness/browser.py`. A
// script without `modulepreload` is in `others` of `worker.js`.

import { byId, show } from "./dom.js";

/** The names of the places. Places without a link in the navigation belong to Settings. */
export const titles = {
  home: "Home",
  library: "Library",
  downloads: "Downloads",
  following: "Following",
  notifications: "Notifications",
  settings: "Settings",
  kept: "Kept",
  lessons: "Lessons",
  diagnostics: "Diagnostics",
  activity: "Activity",
};

const usual = "home";
const inSettings = ["kept", "lessons", "diagnostics", "activity"];
const listeners = [];
let shown = { name: "", parameters: new URLSearchParams() };
let unread = 0;
let ownTitle;
let coverTitle;
/** @type {(address: string) => boolean} */
let isCovered = () => false;

/** Returns the place in the address with the name, the number and the parameters. */
function read() {
  const [, name, number, parameters] = /^#([a-z]+)(?:-(\d+))?(?:\?(.*))?$/.exec(location.hash) ?? [];
  if (!byId(`${name}-section`)) return { name: usual, parameters: new URLSearchParams() };
  return { name, number: number && Number(number), parameters: new URLSearchParams(parameters) };
}

/** Returns the shown place. */
export const current = () => shown;

/** Whether a place is shown. */
export const isShown = (name) => shown.name === name;

/** Registers a listener for each change of the place or of the parameters. */
export const onChange = (listener) => listeners.push(listener);

/** Returns the address of a place with these parameters. */
export const address = (name, parameters) => {
  const text = new URLSearchParams(parameters).toString();
  return `#${name}${text && `?${text}`}`;
};

/** Goes to a place. Back returns to the current place. */
export function go(name, parameters = {}) {
  location.hash = address(name, parameters);
}

/**
 * Changes the parameters of the visible place. With `isStep`, Back returns to the previous
 * parameters.
 */
export function setParameters(parameters, isStep) {
  const text = address(shown.name, parameters);
  if (text === location.hash) return;
  history[isStep ? "pushState" : "replaceState"](null, "", text);
  shown.parameters = new URLSearchParams(parameters);
}

/** Names the visible place after the content, such as the title of an item. */
export function setTitle(title) {
  ownTitle = title;
  drawTitle();
}

/**
 * Registers the part that can cover the place, such as the player. `follow` returns whether the
 * address belongs to the part. If so, the place beneath does not change.
 */
export function setCover(follow) {
  isCovered = follow;
}

/** Names the part that covers the place, or undefined for none. */
export function setCoverTitle(title) {
  coverTitle = title;
  drawTitle();
}

/** Shows the number of unread notifications in the title of the window. */
export function setUnread(number) {
  unread = number;
  drawTitle();
}

function drawTitle() {
  const title = coverTitle ?? ownTitle ?? titles[shown.name] ?? "";
  document.title = `${unread > 0 ? `(${unread}) ` : ""}${title} · Offline`;
}

/** Shows the place in the address. */
export function refresh() {
  // The target of “Skip to content” is not a place.
  if (location.hash === "#main") return;
  const former = shown.name;
  if (isCovered(location.hash) && former) return;
  shown = read();
  if (shown.name !== former) ownTitle = undefined;
  for (const section of byId("main").querySelectorAll(":scope > [id$='-section']")) {
    show(section, section.id === `${shown.name}-section`);
  }
  const link = inSettings.includes(shown.name) ? "settings" : shown.name === "item" ? "library" : shown.name;
  for (const each of document.querySelectorAll("nav a")) {
    if (each.dataset.section === link) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  drawTitle();
  for (const listener of listeners) listener(shown, former);
  if (shown.name !== former) scrollTo(0, 0);
}

/** Shows the place in the address, now and after each change. */
export function start() {
  addEventListener("popstate", refresh);
  refresh();
}
