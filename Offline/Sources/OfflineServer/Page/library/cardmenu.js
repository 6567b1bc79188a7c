// SPDX-License-Identifier: Apache-2.0
// The menu of a card in the Library, and the fold that replaces the card while the user can undo
// the removal.

import { isPlayable } from "../player/playback.js";
import { playNext } from "../player/player.js";
import { saveAddress } from "../shared/api.js";
import { adopt, button, css, el, icon, menu, show } from "../shared/dom.js";
import { collect, takeOut } from "./collectdialog.js";
import * as removal from "./removal.js";
import * as reorder from "./reorder.js";
import * as shelf from "./shelf.js";
import { rename } from "./titles.js";

adopt(css`
  .card .menu > div { min-width: 11rem; }
  .card .folded { grid-column: 1 / -1; display: grid; gap: 0.6rem; padding: 1rem; border: 1px dashed var(--edge); border-radius: var(--radius); overflow-wrap: anywhere; }
  .card.gone > :not(.folded) { display: none; }
`);

/**
 * Creates the menu of an item. `update` also folds or unfolds the card. The menu gets the content
 * when the user first opens the menu, because a library shows a hundred menus and a user opens one.
 */
export function makeActions(item) {
  const more = menu("", { onclick: ({ target }) => { if (!target.closest("summary")) more.open = false; } });
  const summary = more.querySelector("summary");
  const element = el("div", { class: "acts" }, more);
  let content;
  summary.addEventListener("click", () => {
    content ??= makeContent(item, summary);
    more.lastElementChild.append(...content.buttons);
    content.update();
  }, { once: true });
  return {
    element,
    update(card) {
      summary.setAttribute("aria-label", `More for ${item().title}`);
      content?.update();
      drawFold(card, item(), summary);
    },
  };
}

function makeContent(item, summary) {
  const next = el("button", { type: "button", onclick: () => playNext([item()]) }, icon("play-next"), "Play next");
  const gather = act(icon("collection"), "Collection…", () => collect([item()]));
  const up = act(icon("up"), "Move up", () => reorder.step(item(), -1));
  const down = act(icon("down"), "Move down", () => reorder.step(item(), 1));
  const out = act(icon("close"), "Take out of the collection", () => takeOut(shelf.choice().collection, [item()]));
  const edit = el("button", { type: "button", onclick: () => rename(item()) }, icon("edit"), "Rename");
  const save = el("a", { class: "button", download: true }, icon("save"), "Save a copy");
  const remove = el("button", {
    type: "button", onclick: () => {
      const card = summary.closest(".card");
      removal.begin([item()]);
      card.querySelector(".undo").focus();
    },
  }, icon("trash"), "Remove");

  /**
   * Creates a button that closes the menu. Afterwards the menu gets the focus, unless the focus
   * went elsewhere.
   */
  function act(picture, text, action) {
    return el("button", {
      type: "button", onclick: async () => {
        await action();
        if (document.activeElement === document.body && summary.isConnected) summary.focus();
      },
    }, picture, text);
  }

  return {
    buttons: [next, gather, up, down, out, edit, save, remove],
    update() {
      const { id, title } = item();
      show(next, isPlayable(item()));
      for (const each of [up, down]) show(each, reorder.isPossible());
      show(out, shelf.choice().collection > 0);
      save.href = saveAddress(id);
      const labels = [
        [next, `Play ${title} next`], [gather, `Collections of ${title}`],
        [up, `Move ${title} up`], [down, `Move ${title} down`], [out, `Take ${title} out of the collection`],
        [edit, `Rename ${title}`], [save, `Save a copy of ${title}`], [remove, `Remove ${title}`],
      ];
      for (const [each, text] of labels) each.setAttribute("aria-label", text);
    },
  };
}

/**
 * Folds the card while the item waits for removal. One of several cards offers the Undo for all.
 */
function drawFold(card, item, summary) {
  const isGone = removal.isPending(item.id);
  const before = card.querySelector(".folded");
  card.classList.toggle("gone", isGone);
  if (!isGone) {
    before?.remove();
    return;
  }
  removal.place(item.id, card);
  const size = removal.size(item.id);
  const kind = removal.isLeader(item.id) ? `leader ${size}` : "";
  if (before?.dataset.kind === kind) return;
  before?.remove();
  const isOne = size === 1;
  card.append(el("div", { class: "folded", "data-kind": kind },
    el("p", { text: isOne ? `“${item.title}” is removed, and its file with it.`
      : kind ? `${size} items are removed, and their files with them.` : `“${item.title}” is removed.` }),
    kind ? el("div", { class: "buttons" },
      button("Undo", {
        class: "primary undo", "aria-label": isOne ? `Undo: keep ${item.title}` : `Undo: keep ${size} items`,
        onclick: () => { removal.undo(item.id); summary.focus(); },
      }),
      button(isOne ? "Keep the file" : "Keep the files", { onclick: () => removal.keepFile(item.id) })) : undefined));
}
