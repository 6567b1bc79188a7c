// SPDX-License-Identifier: Apache-2.0
// Elements from values. Text only ever becomes text nodes; nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

/** Returns the element with this id. */
export const byId = (id) => document.getElementById(id);

/** Makes an element; properties starting with `on` are listeners, `data-…`/`aria-…` attributes. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

/** Makes a picture of the page's own set. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** Changes an element's text only if it differs, so that nothing is announced or selected anew. */
export function setText(element, text) {
  const value = text ?? "";
  if (element.textContent !== value) element.textContent = value;
}

/** Shows or hides an element. */
export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/**
 * Brings a list's children in line with `items`: views are made once for each key, updated in
 * place and moved only when the order changed, so focus and playing pictures stay.
 */
export function reconcile(list, views, items, key, make) {
  const wanted = new Set(items.map(key));
  for (const [id, view] of views) {
    if (wanted.has(id)) continue;
    const hadFocus = view.element.contains(document.activeElement);
    const neighbour = view.element.nextElementSibling ?? view.element.previousElementSibling;
    view.element.remove();
    views.delete(id);
    if (hadFocus) focusIn(neighbour ?? list.closest("section")?.querySelector("h1"));
  }
  let place = list.firstElementChild;
  for (const item of items) {
    let view = views.get(key(item));
    if (!view) {
      view = make(item);
      views.set(key(item), view);
    }
    view.update(item);
    if (view.element === place) place = place.nextElementSibling;
    else list.insertBefore(view.element, place);
  }
}

function focusIn(element) {
  if (!element) return;
  const target = element.querySelector?.("summary, button, a[href], input") ?? element;
  if (target === element && !target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Says something to people who listen to the page. */
export function announce(text) {
  const place = byId("announcer");
  place.textContent = "";
  // An empty moment in between makes the same sentence be read again.
  requestAnimationFrame(() => { place.textContent = text; });
}
