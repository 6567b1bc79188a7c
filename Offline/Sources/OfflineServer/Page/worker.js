// SPDX-License-Identifier: Apache-2.0
// The service worker: keeps the page's own files, so that the page opens while the server is stopped.
// It never keeps data of the library, which only the server has.

const CACHE = "page";
/** The files that the frame does not name. */
const others = ["/app.js", "/report.js", "/icon-unread.svg", "/icons.svg"];

/** Whether the server sent a file of the page; its pages without data have no validator. */
const isFile = (response) => response.ok && !response.redirected && response.headers.has("ETag");

/** Keeps all files that the page needs. */
async function fill() {
  const frame = await fetch("/");
  if (!isFile(frame)) return;
  const named = (await frame.clone().text()).matchAll(/href="(\/[\w-]+\.\w+)"/g);
  const cache = await caches.open(CACHE);
  await cache.put("/", frame);
  await cache.addAll([...new Set([...others, ...[...named].map((match) => match[1])])]);
}

/** Returns the server's file, and the kept one only if the server does not respond. */
async function respond(request, name) {
  const cache = await caches.open(CACHE);
  let response;
  try {
    response = await fetch(request);
  } catch {
    return (await cache.match(name)) ?? Response.error();
  }
  if (isFile(response)) await cache.put(name, response.clone());
  return response;
}

addEventListener("install", (event) => event.waitUntil(fill().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname, searchParams } = new URL(event.request.url);
  if (event.request.method !== "GET") {
    // A page sends such a request while it closes, and without the worker it would end with the page.
    if (event.request.keepalive) event.respondWith(fetch(event.request));
    return;
  }
  // A ticket or a token must reach the server.
  if (searchParams.has("ticket") || searchParams.has("token")) return;
  // In the name of the worker: the server refuses a navigation from another site that comes through it.
  if (pathname === "/") event.respondWith(respond(new Request("/", { headers: { Accept: "text/html" } }), "/"));
  else if (/^\/[\w-]+\.(js|css|svg|json)$/.test(pathname)) event.respondWith(respond(event.request, pathname));
});
