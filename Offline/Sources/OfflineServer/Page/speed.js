// SPDX-License-Identifier: Apache-2.0
// The limit on the speed of all downloads together, beside them.

import { api } from "./api.js";
import { showError } from "./dialog.js";
import { adopt, announce, byId, css, el } from "./dom.js";
import * as places from "./places.js";

const usual = [["none", "No limit"], ["500K", "500 kB/s"], ["1M", "1 MB/s"], ["2M", "2 MB/s"], ["5M", "5 MB/s"], ["10M", "10 MB/s"]];

/** The choice of the limit. */
export const choice = el("label", { class: "speed" },
  el("span", { text: "Speed" }),
  el("select", { id: "speed", onchange: change }));

adopt(css`
  .speed { display: flex; align-items: center; gap: 0.5rem; color: var(--soft); font-size: 0.9375rem; }
  .speed select { min-height: 2.5rem; padding-block: 0.2rem; font-size: 0.9375rem; }
  @media (max-width: 600px) {
    .speed span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  }
  @media (max-width: 600px), (pointer: coarse) { .speed select { min-height: 2.75rem; } }
`);

/** Shows the limit of the settings, also one that is not among the usual ones. */
function draw({ limit }) {
  const known = usual.some(([value]) => value === limit);
  byId("speed").replaceChildren(...[...usual, ...(known ? [] : [[limit, `${limit}B/s`]])].map(([value, text]) =>
    el("option", { value, text })));
  byId("speed").value = limit;
}

async function load() {
  try {
    draw(await api.settings());
  } catch {
    // The next visit of the place loads again.
  }
}

async function change(event) {
  try {
    draw(await api.setSettings({ limit: event.target.value }));
    announce("The speed limit is saved.");
  } catch (error) {
    await showError("The speed limit was not saved", error);
    await load();
  }
}

/** Loads the limit whenever the downloads are shown. */
export const start = () => places.onChange(({ name }, former) => {
  if (name === "downloads" && former !== name) load();
});
