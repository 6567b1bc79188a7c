# SPDX-License-Identifier: Apache-2.0
"""Followed feeds, which keep new entries once and never remove the user's files (O26)."""

import json
import os
import subprocess

import pytest
from selenium.webdriver.common.keys import Keys

from harness import media
from harness.feeds import entry, feed, parts, serve
from harness.program import killpoint_binary
from harness.server import Server
from harness.waiting import wait_until


def follow(program, address, *options):
    return program.run("follow", address, "--allow-private", *options)


def following(program, *options):
    result = program.run("following", "--json", *options)
    return result, json.loads(result.out) if result.out else None


def titles(program):
    return sorted(item["title"] for item in program.items())


def paths(origin):
    return [each["path"] for each in origin.settled_log()]


@pytest.fixture
def server(program):
    return Server(program, "--allow-private")


def ready(server, *names):
    """Waits until exactly these items are ready and the library has no further items."""
    return server.wait_for_items(
        lambda items: sorted(item["title"] for item in items.values()) == sorted(names)
        and all(item["state"] == "ready" for item in items.values()))


def check(server):
    return server.call("POST", "/api/feeds/1/check", {})


def test_o26_a_followed_feed_keeps_its_newest_entries(program, origin):
    address = serve(origin, parts(3, 2, 1), parts(4, 3, 2, 1))
    result = follow(program, address, "--keep", "2")
    assert result.code == 0, result.err
    assert "“Pod” is followed: 3 entries; the library keeps the newest 2." in result.out
    assert "offline serve" in result.err
    assert titles(program) == ["Part 2", "Part 3"]
    server = Server(program, "--allow-private")
    ready(server, "Part 2", "Part 3")
    assert program.files() == ["Part 2.bin", "Part 3.bin"]
    result = program.run("following", "--check")
    assert result.code == 0, result.err
    assert "Pod" in result.out and "keeps the newest 2" in result.out
    ready(server, "Part 3", "Part 4")
    # The item is removed before the file.
    wait_until(lambda: program.files() == ["Part 3.bin", "Part 4.bin"], program.library)
    assert sorted(path for path in paths(origin) if path.endswith(".bin")) == [
        "/pod/2.bin", "/pod/3.bin", "/pod/4.bin"]


def test_o26_a_feed_that_has_not_changed_is_not_sent_again(program, origin):
    address = serve(origin, {"text": parts(1), "etag": '"v1"', "lastModified": "Sun, 01 Mar 2026 10:00:00 GMT"})
    assert follow(program, address).code == 0
    result, feeds = following(program, "--check")
    assert result.code == 0 and "error" not in feeds[0]
    log = origin.settled_log()
    assert [each["status"] for each in log] == [200, 304]
    headers = {name.lower(): value for name, value in log[1]["headers"].items()}
    assert headers["if-none-match"] == '"v1"'
    assert headers["if-modified-since"] == "Sun, 01 Mar 2026 10:00:00 GMT"


def test_o26_a_renamed_or_republished_entry_is_not_fetched_again(server, program, origin):
    address = serve(
        origin, parts(2, 1),
        feed(entry(2, title="Another title"), entry(1, file="9.bin")),
        feed(entry(2, guid="new"), entry(1, guid="new too", file="1.bin?token=abc")))
    server.call("POST", "/api/feeds", {"address": address})
    ready(server, "Part 1", "Part 2")
    assert len(check(server)["items"]) == 2
    assert len(check(server)["items"]) == 2
    assert titles(program) == ["Part 1", "Part 2"]
    assert sorted(path for path in paths(origin) if ".bin" in path) == ["/pod/1.bin", "/pod/2.bin"]


def test_o26_an_item_that_the_person_removed_is_not_fetched_again(server, program, origin):
    address = serve(origin, parts(2, 1), parts(3, 2, 1))
    server.call("POST", "/api/feeds", {"address": address})
    items = ready(server, "Part 1", "Part 2")
    removed = next(number for number, item in items.items() if item["title"] == "Part 2")
    assert program.run("remove", removed, "--with-file").code == 0
    check(server)
    ready(server, "Part 1", "Part 3")
    assert program.run("following", "--check").code == 0
    assert titles(program) == ["Part 1", "Part 3"]


def test_o26_a_file_that_the_person_keeps_is_never_removed(server, program, origin):
    address = serve(origin, parts(4, 3, 2, 1), parts(9, 8, 7, 6, 4, 3, 2, 1))
    server.call("POST", "/api/feeds", {"address": address, "keep": 4})
    items = ready(server, "Part 1", "Part 2", "Part 3", "Part 4")
    number = {item["title"]: key for key, item in items.items()}
    # One item is marked, one was fetched again by the user, and one has a file with the user's
    # changes.
    result = program.run("keep", number["Part 1"])
    assert result.code == 0 and "no feed removes it" in result.out
    assert program.run("get", origin.url("/pod/2.bin"), "--allow-private").code == 0
    program.media(items[number["Part 3"]]).write_bytes(b"the person's own".ljust(2_000))
    kept = {each["id"]: each["isKept"] for each in server.call("GET", "/api/feeds")["feeds"][0]["items"]}
    assert [kept[number[f"Part {each}"]] for each in (1, 2, 3, 4)] == [True, True, False, False]
    check(server)
    server.wait_for_items(lambda items: all(
        item["state"] == "ready" for item in items.values()) and number["Part 4"] not in items)
    wait_until(lambda: "Part 4.bin" not in program.files(), program.library)
    assert {"Part 1.bin", "Part 2.bin", "Part 3.bin"} <= set(program.files())
    # From now on, the user's change counts as a mark.
    server.wait_for_items(lambda items: all(
        each["isKept"] for each in server.call("GET", "/api/feeds")["feeds"][0]["items"]
        if each["title"] in ("Part 1", "Part 2", "Part 3")))


def test_o26_a_kept_item_stays_when_its_feed_moves(server, program, origin):
    address = serve(origin, parts(2, 1), **{"/new.xml": [{"text": parts(2, 1).replace("'", '"').replace(
        'url="', 'url="pod/')}, {"text": parts(4, 3, 2, 1).replace("'", '"').replace('url="', 'url="pod/')}]})
    server.call("POST", "/api/feeds", {"address": address, "keep": 2})
    items = ready(server, "Part 1", "Part 2")
    number = next(key for key, item in items.items() if item["title"] == "Part 1")
    server.call("POST", f"/api/items/{number}/keep", {})
    moved = server.call("POST", "/api/feeds", {"address": origin.url("/new.xml"), "keep": 2})
    assert len(moved["items"]) == 2
    server.call("DELETE", "/api/feeds/1", {})
    server.call("POST", f"/api/feeds/{moved['id']}/check", {})
    ready(server, "Part 1", "Part 3", "Part 4")
    assert "Part 1.bin" in program.files()


def test_o26_entries_that_only_their_queries_name_are_all_kept(server, program, origin):
    names = ["id=6f9619ff8b86d011b42d00cf4fc964ff", "id=6f9619ff8b86d011b42d00cf4fc964fe", "token=a", "token=b"]
    entries = [entry(number, file=f"get?{query}") for number, query in enumerate(names, 1)]
    address = serve(origin, feed(*entries), **{
        f"/pod/get?{query}": {"size": 2_000, "seed": number} for number, query in enumerate(names, 1)})
    server.call("POST", "/api/feeds", {"address": address})
    ready(server, "Part 1", "Part 2", "Part 3", "Part 4")
    assert len(check(server)["items"]) == 4


def test_o26_a_file_that_the_person_had_before_is_never_removed(server, program, origin):
    address = serve(origin, parts(1), parts(3, 2, 1))
    server.download(origin.url("/pod/1.bin"))
    server.wait_for_items(lambda items: items and all(item["state"] == "ready" for item in items.values()))
    before = titles(program)
    assert server.call("POST", "/api/feeds", {"address": address, "keep": 1})["items"] == []
    check(server)
    server.wait_for_items(lambda items: len(items) == 2 and all(
        item["state"] == "ready" for item in items.values()))
    assert titles(program) == sorted([*before, "Part 3"])


def test_o26_failures_name_the_remedy_and_a_feed_that_ended_is_not_checked_again(program, origin):
    address = serve(origin, parts(1), {"status": 429, "text": "", "headers": {"Retry-After": "20000"}},
                    {"text": "<html><p>Parked</p></html>"}, {"status": 410, "text": ""})
    assert follow(program, address).code == 0
    codes = []
    for _ in range(3):
        result, feeds = following(program, "--check")
        assert result.code == 1
        codes.append(feeds[0]["error"]["code"])
    assert codes == ["unreachable", "notAFeed", "gone"]
    assert feeds[0]["hasEnded"] and "nextCheckAt" not in feeds[0]
    assert "410 Gone" in program.run("following").out
    assert titles(program) == ["Part 1"]


def test_o26_a_permanent_redirect_changes_the_address(program, origin):
    address = serve(origin, parts(1), **{
        "/old.xml": [{"redirect": "/pod/feed.xml", "status": 302}, {"redirect": "/pod/feed.xml", "status": 301}]})
    assert follow(program, origin.url("/old.xml")).code == 0
    assert following(program)[1][0]["address"] == origin.url("/old.xml")
    assert following(program, "--check")[1][0]["address"] == address


@pytest.mark.parametrize("point, count", [("beforeFeedCommit", 0), ("afterFeedCommit", 2)])
def test_o26_a_kill_around_the_commit_loses_and_repeats_nothing(program, origin, point, count):
    address = serve(origin, parts(2, 1))
    killed = subprocess.run(
        [killpoint_binary(), program.library, address, point], env=program.environment, check=False, timeout=120)
    assert killed.returncode == -9
    assert len(titles(program)) == count
    server = Server(program, "--allow-private")
    if not count:
        server.call("POST", "/api/feeds", {"address": address})
    ready(server, "Part 1", "Part 2")
    assert len(check(server)["items"]) == 2


def test_o26_two_processes_use_one_list(server, program, origin):
    address = serve(origin, parts(2, 1))
    result = follow(program, address)
    assert result.code == 0 and not result.err, result.err
    ready(server, "Part 1", "Part 2")
    assert follow(program, address, "--keep", "5").code == 0
    feeds = following(program)[1]
    assert [each["keep"] for each in feeds] == [5]
    result = program.run("unfollow", feeds[0]["id"])
    assert result.code == 0 and "files stay" in result.out
    assert following(program)[1] == []
    assert program.files() == ["Part 1.bin", "Part 2.bin"]
    result = program.run("unfollow", feeds[0]["id"])
    assert result.code == 1 and "offline following" in result.err


def test_get_keeps_a_feed_and_names_the_command_that_follows_it(program, origin):
    address = serve(origin, parts(2, 1))
    result = program.get(address)
    assert result.code == 0, result.err
    assert "the feed “Pod” with 2 entries with media" in result.err
    assert f"use: offline follow '{address}' --allow-private\n" in result.err
    assert program.files() == ["Part 1.bin", "Part 2.bin"]


def test_o11_a_private_feed_needs_the_permission(program, origin):
    address = serve(origin, parts(1))
    result = program.run("follow", address)
    assert result.code == 1 and "--allow-private" in result.err
    assert not origin.settled_log()
    assert following(program)[1] == []


def test_o14_the_credentials_of_a_feed_reach_only_its_origin(program, origin, origins):
    other = origins.another()
    try:
        other.serve({"/x.bin": {"size": 2_000, "seed": 1}})
        address = serve(origin, feed(entry(1), entry(2, file=other.url("/x.bin"))))
        result = follow(program, address + "?key=secret", "--header", "Authorization: Bearer secret")
        assert result.code == 0, result.err
        ready(Server(program, "--allow-private"), "Part 1", "Part 2")
        assert all(each["headers"].get("Authorization") == "Bearer secret" for each in origin.settled_log())
        for each in other.settled_log():
            assert "secret" not in json.dumps(each), each
        assert "secret" not in program.run("following").out
    finally:
        other.close()


def test_pages_of_entries_are_kept_if_asked(server, program, origin, samples):
    document = ("<feed xmlns='http://www.w3.org/2005/Atom'><title>Films</title><entry><id>urn:1</id>"
                "<title>A film</title><link href='page.html'/></entry></feed>")
    address = serve(origin, document, **{
        "/pod/page.html": {"text": "<title>Page</title><video src='film.mp4'></video>", "type": "text/html"},
        "/pod/film.mp4": {"file": str(samples.film)}})
    result = follow(program, address)
    assert "1 has no media; --pages keeps those of the linked pages." in result.out
    assert program.items() == []
    assert follow(program, address, "--pages").code == 0
    ready(server, "A film")
    assert program.files() == ["A film.mp4"]


def test_o26_the_feed_of_a_page_and_a_playlist_are_followed(server, program, origin):
    address = serve(origin, parts(1), **{
        "/": {"text": "<!DOCTYPE html><title>Pod</title><link rel=alternate "
                      "type=application/rss+xml href=/pod/feed.xml>", "type": "text/html"},
        "/list.m3u": {"text": "#EXTM3U\n#EXTINF:1,Part 1\n/pod/1.bin\n"}})
    assert follow(program, origin.url("/")).code == 0
    assert program.run("following", "--json").out.count(address) == 1
    assert follow(program, origin.url("/list.m3u")).code == 0
    ready(server, "Part 1")


def test_the_picture_of_an_entry_is_that_of_its_item(server, program, origin, samples):
    sound, cover = program.root / "sound.mp3", program.root / "cover.png"
    media.ffmpeg("-i", samples.film, "-vn", "-c:a", "libmp3lame", sound)
    media.ffmpeg("-f", "lavfi", "-i", "color=red:size=64x36", "-frames:v", "1", cover)
    document = ("<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel>"
                "<title>Pod</title><item><title>Part 1</title><itunes:image href='/cover.png'/>"
                "<enclosure url='sound.mp3' type='audio/mpeg'/></item></channel></rss>")
    address = serve(origin, document, **{
        "/cover.png": {"file": str(cover)}, "/pod/sound.mp3": {"file": str(sound)}})
    server.call("POST", "/api/feeds", {"address": address})
    items = ready(server, "Part 1")
    assert all(item["hasPicture"] for item in items.values())
    assert [path for path in paths(origin) if path != "/pod/feed.xml"][0] == "/cover.png"
    assert program.files() == ["Part 1.mp3"]


def test_the_page_follows_a_feed_keeps_an_item_and_stops_following(server, browser, origin):
    address = serve(origin, parts(4, 3, 2, 1))
    browser.open(server.address)
    browser.section("following")
    browser.type("#feed-address", address)
    browser.until_text("#feed-rows h2", "Pod")
    browser.until_text("#feed-rows summary", "1 older item in the library")
    assert [row.text.split("\n")[0] for row in browser.all("#feed-rows .feed-items li") if row.is_displayed()] == [
        "Part 4", "Part 3", "Part 2"]
    browser.click("#feed-rows summary")
    browser.until_text("#feed-rows details li", "Part 1")
    browser.click("#feed-rows .feed-items li button")
    browser.until_text("#feed-rows .feed-items li", "Kept")
    links = {link.get_attribute("href").split("#")[1] for link in browser.all("#feed-rows .feed-items a")}
    assert links == {f"item-{item['id']}" for item in server.items()}
    field = browser.find("#feed-rows .acts input")
    browser.expected = ["400"]
    field.send_keys(Keys.BACKSPACE, Keys.BACKSPACE, "0", Keys.ENTER)
    browser.until_shown("#ask")
    browser.click("#ask-buttons button")
    # The sheet closes before the page restores the number.
    browser.until(lambda: browser.driver.execute_script("return getSelection().toString()") == "10",
                  "the restored number is not selected")
    field.send_keys("3", Keys.ENTER)
    browser.until(lambda: server.call("GET", "/api/feeds")["feeds"][0]["keep"] == 3, "the number is not kept")
    browser.click("#feed-rows button.danger")
    browser.until_shown("#ask")
    browser.click("#ask-buttons button.danger")
    browser.until_hidden("#feed-rows > li")
