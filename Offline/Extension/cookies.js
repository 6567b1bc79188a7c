// SPDX-License-Identifier: Apache-2.0
// The cookies of one site, as text in the format of cookies.txt. Nothing here uses the browser.

const SHARED_NAMES = new Set(
  ["ac", "co", "com", "edu", "go", "gob", "gov", "gv", "ne", "net", "or", "org"]);

/** Returns the last labels of a host: two, or three below names such as `co.uk`. */
export function siteOf(host) {
  if (/^[\d.]+$/.test(host) || host.startsWith("[")) return host;
  const labels = host.split(".");
  const isShared = labels.length > 2 && labels.at(-1).length === 2 && SHARED_NAMES.has(labels.at(-2));
  return labels.slice(isShared ? -3 : -2).join(".");
}

/** Returns the patterns of the hosts that can set cookies for an address. */
export function patternsOf(address) {
  const site = siteOf(new URL(address).hostname);
  return [/^[\d.]+$/.test(site) || !site.includes(".") ? `*://${site}/*` : `*://*.${site}/*`];
}

/** The key to the program's page, which the browser would share with all ports of its host. */
const isOwn = ({ name }) => /^offline_token_\d+$/.test(name);

/** Whether a line of the text can hold the cookie. */
const fits = ({ name, value, path, domain }) =>
  ![name, value, path, domain].some((text) => /[\x00-\x1f\x7f]/.test(text))
  && !/[;=, ]/.test(name) && !value.includes(";") && path.startsWith("/");

/**
 * Whether the host of an address would be sent the cookie, for any path. The program follows a
 * redirect from the usual port without encryption to the one with it.
 */
export function canReach(address, cookie) {
  const { protocol, hostname, port } = new URL(address);
  const domain = cookie.domain.replace(/^\./, "");
  const isForHost = hostname === domain || (!cookie.hostOnly && hostname.endsWith(`.${domain}`));
  return isForHost && (!cookie.secure || protocol === "https:" || port === "");
}

/** Returns a text with the cookies, each once, without those of the program. */
export function cookiesText(cookies) {
  const lines = cookies
    .filter((cookie) => fits(cookie) && !isOwn(cookie))
    .map((cookie) => [
      (cookie.hostOnly ? "" : ".") + cookie.domain.replace(/^\./, ""),
      cookie.hostOnly ? "FALSE" : "TRUE",
      cookie.path,
      cookie.secure ? "TRUE" : "FALSE",
      String(Math.ceil(cookie.expirationDate ?? 0)),
      cookie.name,
      cookie.value,
    ].join("\t"));
  return [...new Set(lines)].map((line) => `${line}\n`).join("");
}
