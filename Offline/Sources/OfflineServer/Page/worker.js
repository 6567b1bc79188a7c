// SPDX-License-Identifier: Apache-2.0
// The service worker: keeps the page's own files, so that the page opens while the server is stopped.
// It never keeps data of the library, which only the server has.

const CACHE = "page";
/** The files of a version that the frame does not name. */
const others = ["localdownloads.js", "localplace.js", "localwriter.js", "report.js"];
/** The files without a version that the frame does not name. */
const loose = ["/icon-unread.svg"];

/** Whether the server sent a file of the page; its pages without data have no validator. */
const isFile = (response) => response.ok && !response.redirected && response.headers.has("ETag");

/** The milliseconds after which a server counts as gone: away from its network, nothing refuses the connection. */
const patience = 4000;

/** Requests the frame in the name of the worker: the server refuses a navigation from another site that comes through it. */
const frame = () => fetch(new Request("/", { headers: { Accept: "text/html" } }));

/** Keeps a frame with all files that it needs, and drops those of other versions. */
async function keep(response) {
  if (!isFile(response)) return;
  const cache = await caches.open(CACHE);
  const text = await response.clone().text();
  const named = [...text.matchAll(/(?:href|src)="(\/[^"#]+\.\w+)/g)].map((match) => match[1]);
  const folder = text.match(/\/page\/\w+\//)[0];
  const wanted = new Set([...named, ...others.map((name) => folder + name), ...loose]);
  const kept = new Set((await cache.keys()).map((request) => new URL(request.url).pathname));
  await cache.addAll([...wanted].filter((name) => !kept.has(name)));
  // Only now the page can open with this frame; its former files were needed until here.
  await cache.put("/", response);
  const old = [...kept].filter((name) => name !== "/" && !wanted.has(name));
  await Promise.all(old.map((name) => cache.delete(name)));
}

/** Returns the server's frame, and the kept one only if the server does not respond. */
async function open(event) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match("/");
  let response;
  try {
    const late = new Promise((resolve, reject) => { if (kept) setTimeout(reject, patience); });
    response = await Promise.race([frame(), late]);
  } catch {
    return kept ?? Response.error();
  }
  if (response.headers.get("ETag") !== kept?.headers.get("ETag")) event.waitUntil(keep(response.clone()));
  return response;
}

/** Returns a file of a version, which never changes. */
async function file(request) {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}

/** Returns the server's file, and the kept one only if the server does not respond. */
async function loosely(request, name) {
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

addEventListener("install", (event) => {
  // A browser that knows routes does not ask the worker for each of these.
  event.addRoutes?.([
    { condition: { urlPattern: "/page/*" }, source: { cacheName: CACHE } },
    { condition: { urlPattern: "/api/*", requestMethod: "get" }, source: "network" },
  ]);
  event.waitUntil(frame().then(keep).then(() => skipWaiting()));
});
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
  if (pathname === "/") event.respondWith(open(event));
  else if (pathname.startsWith("/page/")) event.respondWith(file(event.request));
  else if (/^\/[\w-]+\.(svg|json)$/.test(pathname)) event.respondWith(loosely(event.request, pathname));
});
