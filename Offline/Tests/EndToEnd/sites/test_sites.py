# SPDX-License-Identifier: Apache-2.0
"""Pages whose media only yt-dlp finds, with the real program and with hostile programs."""

import contextlib
import ctypes
import json
import os
import select
import shutil
import stat
import subprocess

import pytest

from harness import media
from harness.program import ROOT
from harness.waiting import wait_until

REAL = ROOT / ".build" / "venv" / "bin"
EMPTY = {"text": "<!DOCTYPE html><title>Coral reef</title><p>Wait.", "type": "text/html"}


def page(body):
    return {"text": f"<!DOCTYPE html><title>Coral reef</title>{body}", "type": "text/html"}


def with_real_resolver(program):
    assert os.access(REAL / "yt-dlp", os.X_OK), "yt-dlp is missing; run make deps-test"
    program.added["PATH"] = f"{REAL}:{os.environ['PATH']}"


def with_resolver(program, body):
    """Replaces yt-dlp with a Python program, in which `out` prints the description of a page."""
    folder = program.root / "bin"
    folder.mkdir()
    path = folder / "yt-dlp"
    path.write_text(f"""#!/usr/bin/python3
import json, os, subprocess, sys, time, urllib.request
page = open(sys.argv[-1]).read().strip()
root = {str(program.root)!r}
def out(value):
    print(json.dumps(value))
def fail(words):
    print("ERROR: " + words, file=sys.stderr)
    sys.exit(1)
{body}
""")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    program.added["PATH"] = f"{folder}:{os.environ['PATH']}"


def failure(program, origin, code=1):
    result = program.get(origin.url("/watch"))
    assert result.code == code, result.err
    return result.err


def test_o27_yt_dlp_only_names_the_film(samples, program, origin):
    # The program does not follow such a page.
    origin.serve({
        "/watch": page('<meta http-equiv="refresh" content="5; url=/film.mp4">'),
        "/film.mp4": {"file": str(samples.film)},
    })
    with_real_resolver(program)
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == samples.film.read_bytes()
    item = program.item()
    assert (item["kind"], item["state"], item["address"]) == ("file", "ready", origin.url("/watch"))
    last = origin.settled_log()[-1]
    assert last["headers"]["Referer"] == origin.url("/watch")
    assert "offline" in last["headers"]["User-Agent"].lower()


def test_o27_yt_dlp_names_the_playlist_of_a_stream(samples, program, origin):
    origin.serve({
        "/watch": page('<meta http-equiv="refresh" content="5; url=/s/stream.m3u8">'),
        "/s/": {"directory": str(samples.stream)},
    })
    with_real_resolver(program)
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    assert program.item()["kind"] == "stream"


def test_o27_without_yt_dlp_the_error_names_it(program, origin):
    assert shutil.which("yt-dlp") is None, "run this test with Scripts/step.sh end-to-end"
    origin.serve({"/watch": EMPTY})
    assert "Install yt-dlp (apt-get install yt-dlp)" in failure(program, origin)


def test_o27_a_page_that_yt_dlp_cannot_read_keeps_the_own_error(program, origin):
    origin.serve({"/watch": EMPTY})
    with_real_resolver(program)
    error = failure(program, origin)
    assert "is a web page without a video or sound that offline can find" in error
    assert "Install" not in error and "ERROR" not in error


def test_a_page_is_asked_again_when_its_address_has_expired(samples, program, origin):
    film = {"file": str(samples.film)}
    origin.serve({
        "/watch": EMPTY,
        "/film.mp4?sign=1": {"status": 403},
        "/film.mp4?sign=2": film,
    })
    with_resolver(program, f"""
count = len(os.listdir(root + "/runs"))
open(root + "/runs/" + str(count), "w").close()
out({{"title": "Reef", "extractor_key": "Site", "formats": [
    {{"url": {origin.url("/film.mp4?sign=")!r} + str(count + 1), "protocol": "https"}}]}})
""")
    (program.root / "runs").mkdir()
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    assert program.item()["title"] == "Reef"
    assert program.media().read_bytes() == samples.film.read_bytes()


def test_o27_the_child_has_a_clean_environment(program, origin):
    origin.serve({"/watch": EMPTY})
    with_resolver(program, """
json.dump([dict(os.environ), sys.argv[1:], os.listdir(os.environ["HOME"])],
          open(root + "/seen", "w"))
fail("Unsupported URL: " + page)
""")
    program.added["SECRET"] = "secret"
    failure(program, origin)
    environment, arguments, home = json.loads((program.root / "seen").read_text())
    proxy = environment["http_proxy"]
    assert proxy.startswith("http://offline:") and proxy.split("@")[1].startswith("127.0.0.1:")
    assert "SECRET" not in environment and proxy != "http://127.0.0.1:9"
    assert set(environment) <= {
        "PATH", "LC_ALL", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "YTDLP_NO_PLUGINS",
        "PYTHONDONTWRITEBYTECODE", "http_proxy", "https_proxy", "all_proxy"}
    assert home == ["addresses"] and not os.path.exists(environment["HOME"])
    assert arguments[-2] == "--batch-file"
    assert not [word for word in arguments if "http" in word]
    assert not any(proxy.split("@")[0] in argument for argument in arguments)


FETCH = """
def fetch(address):
    try:
        return urllib.request.urlopen(address, timeout=100).status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError as error:
        return str(error)
"""


def can_limit_network():
    """Returns whether the kernel has Landlock, version 4 or later."""
    create_ruleset, version = 444, 1
    return ctypes.CDLL(None).syscall(create_ruleset, None, 0, version) >= 4


def test_o27_the_proxy_with_its_credential_is_the_only_way_out(program, origin):
    origin.serve({"/watch": EMPTY, "/other": {"text": "other"}})
    with_resolver(program, FETCH + f"""
found = [fetch({origin.url("/other")!r})]
proxy = os.environ["http_proxy"]
os.environ["http_proxy"] = "http://" + proxy.split("@")[1]
urllib.request.install_opener(None)
found.append(fetch({origin.url("/other")!r}))
urllib.request.install_opener(urllib.request.build_opener(urllib.request.ProxyHandler({{}})))
found.append("denied" in str(fetch({origin.url("/other")!r})))
json.dump(found, open(root + "/seen", "w"))
fail("Unsupported URL: " + page)
""")
    failure(program, origin)
    limited = can_limit_network()
    assert json.loads((program.root / "seen").read_text()) == [200, 407, limited]
    direct = [] if limited else ["/other"]
    assert [entry["path"] for entry in origin.settled_log()] == ["/watch", "/other", *direct]


def test_o27_a_failed_child_gives_one_of_our_sentences(program, origin):
    origin.serve({"/watch": EMPTY})
    with_resolver(program, """
fail("[Site] 7: Join this channel: https://x.example/?token=secret at 0x7f00 /usr/lib/file.py")
""")
    error = failure(program, origin)
    assert "yt-dlp found no media at 127.0.0.1." in error
    assert "secret" not in error and "0x7f00" not in error and "file.py" not in error


@pytest.mark.parametrize("words", [
    "print('no JSON')",
    "print('[' * 100000)",
    "out([1, 2])",
    "sys.stdout.write('{\"title\": \"' + 'a' * (17 << 20) + '\"}')",
    "out({'formats': 7, 'title': [], 'entries': {}})",
    "out({'formats': [{'url': 'file:///etc/passwd', 'protocol': 'https'}]})",
    "out({'formats': [{'url': 'javascript:alert(1)', 'protocol': 'https'}, 5, None]})",
    "os.kill(os.getpid(), 11)",
])
def test_o27_hostile_output_is_refused(program, origin, words):
    origin.serve({"/watch": EMPTY})
    with_resolver(program, words)
    error = failure(program, origin)
    assert any(text in error for text in ("cannot read", "cannot fetch", "crashed")), error
    assert program.item()["state"] == "failed"


def test_o27_pause_kills_the_child_with_its_children(program, origin):
    origin.serve({"/watch": EMPTY})
    with_resolver(program, """
subprocess.Popen(["/bin/sh", "-c", "echo $$ > " + root + "/grandchild; exec sleep 1000"])
open(root + "/child", "w").write(str(os.getpid()))
time.sleep(1000)
""")
    process = program.start_get(origin.url("/watch"))
    numbers = [program.root / "child", program.root / "grandchild"]
    wait_until(lambda: all(path.exists() and path.read_text().strip() for path in numbers),
               program.root)
    with contextlib.ExitStack() as stack:
        poller = select.poll()
        for path in numbers:
            descriptor = os.pidfd_open(int(path.read_text()))
            stack.callback(os.close, descriptor)
            poller.register(descriptor, select.POLLIN)
        process.terminate()
        while numbers:
            ended = poller.poll(600_000)
            assert ended, "the children still run"
            for descriptor, _ in ended:
                poller.unregister(descriptor)
                numbers.pop()


def make_separate_files(samples, *options):
    """Returns the pictures and the sound of the film as separate files."""
    return [media.once(f"{len(options)}-{name}", lambda path: media.ffmpeg(
        "-i", samples.film, without, "-c", "copy", *options, path))
        for name, without in (("pictures.mp4", "-an"), ("sound.m4a", "-vn"))]


@pytest.mark.parametrize("options", [("-movflags", "+faststart"), ()], ids=["start", "end"])
def test_o20_separate_pictures_and_sound_become_one_film(samples, program, origin, options):
    """The index of the files is at the start or, by ffmpeg's default, at the end."""
    pictures, sound = make_separate_files(samples, *options)
    origin.serve({
        "/watch": EMPTY,
        "/v": {"file": str(pictures)}, "/a": {"file": str(sound)}, "/small": {"file": str(samples.film)},
    })
    with_resolver(program, f"""
base = {origin.url("")!r}
def form(name, height, video, audio, ext):
    return {{"format_id": name, "url": base + "/" + name, "protocol": "https", "height": height,
            "vcodec": video, "acodec": audio, "ext": ext, "http_headers": {{"Referer": base + "/player"}}}}
out({{"title": "Reef", "id": "7", "extractor_key": "Site", "subtitles": {{"en": []}}, "formats": [
    form("a", None, "none", "mp4a", "m4a"), form("small", 180, "avc1", "mp4a", "mp4"),
    form("v", 360, "avc1", "none", "mp4")]}})
""")
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    item = program.item()
    assert (item["kind"], item["title"], item["height"]) == ("site", "Reef", 360)
    assert "Subtitles were left out: en." in item["note"]
    hashes = media.frame_hashes(program.media())
    assert hashes == media.frame_hashes(samples.film)
    fetched = {entry["path"]: entry["headers"].get("Referer") for entry in origin.settled_log()}
    assert fetched == {"/watch": None, "/v": origin.url("/player"), "/a": origin.url("/player")}


@pytest.mark.parametrize("options, languages", [
    ((), ["eng", "deu"]), (("--audio", "de"), ["deu"]), (("--audio", "de,en"), ["deu", "eng"]),
], ids=["all", "one", "both"])
def test_o20_the_chosen_sound_and_subtitles_of_a_site_are_kept(
        samples, program, origin, options, languages):
    pictures, sound = make_separate_files(samples, "-movflags", "+faststart")
    text = {"text": "WEBVTT\n\n00:00.500 --> 00:01.000\nHello\n"}
    origin.serve({
        "/watch": EMPTY, "/v": {"file": str(pictures)}, "/de": {"file": str(sound)},
        "/en": {"file": str(sound)}, "/en.vtt": text, "/de.vtt": text,
    })
    with_resolver(program, f"""
base = {origin.url("")!r}
def sound(language):
    return {{"format_id": language, "url": base + "/" + language, "protocol": "https",
            "vcodec": "none", "acodec": "mp4a", "ext": "m4a", "language": language}}
def text(language):
    return [{{"ext": "ttml", "url": base + "/x"}}, {{"ext": "vtt", "url": base + "/" + language + ".vtt"}}]
out({{"title": "Reef", "id": "7", "extractor_key": "Site",
     "subtitles": {{"en": text("en"), "de": text("de")}},
     "formats": [sound("de"), sound("en"), {{"format_id": "v", "url": base + "/v", "height": 360,
                 "protocol": "https", "vcodec": "avc1", "acodec": "none", "ext": "mp4"}}]}})
""")
    result = program.get(origin.url("/watch"), *options, "--subtitles", "de")
    assert result.code == 0, result.err
    assert program.item().get("note") is None
    assert program.files() == ["Reef.de.vtt", "Reef.mp4"]
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream_tags=language",
         "-of", "csv=p=0", str(program.media())],
        check=True, capture_output=True, text=True)
    assert probe.stdout.split() == languages


def test_o27_cookies_that_yt_dlp_does_not_get_are_named(program, origin):
    origin.serve({"/watch": EMPTY})
    with_resolver(program, 'fail("[x] This video is only available for registered users.")')
    jar = program.root / "cookies.txt"
    jar.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts3cret\n")
    result = program.get(origin.url("/watch"), "--cookies", str(jar))
    assert result.code == 1
    assert "yt-dlp does not get the cookies of an item" in result.err
    assert "s3cret" not in result.err


def test_o20_a_page_with_several_films_lists_those_that_yt_dlp_names(program, origin):
    origin.serve({"/watch": EMPTY})
    with_resolver(program, """
out({"entries": [{"url": "https://v.example/1", "title": "One"},
                 {"url": "https://v.example/2", "title": "Two"}]})
""")
    error = failure(program, origin)
    assert "offers 2 media" in error
    assert "2. Two (video): offline get 'https://v.example/2'" in error


def test_o20_the_chapters_of_a_site_are_in_the_film(samples, program, origin):
    origin.serve({"/watch": EMPTY, "/s/": {"directory": str(samples.stream)}})
    address = json.dumps(origin.url("/s/stream.m3u8"))
    with_resolver(program, f"""out({{"title": "Reef", "formats": [
        {{"format_id": "a", "url": {address}, "protocol": "m3u8_native", "ext": "mp4"}}],
        "chapters": [{{"start_time": 0.0, "end_time": 9, "title": "One"}}, {{"title": "None"}},
                     {{"start_time": 9.0, "end_time": 99, "title": "Two"}}, 7]}})""")
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    found = media.ffmpeg("-i", program.media(), "-f", "ffmetadata", "-").decode()
    assert [line for line in found.splitlines() if line.startswith("title=")] \
        == ["title=Reef", "title=One", "title=Two"]
