// SPDX-License-Identifier: Apache-2.0
// The page: its parts, its sections, the state of the connection and the state of the network.

import * as activity from "/activity.js";
import * as continuing from "/continue.js";
import * as diagnostics from "/diagnostics.js";
import * as dialog from "/dialog.js";
import { announce, byId, setText, show } from "/dom.js";
import * as downloads from "/downloads.js";
import * as feeds from "/feeds.js";
import * as inbox from "/inbox.js";
import * as itemPage from "/item.js";
import * as lessons from "/lessons.js";
import * as library from "/library.js";
import * as look from "/look.js";
import * as playback from "/playback.js";
import * as player from "/player.js";
import * as presence from "/presence.js";
import * as refresh from "/refresh.js";
import * as settings from "/settings.js";
import * as store from "/store.js";
import * as upkeep from "/upkeep.js";

// The sections' ids differ from the address fragments, so that the browser does not scroll to them.
const sections = [...document.querySelectorAll("nav a")].map((link) => link.dataset.section);

let current = "";

function showSection() {
  const wanted = location.hash.slice(1);
  if (wanted === "main") return;
  // The player covers the section beneath, which stays.
  if (player.follow(location.hash) && current) return;
  const isItem = itemPage.follow(location.hash);
  const name = sections.includes(wanted) ? wanted : "library";
  for (const id of sections) show(byId(`${id}-section`), id === name && !isItem);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.section === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  current = name;
  activity.setVisible(name === "activity" && !document.hidden);
  lessons.setVisible(name === "lessons");
  // On a phone the focus would open the on-screen keyboard.
  if (name === "downloads" && matchMedia("(hover: hover)").matches) {
    byId("address").focus({ preventScroll: true });
  }
  scrollTo(0, 0);
}

function showLink(state) {
  const texts = { connecting: "Connecting…", open: "Connected", lost: "Reconnecting…" };
  byId("link").dataset.state = state;
  setText(byId("link-text"), texts[state]);
  setText(byId("lost"), state === "lost"
    ? "Connection lost, reconnecting… Downloads continue if “offline serve” is running." : "");
  show(byId("lost"), state === "lost");
}

let network = "unknown";

function showNetwork(state) {
  // The strip announces the loss of the network, but its removal announces nothing.
  if (network === "offline" && state === "online") announce("The network is back. Downloads continue.");
  network = state;
  setText(byId("offline"), state === "offline"
    ? "Offline: downloads wait, and continue when the network is back." : "");
  show(byId("offline"), state === "offline");
}

dialog.start();
library.start();
continuing.start(byId("continue"));
downloads.start();
feeds.start();
settings.start();
look.start();
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
store.on("link", showLink);
store.on("network", showNetwork);
addEventListener("hashchange", showSection);
document.addEventListener("visibilitychange", () =>
  activity.setVisible(current === "activity" && !document.hidden));

// A link or a shared text may open the page with addresses: they stay in the field until the user
// submits them.
const parameters = new URLSearchParams(location.search);
const offered = parameters.get("url") ?? parameters.get("text");
if (location.pathname === "/add" || location.search) {
  history.replaceState(null, "", offered ? "/#downloads" : `/${location.hash}`);
}
showSection();
if (offered) {
  downloads.offer(offered, { title: parameters.get("title"), page: parameters.get("referrer") });
}
store.connect();
