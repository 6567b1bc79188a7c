// SPDX-License-Identifier: Apache-2.0
// The section Notifications with the inbox, the badge and the question for permission.

import { play } from "../player/player.js";
import { api } from "../shared/api.js";
import { showError } from "../shared/dialog.js";
import { adopt, button, byId, css, el, head, icon, mount, reconcile, reconcileGroups, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import { setBadge } from "../shared/install.js";
import * as places from "../shared/places.js";
import * as store from "../shared/store.js";
import { store as keep, stored } from "../shared/stored.js";
import * as toasts from "./toasts.js";

/** The stored name of the time until which this browser does not ask again after "Not now". */
const PUT_OFF = "notifications-put-off";
const WEEK = 7 * 86_400_000;

const question = [
  icon("bell"),
  el("div", {},
    el("h2", { id: "permission-title", text: "Notify you when a download is done?" }),
    el("p", { text: "Offline can notify you when a download is ready to play or needs your attention." })),
  el("div", { class: "buttons" },
    button("Allow", { class: "primary", id: "permission-allow" }),
    button("Not now", { id: "permission-deny" })),
];

const markup = [
  head("notifications", "Notifications",
    button("Mark all as read", { id: "mark-read", hidden: true }),
    el("label", { class: "check" },
      el("input", { id: "notify", type: "checkbox", role: "switch" }),
      el("span", { text: "Notify me" }))),
  el("p", { id: "inbox-none", class: "none", hidden: true, text: "No notifications yet." }),
  el("div", { id: "inbox" }),
];

const style = css`
  .inbox { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 0.6rem; align-items: start; }
  .inbox li { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
  .tap {
    width: 100%; border: 0; background: none; padding: 1rem 1.15rem; text-align: left; justify-content: flex-start;
    align-items: flex-start; gap: 0.9rem; font-weight: 400; border-radius: var(--radius);
  }
  .inbox .mark { padding: 0.5rem; border-radius: 10px; background: var(--sunken); color: var(--soft); }
  .inbox li.unread .mark { background: var(--accent-tint); color: var(--accent); }
  .inbox li.unread:is([data-category="DOWNLOAD_FAILED"], [data-category="DOWNLOAD_REFUSED"]) .mark { background: var(--danger-tint); color: var(--danger); }
  .inbox .text { flex: 1; min-width: 0; overflow-wrap: anywhere; }
  .inbox-day { margin-top: 1.75rem; }
  .inbox-day:first-child { margin-top: 0; }
  .inbox-day > h2 { margin-bottom: 0.75rem; }
  .inbox h3 { font-size: 1rem; font-weight: 500; }
  .inbox li.unread h3 { font-weight: 660; }
  .inbox p, .inbox time { color: var(--soft); font-size: 0.9375rem; }
  .inbox time { font-size: 0.8125rem; }
  .inbox .acts { display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0 1.15rem 1rem 4.35rem; }
  .inbox .acts:empty { display: none; }
  @media (max-width: 600px) {
    .inbox .acts { padding-left: 1.15rem; }
    #notifications-section .tools { flex: 1 1 100%; justify-content: flex-end; min-height: 2.75rem; }
  }
`;

/** The pictures of the categories that have a picture. Other categories use the default. */
const pictures = {
  DOWNLOAD_COMPLETE: "check", FILE_COMPLETE: "check", DOWNLOAD_FAILED: "alert", DOWNLOAD_REFUSED: "alert",
};
const views = new Map();
const dayViews = new Map();
const shown = new Set();
let list = [];
let unread = 0;
let permission;
let isFirstLoad = true;
let requestCount = 0;
/** The number of the request whose response is displayed. */
let displayed = 0;
/** The number of the request or the event that set the permission. */
let permissionNumber = 0;

/**
 * Whether the visible place already shows the same information, so that a toast would repeat it.
 */
const isToldHere = () => ["home", "downloads", "notifications"].some(places.isShown);

async function load() {
  requestCount += 1;
  const number = requestCount;
  let response;
  try {
    response = await api.notifications();
  } catch {
    // The next event or the next connection starts another load.
    return;
  }
  // Responses may arrive in a different order than the requests.
  if (number < displayed) return;
  displayed = number;
  list = response.notifications;
  unread = response.unread;
  for (const each of list) {
    const isNew = !shown.has(each.id + each.date);
    shown.add(each.id + each.date);
    if (isNew && each.banner && !isFirstLoad && !each.isRead && !isToldHere()) {
      toasts.add(each, () => respond(each), actionButtons(each));
    }
  }
  isFirstLoad = false;
  draw();
}

function draw() {
  const days = [...Map.groupBy(list, (each) => format.day(each.date))].map(([day, entries]) => ({ day, entries }));
  reconcile(byId("inbox"), dayViews, days, ({ day }) => day, makeDay);
  // The lists exist now. An entry that replaces an older one may move to another day with the view.
  reconcileGroups(days.map(({ day, entries }) => ({ list: dayViews.get(day).list, items: entries })),
    views, (each) => each.id, makeEntry);
  show(byId("inbox-none"), list.length === 0);
  show(byId("mark-read"), unread > 0);
  for (const id of ["unread-badge", "more-badge"]) {
    setText(byId(id), String(unread));
    show(byId(id), unread > 0);
  }
  places.setUnread(unread);
  setBadge(unread);
  // A narrow tab shows only the icon.
  const tab = unread > 0 ? "/icon-unread.svg" : "/icon.svg";
  if (byId("tab-icon").getAttribute("href") !== tab) byId("tab-icon").setAttribute("href", tab);
}

function makeDay({ day }) {
  const title = el("h2", { id: `inbox-${day.replaceAll(/\W/g, "-")}`, text: day === format.day(new Date()) ? "Today" : day });
  const list = el("ul", { role: "list", class: "inbox", "aria-labelledby": title.id });
  return { element: el("section", { class: "inbox-day", "aria-labelledby": title.id }, title, list), list, update: () => {} };
}

function makeEntry(first) {
  let entry = first;
  const title = el("h3");
  const body = el("p");
  const date = el("time", {});
  const open = el("button", { type: "button", class: "tap", onclick: () => respond(entry) },
    el("span", { class: "mark" }, icon(pictures[entry.category] ?? "bell")), el("span", { class: "text" }, title, body, date));
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
      setText(date, format.time(entry.date));
      date.setAttribute("datetime", entry.date);
      if (changed || !acts.firstChild) acts.replaceChildren(...actionButtons(entry));
    },
  };
}

const actionButtons = (entry) => (entry.actions ?? []).map((action) => button(action.title, {
  onclick: () => respond(entry, action.id),
}));

/** Sends the user's response to the server, then opens the target of the response. */
async function respond(entry, action) {
  try {
    const target = await api.respond(entry.id, action);
    // The target is a page of another machine. The server has checked the form, and this check
    // admits only web addresses.
    if (/^https?:\/\//.test(target.address ?? "")) {
      location.assign(target.address);
      return;
    }
    const item = target.play ? await store.get(target.itemID) : undefined;
    location.hash = `#${target.open}`;
    if (item) play(item);
  } catch (error) {
    await showError("The action failed", error);
  }
  await load();
}

/** Sets the permission, unless a later request or event has already set the permission. */
function setPermission(value, number) {
  if (number < permissionNumber) return;
  permissionNumber = number;
  permission = value;
  drawPermission();
}

/**
 * Shows the question after the first item arrives, until the user decides or postpones the answer.
 */
function drawPermission() {
  const isPutOff = Date.now() < Number(stored(PUT_OFF, 0));
  show(byId("permission"), permission === "unknown" && !isPutOff && store.all().length > 0);
  byId("notify").checked = permission === "granted";
}

/** Postpones the question for a week, because "Not now" is not an answer. */
function putOff() {
  const hadFocus = byId("permission").contains(document.activeElement);
  keep(PUT_OFF, Date.now() + WEEK);
  drawPermission();
  if (hadFocus) byId("main").focus();
}

async function decide(value) {
  const hadFocus = byId("permission").contains(document.activeElement);
  requestCount += 1;
  const number = requestCount;
  try {
    setPermission((await api.setPreferences({ notifications: value })).notifications, number);
  } catch (error) {
    await showError("Your choice was not saved", error);
    drawPermission();
  }
  if (hadFocus) byId("main").focus();
}

/** Connects the section to the page. */
export function start() {
  adopt(style);
  mount("permission", question);
  mount("notifications-section", markup);
  byId("permission-allow").addEventListener("click", () => decide("granted"));
  byId("permission-deny").addEventListener("click", putOff);
  byId("notify").addEventListener("change", (event) => {
    decide(event.target.checked ? "granted" : "denied");
  });
  byId("mark-read").addEventListener("click", async () => {
    try {
      await api.markRead();
    } catch (error) {
      await showError("The notifications were not marked as read", error);
    }
    await load();
  });
  toasts.start();
  places.onChange(({ name }) => {
    if (name === "notifications") toasts.clear();
  });
  store.on("notification", load);
  store.on("preferences", (value) => {
    requestCount += 1;
    setPermission(value.notifications, requestCount);
  });
  store.on("items", drawPermission);
  store.on("link", (state) => {
    if (state === "open") load();
  });
}
