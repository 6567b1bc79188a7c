// SPDX-License-Identifier: Apache-2.0
// The settings of all downloads, in the section of the downloads.

import { api } from "/api.js";
import { adopt, announce, byId, css, el, mount, setText } from "/dom.js";

const counts = ["auto", ...Array.from({ length: 16 }, (_, index) => String(index + 1))];
const choice = (id, label) => [
  el("label", { for: id, text: label }),
  el("select", { id, name: id.replace("setting-", "") },
    ...counts.map((value) => el("option", { value, text: value === "auto" ? "Automatic" : value }))),
];
const field = (id, label, hint) => [
  el("label", { for: id, text: label }),
  el("input", {
    id, name: id.replace("setting-", ""), type: "text", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", "aria-describedby": `${id}-hint settings-error`,
  }),
  el("p", { id: `${id}-hint`, class: "hint", text: hint }),
];

const markup = [
  el("details", { id: "settings", class: "settings" },
    el("summary", { text: "Settings of all downloads" }),
    el("form", { id: "settings-form", novalidate: true },
      ...choice("setting-downloads", "Downloads at once"),
      ...choice("setting-per-host", "Downloads and connections to one server"),
      ...field("setting-limit", "Speed of all downloads together, in bytes per second",
        "“none”, or such as 500K or 2M. Recordings ignore it."),
      ...field("setting-hours", "Hours in which to download",
        "“always”, or the local time from and to, such as 23:00-07:00. Recordings ignore it."),
      el("button", { type: "submit", text: "Save settings" }),
      el("p", { id: "settings-error", class: "error", role: "alert" }))),
];

const style = css`
  .settings { margin-top: 2rem; font-size: 0.9375rem; }
  .settings summary { cursor: pointer; color: var(--soft); width: fit-content; }
  .settings form { display: grid; gap: 0.3rem; max-width: 30rem; margin-top: 0.75rem; }
  .settings label { margin-top: 0.5rem; }
  .settings .hint { color: var(--soft); font-size: 0.8125rem; }
  .settings button { justify-self: start; margin-top: 0.75rem; }
`;

const fields = () => [...byId("settings-form").elements].filter((element) => element.name);

function fill(settings) {
  for (const element of fields()) element.value = settings[element.name] ?? "";
  setText(byId("settings-error"), "");
}

async function load() {
  if (!byId("settings").open) return;
  try {
    fill(await api.settings());
  } catch (error) {
    setText(byId("settings-error"), error.message);
  }
}

async function save(event) {
  event.preventDefault();
  const values = Object.fromEntries(fields().map((element) => [element.name, element.value.trim()]));
  try {
    fill(await api.setSettings(values));
    announce("The settings are saved.");
  } catch (error) {
    setText(byId("settings-error"), error.message);
  }
}

/** Connects the settings to the page. */
export function start() {
  adopt(style);
  mount("downloads-section", markup);
  byId("settings").addEventListener("toggle", load);
  byId("settings-form").addEventListener("submit", save);
}
