// SPDX-License-Identifier: Apache-2.0
// The page with the parts, the state of the connection and the state of the network.

import * as activity from "./developer/activity.js";
import * as diagnostics from "./developer/diagnostics.js";
import * as lessons from "./developer/lessons.js";
import * as downloads from "./downloads/downloads.js";
import * as feeds from "./downloads/feeds.js";
import * as field from "./downloads/field.js";
import * as home from "./home.js";
import * as continuing from "./library/continue.js";
import * as itemPage from "./library/item.js";
import * as library from "./library/library.js";
import * as refresh from "./library/refresh.js";
import * as removal from "./library/removal.js";
import * as upkeep from "./library/upkeep.js";
import * as localControl from "./local/control.js";
import * as local from "./local/films.js";
import * as storage from "./local/storage.js";
import * as inbox from "./notifications/inbox.js";
import * as presence from "./notifications/presence.js";
import * as playback from "./player/playback.js";
import * as player from "./player/player.js";
import * as settings from "./settings/settings.js";
import * as dialog from "./shared/dialog.js";
import { announce, byId, el, setText, show } from "./shared/dom.js";
import * as install from "./shared/install.js";
import * as places from "./shared/places.js";
import * as store from "./shared/store.js";

let wasOpen = false;
const lost = el("span");
const toKept = el("a", { href: "#kept", text: `See what is kept ${storage.where}`, hidden: true });
byId("lost").append(lost, " ", toKept);

/** Shows the items that play without the server, if the page needs these items. */
async function showKept() {
  const isLost = byId("link").dataset.state === "lost" && local.list().length > 0;
  // Home has a list of these items anyway.
  show(toKept, isLost && !places.isShown("home") && !places.isShown("kept"));
  if (isLost || places.isShown("kept")) await import("./library/kept.js");
}

function showLink(state) {
  wasOpen ||= state === "open";
  const texts = { connecting: "Connecting…", open: "Connected", lost: "Reconnecting…" };
  byId("link").dataset.state = state;
  setText(byId("link-text"), texts[state]);
  setText(lost, state === "lost"
    ? (wasOpen ? "Connection lost, reconnecting… Downloads continue if “offline serve” is running."
      : "Your library does not respond. Start it with “offline serve” on the machine that keeps it.") : "");
  show(byId("lost"), state === "lost");
  followKept();
}

// If a part could not be loaded, the next change loads the part again.
const followKept = () => showKept().catch(() => {});

let network = "unknown";

function showNetwork(state) {
  // The strip announces the loss of the network, but announces nothing when the strip disappears.
  if (network === "offline" && state === "online") announce("The network is back. Downloads continue.");
  network = state;
  setText(byId("offline"), state === "offline"
    ? "Offline: downloads wait, and continue when the network is back." : "");
  show(byId("offline"), state === "offline");
}

const followActivity = () => activity.setVisible(places.isShown("activity") && !document.hidden);

dialog.start();
field.start();
home.start();
library.start();
continuing.start(byId("continue"));
downloads.start();
feeds.start();
local.start();
localControl.start();
settings.start();
lessons.start();
playback.start();
player.start();
itemPage.start();
refresh.start();
upkeep.start();
inbox.start();
diagnostics.start();
activity.start();
presence.start();
install.start();
removal.start();
store.on("link", showLink);
store.on("network", showNetwork);
document.addEventListener("visibilitychange", followActivity);
local.onChange(followKept);
places.onChange(({ name }) => {
  followActivity();
  followKept();
  lessons.setVisible(name === "lessons");
  byId("more-places").hidePopover();
});

// A link or a shared text may open the page with addresses. The addresses stay in the field until
// the user submits the form.
const parameters = new URLSearchParams(location.search);
const offered = parameters.get("url") ?? parameters.get("text");
if (location.pathname === "/add" || location.search) {
  history.replaceState(null, "", offered ? "/#home" : `/${location.hash}`);
}
places.start();
if (offered) {
  field.offer(offered, { title: parameters.get("title"), page: parameters.get("referrer") });
}
store.start();
// For `loading.js`, which imports no module.
document.documentElement.dataset.isWhole = "true";
