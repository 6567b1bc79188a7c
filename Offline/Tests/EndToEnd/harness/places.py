# SPDX-License-Identifier: Apache-2.0
"""The places of the page, and a server with content for each place."""

PLACES = ["home", "library", "downloads", "following", "notifications", "settings", "lessons",
          "diagnostics", "activity"]
# An element of each place's content on the page of a filled server.
CONTENT = {"home": "#arrived-cards .card", "library": "#cards .card", "downloads": "#rows li progress",
           "following": "#feed-address", "notifications": "#inbox li", "settings": "#developer",
           "lessons": "#lessons-none", "diagnostics": "#reports > li", "activity": "#places tbody tr"}


def fill(server, origin, samples, **running):
    """Gives a server finished, running, paused and failed items with unbreakable titles."""
    long = "/a-title-that-is-long-" + "and-has-no-space-" * 5 + "in-it.mp4"
    origin.serve({long: {"file": str(samples.film)}, "/talk.mp4": {"file": str(samples.film)},
                  "/notes.txt": {"text": "Hello"},
                  "/gone.mp4": {"status": 500, "text": ""},
                  "/running.bin": {"size": 1_000_000, "ranges": "ignore", **running}})
    server.call("POST", "/api/preferences", {"notifications": "granted"})
    for path in (long, "/talk.mp4", "/notes.txt", "/gone.mp4", "/running.bin"):
        server.download(origin.url(path))
    server.wait_for_items(lambda items: len(items) == 5 and all(
        items[number]["state"] in ("ready", "failed") for number in range(1, 5)) and items[5].get("receivedBytes"))
