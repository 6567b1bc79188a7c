# SPDX-License-Identifier: Apache-2.0
"""The inspection of an address before anything is fetched (O11 and O20)."""

import json
import shlex

from harness import media
from harness.program import finish
from harness.server import Server


def page(body, title="Coral reef"):
    return {"text": f"<!DOCTYPE html><title>{title}</title>{body}", "type": "text/html"}


def inspect(program, address, *options):
    result = program.run("inspect", address, "--allow-private", "--json", *options)
    return result, json.loads(result.out)


def test_o20_inspect_needs_no_library_and_stores_nothing(samples, program, origin):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    result, found = inspect(program, origin.url("/film.mp4"))
    assert result.code == 0, result.err
    size = samples.film.stat().st_size
    assert (found["kind"], found["size"], found["title"]) == ("file", size, "film")
    assert found["host"] == origin.base.removeprefix("http://")
    assert not program.library.exists()
    assert not list((program.home).rglob("*.sqlite"))


def test_o20_inspect_shows_qualities_languages_and_the_reason_of_a_refusal(program, origin):
    master = ('#EXTM3U\n'
              '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",URI="s.m3u8"\n'
              '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=320x180,AUDIO="a"\ns.m3u8\n')
    segments = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.ts\n"
    origin.serve({"/m.m3u8": {"redirect": "/moved/m.m3u8"}, "/moved/m.m3u8": {"text": master},
                  "/moved/s.m3u8": [{"text": segments + "#EXT-X-ENDLIST\n"}, {"text": segments}]})
    result = program.run("inspect", origin.url("/m.m3u8"), "--allow-private")
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert "    * 180p, 900 kbit/s" in lines and "    * de, Deutsch" in lines
    assert "  Length: 0:09" in lines
    live = program.run("inspect", origin.url("/m.m3u8"), "--allow-private")
    assert live.code == 1
    assert "  Length: live" in live.out and "--live" in live.err
    refused = program.run("inspect", origin.url("/m.m3u8"))
    assert refused.code == 1
    assert "--allow-private" in refused.err


def test_o17_inspect_works_beside_a_download_and_through_a_server(samples, program, origin):
    origin.serve({"/film.mp4": {"file": str(samples.film), "gate": "head"},
                  "/other.mp4": {"file": str(samples.film)}})
    process = program.start_get(origin.url("/film.mp4"))
    origin.wait_at_gate("head")
    result, found = inspect(program, origin.url("/other.mp4"))
    assert (result.code, found["kind"]) == (0, "file"), result.err
    origin.open_gate("head")
    assert finish(process).code == 0
    server = Server(program, "--allow-private")
    # The server's permission counts.
    through = program.run("inspect", origin.url("/other.mp4"), "--json")
    assert (through.code, json.loads(through.out)["kind"]) == (0, "file"), through.err
    assert len(server.items()) == 1


def test_o11_a_hostile_page_writes_no_control_characters(program, origin):
    title = "<b>One\x1b[2J\u202e</b>" * 3_000
    films = "".join(f"<a href='/{number}.mp4'>{title[:400]}</a>" for number in range(3_000))
    origin.serve({"/watch": page(films, title)})
    result = program.run("inspect", origin.url("/watch"), "--allow-private")
    assert result.code == 0, result.err
    assert not any(sign in result.out for sign in ("\x1b", "\u202e"))
    assert max(map(len, result.out.splitlines())) < 500
    assert len(result.out.splitlines()) < 80


def test_o20_the_listed_command_downloads_the_film_with_its_page(samples, program, origin):
    origin.serve({
        "/watch": page("<a href=/one.mp4>One</a> <a href=/two.mp4>Two</a>"),
        "/two.mp4": {"file": str(samples.film)},
    })
    result = program.get(origin.url("/watch"))
    assert (result.code, program.item()["error"]["code"]) == (1, "several")
    address, page_address = origin.url("/two.mp4"), origin.url("/watch")
    command = f"2. Two (video): offline get '{address}' --referrer '{page_address}' --allow-private"
    assert command in result.err
    assert program.get(address, "--referrer", page_address).code == 0
    assert origin.settled_log()[-1]["headers"]["Referer"] == page_address
    assert program.media(program.item(2)).read_bytes() == samples.film.read_bytes()
    assert media.frame_hashes(program.media(program.item(2)))


def test_o20_the_listed_command_keeps_the_options_of_the_person(samples, program, origin):
    origin.serve({
        "/watch": page("<a href=\"/one.mp4\">One</a> <a href=\"/two'.mp4\">Two</a>"),
        "/two'.mp4": {"file": str(samples.film)},
        "/two%27.mp4": {"file": str(samples.film)},
    })
    folder = program.root / "films"
    folder.mkdir()
    options = ["--quality", "480p", "--subtitles", "none", "--header", "X-Key: geheim", "-o", folder]
    refused = program.get(origin.url("/watch"), *options)
    assert refused.code == 1 and "geheim" not in refused.err
    assert "with the same --header:" in refused.err and "same -o" in refused.err
    line = next(line for line in refused.err.splitlines() if line.startswith("2. Two"))
    command = shlex.split(line.partition(": offline ")[2])
    assert command[2:] == ["--referrer", origin.url("/watch"), "--quality", "480p",
                           "--subtitles", "none", "--allow-private"]
    inspected = program.run("inspect", origin.url("/watch"), "--allow-private", *options)
    found = next(line for line in inspected.out.splitlines() if "Two (video" in line)
    assert shlex.split(found.partition(": offline ")[2]) == [*command, "-o", str(folder)]
    assert "Media of the page, with the same --header:" in inspected.out
    assert program.run(*command, "--wait").code == 0
    item = program.item(2)
    assert (item["quality"], item["subtitles"]) == ("480p", "none")


def test_o20_a_choice_that_cannot_be_kept_is_named(samples, program, origin):
    origin.serve({"/film.mp4": {"file": str(samples.film)}, "/other.mp4": {"file": str(samples.film)},
                  "/s/": {"directory": str(samples.stream)}})
    for number, (path, options, note) in enumerate([
            ("/film.mp4", ("--quality", "90p"), "kept as it came, in its only quality."),
            ("/other.mp4", ("--audio", "de"), "kept as it came, with all of its sound."),
            ("/s/stream.m3u8", ("--quality", "90p"), "The stream has one quality, which was kept."),
    ], 1):
        result = program.get(origin.url(path), *options)
        assert result.code == 0, result.err
        assert note in program.item(number)["note"] and note in result.err
        found = inspect(program, origin.url(path), *options)[1]
        assert any(note in each for each in found["notes"])


def test_o20_unwanted_subtitles_of_a_page_are_no_omission(samples, program, origin):
    tracks = "".join(f"<track kind=subtitles srclang={code} label={name} src=/{code}.vtt>"
                     for code, name in (("en", "English"), ("de", "Deutsch")))
    origin.serve({"/watch": page(f"<video src=/film.mp4>{tracks}</video>"),
                  "/film.mp4": {"file": str(samples.film)}})
    for options, kept in [
            ((), ["en", "de"]), (("--subtitles", "none"), []), (("--subtitles", "de"), ["de"]),
    ]:
        found = inspect(program, origin.url("/watch"), *options)[1]
        assert [each["language"] for each in found["subtitles"] if each["isKept"]] == kept
        assert not [note for note in found["notes"] if note.startswith("Subtitles")]


def test_o20_the_quality_of_a_page_is_no_missing_choice(samples, program, origin):
    body = "<video><source src=/720.mp4 label=720p><source src=/360.mp4 label=360p></video>"
    origin.serve({"/watch": page(body), "/360.mp4": {"file": str(samples.film)}})
    assert inspect(program, origin.url("/watch"), "--quality", "360p")[1]["notes"] == []
    assert program.get(origin.url("/watch"), "--quality", "360p").code == 0
    assert program.item().get("note") is None


def test_o20_another_angle_is_named(samples, program, origin):
    master = ('#EXTM3U\n#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Goal",URI="goal.m3u8"\n'
              '#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180,VIDEO="v"\ns/stream.m3u8\n')
    origin.serve({"/m.m3u8": {"text": master}, "/s/": {"directory": str(samples.stream)}})
    result = program.get(origin.url("/m.m3u8"))
    assert result.code == 0 and "Other pictures were left out: Goal." in result.err


def test_o20_choose_uses_the_options_of_the_item_and_keeps_them_at_their_server(
        samples, program, browser, origins, origin):
    other = origins.another()
    origin.serve({"/watch": page(f"<a href=/one.mp4>One</a> <a href={other.url('/two.mp4')}>Two</a>"),
                  "/one.mp4": {"file": str(samples.film)}})
    other.serve({"/two.mp4": {"file": str(samples.film)}})
    server = Server(program, "--allow-private")
    assert server.request("POST", "/api/inspect", {"url": origin.url("/watch"), "id": 7})[0] == 404
    number = server.download(origin.url("/watch"), headers=["X-Key: geheim"], limit="8M")["id"]
    server.wait_for_items(lambda items: items.get(number, {}).get("state") == "failed")
    browser.open(server.address)
    browser.section("downloads")
    browser.click('#rows button[aria-label^="Choose"]')
    browser.until_text("#look-media", "Two")
    for position in (1, 2):
        browser.click(f"#look-media li:nth-child({position}) input")
    browser.click("#look-download")
    server.wait_for_items(
        lambda items: [items.get(number, {}).get("state") for number in (2, 3)] == ["ready"] * 2)
    keys = {(entry["path"], entry["headers"].get("X-Key")) for entry in origin.settled_log()}
    assert keys == {("/watch", "geheim"), ("/one.mp4", "geheim")}
    assert {entry["headers"].get("X-Key") for entry in other.settled_log()} == {None}
    other.close()


PNG = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5Er"
       "kJggg==")


def look(browser, address):
    field = browser.until_shown("#address")
    field.clear()
    field.send_keys(address)
    browser.click("#look-first")


def test_o20_the_page_shows_the_media_before_a_download(samples, browser, program, origin):
    title = "<img src=x onerror=alert(1)>Reef"
    origin.serve({
        "/watch": page("<video src=/one.mp4 poster=/one.png></video><video src=/two.mp4></video>",
                       title.replace("<", "&lt;")),
        "/one.png": {"base64": PNG, "type": "image/png"},
        "/two.mp4": {"file": str(samples.film)},
    })
    server = Server(program, "--allow-private")
    browser.record_responses()
    browser.open(server.address)
    browser.section("downloads")
    look(browser, origin.url("/watch"))
    browser.until_text("#look-title", title)
    assert len(browser.all("#look-media li")) == 2
    browser.until(lambda: browser.script(
        "const image = document.querySelector('#look-media img');"
        "return image && image.complete && image.naturalWidth === 1"), "no picture")
    assert {address.split("/")[2] for address, _ in browser.responses()
            if address.startswith("http")} == {server.origin.removeprefix("http://")}
    assert server.items() == []
    assert not browser.find("#look-download").is_enabled()
    browser.click("#look-media li:nth-child(2) input")
    browser.click("#look-download")
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "ready")
    assert server.item(1)["address"] == origin.url("/two.mp4")
    assert origin.settled_log()[-1]["headers"]["Referer"] == origin.url("/watch")
    browser.until_hidden("#look")
    assert browser.find("#address").get_attribute("value") == ""
    assert browser.complaints() == []


def test_o20_a_failed_page_offers_its_media_and_a_stream_its_choices(browser, program, origin):
    master = ("#EXTM3U\n"
              '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="A",LANGUAGE="de",URI="s.m3u8"\n'
              '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="B",LANGUAGE="en",URI="e.m3u8"\n'
              '#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180,AUDIO="a"\nv.m3u8\n'
              '#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=160x90,AUDIO="a"\nw.m3u8\n')
    segments = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.ts\n#EXT-X-ENDLIST\n"
    origin.serve({"/watch": page("<a href=/one.mp4>One</a> <a href=/two.mp4>Two</a>"),
                  "/m.m3u8": {"text": master}, "/a.ts": {"gate": "end", "text": ""},
                  **{f"/{name}.m3u8": {"text": segments} for name in "vwse"}})
    server = Server(program, "--allow-private")
    browser.open(server.address)
    browser.section("downloads")
    browser.type("#address", origin.url("/watch"))
    browser.click('#rows button[aria-label^="Choose"]')
    browser.until_text("#look-media", "Two")
    pages = [entry for entry in origin.settled_log() if entry["path"] == "/watch"]
    assert len(pages) == 2 and all("X-Key" not in entry["headers"] for entry in pages)
    look(browser, origin.url("/m.m3u8"))
    browser.until_shown("#look-quality")
    browser.find('#look-quality option[value="90p"]').click()
    browser.find('#look-audio input[value="de"]').click()
    browser.click("#look-download")
    server.wait_for_items(lambda items: 2 in items)
    item = server.item(2)
    assert (item["quality"], item["audio"], item.get("subtitles")) == ("90p", "eng", None)
    origin.open_gate("end")
