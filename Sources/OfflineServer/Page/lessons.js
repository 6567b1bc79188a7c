// SPDX-License-Identifier: Apache-2.0
// Lessons: the catalogue, chosen, searched and loaded piece by piece.

import { api } from "/api.js";
import { ask, tell } from "/dialog.js";
import { announce, byId, reconcile, setText, show } from "/dom.js";
import * as format from "/format.js";
import { known, makeGroup } from "/lesson.js";
import * as store from "/store.js";

const step = 100;
const hour = 3_600_000;
// What one answer holds at most.
const most = 500;
const views = new Map();
/** As the events tell it, and nothing else: an answer may come after an event that is newer. */
let catalogue;
let news = 0;
let groups = [];
let total = 0;
/** What the list on the page was loaded from, and with which words. */
let listed = "";
let asked = 0;
let isLooking = false;
let wantsForm = false;

const source = (value = catalogue) => `${value?.address ?? ""} ${value?.loadedAt ?? ""}`;
const words = () => byId("lessons-search").value.trim();
const count = () => groups.reduce((sum, group) => sum + group.lessons.length, 0);

/** Draws the section. */
export function draw() {
  if (!catalogue || !isLooking) return;
  const { state, loadedAt, error } = catalogue;
  const hasList = loadedAt !== undefined;
  const failed = state === "failed";
  show(byId("catalogue-form"), state === "empty" || (failed && !hasList));
  show(byId("lessons-none"), state === "empty");
  show(byId("lessons-loading"), state === "loading" && !hasList);
  byId("lessons-list").setAttribute("aria-busy", String(state === "loading"));
  show(byId("lessons-menu"), state !== "empty");
  show(byId("lessons-search").closest("label"), hasList && catalogue.lessonCount > 0);
  setText(byId("lessons-summary"), describe());
  show(byId("lessons-strip"), failed);
  setText(byId("lessons-error"), failed ? explain(error) : "");
  setText(byId("lessons-copy"), failed && hasList
    ? `This is the copy as of ${format.moment(loadedAt)}.` : "");
  show(byId("catalogue-allow"), failed && error.code === "privateAddress");
  show(byId("lessons-empty"), hasList && count() === 0 && listed === `${source()} ${words()}`);
  setText(byId("lessons-empty"), words()
    ? `No lesson has “${words()}” in its title.` : "This catalogue has no lessons.");
  const items = known();
  // The list of another catalogue is not this one's, however briefly.
  const isListed = hasList && listed.startsWith(`${catalogue.address} `);
  const shown = isListed ? groups.map((group) => ({ ...group, items })) : [];
  reconcile(byId("lessons-list"), views, shown, (group) => group.number, makeGroup);
  show(byId("lessons-more"), isListed && total > count());
  if (wantsForm && state === "empty") byId("catalogue-address").focus();
  wantsForm = wantsForm && state !== "empty";
}

function describe() {
  const { state, title, lessonCount, loadedAt } = catalogue;
  if (loadedAt === undefined) return "";
  const parts = [title, lessonCount === 1 ? "1 lesson" : `${format.whole(lessonCount)} lessons`];
  if (state === "loading") parts.push("loading again…");
  else if (state === "loaded") parts.push(`as of ${format.moment(loadedAt)}`);
  return parts.filter(Boolean).join(" · ");
}

function explain(error) {
  return error.code === "privateAddress"
    ? "The catalogue is at a private address, such as one at home. Allow it if you know whose it is."
    : error.message;
}

/** Takes what an event says of the catalogue, and loads the list if it is another. */
function take(value) {
  const before = catalogue;
  catalogue = value;
  news += 1;
  if (isLooking && before && before.state !== value.state) tellState();
  if (isLooking && !listed.startsWith(source())) load(false);
  draw();
}

function tellState() {
  if (catalogue.state === "loaded") announce(`The catalogue is loaded. ${describe()}`);
}

/** Loads the list from its beginning, or what follows the part that is shown. */
async function load(isMore) {
  asked += 1;
  const number = asked;
  const seen = news;
  const from = isMore ? count() : 0;
  const wanted = isMore ? step : Math.min(most, Math.max(step, listed ? count() : 0));
  const text = words();
  let answer;
  try {
    answer = await api.catalogue({ from, count: wanted, q: text });
  } catch (error) {
    // The next event or the next connection asks again.
    if (isMore) await tell("More lessons could not be loaded", error);
    return;
  }
  if (number !== asked) return;
  total = answer.total;
  groups = isMore ? joined(groups, answer.groups) : answer.groups;
  listed = `${source(answer.catalogue)} ${text}`;
  draw();
  // What came meanwhile may be newer than the answer.
  if (seen !== news && !listed.startsWith(source())) load(false);
  if (!isMore && text) announce(`${format.whole(total)} found`);
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

/** Follows the catalogue while somebody looks; what is stale is loaded again then. */
export async function look(isShown) {
  if (isLooking === isShown) return;
  isLooking = isShown;
  if (!isShown) return;
  draw();
  await load(false);
  const age = Date.now() - Date.parse(catalogue?.loadedAt);
  const isStale = catalogue?.isStale || age > hour;
  if (isStale && catalogue.state !== "loading") api.refreshCatalogue().catch(() => {});
}

async function attempt(title, work) {
  try {
    await work();
  } catch (error) {
    await tell(title, error);
  }
}

async function choose(event) {
  event.preventDefault();
  const field = byId("catalogue-address");
  const address = field.value.trim();
  setText(byId("catalogue-error"), address ? "" : "Paste the address of a catalogue first.");
  if (!address) {
    field.focus();
    return;
  }
  try {
    await api.setCatalogue({ address });
    announce("The catalogue is being loaded.");
  } catch (error) {
    setText(byId("catalogue-error"), error.message);
    field.focus();
  }
}

const allow = () => attempt("It could not be loaded", () =>
  api.setCatalogue({ address: catalogue.address, allowPrivate: true }));

async function forget() {
  byId("lessons-menu").open = false;
  const answer = await ask({
    title: "Forget this catalogue?",
    body: ["The list of lessons and its address leave. What you have downloaded stays in your library."],
    buttons: [{ label: "Cancel" }, { label: "Forget it", value: true, kind: "danger" }],
  });
  if (!answer) return;
  await attempt("It was not forgotten", async () => {
    byId("lessons-search").value = "";
    byId("catalogue-address").value = catalogue.address;
    wantsForm = true;
    await api.forgetCatalogue();
  });
}

/** Connects the section to the page. */
export function start() {
  byId("catalogue-form").addEventListener("submit", choose);
  byId("catalogue-allow").addEventListener("click", allow);
  for (const id of ["lessons-refresh", "lessons-again"]) {
    byId(id).addEventListener("click", () => {
      byId("lessons-menu").open = false;
      attempt("It could not be loaded", api.refreshCatalogue);
    });
  }
  byId("lessons-forget").addEventListener("click", forget);
  byId("lessons-more").addEventListener("click", () => load(true));
  let wait = 0;
  byId("lessons-search").addEventListener("input", () => {
    clearTimeout(wait);
    // Words are looked for when the typing pauses.
    wait = setTimeout(() => load(false), 150);
  });
  store.on("catalogue", (value) => {
    if (value.state === "failed" && value.address && !byId("catalogue-address").value) {
      byId("catalogue-address").value = value.address;
    }
    take(value);
  });
  store.on("items", draw);
}
