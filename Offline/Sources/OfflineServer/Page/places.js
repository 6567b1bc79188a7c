// SPDX-License-Identifier: Apache-2.0
// The places of the page and their addresses: #library, #item-12 or #library?media=video.

import { byId, show } from "./dom.js";

/** The names of the places; those without a link in the navigation belong to Settings. */
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
let isCovered = () => false;

/** Returns the place in the address: its name, its number and its parameters. */
function read() {
  const [, name, number, parameters] = /^#([a-z]+)(?:-(\d+))?(?:\?(.*))?$/.exec(location.hash) ?? [];
  if (!byId(`${name}-section`)) return { name: usual, parameters: new URLSearchParams() };
  return { name, number: number && Number(number), parameters: new URLSearchParams(parameters) };
}

/** Returns the shown place. */
export const current = () => shown;

/** Whether a place is shown. */
export const isShown = (name) => shown.name === name;

/** Registers a listener for each change of the place or of its parameters. */
export const onChange = (listener) => listeners.push(listener);

/** Returns the address of a place with these parameters. */
export const address = (name, parameters) => {
  const text = new URLSearchParams(parameters).toString();
  return `#${name}${text && `?${text}`}`;
};

/** Goes to a place; Back returns. */
export function go(name, parameters = {}) {
  location.hash = address(name, parameters);
}

/** Changes the parameters of the shown place; `isStep` lets Back return to the former ones. */
export function setParameters(parameters, isStep) {
  const text = address(shown.name, parameters);
  if (text === location.hash) return;
  history[isStep ? "pushState" : "replaceState"](null, "", text);
  shown.parameters = new URLSearchParams(parameters);
}

/** Names the shown place after its content, such as the title of an item. */
export function setTitle(title) {
  ownTitle = title;
  drawTitle();
}

/**
 * Registers the part that can cover the place, such as the player. `follow` returns whether the address is
 * that of the part: the place beneath then stays as it is.
 */
export function setCover(follow) {
  isCovered = follow;
}

/** Names the part that covers the place; undefined if there is none. */
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
  // The target of “Skip to content” is no place.
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
