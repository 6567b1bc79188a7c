// SPDX-License-Identifier: Apache-2.0
// The page: which section is shown, and whether the server is there.

import * as activity from "/activity.js";
import * as diagnostics from "/diagnostics.js";
import { announce, byId, setText, show } from "/dom.js";
import * as downloads from "/downloads.js";
import * as inbox from "/inbox.js";
import * as lessons from "/lessons.js";
import * as library from "/library.js";
import * as player from "/player.js";
import * as presence from "/presence.js";
import * as refresh from "/refresh.js";
import * as store from "/store.js";

// Sections are not named as their addresses are: the browser would scroll to them.
const sections = [...document.querySelectorAll("nav a")].map((link) => link.dataset.section);

let lookedAt = "";

function showSection() {
  const wanted = location.hash.slice(1);
  if (wanted === "main") return;
  const name = sections.includes(wanted) ? wanted : "library";
  for (const id of sections) show(byId(`${id}-section`), id === name);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.section === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  lookedAt = name;
  activity.look(name === "activity" && !document.hidden);
  lessons.look(name === "lessons");
  // On a phone the focus would open the keyboard over half of the page.
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
    ? "Connection lost, reconnecting… Downloads go on if “offline serve” is running." : "");
  show(byId("lost"), state === "lost");
}

let network = "unknown";

function showNetwork(state) {
  // The strip announces that the network is gone; nothing of it would tell that it is back.
  if (network === "offline" && state === "online") announce("The network is back, downloads go on.");
  network = state;
  setText(byId("offline"), state === "offline"
    ? "Offline: downloads wait, and go on by themselves when the network is back." : "");
  show(byId("offline"), state === "offline");
}

// A notification outside of the page led here: the item plays as soon as it is known.
let awaited = /^#play-(\d+)$/.exec(location.hash)?.[1];

function playAwaited() {
  const item = awaited && store.item(Number(awaited));
  awaited = undefined;
  if (location.hash.startsWith("#play-")) history.replaceState(null, "", "/#library");
  if (item?.state === "ready") player.play(item);
}

library.start();
downloads.start();
lessons.start();
player.start();
refresh.start();
inbox.start();
diagnostics.start();
activity.start();
presence.start();
store.on("link", showLink);
store.on("snapshot", playAwaited);
store.on("network", showNetwork);
addEventListener("hashchange", () => {
  awaited = /^#play-(\d+)$/.exec(location.hash)?.[1];
  if (awaited) playAwaited();
  showSection();
});
document.addEventListener("visibilitychange", () =>
  activity.look(lookedAt === "activity" && !document.hidden));

// Somebody was led here with an address: it waits in the box until the person decides.
const offered = new URLSearchParams(location.search).get("url");
if (location.pathname === "/add" || location.search) {
  history.replaceState(null, "", offered ? "/#downloads" : `/${location.hash}`);
}
showSection();
if (offered) downloads.offer(offered);
store.connect();
