// SPDX-License-Identifier: Apache-2.0
// The settings of all downloads, the ways to keep media from other pages, and the places for
// developers.

import * as folder from "../library/folder.js";
import { refreshMenu } from "../library/refresh.js";
import { where } from "../local/storage.js";
import { api } from "../shared/api.js";
import { adopt, announce, byId, css, el, head, icon, mount, setText, show } from "../shared/dom.js";
import * as places from "../shared/places.js";
import * as bookmarklet from "./bookmarklet.js";
import * as devices from "./devices.js";
import * as machines from "./machines.js";

const counts = ["auto", ...Array.from({ length: 16 }, (_, index) => String(index + 1))];
const qualities = ["best", "2160p", "1440p", "1080p", "720p", "480p", "360p", "audio"];
const names = {
  auto: "Automatic", best: "Best", audio: "Sound only", all: "Finished and failed downloads", failures: "Failed downloads only",
  desktop: "The desktop, or the page in front", page: "Open pages only",
};
const option = (value) => el("option", { value, text: names[value] ?? value });
const choice = (id, label, values) => [
  el("label", { for: id, text: label }),
  el("select", { id, name: id.replace("setting-", "") }, ...values.map(option)),
];
const field = (id, label, hint) => [
  el("label", { for: id, text: label }),
  el("input", {
    id, name: id.replace("setting-", ""), type: "text", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", "aria-describedby": `${id}-hint settings-error`,
  }),
  el("p", { id: `${id}-hint`, class: "hint", text: hint }),
];

/** Creates a titled part of the place. */
const part = (id, title, ...content) => el("section", { id, class: "setting", "aria-labelledby": `${id}-title` },
  el("h2", { id: `${id}-title`, text: title }), ...content);

const place = (name, symbol, title, text) => el("li", {},
  el("a", { href: `#${name}`, class: "way" }, icon(symbol),
    el("span", {}, el("strong", { text: title }), el("span", { text })), icon("next")));

const markup = [
  head("settings", "Settings", refreshMenu("Settings")),
  el("div", { id: "settings-parts", class: "parts", hidden: true },
    part("download-settings", "Downloads", el("form", { id: "settings-form", novalidate: true },
      ...choice("setting-quality", "Quality of films", qualities),
      ...field("setting-audio", "Languages of the sound",
        "“all”, or such as en, German. A film without them keeps its own."),
      ...field("setting-subtitles", "Languages of the subtitles", "“all”, “none”, or such as en, German."),
      ...choice("setting-downloads", "Downloads at once", counts),
      ...choice("setting-per-host", "Downloads and connections to one server", counts),
      ...field("setting-limit", "Speed of all downloads together, in bytes per second",
        "“none”, or such as 500K or 2M. Recordings ignore it."),
      ...field("setting-hours", "Hours in which to download",
        "“always”, or the local time from and to, such as 23:00-07:00. Recordings ignore it."),
      ...choice("setting-notify", "Notifications about", ["all", "failures"]),
      ...choice("setting-notify-on", "Notifications appear on", ["desktop", "page"]),
      el("div", { class: "save" },
        el("button", { type: "submit", text: "Save settings" }),
        el("span", { id: "settings-said" })),
      el("p", { id: "settings-error", class: "error", role: "alert" }))),
    part("folder", "Folder", ...folder.markup),
    part("from-anywhere", "Keep from any page", ...bookmarklet.markup),
    part("devices", "Devices", ...devices.markup),
    // Shown with “--join”.
    Object.assign(part("machines", "Machines", ...machines.markup), { hidden: true }),
    part("on-this-device", "Without the server",
      el("ul", { role: "list", class: "ways" },
        place("kept", "save", `Kept ${where}`, "What plays while the server is stopped, and its space"))),
    part("developer", "Developer",
      el("p", { class: "hint", text: "Lists of lessons, and a look into the program for those who work on it." }),
      el("ul", { role: "list", class: "ways" },
        place("lessons", "lessons", "Lessons", "A catalog that a school or a teacher publishes"),
        place("diagnostics", "pulse", "Diagnostics", "Reports of errors and crashes on this machine"),
        place("activity", "activity", "Activity", "The messages between the parts of the program")))),
];

const style = css`
  .parts { columns: 24rem 3; column-gap: 1.25rem; }
  .setting { display: grid; gap: 0.75rem; break-inside: avoid; margin-bottom: 1.25rem; padding: 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); font-size: 0.9375rem; min-width: 0; }
  .setting > h2 { font-size: 1.125rem; }
  .setting form { display: grid; gap: 0.3rem; }
  .setting form label:not(:first-child) { margin-top: 0.6rem; }
  .setting .hint { color: var(--soft); font-size: 0.8125rem; }
  .setting form .save { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.9rem; margin-top: 0.9rem; }
  #settings-said { color: var(--accent); font-weight: 560; }
  .unsaved #settings-said { color: var(--warn); }
  .folder-path { overflow-wrap: anywhere; }
  #folder button { justify-self: start; }
  .ways { display: grid; gap: 0.5rem; }
  .way { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: 0.9rem; padding: 0.7rem 0.9rem; min-height: 2.75rem; border-radius: 10px; color: var(--ink); text-decoration: none; background: var(--sunken); }
  .way:hover { background: var(--accent-tint); }
  .way span { display: grid; }
  .way span span { color: var(--soft); font-size: 0.8125rem; }
  .way svg { color: var(--soft); }
`;

/** Whether the user has made a change that is not saved. */
let isUnsaved = false;
/** The names of the fields with such a change. */
const changed = new Set();
/** Whether the form has had the settings of the server. */
let isFilled = false;

/** Shows beside the button whether the settings are saved. */
function say(text, isChange = false) {
  isUnsaved = isChange;
  if (!isChange) changed.clear();
  byId("settings-form").classList.toggle("unsaved", isChange);
  setText(byId("settings-said"), text);
}

const fields = () => [...byId("settings-form").elements].filter((element) => element.name);

/** Shows the settings. A field with a change that is not saved keeps the change. */
function fill(settings) {
  isFilled = true;
  for (const element of fields().filter(({ name }) => !changed.has(name))) {
    const value = settings[element.name] ?? "";
    element.value = value;
    // The command line accepts any height.
    if (element.value !== value && element.tagName === "SELECT") {
      element.append(option(value));
      element.value = value;
    }
  }
  setText(byId("settings-error"), "");
}

async function load() {
  if (isUnsaved && isFilled) return;
  if (!isUnsaved) say("");
  try {
    const settings = await api.settings();
    // The form may appear before the first answer, and the user may then have changed a field.
    if (!isUnsaved || !isFilled) fill(settings);
  } catch (error) {
    setText(byId("settings-error"), error.message);
  }
}

/**
 * Shows the parts when each one has its content, because a part that grows moves the parts below and
 * beside it. Waits for a second at most.
 */
async function open() {
  const late = new Promise((resolve) => { setTimeout(resolve, 1000); });
  await Promise.race([Promise.allSettled([load(), folder.draw(), devices.loaded, machines.loaded]), late]);
  show(byId("settings-parts"), true);
}

async function save(event) {
  event.preventDefault();
  // Before the first answer, the other fields do not have the settings of the server.
  const known = fields().filter(({ name }) => isFilled || changed.has(name));
  const values = Object.fromEntries(known.map((element) => [element.name, element.value.trim()]));
  try {
    const settings = await api.setSettings(values);
    say("Saved");
    fill(settings);
    announce("The settings are saved.");
  } catch (error) {
    setText(byId("settings-error"), error.message);
  }
}

/** Connects the settings to the page. */
export function start() {
  adopt(style);
  bookmarklet.start();
  devices.start();
  machines.start();
  mount("settings-section", markup);
  places.onChange(({ name }, former) => {
    if (name !== "settings" || former === name) return;
    open();
  });
  byId("settings-form").addEventListener("submit", save);
  byId("settings-form").addEventListener("input", ({ target }) => {
    changed.add(target.name);
    say("Not saved yet", true);
  });
}
