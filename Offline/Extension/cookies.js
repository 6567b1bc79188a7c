// SPDX-License-Identifier: Apache-2.0
// The cookies of one site in the format of `cookies.txt`. No function here uses the browser.

const SHARED_NAMES = new Set(
  ["ac", "co", "com", "edu", "go", "gob", "gov", "gv", "ne", "net", "or", "org"]);

/** Returns the last two labels of a host, or three below names such as `co.uk`. */
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

/**
 * Whether the cookie is the key to the program's page. The browser would share this cookie with all
 * ports of the host.
 */
const isOwn = ({ name }) => /^offline_token_\d+$/.test(name);

/** Whether a line of `cookies.txt` can represent the cookie. */
const fits = ({ name, value, path, domain }) =>
  ![name, value, path, domain].some((text) => /[\x00-\x1f\x7f]/.test(text))
  && !/[;=, ]/.test(name) && !value.includes(";") && path.startsWith("/");

/**
 * Whether the browser would send the cookie to the host of an address, for any path. The program
 * follows a redirect from the default port without encryption to the encrypted port.
 */
export function canReach(address, cookie) {
  const { protocol, hostname, port } = new URL(address);
  const domain = cookie.domain.replace(/^\./, "");
  const isForHost = hostname === domain || (!cookie.hostOnly && hostname.endsWith(`.${domain}`));
  return isForHost && (!cookie.secure || protocol === "https:" || port === "");
}

/** Returns the lines for the cookies without duplicates and without the program's own cookies. */
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
