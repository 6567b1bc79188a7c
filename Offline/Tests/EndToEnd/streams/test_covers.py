# SPDX-License-Identifier: Apache-2.0
"""The picture that a page names for a film or recording (O20 and O21)."""

import json
import subprocess

import pytest

from harness import media
from harness.server import Server


def red(path, size="64x36"):
    media.ffmpeg("-f", "lavfi", "-i", f"color=red:size={size}", "-frames:v", "1", path)
    return path


def page(body, picture="/cover.png"):
    return {"text": f"<!DOCTYPE html><title>Reef</title><meta property=og:image content={picture}>"
            + body, "type": "text/html"}


def streams(path):
    out = subprocess.run(["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)],
                         capture_output=True, check=True).stdout
    return json.loads(out)["streams"]


def is_red(picture):
    """Returns whether a whole picture is red."""
    pixels = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        input=picture, capture_output=True, check=True).stdout
    return min(pixels[0::3]) > 200 and max(pixels[1::3]) < 60 and max(pixels[2::3]) < 60


def picture_of(program):
    status, headers, content = Server(program).request("GET", "/pictures/1")
    assert (status, headers["Content-Type"]) == (200, "image/jpeg")
    return content


def test_o20_the_picture_of_a_page_is_in_its_film(samples, program, origin):
    cover = red(program.root / "cover.png", "1920x1080")
    origin.serve({"/watch": page("<video src=/s/stream.m3u8></video>"),
                  "/cover.png": {"file": str(cover)}, "/s/": {"directory": str(samples.stream)}})
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    film = program.media()
    pictures = [stream for stream in streams(film) if stream["codec_type"] == "video"]
    assert [stream["disposition"]["attached_pic"] for stream in pictures] == [0, 1]
    assert pictures[1]["codec_name"] == "mjpeg" and pictures[1]["width"] == 1280
    found = media.ffmpeg("-i", film, "-map", "0:v:1", "-c", "copy", "-f", "mjpeg", "-")
    assert is_red(found)
    assert is_red(picture_of(program))
    hashes = media.ffmpeg("-i", film, "-map", "0:v:0", "-f", "framemd5", "-").decode()
    assert len([line for line in hashes.splitlines() if line[0] != "#"]) == media.FRAMES
    assert not list((program.data / "work").iterdir())


def test_o20_a_recording_without_pictures_has_the_one_of_its_page(samples, program, origin):
    sound = program.root / "sound.mp3"
    media.ffmpeg("-i", samples.film, "-vn", "-c:a", "libmp3lame", sound)
    origin.serve({"/listen": page("<audio src=/sound.mp3></audio>"),
                  "/cover.png": {"file": str(red(program.root / "cover.png"))},
                  "/sound.mp3": {"file": str(sound)}})
    result = program.get(origin.url("/listen"))
    assert result.code == 0, result.err
    assert program.item()["hasPicture"]
    assert is_red(picture_of(program))
    # A file that is kept unchanged keeps its bytes.
    assert program.media().read_bytes() == sound.read_bytes()


@pytest.mark.parametrize("route", [
    {"status": 404}, {"text": "<script>alert(1)</script>", "type": "image/png"},
    {"text": "<svg xmlns='http://www.w3.org/2000/svg'/>", "type": "image/svg+xml"},
    {"status": 302, "headers": {"Location": "file:///etc/passwd"}},
    {"text": "\x89PNG" + "x" * 9_000_000},
])
def test_o20_a_picture_that_fails_does_not_fail_the_film(route, samples, program, origin):
    origin.serve({"/watch": page("<video src=/film.mp4></video>"), "/cover.png": route,
                  "/film.mp4": {"file": str(samples.film)}})
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    item = program.item()
    assert item["hasPicture"] and not item.get("note")
    assert not is_red(picture_of(program))
