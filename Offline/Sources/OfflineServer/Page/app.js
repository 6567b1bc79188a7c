// SPDX-License-Identifier: Apache-2.0
// The page: its parts, the state of the connection and the state of the network.

import * as activity from "./activity.js";
import * as continuing from "./continue.js";
import * as diagnostics from "./diagnostics.js";
import * as dialog from "./dialog.js";
import { announce, byId, el, setText, show } from "./dom.js";
import * as downloads from "./downloads.js";
import * as feeds from "./feeds.js";
import * as field from "./field.js";
import * as home from "./home.js";
import * as inbox from "./inbox.js";
import * as install from "./install.js";
import * as itemPage from "./item.js";
import * as localControl from "./localcontrol.js";
import * as local from "./localfilms.js";
import * as storage from "./localstore.js";
import * as lessons from "./lessons.js";
import * as library from "./library.js";
import * as places from "./places.js";
import * as playback from "./playback.js";
import * as player from "./player.js";
import * as presence from "./presence.js";
import * as refresh from "./refresh.js";
import * as removal from "./removal.js";
import * as settings from "./settings.js";
import * as store from "./store.js";
import * as upkeep from "./upkeep.js";

let wasOpen = false;
const lost = el("span");
const toKept = el("a", { href: "#kept", text: `See what is kept ${storage.where}`, hidden: true });
byId("lost").append(lost, " ", toKept);

/** Shows what plays without the server, if the page needs it. */
async function showKept() {
  const isLost = byId("link").dataset.state === "lost" && local.list().length > 0;
  // Home lists it itself.
  show(toKept, isLost && !places.isShown("home") && !places.isShown("kept"));
  if (isLost || places.isShown("kept")) await import("./localplace.js");
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

// A part that could not be loaded is loaded at the next change.
const followKept = () => showKept().catch(() => {});

let network = "unknown";

function showNetwork(state) {
  // The strip announces the loss of the network, but its removal announces nothing.
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

// A link or a shared text may open the page with addresses: they stay in the field until the user
// submits them.
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
// For loading.js, which sees no module.
document.documentElement.dataset.isWhole = "true";
