// SPDX-License-Identifier: Apache-2.0
// A link for the bookmarks bar. The link opens this page with the media of the current page.

import { adopt, announce, button, byId, css, el } from "../shared/dom.js";

// The code runs in any page, so the code is short, opens one address, and gives the other page no
// reference to this page.
const code = `(() => {
  const places = [...document.querySelectorAll("video, audio")].map((each) =>
    [each.currentSrc, each.src, ...[...each.querySelectorAll("source")].map((source) => source.src)]
      .find((place) => /^https?:/.test(place))).filter(Boolean);
  open("ORIGIN/add?" + new URLSearchParams({
    text: [...new Set(places)].slice(0, 20).join("\\n") || location.href,
    title: document.title.slice(0, 300),
    referrer: location.href.length > 2000 ? location.origin : location.href }), "_blank", "noopener");
})()`;

const address = `javascript:${encodeURIComponent(code.replace("ORIGIN", location.origin).replace(/\n\s+/g, " "))}`;

const link = el("a", {
  id: "bookmarklet", class: "button", href: address, text: "Keep with offline",
  onclick: (event) => {
    event.preventDefault();
    announce("Drag this link to the bookmarks bar of your browser, or copy it into a new bookmark.");
  },
});

export const markup = [
  el("p", { text: "Drag this link to the bookmarks bar of your browser, and click it there on a page with a film:" }),
  el("div", { class: "buttons" }, link, button("Copy the link", { id: "bookmarklet-copy", onclick: copy })),
  el("p", {
    text: "The browser extension also finds the streams that a player loads. The folder share/offline/Extension "
      + "of an installation contains it, and the manual “Sites” says how to load it.",
  }),
];

const style = css`
  #from-anywhere p { color: var(--soft); }
`;

async function copy() {
  try {
    await navigator.clipboard.writeText(address);
    announce("The link was copied. Paste it as the address of a new bookmark.");
  } catch {
    // Unencrypted pages of other machines have no clipboard, so select the text instead.
    getSelection().selectAllChildren(byId("bookmarklet"));
    announce("The browser allows no copy here. Drag the link instead.");
  }
}

/** Adds the style of the part. */
export const start = () => adopt(style);
