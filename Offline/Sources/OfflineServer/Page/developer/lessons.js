// SPDX-License-Identifier: Apache-2.0
// The section Lessons with the catalog, the search and the list, which is loaded page by page.

import { api } from "../shared/api.js";
import { ask, showError } from "../shared/dialog.js";
import {
  adopt, announce, button, byId, css, el, head, icon, menu, mount, reconcile, searchField, setText, show,
} from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";
import { known, makeGroup, style as lessonStyle } from "./lesson.js";

const markup = [
  head("lessons", "Lessons",
    searchField("lessons-search", "Search the lessons", { placeholder: "Search", maxlength: "200" }),
    menu("Lessons", { id: "lessons-menu", hidden: true },
      el("button", { id: "lessons-refresh", type: "button" }, icon("refresh"), "Reload the list"),
      " ",
      el("button", { id: "lessons-forget", type: "button" }, icon("trash"), "Remove this catalog…"))),
  el("p", { id: "lessons-summary", class: "lead" }),
  el("div", { id: "lessons-strip", class: "strip failure", role: "status", hidden: true },
    el("p", {}, el("span", { id: "lessons-error" }), " ", el("span", { id: "lessons-copy" })),
    el("div", { class: "buttons" },
      button("Allow private address", { id: "catalog-allow", hidden: true }),
      button("Try again", { id: "lessons-again" }))),
  el("form", { id: "catalog-form", class: "add", novalidate: true, hidden: true },
    el("label", { for: "catalog-address", text: "Address of a catalog" }),
    el("div", { class: "row" },
      el("input", {
        id: "catalog-address", name: "address", type: "url", inputmode: "url", spellcheck: "false",
        autocapitalize: "off", autocomplete: "off", placeholder: "https://…/catalog.json",
        "aria-describedby": "catalog-error",
      }),
      el("button", { class: "primary", type: "submit", text: "Load" })),
    el("p", { id: "catalog-error", class: "error", role: "alert" })),
  el("div", { id: "lessons-none", class: "empty", hidden: true },
    icon("lessons", "big"),
    el("h2", { text: "No catalog yet" }),
    el("p", {
      text: "A catalog is a list of lessons that a school or a teacher publishes at an address. Paste the address "
        + "above, then download lessons to play and read them without a network.",
    })),
  el("div", { id: "lessons-loading", class: "loading", role: "status", hidden: true },
    el("p", { text: "Loading the catalog…" }),
    el("progress", { "aria-label": "Loading the catalog" })),
  el("p", { id: "lessons-empty", class: "none", role: "status", hidden: true }),
  el("ul", { id: "lessons-list", role: "list", class: "lesson-groups", "aria-label": "Lessons" }),
  el("div", { class: "buttons center" },
    button("Show more", { id: "lessons-more", hidden: true })),
];

const style = css`
  #lessons-summary { overflow-wrap: anywhere; }
  #lessons-summary:empty { display: none; }
  .loading { display: grid; gap: 0.75rem; max-width: 24rem; margin: 9vh auto 0; text-align: center; color: var(--soft); }
  .lesson-groups { display: grid; gap: 1.75rem; margin-bottom: 1.5rem; }
  @media (max-width: 600px) {
    #lessons-section .tools:has(.search:not([hidden])) { flex: 1 1 100%; }
    #lessons-section .search { flex: 1; }
    #lessons-summary { margin: -0.4rem 0 1.1rem; font-size: 0.9375rem; }
  }
`;

const step = 100;
const hour = 3_600_000;
// The maximum number of lessons in one response.
const maximum = 500;
const views = new Map();
/**
 * The state of the catalog. Only events set this value, because a response may arrive after a newer
 * event.
 */
let catalog;
let eventCount = 0;
let groups = [];
let total = 0;
/** The source and the search words of the displayed list. */
let listed = "";
/**
 * The number of lessons to show. A reload that overtakes *Show more* also loads the additional
 * lessons.
 */
let goal = step;
let requestCount = 0;
let isVisible = false;
let wantsForm = false;

const source = (value = catalog) => `${value?.address ?? ""} ${value?.loadedAt ?? ""}`;
const words = () => byId("lessons-search").value.trim();
const count = () => groups.reduce((sum, group) => sum + group.lessons.length, 0);

/** Draws the section. */
export function draw() {
  if (!catalog || !isVisible) return;
  const { state, loadedAt, error } = catalog;
  const hasList = loadedAt !== undefined;
  const failed = state === "failed";
  show(byId("catalog-form"), state === "empty" || (failed && !hasList));
  show(byId("lessons-none"), state === "empty");
  show(byId("lessons-loading"), state === "loading" && !hasList);
  byId("lessons-list").setAttribute("aria-busy", String(state === "loading"));
  show(byId("lessons-menu"), state !== "empty");
  show(byId("lessons-search").closest("label"), hasList && catalog.lessonCount > 0);
  setText(byId("lessons-summary"), describe());
  show(byId("lessons-strip"), failed);
  setText(byId("lessons-error"), failed ? explain(error) : "");
  setText(byId("lessons-copy"), failed && hasList
    ? `This is the copy as of ${format.moment(loadedAt)}.` : "");
  show(byId("catalog-allow"), failed && error.code === "privateAddress");
  show(byId("lessons-empty"), hasList && count() === 0 && listed === `${source()} ${words()}`);
  setText(byId("lessons-empty"), words()
    ? `No lesson title contains “${words()}”.` : "This catalog has no lessons.");
  const items = known();
  // The section never shows the list of the previous catalog.
  const isListed = hasList && listed.startsWith(`${catalog.address} `);
  const shown = isListed ? groups.map((group) => ({ ...group, items })) : [];
  reconcile(byId("lessons-list"), views, shown, (group) => group.number, makeGroup);
  show(byId("lessons-more"), isListed && total > count());
  if (wantsForm && state === "empty") byId("catalog-address").focus();
  wantsForm = wantsForm && state !== "empty";
}

function describe() {
  const { state, title, lessonCount, loadedAt } = catalog;
  if (loadedAt === undefined) return "";
  const parts = [title, lessonCount === 1 ? "1 lesson" : `${format.whole(lessonCount)} lessons`];
  if (state === "loading") parts.push("reloading…");
  else if (state === "loaded") parts.push(`as of ${format.moment(loadedAt)}`);
  return parts.filter(Boolean).join(" · ");
}

function explain(error) {
  return error.code === "privateAddress"
    ? "The catalog is at a private address, such as in a home network. Allow it if you trust its owner."
    : error.message;
}

/** Stores the catalog's state from an event, and loads the list if the catalog has changed. */
function update(value) {
  const before = catalog;
  catalog = value;
  eventCount += 1;
  if (isVisible && before && before.state !== value.state) announceState();
  if (isVisible && !listed.startsWith(source())) load(false);
  draw();
}

function announceState() {
  if (catalog.state === "loaded") announce(`The catalog is loaded. ${describe()}`);
}

/** Loads the first page of the list, or the page after the displayed lessons. */
async function load(isMore) {
  requestCount += 1;
  const number = requestCount;
  const seen = eventCount;
  const from = isMore ? count() : 0;
  if (isMore) goal = from + step;
  const wanted = isMore ? step : Math.min(maximum, goal);
  const text = words();
  let page;
  try {
    page = await api.catalog({ from, count: wanted, q: text });
  } catch (error) {
    // The next event or the next connection starts another load.
    if (isMore) await showError("More lessons could not be loaded", error);
    return;
  }
  if (number !== requestCount) return;
  await loadItems(page.groups);
  if (number !== requestCount) return;
  total = page.total;
  groups = isMore ? joined(groups, page.groups) : page.groups;
  listed = `${source(page.catalog)} ${text}`;
  draw();
  // An event that arrived during the request may be newer than the response.
  if (seen !== eventCount && !listed.startsWith(source())) load(false);
  if (!isMore && text) announce(`${format.whole(total)} found`);
}

/** Loads the items of lessons. Without the items, the lessons would look as if never downloaded. */
async function loadItems(some) {
  const parts = some.flatMap((group) => group.lessons).flatMap((lesson) => lesson.parts);
  // The next connection starts another load.
  await store.load(parts.flatMap((part) => part.item ?? [])).catch(() => {});
}

function joined(before, more) {
  const all = before.map((group) => ({ ...group }));
  for (const group of more) {
    const last = all.at(-1);
    if (last?.number === group.number) last.lessons = [...last.lessons, ...group.lessons];
    else all.push(group);
  }
  return all;
}

/**
 * Follows the catalog while the section is visible, and reloads a stale catalog when the section
 * appears.
 */
export async function setVisible(isShown) {
  if (isVisible === isShown) return;
  isVisible = isShown;
  if (!isShown) return;
  draw();
  await load(false);
  const age = Date.now() - Date.parse(catalog?.loadedAt);
  const isStale = catalog?.isStale || age > hour;
  if (isStale && catalog.state !== "loading") api.refreshCatalog().catch(() => {});
}

async function attempt(title, work) {
  try {
    await work();
  } catch (error) {
    await showError(title, error);
  }
}

async function choose(event) {
  event.preventDefault();
  const field = byId("catalog-address");
  const address = field.value.trim();
  setText(byId("catalog-error"), address ? "" : "The address is missing. Paste the address of a catalog.");
  if (!address) {
    field.focus();
    return;
  }
  try {
    await api.setCatalog({ address });
    announce("Loading the catalog.");
  } catch (error) {
    setText(byId("catalog-error"), error.message);
    field.focus();
  }
}

const allow = () => attempt("The catalog could not be loaded", () =>
  api.setCatalog({ address: catalog.address, allowPrivate: true }));

async function remove() {
  byId("lessons-menu").open = false;
  const answer = await ask({
    title: "Remove this catalog?",
    body: ["This removes the list of lessons and its address. Your downloads stay in your library."],
    buttons: [{ label: "Cancel" }, { label: "Remove", value: true, kind: "danger" }],
  });
  if (!answer) return;
  await attempt("The catalog was not removed", async () => {
    byId("lessons-search").value = "";
    byId("catalog-address").value = catalog.address;
    wantsForm = true;
    await api.removeCatalog();
  });
}

/** Connects the section to the page. */
export function start() {
  adopt(style, lessonStyle);
  mount("lessons-section", markup);
  byId("catalog-form").addEventListener("submit", choose);
  byId("catalog-allow").addEventListener("click", allow);
  for (const id of ["lessons-refresh", "lessons-again"]) {
    byId(id).addEventListener("click", () => {
      byId("lessons-menu").open = false;
      attempt("The catalog could not be loaded", api.refreshCatalog);
    });
  }
  byId("lessons-forget").addEventListener("click", remove);
  byId("lessons-more").addEventListener("click", () => load(true));
  let wait = 0;
  byId("lessons-search").addEventListener("input", () => {
    clearTimeout(wait);
    // The search starts when the user pauses typing.
    wait = setTimeout(() => {
      goal = step;
      load(false);
    }, 150);
  });
  store.on("catalog", (value) => {
    if (value.state === "failed" && value.address && !byId("catalog-address").value) {
      byId("catalog-address").value = value.address;
    }
    update(value);
  });
  store.on("snapshot", () => { loadItems(groups); });
  store.on("items", draw);
}
