// SPDX-License-Identifier: Apache-2.0
// Notifications: the inbox, the badge, and the one question whether to notify at all.

import { api } from "/api.js";
import { tell } from "/dialog.js";
import { byId, el, icon, reconcile, setText, show } from "/dom.js";
import * as format from "/format.js";
import { play } from "/player.js";
import * as store from "/store.js";

const views = new Map();
const shown = new Set();
let list = [];
let unread = 0;
let permission;
let isFirstLoad = true;

/** Whether the list itself is on the screen, beside which a toast would say everything twice. */
const isOpen = () => location.hash === "#notifications";

/** The number of notifications that were not read. */
export const unreadCount = () => unread;

async function load() {
  let answer;
  try {
    answer = await api.notifications();
  } catch {
    // The next event or the next connection asks again.
    return;
  }
  list = answer.notifications;
  unread = answer.unread;
  for (const each of list) {
    const isNew = !shown.has(each.id + each.date);
    shown.add(each.id + each.date);
    if (isNew && each.banner && !isFirstLoad && !each.isRead && !isOpen()) toast(each);
  }
  isFirstLoad = false;
  draw();
}

function draw() {
  reconcile(byId("inbox"), views, list, (each) => each.id, makeEntry);
  show(byId("inbox-none"), list.length === 0);
  show(byId("mark-read"), unread > 0);
  setText(byId("unread-badge"), String(unread));
  byId("unread-badge").setAttribute("aria-label", `${unread} unread`);
  show(byId("unread-badge"), unread > 0);
  document.title = unread > 0 ? `(${unread}) Offline` : "Offline";
  // A tab among many shows its icon alone.
  const tab = unread > 0 ? "/icon-unread.svg" : "/icon.svg";
  if (byId("tab-icon").getAttribute("href") !== tab) byId("tab-icon").setAttribute("href", tab);
}

function makeEntry(first) {
  let entry = first;
  const title = el("h2");
  const body = el("p");
  const date = el("time", {});
  const open = el("button", { type: "button", class: "tap", onclick: () => respond(entry) },
    el("span", { class: "mark" }, icon("bell")), el("span", { class: "text" }, title, body, date));
  const acts = el("div", { class: "acts" });
  const element = el("li", {}, open, acts);
  return {
    element,
    update(next) {
      const changed = JSON.stringify(next.actions) !== JSON.stringify(entry.actions);
      entry = next;
      element.classList.toggle("unread", !entry.isRead);
      element.dataset.category = entry.category;
      setText(title, entry.title);
      setText(body, entry.body);
      setText(date, format.moment(entry.date));
      date.setAttribute("datetime", entry.date);
      if (changed || !acts.firstChild) acts.replaceChildren(...actionButtons(entry));
    },
  };
}

const actionButtons = (entry) => (entry.actions ?? []).map((action) => el("button", {
  type: "button", text: action.title, onclick: () => respond(entry, action.id),
}));

/** Tells the server what the person did; the Library is where a tap leads. */
async function respond(entry, action) {
  try {
    const answer = await api.respond(entry.id, action);
    const item = answer.play ? store.item(answer.itemID) : undefined;
    location.hash = `#${answer.open}`;
    if (item) play(item);
  } catch (error) {
    await tell("That did not work", error);
  }
  await load();
}

function toast(entry) {
  const element = el("div", { class: "toast", "data-category": entry.category },
    el("button", {
      type: "button", class: "tap", onclick: () => { element.remove(); respond(entry); },
    }, el("strong", { text: entry.title }), el("span", { text: entry.body })),
    el("button", {
      type: "button", class: "icon", "aria-label": "Dismiss", onclick: () => element.remove(),
    }, icon("close")),
    el("div", { class: "acts", onclick: () => element.remove() }, ...actionButtons(entry)));
  byId("toasts").append(element);
  while (byId("toasts").childElementCount > 3) byId("toasts").firstElementChild.remove();
  setTimeout(() => element.remove(), 8000);
}

async function loadPermission() {
  try {
    permission = (await api.preferences()).notifications;
  } catch {
    permission = undefined;
  }
  drawPermission();
}

/** Asked once, when there is a first download to tell about. */
function drawPermission() {
  show(byId("permission"), permission === "unknown" && store.all().length > 0);
  byId("notify").checked = permission === "granted";
}

async function decide(value) {
  const hadFocus = byId("permission").contains(document.activeElement);
  try {
    permission = (await api.setPreferences({ notifications: value })).notifications;
  } catch (error) {
    await tell("The answer was not stored", error);
  }
  drawPermission();
  if (hadFocus) byId("main").focus();
}

/** Connects the section to the page. */
export function start() {
  byId("permission-allow").addEventListener("click", () => decide("granted"));
  byId("permission-deny").addEventListener("click", () => decide("denied"));
  byId("notify").addEventListener("change", (event) => {
    decide(event.target.checked ? "granted" : "denied");
  });
  byId("mark-read").addEventListener("click", async () => {
    try {
      await api.markRead();
    } catch (error) {
      await tell("They were not marked", error);
    }
    await load();
  });
  addEventListener("hashchange", () => {
    if (isOpen()) byId("toasts").replaceChildren();
  });
  store.on("notification", load);
  store.on("preferences", (value) => {
    permission = value.notifications;
    drawPermission();
  });
  store.on("items", drawPermission);
  store.on("link", (state) => {
    if (state !== "open") return;
    load();
    loadPermission();
  });
}
