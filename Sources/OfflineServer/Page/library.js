// SPDX-License-Identifier: Apache-2.0
// The Library: what is on the disk and plays without a network.

import { api, pictureAddress, saveAddress } from "/api.js";
import { ask, tell } from "/dialog.js";
import { announce, byId, el, icon, reconcile, setText, show } from "/dom.js";
import * as format from "/format.js";
import { play, read } from "/player.js";
import * as store from "/store.js";

const step = 120;
const views = new Map();
const missingViews = new Map();
let limit = step;
let knowsItems = false;

/** Whether the page can play it. */
export const isPlayable = (item) => /^(video|audio)\//.test(item.mediaType ?? "");

/** Whether the page can show it as text. */
export const isReadable = (item) => /^text\/plain\b/.test(item.mediaType ?? "");

/** Draws the section. */
export function draw() {
  const ready = store.all().filter((item) => item.state === "ready");
  const missing = store.all().filter((item) => item.state === "missing");
  const words = byId("search").value.trim().toLocaleLowerCase().split(/\s+/);
  const found = ready.filter((item) => {
    const title = item.title.toLocaleLowerCase();
    return words.every((word) => title.includes(word));
  });
  reconcile(byId("cards"), views, found.slice(0, limit), (item) => item.id, makeCard);
  show(byId("show-more"), found.length > limit);
  show(byId("library-empty"), knowsItems && ready.length === 0 && missing.length === 0);
  show(byId("search").closest("label"), ready.length > 0);
  show(byId("library-none"), ready.length > 0 && found.length === 0);
  setText(byId("library-none"), `No title has “${byId("search").value.trim()}” in it.`);
  setText(byId("library-count"), String(ready.length));
  show(byId("library-count"), ready.length > 0);
  show(byId("missing"), missing.length > 0);
  reconcile(byId("missing-list"), missingViews, missing, (item) => item.id, makeMissing);
}

function makeCard(first) {
  let item = first;
  const picture = el("span", { class: "picture" });
  const length = el("span", { class: "length" });
  const title = el("h2", { id: `title-${item.id}` });
  const facts = el("p", { class: "facts" });
  const start = el("button", {
    type: "button", class: "open", onclick: () => (isPlayable(item) ? play(item) : read(item)),
  }, picture, el("span", { class: "disc" }, icon("play")), length);
  const save = el("a", { class: "button icon", download: true, title: "Save a copy" }, icon("save"));
  const remove = el("button", {
    type: "button", class: "icon", title: "Remove", onclick: () => askToRemove(item),
  }, icon("trash"));
  const element = el("li", { class: "card" }, start,
    el("div", { class: "text" }, title, facts), el("div", { class: "acts" }, save, remove));
  return { element, update };

  function update(next) {
    item = next;
    element.dataset.id = item.id;
    setText(title, item.title);
    setText(length, format.clock(item.duration));
    show(length, Number.isFinite(item.duration));
    setText(facts, [
      format.bytes(item.size), item.height ? `${item.width} × ${item.height}` : "",
      format.day(item.readyAt),
    ].filter(Boolean).map((fact) => fact.replaceAll(" ", "\u00a0")).join(" · "));
    start.disabled = !isPlayable(item) && !isReadable(item);
    start.setAttribute("aria-label", `${isReadable(item) ? "Read" : "Play"} ${item.title}`);
    save.href = saveAddress(item.id);
    save.setAttribute("aria-label", `Save a copy of ${item.title}`);
    remove.setAttribute("aria-label", `Remove ${item.title}`);
    drawPicture(picture, item);
  }
}

function drawPicture(place, item) {
  const wanted = item.hasPicture ? pictureAddress(item.id) : "";
  if (place.dataset.shown === wanted && place.firstChild) return;
  place.dataset.shown = wanted;
  const kind = (item.mediaType ?? "").startsWith("audio/") ? "note" : "file";
  place.replaceChildren(wanted
    ? el("img", { src: wanted, alt: "", loading: "lazy", decoding: "async" })
    : icon(isPlayable(item) && kind !== "note" ? "library" : kind));
}

function makeMissing() {
  const element = el("li");
  return { element, update: (item) => setText(element, item.title) };
}

/** Asks what to remove, and removes it. */
export async function askToRemove(item) {
  const isReady = item.state === "ready";
  const answer = await ask({
    title: `Remove “${item.title}”?`,
    body: [isReady
      ? "Without its file it is gone for good. An entry whose file you keep comes back by Refresh and Import."
      : "What was downloaded so far is deleted."],
    buttons: [
      { label: "Cancel", value: undefined },
      ...(isReady ? [{ label: "Keep the file", value: "entry" }] : []),
      { label: isReady ? "Delete the file too" : "Remove", value: "file", kind: "danger" },
    ],
  });
  if (!answer) return;
  try {
    await api.remove(item.id, answer === "file");
    announce(`${item.title} was removed.`);
  } catch (error) {
    await tell("It was not removed", error);
  }
}

/** Connects the section to the page. */
export function start() {
  byId("search").addEventListener("input", () => {
    limit = step;
    draw();
    announce(`${views.size} found`);
  });
  byId("show-more").addEventListener("click", () => {
    limit += step;
    draw();
  });
  byId("sample").addEventListener("click", async (event) => {
    event.currentTarget.disabled = true;
    try {
      await api.sample();
      location.hash = "#downloads";
    } catch (error) {
      await tell("The sample could not be started", error);
    } finally {
      byId("sample").disabled = false;
    }
  });
  store.on("snapshot", () => { knowsItems = true; });
  store.on("items", draw);
}
