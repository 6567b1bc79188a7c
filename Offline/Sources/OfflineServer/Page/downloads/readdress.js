// SPDX-License-Identifier: Apache-2.0
// The form to replace the expired address of a failed item.

import { api } from "../shared/api.js";
import { adopt, announce, css, el, setText } from "../shared/dom.js";

adopt(css`
  .renew summary { cursor: pointer; color: var(--soft); width: fit-content; font-size: 0.9375rem; }
  @media (max-width: 600px) { .renew summary { padding-block: 0.7rem; } }
  .renew form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin-top: 0.5rem; }
  .renew label { display: grid; gap: 0.3rem; flex: 1 1 16rem; font-size: 0.9375rem; }
`);

/** Creates the form. `item` returns the item. */
export function addressForm(item) {
  const error = el("p", { class: "error", role: "alert" });
  const field = el("input", {
    type: "url", inputmode: "url", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
    required: true, placeholder: "https://…",
  });
  const label = el("label", {}, el("span", { text: "New address of the same media" }), field);
  const element = el("details", { class: "renew" },
    el("summary", { text: "Use a new address" }),
    el("form", { novalidate: true, onsubmit: submit }, label,
      el("button", { type: "submit", text: "Retry with this address" })),
    error);
  return element;

  async function submit(event) {
    event.preventDefault();
    setText(error, "");
    const address = field.value.trim();
    if (!address) {
      setText(error, "The address is missing. Paste an address.");
      field.focus();
      return;
    }
    try {
      const { title } = await api.retry(item().id, address);
      field.value = "";
      element.open = false;
      announce(`${title} is queued with its new address.`);
    } catch (failure) {
      setText(error, failure.message);
      field.focus();
    }
  }
}
