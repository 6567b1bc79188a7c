// SPDX-License-Identifier: Apache-2.0
// Creates elements from values, and the controls that several parts share. Strings only become text
// nodes. No function here parses markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns the element with this id.
 *
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * Creates an element. A property `on…` is a listener, `class` and `text` are set, and other
 * properties are attributes.
 *
 * @returns {any}
 */
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

const icons = new URL("../icons.svg", import.meta.url).pathname;

/** Shows an icon of `icons.svg` in a `use` element. */
export const drawIcon = (use, name) => use.setAttribute("href", `${icons}#${name}`);

/** Creates an icon from `icons.svg`. */
export function icon(name, kind) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("aria-hidden", "true");
  if (kind) svg.setAttribute("class", kind);
  drawIcon(use, name);
  svg.append(use);
  return svg;
}

/** Creates a button with a label. */
export const button = (text, properties) => el("button", { type: "button", text, ...properties });

/** Creates the head of a section with the title and the tools. */
export const head = (section, title, ...tools) => el("div", { class: "head" },
  el("h1", { id: `${section}-title`, text: title }),
  el("div", { class: "tools" }, ...tools));

/** Creates a hidden search field. */
export const searchField = (id, label, properties) => el("label", { class: "search", hidden: true },
  el("span", { class: "quiet", text: label }),
  icon("search"),
  el("input", { id, type: "search", autocomplete: "off", ...properties }));

/**
 * Creates a section's menu of buttons. The menu opens where there is room. On a phone, the menu
 * opens at the lower edge.
 */
export function menu(title, properties, ...buttons) {
  const element = el("details", { class: "menu", ontoggle: () => follow(element), ...properties },
    el("summary", { "aria-label": `More for ${title}` }, icon("more")),
    el("div", { popover: "manual", onclick: closeBeside }, ...buttons));
  return element;
}

/** The distance of a menu from the button and from the edges of the window, in pixels. */
const distance = 6;
let openMenu;

/** Places a menu that the user has opened, and closes the previous menu. */
function follow(element) {
  const panel = element.lastElementChild;
  if (!element.open) {
    if (panel.matches(":popover-open")) panel.hidePopover();
    if (openMenu === element) openMenu = undefined;
    return;
  }
  if (openMenu !== element) closeMenu();
  openMenu = element;
  panel.showPopover();
  placeMenu();
}

/** Places the open menu below or above the button, within the window. */
function placeMenu() {
  if (!openMenu?.isConnected) return;
  const button = openMenu.querySelector("summary").getBoundingClientRect();
  const { style, offsetWidth: width, offsetHeight: height } = openMenu.lastElementChild;
  const { clientWidth, clientHeight } = document.documentElement;
  const below = button.bottom + distance;
  const isBelow = below + height + distance <= clientHeight || button.top < clientHeight - button.bottom;
  const top = isBelow ? below : button.top - distance - height;
  style.setProperty("--menu-top", `${Math.max(distance, Math.min(top, clientHeight - height - distance))}px`);
  style.setProperty("--menu-left", `${Math.max(distance, Math.min(button.right - width, clientWidth - width - distance))}px`);
}

function closeMenu() {
  if (openMenu) openMenu.open = false;
}

/** Closes the menu on a phone after a tap on the shade above the menu. */
function closeBeside({ target, currentTarget, clientY }) {
  if (target === currentTarget && clientY > 0 && clientY < currentTarget.getBoundingClientRect().top) closeMenu();
}

addEventListener("pointerdown", ({ target }) => { if (openMenu && !openMenu.contains(target)) closeMenu(); });
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !openMenu) return;
  event.preventDefault();
  event.stopPropagation();
  const summary = openMenu.querySelector("summary");
  closeMenu();
  summary.focus();
}, { capture: true });
addEventListener("popstate", closeMenu);
addEventListener("resize", placeMenu);
addEventListener("scroll", placeMenu, { capture: true, passive: true });

/** Creates a style sheet from constant rules, written as css`…`. */
export function css(rules) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.raw[0]);
  return sheet;
}

/**
 * Adds a part's style sheets to the shared ones. The rules apply immediately, before the part is
 * visible.
 */
export const adopt = (...sheets) => document.adoptedStyleSheets.push(...sheets);

/** Fills the element that `index.html` has for a part. */
export const mount = (id, elements) => byId(id).append(...elements);

/**
 * Changes an element's text only if the text differs, so that a selection stays and nothing is
 * announced.
 */
export function setText(element, text) {
  const value = text ?? "";
  if (element.textContent !== value) element.textContent = value;
}

/** Shows or hides an element. */
export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/**
 * Updates a list's children to match `items`. Creates a view once for each key, updates the view in
 * place, and moves the view only when the order changes, so that the focus and a playing video
 * stay.
 */
export function reconcile(list, views, items, key, make) {
  reconcileGroups([{ list, items }], views, key, make);
}

/**
 * Updates several lists in the same way. An item may move to another list together with the view.
 */
export function reconcileGroups(groups, views, key, make) {
  const wanted = new Set(groups.flatMap(({ items }) => items.map(key)));
  for (const [id, view] of views) {
    if (wanted.has(id)) continue;
    const hadFocus = view.element.contains(document.activeElement);
    const section = view.element.closest("[id$='-section'], dialog");
    const neighbor = view.element.nextElementSibling ?? view.element.previousElementSibling;
    view.element.remove();
    views.delete(id);
    if (hadFocus) focusIn(neighbor ?? section?.querySelector("h1, h2"));
  }
  for (const { list, items } of groups) {
    let place = list.firstElementChild;
    for (const item of items) {
      let view = views.get(key(item));
      if (!view) {
        view = make(item);
        views.set(key(item), view);
      }
      view.update(item);
      if (view.element === place) place = place.nextElementSibling;
      else put(list, view.element, place);
    }
  }
}

/**
 * Moves an element and keeps the focus. If the browser cannot do so, the focus is set again after
 * the move.
 */
function put(list, element, place) {
  if (element.isConnected && list.isConnected && list.moveBefore) {
    list.moveBefore(element, place);
    return;
  }
  const focused = element.contains(document.activeElement) ? document.activeElement : undefined;
  list.insertBefore(element, place);
  focused?.focus({ preventScroll: true });
}

function focusIn(element) {
  if (!element) return;
  const target = element.querySelector?.("summary, button, a[href], input") ?? element;
  if (target === element && !target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Announces a message to users of a screen reader. */
export function announce(text) {
  const place = byId("announcer");
  place.textContent = "";
  // The place is cleared first, so that the screen reader also reads a repeated message.
  requestAnimationFrame(() => { place.textContent = text; });
}
