# SPDX-License-Identifier: Apache-2.0
"""The newest entries of a feed whose address is given to `get` (O19 and O21)."""

import json

import pytest

from harness import media


def serve(origin, samples, count):
    """Serves a podcast with this number of songs, the newest first, and returns the address."""
    song = media.once("song.mp3", lambda path: media.ffmpeg(
        "-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-b:a", "64k", path))
    entries = "".join(
        f"<item><title>Song {number}</title><guid>{number}</guid>"
        f"<enclosure url='{number}.mp3' type='audio/mpeg'/></item>" for number in range(count, 0, -1))
    origin.serve({
        "/pod/feed.xml": {"text": f"<rss version='2.0'><channel><title>Harbour Radio</title>{entries}"
                                  "</channel></rss>", "type": "application/rss+xml"},
        **{f"/pod/{number}.mp3": {"file": str(song)} for number in range(1, count + 1)}})
    return origin.url("/pod/feed.xml")


@pytest.mark.parametrize(("count", "first"), [(2, 1), (12, 3)])
def test_o19_the_newest_entries_of_a_feed_are_kept_once(program, origin, samples, count, first):
    address = serve(origin, samples, count)
    names = sorted(f"Song {number}.mp3" for number in range(first, count + 1))
    for _ in range(2):
        result = program.get(address)
        assert result.code == 0, result.err
        assert "Harbour Radio" in result.err and f"offline follow '{address}'" in result.err
        assert sorted(line.rsplit("/", 1)[1] for line in result.out.splitlines()) == names
        assert sorted(item["title"] + ".mp3" for item in program.items()) == names
    assert program.files() == names


def test_o20_inspect_lists_the_entries_of_a_feed(program, origin, samples):
    result = program.run("inspect", serve(origin, samples, 3), "--allow-private", "--json")
    found = json.loads(result.out)
    assert (found["title"], found["refusal"]["code"]) == ("Harbour Radio", "feed")
    assert [entry["title"] for entry in found["candidates"]] == ["Song 3", "Song 2", "Song 1"]


def test_a_feed_without_media_says_how_to_keep_its_pages(program, origin):
    origin.serve({"/feed.xml": {"text": "<rss version='2.0'><channel><title>News</title><item>"
                                        "<title>One</title><link>one.html</link></item></channel></rss>"}})
    result = program.get(origin.url("/feed.xml"))
    assert result.code == 1
    assert "--pages" in result.err and "Keeping" not in result.err


@pytest.mark.parametrize("text", [
    "#EXTM3U\n#EXTINF:1,Song B\n2.mp3\n#EXTINF:-1 tvg-id=\"x\",Song A\n1.mp3\n",
    "#EXTM3U\n1.mp3\n2.mp3\n", "# my songs\n1.mp3\n2.mp3\n",
])
@pytest.mark.parametrize("name", ["songs.m3u", "songs.m3u8"])
def test_o19_a_playlist_of_links_is_kept_by_its_entries(program, origin, samples, name, text):
    serve(origin, samples, 2)
    origin.serve({f"/pod/{name}": {"text": text, "type": "audio/x-mpegurl"}})
    address = origin.url(f"/pod/{name}")
    for _ in range(2):
        result = program.get(address)
        assert result.code == 0, result.err
        assert f"offline follow '{address}'" in result.err
        names = ["Song A.mp3", "Song B.mp3"] if "Song A" in text else ["1.mp3", "2.mp3"]
        assert program.files() == names
        assert len(program.items()) == 2
    found = json.loads(program.run("inspect", address, "--allow-private", "--json").out)
    assert (found["refusal"]["code"], len(found["candidates"])) == ("feed", 2)


def test_o6_a_stream_without_its_end_is_no_playlist_of_links(program, origin):
    origin.serve({"/a.m3u8": {"text": "#EXTM3U\n#EXTINF:4,\n1.ts\n#EXTINF:4,\n2.ts\n"}})
    result = program.get(origin.url("/a.m3u8"))
    assert result.code == 1 and "Keeping" not in result.err
    assert len(program.items()) == 1
