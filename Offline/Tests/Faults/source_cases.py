# SPDX-License-Identifier: Apache-2.0
"""Faults of servers that serve DASH, a live stream, a page with a film, or a feed."""

from cases import ORIGIN, Case
from harness import media
from stream_cases import END, SEGMENTS

SECONDS = 6


def source_cases(folder, film, stream):
    """Returns the cases of a film of one file, and of a stream of segments."""
    return [*dash_cases(folder), *live_cases(stream), *page_cases(film), *feed_cases(film)]


def dash_cases(folder):
    (folder / "dash").mkdir()
    dash = media.make_dash(folder / "dash", SECONDS)
    right = media.picture_hashes(dash / "stream.mpd")
    missing, = dash.glob("*stream0-00002.m4s")
    part = str(missing)

    def case(name, *routes, right=None):
        return Case(f"DASH: {name}", "/d/stream.mpd", {
            "/d/": {"directory": str(dash)}, f"/d/{missing.name}": list(routes)}, right)

    return [
        case("no fault", {"file": part}, right=right),
        case("segment 404", {"status": 404, "text": "gone"}),
        case("segment cut once", {"file": part, "cut": 2_000}, {"file": part}, right=right),
        case("segment cut always", {"file": part, "cut": 2_000, "ranges": "ignore"}),
    ]


def live_cases(stream):
    """Returns cases of a stream that continues while its third segment is fetched."""
    pictures = media.picture_hashes(stream / "stream.m3u8")
    count = len(pictures) // SEGMENTS

    def playlist(numbers, end=""):
        return {"text": "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n"
                        f"#EXT-X-MEDIA-SEQUENCE:{numbers[0]}\n" + "".join(
                            f"#EXTINF:0.5,\npart{number}.ts\n" for number in numbers) + end}

    def case(name, first, second, **more):
        numbers = [*first, *[number for number in second if number not in first]]
        right = [each for number in numbers
                 for each in pictures[number * count:(number + 1) * count]]
        return Case(f"live: {name}", "/live/live.m3u8", {
            "/live/": {"directory": str(stream)}, "/live/live.m3u8": playlist(first),
            f"/live/part{first[-1]}.ts": {"gate": "last"},
        }, right, changes_at="last", later={"/live/live.m3u8": playlist(second, END)}, **more)

    return [case("no fault", range(3), range(2, 9)),
            case("a gap of three segments", range(3), range(6, 11), is_named=True)]


def page_cases(film):
    page = {"text": "<!DOCTYPE html><title>Reef</title><video src='/film.mp4'></video>",
            "type": "text/html"}
    whole = {"file": str(film)}
    half = film.stat().st_size // 2

    def case(name, *routes, right=None):
        return Case(f"page: {name}", "/watch.html",
                    {"/watch.html": page, "/film.mp4": list(routes)}, right)

    return [
        case("no fault", whole, right=film.read_bytes()),
        case("film cut once", {**whole, "cut": half}, whole, right=film.read_bytes()),
        case("film cut always", {**whole, "cut": half, "ranges": "ignore"}),
        case("film 404", {"status": 404, "text": "gone"}),
    ]


def feed_cases(film):
    feed = {"text": "<rss version='2.0'><channel><title>Pod</title><item><title>One</title>"
                    f"<guid>1</guid><enclosure url='{ORIGIN}/one.mp4' type='video/mp4' length='9'/>"
                    "</item></channel></rss>", "type": "application/rss+xml"}
    whole = {"file": str(film)}
    half = film.stat().st_size // 2

    def case(name, *routes, right=None):
        return Case(f"feed: {name}", "/feed.xml",
                    {"/feed.xml": feed, "/one.mp4": list(routes)}, right, entry="/one.mp4")

    return [
        case("no fault", whole, right=film.read_bytes()),
        case("entry cut once", {**whole, "cut": half}, whole, right=film.read_bytes()),
        case("entry cut always", {**whole, "cut": half, "ranges": "ignore"}),
    ]
