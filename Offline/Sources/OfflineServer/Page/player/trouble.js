// SPDX-License-Identifier: Apache-2.0
// Explains why the playback stopped, and offers a remedy.

import * as local from "../local/films.js";
import { mediaAddress, saveAddress } from "../shared/api.js";
import { button, byId, css, el, icon } from "../shared/dom.js";
import * as store from "../shared/store.js";

/** The style of the message. */
export const style = css`
  .trouble {
    z-index: 1; display: grid; justify-items: center; gap: 0.9rem; max-width: 30rem; padding: 1.4rem; margin: 1rem; text-align: center;
    background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius);
  }
  .trouble > svg { width: 2rem; height: 2rem; color: var(--accent); }
  .trouble :is(button, .button) { min-height: 2.75rem; border-color: var(--edge); }
`;

/** The message while the server is not reachable. */
export const gone = "The server is not reachable. Start it with “offline serve” in a terminal.";

function explain(status) {
  if (status === 0) return `${gone} Playing then goes on by itself.`;
  if (status === 404) return "The file is missing. Refresh the library to compare it with the disk.";
  if (status === 403) return "This browser is no longer let in. Open the address that “offline serve” prints.";
  return "This browser cannot play the file. Save a copy and open it with another player.";
}

/**
 * Watches a media element. `reload` loads the file again. Returns an object with `isWaiting`, which
 * is true while the server is not reachable, and with `end`, which removes the message.
 */
export function watch(item, media, place, reload) {
  const state = { isWaiting: false, end };
  const isCopy = () => media.src.startsWith("blob:");
  media.addEventListener("error", async () => {
    if (isCopy()) {
      // If the server's file plays in this browser, the kept copy is damaged.
      media.addEventListener("playing", () => { local.drop(item.id).catch(() => {}); }, { once: true });
      local.check(item.id).catch(() => {});
      media.src = mediaAddress(item.id);
      reload();
      return;
    }
    const status = await fetch(media.src, { method: "HEAD" }).then((response) => response.status, () => 0);
    if (media.isConnected && media.error) tell(status);
  });
  // A browser waits a long time for an unreachable server before giving up.
  media.addEventListener("waiting", () => { if (media.isConnected && !store.isConnected() && !isCopy()) tell(0); });
  media.addEventListener("playing", end);
  return state;

  function tell(status) {
    end();
    state.isWaiting = status === 0;
    place.append(el("div", { id: "player-trouble", class: "trouble", role: "alert" },
      icon("alert"), el("p", { text: explain(status) }),
      status >= 200 && status < 300
        ? el("a", { class: "button", download: true, href: saveAddress(item.id), text: "Save a copy" })
        : button("Try again", { onclick: reload })));
  }

  function end() {
    byId("player-trouble")?.remove();
    state.isWaiting = false;
  }
}
