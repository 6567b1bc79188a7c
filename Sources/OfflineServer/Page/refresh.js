// SPDX-License-Identifier: Apache-2.0
// Refresh: compares the library with the disk, from the menu or by a long press on a title.

import { api } from "/api.js";
import { ask, close, tell } from "/dialog.js";
import { byId, el } from "/dom.js";
import * as format from "/format.js";

const pressMilliseconds = 2000;

const counted = (list, one, many) => `${list.length} ${list.length === 1 ? one : many}`;
const named = (list, name) => el("ul", { class: "names" },
  ...list.slice(0, 8).map((each) => el("li", { text: name(each) })),
  list.length > 8 ? el("li", { text: `and ${list.length - 8} more` }) : null);

/** Runs a refresh with a progress alert, and closes with what it found. */
export async function refresh(options = {}) {
  ask({
    title: "Comparing the library with the disk…",
    body: [el("progress", { "aria-label": "Refresh" })],
  });
  let report;
  try {
    report = await api.refresh(options);
  } catch (error) {
    close();
    await tell("The refresh did not finish", error);
    return;
  }
  close();
  const answer = await ask(message(report, options));
  if (answer) await refresh(answer);
}

function message(report, options) {
  const list = (name) => report[name] ?? [];
  const body = [`${report.checked} ${report.checked === 1 ? "entry was" : "entries were"} compared.`];
  const buttons = [];
  const add = (name, one, many, text) => {
    if (list(name).length === 0) return;
    body.push(`${counted(list(name), one, many)}:`, named(list(name), text));
  };
  const title = (each) => each.title ?? String(each);
  const file = (each) => (each.name ? `${each.name} (${format.bytes(each.size)})` : String(each));
  add("returned", "file is back", "files are back", title);
  add("removed", "entry was removed", "entries were removed", title);
  add("imported", "file was imported", "files were imported", title);
  add("missing", "file is gone", "files are gone", title);
  add("orphans", "file has no entry", "files have no entry", file);
  add("problems", "problem", "problems", (each) => each.message ?? String(each));
  if (report.needsConfirmation) {
    body.push("More than half of the library seems to be gone. Is its disk there? "
      + "Nothing was changed yet.");
    buttons.push({ label: "Mark them as missing", value: { ...options, confirmed: true }, kind: "danger" });
  } else if (list("missing").length > 0) {
    buttons.push({
      label: `Remove ${counted(list("missing"), "missing entry", "missing entries")}`,
      value: { removeMissing: true, confirmed: true }, kind: "danger",
    });
  }
  if (list("orphans").length > 0) {
    buttons.push({ label: `Import ${counted(list("orphans"), "file", "files")}`, value: { import: true } });
  }
  if (body.length === 1) body.push("Library and disk agree.");
  return { title: "Refresh", body, buttons: [...buttons, { label: "Close", kind: "primary" }] };
}

/** One question, then the entries without a file are gone. */
async function removeMissing() {
  const answer = await ask({
    title: "Remove the missing entries?",
    body: ["Their files are gone already; the list forgets them."],
    buttons: [{ label: "Cancel" }, { label: "Remove", value: true, kind: "danger" }],
  });
  if (answer) await refresh({ removeMissing: true, confirmed: true });
}

function makePressable(title) {
  let timer = 0;
  const release = () => {
    clearTimeout(timer);
    title.classList.remove("pressed");
  };
  title.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    title.classList.add("pressed");
    timer = setTimeout(() => {
      release();
      refresh();
    }, pressMilliseconds);
  });
  for (const event of ["pointerup", "pointerleave", "pointercancel"]) {
    title.addEventListener(event, release);
  }
  title.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Connects menus and titles. */
export function start() {
  for (const title of document.querySelectorAll(".pressable")) makePressable(title);
  for (const choice of document.querySelectorAll("[data-refresh]")) {
    choice.addEventListener("click", () => {
      choice.closest("details").open = false;
      refresh();
    });
  }
  byId("missing-remove").addEventListener("click", removeMissing);
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    const menu = document.querySelector("details.menu[open]");
    if (event.key !== "Escape" || !menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
