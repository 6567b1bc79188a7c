// SPDX-License-Identifier: Apache-2.0
// The refresh, which compares the library with the disk, from the menu or after a long press on a
// title.

import { api, exportAddress } from "../shared/api.js";
import { ask, close, showError } from "../shared/dialog.js";
import { adopt, button, byId, css, el, icon, menu, mount, setText, show } from "../shared/dom.js";
import * as format from "../shared/format.js";
import * as store from "../shared/store.js";

const style = css`
  .pressable { position: relative; user-select: none; -webkit-user-select: none; touch-action: manipulation; }
  .pressable::after {
    content: ""; position: absolute; left: 0; bottom: -0.25rem; height: 3px; width: 100%; border-radius: 2px;
    background: var(--accent); transform: scaleX(0); transform-origin: left;
  }
  .pressable.pressed::after { transform: scaleX(1); transition: transform 2s linear; }
  .names { list-style: disc; padding-left: 1.2rem; color: var(--ink); overflow-wrap: anywhere; }
  @media (prefers-reduced-motion: reduce) { .pressable.pressed::after { transition-duration: 2s !important; } }
`;

const pressMilliseconds = 2000;
const titles = ["library-title", "downloads-title"];

const counted = (list, one, many) => `${list.length} ${list.length === 1 ? one : many}`;
const named = (list, name) => el("ul", { class: "names" },
  ...list.slice(0, 8).map((each) => el("li", { text: name(each) })),
  list.length > 8 ? el("li", { text: `and ${list.length - 8} more` }) : null);

const upkeep = (action, symbol, text) =>
  el("button", { type: "button", "data-upkeep": action }, icon(symbol), text);

/** Creates the menu for the section with this title. */
export const refreshMenu = (title) => menu(title, {},
  el("button", { type: "button", "data-refresh": true }, icon("refresh"), "Refresh: compare with the disk"),
  upkeep("verify", "pulse", "Verify: read every byte of the files"),
  el("a", { class: "button", href: exportAddress, download: "library.jsonl" }, icon("save"), "Export the library as text"),
  upkeep("import", "file", "Import an exported library…"));

/** Runs a refresh behind a sheet with the progress, then shows the report. */
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
    await showError("The refresh failed", error);
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
  add("returned", "file returned", "files returned", title);
  add("removed", "entry was removed", "entries were removed", title);
  add("imported", "file was imported", "files were imported", title);
  add("missing", "file is missing", "files are missing", title);
  add("orphans", "file has no entry", "files have no entry", file);
  add("problems", "problem", "problems", (each) => each.message ?? String(each));
  if (report.unverified > 0) {
    body.push(`${report.unverified} ${report.unverified === 1 ? "file waits" : "files wait"} for the check in the `
      + "background; Downloads shows them.");
  }
  if (report.needsConfirmation) {
    body.push("More than half of the library is missing. Nothing was changed. "
      + "Check that the right disk is mounted.");
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
  if (body.length === 1) body.push("The library matches the disk.");
  return { title: "Refresh", body, buttons: [...buttons, { label: "Close", kind: "primary" }] };
}

/** Asks once, then removes the entries without a file. */
async function removeMissing() {
  const answer = await ask({
    title: "Remove the missing entries?",
    body: ["Their files are already missing. This removes the entries from the list."],
    buttons: [{ label: "Cancel" }, { label: "Remove", value: true, kind: "danger" }],
  });
  if (answer) await refresh({ removeMissing: true, confirmed: true });
}

function makePressable(title) {
  title.classList.add("pressable");
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

/** Connects menus and titles, and shows whether the library's list was damaged. */
export function start() {
  adopt(style);
  mount("damage", [
    el("p", { id: "damage-text" }),
    button("Refresh…", { id: "damage-refresh", onclick: () => refresh() }),
  ]);
  store.on("hello", ({ damage }) => {
    setText(byId("damage-text"), damage ?? "");
    show(byId("damage"), damage !== undefined);
  });
  for (const id of titles) makePressable(byId(id));
  for (const choice of document.querySelectorAll("[data-refresh]")) {
    choice.addEventListener("click", () => {
      choice.closest("details").open = false;
      refresh();
    });
  }
  byId("missing-remove").addEventListener("click", removeMissing);
  /** @type {() => NodeListOf<HTMLDetailsElement>} */
  const openMenus = () => document.querySelectorAll("details.menu[open]");
  document.addEventListener("click", (event) => {
    for (const menu of openMenus()) {
      if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    const [menu] = openMenus();
    if (event.key !== "Escape" || !menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
