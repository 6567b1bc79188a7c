// SPDX-License-Identifier: Apache-2.0
// A modal sheet for questions and messages.

import { adopt, byId, css, el, mount } from "./dom.js";

const markup = [
  el("h2", { id: "ask-title" }),
  el("div", { id: "ask-body" }),
  el("div", { id: "ask-buttons", class: "buttons end" }),
];

const style = css`
  .buttons.end { justify-content: flex-end; margin-top: 1.4rem; }
  .sheet h2 { font-size: 1.1875rem; overflow-wrap: anywhere; }
  #ask-body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem; margin-top: 0.7rem; color: var(--soft); }
  #ask-body progress { margin-block: 0.5rem; }
  @media (max-width: 600px) { .buttons.end { flex-direction: column-reverse; } }
`;

/**
 * Shows a sheet and returns the value of the button that closed the sheet, or undefined for Escape.
 * `buttons` are {label, value, kind}. A sheet without buttons closes only with `close`.
 */
export function ask({ title, body = [], buttons = [] }) {
  const sheet = byId("ask");
  byId("ask-title").textContent = title;
  byId("ask-body").replaceChildren(...body.map((part) => (
    typeof part === "string" ? el("p", { text: part }) : part)));
  return new Promise((resolve) => {
    let answer;
    const made = buttons.map(({ label, value, kind }) => el("button", {
      type: "button", class: kind ?? "", text: label,
      onclick: () => { answer = value; sheet.close(); },
    }));
    byId("ask-buttons").replaceChildren(...made);
    sheet.oncancel = (event) => { if (buttons.length === 0) event.preventDefault(); };
    // The event is asynchronous, so the sheet may already be open again with the next question.
    sheet.onclose = () => { if (!sheet.open) resolve(answer); };
    if (!sheet.open) sheet.showModal();
    // A button that deletes never gets the focus, so that a hasty Enter does no harm.
    (made.find((button) => button.classList.contains("primary")) ?? made[0])?.focus();
  });
}

/** Closes the sheet of a question without buttons. */
export function close() {
  const sheet = byId("ask");
  sheet.onclose = null;
  if (sheet.open) sheet.close();
}

/** Shows an error. */
export const showError = (title, error) => ask({
  title, body: [error.message], buttons: [{ label: "Close", kind: "primary" }],
});

/** Fills the sheet's element on the page. */
export function start() {
  adopt(style);
  mount("ask", markup);
}
