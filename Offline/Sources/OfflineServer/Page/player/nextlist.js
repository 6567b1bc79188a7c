// SPDX-License-Identifier: Apache-2.0
// The list of the next items, at the side of the player.

import { adopt, announce, button, byId, css, el, icon, reconcile, setText, show } from "../shared/dom.js";
import * as store from "../shared/store.js";
import * as upnext from "./upnext.js";

const style = css`
  .upnext { padding: 0.9rem 0.75rem; display: grid; gap: 0.35rem; }
  .upnext .next-head { display: flex; align-items: center; gap: 0.75rem; padding-inline: 0.5rem; }
  .upnext h2 { font-size: 1rem; flex: 1; }
  .upnext h3 { font-size: 0.875rem; font-weight: 560; color: var(--soft); padding: 0.4rem 0.5rem 0; overflow-wrap: anywhere; }
  .upnext ol { list-style: none; padding: 0; margin: 0; display: grid; }
  .upnext li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; }
  .upnext li .go-to { min-height: 2.75rem; padding-inline: 0.5rem; justify-content: start; text-align: start; border: 0; background: none; font-weight: 500; min-width: 0; }
  .upnext li .go-to span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .upnext li button:hover { background: rgb(255 255 255 / 10%); }
  .upnext li .icon { min-height: 2.75rem; width: 2.75rem; color: var(--soft); }
  .upnext .next-head button { min-height: 2.75rem; border-color: var(--edge); }
  .upnext p { color: var(--soft); font-size: 0.875rem; padding-inline: 0.5rem; }
`;

/** The maximum number of listed items of a collection. */
const most = 20;
const views = new Map();
const restViews = new Map();

/**
 * Creates the list. `skip` goes to the next item, `jump` goes to an item in the list, and
 * `drawSide` shows the panel.
 */
export function makeList({ skip, jump, drawSide }) {
  adopt(style);
  const list = el("ol", { id: "player-queue", role: "list" });
  const from = el("h3", { id: "player-rest-title" });
  const rest = el("ol", { id: "player-rest", role: "list", "aria-labelledby": "player-rest-title" });
  const more = el("p");
  const element = el("section", { id: "player-next", class: "upnext", "aria-labelledby": "player-next-title", hidden: true },
    el("div", { class: "next-head" }, el("h2", { id: "player-next-title", text: "Up next" }),
      button("Next", { id: "player-skip", title: "Next (N)", onclick: skip })),
    list, from, rest, more);

  const make = (canRemove) => (first) => {
    let item = first;
    const title = el("span");
    const goTo = el("button", { type: "button", class: "go-to", onclick: () => jump(item) }, title);
    const drop = el("button", {
      type: "button", class: "icon", title: "Remove from the queue",
      onclick: () => {
        announce(`${item.title} does not play next any more.`);
        upnext.remove(item.id);
        if (!element.contains(document.activeElement) || element.hidden) byId("player").focus({ preventScroll: true });
      },
    }, icon("close"));
    return {
      element: el("li", {}, goTo, canRemove ? drop : undefined),
      update(next) {
        item = next;
        setText(title, item.title);
        goTo.setAttribute("aria-label", `Play ${item.title} now`);
        drop.setAttribute("aria-label", `Remove ${item.title} from the queue`);
      },
    };
  };

  function draw() {
    const found = upnext.candidates(1);
    const ofCollection = found.filter(({ isOfCollection }) => isOfCollection);
    const shown = ofCollection.slice(0, most);
    const lacking = shown.filter(({ title }) => title === "").map(({ id }) => id);
    if (lacking.length > 0) store.load(lacking).catch(() => {});
    reconcile(list, views, upnext.queue(), ({ id }) => id, make(true));
    reconcile(rest, restViews, shown.filter(({ title }) => title !== ""), ({ id }) => id, make(false));
    show(from, ofCollection.length > 0);
    setText(from, `From “${upnext.collection()?.name ?? ""}”`);
    show(more, ofCollection.length > most);
    setText(more, `and ${ofCollection.length - most} more`);
    show(element, found.length > 0);
    drawSide(found[0]?.title);
  }
  upnext.onChange(draw);
  store.on("items", draw);
  return { element, draw };
}
