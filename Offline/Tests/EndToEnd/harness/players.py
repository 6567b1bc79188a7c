# SPDX-License-Identifier: Apache-2.0
"""Programs with which users play files."""

import json
import subprocess

# Plays all frames at the speed of decoding. The output has only warnings and the message, without
# the player's warning about a machine that is too slow.
_PLAYER = ["mpv", "--no-config", "--vo=null", "--ao=null", "--untimed", "--ao-null-untimed", "--mc=0",
           "--framedrop=no", "--msg-level=all=warn,cplayer=error,term-msg=info",
           "--term-playing-msg=${media-title}\n${=track-list}"]
# FFmpeg's reader warns of the picture in each MP4 with a cover, even in files of other programs.
_COVER = "stream 0, timescale not set"


def play(path, sound=None, text=None):
    """Plays a file to the end without a warning, and returns the shown title and the tracks."""
    chosen = [f"--aid={sound}"] * (sound is not None) + [f"--sid={text}"] * (text is not None)
    done = subprocess.run([*_PLAYER, *chosen, str(path)], capture_output=True, check=False,
                          stdin=subprocess.DEVNULL, text=True, timeout=600)
    lines = [line for line in done.stdout.splitlines() if not line.endswith(_COVER)]
    assert (done.returncode, done.stderr, len(lines)) == (0, "", 2), done.stdout + done.stderr
    return lines[0], json.loads(lines[1])


def play_every_track(path):
    """Plays a file with each track of sound and subtitles, and returns the title and tracks."""
    title, tracks = play(path)
    numbers = {kind: [track["id"] for track in tracks if track["type"] == kind]
               for kind in ("audio", "sub")}
    for turn in range(1, max(map(len, numbers.values()))):
        sound, text = (found[min(turn, len(found) - 1)] if found else "no" for found in numbers.values())
        assert play(path, sound, text)[0] == title
    return title, tracks


def probe(path):
    """Returns the streams and tags of a file, which ffprobe must read without a warning."""
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", str(path)],
        capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found = json.loads(done.stdout)
    return found["streams"], found["format"].get("tags", {})
