# SPDX-License-Identifier: Apache-2.0
"""Real media, created from ffmpeg's test sources."""

import fcntl
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

RATE = 16
SEGMENTS = 48
FRAMES = SEGMENTS * RATE // 2


# The folder of media that all processes of a run share.
SHARED = "OFFLINE_SHARED_MEDIA"


def share():
    """Creates the folder for this process and all children.

    Returns whether the folder was missing.
    """
    if SHARED in os.environ:
        return False
    os.environ[SHARED] = tempfile.mkdtemp(prefix="offline-media-")
    return True


def end_sharing():
    shutil.rmtree(os.environ.pop(SHARED))


def once(name, make):
    """Returns the path of a read-only file or folder that one process of a run makes."""
    path = pathlib.Path(os.environ[SHARED]) / name
    # The kernel releases the lock when the process ends.
    with open(path.with_name(f"{name}.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished = path.with_name(f"unfinished-{name}")
            make(unfinished)
            unfinished.rename(path)
    return path


def ffmpeg(*arguments, cwd=None):
    done = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)], cwd=cwd,
        capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def source(seconds, size="320x180", pattern="testsrc2"):
    return ["-f", "lavfi", "-i", f"{pattern}=size={size}:rate={RATE}:duration={seconds}",
            "-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}",
            "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
            "-g", RATE // 2, "-sc_threshold", "0", "-c:a", "aac", "-flags", "+bitexact"]


def make_stream(folder, options=(), segments=SEGMENTS, size="320x180", pattern="testsrc2"):
    """Creates `stream.m3u8` with segments of half a second: `part0.ts` and so on."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = [] if "-hls_segment_filename" in options else ["-hls_segment_filename", "part%d.ts"]
    ffmpeg(*source(segments / 2, size, pattern), "-f", "hls", "-hls_time", "0.5",
           "-hls_playlist_type", "vod", *names, *options, "stream.m3u8", cwd=folder)
    return folder


def make_film(path, seconds=8, size="640x360"):
    ffmpeg(*source(seconds, size), "-movflags", "+faststart", path)
    return path


def add_chapters(film, path, starts, seconds):
    """Copies a film of this length with a chapter from each start to the next start."""
    notes = path.with_suffix(".txt")
    notes.write_text(";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND={end}\ntitle=Part {number}\n"
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], seconds]), 1)))
    ffmpeg("-i", film, "-i", notes, "-map_metadata", "1", "-map_chapters", "1", "-c", "copy",
           "-movflags", "+faststart", path)
    notes.unlink()
    return path


def make_dash(folder, seconds, options=()):
    """Creates `stream.mpd`: pictures and sound in two languages, in segments of two seconds."""
    ffmpeg(
        *source(seconds)[:8], "-f", "lavfi", "-i", f"sine=frequency=880:duration={seconds}",
        *source(seconds)[8:], "-map", "0:v", "-map", "1:a", "-map", "2:a",
        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu",
        "-adaptation_sets", "id=0,streams=0 id=1,streams=1 id=2,streams=2",
        "-f", "dash", "-seg_duration", "2", *options, "stream.mpd", cwd=folder)
    return folder


def make_languages(folder, languages, seconds):
    """Creates `list0.m3u8` with pictures, followed by a playlist with sound for each language.

    The segments of half a second are `part0-0.ts` and so on.
    """
    folder.mkdir()
    sound, maps = [], ["-map", "0"]
    for number, _ in enumerate(languages, 1):
        sound += ["-f", "lavfi", "-i", f"sine=frequency={440 * number}:duration={seconds}"]
        maps += ["-map", number]
    streams = [f"a:{number},agroup:s,language:{name}{',default:yes' * (number == 0)}"
               for number, name in enumerate(languages)]
    ffmpeg(
        "-f", "lavfi", "-i", f"testsrc2=size=320x180:rate={RATE}:duration={seconds}", *sound, *maps,
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", RATE // 2,
        "-sc_threshold", "0", "-c:a", "aac", "-f", "hls", "-hls_time", "0.5", "-hls_playlist_type",
        "vod", "-var_stream_map", " ".join(["v:0,agroup:s", *streams]), "-master_pl_name",
        "unused.m3u8", "-hls_segment_filename", "part%v-%d.ts", "list%v.m3u8", cwd=folder)
    return folder


def make_bytes(path, size, seed):
    pathlib.Path(path).write_bytes(random.Random(seed).randbytes(size))
    return pathlib.Path(path)


def frame_hashes(path):
    """Returns a hash and the time of every decoded video and audio frame."""
    text = ffmpeg("-i", path, "-map", "0:v?", "-map", "0:a?", "-f", "framemd5", "-").decode()
    return [line for line in text.splitlines() if not line.startswith("#")]


def picture_hashes(path):
    """Returns a hash of every decoded picture, without the time."""
    # ffmpeg refuses a key with another name in a local stream.
    options = ["-allowed_extensions", "ALL"] if str(path).endswith(".m3u8") else []
    text = ffmpeg(*options, "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough",
                  "-f", "framemd5", "-").decode()
    return [line.split(",")[-1] for line in text.splitlines() if not line.startswith("#")]


def picture_count(hashes):
    return sum(line.startswith("0,") for line in hashes)
