# SPDX-License-Identifier: Apache-2.0
"""DASH streams with sound in two languages (O3, O6, O16 and O20)."""

import json
import subprocess

import pytest

from harness import media, registry
from harness.kills import MOST_SEGMENTS, PARALLEL_SEGMENTS, limit_segments
from harness.program import killpoint_binary

SECONDS = 12
STYLES = {
    "template": ["-seg_duration", "1", "-use_template", "1", "-use_timeline", "1"],
    "single": ["-seg_duration", "1", "-single_file", "1"],
}


@pytest.fixture(scope="module", params=STYLES)
def folder(request, tmp_path_factory):
    return media.make_dash(
        tmp_path_factory.mktemp(request.param), SECONDS, STYLES[request.param])


def check(program):
    item = program.item()
    assert (item["state"], item["kind"], item.get("note")) == ("ready", "dash", None)
    film = program.media(item)
    found = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(film)],
        capture_output=True, check=True).stdout)["streams"]
    assert [stream["codec_type"] for stream in found] == ["video", "audio", "audio"]
    assert [stream["tags"]["language"] for stream in found[1:]] == ["eng", "deu"]
    assert media.picture_count(media.frame_hashes(film)) == SECONDS * media.RATE
    for stream in found:
        assert float(stream["duration"]) == pytest.approx(SECONDS, abs=0.2)
        assert float(stream["start_time"]) == pytest.approx(0, abs=0.1)
    assert not list((program.data / "work").iterdir())


def test_o20_dash_is_kept_with_every_language(folder, program, origin):
    origin.serve({"/d/": {"directory": str(folder)}})
    result = program.get(origin.url("/d/stream.mpd"))
    assert result.code == 0, result.err
    check(program)


def test_o6_a_missing_segment_of_dash_fails_by_name(folder, program, origin):
    names = sorted(path.name for path in folder.glob("*.m4s")) or ["stream-stream2.mp4"]
    missing = next((name for name in names if "stream1-00004" in name), names[0])
    origin.serve({"/d/": {"directory": str(folder)}, f"/d/{missing}": {"status": 404, "text": "no"}})
    result = program.get(origin.url("/d/stream.mpd"))
    assert result.code != 0
    item = program.item()
    assert (item["state"], item["error"]["code"]) == ("failed", "missingSegments")
    assert not program.files()
    origin.serve({f"/d/{missing}": {}})
    assert program.get(origin.url("/d/stream.mpd")).code == 0
    check(program)


@pytest.mark.parametrize("most", [PARALLEL_SEGMENTS, MOST_SEGMENTS])
@pytest.mark.parametrize("point,count", [("beforeSegmentCommit", 20), ("duringMux", 1)])
def test_o3_dash_survives_a_kill(point, count, most, folder, program, origin):
    origin.serve({"/d/": {"directory": str(folder)}})
    address = origin.url("/d/stream.mpd")
    if most == PARALLEL_SEGMENTS:
        limit_segments(program)
    run = subprocess.run(
        [killpoint_binary(), program.library, address, point, str(count)],
        env=program.environment, capture_output=True, timeout=120, check=False)
    assert run.returncode == -9, run.stderr.decode()
    left = registry.snapshot(program.library)
    assert left.is_unfinished
    assert sum(segment.size is not None for segment in left.segments) >= count - most
    result = program.get(address)
    assert result.code == 0, result.err
    check(program)
    fetched = [(entry["path"], entry["range"]) for entry in origin.fetched()
               if not entry["path"].endswith(".mpd")]
    assert len(fetched) - len(set(fetched)) <= most


@pytest.mark.parametrize("manifest,word", [
    ('<MPD type="dynamic"><Period/></MPD>', "live"),
    ('<MPD><Period xmlns:xlink="x" xlink:href="/other.xml"/></MPD>', "xlink"),
    ('<MPD><Period duration="PT1S"><AdaptationSet mimeType="video/mp4"><ContentProtection '
     'schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"/><Representation>'
     '<BaseURL>v.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>', "Widevine"),
    ('<MPD><Period duration="PT1S"><AdaptationSet mimeType="video/mp4"><Representation>'
     '<BaseURL>file:///etc/passwd</BaseURL></Representation></AdaptationSet></Period></MPD>',
     "web address"),
    ('<!DOCTYPE MPD [<!ENTITY a SYSTEM "file:///etc/passwd">]><MPD>&a;</MPD>', "entities"),
])
def test_o11_a_hostile_manifest_is_refused_before_anything_is_fetched(
        manifest, word, program, origin):
    origin.serve({"/a.mpd": {"text": manifest, "type": "application/dash+xml"}})
    result = program.get(origin.url("/a.mpd"))
    assert result.code != 0
    item = program.item()
    assert item["state"] == "failed"
    assert word in item["error"]["message"]
    assert {entry["path"] for entry in origin.fetched()} == {"/a.mpd"}


def kept(program, item):
    found = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(program.media(item))],
        capture_output=True, check=True).stdout)["streams"]
    return [(stream["codec_type"], stream["tags"].get("language")) for stream in found]


def test_o20_the_chosen_language_and_the_sound_alone_are_kept(folder, program, origin):
    origin.serve({"/d/": {"directory": str(folder)}})
    address = origin.url("/d/stream.mpd")
    result = program.get(address, "--audio", "de,fr")
    assert result.code == 0, result.err
    assert "The stream has no sound in French. It has: English, German." in result.err
    assert kept(program, program.item(1)) == [("video", "und"), ("audio", "deu")]
    result = program.get(address, "--quality", "audio")
    assert result.code == 0, result.err
    assert kept(program, program.item(2)) == [("audio", "eng"), ("audio", "deu")]
    # The same address with the same choice is the same item.
    again = program.get(address, "--audio", "deu,fra")
    assert (again.code, len(program.items())) == (0, 2)
