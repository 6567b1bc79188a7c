// SPDX-License-Identifier: Apache-2.0
// One modal sheet for questions and closing messages.

import { byId, el } from "/dom.js";

/**
 * Shows a sheet and returns the value of the button that closed it, undefined for Escape.
 * `buttons` are {label, value, kind}; an empty list makes a sheet that only `close` ends.
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
    // The event comes late: by then the sheet may be open again, with the next question.
    sheet.onclose = () => { if (!sheet.open) resolve(answer); };
    if (!sheet.open) sheet.showModal();
    // Never on what deletes: a hasty Enter does no harm.
    (made.find((button) => button.classList.contains("primary")) ?? made[0])?.focus();
  });
}

/** Closes the sheet of a question without buttons. */
export function close() {
  const sheet = byId("ask");
  sheet.onclose = null;
  if (sheet.open) sheet.close();
}

/** Tells that something did not work. */
export const tell = (title, error) => ask({
  title, body: [error.message], buttons: [{ label: "Close", kind: "primary" }],
});
